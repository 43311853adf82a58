"""Times in what people say, in Chinese and English: found, resolved, judged as a promise, and said again.

Pure: the present is an argument that carries its time zone.
"""

from .agreeing import contradicts
from .bearing import Bearing, bearings
from .durations import parse_duration
from .lines import answer_line, as_json
from .model import TimeExpr, TimeKind
from .parse import parse
from .promise import deadline, has_definite_time, is_vague, promised
from .say import said_with_date, say_date, say_duration, say_exactly, say_moment
from .week import seen_from
from .zones import SaidZone, said_zone, seen_there

__all__ = [
    "Bearing",
    "SaidZone",
    "TimeExpr",
    "TimeKind",
    "answer_line",
    "as_json",
    "bearings",
    "contradicts",
    "deadline",
    "has_definite_time",
    "is_vague",
    "parse",
    "parse_duration",
    "promised",
    "said_with_date",
    "said_zone",
    "say_date",
    "say_duration",
    "say_exactly",
    "say_moment",
    "seen_from",
    "seen_there",
]
