"""Messages that may or may not have arrived: whoever asked for them hears of it in a line, and may decide."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from bot.commands.jobs import doubt_buttons
from bot.store.repositories import StoreRepositories
from core.concern import together
from core.effects import Outgoing, Purpose, Send, Words
from core.ids import PersonId
from core.jobs import Job

_TOLD_OF = frozenset({Purpose.FIRST_CONTACT, Purpose.ASK_BACK, Purpose.ANSWER, Purpose.CORRECTION})
"""What somebody waits for without knowing it. After a chase there is another one anyway."""


def _owner(repos: StoreRepositories) -> PersonId | None:
    """What nobody started is the owner's to hear of."""
    owner = repos.people.owner()
    return owner.person_id if owner is not None else None


def doubt_notices(repos: StoreRepositories, job: Job, message: Outgoing, now: datetime) -> Iterator[Send]:
    """A line to each whose question may not have arrived, of the matters that are theirs."""
    readers = set()
    for part in together.parts_of(message):
        notice = _doubt_notice(repos, job, part, now)
        if notice is not None and notice.message.to not in readers:
            readers.add(notice.message.to)
            yield notice


def _doubt_notice(repos: StoreRepositories, job: Job, message: Outgoing, now: datetime) -> Send | None:
    """A line to whoever hears of the matter, whose question may not have arrived; None where nobody needs to know."""
    concern = repos.concerns.get(message.concern_id) if message.concern_id else None
    entry = concern.person(message.to) if concern is not None and message.to else None
    number = repos.queue.number_of(job.key)
    if concern is None or entry is None or number is None or message.purpose not in _TOLD_OF:
        return None
    reader = concern.initiator_id or _owner(repos)
    if reader in (None, message.to):
        return None
    notice = Outgoing(
        purpose=Purpose.NOTICE,
        to=reader,
        concern_id=concern.concern_id,
        words=Words(template="chat/in_doubt", values={"name": entry.display_name, "title": concern.title}),
        buttons=(doubt_buttons(number),),
    )
    return Send(key=f"doubt:{job.key}:{message.again}:{reader}", due=now, message=notice)
