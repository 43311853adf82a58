"""The working hours and days of a person in the directory."""

from functools import lru_cache

from core.people import Person

from .work import WorkCalendar


@lru_cache(maxsize=4096)
def _calendar(working_hours: str, working_days: str | tuple[str, ...], timezone: str) -> WorkCalendar:
    return WorkCalendar.from_config(working_hours=working_hours, working_days=working_days, timezone=timezone)


def calendar_of(person: Person) -> WorkCalendar:
    """A person's working hours and days, in their own zone."""
    return _calendar(person.working_hours, person.working_days, person.timezone)
