"""The morning brief: /brief tells when it comes, /brief 8:30 sets the time, /brief off ends it."""

from __future__ import annotations

import re
from datetime import datetime

from bot.commands.request import Reply, Request, usage
from core.agenda.briefing import clock_of, day_of, end_of_day, next_brief
from core.agenda.model import MorningBrief, brief_id
from core.timetalk import TimeKind, parse

_OFF = frozenset({"off", "stop", "no", "none", "关", "关掉", "关闭", "停", "停掉", "不要", "不要了", "取消"})
_DAILY = re.compile(r"^(?:at|every (?:morning|day) at|每天|每个工作日|工作日)\s*", re.IGNORECASE)
_HOUR = re.compile(r"\d{1,2}", re.ASCII)


def brief(request: Request) -> Reply:
    """Of the sender's own; on the mornings of their working days."""
    agenda, me = request.repos.agenda, request.sender.person_id
    words, now = request.words.casefold(), request.now
    known = agenda.brief(me)
    if not words:
        return _reply("state", known)
    if words in _OFF:
        agenda.take(brief_id(me))
        request.did("off")
        return _reply("off", None)
    clock = _morning(_DAILY.sub("", words), now)
    if clock is None:
        return usage(request, "clock")
    # Of one day there is one brief: where today's is out, the new time begins with the next.
    told = known is not None and known.told_on == day_of(request.sender, now)
    after = end_of_day(request.sender, now) if told else now
    wanted = MorningBrief(
        owner=me,
        at=clock,
        created_at=known.created_at if known else now,
        since=known.since if known else now,
        next_at=next_brief(clock, request.sender, after),
        told_on=known.told_on if known else None,
    )
    agenda.put_brief(wanted)
    request.did(clock)
    return _reply("on", wanted)


def _reply(outcome: str, known: MorningBrief | None) -> Reply:
    values = {
        "outcome": outcome,
        "at": known.at if known else None,
        "next": known.next_at.isoformat() if known else None,
    }
    return Reply("commands/brief", values)


def _morning(words: str, now: datetime) -> str | None:
    """The time of day that the words, and nothing but them, name: one of a morning."""
    if _HOUR.fullmatch(words):
        return clock_of(int(words), 0)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    found = parse(words, midnight)
    if len(found) != 1 or found[0].pos != (0, len(words)) or found[0].kind is not TimeKind.moment:
        return None
    at = found[0].start
    return clock_of(at.hour, at.minute) if at is not None and at.date() == midnight.date() else None
