"""An event from outside: data without authority. It can only bear on what is open or awaited (RULES 2)."""

from __future__ import annotations

from core.brain.questions import MatchReply
from core.concern import inbound
from core.concern.matching import best_fitting, fit, part_shown, terms_in
from core.concern.model import Concern
from core.facts import Event, Fact, Signal, SignalKind, StoredFact
from core.hub.commit import commit
from core.hub.outcome import Outcome
from core.hub.services import Services, everybody
from core.hub.simple_mode import TurnBrain
from core.hub.turns.awaited import Heard, Lookout
from core.hub.views import event_brief
from core.ids import ConcernId, PersonId
from core.people import Person, holders_of
from core.ports import Repositories


class EventTurn:
    """Finds what is awaited that an event shows, and the open matter that it bears on; else it is only kept."""

    def __init__(self, services: Services, lookout: Lookout) -> None:
        self._services = services
        self._lookout = lookout

    async def handle(self, stored: StoredFact, brain: TurnBrain) -> Outcome:
        """The outcome to commit."""
        fact = stored.fact
        about = await self._services.store.run(lambda repos: _whom(repos, fact))
        heard = Heard(fact.text, about, f"f{stored.fact_id}", happened=True)
        noticed = await self._lookout.notice(heard, brain)
        outcome = await self._supplemented(stored, about, brain)
        if not noticed:
            return outcome
        if outcome.decision == "ignore":
            outcome = Outcome("watch", "it was awaited")
        return outcome.and_then(lambda repos: self._lookout.keep(repos, heard, noticed))

    async def _supplemented(self, stored: StoredFact, about: Person | None, brain: TurnBrain) -> Outcome:
        """Where several open matters fit and it can't be told which, nothing is guessed."""
        event, who = event_of(stored.fact), about.person_id if about is not None else None
        near = best_fitting(event, who, await self._candidates(event, who))
        if not near:
            return Outcome("ignore", "bears on nothing that is open")
        concern = near[0] if len(near) == 1 else await self._told_apart(event, near, brain)
        if concern is None:
            return Outcome("ignore", "it can't be told which matter it bears on")
        why = f"evidence: {fit(event, concern).name.lower()}"

        def keep(repos: Repositories) -> None:
            fresh = repos.concerns.get(concern.concern_id)
            if fresh is not None:
                setting, at = self._services.setting(everybody(repos)), stored.fact.occurred_at
                commit(repos, inbound.evidence(fresh, part_shown(fresh, who), event, at, setting, f"f{stored.fact_id}"))

        outcome = Outcome("supplement", why, keep, (concern.concern_id,))
        return outcome.lifting(*_signals(event, who, concern))

    async def _candidates(self, event: Event, who: PersonId | None) -> tuple[Concern, ...]:
        """Those that its words lead to, and those in which the person is asked; so many of each at most."""
        most = self._services.limits.event.candidates

        def read(repos: Repositories) -> tuple[Concern, ...]:
            asked = repos.concerns.open_by_delegate(who, most) if who is not None else ()
            found = (*asked, *repos.concerns.speaking_of(terms_in(event), most))
            return tuple({c.concern_id: c for c in found}.values())

        return await self._services.store.run(read)

    async def _told_apart(self, event: Event, near: tuple[Concern, ...], brain: TurnBrain) -> Concern | None:
        by_id = {c.concern_id: c for c in near}
        briefs = tuple(event_brief(c) for c in near)
        match = await brain.ask(MatchReply(text=event.line, now=self._services.clock.now(), candidates=briefs))
        if match.unclear or len(match.concern_ids) != 1:
            return None
        return by_id.get(ConcernId(match.concern_ids[0]))


def event_of(fact: Fact) -> Event:
    """What happened, in parts; of a fact that came without them its text is all there is."""
    return fact.event or Event(source=fact.sender_name or fact.channel, kind="", subject=fact.text)


def _whom(repos: Repositories, fact: Fact) -> Person | None:
    """Whom it is about: the person that it names, else the one whose account did it."""
    if fact.person_id is not None:
        return repos.people.get(fact.person_id)
    accounts = fact.event.accounts if fact.event is not None else ()
    found = holders_of(accounts, repos.people.all()) if accounts else ()
    return found[0] if len(found) == 1 else None


def _signals(event: Event, who: PersonId | None, concern: Concern) -> tuple[Signal, ...]:
    kinds = (SignalKind.EVIDENCE, SignalKind.BLOCKER) if event.came_to == "failed" else (SignalKind.EVIDENCE,)
    return tuple(Signal(kind=k, what=event.line, person_id=who, concern_id=concern.concern_id) for k in kinds)
