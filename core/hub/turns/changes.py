"""Edits and recalls by an initiator (RULES 2): before anything went out they replace or cancel; after, they correct.

An edit is read for itself, as though nothing were open. What it still wants of the same people corrects what they were
asked, each hearing of their own part alone; what it wants of others is a new request; what it wants no more, the sender
is asked about where somebody has heard of it, and is dropped where nobody has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from core.action.meta_actions import (
    RaiseConcern,
    RaiseConcernParameters,
    SendMessage,
    SendMessageParameters,
    UpdateConcern,
)
from core.action.model import ImmediateExecutableAction, Plan, RefusedTendency
from core.callbacks import Callback
from core.concern import relay, steer
from core.concern.changes import was_contacted
from core.concern.model import Concern
from core.concern.schedule import PlannedStep
from core.effects import Send
from core.facts import FactKind
from core.hub.acting.actions import ActionEntry, Part
from core.hub.acting.executor import Keep
from core.hub.commit import apply, commit
from core.hub.outcome import Outcome
from core.hub.owed import title_of
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.hub.turns import adding
from core.hub.turns.initiator import InitiatorTurn
from core.hub.turns.raised import Raised, forget, is_delegation, raised_by, still_open, take_back, withdraw
from core.hub.views import compose_view
from core.ids import PersonId
from core.ports import Repositories

Wish = RaiseConcernParameters | SendMessageParameters

_NOTHING_NEW = ("converse", "ignore", "watch")
"""Judgements of an edit that put nothing in the place of what the words had asked for: that it is off is said."""


class Changes:
    """Finds what a changed message had raised, and lets it know."""

    def __init__(self, services: Services, initiator: InitiatorTurn, entry: ActionEntry) -> None:
        self._services = services
        self._initiator = initiator
        self._entry = entry

    async def handle(self, turn: Turn, brain: TurnBrain) -> Outcome | None:
        """None when the message had raised nothing: then it is judged like a new one."""
        raised = await self._services.store.run(lambda repos: raised_by(repos, turn))
        if not raised:
            return None
        if turn.fact.kind is FactKind.RECALL:
            outcome: Outcome | None = self._recalled(turn, raised)
        else:
            outcome = await self._edited(turn, raised, brain) if raised.is_new else None
        if not raised.added:
            return outcome
        # What an edit of the words still wants added takes the place of what they had added before.
        outcome = outcome or await self._initiator.handle(turn, brain)
        return outcome.and_then(lambda repos: adding.take_back(repos, turn, raised.added, self._services))

    async def _edited(self, turn: Turn, raised: Raised, brain: TurnBrain) -> Outcome | None:
        only = raised.only
        if not raised.told and (only is None or not is_delegation(only)):
            return await self._replaced(turn, raised, brain)
        parts = await self._entry.read(turn, brain, turn.text, concerns=())
        if raised.told:
            return await self._corrected(turn, raised, parts, brain)
        wish = _wish(parts[0].plan) if len(parts) == 1 else None
        if only is not None and isinstance(wish, RaiseConcernParameters) and _asks_the_same(only, wish):
            return await self._amended(turn, only, wish, turn.text, brain)
        return await self._replaced(turn, raised, brain)

    # --- taken back ---------------------------------------------------------------------------------------------------

    def _recalled(self, turn: Turn, raised: Raised) -> Outcome:
        concerns = (*raised.told, *raised.untold)
        said = self._not_recalled(turn, raised.told) if raised.told else None
        if not concerns and not raised.added:
            said = turn.reply(self._services.clock.now(), "chat/taken_back")

        def keep(repos: Repositories) -> None:
            take_back(repos, turn, concerns, self._services)
            left = forget(repos, raised, self._services)
            for record in left:
                apply(repos, self._is_out(turn, record))
            if said is not None and not (raised.all_owed and left == raised.owed):
                apply(repos, said)

        decision = "supplement" if concerns or raised.added else "cancel"
        ids = (*(c.concern_id for c in concerns), *(concern_id for concern_id, _ in raised.added))
        return Outcome(decision, "the request was recalled", keep, tuple(dict.fromkeys(ids)))

    def _is_out(self, turn: Turn, record: Callback) -> Send:
        """A reminder or a result that has left is said to have."""
        now, part = self._services.clock.now(), f"out:{record.id}"
        return turn.reply(now, "chat/callback_off", part=part, title=title_of(record), out=True)

    def _not_recalled(self, turn: Turn, told: Sequence[Concern]) -> Send | None:
        """What has been passed on can't be called back: whom it reached. None where nothing was only passed on."""
        relays = [c for c in told if c.relay is not None]
        names = list(dict.fromkeys(p.display_name for c in relays for p in relay.told(c)))
        return turn.reply(self._services.clock.now(), "chat/relay_not_recalled", names=names) if names else None

    # --- edited -------------------------------------------------------------------------------------------------------

    async def _replaced(self, turn: Turn, raised: Raised, brain: TurnBrain) -> Outcome:
        """Nobody has heard of it: what there was goes, and the message is judged like a new one."""
        left = tuple(b for b in turn.pending if b not in raised.blocks)
        outcome = await self._initiator.handle(replace(turn, pending=left), brain)

        end = take_back if outcome.decision in _NOTHING_NEW else withdraw

        def drop(repos: Repositories) -> None:
            end(repos, turn, raised.untold, self._services)
            forget(repos, raised, self._services)

        return Outcome(outcome.decision, outcome.reason, drop, outcome.concerns).and_then(outcome.keep)

    async def _corrected(self, turn: Turn, raised: Raised, parts: Sequence[Part], brain: TurnBrain) -> Outcome | None:
        """Somebody has heard of it. None where it was only passed on and nobody is told anything any more."""
        pairs, new = _paired(raised.told, parts)
        if not any(_understood(p.plan) for p in parts):
            return await self._unread(turn, raised, brain)
        alone = raised.only is not None and len(parts) == 1
        if alone and not pairs and (moved := self._moved(turn, raised.told[0], parts[0], brain)) is not None:
            return moved
        outcome = Outcome("supplement", "the request was edited", concerns=tuple(c.concern_id for c in raised.told))
        for concern, part in pairs:
            wish = _wish(part.plan)
            words = turn.text if alone else part.words
            if isinstance(wish, SendMessageParameters):
                outcome = outcome.and_then(self._correct_relay(turn, concern, wish, alone=alone))
            elif isinstance(wish, RaiseConcernParameters) and (alone or not _is_the_same(concern, wish)):
                outcome = outcome.and_then((await self._amended(turn, concern, wish, words, brain)).keep)
        gone = tuple(c for c in raised.told if all(c is not concern for concern, _ in pairs))
        runs = [self._entry.carry_out(p.plan, turn, p.words, n, brain) for n, p in enumerate(new) if _is_order(p.plan)]
        return outcome.and_then(self._the_rest(turn, raised, gone, runs))

    def _moved(self, turn: Turn, concern: Concern, part: Part, brain: TurnBrain) -> Outcome | None:
        """The same matter with other people: who comes is asked, who goes is told that it is theirs no longer."""
        wish = _wish(part.plan)
        if not is_delegation(concern) or not isinstance(wish, RaiseConcernParameters):
            return None
        before = [str(p.person_id) for p in concern.delegates]
        changed: dict[str, Any] = {
            "concern_ids": [concern.concern_id],
            "add_people": [p for p in wish.people if p not in before],
            "remove_people": [p for p in before if p not in wish.people],
        }
        if not _is_the_same(concern, wish):
            changed |= {"title": wish.title, "goal": wish.goal, "deadline": wish.deadline}
        step = PlannedStep(key=UpdateConcern.info.key, parameters=changed)
        action = ImmediateExecutableAction(tendency=part.tendency, stages={1: (step,)})
        keep = self._entry.carry_out(action, turn, turn.text, 0, brain)
        return Outcome("supplement", "the request was edited to other people", keep, (concern.concern_id,))

    def _the_rest(self, turn: Turn, raised: Raised, gone: Sequence[Concern], runs: Sequence[Keep]) -> Keep:
        """What is wanted no more goes, and what is wanted besides begins."""

        def keep(repos: Repositories) -> None:
            take_back(repos, turn, gone, self._services)
            withdraw(repos, turn, raised.untold, self._services)
            forget(repos, raised, self._services)
            for run in runs:
                run(repos)

        return keep

    async def _unread(self, turn: Turn, raised: Raised, brain: TurnBrain) -> Outcome | None:
        """The new words are no order of their own. What is one matter they go to; of several nothing is guessed."""
        only = raised.only
        if only is not None:
            return await self._amended(turn, only, None, turn.text, brain) if is_delegation(only) else None
        open_still = [c.title for c in raised.told if c.status.is_open]
        if not open_still:
            return None
        said = turn.reply(self._services.clock.now(), "chat/edit_unclear", titles=open_still)
        return Outcome("converse", "an edit that nothing could be read out of", partial(apply, effect=said))

    def _correct_relay(self, turn: Turn, concern: Concern, wish: SendMessageParameters, *, alone: bool) -> Keep:
        """Who was told already hears the new words, where these are others."""
        if not alone and wish.text == concern.source.detail:
            return lambda repos: None
        names = [p.display_name for p in relay.told(concern)]
        part = "reply" if alone else f"corrected:{concern.concern_id}"
        said = turn.reply(self._services.clock.now(), "chat/relay_corrected", part=part, names=names)

        def keep(repos: Repositories) -> None:
            fresh = repos.concerns.get(concern.concern_id)
            if fresh is not None:
                commit(repos, relay.corrected(fresh, wish.text, self._services.setting(turn.people), turn.cause))
            apply(repos, said)

        return keep

    async def _amended(
        self, turn: Turn, concern: Concern, wish: RaiseConcernParameters | None, words: str, brain: TurnBrain
    ) -> Outcome:
        """The same people are asked something else: a correction, or before anything went out the new request."""
        texts = await self._corrections(turn, concern, wish, brain)

        def keep(repos: Repositories) -> None:
            setting, where = self._services.setting(turn.people), turn.fact.conversation
            for fresh in still_open(repos, (concern,)):
                amended = steer.amend(
                    fresh,
                    words,
                    setting,
                    turn.cause,
                    where,
                    edited=True,
                    title=wish.title if wish else None,
                    goal=wish.goal if wish else None,
                    texts=texts,
                )
                commit(repos, amended)

        return Outcome("supplement", "the request was edited", keep, (concern.concern_id,))

    async def _corrections(
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


def _wish(plan: Plan) -> Wish | None:
    """The one delegation or relay that a plan is; None where it is anything else, or more."""
    if not isinstance(plan, ImmediateExecutableAction):
        return None
    steps = [step for stage in plan.stages.values() for step in stage]
    match [step.key for step in steps]:
        case [RaiseConcern.info.key]:
            return RaiseConcernParameters.model_validate(steps[0].parameters)
        case [SendMessage.info.key]:
            return SendMessageParameters.model_validate(steps[0].parameters)
    return None


def _understood(plan: Plan) -> bool:
    return not isinstance(plan, RefusedTendency)


def _is_order(plan: Plan) -> bool:
    return not isinstance(plan, RefusedTendency) or plan.kind != "no_action"


def _paired(told: Sequence[Concern], parts: Sequence[Part]) -> tuple[list[tuple[Concern, Part]], list[Part]]:
    """Each matter with the part of the edit that asks the same people, in their order; and the parts that are new."""
    left, pairs = list(parts), []
    for concern in told:
        part = next((p for p in left if _asks_the_same(concern, _wish(p.plan))), None)
        if part is not None:
            left.remove(part)
            pairs.append((concern, part))
    return pairs, left


def _asks_the_same(concern: Concern, wish: Wish | None) -> bool:
    """The edit left the people as they were: only the words changed."""
    if wish is None or is_delegation(concern) is not isinstance(wish, RaiseConcernParameters):
        return False
    return {str(p.person_id) for p in concern.delegates} == set(wish.people)


def _is_the_same(concern: Concern, wish: RaiseConcernParameters) -> bool:
    return (concern.title, concern.goal, concern.deadline) == (wish.title, wish.goal, wish.deadline)
