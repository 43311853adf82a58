"""What is awaited: watch items, and the conditions that schedules wait for; what shows them, and what then follows.

An event, or a word of somebody, that shows a watched thing is told to whoever wanted to know, once; one that shows a
promise to be kept closes it without a word. One that meets a condition fires the schedule: it runs by the authority of
whoever gave that order; the words that met the condition are quoted at most, never obeyed. Members hear and fire only
by what was said to matters of their own (RULES 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from core.action.meta_actions import Watch
from core.agenda.model import WatchItem
from core.agenda.watch import awaited, may_bear_on, may_show
from core.brain.questions import AwaitedEvent, MatchEvent
from core.brain.rules.match_event import answer_awaited, speaks_of
from core.brain.rules.replies.reply import questions_in
from core.concern.model import CommStatus, Concern, ConcernType, Status
from core.concern.planning import is_paused
from core.concern.reporting_back import own_words
from core.concern.schedule import schedule_of
from core.effects import Outgoing, Purpose, Send, Words
from core.facts import FactKind, Trigger
from core.hub.abilities.expecting import end_item
from core.hub.commit import apply
from core.hub.context import light_context
from core.hub.naming import named_in
from core.hub.outcome import Outcome
from core.hub.scanning.concerns import timer_fact
from core.hub.services import Services, everybody
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.ids import ConcernId, PersonId
from core.people import INSPECTORS, Person, owner_among
from core.ports import Repositories


@dataclass(frozen=True)
class Heard:
    """Something that happened or was said. `about`: whom it comes from, or whom an event is about.

    `started_by`: whose matters it was said to, None for an event, which anybody may wait for. `happened`: an event, not
    somebody's words. `in_a_matter`: it answers something; whether it settles that is for the loop to say.
    """

    text: str
    about: Person | None
    cause: str
    happened: bool = False
    in_a_matter: bool = False
    started_by: frozenset[PersonId] | None = None


@dataclass(frozen=True)
class Noticed:
    """What it shows: things that were watched for, and schedules whose condition is met."""

    watches: tuple[WatchItem, ...] = ()
    conditions: tuple[ConcernId, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.watches or self.conditions)


@dataclass(frozen=True)
class _Candidates:
    people: Mapping[PersonId, Person]
    watches: tuple[WatchItem, ...]
    conditions: tuple[Concern, ...]


class Lookout:
    """Holds what happens against what is awaited."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def after(self, turn: Turn, outcome: Outcome, brain: TurnBrain) -> Outcome:
        """The outcome of somebody's message, and what it shows besides. A courtesy shows nothing."""
        if turn.fact.kind not in (FactKind.MESSAGE, FactKind.EDIT) or outcome.decision in ("ignore", "stop"):
            return outcome
        known = (*turn.asked, turn.quoted_concern, turn.last_closed)
        answered = [c for c in known if c is not None and c.concern_id in outcome.concerns]
        heard = Heard(
            turn.text,
            turn.sender,
            _said_in(turn),
            # A late word to a closed matter is weighed by no loop any more.
            in_a_matter=outcome.decision == "supplement"
            and not (answered and not any(c.status.is_open for c in answered)),
            started_by=frozenset(c.initiator_id for c in answered if c.initiator_id is not None),
        )
        noticed = await self.notice(heard, brain)
        if turn.fact.forwarded_from is not None:  # words of somebody else: told, but they set nothing going
            noticed = replace(noticed, conditions=())
        if not noticed:
            return outcome
        passed_on = outcome.decision == "relay"
        return outcome.and_then(lambda repos: self.keep(repos, heard, noticed, passed_on=passed_on))

    async def after_remark(self, turn: Turn, outcome: Outcome, brain: TurnBrain) -> Outcome:
        """The outcome of an initiator's message. A mere remark may meet a condition of their own, and what then runs is
        the answer; a member's may be what the owner waits for, but nobody reads what the owner remarks."""
        if turn.fact.kind is not FactKind.MESSAGE or outcome.decision != "converse" or turn.fact.forwarded_from:
            return outcome
        heard = Heard(turn.text, turn.sender, turn.cause, started_by=frozenset({turn.sender.person_id}))
        noticed = await self.notice(heard, brain)
        own = tuple(c.concern_id for c in turn.schedules if c.concern_id in noticed.conditions)
        kept = tuple(w for w in noticed.watches if w.kind == "promise")
        if turn.sender.role in INSPECTORS:
            noticed = Noticed(watches=kept, conditions=own)
        if not noticed:
            return outcome
        # That a promise was kept is no news to whoever kept it: there is nothing to say to it but what is asked.
        outcome = Outcome("watch", "it was awaited") if own or (kept and not questions_in(turn.text)) else outcome
        return outcome.and_then(lambda repos: self.keep(repos, heard, noticed))

    async def notice(self, heard: Heard, brain: TurnBrain) -> Noticed:
        """What it shows; the brain is asked only where anything may be."""
        now = self._services.clock.now()
        found = await self._services.store.run(lambda repos: self._candidates(repos, heard, now))
        asked = (*self._watched(found), *self._conditions(found))
        if not asked:
            return Noticed()
        who, owner = heard.about.name if heard.about is not None else "", owner_among(found.people.values())
        question = MatchEvent(
            text=heard.text,
            who=who,
            happened=heard.happened,
            now=now,
            awaited=asked,
            context=light_context(self._services, owner, heard.text, who, asked, now),
        )
        shown = set((await brain.ask(question)).item_ids)
        return Noticed(
            tuple(w for w in found.watches if w.watch_id in shown),
            tuple(c.concern_id for c in found.conditions if c.concern_id in shown),
        )

    def keep(self, repos: Repositories, heard: Heard, noticed: Noticed, *, passed_on: bool = False) -> None:
        """Tell and fire, each once. `passed_on`: the owner is given these very words anyway."""
        now = self._services.clock.now()
        for item in noticed.watches:
            if end_item(repos, item, "resolved", now) and item.kind == "news":
                apply(repos, self._tell(item, heard, now, quoted=not (passed_on and _is_owner(repos, item.owner))))
        for concern_id in noticed.conditions:
            fire_condition(repos, concern_id, heard.cause, now)

    @staticmethod
    def _tell(item: WatchItem, heard: Heard, now: datetime, *, quoted: bool) -> Send:
        values = {
            "what": item.what,
            "name": heard.about.name if heard.about is not None and not heard.happened else None,
            "text": own_words(heard.text) if quoted else "",
        }
        message = Outgoing(
            purpose=Purpose.NOTICE, to=item.owner, words=Words(template="chat/watch_seen", values=values)
        )
        return Send(key=f"seen:{item.watch_id}", due=now, message=message)

    # --- what may be shown ----------------------------------------------------------------------------------------

    @staticmethod
    def _candidates(repos: Repositories, heard: Heard, now: datetime) -> _Candidates:
        watched, waiting = repos.agenda.watches(), [c for c in repos.concerns.awaiting() if condition_of(c)]
        people = everybody(repos) if watched or waiting else {}

        def may_hear(owner: PersonId | None) -> bool:
            person = people.get(owner) if owner is not None else None
            if person is None or person.role not in Watch.info.who_may:
                return False
            return heard.started_by is None or person.role in INSPECTORS or owner in heard.started_by

        watches = tuple(
            w
            for w in watched
            if may_show(w, heard.about, happened=heard.happened)
            and may_hear(w.owner)
            and may_bear_on(w, _name(people, w.person_id), heard.about, heard.text)
        )
        conditions = tuple(
            c for c in waiting if not is_paused(c, now) and may_hear(c.initiator_id) and _may_be_met(c, people, heard)
        )
        return _Candidates(people, watches, conditions)

    @staticmethod
    def _watched(found: _Candidates) -> Iterable[AwaitedEvent]:
        return (awaited(w, _name(found.people, w.person_id)) for w in found.watches)

    @staticmethod
    def _conditions(found: _Candidates) -> Iterable[AwaitedEvent]:
        for concern in found.conditions:
            what = condition_of(concern) or ""
            named = _named(what, concern, found.people)
            who = found.people[named[0]].name if len(named) == 1 else ""
            yield AwaitedEvent(item_id=concern.concern_id, what=what, who=who)


