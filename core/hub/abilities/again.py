"""A second delegation of what somebody is asked already: it supplements the open matter instead of doubling it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from core.action.meta_actions import RaiseConcernParameters
from core.brain.rules.words.same import Wording, added_words, same_question
from core.concern import additions, merging, steer
from core.concern.model import Concern, Priority
from core.hub import adding
from core.hub.commit import commit
from core.hub.errand import Scene
from core.hub.known import MOST_READ
from core.ids import PersonId


def merge(scene: Scene, wish: RaiseConcernParameters, priority: Priority) -> frozenset[str]:
    """Add the wish to the sender's own matters that ask the same of the same people; who is seen to by that.

    The runs of a schedule ask anew each time.
    """
    if scene.errand.schedule_id is not None or wish.type != "delegation":
        return frozenset()
    left = {PersonId(p) for p in wish.people}
    asked = Wording(wish.title, wish.goal, _said_at(scene, scene.errand.said_at or scene.now))
    for concern in _open(scene, left):
        theirs = merging.asked_already(concern, left)
        if not theirs or not same_question(asked, _wording(scene, concern)):
            continue
        replaces = additions.of_message(concern, scene.origin) if scene.errand.edited else None
        before = concern if replaces is None else additions.without(concern, replaces)
        known = f"{before.title} {before.goal} {before.source.detail}"
        again = merging.Again(
            wish.message or wish.title,
            added_words(wish.message or "", known, asked.at),
            priority,
            wish.deadline,
            scene.origin,
            replaces,
            told=replaces is not None and adding.is_told(scene.repos, concern, replaces),
        )
        if not merging.may_take_in(concern, left, again, scene.setting):
            continue
        cause = f"{scene.key}:{concern.concern_id}"
        commit(scene.repos, steer.take_in(concern, again, theirs, scene.setting, cause, scene.errand.conversation))
        left -= set(theirs)
    return frozenset(str(p) for p in wish.people) - left


def _open(scene: Scene, people: Iterable[PersonId]) -> tuple[Concern, ...]:
    """The sender's own that ask any of these people, oldest first; of very many the newest."""
    me = scene.errand.person_id
    theirs = (c for p in sorted(people) for c in scene.repos.concerns.open_by_delegate(p, MOST_READ))
    mine = {c.concern_id: c for c in theirs if c.initiator_id == me}
    return tuple(sorted(mine.values(), key=lambda c: (c.created_at, c.concern_id)))


def _wording(scene: Scene, concern: Concern) -> Wording:
    return Wording(concern.title, concern.goal, _said_at(scene, concern.created_at))


def _said_at(scene: Scene, at: datetime) -> datetime:
    return at.astimezone(ZoneInfo(scene.sender.timezone))
