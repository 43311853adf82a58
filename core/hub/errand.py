"""An errand: for whom an action runs, where they asked for it, and in which words. Plain data that can be kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from core.concern.additions import Origin
from core.concern.decision import Setting
from core.concern.model import Concern, Said
from core.effects import Button, Outgoing, Purpose, Send, Words
from core.hub.commit import apply
from core.hub.services import Services
from core.ids import ConcernId, ConversationId, PersonId
from core.people import INSPECTORS, Person
from core.ports import Repositories


class Errand(BaseModel):
    """Whose, from where, and the cause from which the keys of all that follows are derived."""

    model_config = ConfigDict(frozen=True)

    person_id: PersonId
    conversation: ConversationId
    channel: str
    channel_user_id: str
    message_id: str | None = None
    cause: str
    words: str
    """The sender's own: kept as the origin of what is raised."""
    parts: tuple[Said, ...] = ()
    """The messages in which they were said, where these are several."""
    said_at: datetime | None = None
    """When the words were said, where that may be earlier than now."""
    group: bool = False
    """Others read that chat too."""
    edited: bool = False
    """The words take the place of what stood in the same message before."""
    schedule_id: ConcernId | None = None
    """The schedule whose run it is."""
    meant_for: datetime | None = None
    """A schedule's run: when it was to be."""
    simple_mode: bool = False
    """The model failed and the rules stepped in: what is said must say so (RULES 4)."""


@dataclass(frozen=True)
class Scene:
    """What one step of an action may touch: the open transaction, the directory, the errand, and a key of its own."""

    repos: Repositories
    services: Services
    people: Mapping[PersonId, Person]
    errand: Errand
    key: str
    """Unique for this step of this run; rows that the step makes derive their keys from it."""
    now: datetime = field(kw_only=True)

    @property
    def sender(self) -> Person:
        """Whose errand it is."""
        return self.people[self.errand.person_id]

    @property
    def setting(self) -> Setting:
        """The setting of a decision made now."""
        return self.services.setting(self.people)

    @property
    def origin(self) -> Origin:
        """The message that it comes from."""
        return Origin(self.errand.message_id, self.errand.conversation)

    def may_steer(self, concern: Concern) -> bool:
        """The initiator, the owner and admins may; nobody else."""
        return may_steer(self.sender, concern)

    def answer(
        self,
        template: str,
        *,
        part: str = "said",
        buttons: tuple[tuple[Button, ...], ...] = (),
        lines: tuple[Words, ...] = (),
        **values: Any,
    ) -> None:
        """Say something to whose errand it is, in the chat where they asked."""
        words = Words(template=template, values=values, lines=lines)
        apply(self.repos, answer(self.errand, self.now, words, key=f"{part}:{self.key}", buttons=buttons))


@dataclass(frozen=True)
class Done:
    """What became of a step. `problem` says in a template's words why it could not be done; None: it is done."""

    problem: Words | None = None

    @property
    def ok(self) -> bool:
        """Whether it is done."""
        return self.problem is None


DONE = Done()


def failed(template: str, **values: Any) -> Done:
    """A step that could not be done, with the reason in words for whose errand it is."""
    return Done(Words(template=template, values=values))


def answer(
    errand: Errand,
    now: datetime,
    words: Words,
    *,
    key: str,
    buttons: tuple[tuple[Button, ...], ...] = (),
    block_id: str | None = None,
) -> Send:
    """A message into the chat that the errand came from; it answers the person's own words, so it passes freely."""
    message = Outgoing(
        purpose=Purpose.REPLY,
        to=errand.person_id,
        conversation=errand.conversation,
        words=words,
        buttons=buttons,
        block_id=block_id,
        answers=True,
    )
    return Send(key=key, due=now, message=message)


def may_steer(person: Person, concern: Concern) -> bool:
    """The initiator, the owner and admins may; nobody else."""
    return person.role in INSPECTORS or concern.initiator_id == person.person_id
