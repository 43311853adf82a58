"""Jobs: what is to come, who has taken it, and what became of it.

    pending ──claim──> running ──sending──> sending
       ^                  │                    │
       ├──────retry───────┴────────────────────┤
    cancelled          done, dead, in_doubt <──┘   in_doubt ──requeue──> pending

A claimed row names its holder, the process that works on it; when that is dead, what it left `running` goes back and
what it left `sending` is in doubt. A change of a claimed row succeeds for its holder alone.
"""

from __future__ import annotations

import builtins
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from peewee import SQL, Database, Field, Select, Tuple, fn

from bot.store.columns import MICROSECOND, moment
from bot.store.database.news import News
from bot.store.statement import Row, Statement, assignments, given, insertion
from bot.store.tables import FactRow, JobRow
from core.ids import ConcernId, PersonId
from core.jobs import Job, JobKind, JobState

LEFT_SENDING = "the program ended while it was being sent"

# Written out and not bound as parameters, so that the partial indexes are used.
_PENDING = SQL("'pending'")
_TAKEN = SQL("('running', 'sending')")

OF_JOB = (
    JobRow.key,
    JobRow.kind,
    JobRow.lane,
    JobRow.due,
    JobRow.payload,
    JobRow.concern_id,
    JobRow.person_id,
    JobRow.state,
    JobRow.attempts,
    JobRow.reason,
)
_EARLIEST = (JobRow.due, JobRow.id)


ALL_KINDS = frozenset(JobKind)


def _jobs() -> Select:
    return JobRow.select(*OF_JOB).order_by(*_EARLIEST)


def _claimable() -> Select:
    """Due, nothing of its lane is taken, neither job nor fact, and nothing pending of its lane comes before."""
    other, earlier, fact = JobRow.alias(), JobRow.alias(), FactRow.alias()
    taken = other.select(SQL("1")).where((other.lane == JobRow.lane) & other.state.in_(_TAKEN))
    overtaken = earlier.select(SQL("1")).where(
        (earlier.lane == JobRow.lane)
        & (earlier.state == _PENDING)
        & (Tuple(earlier.due, earlier.id) < Tuple(JobRow.due, JobRow.id))
    )
    in_hand = fact.select(SQL("1")).where((fact.conversation == JobRow.lane) & fact.holder.is_null(False))
    due = (JobRow.state == _PENDING) & (JobRow.due <= given("now"))
    free = ~fn.EXISTS(taken) & ~fn.EXISTS(in_hand) & ~fn.EXISTS(overtaken)
    return JobRow.select(JobRow.id, JobRow.progress, JobRow.open_since, *OF_JOB).where(due & free)


def _move(origin: Any, target: JobState, *changes: Field, only: Any = True) -> Statement:
    """From one of the states `origin` to `target`, where `only` holds; out of a claim only by its holder."""
    held = {} if target is JobState.SENDING else {JobRow.holder: None}
    update = JobRow.update({JobRow.state: target, **held, **assignments(changes)})
    ours = JobRow.holder.is_null() | (JobRow.holder == given("me", JobRow.holder))
    which = (JobRow.key == given("of_key", JobRow.key)) & JobRow.state.in_(origin) & ours
    return Statement(update.where(which if only is True else which & only))


_ADD = Statement(insertion(JobRow, JobRow.progress, JobRow.holder, JobRow.open_since).on_conflict(action="NOTHING"))
_GET = Statement(_jobs().where(JobRow.key == given("key")))
_WAITING = Statement(_jobs().where((JobRow.concern_id == given("concern_id")) & (JobRow.state == _PENDING)))
_PENDING_TO = Statement(_jobs().where((JobRow.person_id == given("person_id")) & (JobRow.state == _PENDING)))
# Said twice, so that the few that are taken are looked through, and not all that ever were.
_SENT_NOW = JobRow.state.in_(_TAKEN) & (JobRow.state == SQL("'sending'"))
_SENDING_TO = Statement(_jobs().where((JobRow.person_id == given("person_id")) & _SENT_NOW))
_NEXT_DUE = Statement(JobRow.select(fn.MIN(JobRow.due)).where(JobRow.state == _PENDING))
_OPEN_SINCE = Statement(JobRow.select(JobRow.open_since).where(JobRow.key == given("key")))
_PROGRESS_OF = Statement(JobRow.select(JobRow.progress).where(JobRow.key == given("key")))

