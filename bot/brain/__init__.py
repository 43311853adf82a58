"""Brains that need the world: a model behind HTTP, a script, one that fails on demand."""
