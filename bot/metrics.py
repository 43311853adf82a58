"""What a process counts of its own work since it started, for `GET /metrics`: numbers by name and labels.

Counting costs a dictionary look-up, so that it needs no switch; the exposition, and the library for it, is in bot/web.
Labels are words of the program (a channel, a decision, a question), never of people: nobody is in these numbers.
"""

from __future__ import annotations

Labels = tuple[str, ...]


class Counter:
    """A number that only grows, for each combination of labels that occurred."""

    def __init__(self, name: str, about: str, *labels: str) -> None:
        self.name = name
        self.about = about
        self.labels = labels
        self.values: dict[Labels, float] = {}

    def count(self, *labels: str, by: float = 1) -> None:
        """Once more (or `by` more) with these labels."""
        self.values[labels] = self.values.get(labels, 0) + by


class Timer:
    """How often something was done and how many seconds it took in all, for each combination of labels."""

    def __init__(self, name: str, about: str, *labels: str) -> None:
        self.name = name
        self.about = about
        self.labels = labels
        self.values: dict[Labels, tuple[int, float]] = {}

    def took(self, seconds: float, *labels: str) -> None:
        """Done once more, in so many seconds."""
        times, total = self.values.get(labels, (0, 0.0))
        self.values[labels] = times + 1, total + seconds


FACTS = Counter("qinghai_facts", "Facts that were accepted", "channel", "kind")
POSTS = Counter("qinghai_posts", "Posts to the HTTP inlet, and what became of them", "route", "outcome")
JUDGEMENTS = Timer("qinghai_judgement_seconds", "Facts that were judged, and how long it took", "decision", "brain")
SENDS = Counter("qinghai_sends", "What became of messages given to a channel", "channel", "outcome")
JOBS_DEAD = Counter("qinghai_jobs_died", "Jobs that were given up", "kind")
MODEL_CALLS = Timer("qinghai_model_call_seconds", "Calls of the model, and how long they took", "question", "outcome")
MODEL_TOKENS = Counter("qinghai_model_tokens", "Tokens that the model read and wrote", "direction")

COUNTERS = (FACTS, POSTS, SENDS, JOBS_DEAD, MODEL_TOKENS)
TIMERS = (JUDGEMENTS, MODEL_CALLS)
