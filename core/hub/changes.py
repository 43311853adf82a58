"""Edits and recalls by an initiator (RULES 2): before anything went out they replace or cancel; after, they correct."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.action.meta_actions import RaiseConcernParameters, SendMessageParameters
from core.concern import relay, steer
from core.concern.changes import anything_sent, was_contacted
from core.concern.closing import cancelled
from core.concern.model import Concern
from core.context.workspace import Block, BlockKind
from core.facts import FactKind
from core.hub.actions import ActionEntry
from core.hub.commit import apply, commit
from core.hub.initiator import InitiatorTurn
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.hub.views import compose_view
from core.ids import ConcernId, PersonId
from core.ports import Repositories

_WAITING = (BlockKind.ACTIONS_NEED_CONFIRMATION, BlockKind.PENDING_ACTION_INTENTIONS)

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
        raised, items = await self._services.store.run(lambda repos: _raised(repos, turn, message_id))
        still_open = tuple(c for c in raised if c.status.is_open)
        told = tuple(c for c in raised if c.relay is not None and relay.told(c))
        if told:
            return await self._told_already(turn, told, brain)
        blocks = tuple(b for b in turn.pending if b.message_id == message_id and b.kind in _WAITING)
        if not still_open:
            return await self._nothing_raised(turn, blocks, items, brain) if blocks or items else None
        if turn.fact.kind is FactKind.RECALL:
            return self._recalled(turn, still_open)
        wish = await self._entry.reread(turn, brain, turn.text)
        if not isinstance(wish, RaiseConcernParameters) or still_open[0].relay is not None:
            wish = None
        same_people = wish is not None and len(still_open) == 1 and _asks_the_same(still_open[0], wish.people)
        if not same_people and not any(anything_sent(c) for c in still_open):
            return await self._replaced(turn, still_open, brain)
        corrections = {c.concern_id: await self._words(turn, c, wish, brain) for c in still_open}
        return self._amended(turn, still_open, wish if same_people else None, corrections)

    async def _nothing_raised(
        self, turn: Turn, blocks: tuple[Block, ...], items: tuple[str, ...], brain: TurnBrain
    ) -> Outcome:
        """Only something that waits, or is looked out for, came of the message: it goes, and the new one is judged."""

        def drop(repos: Repositories) -> None:
            for block in blocks:
                repos.blocks.take(block.block_id)
            for item_id in items:
                repos.agenda.take(item_id)

        if turn.fact.kind is FactKind.RECALL:
            said = turn.reply(self._services.clock.now(), "chat/taken_back")
            return Outcome("cancel", "recalled", drop).and_then(lambda repos: apply(repos, said))
        left = tuple(b for b in turn.pending if b not in blocks)
        outcome = await self._initiator.handle(replace(turn, pending=left), brain)
        return Outcome(outcome.decision, outcome.reason, drop, outcome.concerns).and_then(outcome.keep)

    async def _told_already(self, turn: Turn, relays: tuple[Concern, ...], brain: TurnBrain) -> Outcome | None:
        """Words that have been passed on can't be called back; when they were edited, the same people are told so.

        None where the message is about something or somebody else now.
        """
        now = self._services.clock.now()
        names = list(dict.fromkeys(p.display_name for c in relays for p in relay.told(c)))
        ids = tuple(c.concern_id for c in relays)
        if turn.fact.kind is FactKind.RECALL:
            said = turn.reply(now, "chat/relay_not_recalled", names=names)
            return Outcome("supplement", "a relay that was told already", lambda repos: apply(repos, said), ids)
        wish = await self._entry.reread(turn, brain, turn.text)
        if not isinstance(wish, SendMessageParameters) or not all(_asks_the_same(c, wish.people) for c in relays):
            return None
        said, text = turn.reply(now, "chat/relay_corrected", names=names), wish.text

        def keep(repos: Repositories) -> None:
            for concern_id in ids:
                fresh = repos.concerns.get(concern_id)
                if fresh is not None:
                    commit(repos, relay.corrected(fresh, text, self._services.setting(turn.people), turn.cause))
            apply(repos, said)

        return Outcome("supplement", "a relay was edited after it was told", keep, ids)

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


def _raised(repos: Repositories, turn: Turn, message_id: str) -> tuple[tuple[Concern, ...], tuple[str, ...]]:
    """The matters that the message had raised, and the ids of what is looked out for because of it."""
    me = turn.sender.person_id
    expected = [e.expectation_id for e in repos.agenda.expectations(me) if e.message_id == message_id]
    watched = [w.watch_id for w in repos.agenda.watches(me) if w.message_id == message_id]
    return repos.concerns.by_origin(turn.fact.channel, message_id, me), (*expected, *watched)


def _asks_the_same(concern: Concern, people: Iterable[str]) -> bool:
    """The edit left the people as they were: only the words changed."""
    return {str(p.person_id) for p in concern.delegates} == set(people)
