"""Messages that may or may not have arrived: whoever asked for them hears of it in a line, and may decide."""

from __future__ import annotations

from datetime import datetime

from bot.commands.jobs import doubt_buttons
from bot.store.repositories import StoreRepositories
from core.effects import Outgoing, Purpose, Send, Words
from core.jobs import Job

_TOLD_OF = frozenset({Purpose.FIRST_CONTACT, Purpose.ASK_BACK, Purpose.ANSWER, Purpose.CORRECTION})
"""What somebody waits for without knowing it. After a chase there is another one anyway."""


def doubt_notice(repos: StoreRepositories, job: Job, message: Outgoing, now: datetime) -> Send | None:
    """A line to the initiator whose question may not have arrived; None where nobody needs to know."""
    concern = repos.concerns.get(message.concern_id) if message.concern_id else None
    entry = concern.person(message.to) if concern is not None and message.to else None
    number = repos.queue.number_of(job.key)
    if concern is None or entry is None or number is None or message.purpose not in _TOLD_OF:
        return None
    if concern.initiator_id in (None, message.to):
        return None
    notice = Outgoing(
        purpose=Purpose.NOTICE,
        to=concern.initiator_id,
        concern_id=concern.concern_id,
        words=Words(template="chat/in_doubt", values={"name": entry.display_name, "title": concern.title}),
        buttons=(doubt_buttons(number),),
    )
    return Send(key=f"doubt:{job.key}:{message.again}", due=now, message=notice)
