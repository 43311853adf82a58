"""The queue as people look at it, and what they decide about a message that may or may not have arrived."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from peewee import SQL, Database, Select, fn

from bot.store.repositories.jobs import OF_JOB, ClaimedJob, job_of
from bot.store.statement import Statement, assignments, given
from bot.store.tables import JobRow
from core.jobs import JobState, QueueSection

# Written out and not bound as parameters, so that the partial indexes are used.
_WHERE: dict[QueueSection, Any] = {
    QueueSection.DOUBT: JobRow.state == SQL("'in_doubt'"),
    QueueSection.FAILING: (JobRow.state == SQL("'pending'")) & (JobRow.attempts > SQL("0")),
    QueueSection.DEAD: JobRow.state == SQL("'dead'"),
    QueueSection.RUNNING: JobRow.state.in_(SQL("('running', 'sending')")),
    QueueSection.NEXT: (JobRow.state == SQL("'pending'")) & (JobRow.attempts == SQL("0")),
}
_LATEST_FIRST = (QueueSection.DOUBT, QueueSection.DEAD)


def _page(section: QueueSection) -> Select:
    latest = (JobRow.due.desc(), JobRow.id.desc())
    order = latest if section in _LATEST_FIRST else (JobRow.due, JobRow.id)
    return _numbered().where(_WHERE[section]).order_by(*order).limit(given("limit")).offset(given("offset"))


def _numbered() -> Select:
    return JobRow.select(JobRow.id, JobRow.progress, *OF_JOB)


_PAGES = {section: Statement(_page(section)) for section in QueueSection}
_COUNTS = {section: Statement(JobRow.select(fn.COUNT(JobRow.id)).where(_WHERE[section])) for section in QueueSection}
_BY_NUMBER = Statement(_numbered().where(JobRow.id == given("number")))
_NUMBER_OF = Statement(JobRow.select(JobRow.id).where(JobRow.key == given("key")))
_SETTLE = Statement(
    JobRow.update({JobRow.state: JobState.DONE, JobRow.holder: None}).where(
        (JobRow.key == given("key")) & (JobRow.state == SQL("'in_doubt'"))
    )
)
_PROGRESS = Statement(JobRow.update(assignments([JobRow.progress])).where(JobRow.key == given("key")))
_HOLD = Statement(
    JobRow.update({JobRow.due: given("until", JobRow.due)}).where(
        (JobRow.lane == given("lane")) & (JobRow.state == SQL("'pending'")) & (JobRow.due < given("until"))
    )
)

_HASTEN = Statement(
    JobRow.update({JobRow.due: given("due", JobRow.due)}).where(
        (JobRow.lane == given("lane")) & (JobRow.state == SQL("'pending'")) & (JobRow.due > given("due"))
    )
)


@dataclass(frozen=True)
class QueueTable:
    """Reads `jobs`, and changes what is in doubt or has to wait. A job is named by its number."""

    db: Database

    def count(self, section: QueueSection) -> int:
        """How many there are."""
        return int(_COUNTS[section].value(self.db))

    def page(self, section: QueueSection, limit: int, offset: int = 0) -> tuple[ClaimedJob, ...]:
        """Some of them: the latest first of what has gone wrong, the next due first of what is to come."""
        return tuple(_job(row) for row in _PAGES[section].rows(self.db, limit=limit, offset=offset))

    def get(self, number: int) -> ClaimedJob | None:
        """The job of this number, in whatever state."""
        row = _BY_NUMBER.row(self.db, number=number)
        return _job(row) if row else None

    def number_of(self, key: str) -> int | None:
        """The number of a job."""
        found = _NUMBER_OF.value(self.db, key=key)
        return None if found is None else int(found)

    def settle(self, key: str) -> bool:
        """One in doubt counts as sent for good; false when it is not in doubt (any more)."""
        return bool(_SETTLE.write(self.db, key=key))

    def progress(self, key: str, parts: int) -> None:
        """So many parts of a waiting message are out, or perhaps."""
        _PROGRESS.write(self.db, key=key, progress=parts)

    def hold(self, lane: str, until: datetime) -> int:
        """Nothing that waits in a lane is taken up before `until`; their order stays."""
        return _HOLD.write(self.db, lane=lane, until=until)

    def hasten(self, lane: str, due: datetime) -> int:
        """All that waits in a lane is taken up at `due`, if it was to wait longer."""
        return _HASTEN.write(self.db, lane=lane, due=due)


def _job(row: tuple[Any, ...]) -> ClaimedJob:
    return ClaimedJob(job_of(row[2:]), row[0], row[1])
