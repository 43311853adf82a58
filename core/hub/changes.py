"""Edits and recalls by an initiator (RULES 2): before anything went out they replace or cancel; after, they correct."""

from __future__ import annotations

from core.action.meta_actions import RaiseConcernParameters
from core.concern import steer
from core.concern.changes import anything_sent, was_contacted
from core.concern.closing import cancelled
from core.concern.model import Concern
from core.facts import FactKind
from core.hub.actions import ActionEntry
from core.hub.commit import commit
from core.hub.initiator import InitiatorTurn
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.hub.views import compose_view
from core.ids import ConcernId, PersonId
from core.ports import Repositories

Corrections = dict[ConcernId, dict[PersonId, str]]


class Changes:
    """Finds what a changed message had raised, and lets the concern know."""

    def __init__(self, services: Services, initiator: InitiatorTurn, entry: ActionEntry) -> None:
        self._services = services
        self._initiator = initiator
        self._entry = entry

    async def handle(self, turn: Turn, brain: TurnBrain) -> Outcome | None:
        """None when the message had raised nothing: then it is judged like a new one."""
        message_id = turn.fact.message_id
        if message_id is None:
            return None
        raised = await self._services.store.run(
            lambda repos: repos.concerns.by_origin(turn.fact.channel, message_id, turn.sender.person_id)
        )
        still_open = tuple(c for c in raised if c.status.is_open)
        if not still_open:
            return None
        if turn.fact.kind is FactKind.RECALL:
            return self._recalled(turn, still_open)
        wish = await self._entry.reread(turn, brain, turn.text)
        same_people = wish is not None and len(still_open) == 1 and _asks_the_same(still_open[0], wish)
        if not same_people and not any(anything_sent(c) for c in still_open):
            return await self._replaced(turn, still_open, brain)
        corrections = {c.concern_id: await self._words(turn, c, wish, brain) for c in still_open}
        return self._amended(turn, still_open, wish if same_people else None, corrections)

    async def _words(
        self, turn: Turn, concern: Concern, wish: RaiseConcernParameters | None, brain: TurnBrain
    ) -> dict[PersonId, str]:
        """The correction for each delegate who was asked already: the new question, no word about the others."""
        if wish is None:
            return {}
        source = concern.source.model_copy(update={"detail": wish.message or wish.title})
        changed = concern.model_copy(update={"title": wish.title, "goal": wish.goal, "source": source})
        now = self._services.clock.now()
        texts: dict[PersonId, str] = {}
        for person in concern.delegates:
            if was_contacted(concern, person.person_id):
                view = compose_view(
                    changed, person.person_id, "correction", turn.people, now, persona=self._services.persona
                )
                texts[person.person_id] = (await brain.ask(view)).text
        return texts

    def _amended(
        self, turn: Turn, concerns: tuple[Concern, ...], wish: RaiseConcernParameters | None, corrections: Corrections
    ) -> Outcome:
        def keep(repos: Repositories) -> None:
            setting, where = self._services.setting(turn.people), turn.fact.conversation
            for concern in concerns:
                fresh = repos.concerns.get(concern.concern_id)
                if fresh is None or not fresh.status.is_open:
                    continue
                amended = steer.amend(
                    fresh,
                    turn.text,
                    setting,
                    turn.cause,
                    where,
                    edited=True,
                    title=wish.title if wish else None,
                    goal=wish.goal if wish else None,
                    texts=corrections[concern.concern_id],
                )
                commit(repos, amended)

        return Outcome("supplement", "the request was edited", keep, tuple(c.concern_id for c in concerns))

    def _recalled(self, turn: Turn, concerns: tuple[Concern, ...]) -> Outcome:
        def keep(repos: Repositories) -> None:
            setting = self._services.setting(turn.people)
            for concern in concerns:
                fresh = repos.concerns.get(concern.concern_id)
                if fresh is not None and fresh.status.is_open:
                    commit(repos, steer.recalled(fresh, setting, turn.fact.conversation, turn.sender))

        return Outcome("supplement", "the request was recalled", keep, tuple(c.concern_id for c in concerns))

    async def _replaced(self, turn: Turn, concerns: tuple[Concern, ...], brain: TurnBrain) -> Outcome:
        """Nobody has been written to, and it is another request now: the old one goes, the new one is judged."""
        outcome = await self._initiator.handle(turn, brain)

        def withdraw(repos: Repositories) -> None:
            for concern in concerns:
                fresh = repos.concerns.get(concern.concern_id)
                if fresh is not None and fresh.status.is_open:
                    commit(repos, cancelled(fresh, "原话改了", self._services.setting(turn.people), turn.cause))

        return Outcome(outcome.decision, outcome.reason, withdraw, outcome.concerns).and_then(outcome.keep)


def _asks_the_same(concern: Concern, wish: RaiseConcernParameters) -> bool:
    """The edit left the people as they were: only the question changed."""
    return {str(p.person_id) for p in concern.delegates} == set(wish.people)
