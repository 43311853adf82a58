"""The ability to say something into the conversation again, when the schedule that holds it fires."""

from __future__ import annotations

from core.action.meta_actions import ScheduleParameters
from core.facts import Fact, FactKind
from core.hub.errand import DONE, Done, Scene


def schedule(scene: Scene, wish: ScheduleParameters) -> Done:
    """The words come in as though whoever kept them said them now, with that person's authority; the hub judges."""
    errand = scene.errand
    prompt = Fact(
        channel=errand.channel,
        event_id=f"prompt:{scene.key}",
        kind=FactKind.PROMPT,
        occurred_at=scene.now,
        conversation=errand.conversation,
        sender=errand.channel_user_id,
        person_id=errand.person_id,
        group=errand.group,
        text=wish.text,
    )
    scene.repos.facts.add(prompt, scene.now)
    return DONE
