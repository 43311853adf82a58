"""Working hours and days of one person, and when a message to them may leave (RULES 4, "Sending hours")."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from .holidays_cn import is_working_day_cn
from .wall import MINUTES_A_DAY, at_wall, parse_window, shown_minutes, utc

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
# Longer than any run of days off: weekly days recur within 7, the longest Chinese holiday is 9 days with swaps.
_LOOK_AHEAD_DAYS = 40


@dataclass(frozen=True)
class WorkCalendar:
    """When a person works: a window of minutes on working days, in their own zone.

    ``working_days`` is "china" (Monday to Friday with the Chinese holidays and swapped days), "daily", or the set of
    weekdays (Monday = 0). ``start`` and ``end`` are minutes after midnight; the window is half-open. Where ``end`` is
    not after ``start`` the shift crosses midnight and belongs to the day on which it starts.
    """

    tz: ZoneInfo
    working_days: str | frozenset[int] = "china"
    start: int = 9 * 60
    end: int = 18 * 60

    @classmethod
    def from_config(
        cls,
        working_hours: str = "09:00-18:00",
        working_days: str | list[str] | tuple[str, ...] = "china",
        timezone: str = "Asia/Shanghai",
    ) -> "WorkCalendar":
        """From the words of the configuration. Raises ``ValueError`` with one sentence naming the culprit."""
        try:
            start, end = parse_window(working_hours)
        except ValueError as error:
            raise ValueError(f"working_hours: {error}") from None
        try:
            tz = ZoneInfo(timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"timezone: {timezone!r} is not a known time zone.") from None
        return cls(tz=tz, working_days=_days_from_config(working_days), start=start, end=end)

    def is_working_day(self, day: date) -> bool:
        """Whether a shift starts on this date."""
        if isinstance(self.working_days, frozenset):
            return day.weekday() in self.working_days
        return self.working_days == "daily" or is_working_day_cn(day)

    def is_open(self, at: datetime) -> bool:
        """Whether the person is at work at this instant; the closing minute itself is closed."""
        day = at.astimezone(self.tz).date()
        return any(utc(start) <= utc(at) < utc(end) for start, end in self._shifts(day - timedelta(days=1), 2))

    def next_opening(self, at: datetime) -> datetime:
        """The first instant, not before ``at``, at which the person is at work; ``at`` itself when they are."""
        day = at.astimezone(self.tz).date()
        for start, end in self._shifts(day - timedelta(days=1), _LOOK_AHEAD_DAYS):
            if utc(at) < utc(end):
                return max(start, at.astimezone(self.tz), key=utc)
        raise ValueError("The calendar has no working day.")

    def end_of_work(self, day: date) -> datetime:
        """When the shift of this date ends, whether or not the date is a working day."""
        return at_wall(day, self._closing_minutes(), self.tz)

    def next_working_morning(self, at: datetime) -> datetime:
        """The next opening of a working day that lies after ``at``: today's when ``at`` is before it."""
        day = at.astimezone(self.tz).date()
        for start, _ in self._shifts(day, _LOOK_AHEAD_DAYS):
            if utc(start) > utc(at):
                return start
        raise ValueError("The calendar has no working day.")

    def _closing_minutes(self) -> int:
        return self.end if self.end > self.start else self.end + MINUTES_A_DAY

    def _shifts(self, first: date, days: int) -> Iterator[tuple[datetime, datetime]]:
        """Opening and closing of each shift that starts on ``days`` dates from ``first``, in order."""
        for offset in range(days):
            day = first + timedelta(days=offset)
            if self.is_working_day(day):
                yield at_wall(day, self.start, self.tz), at_wall(day, self._closing_minutes(), self.tz)


def _days_from_config(words: str | list[str] | tuple[str, ...]) -> str | frozenset[int]:
    if isinstance(words, str):
        if words in ("china", "daily"):
            return words
        raise ValueError(f"working_days: {words!r} is neither china, daily nor a list of weekdays.")
    days = set()
    for word in words:
        if str(word).lower()[:3] not in WEEKDAYS:
            raise ValueError(f"working_days: {word!r} is not a weekday (mon, tue, wed, thu, fri, sat, sun).")
        days.add(WEEKDAYS.index(str(word).lower()[:3]))
    if not days:
        raise ValueError("working_days: the list of weekdays is empty.")
    return frozenset(days)


@dataclass(frozen=True)
class DailyWindow:
    """A half-open span of every day, "08:00-22:00"; one that wraps midnight, "22:00-08:00", is allowed.

    ``start`` and ``end`` are minutes after midnight (``end`` up to 1440).
    """

    start: int
    end: int

    @classmethod
    def parse(cls, text: str) -> "DailyWindow":
        """From "HH:MM-HH:MM". Raises ``ValueError`` naming the text."""
        return cls(*parse_window(text))

    def contains(self, at: datetime, tz: ZoneInfo) -> bool:
        """Whether clocks in ``tz`` show a time inside the window at this instant."""
        _, minute = shown_minutes(at, tz)
        if self.start < self.end:
            return self.start <= minute < self.end
        return minute >= self.start or minute < self.end

    def next_opening(self, at: datetime, tz: ZoneInfo) -> datetime:
        """``at`` itself inside the window, else the next time it opens."""
        if self.contains(at, tz):
            return at.astimezone(tz)
        day, _ = shown_minutes(at, tz)
        opening = at_wall(day, self.start, tz)
        return opening if utc(opening) >= utc(at) else at_wall(day + timedelta(days=1), self.start, tz)


def sending_opening(
    priority: str, calendar: WorkCalendar, at: datetime, windows: Mapping[str, DailyWindow]
) -> datetime:
    """The first instant, not before ``at``, at which a message of this priority may leave for this person.

    Critical leaves at any hour; a priority with a window of its own (``windows["high"]``) in that window on any day;
    the others in the person's working hours.
    """
    if priority == "critical":
        return at.astimezone(calendar.tz)
    if priority in windows:
        return windows[priority].next_opening(at, calendar.tz)
    return calendar.next_opening(at)
