"""An absence: something was expected by now, or looked out for until now. The hub looks whether it came (RULES 2).

What came is counted and nobody hears of it. What did not is an absence: by the wish of whoever waits for it the person
is asked (a concern of type `absence_followup`, once, however often it is missed while that one is open), they are told
in one line, or both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.action.meta_actions import Expect
from core.agenda.absence import Occasion, evidence, judged, occasion, standing, unsettled
from core.agenda.model import Expectation
from core.agenda.watch import awaited_of
from core.brain.questions import MatchEvent
from core.brain.rules.words.text import is_english
from core.concern import opening
from core.concern.followup import opening as first_hour
from core.concern.model import Concern, ConcernType, LogEntry, Priority
from core.concern.points import label
from core.effects import Button, Outgoing, Purpose, Send, Words
from core.facts import Fact, StoredFact
from core.hub.abilities.expecting import end_item, may_be_asked
from core.hub.commit import apply, commit
from core.hub.context import light_context
from core.hub.outcome import Outcome
from core.hub.services import Services, everybody, owner_day
from core.hub.simple_mode import TurnBrain
from core.ids import ConcernId, FactId, PersonId
from core.people import Person
from core.ports import Repositories

PAGE = 200
"""Facts that are read at a time."""

AN_ANSWER = timedelta(hours=2)
"""What comes so soon after the question what became of an earlier run is about that one."""

SHOWN = 20
"""Of these, how many are put to the brain in one question, the last ones."""


@dataclass(frozen=True)
class _Look:
    """What the judgement of one run reads."""

    expectation: Expectation
    run: Occasion
    person: Person | None
    people: Mapping[PersonId, Person]
    facts: tuple[Fact, ...]
    said_by_owner: tuple[Fact, ...]
    elsewhere: frozenset[tuple[str, str]]
    """Messages of theirs that answered a matter."""


@dataclass(frozen=True)
class _Asked:
    """The follow-up that was raised, and when they are written to."""

    concern_id: ConcernId
    at: datetime


class AbsenceTurn:
    """Judges absences."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def handle(self, stored: StoredFact, brain: TurnBrain) -> Outcome:
        """The outcome to commit; an item that was ended or judged meanwhile is let be."""
        item_id = stored.fact.item_id or ""
        if item_id.startswith("w"):
            return Outcome("watch", "nothing showed", lambda repos: self._expire(repos, item_id))
        look = await self._services.store.run(lambda repos: self._look(repos, item_id))
        if look is None:
            return Outcome("ignore", "it is not due any more")
        owner = look.people.get(look.expectation.owner)
        if owner is None or owner.role not in Expect.info.who_may:
            return Outcome("ignore", "nobody waits for it who may", lambda repos: _end(repos, item_id))
        shown = evidence(look.expectation, look.person, look.facts, look.said_by_owner)
        if shown is None and await self._is_read_out(look, brain):
            shown = "read out of what was said"
        if shown is not None:
            return Outcome("ignore", f"it came: {shown[:200]}", lambda repos: self._keep(repos, look, met=True))
        return Outcome("raise", "absence", lambda repos: self._keep(repos, look, met=False))

    # --- did it come? ---------------------------------------------------------------------------------------------

    def _look(self, repos: Repositories, item_id: str) -> _Look | None:
        expectation, people = repos.agenda.expectation(item_id), everybody(repos)
        if expectation is None:
            return None
        now, owner = self._services.clock.now(), people.get(expectation.owner)
        run = occasion(expectation, now, owner)
        if run is None:
            return None
        person = people.get(expectation.person_id) if expectation.person_id is not None else None
        before = _said_to_earlier(repos, expectation)
        found = (
            [f for f in _happened(repos, person, run.since, now) if _message(f.fact) not in before] if person else []
        )
        # Events name a person where the source knows one; others are told by their words.
        found += [e for e in _happened(repos, None, run.since, now) if e.fact.person_id is None]
        said = _happened(repos, owner, run.since, now) if owner is not None else ()
        return _Look(
            expectation,
            run,
            person,
            people,
            standing(f.fact for f in found),
            standing(f.fact for f in said),
            _answers(repos, person),
        )

    async def _is_read_out(self, look: _Look, brain: TurnBrain) -> bool:
        """Words alone did not settle it: does a mind read it out of what they said?"""
        for events in (False, True):
            found = unsettled(look.person, look.facts, events=events, elsewhere=look.elsewhere)[-SHOWN:]
            if not found:
                continue
            if (await brain.ask(self._question(look, "\n".join(f.text for f in found), happened=events))).item_ids:
                return True
        return False

    def _question(self, look: _Look, text: str, *, happened: bool) -> MatchEvent:
        now, who, awaited = self._services.clock.now(), look.expectation.who, (awaited_of(look.expectation),)
        context = light_context(self._services, look.people.get(look.expectation.owner), text, who, awaited, now)
        return MatchEvent(text=text, who=who, happened=happened, now=now, awaited=awaited, context=context)

    # --- what follows ---------------------------------------------------------------------------------------------

    def _keep(self, repos: Repositories, look: _Look, *, met: bool) -> None:
        fresh = repos.agenda.expectation(look.expectation.expectation_id)
        if fresh is None or fresh.next_due != look.expectation.next_due:
            return
        now = self._services.clock.now()
        repos.agenda.put_expectation(judged(fresh, look.run, met, now, look.people.get(fresh.owner)))
        if met:
            return
        asks = fresh.on_missed != "tell" and not _is_asked_already(repos, fresh)
        asked = self._ask(repos, look) if asks else None
        waits = asked is not None and asked.at > now
        if fresh.on_missed != "ask" or waits or (asks and asked is None):
            self._tell(repos, look, asked, unasked=asks and asked is None)

    def _ask(self, repos: Repositories, look: _Look) -> _Asked | None:
        """Raise the follow-up; they are written to in their hours. None where they cannot be."""
        expectation, person, owner = look.expectation, look.person, look.people.get(look.expectation.owner)
        if person is None or owner is None or not may_be_asked(person):
            return None
        channel, _, chat = expectation.conversation.partition(":")
        proposal = opening.Proposal(
            concern_id=repos.concerns.next_id(owner_day(self._services.clock.now(), repos.people.owner())),
            type=ConcernType.ABSENCE_FOLLOWUP,
            title=expectation.what,
            goal=_goal(expectation),
            words=expectation.words,
            initiator=owner,
            channel=channel,
            channel_user_id=owner.user_id_on(channel) or chat,
            conversation=None,  # they did not ask for it just now: there is nothing to acknowledge
            origin_message_id=None,
            delegates=(person,),
            priority=Priority.MEDIUM,
        )
        setting = self._services.setting(look.people)
        raised = opening.open_concern(proposal, setting)
        cause = {"expectation_id": expectation.expectation_id, "due": look.run.due.isoformat()}
        commit(repos, replace(raised, concern=raised.concern.model_copy(update={"trigger": cause})), new=True)
        return _Asked(raised.concern.concern_id, first_hour(raised.concern, person, setting.now, setting))

    def _tell(self, repos: Repositories, look: _Look, asked: _Asked | None, *, unasked: bool) -> None:
        expectation, now = look.expectation, self._services.clock.now()
        later = asked.at if asked is not None and asked.at > now else None
        values = {
            "name": expectation.who,
            "what": expectation.what,
            "due": look.run.due.isoformat(),
            "asked": asked is not None and later is None,
            "later": later.isoformat() if later is not None else None,
            "unasked": unasked,
        }
        words = Words(template="chat/absent", values=values)
        now_button = (Button(label=label("now"), data=f"now:{asked.concern_id}"),) if asked else ()
        message = Outgoing(
            purpose=Purpose.NOTICE,
            to=expectation.owner,
            words=words,
            buttons=(now_button,) if later is not None else (),
        )
        key = f"absent:{expectation.expectation_id}:{look.run.due.isoformat()}"
        apply(repos, Send(key=key, due=now, message=message))

    def _expire(self, repos: Repositories, watch_id: str) -> None:
        item, now = repos.agenda.watch(watch_id), self._services.clock.now()
        if item is None or item.expires_at > now or not end_item(repos, item, "dropped", now):
            return
        words = Words(template="chat/watch_over", values={"what": item.what})
        message = Outgoing(purpose=Purpose.NOTICE, to=item.owner, words=words)
        apply(repos, Send(key=f"watch-over:{watch_id}", due=now, message=message))


