"""What is handed to a channel, and what may become of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.sending.routes import Route
from core.effects import Outgoing
from core.errors import Shut
from core.ports import ChannelButton, SentMessage


@dataclass(frozen=True)
class Ready:
    """A message that may leave now, in words, with the chats to try."""

    message: Outgoing
    text: str
    buttons: tuple[tuple[ChannelButton, ...], ...]
    routes: tuple[Route, ...]
    silent: bool


@dataclass(frozen=True)
class Sent:
    """Taken by a channel, or perhaps (`in_doubt`): both count as sent."""

    route: Route
    message_id: str | None
    in_doubt: str | None = None
    at: datetime | None = None
    """When it was handed over; None: nothing was (left) to hand over. What answers it comes after that, even before
    the channel has confirmed."""
    part: int = 0


@dataclass(frozen=True)
class Failed:
    """Not delivered; `again` when trying later may help."""

    reason: str
    again: bool
    retry_after: timedelta | None = None
    tried: Route | None = None
    """Where it was refused for now; None where nothing was tried, as the chat's turn has not come."""
    message_only: bool = False
    """It is the message that was refused for good, and not its reader's chats."""
    shut: Shut | None = None
    """Why its reader's chats take nothing, where one of their channels said so."""
    outage: bool = False
    """The whole channel is out of reach."""
    open_since: datetime | None = None
    """Since when it may have arrived all the same; then it goes where it went."""


class NotKept(Exception):
    """A message may be out, and that could not be written down: its row stays `sending`, and it is not sent again."""


def kept(text: str, message: Outgoing) -> str:
    """A text as it is written down: words that are good once are blotted out."""
    for word in message.hidden:
        text = text.replace(word, "•••")
    return text


def receipt_of(key: str, part: int, message: Outgoing, text: str, sent: Sent, at: datetime) -> SentMessage:
    """What is kept of a message that went out."""
    return SentMessage(
        job_key=key,
        part=part,
        channel=sent.route.channel,
        chat=sent.route.chat,
        message_id=sent.message_id,
        purpose=message.purpose,
        to=message.to,
        concern_id=message.concern_id,
        decision_id=message.decision_id,
        block_id=message.block_id,
        text=kept(text, message),
        at=at,
        counted=message.counted and part == 0,
        concerns=tuple(p.concern_id for p in message.also if p.concern_id is not None),
        requests=1 + sum(channel == sent.route.channel for channel, _, _ in message.attachments),
    )