def _said_in(turn: Turn) -> str:
    """One message is one occasion, however often it is edited."""
    fact = turn.fact
    return f"{fact.conversation}:{fact.message_id}" if fact.message_id is not None else turn.cause


def fire_condition(repos: Repositories, concern_id: ConcernId, cause: str, now: datetime) -> None:
    """The schedule's moment has come: a timer fact, as the scan makes one for those with a time."""
    repos.facts.add(timer_fact(concern_id, Trigger.SCHEDULE, cause, now), now)


def fire_answered(
    repos: Repositories, before: Concern, after: Concern, people: Mapping[PersonId, Person], now: datetime
) -> None:
    """Somebody's part of a matter was settled by a turn of its loop: what waits for that fires (等张三回了再问李四).

    Of several people who are named all must have answered; what else is named must be what the matter is about.
    """
    answered = _answered(before, after)
    if not answered or after.initiator_id is None:
        return
    for concern in repos.concerns.awaiting(after.initiator_id):
        what = condition_of(concern)
        named = _named(what, concern, people) if what is not None else ()
        if what is None or not answered.intersection(named) or is_paused(concern, now):
            continue
        topic = _answer_awaited(what, [people[p] for p in named])
        if topic is None or (topic and not speaks_of(f"{after.title} {after.goal}", topic)):
            continue
        if not any(_owes(repos, p, after.initiator_id) for p in named if p not in answered):
            fire_condition(repos, concern.concern_id, f"{after.concern_id}:{after.version}", now)


