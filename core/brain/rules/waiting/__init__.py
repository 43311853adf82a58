"""Answers to what waits for a yes or for a missing word, told apart from new orders."""
