"""The ability `check_concerns`: where open matters stand, what was said word for word, who has not answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from core.action.meta_actions import CheckConcernsParameters
from core.agenda.model import Expectation
from core.concern import reports
from core.concern.model import Concern, ConcernType
from core.effects import Words
from core.hub.abilities.expecting import find_item
from core.hub.abilities.tasks import running_tasks
from core.hub.errand import DONE, Done, Scene
from core.hub.known import MOST_READ
from core.ids import ConcernId, PersonId

CLOSED_WITHIN = timedelta(days=3)
"""So long after it was closed a matter is still shown to whoever asks after it."""

LOOKED_BACK = 100
MOST_TOLD = 10
"""Lines of an answer; how many more there are is said."""


def check_concerns(scene: Scene, wish: CheckConcernsParameters) -> Done:
    """Say it, each matter in a line or more."""
    wanted = _wanted(scene, _of_matters(scene, wish))
    about = PersonId(wish.person) if wish.person else None
    found = [line for c in wanted for line in _lines(c, wish, about)]
    kept = list(_kept(scene, wish)) if wish.detail == "standing" else []
    lines, left = [*found, *kept][:MOST_TOLD], max(0, len(found) + len(kept) - MOST_TOLD)
    person = scene.people.get(about) if about else None
    values: dict[str, Any] = {
        "count": len(wanted) + len(kept),
        "name": person.name if person else None,
        "detail": wish.detail,
    }
    if left:
        lines.append(Words(template="chat/and_more", values={"left": left}))
    scene.answer("chat/standing" if lines else "chat/nothing_open", part="check", lines=tuple(lines), **values)
    return DONE


def _lines(concern: Concern, wish: CheckConcernsParameters, about: PersonId | None) -> tuple[Words, ...]:
    if wish.detail == "words":
        return reports.words_said(concern, about)
    return (reports.owed(concern) if wish.detail == "waiting" else reports.standing(concern),)


def _of_matters(scene: Scene, wish: CheckConcernsParameters) -> CheckConcernsParameters:
    """Who asks after a person means what is open with them, also where only a schedule about them was picked out."""
    if wish.person is None:
        return wish
    found = ((i, scene.repos.concerns.get(ConcernId(i))) for i in wish.concern_ids if i.startswith("con_"))
    matters = tuple(i for i, concern in found if concern is not None and concern.type is not ConcernType.SCHEDULE)
    return wish.model_copy(update={"concern_ids": matters})


def _wanted(scene: Scene, wish: CheckConcernsParameters) -> list[Concern]:
    me = scene.errand.person_id
    mine = [c for c in _open(scene, wish) if c.initiator_id == me and c.status.is_open and _is_wanted(c, wish)]
    if wish.detail == "waiting":
        return [c for c in mine if any(p.comm_status.is_owing for p in c.delegates)]
    return mine or _lately_closed(scene, wish)


def _open(scene: Scene, wish: CheckConcernsParameters) -> Iterable[Concern]:
    """The open matters among which the wanted ones are; of very many those in front."""
    if wish.concern_ids:
        found = (scene.repos.concerns.get(ConcernId(i)) for i in wish.concern_ids if i.startswith("con_"))
        return sorted((c for c in found if c is not None), key=lambda c: (c.created_at, c.concern_id))
    if wish.person is not None:
        return scene.repos.concerns.open_by_delegate(PersonId(wish.person), MOST_READ)
    return scene.repos.concerns.open_by_initiator(scene.errand.person_id, MOST_READ)


def _is_wanted(concern: Concern, wish: CheckConcernsParameters) -> bool:
    if concern.type is ConcernType.SCHEDULE:
        return False
    if wish.concern_ids:
        return concern.concern_id in wish.concern_ids
    return wish.person is None or any(p.person_id == wish.person for p in concern.delegates)


def _lately_closed(scene: Scene, wish: CheckConcernsParameters) -> list[Concern]:
    """Who asks after somebody or something in particular may mean what was settled not long ago."""
    if wish.person is None and not wish.concern_ids:
        return []
    me, ended = scene.errand.person_id, scene.now - CLOSED_WITHIN
    seen = scene.repos.concerns.list(open_only=False, limit=LOOKED_BACK, initiator=me)
    return [c for c in seen if c.closed_at is not None and c.closed_at >= ended and _is_wanted(c, wish)]


def _kept(scene: Scene, wish: CheckConcernsParameters) -> Iterator[Words]:
    """What is no matter with people: running tasks; schedules, expectations and watch items that are asked after."""
    for task in running_tasks(scene.repos, scene.errand.person_id):
        if task.task_id in wish.concern_ids or not (wish.concern_ids or wish.person):
            yield _line("task", task.title, steps=len(task.done))
    for item_id in wish.concern_ids:
        if item_id.startswith("con_"):
            concern = scene.repos.concerns.get(ConcernId(item_id))
            if concern is not None and concern.type is ConcernType.SCHEDULE and scene.may_steer(concern):
                yield _line("schedule", concern.title, when=concern.due_at.isoformat() if concern.due_at else None)
        elif (item := find_item(scene.repos, scene.sender, item_id)) is not None:
            at = item.next_due if isinstance(item, Expectation) else item.expires_at
            yield _line("item", item.what, when=at.isoformat() if at is not None else None)


def _line(kind: str, title: str, *, when: str | None = None, steps: int = 0) -> Words:
    return Words(template="chat/kept", values={"kind": kind, "title": title, "when": when, "steps": steps})
