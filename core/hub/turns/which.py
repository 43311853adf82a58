"""Which one? When words fit several matters, the sender is asked, by button or number, and what they said is kept.

Used for a delegate's reply, a cancellation, a decision and a change. The block holds the words; it is taken up once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.brain.questions import ConcernBrief
from core.concern.model import Concern
from core.context.workspace import Block, BlockKind
from core.effects import Button, Expire, Outgoing, Purpose, Send, Words
from core.hub.commit import apply
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.turn import Attachments, Turn, place_of
from core.ids import ConcernId
from core.people import Role
from core.ports import Repositories

EXPIRY = timedelta(hours=12)
ALL = "all"
NONE = "none"
"""Of a delegate's words: it is about something else."""
MOST_SHOWN = 10
"""Matters that are offered by button; the number of any other counts as well."""


Asked = tuple[Concern | ConcernBrief, ...]


@dataclass(frozen=True)
class Choice:
    """What was chosen: the verb (`heard`, `cancel`, `decide`, `change`), the matters, and the words that waited."""

    verb: str
    concern_ids: tuple[ConcernId, ...]
    text: str
    message_id: str | None
    attachments: Attachments = ()


def ask_which(turn: Turn, services: Services, concerns: Asked, verb: str, *, or_none: bool = False) -> Outcome:
    """Ask which of `concerns` is meant; a later question of the same kind replaces an earlier one.

    What may be cancelled is not only matters. A delegate's words that wait are not lost: those of the earlier question
    join the new one, and an initiator reads them when no answer comes. `or_none`: it may well be about none of them.
    """
    now = services.clock.now()
    block_id = services.ids.token()
    rows = tuple(
        (Button(label=Words(text=c.title[:60]), data=f"which:{block_id}:{n}"),)
        for n, c in enumerate(concerns[:MOST_SHOWN])
    )
    if verb == "cancel" and len(rows) > 1:
        rows = (*rows, (Button(label=Words(template="buttons/all"), data=f"which:{block_id}:{ALL}"),))
    if or_none:
        rows = (*rows, (Button(label=Words(template="buttons/another_matter"), data=f"which:{block_id}:{NONE}"),))
    titles, left = [c.title for c in concerns[:MOST_SHOWN]], max(0, len(concerns) - MOST_SHOWN)
    said = turn.reply(
        now, f"chat/which_{verb}", buttons=rows, block_id=block_id, titles=titles, left=left, or_none=or_none
    )

    def keep(repos: Repositories) -> None:
        waited = _taken_up(repos, turn, verb)
        words = (*(old.content["text"] for old in waited), turn.text)
        files = (*(file for old in waited for file in old.content.get("attachments", ())), *turn.attachments)
        block = _question(turn, block_id, concerns, verb, "\n".join(words), files, now)
        repos.blocks.add(block)
        apply(repos, said)
        apply(repos, Expire(key=f"expire:{block_id}", due=block.expires_at, block_id=block_id))
        if verb == "heard":
            matters = tuple(c for c in concerns if isinstance(c, Concern))
            _tell_later(repos, turn, matters, words, _unclear(block_id), services)

    return Outcome("supplement" if verb == "heard" else verb, "unclear which matter: asked", keep, asked=True)


def _question(
    turn: Turn,
    block_id: str,
    concerns: Asked,
    verb: str,
    text: str,
    attachments: Attachments,
    now: datetime,
) -> Block:
    return Block(
        block_id=block_id,
        kind=BlockKind.WHICH_CONCERN,
        owner=turn.sender.person_id,
        conversation=turn.fact.conversation,
        content={
            "verb": verb,
            "text": text,
            "message_id": turn.fact.message_id,
            "attachments": [list(file) for file in attachments],
            "concern_ids": [c.concern_id for c in concerns],
        },
        summary=turn.text[:60],
        created_at=now,
        expires_at=now + EXPIRY,
    )


def _taken_up(repos: Repositories, turn: Turn, verb: str) -> tuple[Block, ...]:
    """Take the sender's earlier questions up; those for which a delegate's words waited."""
    waited: list[Block] = []
    for old in repos.blocks.of(turn.sender.person_id, BlockKind.WHICH_CONCERN):
        if repos.blocks.take(old.block_id) is not None and old.content["verb"] == verb == "heard":
            waited.append(old)
            _untold(repos, old)
    return tuple(waited)


