"""Concerns: the model, the state machine, the rules of following up, reporting and closing, and the engine."""
