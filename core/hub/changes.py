"""Edits and recalls by an initiator (RULES 2): before anything went out they replace or cancel; after, they correct."""

from __future__ import annotations

from core.concern import steer
from core.concern.changes import anything_sent
from core.concern.closing import cancelled
from core.concern.model import Concern
from core.facts import FactKind
from core.hub.commit import commit
from core.hub.initiator import InitiatorTurn
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.ports import Repositories


class Changes:
    """Finds what a changed message had raised, and lets the concern know."""

    def __init__(self, services: Services, initiator: InitiatorTurn) -> None:
        self._services = services
        self._initiator = initiator

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
            return self._each(turn, still_open, "recalled")
        untouched = [c for c in still_open if not anything_sent(c)]
        if len(untouched) == len(still_open):
            return await self._replaced(turn, untouched, brain)
        return self._each(turn, still_open, "corrected")

    async def _replaced(self, turn: Turn, concerns: list[Concern], brain: TurnBrain) -> Outcome:
        """Nobody has been written to: the old request goes, the new one is judged in its place."""
        outcome = await self._initiator.handle(turn, brain)

        def withdraw(repos: Repositories) -> None:
            for concern in concerns:
                fresh = repos.concerns.get(concern.concern_id)
                if fresh is not None and fresh.status.is_open:
                    commit(repos, cancelled(fresh, "原话改了", self._services.setting(turn.people), turn.cause))

        return Outcome(outcome.decision, outcome.reason, withdraw, outcome.concerns).and_then(outcome.keep)

    def _each(self, turn: Turn, concerns: tuple[Concern, ...], what: str) -> Outcome:
        def keep(repos: Repositories) -> None:
            for concern in concerns:
                fresh = repos.concerns.get(concern.concern_id)
                if fresh is None or not fresh.status.is_open:
                    continue
                setting = self._services.setting(turn.people)
                if what == "recalled":
                    commit(repos, steer.recalled(fresh, setting, turn.fact.conversation, turn.sender))
                else:
                    commit(
                        repos, steer.amend(fresh, turn.text, setting, turn.cause, turn.fact.conversation, edited=True)
                    )

        return Outcome("supplement", f"the request was {what}", keep, tuple(c.concern_id for c in concerns))
