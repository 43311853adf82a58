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
    decision = steer.cancel(concern, request.setting(), request.turn.fact.conversation, request.sender)
    commit(request.repos, decision)
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
    refused = _no_nudge(request, concern)
    if refused is not None:
        return refused
    decision = steer.nudge(concern, request.setting(), request.turn.cause)
    sends = [e for e in decision.effects if isinstance(e, Send)]
    if not sends:
        return _steered(concern, "nobody_to_nudge")
    commit(request.repos, decision)
    at_once = [_name(concern, s) for s in sends if s.due <= request.now]
    later = [{"name": _name(concern, s), "when": s.due.isoformat()} for s in sends if s.due > request.now]
    return _steered(concern, "nudged", at_once=at_once, later=later)


def _no_nudge(request: Request, concern: Concern) -> Reply | None:
    """Why nobody is to be pushed now; None when they may be."""
    if not concern.status.is_open:
        return _steered(concern, "closed", status=concern.status.value)
    if is_paused(concern, request.now):
        return _steered(concern, "nudge_paused")
    if concern.decision is not None:
        return _steered(concern, "nudge_decision", question=concern.decision.text or concern.decision.question)
    queued = [j.due for j in request.repos.jobs.waiting(concern.concern_id) if j.key.startswith("nudge:")]
    if queued:
        return _steered(concern, "nudge_queued", when=min(queued).isoformat())
    spoken = [concern.state_of(p.person_id).last_outbound for p in concern.delegates if p.comm_status.is_owing]
    reached = [at for at in spoken if at is not None]
    if reached and request.now - min(reached) < request.services.limits.delegate.min_interval:
        return _steered(concern, "nudge_just_now")
    return None


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
    blank: dict[str, Any] = {
        "status": None,
        "at_once": [],
        "later": [],
        "until": None,
        "level": None,
        "when": None,
        "question": None,
    }
    return Reply("commands/steered", {**blank, "outcome": outcome, "title": concern.title, **values})


def _name(concern: Concern, send: Send) -> str:
    entry = concern.person(send.message.to) if send.message.to else None
    return entry.display_name if entry else ""