_CLAIMABLE = _claimable().order_by(*_EARLIEST).limit(given("limit"))
_HOLDERS = Statement(JobRow.select(JobRow.holder).where(JobRow.state.in_(_TAKEN)).distinct())
_PROGRESS = Statement(
    JobRow.update(assignments([JobRow.progress])).where(
        (JobRow.key == given("key")) & JobRow.state.in_(_TAKEN) & (JobRow.holder == given("me", JobRow.holder))
    )
)
_CANCEL = _move([JobState.PENDING], JobState.CANCELLED, JobRow.reason, only=JobRow.open_since.is_null())
_RESCHEDULE = _move([JobState.PENDING], JobState.PENDING, JobRow.due)
_SENDING = _move([JobState.RUNNING], JobState.SENDING, JobRow.open_since)
_DONE = _move(_TAKEN, JobState.DONE)
_DEAD = _move(_TAKEN, JobState.DEAD, JobRow.reason)
_WITHDRAWN = _move(_TAKEN, JobState.CANCELLED, JobRow.reason)
_IN_DOUBT = _move(_TAKEN, JobState.IN_DOUBT, JobRow.reason)
_REWRITE = Statement(JobRow.update(assignments([JobRow.payload])).where(JobRow.key == given("key")))
_LATER = (JobRow.due, JobRow.attempts, JobRow.reason)
_RETRY = _move(_TAKEN, JobState.PENDING, *_LATER)
_ATTEMPTED = _move(_TAKEN, JobState.PENDING, *_LATER, JobRow.open_since)
_REQUEUE = _move([JobState.IN_DOUBT], JobState.PENDING, *_LATER, JobRow.open_since)


@cache
def _take(count: int) -> Statement:
    """Of so many jobs, named by `id0`, `id1`, …, those that are still to be had."""
    ids = JobRow.id.in_([given(f"id{n}") for n in range(count)])
    taken = JobRow.update({JobRow.state: JobState.RUNNING, **assignments([JobRow.holder])})
    return Statement(taken.where(ids & (JobRow.state == _PENDING) & (JobRow.due <= given("now"))).returning(JobRow.id))


@cache
def _claimable_of(kinds: frozenset[JobKind]) -> Statement:
    some = _CLAIMABLE if kinds == ALL_KINDS else _CLAIMABLE.where(JobRow.kind.in_(sorted(kinds)))
    return Statement(some, locking=True)


@dataclass(frozen=True)
class ClaimedJob:
    """A job that this process works on."""

    job: Job
    id: int
    progress: int
    """How many parts went out before."""
    open_since: datetime | None = None
    """Since when the next part may be out, as nobody knows what became of an attempt."""