def _happened(repos: Repositories, person: Person | None, since: datetime, until: datetime) -> tuple[StoredFact, ...]:
    """All messages of a person and events about them (None: all events) of a window, however many there are."""
    found: dict[FactId, StoredFact] = {}
    while True:
        page = repos.facts.about(person, since, until, PAGE)
        fresh = {f.fact_id: f for f in page if f.fact_id not in found}
        found |= fresh
        if len(page) < PAGE or not fresh:
            return tuple(found.values())
        since = page[-1].fact.occurred_at


def _message(fact: Fact) -> tuple[str, str]:
    return fact.channel, fact.message_id or fact.event_id


def _said_to_earlier(repos: Repositories, expectation: Expectation) -> frozenset[tuple[str, str]]:
    """What was said to an earlier run that was missed: it counts for that one, and for no other."""
    asked = repos.concerns.list(open_only=False, limit=PAGE, initiator=expectation.owner)
    said = ((c, e) for c in asked if _is_of(c, expectation) for e in c.conversation_log if e.direction == "inbound")
    earlier = (e for c, e in said if _is_for_earlier(e, c, expectation.next_due))
    return frozenset((e.channel, e.message_id) for e in earlier if e.message_id is not None)


def _is_for_earlier(entry: LogEntry, concern: Concern, next_due: datetime | None) -> bool:
    """Said while that run was still open, soon after it was asked after, or nearer to it than to the next one."""
    if next_due is None or (concern.closed_at is not None and entry.ts > concern.closed_at):
        return False
    asked = [e.ts for e in concern.conversation_log if e.direction == "outbound" and e.ts <= entry.ts]
    if asked and entry.ts - asked[-1] <= AN_ANSWER:
        return True
    due = datetime.fromisoformat(str((concern.trigger or {})["due"]))
    return entry.ts - due <= next_due - entry.ts


