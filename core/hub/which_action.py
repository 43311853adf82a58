"""Which of several pending actions is meant by a yes, a no or a change: by words, by a question back, by the answer."""

from __future__ import annotations

from collections.abc import Sequence

from core.brain.rules.picking import number_of
from core.brain.rules.text import shared
from core.context.workspace import Block, BlockKind, WhichAction
from core.effects import Button, Words
from core.hub.commit import apply
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.turn import Turn
from core.ports import Repositories

ALL = "all"


def told_apart(text: str, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Those of `blocks` that are meant: all of them where the words say so, else the one with which most is shared.

    More than one and not all said: it cannot be told.
    """
    if len(blocks) < 2 or len(number_of(text, len(blocks))) == len(blocks):
        return tuple(blocks)
    points = {b.block_id: shared(text, b.summary) for b in blocks}
    best = max(points.values())
    return tuple(b for b in blocks if points[b.block_id] == best)


def ask_which_action(turn: Turn, services: Services, blocks: Sequence[Block], verb: str) -> Outcome:
    """Ask which one. What was said is kept, so that the answer need not say it again."""
    now = services.clock.now()
    block = Block(
        block_id=services.ids.token(),
        kind=BlockKind.WHICH_ACTION,
        owner=turn.sender.person_id,
        conversation=turn.fact.conversation,
        content=WhichAction.model_validate(
            {"verb": verb, "text": turn.text, "block_ids": [b.block_id for b in blocks]}
        ).model_dump(mode="json"),
        summary=turn.text[:60],
        created_at=now,
        expires_at=max(b.expires_at for b in blocks),
    )
    titles = [b.summary for b in blocks]
    rows = tuple((Button(label=Words(text=t[:60]), data=f"act:{block.block_id}:{n}"),) for n, t in enumerate(titles))
    everything = (Button(label=Words(template="buttons/every"), data=f"act:{block.block_id}:{ALL}"),)
    rows = rows if verb == "amend" else (*rows, everything)
    said = turn.reply(now, "chat/which_action", buttons=rows, titles=titles, verb=verb)

    def keep(repos: Repositories) -> None:
        for old in repos.blocks.of(turn.sender.person_id, BlockKind.WHICH_ACTION):
            repos.blocks.take(old.block_id)
        repos.blocks.add(block)
        apply(repos, said)

    return Outcome(verb, "unclear which action: asked", keep)


def asked_block(turn: Turn, block_id: str | None = None) -> Block | None:
    """The open question which action is meant: the one of a button, or the latest of this chat."""
    asked = [b for b in turn.pending if b.kind is BlockKind.WHICH_ACTION]
    if block_id is not None:
        return next((b for b in asked if b.block_id == block_id), None)
    return next((b for b in reversed(asked) if b.conversation == turn.fact.conversation), None)


def answered(turn: Turn, asked: Block, choice: str | None = None) -> tuple[WhichAction, tuple[Block, ...]]:
    """What was asked about and which actions the answer names (`choice`: a button's); none when it names none."""
    which = WhichAction.model_validate(asked.content)
    waiting = {b.block_id: b for b in turn.pending if b.kind is BlockKind.ACTIONS_NEED_CONFIRMATION}
    blocks = [waiting[i] for i in which.block_ids if i in waiting]
    if choice == ALL:
        return which, tuple(blocks)
    if choice is not None:
        place = int(choice) if choice.isdigit() else -1
        wanted = which.block_ids[place] if 0 <= place < len(which.block_ids) else ""
        return which, tuple(b for b in blocks if b.block_id == wanted)
    places = number_of(turn.text, len(which.block_ids))
    return which, tuple(waiting[which.block_ids[n]] for n in places if which.block_ids[n] in waiting)
