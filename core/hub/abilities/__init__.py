"""What each meta-action does, by key; what it takes and needs is stated in `core/action/meta_actions`.

An ability runs inside one open transaction. It does all of it, or returns why it can't before it has written anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.hub.abilities import checking, concerns, expecting, knowledge, messages, scheduling, tasks
from core.hub.errand import Done, Scene

Ability = Callable[[Scene, Any], Done]
"""The scene, and the parameters as the model of its meta-action."""

ABILITIES: dict[str, Ability] = {
    "raise_concern": concerns.raise_concern,
    "advance_concern": concerns.advance_concern,
    "check_concerns": checking.check_concerns,
    "update_concern": concerns.update_concern,
    "cancel_concern": concerns.cancel_concern,
    "send_message": messages.send_message,
    "remind": messages.remind,
    "schedule": scheduling.schedule,
    "expect": expecting.expect,
    "watch": expecting.watch,
    "look_up_person": knowledge.look_up_person,
    "invite_person": knowledge.invite_person,
    "look_up_facts": knowledge.look_up_facts,
    "deep_task": tasks.deep_task,
}
