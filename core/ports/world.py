"""The world outside: time, identifiers, texts, channels."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict

from core.facts import Fact


class Clock(Protocol):
    """The only source of the present."""

    def now(self) -> datetime:
        """An aware moment."""
        ...


class Ids(Protocol):
    """The only source of unguessable identifiers."""

    def token(self) -> str:
        """At least 60 bits, URL-safe, at most 16 characters."""
        ...


class Renderer(Protocol):
    """Turns a template and its values into words."""

    def render(self, template: str, language: str, *, now: datetime, timezone: str, **values: Any) -> str:
        """Text of `templates/{language}/{template}.j2`; raises on a missing template or value.

        Filters: `moment` (ISO string → as people say it, in `timezone`, relative to `now`), `date`, `duration`
        (seconds), `exactly` (day, weekday and time, absolute), `schedule` (a trigger's fields → when it runs),
        `names` (list → "张三、李四和王五" / "A, B and C").
        """
        ...


class ChannelButton(BaseModel):
    """A button with its label in words."""

    model_config = ConfigDict(frozen=True)

    label: str
    data: str


class ChannelMessage(BaseModel):
    """One message, small enough for the channel (`Channel.parts`)."""

    model_config = ConfigDict(frozen=True)

    key: str
    """Same job and part give the same key: channels that know idempotence pass it on."""
    chat: str
    text: str
    buttons: tuple[tuple[ChannelButton, ...], ...] = ()
    quote: str | None = None
    silent: bool = False
    attachments: tuple[tuple[str, str], ...] = ()
    """(kind, ref) of attachments to hand on."""


class Receipt(BaseModel):
    """The channel took it."""

    model_config = ConfigDict(frozen=True)

    channel: str
    chat: str
    message_id: str


Emit = Callable[[Fact], Awaitable[bool]]
"""Stores a fact; true when it is new. Only after it returned may the channel acknowledge."""


class Channel(Protocol):
    """A way in and out. `run` ends when cancelled; `send` raises a `DeliveryError` of one of three kinds."""

    @property
    def name(self) -> str:
        """`telegram`, `feishu`, `console` …"""
        ...

    async def run(self, emit: Emit) -> None:
        """Take events in until cancelled."""
        ...

    async def send(self, message: ChannelMessage) -> Receipt:
        """Deliver one part. Raises `TransientDeliveryError`, `PermanentDeliveryError`, `UnknownDeliveryError`."""
        ...

    def parts(self, text: str) -> list[str]:
        """The text in pieces that the channel takes; joined they are the text."""
        ...

    async def settle_button(self, fact: Fact, note: str | None) -> None:
        """The press was handled: take the buttons off (or answer the press) so that it can't be pressed twice."""
        ...


@runtime_checkable
class Pacing(Protocol):
    """A channel that keeps to a pace, and must not forget it when the program starts again."""

    def remember(self, sent: Iterable[tuple[str, datetime]], blocked: Iterable[tuple[str, datetime]]) -> None:
        """Before anything is sent: what went out lately (chat and moment, the oldest first), and chats that want
        nothing until a moment."""
        ...

    def only_while(self, allowed: Callable[[], bool]) -> None:
        """Ask `allowed` right before each request, also of a message that has waited long: where it says no, `send`
        raises `Paced`. A process that was frozen must not go on where another has taken its place."""
        ...

    async def pause(self, chat: str) -> None:
        """Until a message to this chat may leave, as things are now. Raises `Paced` when that takes long."""
        ...


@runtime_checkable
class Repeating(Protocol):
    """A channel that knows a message again by its key: sent once more, it is still one."""

    @property
    def idempotent_for(self) -> timedelta:
        """How long after the first attempt the last one may be."""
        ...


class Archive(Protocol):
    """What was said on one channel, as it is kept."""

    async def received(self, message_id: str) -> Fact | None:
        """The message of that id, in whatever chat."""
        ...

    async def sent(self, chat: str, message_id: str) -> str | None:
        """The words of a message of ours."""
        ...


@runtime_checkable
class Consulting(Protocol):
    """A channel that must look up what its platform does not tell."""

    def consult(self, archive: Archive) -> None:
        """Before `run`."""
        ...


@runtime_checkable
class Inviting(Protocol):
    """A channel to which an invite can be handed on as a link."""

    def invite_link(self, code: str) -> str | None:
        """The link that brings the code to the bot; None while the channel does not know its own name."""
        ...
