"""What a starter's message is after: its intent, whom it would reach, whether it is an order at all."""
