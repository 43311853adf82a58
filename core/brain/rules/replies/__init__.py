"""What a delegate's words amount to, held against the goal."""
