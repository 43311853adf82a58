"""Wall-clock arithmetic that stays right when clocks change."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo

MINUTES_A_DAY = 24 * 60


def utc(at: datetime) -> datetime:
    """The same instant in UTC. Instants are compared in UTC, since Python compares two datetimes of one zone by what
    their clocks show, which is wrong in the hour that is shown twice."""
    return at.astimezone(UTC)


def at_wall(day: date, minutes: int, tz: tzinfo) -> datetime:
    """The instant at which clocks in ``tz`` show ``minutes`` after midnight on ``day``.

    ``minutes`` runs from 0 to 1440, where 1440 is the midnight that ends the day. A time that clocks skip becomes
    the first instant after the gap; of a time shown twice the earlier one is meant.
    """
    shown = datetime.combine(day, time()) + timedelta(minutes=minutes)
    aware = shown.replace(tzinfo=tz, fold=0)
    real = aware.astimezone(UTC).astimezone(tz)
    if real.replace(tzinfo=None) == shown:
        return aware
    return _end_of_gap(aware, real)


def _end_of_gap(before: datetime, after: datetime) -> datetime:
    """The first instant after the gap around a skipped time.

    With fold 0 Python reads a skipped time with the offset from before the gap, so that it lands after the gap by
    as much as the time lies inside it; the change itself is found by halving to the second.
    """
    tz = after.tzinfo
    high = utc(after)
    low = high - timedelta(hours=26)
    offset = high.astimezone(tz).utcoffset()
    while high - low > timedelta(seconds=1):
        middle = low + (high - low) / 2
        if middle.astimezone(tz).utcoffset() == offset:
            high = middle
        else:
            low = middle
    return high.replace(microsecond=0).astimezone(tz)


def shown_minutes(at: datetime, tz: tzinfo) -> tuple[date, float]:
    """The date and the minutes after midnight that clocks in ``tz`` show at this instant."""
    local = at.astimezone(tz)
    return local.date(), local.hour * 60 + local.minute + local.second / 60 + local.microsecond / 60e6


def parse_clock(text: str) -> int:
    """ "09:30" as minutes after midnight, "24:00" included. Raises ``ValueError`` naming the text."""
    hour, colon, minute = text.strip().partition(":")
    if colon and hour.isdecimal() and minute.isdecimal() and len(minute) == 2 and len(hour) <= 2 and int(minute) < 60:
        total = int(hour) * 60 + int(minute)
        if total <= MINUTES_A_DAY:
            return total
    raise ValueError(f"{text.strip()!r} is not a time of day between 00:00 and 24:00.")


def parse_window(text: str) -> tuple[int, int]:
    """ "09:00-18:00" as two minute counts. Raises ``ValueError`` naming the text."""
    start, dash, end = text.replace("–", "-").partition("-")
    if not dash:
        raise ValueError(f"{text!r} is not a span of the day such as 09:00-18:00.")
    first, last = parse_clock(start), parse_clock(end)
    if first in (last, MINUTES_A_DAY):
        raise ValueError(f"{text!r} is an empty span of the day.")
    return first, last


def show_clock(minutes: int) -> str:
    """Minutes after midnight as "HH:MM"."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