def condition_of(concern: Concern) -> str | None:
    """The condition in words that a schedule waits for; None where it has a time."""
    schedule = schedule_of(concern)
    return schedule.when if schedule.kind == "event" else None


def _answered(before: Concern, after: Concern) -> frozenset[PersonId]:
    if after.relay is not None or after.type is ConcernType.SCHEDULE:
        return frozenset()
    done = {p.person_id for p in after.delegates if p.comm_status is CommStatus.DONE}
    if after.status is Status.RESOLVED and before.status.is_open:
        return frozenset(done)
    was = {p.person_id for p in before.delegates if p.comm_status is CommStatus.DONE}
    return frozenset(done - was)


def _may_be_met(concern: Concern, people: Mapping[PersonId, Person], heard: Heard) -> bool:
    """A condition that is about this person or nobody. A mere answer to a matter is for the loop to judge."""
    what = condition_of(concern)
    if what is None:
        return False
    named = _named(what, concern, people)
    mere_answer = _answer_awaited(what, [people[p] for p in named]) is not None
    if mere_answer and (heard.in_a_matter or heard.happened or len(named) != 1):
        return False
    return not named or heard.about is None or heard.about.person_id in named


def _answer_awaited(what: str, named: list[Person]) -> frozenset[str] | None:
    """What the answer is to be about that the named people are to give; None where another thing is waited for."""
    return answer_awaited(_without(what, named)) if named else None


def _without(what: str, named: Iterable[Person]) -> str:
    for person in named:
        for name in (person.name, *person.aliases):
            what = what.replace(name, " ")
    return what


def _named(what: str, concern: Concern, people: Mapping[PersonId, Person]) -> tuple[PersonId, ...]:
    return named_in(what, (p for p in people.values() if p.person_id != concern.initiator_id))


def _owes(repos: Repositories, person_id: PersonId, initiator: PersonId) -> bool:
    mine = (c for c in repos.concerns.open_by_delegate(person_id) if c.initiator_id == initiator)
    return any(p.person_id == person_id and p.comm_status.is_owing for c in mine for p in c.delegates)


def _name(people: Mapping[PersonId, Person], person_id: PersonId | None) -> str:
    person = people.get(person_id) if person_id is not None else None
    return person.name if person is not None else ""


def _is_owner(repos: Repositories, person_id: PersonId) -> bool:
    owner = repos.people.owner()
    return owner is not None and owner.person_id == person_id
