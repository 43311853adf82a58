"""What a column holds: moments as whole numbers, words without what a database refuses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import overload

from peewee import BigIntegerField, TextField

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime.max.replace(tzinfo=UTC) - EPOCH
MICROSECOND = timedelta(microseconds=1)


class MomentField(BigIntegerField):
    """An aware datetime as microseconds since 1970 UTC: sorts, loses nothing, and is the same on every database."""

    def db_value(self, value: datetime | None) -> int | None:
        """A datetime without a zone has no such number: TypeError."""
        return None if value is None else (value - EPOCH) // MICROSECOND


@overload
def moment(value: int) -> datetime: ...
@overload
def moment(value: None) -> None: ...
def moment(value: int | None) -> datetime | None:
    """The moment in UTC that a `MomentField` stores as `value`."""
    # The last hours of the year 9999 in the west have no date in UTC.
    return None if value is None else EPOCH + min(value * MICROSECOND, LATEST)


class WordField(TextField):
    """Text that is looked for: an id, a word of an enumeration, a title. Only `body` and `payload` are none."""

    def db_value(self, value: str | None) -> str | None:
        """A plain string, without the NUL that PostgreSQL refuses."""
        return None if value is None else str(value).replace("\0", "")
