"""Scenario files on a virtual clock (CONTRACT 5)."""
