"""Which of several pending actions is meant by a yes, a no or a change: by words, by a question back, by the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.brain.rules.waiting.picking import both_name_a_sum, means_all, means_another, means_this, number_of
from core.brain.rules.words.text import shared
from core.context.workspace import Block, BlockKind, WhichAction
from core.effects import Button, Send, Words
from core.hub.commit import apply
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.turn import Turn, place_of
from core.ports import Repositories

ALL, ANOTHER = "all", "another"
"""Choices beside the numbers."""


def told_apart(text: str, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Those of `blocks` that are meant: all of them where the words say so, else the one with which most is shared; of
    those alike the only one that holds a sum, where the words name one.

    More than one and not all said: it cannot be told.
    """
    if len(blocks) < 2 or means_all(text, len(blocks)):
        return tuple(blocks)
    points = {b.block_id: shared(text, b.summary) for b in blocks}
    best = max(points.values())
    alike = tuple(b for b in blocks if points[b.block_id] == best)
    sums = tuple(b for b in alike if both_name_a_sum(text, b.summary))
    return sums if len(sums) == 1 else alike


def ask_which_action(turn: Turn, services: Services, blocks: Sequence[Block], verb: str, text: str) -> Outcome:
    """Ask which one. What was said (`text`) is kept, so that the answer need not say it again."""
    block = _kept(turn, services, blocks, verb, text)
    rows = [_row(block, b.summary, str(n)) for n, b in enumerate(blocks)]
    if verb != "amend":
        rows.append((Button(label=Words(template="buttons/every"), data=f"act:{block.block_id}:{ALL}"),))
    titles = [b.summary for b in blocks]
    said = turn.reply(services.clock.now(), "chat/which_action", buttons=tuple(rows), titles=titles, verb=verb)
    return Outcome(verb, "unclear which action: asked", _asking(turn, block, said))


def ask_if_another(turn: Turn, services: Services, blocks: Sequence[Block], text: str) -> Outcome:
    """Ask whether `text` changes one of `blocks` or is about another matter. Nothing is done before that."""
    block = _kept(turn, services, blocks, "amend", text, or_another=True)
    titles = [b.summary for b in blocks]
    this = Button(label=Words(template="buttons/this_one"), data=f"act:{block.block_id}:0")
    rows = [(this,)] if len(blocks) == 1 else [_row(block, t, str(n)) for n, t in enumerate(titles)]
    rows.append((Button(label=Words(template="buttons/another"), data=f"act:{block.block_id}:{ANOTHER}"),))
    said = turn.reply(services.clock.now(), "chat/this_or_another", buttons=tuple(rows), titles=titles, text=text)
    return Outcome("amend", "a change or another order: asked", _asking(turn, block, said), asked=True)


def _row(block: Block, title: str, choice: str) -> tuple[Button, ...]:
    return (Button(label=Words(text=title[:60]), data=f"act:{block.block_id}:{choice}"),)


def _kept(
    turn: Turn, services: Services, blocks: Sequence[Block], verb: str, text: str, *, or_another: bool = False
) -> Block:
    which = {"verb": verb, "text": text, "block_ids": [b.block_id for b in blocks], "or_another": or_another}
    return Block(
        block_id=services.ids.token(),
        kind=BlockKind.WHICH_ACTION,
        owner=turn.sender.person_id,
        conversation=turn.fact.conversation,
        content=WhichAction.model_validate(which).model_dump(mode="json"),
        summary=text[:60],
        created_at=services.clock.now(),
        expires_at=max(b.expires_at for b in blocks),
    )


def _asking(turn: Turn, block: Block, said: Send) -> Callable[[Repositories], None]:
    def keep(repos: Repositories) -> None:
        for old in repos.blocks.of(turn.sender.person_id, BlockKind.WHICH_ACTION):
            repos.blocks.take(old.block_id)
        repos.blocks.add(block)
        apply(repos, said)

    return keep


def asked_block(turn: Turn, block_id: str | None = None) -> Block | None:
    """The open question which action is meant: the one of a button, or the latest of this chat."""
    asked = [b for b in turn.pending if b.kind is BlockKind.WHICH_ACTION]
    if block_id is not None:
        return next((b for b in asked if b.block_id == block_id), None)
    return next((b for b in reversed(asked) if b.conversation == turn.fact.conversation), None)


def answered(turn: Turn, asked: Block, choice: str | None = None) -> tuple[WhichAction, tuple[Block, ...] | None]:
    """What was asked about and which actions the answer names (`choice`: a button's); empty when it names none, None
    when it says that another matter is meant.
    """
    which = WhichAction.model_validate(asked.content)
    waiting = {b.block_id: b for b in turn.pending if b.kind is BlockKind.ACTIONS_NEED_CONFIRMATION}
    blocks = [waiting[i] for i in which.block_ids if i in waiting]
    if which.or_another and (choice == ANOTHER or (choice is None and means_another(turn.text))):
        return which, None
    if choice == ALL:
        return which, tuple(blocks)
    if choice is not None:
        place = place_of(choice)
        wanted = which.block_ids[place] if place is not None and place < len(which.block_ids) else ""
        return which, tuple(b for b in blocks if b.block_id == wanted)
    if which.or_another and len(blocks) == 1 and means_this(turn.text):
        return which, tuple(blocks)
    places = number_of(turn.text, len(which.block_ids))
    return which, tuple(waiting[which.block_ids[n]] for n in places if which.block_ids[n] in waiting)
