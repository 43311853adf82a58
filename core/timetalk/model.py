"""What the parser hands out, and the values its grammars put together on the way."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum


class TimeKind(StrEnum):
    """The sort of a time expression."""

    moment = "moment"
    span = "span"
    deadline = "deadline"
    since = "since"
    duration = "duration"
    recurrence = "recurrence"
    vague = "vague"


@dataclass(frozen=True)
class TimeExpr:
    """One time expression found in a text.

    ``text`` and ``pos`` (half-open) are the matched words of the original text. Instants carry the zone of ``now``.

    ========== ========================= =========================
    kind       start                     end
    ========== ========================= =========================
    moment     the instant               None
    span       first instant             first instant after it
    deadline   None                      latest instant
    since      earliest instant          None
    duration   None                      None (see ``duration``)
    recurrence its first day, if said    its last, if said
    vague      None                      None
    ========== ========================= =========================

    ``grain``: second, minute, part (of a day), day, week, weekend, month, quarter, half, year, edge (the
    beginning or middle of such a period) or end (its end). A moment of grain day stands at that day's midnight.
    ``approximate``: said with "几", "a few", "左右", "about". ``either``: one of several that the text leaves open
    ("明天或后天"); those of one choice follow one another.
    """

    kind: TimeKind
    text: str
    pos: tuple[int, int]
    start: datetime | None = None
    end: datetime | None = None
    grain: str = "minute"
    duration: timedelta | None = None
    rrule: str | None = None
    approximate: bool = False
    either: bool = False


@dataclass(frozen=True)
class Fields:
    """A date as far as it was said: "三月", "the 15th", "Friday the 11th", "2019 第一季度".

    ``weekday`` counts from Monday = 0. ``edge`` is "start", "middle" or "end" of the smallest period named, "early" and
    "late" the first and last third of a month.
    """

    year: int | None = None
    half: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    edge: str | None = None

    def union(self, other: "Fields") -> "Fields | None":
        """Both together, or None where they contradict each other."""
        both = {}
        for name in ("year", "half", "quarter", "month", "day", "weekday", "edge"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine is not None and theirs is not None and mine != theirs:
                return None
            both[name] = theirs if mine is None else mine
        return Fields(**both)

    @property
    def names_day(self) -> bool:
        """Whether a single day is meant."""
        return self.day is not None or self.weekday is not None


@dataclass(frozen=True)
class Period:
    """A calendar period: ``start`` its first day, ``end`` the day after its last, ``unit`` its grain."""

    start: date
    end: date
    unit: str


@dataclass(frozen=True)
class Clock:
    """A time of day. ``fixed``: it is clear which half of the day is meant. ``closing``: the end of work, whenever
    that is; six o'clock where nobody knows better. ``towards``: said as so much before the next hour, "quarter to"."""

    hour: int
    minute: int = 0
    fixed: bool = False
    closing: bool = False
    towards: bool = False


@dataclass(frozen=True)
class Length:
    """A length of time in calendar units, as said. ``grain`` is its smallest unit."""

    years: float = 0
    months: float = 0
    days: float = 0
    seconds: float = 0
    grain: str = "day"
    business: bool = False

    def __add__(self, other: "Length") -> "Length":
        return Length(
            self.years + other.years,
            self.months + other.months,
            self.days + other.days,
            self.seconds + other.seconds,
            other.grain,
            self.business or other.business,
        )

    def times(self, factor: float) -> "Length":
        """The same unit, ``factor`` times."""
        return Length(
            self.years * factor,
            self.months * factor,
            self.days * factor,
            self.seconds * factor,
            self.grain,
            self.business,
        )

    def delta(self) -> timedelta:
        """As an elapsed time: a year of 365 days, a month of 30; capped at what ``timedelta`` holds."""
        days = self.years * 365 + self.months * 30 + self.days
        return timedelta(seconds=min(days * 86400 + self.seconds, 999_999_999 * 86400.0))


@dataclass(frozen=True)
class Rule:
    """A recurrence in the terms of RFC 5545."""

    freq: str
    interval: int = 1
    byday: tuple[str, ...] = ()
    bymonthday: tuple[int, ...] = ()
    bymonth: tuple[int, ...] = ()
    bysetpos: int | None = None


@dataclass(frozen=True)
class Nth:
    """The ``n``-th (negative: from the end) unit of a period, or the first or last ``count`` units of it.

    ``unit``: day, workday, week, month, quarter, weekday (then ``weekday`` says which).
    """

    n: int
    unit: str
    weekday: int | None = None
    count: int | None = None


@dataclass(frozen=True)
class Piece:
    """Values read at one place of the text, not yet resolved. ``start`` and ``end`` are positions in it.

    ``weak`` pieces count only once they have joined a stronger one: "May", "second", a bare number.
    ``feast``: a day named as one; "before" it ends with the day before.
    ``bound`` is what the words around make of it: "before", "by" (inclusive), "within", "after", "onward" (inclusive),
    "since" (looking back); of a length also "out" ("in two hours"), "ago", "last", "next", "lead" ("two days ahead").
    ``past``: the words around say that it has gone by ("said"), or may say so, and then the nearer one is meant
    ("near"). ``until`` is the other end of a range. ``further``: of a recurrence, more times of the same day, each with its
    part of it.
    """

    start: int
    end: int
    fields: Fields | None = None
    day: date | None = None
    period: Period | None = None
    part: str | None = None
    clock: Clock | None = None
    further: "tuple[tuple[Clock, str | None], ...]" = ()
    exact: datetime | None = None
    exact_grain: str = "minute"
    length: Length | None = None
    rule: Rule | None = None
    nth: Nth | None = None
    until: "Piece | None" = None
    bound: str | None = None
    vague: bool = False
    weak: bool = False
    feast: bool = False
    past: str | None = None
    approximate: bool = False
