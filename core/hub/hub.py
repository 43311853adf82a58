"""The cognitive hub: the one place that judges a fact.

Every message, edit, recall, press and timer comes through `handle`. It reads what it needs, asks the brain with no
transaction open, and commits the outcome together with "this fact is handled".
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from core.concern.matching import contacted
from core.effects import Advance
from core.errors import StaleVersion
from core.facts import FactKind, StoredFact
from core.hub.acting.action_scheduler import ActionScheduler
from core.hub.acting.actions import ActionEntry
from core.hub.acting.confirmations import Confirmations
from core.hub.acting.executor import ActionExecutor
from core.hub.commit import apply
from core.hub.context import context_of
from core.hub.doing import done_by
from core.hub.flood import flooded
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn, read_turn
from core.hub.turns.absence import AbsenceTurn
from core.hub.turns.asked_too import answers_the_bot
from core.hub.turns.awaited import Lookout
from core.hub.turns.brief import BriefTurn
from core.hub.turns.buttons import Buttons
from core.hub.turns.callback import CallbackTurn
from core.hub.turns.changes import Changes
from core.hub.turns.delegate import DelegateTurn
from core.hub.turns.event import EventTurn
from core.hub.turns.initiator import InitiatorTurn
from core.hub.turns.stranger import StrangerTurn
from core.hub.turns.stuck import StuckTurn
from core.hub.turns.which import waiting_question
from core.people import STARTERS
from core.ports import Repositories

MOST_REDOS = 8

Judging = Callable[[StoredFact, TurnBrain], Awaitable[Outcome]]
"""Judges a fact; the outcome is committed by the hub."""

OWN_MATTERS = frozenset({"raise", "watch", "confirm", "deny", "amend", "decide", "cancel"})
"""Judgements that are about what the sender started themselves."""


class CognitiveHub:
    """Judges facts. `handle` may be called again with the same fact after a crash: it ends in one outcome."""

    def __init__(self, services: Services) -> None:
        self._services = services
        executor = ActionExecutor(services)
        entry = ActionEntry(services, executor, ActionScheduler(services, executor))
        confirmations = Confirmations(services, entry)
        self._initiator = InitiatorTurn(services, entry, confirmations)
        self._delegate = DelegateTurn(services)
        self._stranger = StrangerTurn(services)
        self._lookout = Lookout(services)
        self._by_itself: Mapping[FactKind, Judging] = {
            FactKind.TIMER: self._timer,
            FactKind.EVENT: EventTurn(services, self._lookout).handle,
            FactKind.ABSENCE: AbsenceTurn(services).handle,
            FactKind.CALLBACK: CallbackTurn(services).handle,
            FactKind.STUCK: StuckTurn(services).handle,
            FactKind.BRIEF: BriefTurn(services).handle,
        }
        """Kinds of facts that are no word or press of somebody's, and who judges them."""
        self._buttons = Buttons(services, self._initiator, self._delegate, confirmations)
        self._changes = Changes(services, self._initiator, entry)

    async def handle(self, stored: StoredFact) -> Outcome:
        """Judge one fact and commit. Raises a `BrainError` only where nothing may be guessed; then nothing changed."""
        began = self._services.clock.now()
        for _ in range(MOST_REDOS):
            brain = TurnBrain(self._services.brain, self._services.simple_brain)
            outcome = await self._judge(stored, brain)
            close = partial(self._close, stored=stored, outcome=outcome, brain=brain.name, began=began)
            try:
                await self._services.store.run(close, at="judge")
            except StaleVersion:
                continue
            return replace(outcome, brain=brain.name)
        raise StaleVersion(f"fact {stored.fact_id} met {MOST_REDOS} changes while it was being judged")

    def _close(self, repos: Repositories, stored: StoredFact, outcome: Outcome, brain: str, began: datetime) -> None:
        outcome.keep(repos)
        now = self._services.clock.now()
        deed = done_by(repos, stored.fact, outcome, now)
        if deed is not None:
            repos.deeds.add(deed)
        repos.facts.handled(
            stored.fact_id,
            outcome.decision,
            outcome.reason,
            brain,
            now,
            milliseconds=max(0, round((now - began) / timedelta(milliseconds=1))),
            signals=outcome.signals,
        )

    async def _judge(self, stored: StoredFact, brain: TurnBrain) -> Outcome:
        by_itself = self._by_itself.get(stored.fact.kind)
        if by_itself is not None:
            return await by_itself(stored, brain)
        turn = await self._services.store.run(lambda repos: self._read(repos, stored))
        if isinstance(turn, Outcome):
            return turn
        if turn is None:
            return await self._stranger.handle(stored)
        return await self.judge(turn, brain)

    def _read(self, repos: Repositories, stored: StoredFact) -> Turn | Outcome | None:
        """What the judgement reads; None for a stranger, the outcome itself for one who floods the chat."""
        stored = repos.facts.whole(stored)
        fact = stored.fact
        if fact.kind is FactKind.PROMPT and fact.person_id is not None:
            sender = repos.people.get(fact.person_id)
        else:
            sender = repos.people.by_identity(fact.channel, fact.sender)
        flood = flooded(repos, stored, sender, self._services)
        if flood is not None:
            return flood
        return read_turn(repos, stored, sender) if sender is not None else None

    async def judge(self, turn: Turn, brain: TurnBrain) -> Outcome:
        """Route a turn by what happened and who did it."""
        fact = turn.fact
        if fact.kind is not FactKind.EDIT:  # an edited request is read for itself, as though nothing were open
            brain.reading(partial(context_of, self._services, turn))
        if fact.kind is FactKind.BUTTON:
            return await self._buttons.handle(turn, brain)
        if fact.kind is FactKind.PROMPT:
            return await self._initiator.kept(turn, brain)
        if fact.kind is FactKind.MESSAGE and (question := waiting_question(turn)) is not None:
            return await self._buttons.pick(turn, *question, brain)
        if turn.sender.role not in STARTERS:
            return await self._as_delegate(turn, brain)
        if fact.kind in (FactKind.EDIT, FactKind.RECALL):
            changed = await self._changes.handle(turn, brain)
            if changed is not None:
                return changed
        if await self._speaks_as_delegate(turn):
            return await self._as_delegate(turn, brain)
        if fact.kind is FactKind.RECALL:
            return self._initiator.took_back(turn)
        return await self._lookout.after_remark(turn, await self._initiator.handle(turn, brain), brain)

    async def _as_delegate(self, turn: Turn, brain: TurnBrain) -> Outcome:
        """What a delegate says, and what of the things awaited it shows."""
        return await self._lookout.after(turn, await self._delegate.handle(turn), brain)

    async def _speaks_as_delegate(self, turn: Turn) -> bool:
        """A starter who is asked something themselves: do these words answer it, or start something of their own?"""
        me = turn.sender.person_id
        if turn.quoted_concern is not None:
            return any(p.person_id == me for p in turn.quoted_concern.delegates)
        if not contacted(turn.asked, me) or turn.fact.forwarded_from is not None:
            return False
        question = self._initiator.question(turn)
        judgement = await self._services.simple_brain.ask(question)
        return judgement.decision not in OWN_MATTERS and answers_the_bot(turn, judgement)

    async def _timer(self, stored: StoredFact, _: TurnBrain) -> Outcome:
        """A concern's moment has come: its loop runs next."""
        fact = stored.fact
        if fact.concern_id is None or fact.trigger is None:
            return Outcome("ignore", "a timer without a concern")
        advance = Advance(
            key=f"advance:{fact.event_id}",
            due=self._services.clock.now(),
            concern_id=fact.concern_id,
            trigger=fact.trigger,
            person_id=fact.person_id,
        )
        return Outcome("supplement", f"{fact.trigger}", lambda repos: apply(repos, advance), (fact.concern_id,))