def _end(repos: Repositories, item_id: str) -> None:
    repos.agenda.take(item_id)


def _answers(repos: Repositories, person: Person | None) -> frozenset[tuple[str, str]]:
    if person is None:
        return frozenset()
    last = repos.concerns.last_closed_by_delegate(person.person_id)
    matters = (*repos.concerns.open_by_delegate(person.person_id), *((last,) if last is not None else ()))
    said = (e for c in matters for e in c.dialogue_with(person.person_id) if e.direction == "inbound")
    return frozenset((e.channel, e.message_id) for e in said if e.message_id is not None)


def _is_asked_already(repos: Repositories, expectation: Expectation) -> bool:
    if expectation.person_id is None:
        return False
    return any(_is_of(c, expectation) for c in repos.concerns.open_by_delegate(expectation.person_id))


def _is_of(concern: Concern, expectation: Expectation) -> bool:
    cause = concern.trigger or {}
    return concern.type is ConcernType.ABSENCE_FOLLOWUP and cause.get("expectation_id") == expectation.expectation_id


def _goal(expectation: Expectation) -> str:
    """The frame in which the rules put a deed (`core.brain.rules.words.goal`), in the language of the thing itself."""
    if is_english(expectation.what):
        return f"Done by {expectation.who}: {expectation.what}"
    return f"{expectation.who}办好：{expectation.what}"
