"""The brain that needs no model. One file a question; what they share is in text, names, goal and reply."""

from core.brain.rules.brain import RuleBrain

__all__ = ["RuleBrain"]
