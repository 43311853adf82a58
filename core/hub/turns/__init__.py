"""What a fact means by whom it comes from: a starter, a delegate, a stranger, an event, an absence, a press."""
