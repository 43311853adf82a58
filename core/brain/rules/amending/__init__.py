"""A pending result as a later message changes it."""
