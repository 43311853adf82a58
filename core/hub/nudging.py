"""The initiator's push, asked for by command or in words: whether it makes sense now, and whom it reaches when."""

from __future__ import annotations

from typing import Any

from core.concern import steer, timers
from core.concern.decision import Setting
from core.concern.model import Concern
from core.concern.planning import is_paused
from core.effects import Send
from core.hub.commit import commit
from core.ports import Repositories

BLANK: dict[str, Any] = {
    "status": None,
    "at_once": [],
    "later": [],
    "until": None,
    "level": None,
    "when": None,
    "question": None,
}
"""Values of `commands/steered` that an outcome does not use."""


def push(repos: Repositories, concern: Concern, setting: Setting, cause: str) -> dict[str, Any]:
    """Push those who owe an answer, once, in their sending hours; the values of `commands/steered` say what came of it.

    `cause` makes the keys of the messages.
    """
    refused = _refused(repos, concern, setting)
    if refused is not None:
        return _said(concern, **refused)
    decision = steer.nudge(concern, setting, cause)
    sends = [e for e in decision.effects if isinstance(e, Send)]
    is_stuck = concern.stuck_at is not None and concern.stuck_at <= setting.now
    if is_stuck and not repos.jobs.waiting(concern.concern_id):
        # Nobody is at it any more: what was begun and never ended is taken up once more.
        again = timers.taken_up_again(decision.concern, setting, cause)
        if again.effects:
            commit(repos, decision.then(again))
            return _said(concern, outcome="taken_up_again")
    if not sends:
        return _said(concern, outcome="nobody_to_nudge")
    commit(repos, decision)
    at_once = [_name(concern, s) for s in sends if s.due <= setting.now]
    later = [{"name": _name(concern, s), "when": s.due.isoformat()} for s in sends if s.due > setting.now]
    return _said(concern, outcome="nudged", at_once=at_once, later=later)


def _refused(repos: Repositories, concern: Concern, setting: Setting) -> dict[str, Any] | None:
    """Why nobody is to be pushed now; None when they may be."""
    if not concern.status.is_open:
        return {"outcome": "closed", "status": concern.status.value}
    if is_paused(concern, setting.now):
        return {"outcome": "nudge_paused"}
    if concern.decision is not None:
        return {"outcome": "nudge_decision", "question": concern.decision.text or concern.decision.question}
    queued = [j.due for j in repos.jobs.waiting(concern.concern_id) if j.key.startswith("nudge:")]
    if queued:
        return {"outcome": "nudge_queued", "when": min(queued).isoformat()}
    spoken = [concern.state_of(p.person_id).last_outbound for p in concern.delegates if p.comm_status.is_owing]
    reached = [at for at in spoken if at is not None]
    if reached and setting.now - min(reached) < setting.limits.delegate.min_interval:
        return {"outcome": "nudge_just_now"}
    return None


def _said(concern: Concern, **values: Any) -> dict[str, Any]:
    return {**BLANK, "title": concern.title, **values}


def _name(concern: Concern, send: Send) -> str:
    entry = concern.person(send.message.to) if send.message.to else None
    return entry.display_name if entry else ""
