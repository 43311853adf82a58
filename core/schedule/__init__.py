"""When something is to happen: a moment, a rule, or a condition; and which run is next, due, or was missed."""

from core.schedule.model import Mode, Run, ScheduleTrigger, WhenError
from core.schedule.reading import SHORTEST, at_the_time_of, read_when
from core.schedule.runs import due_run, is_past, next_run
from core.schedule.say import say_trigger

__all__ = [
    "SHORTEST",
    "Mode",
    "Run",
    "ScheduleTrigger",
    "WhenError",
    "at_the_time_of",
    "due_run",
    "is_past",
    "next_run",
    "read_when",
    "say_trigger",
]
