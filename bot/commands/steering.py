"""Commands that steer a concern: /drop, /nudge, /pause, /resume, /priority, /reassign. `core.concern.steer` has the
rules.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.commands.lookup import find_person
from bot.commands.moments import until
from bot.commands.request import Reply, Request, press, usage
from core.concern import steer
from core.concern.model import Concern, ConcernPerson, Priority
from core.concern.planning import is_paused
from core.effects import Outgoing, Purpose, Send, Words
from core.hub.commit import apply, commit
from core.hub.ending import call_off
from core.hub.nudging import BLANK, push
from core.people import Person, Role

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
    call_off(request.repos, concern, request.setting(), request.turn.fact.conversation, request.sender)
    request.did(concern=concern.concern_id)
    values = {"name": request.sender.name, "title": concern.title}
    _tell_initiator(request, concern, "dropped-by", Words(template="commands/dropped_by", values=values))
    return None


def _tell_initiator(request: Request, concern: Concern, key: str, words: Words) -> None:
    """Nobody likes a matter that vanishes, or goes another way: whoever started it hears who did that to it."""
    initiator = concern.initiator_id
    if initiator is None or initiator == request.sender.person_id:
        return
    message = Outgoing(purpose=Purpose.NOTICE, to=initiator, words=words, concern_id=concern.concern_id)
    key = f"{key}:{concern.concern_id}:{request.turn.cause}"
    apply(request.repos, Send(key=key, due=request.now, message=message))


def reassign(request: Request, concern: Concern, words: str) -> Reply:
    """Ask somebody else in a delegate's place. Of several who owe an answer the button says in whose."""
    if not words:
        return usage(request)
    if not concern.status.is_open:
        return _steered(concern, "closed", status=concern.status.value)
    named = _new_and_old(request, words)
    if named is None:
        return usage(request, "no_person")
    new, old = named
    problem = _cannot_ask(concern, new)
    if problem is not None:
        return _reassigned(concern, new, problem)
    places = _places(concern, old)
    if not places:
        return _reassigned(concern, new, "nobody_to_replace")
    if len(places) > 1:
        return _in_whose_place(concern, new, places)
    (place,) = places
    commit(request.repos, steer.reassign(concern, place.person_id, new, request.setting(), request.turn.cause))
    request.did(person=new.person_id, concern=concern.concern_id)
    told = Words(
        template="commands/reassigned_by",
        values={
            "name": request.sender.name,
            "old": place.display_name,
            "new": new.name,
            "title": concern.title,
        },
    )
    _tell_initiator(request, concern, "reassigned-by", told)
    return _reassigned(concern, new, "reassigned", old=place.display_name)


def _reassigned(concern: Concern, new: Person, outcome: str, **values: Any) -> Reply:
    """What became of it, as a word of the template."""
    none: dict[str, Any] = {"old": None, "names": []}
    said = {"outcome": outcome, "title": concern.title, "name": new.name}
    return Reply("commands/reassigned", {**none, **said, **values})


def _new_and_old(request: Request, words: str) -> tuple[Person, Person | None] | None:
    """Who is to be asked, and in whose place where that is said: `李四`, `李四 张三`."""
    people = [p for p in request.turn.people.values() if p.role is not Role.STRANGER]
    whole = find_person(people, words)
    if whole is not None:
        return whole, None
    pieces = words.split(" ")
    for n in range(len(pieces) - 1, 0, -1):
        new, old = find_person(people, " ".join(pieces[:n])), find_person(people, " ".join(pieces[n:]))
        if new is not None and old is not None:
            return new, old
    return None


def _cannot_ask(concern: Concern, new: Person) -> str | None:
    """Why somebody cannot come in, as a word of the template."""
    there = concern.person(new.person_id)
    if new.person_id == concern.initiator_id:
        return "is_initiator"
    if there is not None and there.comm_status.is_owing:
        return "asked_already"
    if not new.interaction_policy.contact_allowed:
        return "wants_none"
    return None if new.identities else "no_way"


def _places(concern: Concern, old: Person | None) -> tuple[ConcernPerson, ...]:
    """Whose place may be meant: the one who is named, else those who owe an answer, else the only one there is."""
    if old is not None:
        return tuple(p for p in concern.delegates if p.person_id == old.person_id)
    owing = tuple(p for p in concern.delegates if p.comm_status.is_owing)
    return owing or (concern.delegates if len(concern.delegates) == 1 else ())


def _in_whose_place(concern: Concern, new: Person, places: tuple[ConcernPerson, ...]) -> Reply:
    line = f"reassign {concern.concern_id} {new.person_id}"
    rows = tuple(press(f"{line} {p.person_id}", Words(text=p.display_name)) for p in places)
    reply = _reassigned(concern, new, "in_whose_place", names=[p.display_name for p in places])
    return replace(reply, buttons=tuple(row for row in rows if row))


def nudge(request: Request, concern: Concern, _: str) -> Reply:
    """Push those who owe an answer, once, in their sending hours."""
    pushed = push(request.repos, concern, request.setting(), request.turn.cause)
    request.did(str(pushed["outcome"]), concern=concern.concern_id)
    return Reply("commands/steered", pushed)


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
    request.did(concern=concern.concern_id)
    return _steered(concern, "paused", until=end.isoformat() if end else None)


def resume(request: Request, concern: Concern, _: str) -> Reply:
    """Go on after a pause."""
    if not concern.status.is_open:
        return _steered(concern, "closed", status=concern.status.value)
    if not is_paused(concern, request.now):
        return _steered(concern, "not_paused")
    commit(request.repos, steer.resume(concern, request.setting(), request.turn.cause))
    request.did(concern=concern.concern_id)
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
    request.did(level.value, concern=concern.concern_id)
    return _steered(concern, "priority", level=level.value)


def _steered(concern: Concern, outcome: str, **values: Any) -> Reply:
    """What became of it, as a word of the template."""
    return Reply("commands/steered", {**BLANK, "outcome": outcome, "title": concern.title, **values})