class JobTable:
    """`core.ports.JobRepository`, and what the runner needs. A change answers whether there was anything to change."""

    def __init__(self, db: Database, me: str, news: News) -> None:
        """`me`: the name of this process, under which it holds what it claims."""
        self._db = db
        self._me = me
        self._news = news

    def add(self, job: Job) -> bool:
        """False when the key is there already: the same cause twice is one job."""
        return self._told(_ADD.write(self._db, **dict(job)))

    def get(self, key: str) -> Job | None:
        """The job in whatever state it is, or None."""
        row = _GET.row(self._db, key=key)
        return job_of(row) if row else None

    def waiting(self, concern_id: ConcernId) -> tuple[Job, ...]:
        """Pending jobs of a concern, the first due first."""
        return tuple(map(job_of, _WAITING.rows(self._db, concern_id=concern_id)))

    def cancel(self, key: str, reason: str) -> bool:
        """True when it was pending; one that is being sent, or may be out, is not called back."""
        return bool(_CANCEL.write(self._db, me=self._me, of_key=key, reason=reason))

    def reschedule(self, key: str, due: datetime) -> bool:
        """Move a pending job; false when it isn't pending any more."""
        return self._told(_RESCHEDULE.write(self._db, me=self._me, of_key=key, due=due))

    # --- the runner's ---

    def claim(
        self, now: datetime, limit: int, kinds: frozenset[JobKind] = ALL_KINDS, busy: Collection[str] = ()
    ) -> builtins.list[ClaimedJob]:
        """Take pending jobs of these kinds that are due, the longest overdue first, `limit` at most.

        Of each lane its first, and none while another of the lane, or a fact of that conversation, is taken; nor of the
        lanes in `busy`, in which work of this process is just ending.
        """
        # One row a lane, so this many hold enough that are not busy.
        rows = _claimable_of(kinds).rows(self._db, now=now, limit=limit + len(busy))
        claimed = (ClaimedJob(job_of(row[3:]), row[0], row[1], moment(row[2])) for row in rows)
        free = [c for c in claimed if c.job.lane not in busy]
        wanted = {f"id{n}": c.id for n, c in enumerate(free[:limit])}
        # In another process somebody may have cancelled or moved one since it was read.
        taken = set(_take(len(wanted)).rows(self._db, **wanted, now=now, holder=self._me)) if wanted else set()
        return [c for c in free[:limit] if (c.id,) in taken]

    def sending(self, key: str, since: datetime | None = None) -> bool:
        """From here on a crash leaves it in doubt: it may be out since then."""
        return bool(_SENDING.write(self._db, me=self._me, of_key=key, open_since=since))

    def open_since(self, key: str) -> datetime | None:
        """Since when a job may be out that was being sent."""
        return moment(_OPEN_SINCE.value(self._db, key=key))

    def progress(self, key: str, parts: int) -> bool:
        """So many parts are out."""
        return bool(_PROGRESS.write(self._db, me=self._me, key=key, progress=parts))

    def progress_of(self, key: str) -> int:
        """How many parts are out; 0 for a job that is not there."""
        return _PROGRESS_OF.value(self._db, key=key) or 0

    def done(self, key: str) -> bool:
        """It is finished."""
        return self._told(_DONE.write(self._db, me=self._me, of_key=key))

    def rewrite(self, key: str, payload: str) -> None:
        """Change what is kept of a job that is over."""
        _REWRITE.write(self._db, key=key, payload=payload)

    def retry(self, key: str, due: datetime, attempts: int, reason: str) -> bool:
        """Back to the queue, by whoever works on it."""
        return self._told(_RETRY.write(self._db, me=self._me, of_key=key, due=due, attempts=attempts, reason=reason))

    def attempted(self, key: str, due: datetime, attempts: int, reason: str, open_since: datetime | None) -> bool:
        """The same after an attempt; `open_since`: since when it may be out all the same."""
        later = {"due": due, "attempts": attempts, "reason": reason, "open_since": open_since}
        return self._told(_ATTEMPTED.write(self._db, me=self._me, of_key=key, **later))

    def requeue(self, key: str, due: datetime, attempts: int, reason: str, open_since: datetime | None = None) -> bool:
        """One in doubt goes back to the queue: its rest is to leave, or it is to be sent once more.

        `open_since`: since when it may be out, where the channel is to tell whether it is.
        """
        later = {"due": due, "attempts": attempts, "reason": reason, "open_since": open_since}
        return self._told(_REQUEUE.write(self._db, me=self._me, of_key=key, **later))

    def dead(self, key: str, reason: str) -> bool:
        """It failed for good."""
        return self._told(_DEAD.write(self._db, me=self._me, of_key=key, reason=reason))

    def in_doubt(self, key: str, reason: str) -> bool:
        """It may or may not have arrived."""
        return self._told(_IN_DOUBT.write(self._db, me=self._me, of_key=key, reason=reason))

    def withdrawn(self, key: str, reason: str) -> bool:
        """The state was looked at again and the job is not wanted any more."""
        return self._told(_WITHDRAWN.write(self._db, me=self._me, of_key=key, reason=reason))

    def next_due(self) -> datetime | None:
        """When the first pending job is due."""
        return moment(_NEXT_DUE.value(self._db))

    def holders(self) -> frozenset[str]:
        """The processes that hold any."""
        return frozenset(str(name) for (name,) in _HOLDERS.rows(self._db))

    def release(self, holder: str, besides: Collection[int] = (), unsent: Collection[int] = ()) -> builtins.list[Job]:
        """Take from a process what it holds: `running` is pending again, `sending` in doubt; returns the latter.

        `besides`: ids of jobs on which it still works; `unsent`: of those that it is sure not to have handed over.
        """
        theirs = JobRow.state.in_(_TAKEN) & (JobRow.holder == holder)
        if besides:
            theirs &= JobRow.id.not_in(sorted(besides))
        back = JobRow.update({JobRow.state: JobState.PENDING, JobRow.holder: None})
        idle = JobRow.state == JobState.RUNNING
        if unsent:
            idle |= JobRow.id.in_(sorted(unsent))
        Statement(back.where(theirs & idle)).write(self._db)
        doubtful = JobRow.update({JobRow.state: JobState.IN_DOUBT, JobRow.reason: LEFT_SENDING, JobRow.holder: None})
        left = doubtful.where(theirs & (JobRow.state == JobState.SENDING))
        rows = Statement(left.returning(JobRow.id, *OF_JOB)).rows(self._db)
        self._news.work()
        return [job_of(row[1:]) for row in sorted(rows)]

    def list(self, states: Collection[JobState], limit: int) -> tuple[Job, ...]:
        """Jobs in these states, the first due first."""
        wanted = SQL(f"({', '.join(repr(state.value) for state in sorted(states))})")
        return tuple(map(job_of, Statement(_jobs().where(JobRow.state.in_(wanted)).limit(limit)).rows(self._db)))

    def sending_to(self, person_id: PersonId) -> tuple[Job, ...]:
        """Jobs for a person that are with a channel right now."""
        return tuple(map(job_of, _SENDING_TO.rows(self._db, person_id=person_id)))

    def pending_to(self, person_id: PersonId) -> tuple[Job, ...]:
        """Pending jobs that are for a person, the first due first."""
        return tuple(map(job_of, _PENDING_TO.rows(self._db, person_id=person_id)))

    def set_back(self, span: timedelta, until: datetime) -> None:
        """The clock was set back by `span`: what was due before `until` stays due, and retries wait no longer."""
        wait = (JobRow.due <= until) | (JobRow.attempts > 0) | JobRow.reason.is_null(False)
        earlier = JobRow.update({JobRow.due: SQL(f"due - {span // MICROSECOND}")})
        Statement(earlier.where((JobRow.state == _PENDING) & wait)).write(self._db)

    def _told(self, changed: int) -> bool:
        """A change of which the other processes hear: there is work, or a lane is free."""
        if changed:
            self._news.work()
        return bool(changed)


def job_of(row: Row) -> Job:
    """A row of the columns `OF_JOB`."""
    key, kind, lane, due, payload, concern_id, person_id, state, attempts, reason = row
    return Job(
        key=key,
        kind=kind,
        lane=lane,
        due=moment(due),
        payload=payload,
        concern_id=concern_id,
        person_id=person_id,
        state=state,
        attempts=attempts,
        reason=reason,
    )
