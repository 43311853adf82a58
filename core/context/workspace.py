"""The context workspace: short-lived blocks that a later message takes up, such as an action waiting for a yes.

Each block has an owner, a time of creation and an expiry, and is cleared once it is taken up. They are rows, so a
restart keeps them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from core.ids import ConversationId, PersonId


class BlockKind(StrEnum):
    """What a block is for."""

    PENDING_ACTION_INTENTIONS = "pending_action_intentions"
    """A goal was found but could not be made an action yet: something was asked back; content: `Intention`."""
    ACTIONS_NEED_CONFIRMATION = "actions_need_confirmation"
    """An action that waits for a yes; content: tendency, words, result (`EvaluatorResult`), or `follow_up` beside."""
    COMMUNICATION = "communication"
    """What the conversation must bear in mind when it answers next; content: `CommunicationBlockContent`."""
    ACTION_STATES = "action_states"
    """A run of an action: its stages and how far each step is; content: `core.action.run.ActionRun`."""
    DEEP_TASK = "deep_task"
    """A deep task: its goal and the steps taken; content: `core.action.task.DeepTaskState`."""
    WHICH_CONCERN = "which_concern"
    """A delegate was asked which of several matters their message is about; content: fact_id, concern_ids."""
    WHICH_ACTION = "which_action"
    """The sender was asked which of several pending actions a yes, a no or a change is for; content: `WhichAction`."""
    SIGNAL_ASKED = "signal_asked"
    """The sender was asked whether a trouble is to be followed up: the same is not asked again; `summary` says what."""


class Intention(BaseModel):
    """A goal without what makes it an action: `missing` names what was asked back."""

    model_config = ConfigDict(frozen=True)

    tendency: str
    words: str
    missing: Literal["who", "what", "when", "which"] | None = None
    past: bool = False
    """when: the time that was named had gone by, and is to be replaced."""
    result: dict[str, Any] | None = None
    """The evaluated result where there is one: only somebody to reach is missing then."""


class FollowUp(BaseModel):
    """A question whether to follow a trouble up, in the content of an action that waits: it was nobody's order.

    `title`: the open matter that it belongs to. Without a yes it lapses, and nobody is told.
    """

    model_config = ConfigDict(frozen=True)

    what: str
    title: str | None = None
    key: str
    """The meta-action that a yes runs, with its parameters; nobody to ask among them: that is asked then."""
    parameters: dict[str, Any]


class CommunicationBlockContent(BaseModel):
    """A hint for the conversation: an action waits for a yes, was to be changed, lapsed, or was refused."""

    model_config = ConfigDict(frozen=True)

    about: str
    """The block that it goes with."""
    hint: Literal["awaiting", "amending", "lapsed", "refused"]
    summary: str
    denied: bool = False
    """lapsed: the sender said no, it did not run out of time."""


class WhichAction(BaseModel):
    """What the sender said of one of several pending actions, until it is known of which."""

    model_config = ConfigDict(frozen=True)

    verb: Literal["confirm", "deny", "amend"]
    text: str
    block_ids: tuple[str, ...]
    or_another: bool = False
    """amend: it may as well be an order of its own, about another matter."""


class Block(BaseModel):
    """One block: whose it is, in which chat, since when and until when. Taken up once, then gone."""

    model_config = ConfigDict(frozen=True)

    block_id: str
    kind: BlockKind
    owner: PersonId
    conversation: ConversationId
    content: dict[str, Any]
    """JSON; the kind's own fields."""
    summary: str = ""
    """One line for people."""
    message_id: str | None = None
    """The owner's message that it comes from, which an edit or a recall names."""
    created_at: datetime
    expires_at: datetime


def follow_up_of(block: Block) -> FollowUp | None:
    """What a waiting action would follow up; None for one that somebody ordered."""
    asked = block.content.get("follow_up")
    return FollowUp.model_validate(asked) if asked is not None else None


def hint_of(block: Block) -> CommunicationBlockContent:
    """What a communication block says."""
    return CommunicationBlockContent.model_validate(block.content)


def hint_about(block: Block, hint: Literal["awaiting", "amending"], now: datetime) -> Block:
    """The communication block that goes with an action that waits: as long as the action waits, it is there too."""
    content = CommunicationBlockContent(about=block.block_id, hint=hint, summary=block.summary)
    return _communication(block, content).model_copy(update={"created_at": now})


def hint_lapsed(block: Block, until: datetime, *, denied: bool = False) -> Block:
    """The same once the action is over without having been done: kept for a while, for a yes that comes too late."""
    content = CommunicationBlockContent(about=block.block_id, hint="lapsed", summary=block.summary, denied=denied)
    return _communication(block, content).model_copy(update={"expires_at": until})


def companion_id(block_id: str) -> str:
    """The id of the communication block that goes with a block."""
    return f"{block_id}:hint"


def hinted(blocks: Iterable[Block], hint: str) -> tuple[Block, ...]:
    """The communication blocks with this hint, in their order."""
    return tuple(b for b in blocks if b.kind is BlockKind.COMMUNICATION and b.content.get("hint") == hint)


def _communication(block: Block, content: CommunicationBlockContent) -> Block:
    return block.model_copy(
        update={
            "block_id": companion_id(block.block_id),
            "kind": BlockKind.COMMUNICATION,
            "content": content.model_dump(mode="json"),
        }
    )
