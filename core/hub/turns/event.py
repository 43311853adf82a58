"""An event from outside: data without authority. It can only bear on what is open or awaited (RULES 2)."""

from __future__ import annotations

from core.brain.questions import MatchReply
from core.brain.rules.words.goal import core_of
from core.brain.rules.words.text import shared
from core.concern import inbound
from core.concern.model import Concern
from core.facts import StoredFact
from core.hub.commit import commit
from core.hub.outcome import Outcome
from core.hub.services import Services, everybody
from core.hub.simple_mode import TurnBrain
from core.hub.turns.awaited import Heard, Lookout
from core.hub.views import delegate_brief
from core.ids import ConcernId, PersonId
from core.ports import Repositories

LOOKED_AT = 200
"""Open concerns that an event without a person is held against, the newest first."""


class EventTurn:
    """Finds what is awaited that an event shows, and the open matter that it bears on; else it is only kept."""

    def __init__(self, services: Services, lookout: Lookout) -> None:
        self._services = services
        self._lookout = lookout

    async def handle(self, stored: StoredFact, brain: TurnBrain) -> Outcome:
        """The outcome to commit."""
        fact = stored.fact
        about = await self._services.store.run(
            lambda repos: repos.people.get(fact.person_id) if fact.person_id is not None else None
        )
        heard = Heard(fact.text, about, f"f{stored.fact_id}", happened=True)
        noticed = await self._lookout.notice(heard, brain)
        outcome = await self._supplemented(stored, brain)
        if not noticed:
            return outcome
        if outcome.decision == "ignore":
            outcome = Outcome("watch", "it was awaited")
        return outcome.and_then(lambda repos: self._lookout.keep(repos, heard, noticed))

    async def _supplemented(self, stored: StoredFact, brain: TurnBrain) -> Outcome:
        """Where several open matters fit and it can't be told which, nothing is guessed."""
        fact = stored.fact
        near = [c for c in await self._candidates(fact.person_id) if shared(fact.text, f"{c.title} {core_of(c.goal)}")]
        if not near:
            return Outcome("ignore", "bears on nothing that is open")
        concern = near[0] if len(near) == 1 else await self._told_apart(fact.text, near, brain)
        about = _about(concern, fact.person_id) if concern else None
        if concern is None or about is None:
            return Outcome("ignore", "it can't be told which matter it bears on")

        def keep(repos: Repositories) -> None:
            fresh = repos.concerns.get(concern.concern_id)
            if fresh is not None:
                setting = self._services.setting(everybody(repos))
                commit(repos, inbound.evidence(fresh, about, fact.text, setting, f"f{stored.fact_id}"))

        return Outcome("supplement", "evidence", keep, (concern.concern_id,))

    async def _candidates(self, person_id: PersonId | None) -> tuple[Concern, ...]:
        def read(repos: Repositories) -> tuple[Concern, ...]:
            if person_id is not None:
                return repos.concerns.open_by_delegate(person_id)
            return tuple(c for c in repos.concerns.list(open_only=True, limit=LOOKED_AT) if c.delegates)

        return await self._services.store.run(read)

    async def _told_apart(self, text: str, near: list[Concern], brain: TurnBrain) -> Concern | None:
        by_id = {c.concern_id: c for c in near}
        briefs = tuple(delegate_brief(c, c.delegates[0].person_id) for c in near if c.delegates)
        match = await brain.ask(MatchReply(text=text, now=self._services.clock.now(), candidates=briefs))
        if match.unclear or len(match.concern_ids) != 1:
            return None
        return by_id.get(ConcernId(match.concern_ids[0]))


def _about(concern: Concern, person_id: PersonId | None) -> PersonId | None:
    """Whose part of the matter it concerns: the person named, else the only one who owes an answer."""
    if person_id is not None:
        return person_id
    owing = [p.person_id for p in concern.delegates if p.comm_status.is_owing]
    return owing[0] if len(owing) == 1 else None
