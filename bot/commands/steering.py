"""Commands that steer a concern: /drop, /nudge, /pause, /resume, /priority. The rules are the engine's (`steer`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bot.commands.moments import until
from bot.commands.request import Reply, Request, usage
from core.concern import steer
from core.concern.model import Concern, Priority
from core.concern.planning import is_paused
from core.effects import Outgoing, Purpose, Send, Words
from core.hub.commit import apply, commit
from core.hub.ending import call_off
from core.hub.nudging import BLANK, push
from core.ids import PersonId

LEVELS = {
    **{p.value: p for p in Priority},
    "紧急": Priority.CRITICAL,
    "最高": Priority.CRITICAL,
    "urgent": Priority.CRITICAL,
    "高": Priority.HIGH,
    "中": Priority.MEDIUM,
    "普通": Priority.MEDIUM,
    "normal": Priority.MEDIUM,
    "低": Priority.LOW,
}


def drop(request: Request, concern: Concern, _: str) -> Reply | None:
    """Let it go; those who were asked are told. The engine acknowledges it."""
    if not concern.status.is_open:
        return _steered(concern, "closed", status=concern.status.value)
    call_off(request.repos, concern, request.setting(), request.turn.fact.conversation, request.sender)
    if concern.initiator_id is not None and concern.initiator_id != request.sender.person_id:
        _tell_initiator(request, concern, concern.initiator_id)
    return None


def _tell_initiator(request: Request, concern: Concern, initiator: PersonId) -> None:
    """Nobody likes a matter that vanishes: whoever started it hears who let it go."""
    message = Outgoing(
        purpose=Purpose.NOTICE,
        to=initiator,
        words=Words(template="commands/dropped_by", values={"name": request.sender.name, "title": concern.title}),
        concern_id=concern.concern_id,
    )
    key = f"dropped-by:{concern.concern_id}:{request.turn.cause}"
    apply(request.repos, Send(key=key, due=request.now, message=message))


def nudge(request: Request, concern: Concern, _: str) -> Reply:
    """Push those who owe an answer, once, in their sending hours."""
    pushed = push(request.repos, concern, request.setting(), request.turn.cause)
    return Reply("commands/steered", pushed)


def pause(request: Request, concern: Concern, words: str) -> Reply:
    """Keep still for a while, or until it is resumed."""
    if not concern.status.is_open:
        return _steered(concern, "closed", status=concern.status.value)
    end: datetime | None = None
    if words:
        end = until(words, request.now)
        if end is None:
            return usage(request, "moment")
        if end <= request.now:
            return usage(request, "past")
    commit(request.repos, steer.pause(concern, end, request.setting()))
    return _steered(concern, "paused", until=end.isoformat() if end else None)


def resume(request: Request, concern: Concern, _: str) -> Reply:
    """Go on after a pause."""
    if not concern.status.is_open:
        return _steered(concern, "closed", status=concern.status.value)
    if not is_paused(concern, request.now):
        return _steered(concern, "not_paused")
    commit(request.repos, steer.resume(concern, request.setting(), request.turn.cause))
    return _steered(concern, "resumed")


def priority(request: Request, concern: Concern, words: str) -> Reply:
    """Another priority, and with it other intervals and sending hours."""
    level = LEVELS.get(words.casefold())
    if level is None:
        return usage(request, "level")
    if not concern.status.is_open:
        return _steered(concern, "closed", status=concern.status.value)
    if level is concern.priority:
        return _steered(concern, "same_priority", level=level.value)
    commit(request.repos, steer.set_priority(concern, level, request.setting()))
    return _steered(concern, "priority", level=level.value)


def _steered(concern: Concern, outcome: str, **values: Any) -> Reply:
    """What became of it, as a word of the template."""
    return Reply("commands/steered", {**BLANK, "outcome": outcome, "title": concern.title, **values})
