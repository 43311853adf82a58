"""Where a delegate's words belong among the matters that are open with them, and what of them belongs to which."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from core.agenda.absence import brings
from core.brain.questions import Judgement, Match, MatchReply
from core.brain.rules.signals.bearing import bears_on, is_about_another
from core.brain.rules.words.text import squeezed
from core.concern.matching import just_asked
from core.concern.model import Concern, ConcernType
from core.concern.promised import is_promise
from core.concern.turn import end_of_work
from core.facts import FactKind
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.hub.views import delegate_brief
from core.ids import ConcernId, PersonId


@dataclass(frozen=True)
class Placed:
    """The matters that the words answer; with `unclear` those that they may be about. `parts`: each matter's own words,
    where they are not the whole.
    """

    concerns: tuple[Concern, ...]
    reason: str
    unclear: bool = False
    parts: Mapping[ConcernId, str] = field(default_factory=dict)


async def placed(
    turn: Turn, services: Services, brain: TurnBrain, judgement: Judgement, asked: tuple[Concern, ...]
) -> Placed:
    """Sort a reply. `asked`: the open matters that they may answer, at least one."""
    if len(asked) == 1:
        return Placed(asked, "the only matter, or the one they pointed at")
    by_id = {c.concern_id: c for c in asked}
    named = tuple(by_id[ConcernId(t)] for t in judgement.targets if t in by_id)
    if named:
        return Placed(named, judgement.reason or "judged")
    if len({c.title.casefold() for c in asked}) == 1:
        return Placed(asked, "one question of several people")
    me = turn.sender.person_id
    question = MatchReply(
        text=turn.text,
        now=services.local_now(turn.sender),
        candidates=tuple(delegate_brief(c, me) for c in asked),
        listed=turn.listed,
        just_asked=_just_asked(turn, asked),
    )
    match = await brain.ask(question)
    matched = tuple(by_id[ConcernId(i)] for i in match.concern_ids if i in by_id)
    if matched and not match.unclear:
        parts = await _parts(match, matched, question, services)
        if parts is not None:
            return Placed(matched, "matched by sense", parts=parts)
    waiting = still_waiting(matched or asked, me)
    if len(waiting) == 1:
        return Placed(waiting, "the only matter that still waits for them")
    return Placed(matched or asked, "unclear which matter", unclear=True)


def _just_asked(turn: Turn, asked: tuple[Concern, ...]) -> str:
    """The matter that plain words answer where they name none; what is changed or listed answers something else."""
    if turn.fact.kind is not FactKind.MESSAGE or turn.quoted is not None:
        return ""
    closed = turn.last_closed
    before = [line.at for line in turn.recent if not line.ours]
    if closed is not None:
        before += [e.ts for e in closed.dialogue_with(turn.sender.person_id) if e.direction == "inbound"]
    found = just_asked(asked, turn.sender.person_id, turn.fact.occurred_at, max(before, default=None))
    return found.concern_id if found is not None else ""


async def _parts(
    match: Match, matched: tuple[Concern, ...], question: MatchReply, services: Services
) -> Mapping[ConcernId, str] | None:
    """Each matter's own part; empty where the whole is for all of them. None where several people's matters are meant
    and nobody can tell whose the words are: then nothing of it may reach the wrong one.
    """
    ids = {c.concern_id for c in matched}
    if len(ids) == 1:
        return {}
    parts = _own(match.parts, question.text)
    if ids <= parts.keys():
        return {i: parts[i] for i in ids}
    ruled = await services.simple_brain.ask(question)
    parts = _own(ruled.parts, question.text)
    if ids <= parts.keys():
        return {i: parts[i] for i in ids}
    for_all = not ruled.unclear and not ruled.parts and ids <= set(map(ConcernId, ruled.concern_ids))
    return {} if for_all or len({c.initiator_id for c in matched}) == 1 else None


def _own(parts: Mapping[str, str], text: str) -> dict[ConcernId, str]:
    """Only words of the message, whatever a brain makes of them."""
    said = squeezed(text)
    return {ConcernId(i): part for i, part in parts.items() if _is_said(part, said)}


_BETWEEN = re.compile(r"[，,；;。.\n]+")


def _is_said(part: str, said: str) -> bool:
    pieces = [squeezed(p) for p in _BETWEEN.split(part)]
    return any(pieces) and all(p in said for p in pieces)


def is_another(turn: Turn, services: Services, asked: tuple[Concern, ...]) -> bool:
    """Whether words that point at nothing seem to be about none of these, so that whoever said them is asked."""
    if turn.fact.kind is not FactKind.MESSAGE or turn.quoted is not None or turn.attachments:
        return False
    if any(brings_it(turn, c) for c in asked):
        return False
    known = [f"{c.title} {c.goal} {c.source.detail}" for c in asked]
    askers = {turn.people[i].name for c in asked if (i := c.initiator_id) is not None and i in turn.people}
    return is_about_another(turn.fact.text, known, askers, services.when_said(turn.fact, turn.sender))


def still_waiting(concerns: tuple[Concern, ...], person_id: PersonId) -> tuple[Concern, ...]:
    """Those in which this person owes an answer."""
    return tuple(c for c in concerns if any(p.person_id == person_id and p.comm_status.is_owing for p in c.delegates))


def may_answer(turn: Turn, concern: Concern) -> bool:
    """Whether words that point at nothing may be for this matter: for what somebody waits for they may; what the bot
    asked of its own accord they must be about, else nobody would read them.
    """
    if not is_promise(concern) or brings_it(turn, concern):
        return True
    day_ends, said_at = end_of_work(turn.sender), turn.fact.occurred_at.astimezone(ZoneInfo(turn.sender.timezone))
    return bears_on(turn.fact.text, concern.title, concern.goal, said_at, day_ends)


def brings_it(turn: Turn, concern: Concern) -> bool:
    """Whether the message is what did not come by its time, or says that it has come."""
    missed = concern.type is ConcernType.ABSENCE_FOLLOWUP or is_promise(concern)
    return missed and turn.fact.kind is FactKind.MESSAGE and brings(turn.fact, concern.title, turn.sender.name)
