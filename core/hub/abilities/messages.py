"""Abilities that only say something: a relay to others, a reminder."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from core.action.meta_actions import RemindParameters, SendMessageParameters
from core.brain.rules.words.urgency import priority_of
from core.callbacks import USER_REMINDER, Callback, record_id
from core.concern import opening
from core.concern.model import Priority, Relay
from core.effects import CallBack
from core.hub.abilities.proposing import proposal
from core.hub.commit import apply, commit
from core.hub.errand import DONE, Done, Scene, failed
from core.hub.inviting import offer


def send_message(scene: Scene, wish: SendMessageParameters) -> Done:
    """Pass words on. It is a matter like any other (hours, channels, cancelling), over once everybody has been told."""
    level = Priority(wish.priority) if wish.priority in list(Priority) else None
    return _relay(scene, wish.people, wish.text, Relay.TOLD, title=wish.title, priority=level)


def remind(scene: Scene, wish: RemindParameters) -> Done:
    """Remind whose errand it is, at whatever hour: they chose it. Others are reminded in their own hours."""
    others = [p for p in wish.people if p != scene.errand.person_id]
    if others:
        return _relay(scene, others, wish.text, Relay.REMINDED)
    errand = scene.errand
    record = Callback(
        id=record_id(f"remind:{scene.key}"),
        chat_id=errand.conversation,
        content=wish.text,
        trigger_source=USER_REMINDER,
        created_at=scene.now,
        person_id=errand.person_id,
        set_at=_set_at(scene),
        meant_for=_missed(scene),
        origin=errand.schedule_id or "",
        message_id=errand.message_id,
    )
    apply(scene.repos, CallBack(record=record))
    return DONE


def _set_at(scene: Scene) -> datetime | None:
    """When the schedule that fires was ordered."""
    if scene.errand.schedule_id is None:
        return None
    schedule = scene.repos.concerns.get(scene.errand.schedule_id)
    return schedule.created_at if schedule is not None else None


def _missed(scene: Scene) -> datetime | None:
    """When it should have been said, where the bot was down then; None in time."""
    at = scene.errand.meant_for
    return at if at is not None and scene.now - at >= scene.services.limits.schedule.late_after else None


def _relay(
    scene: Scene,
    people: list[str] | tuple[str, ...],
    text: str,
    kind: Relay,
    *,
    title: str | None = None,
    priority: Priority | None = None,
) -> Done:
    made = proposal(scene, people, title=title or text[:60], goal=text, words=text)
    if not made.delegates:
        return failed("chat/nobody_to_tell", text=text)
    level = priority or Priority(priority_of(scene.errand.words, None, scene.now))
    decision = opening.open_concern(replace(made, relay=kind, priority=level), scene.setting)
    offer(scene, commit(scene.repos, decision, new=True))
    return DONE
