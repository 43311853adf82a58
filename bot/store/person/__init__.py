"""What is kept of one person: given out, or taken out of every row."""
