"""All that somebody may look after, change or call off, in a line each: what their words are held against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.agenda.model import Expectation, WatchItem
from core.brain.questions import ConcernBrief
from core.concern.model import Concern
from core.hub.abilities.tasks import task_briefs
from core.hub.owed import callback_briefs
from core.hub.views import initiator_brief, person_brief
from core.ids import PersonId
from core.people import Person
from core.ports import Repositories


def briefs_of(
    repos: Repositories, person: Person, started: Iterable[Concern], people: Mapping[PersonId, Person]
) -> tuple[ConcernBrief, ...]:
    """Their open matters and schedules (`started`), expectations, watch items, tasks, what is on its way to them."""
    me = person.person_id
    return (
        *(initiator_brief(c) for c in started),
        *(_item(e, "expectation", e.expectation_id, people) for e in repos.agenda.expectations(me)),
        *(_item(w, "watch", w.watch_id, people) for w in repos.agenda.watches(me)),
        *task_briefs(repos, me),
        *callback_briefs(repos, me),
    )


def _item(item: Expectation | WatchItem, kind: str, item_id: str, people: Mapping[PersonId, Person]) -> ConcernBrief:
    who = people.get(item.person_id) if item.person_id is not None else None
    return ConcernBrief.model_validate(
        {
            "concern_id": item_id,
            "kind": kind,
            "title": item.what,
            "goal": item.what,
            "people": (person_brief(who),) if who is not None else (),
            "when": item.due.when if isinstance(item, Expectation) else None,
            "next_at": item.next_due if isinstance(item, Expectation) else None,
            "deadline": item.expires_at if isinstance(item, WatchItem) else None,
        }
    )
