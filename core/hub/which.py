"""Which one? When words fit several matters, the sender is asked, by button or number, and what they said is kept.

Used for a delegate's reply, for a cancellation and for a decision. The block holds the words; it is taken up once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from core.concern.model import Concern
from core.context.workspace import Block, BlockKind
from core.effects import Button, Expire, Words
from core.hub.commit import apply
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.turn import Turn
from core.ids import ConcernId
from core.ports import Repositories

EXPIRY = timedelta(hours=12)
ALL = "all"


@dataclass(frozen=True)
class Choice:
    """What was chosen: the verb (`heard`, `cancel`, `decide`), the matters, and the words that waited."""

    verb: str
    concern_ids: tuple[ConcernId, ...]
    text: str
    message_id: str | None


def ask_which(turn: Turn, services: Services, concerns: tuple[Concern, ...], verb: str) -> Outcome:
    """Ask which of `concerns` is meant; a later question of the same kind replaces an earlier one."""
    now = services.clock.now()
    block = Block(
        block_id=services.ids.token(),
        kind=BlockKind.WHICH_CONCERN,
        owner=turn.sender.person_id,
        conversation=turn.fact.conversation,
        content={
            "verb": verb,
            "text": turn.text,
            "message_id": turn.fact.message_id,
            "concern_ids": [c.concern_id for c in concerns],
        },
        summary=turn.text[:60],
        created_at=now,
        expires_at=now + EXPIRY,
    )
    rows = tuple(
        (Button(label=Words(text=c.title[:60]), data=f"which:{block.block_id}:{n}"),) for n, c in enumerate(concerns)
    )
    if verb == "cancel":
        rows = (*rows, (Button(label=Words(template="buttons/all"), data=f"which:{block.block_id}:{ALL}"),))
    titles = [c.title for c in concerns]
    said = turn.reply(now, f"chat/which_{verb}", buttons=rows, block_id=block.block_id, titles=titles)

    def keep(repos: Repositories) -> None:
        for old in repos.blocks.of(turn.sender.person_id, BlockKind.WHICH_CONCERN):
            repos.blocks.take(old.block_id)
        repos.blocks.add(block)
        apply(repos, said)
        apply(repos, Expire(key=f"expire:{block.block_id}", due=block.expires_at, block_id=block.block_id))

    return Outcome("supplement" if verb == "heard" else verb, "unclear which matter: asked", keep)


def waiting_question(turn: Turn) -> tuple[Block, str] | None:
    """The open question and the choice, when the message is nothing but a number (or "all") that answers it."""
    block = next((b for b in turn.pending if b.kind is BlockKind.WHICH_CONCERN), None)
    said = turn.fact.text.strip().strip("。.!！")
    if block is None:
        return None
    if said in ("全部", "都是", "all"):
        return block, ALL
    return (block, str(int(said) - 1)) if said.isascii() and said.isdigit() and len(said) < 3 else None


def chosen(
    turn: Turn, services: Services, block: Block, choice: str, then: Callable[[Repositories, Choice], None]
) -> Outcome:
    """Take the block up and go on with what was chosen; a choice that is not there is said kindly."""
    ids = block.content["concern_ids"]
    picked = ids if choice == ALL else [ids[int(choice)]] if choice.isdigit() and int(choice) < len(ids) else []
    if not picked:
        sorry = turn.reply(services.clock.now(), "chat/no_such_choice", count=len(ids))
        return Outcome("ignore", "no such choice", lambda repos: apply(repos, sorry))
    wanted = Choice(
        verb=block.content["verb"],
        concern_ids=tuple(ConcernId(i) for i in picked),
        text=block.content["text"],
        message_id=block.content["message_id"],
    )
    late = turn.reply(services.clock.now(), "chat/stale_button")

    def keep(repos: Repositories) -> None:
        if repos.blocks.take(block.block_id) is None:
            apply(repos, late)
        else:
            then(repos, wanted)

    return Outcome("supplement", "said which matter", keep, wanted.concern_ids)
