"""An absence: something was expected by now, and the hub looks whether it came (RULES 2). For what was looked out for
until now see `expired`.

What came is counted and nobody hears of it. What did not is an absence: by the wish of whoever waits for it the person
is asked (a concern of type `absence_followup`, once, however often it is missed while that one is open), they are told
in one line, or both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.action.meta_actions import Expect
from core.agenda.absence import Occasion, evidence, judged, occasion, standing
from core.agenda.model import Expectation
from core.agenda.watch import awaited_of
from core.brain.rules.words.text import is_english
from core.concern import opening
from core.concern.followup import opening as first_hour
from core.concern.model import Concern, ConcernType, LogEntry, Priority
from core.concern.points import label
from core.effects import Button, Outgoing, Purpose, Send, Words
from core.facts import Fact, Signal, SignalKind, StoredFact
from core.hub.abilities.expecting import may_be_asked
from core.hub.commit import apply, commit
from core.hub.outcome import Outcome
from core.hub.services import Services, everybody, owner_day
from core.hub.simple_mode import TurnBrain
from core.hub.turns.expired import ExpiredTurn
from core.hub.turns.happened import PAGE, answers_of, happened, is_read_out, message_of
from core.ids import ConcernId, PersonId
from core.people import Person
from core.ports import Repositories

AN_ANSWER = timedelta(hours=2)
"""What comes so soon after the question what became of an earlier run is about that one."""


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
    cause: str = ""
    """`f12`: the absence itself."""


@dataclass(frozen=True)
class _Asked:
    """The follow-up that was raised, and when they are written to."""

    concern_id: ConcernId
    at: datetime


class AbsenceTurn:
    """Judges absences."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._expired = ExpiredTurn(services)

    async def handle(self, stored: StoredFact, brain: TurnBrain) -> Outcome:
        """The outcome to commit; an item that was ended or judged meanwhile is let be."""
        item_id = stored.fact.item_id or ""
        if item_id.startswith("w"):
            return await self._expired.handle(stored, brain)
        look = await self._services.store.run(lambda repos: self._look(repos, item_id))
        if look is None:
            return Outcome("ignore", "it is not due any more")
        look = replace(look, cause=f"f{stored.fact_id}")
        owner = look.people.get(look.expectation.owner)
        if owner is None or owner.role not in Expect.info.who_may:
            return Outcome("ignore", "nobody waits for it who may", lambda repos: _end(repos, item_id))
        shown = evidence(look.expectation, look.person, look.facts, look.said_by_owner)
        if shown is None and await self._is_read_out(look, brain):
            shown = "read out of what was said"
        if shown is not None:
            return Outcome("ignore", f"it came: {shown[:200]}", lambda repos: self._keep(repos, look, met=True))
        missed = Signal(
            kind=SignalKind.ABSENCE,
            what=look.expectation.what,
            person_id=look.expectation.person_id,
            when=look.run.due,
        )
        return Outcome("raise", "absence", lambda repos: self._keep(repos, look, met=False)).lifting(missed)

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
            [f for f in happened(repos, person, run.since, now) if message_of(f.fact) not in before] if person else []
        )
        # Events name a person where the source knows one; others are told by their words.
        found += [e for e in happened(repos, None, run.since, now) if e.fact.person_id is None]
        said = [f for f in happened(repos, owner, run.since, now) if not _orders_it(f, expectation)] if owner else []
        return _Look(
            expectation,
            run,
            person,
            people,
            standing(f.fact for f in found),
            standing(f.fact for f in said),
            answers_of(repos, person),
        )

    async def _is_read_out(self, look: _Look, brain: TurnBrain) -> bool:
        awaited, owner = awaited_of(look.expectation), look.people.get(look.expectation.owner)
        return await is_read_out(self._services, brain, awaited, look.person, owner, look.facts, look.elsewhere)

    # --- what follows ---------------------------------------------------------------------------------------------

    def _keep(self, repos: Repositories, look: _Look, *, met: bool) -> None:
        fresh = repos.agenda.expectation(look.expectation.expectation_id)
        if fresh is None or fresh.next_due != look.expectation.next_due:
            return
        now = self._services.clock.now()
        repos.agenda.put_expectation(judged(fresh, look.run, met, now, look.people.get(fresh.owner)))
        if met:
            return
        back = _back(look, fresh)
        asks = fresh.on_missed != "tell" and back is None and not _is_asked_already(repos, fresh)
        asked = self._ask(repos, look) if asks else None
        waits = asked is not None and asked.at > now
        if fresh.on_missed != "ask" or waits or (asks and asked is None):
            self._tell(repos, look, asked, unasked=asks and asked is None, back=back)

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
            cause=look.cause,
        )
        setting = self._services.setting(look.people)
        raised = opening.open_concern(proposal, setting)
        cause = {"expectation_id": expectation.expectation_id, "due": look.run.due.isoformat()}
        commit(repos, replace(raised, concern=raised.concern.model_copy(update={"trigger": cause})), new=True)
        return _Asked(raised.concern.concern_id, first_hour(raised.concern, person, setting.now, setting))

    def _tell(
        self, repos: Repositories, look: _Look, asked: _Asked | None, *, unasked: bool, back: datetime | None
    ) -> None:
        expectation, now = look.expectation, self._services.clock.now()
        later = asked.at if asked is not None and asked.at > now else None
        values = {
            "name": expectation.who,
            "what": expectation.what,
            "due": look.run.due.isoformat(),
            "asked": asked is not None and later is None,
            "later": later.isoformat() if later is not None else None,
            "unasked": unasked,
            "back": back.isoformat() if back is not None else None,
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


def _orders_it(said: StoredFact, expectation: Expectation) -> bool:
    """Whether these are the words that want it: 「日报明天要交了，没交提醒我」 does not say that it came."""
    fact = said.fact
    return (fact.conversation, fact.message_id) == (expectation.conversation, expectation.message_id)


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


def _is_asked_already(repos: Repositories, expectation: Expectation) -> bool:
    if expectation.person_id is None:
        return False
    return any(_is_of(c, expectation) for c in repos.concerns.open_by_delegate(expectation.person_id))


def _is_of(concern: Concern, expectation: Expectation) -> bool:
    cause = concern.trigger or {}
    return concern.type is ConcernType.ABSENCE_FOLLOWUP and cause.get("expectation_id") == expectation.expectation_id


def _back(look: _Look, expectation: Expectation) -> datetime | None:
    """When they are back, where one of many runs fell into their absence: that one is not asked after. What is to come
    once is still to come, and asked after on their return.
    """
    if look.person is None or expectation.due.kind == "once":
        return None
    return look.person.back_after(look.run.due)


def _goal(expectation: Expectation) -> str:
    """The frame in which the rules put a deed (`core.brain.rules.words.goal`), in the language of the thing itself."""
    if is_english(expectation.what):
        return f"Done by {expectation.who}: {expectation.what}"
    return f"{expectation.who}办好：{expectation.what}"
