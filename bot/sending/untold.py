"""Reports that no channel takes: somebody hears that there was something to hear."""

from __future__ import annotations

from datetime import datetime

from bot.store.repositories import StoreRepositories
from core.concern.model import Concern
from core.effects import TO_INITIATORS, Outgoing, Purpose, Send, Words
from core.ids import PersonId
from core.jobs import Job

_OURS = "untold:"


def untold(repos: StoreRepositories, job: Job, message: Outgoing, now: datetime, *, reachable: bool) -> Send | None:
    """A line about a report that is lost; None where nobody can or need be told.

    `reachable`: it is this message that does not go out, not its reader who can't be reached. Then the reader hears
    that there is news; else the owner hears that the reader does not. An owner who is out of reach finds it in /jobs.
    """
    concern = repos.concerns.get(message.concern_id) if message.concern_id else None
    if concern is None or message.to is None or message.purpose not in TO_INITIATORS or job.key.startswith(_OURS):
        return None
    if reachable:
        return _line(job, message.to, concern, None, now)
    owner, reader = repos.people.owner(), repos.people.get(message.to)
    if owner is None or owner.person_id == message.to:
        return None
    return _line(job, owner.person_id, concern, reader.name if reader is not None else message.to, now)


def _line(job: Job, to: PersonId, concern: Concern, name: str | None, now: datetime) -> Send:
    values = {"title": concern.title, "name": name, "id": concern.concern_id}
    notice = Outgoing(
        purpose=Purpose.NOTICE,
        to=to,
        concern_id=concern.concern_id,
        words=Words(template="chat/untold", values=values),
    )
    return Send(key=f"{_OURS}{job.key}:{concern.concern_id}", due=now, message=notice)
