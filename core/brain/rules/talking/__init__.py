"""What the conversation can answer from the open matters."""
