"""A new matter of whose errand it is: where it comes from and whom it is about."""

from __future__ import annotations

from collections.abc import Iterable

from core.concern.model import ConcernType
from core.concern.opening import Proposal
from core.hub.errand import Scene
from core.hub.services import owner_day
from core.ids import PersonId
from core.people import Role


def proposal(scene: Scene, people: Iterable[str], *, title: str, goal: str, words: str | None = None) -> Proposal:
    """A delegation with the next free id; people outside the directory are left out. `words`: the errand's own."""
    return Proposal(
        concern_id=scene.repos.concerns.next_id(owner_day(scene.now, scene.repos.people.owner())),
        type=ConcernType.DELEGATION,
        title=title,
        goal=goal,
        words=words or scene.errand.words,
        initiator=scene.sender,
        channel=scene.errand.channel,
        channel_user_id=scene.errand.channel_user_id,
        conversation=scene.errand.conversation,
        origin_message_id=scene.errand.message_id,
        delegates=tuple(scene.people[p] for p in map(PersonId, people) if _is_known(scene, p)),
        simple_mode=scene.errand.simple_mode,
        schedule_id=scene.errand.schedule_id,
        run=scene.errand.meant_for,
        # A run has its schedule for a reason.
        cause=scene.errand.cause if scene.errand.schedule_id is None else None,
    )


def _is_known(scene: Scene, person_id: PersonId) -> bool:
    """In the directory, where no stranger is; what was planned long ago may name somebody who has left it."""
    person = scene.people.get(person_id)
    return person is not None and person.role is not Role.STRANGER
