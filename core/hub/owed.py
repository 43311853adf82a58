"""What somebody is owed, called off: the record and the job that would deliver it go together (RULES 7).

It races with delivery, and one of the two wins: both hold the record first, then look at the job. Once the message is
with a channel it can't be called back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from core.action.task import TITLE_CHARS, shortened
from core.brain.questions import ConcernBrief
from core.callbacks import TASK_COMPLETION, Callback, job_key
from core.hub.errand import Scene
from core.ids import PersonId
from core.jobs import JobState
from core.people import INSPECTORS
from core.ports import Repositories

Fate = Literal["off", "out", "gone"]
"""Called off; with a channel already; delivered or called off before."""

CALLED_OFF = "called off"

MOST = 10_000
"""More never waits for one person."""


def owed_to(repos: Repositories, person_id: PersonId) -> tuple[Callback, ...]:
    """All that waits to be delivered to somebody, the first due first."""
    return repos.callbacks.list(person_id, limit=MOST)


def forgo(repos: Repositories, callback_id: str) -> Fate:
    """Let it go, unless it is on its way already."""
    if not repos.callbacks.hold(callback_id):
        return "gone"
    job = repos.jobs.get(job_key(callback_id))
    if job is not None and job.state is JobState.SENDING:
        return "out"
    repos.callbacks.remove(callback_id)
    # One that is claimed and not with a channel yet finds the record gone at its second look.
    repos.jobs.cancel(job_key(callback_id), CALLED_OFF)
    return "off"


def forgo_of(repos: Repositories, person_id: PersonId, origin: str) -> tuple[Callback, ...]:
    """Let all go that comes of a schedule or a task; those that are on their way already are returned."""
    return forgo_all(repos, (r for r in owed_to(repos, person_id) if r.origin == origin))


def forgo_all(repos: Repositories, records: Iterable[Callback]) -> tuple[Callback, ...]:
    """Let them go; those that are on their way already are returned."""
    return tuple(record for record in records if forgo(repos, record.id) == "out")


def drop_callback(scene: Scene, callback_id: str) -> bool:
    """Call one off for whose it is (the owner and admins: anybody's) and say so; false when there is none to call off.

    One that is on its way is not called off, and that is said.
    """
    record = scene.repos.callbacks.get(callback_id)
    if record is None or not (record.person_id == scene.sender.person_id or scene.sender.role in INSPECTORS):
        return False
    fate = forgo(scene.repos, callback_id)
    if fate == "gone":
        return False
    scene.answer("chat/callback_off", part=f"off:{callback_id}", title=title_of(record), out=fate == "out")
    return True


def title_of(record: Callback) -> str:
    """What it is about, in a line."""
    return shortened(" ".join((record.title or record.content).split()), TITLE_CHARS)


def callback_briefs(repos: Repositories, person_id: PersonId) -> tuple[ConcernBrief, ...]:
    """What waits to be delivered to somebody, as something that they can ask about and call off."""
    return tuple(map(_brief, repos.callbacks.list(person_id)))


def _brief(record: Callback) -> ConcernBrief:
    return ConcernBrief(
        concern_id=record.id,
        kind="task" if record.trigger_source == TASK_COMPLETION else "schedule",
        title=title_of(record),
        goal=title_of(record),
        status="in_progress",
        next_at=record.fire_at,
    )