def _tell_later(
    repos: Repositories, turn: Turn, concerns: tuple[Concern, ...], words: tuple[str, ...], key: str, services: Services
) -> None:
    """Without an answer the initiator reads the words; of several people's matters only the owner may read all."""
    initiators = {c.initiator_id for c in concerns}
    owner = next((p.person_id for p in turn.people.values() if p.role is Role.OWNER), None)
    initiator = initiators.pop() if len(initiators) == 1 else owner
    if initiator is None or initiator == turn.sender.person_id:
        return
    values = {"name": turn.sender.name, "text": "；".join(words), "titles": [c.title for c in concerns]}
    message = Outgoing(
        purpose=Purpose.NOTICE,
        to=initiator,
        words=Words(template="chat/unclear_reply", values=values),
        concern_id=concerns[0].concern_id,
    )
    due = services.clock.now() + services.limits.report.min_interval
    apply(repos, Send(key=key, due=due, message=message))


def _untold(repos: Repositories, block: Block) -> None:
    """The initiator need not hear any more that the words of this question could not be placed."""
    repos.jobs.cancel(_unclear(block.block_id), "the delegate spoke again")


def _unclear(block_id: str) -> str:
    return f"unclear:{block_id}"


def waiting_question(turn: Turn) -> tuple[Block, str] | None:
    """The open question and the choice, when the message is nothing but a number (or "all") that answers it."""
    here = (BlockKind.WHICH_CONCERN, turn.fact.conversation)
    block = next((b for b in turn.pending if (b.kind, b.conversation) == here), None)
    said = turn.fact.text.strip().strip("。.!！")
    if block is None or (turn.quoted is not None and turn.quoted.block_id != block.block_id):
        return None
    if said in ("全部", "都是", "all"):
        return block, ALL
    return (block, str(int(said) - 1)) if said.isascii() and said.isdigit() and len(said) < 3 else None


def place(block: Block, choice: str) -> str | None:
    """The id of the one that the choice names; None where it names none, or all."""
    ids: list[str] = block.content["concern_ids"]
    found = place_of(choice)
    return ids[found] if found is not None and found < len(ids) else None


def _about_none(turn: Turn, services: Services, block: Block, then: Callable[[Repositories, Choice], None]) -> Outcome:
    late = turn.reply(services.clock.now(), "chat/stale_button")
    files = tuple((ch, kind, ref) for ch, kind, ref in block.content.get("attachments", ()))
    wanted = Choice("heard", (), block.content["text"], block.content["message_id"], files)

    def keep(repos: Repositories) -> None:
        if repos.blocks.take(block.block_id) is None:
            apply(repos, late)
        else:
            _untold(repos, block)
            then(repos, wanted)

    return Outcome("relay", "about none of these", keep)


def chosen(
    turn: Turn, services: Services, block: Block, choice: str, then: Callable[[Repositories, Choice], None]
) -> Outcome:
    """Take the block up and go on with what was chosen; a choice that is not there is said kindly."""
    ids = block.content["concern_ids"]
    one = place(block, choice)
    if choice == NONE and block.content["verb"] == "heard":
        return _about_none(turn, services, block, then)
    picked = ids if choice == ALL and block.content["verb"] != "change" else [one] if one is not None else []
    if not picked:
        sorry = turn.reply(services.clock.now(), "chat/no_such_choice", count=len(ids))
        return Outcome("ignore", "no such choice", lambda repos: apply(repos, sorry))
    wanted = Choice(
        verb=block.content["verb"],
        concern_ids=tuple(ConcernId(i) for i in picked),
        text=block.content["text"],
        message_id=block.content["message_id"],
        attachments=tuple((ch, kind, ref) for ch, kind, ref in block.content.get("attachments", ())),
    )
    late = turn.reply(services.clock.now(), "chat/stale_button")

    def keep(repos: Repositories) -> None:
        if repos.blocks.take(block.block_id) is None:
            apply(repos, late)
        else:
            _untold(repos, block)
            then(repos, wanted)

    return Outcome("supplement", "said which matter", keep, wanted.concern_ids)
