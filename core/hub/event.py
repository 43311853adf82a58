"""An event from outside: data without authority. It can only bear on matters that are open (RULES 2)."""

from __future__ import annotations

from core.brain.questions import MatchReply
from core.brain.rules.text import shared
from core.concern import inbound
from core.concern.model import Concern
from core.facts import StoredFact
from core.hub.commit import commit
from core.hub.outcome import Outcome
from core.hub.services import Services, everybody
from core.hub.simple_mode import TurnBrain
from core.hub.views import delegate_brief
from core.ids import ConcernId, PersonId
from core.ports import Repositories

LOOKED_AT = 200
"""Open concerns that an event without a person is held against, the newest first."""


class EventTurn:
    """Finds the open matter that an event bears on; one that bears on none is kept and nothing more."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def handle(self, stored: StoredFact) -> Outcome:
        """The outcome to commit. Where several matters fit and it can't be told which, nothing is guessed."""
        fact = stored.fact
        near = [c for c in await self._candidates(fact.person_id) if shared(fact.text, f"{c.title} {c.goal}")]
        if not near:
            return Outcome("ignore", "bears on nothing that is open")
        concern = near[0] if len(near) == 1 else await self._told_apart(fact.text, near)
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
            return repos.concerns.list(open_only=True, limit=LOOKED_AT)

        return await self._services.store.run(read)

    async def _told_apart(self, text: str, near: list[Concern]) -> Concern | None:
        by_id = {c.concern_id: c for c in near}
        briefs = tuple(delegate_brief(c, c.delegates[0].person_id) for c in near if c.delegates)
        brain = TurnBrain(self._services.brain, self._services.simple_brain)
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
