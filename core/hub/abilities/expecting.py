"""Abilities that wait for something: a standing expectation, a thing to look out for; and how either ends."""

from __future__ import annotations

from datetime import datetime

from core.action.meta_actions import ExpectParameters, WatchParameters
from core.agenda.model import Expectation, RecentDecision, Verdict, WatchItem
from core.agenda.watch import expiry
from core.concern import opening
from core.concern.model import CommStatus
from core.hub.errand import DONE, Done, Scene, failed
from core.ids import PersonId
from core.people import INSPECTORS, Person
from core.ports import Repositories
from core.schedule import ScheduleTrigger, WhenError, next_run, read_when


def expect(scene: Scene, wish: ExpectParameters) -> Done:
    """Keep an expectation; its first look is at the first moment of `due` that is still to come."""
    person = _person(scene, wish.person)
    name = person.name if person is not None else (wish.who or "").strip()
    if not name:
        return _refused(scene, "who")
    due = _due(scene, wish.due, working_days=wish.working_days)
    if isinstance(due, Done):
        return due
    first = next_run(due, scene.now, scene.sender)
    if first is None:
        return _refused(scene, "past")
    kept = Expectation(
        expectation_id=scene.repos.agenda.next_id("e"),
        owner=scene.errand.person_id,
        conversation=scene.errand.conversation,
        message_id=scene.errand.message_id,
        person_id=person.person_id if person is not None else None,
        who=name,
        what=wish.what,
        words=scene.errand.words,
        due=due,
        # Nobody can be asked who is not in the directory, nor whoever waits for it themselves.
        on_missed=wish.on_missed if person is not None and person.person_id != scene.errand.person_id else "tell",
        created_at=scene.now,
        since=scene.now,
        next_due=first,
    )
    scene.repos.agenda.put_expectation(kept)
    _say(scene, kept, person, outside=person is None and wish.on_missed != "tell")
    return DONE


def retime(scene: Scene, expectation_id: str, when: str) -> Done:
    """Look at another time. What happened so far still counts."""
    kept = find_item(scene.repos, scene.sender, expectation_id)
    if not isinstance(kept, Expectation):
        return failed("chat/not_open")
    due = _due(scene, when, working_days=kept.due.working_days)
    if isinstance(due, Done):
        return due
    first = next_run(due, scene.now, scene.sender)
    if first is None:
        return _refused(scene, "past")
    kept = kept.model_copy(update={"due": due, "next_due": first})
    scene.repos.agenda.put_expectation(kept)
    _say(scene, kept, scene.people.get(kept.person_id) if kept.person_id else None)
    return DONE


def _say(scene: Scene, kept: Expectation, person: Person | None, *, outside: bool = False) -> None:
    """What will be looked at, when, what happens then, and how to stop it."""
    scene.answer(
        "chat/expecting",
        part=f"expecting:{kept.expectation_id}",
        id=kept.expectation_id,
        name=kept.who,
        what=kept.what,
        on_missed=kept.on_missed,
        outside=outside,
        unreachable=kept.on_missed != "tell" and person is not None and not may_be_asked(person),
        every=kept.due.model_dump(mode="json") if kept.due.kind == "recurring" else None,
        when=kept.next_due.isoformat() if kept.next_due else None,
    )


def may_be_asked(person: Person) -> bool:
    """Whether there is a way to write to them, and they have not asked to be left alone."""
    return opening.new_delegate(person).comm_status is CommStatus.TO_CONTACT


def _due(scene: Scene, when: str, *, working_days: bool) -> ScheduleTrigger | Done:
    """When it is to be there, or why that cannot be kept. A condition is no moment at which one can look."""
    least = scene.services.limits.schedule.min_interval
    try:
        due = read_when(when, scene.sender.timezone, scene.now, working_days=working_days, min_interval=least)
    except WhenError as error:
        return _refused(scene, "too_often" if error.problem == "too_often" else "when")
    return _refused(scene, "when") if due.kind == "event" else due


def _refused(scene: Scene, problem: str) -> Done:
    """A question back for what is missing; the template has the words."""
    least = scene.services.limits.schedule.min_interval
    return failed("chat/expect_refused", problem=problem, seconds=int(least.total_seconds()))


def watch(scene: Scene, wish: WatchParameters) -> Done:
    """Look out for something until it shows, or until its time is over."""
    until = expiry(wish.until, scene.now)
    if until is None:
        return _refused(scene, "past")
    person = _person(scene, wish.person)
    item = WatchItem(
        watch_id=scene.repos.agenda.next_id("w"),
        owner=scene.errand.person_id,
        conversation=scene.errand.conversation,
        message_id=scene.errand.message_id,
        person_id=person.person_id if person is not None else None,
        what=wish.what,
        words=scene.errand.words,
        created_at=scene.now,
        expires_at=until,
    )
    scene.repos.agenda.put_watch(item)
    name = person.name if person is not None and person.name not in wish.what else None
    scene.answer("chat/watching", part="watching", id=item.watch_id, name=name, what=item.what, until=until.isoformat())
    return DONE


def _person(scene: Scene, person_id: str | None) -> Person | None:
    return scene.people.get(PersonId(person_id)) if person_id is not None else None


def drop_item(scene: Scene, item_id: str) -> bool:
    """End an expectation (`e3`) or a watch item (`w3`) and say so; false where the sender may end none of that name."""
    item = find_item(scene.repos, scene.sender, item_id)
    if item is None or not end_item(scene.repos, item, "dropped", scene.now):
        return False
    scene.answer("chat/item_dropped", part=f"dropped:{item_id}", what=item.what)
    return True


def end_item(repos: Repositories, item: Expectation | WatchItem, what: Verdict, now: datetime) -> bool:
    """Take it off the agenda and remember why; false when it was over already."""
    if not repos.agenda.take(item.expectation_id if isinstance(item, Expectation) else item.watch_id):
        return False
    repos.agenda.record(RecentDecision(at=now, what=what, why=item.what, owner=item.owner))
    return True


def find_item(repos: Repositories, person: Person, item_id: str) -> Expectation | WatchItem | None:
    """The item, where this person may see and end it: their own, or anybody's for the owner and admins."""
    agenda = repos.agenda
    item = agenda.watch(item_id) if item_id.startswith("w") else agenda.expectation(item_id)
    if item is None or (item.owner != person.person_id and person.role not in INSPECTORS):
        return None
    return item
