"""Button presses. What a button may do is checked here against who pressed it; a stale or foreign one does nothing.

Payloads: `yes:BLOCK`, `no:BLOCK`, `edit:BLOCK`, `pick:BLOCK:N`, `act:BLOCK:N|all`, `which:BLOCK:N|all`,
`now:CONCERN`, `wait:CONCERN`, `choice:DECISION:WORD`, `away:CONCERN:WORD`.
"""

from __future__ import annotations

from typing import get_args

from core.concern import opening, steer
from core.concern.points import Choice
from core.context.workspace import Block, BlockKind
from core.hub.acting.confirmations import Confirmations
from core.hub.acting.which_action import asked_block
from core.hub.commit import apply, commit
from core.hub.errand import may_steer
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn, place_of, pressed_by_another
from core.hub.turns.delegate import DelegateTurn
from core.hub.turns.initiator import InitiatorTurn
from core.hub.turns.which import Choice as Picked
from core.hub.turns.which import chosen, place
from core.ids import ConcernId
from core.people import STARTERS
from core.ports import Repositories

CHOICES_IN_ALL: tuple[Choice, ...] = get_args(Choice)


ORDERS = frozenset({"yes", "edit", "pick", "act"})
"""Presses that carry out or change what somebody asked for."""


class Buttons:
    """Finds out what a press means and carries it out."""

    def __init__(
        self, services: Services, initiator: InitiatorTurn, delegate: DelegateTurn, confirmations: Confirmations
    ) -> None:
        self._services = services
        self._initiator = initiator
        self._delegate = delegate
        self._confirmations = confirmations

    async def handle(self, turn: Turn, brain: TurnBrain) -> Outcome:
        """The outcome to commit; a payload that this sender cannot have is ignored without a word to others."""
        if await self._services.store.run(lambda repos: pressed_by_another(repos, turn.fact)):
            return Outcome("ignore", "somebody else's button")
        verb, _, rest = (turn.fact.button or "").partition(":")
        if verb in ORDERS and turn.sender.role not in STARTERS:  # what they once asked for is theirs to order no more
            return self._confirmations.stale(turn)
        match verb:
            case "yes" | "no" | "edit" | "pick":
                return self._confirmation(turn, verb, rest, brain)
            case "act":
                block_id, _, choice = rest.partition(":")
                asked = asked_block(turn, block_id)
                outcome = await self._confirmations.which(turn, asked, choice, brain) if asked else None
                return outcome or self._confirmations.stale(turn)
            case "which":
                block_id, _, choice = rest.partition(":")
                block = self._block(turn, block_id, BlockKind.WHICH_CONCERN)
                return await self.pick(turn, block, choice, brain) if block else self._confirmations.stale(turn)
            case "now":
                return self._now(turn, ConcernId(rest))
            case "wait":
                return await self._wait(turn, ConcernId(rest))
            case "choice":
                return self._choice(turn, rest)
            case "away":
                return self._away(turn, rest)
        return Outcome("ignore", "an unknown button")

    async def pick(self, turn: Turn, block: Block, choice: str, brain: TurnBrain) -> Outcome:
        """Answer "which one?" and go on with what waited for it."""
        if block.content["verb"] == "change" and (target := place(block, choice)) is not None:
            changed = await self._initiator.changed(turn, brain, target, block.content["text"])
            return chosen(turn, self._services, block, choice, lambda repos, _: changed.keep(repos))
        return chosen(turn, self._services, block, choice, lambda repos, wanted: self._go_on(repos, turn, wanted))

    def _go_on(self, repos: Repositories, turn: Turn, wanted: Picked) -> None:
        match wanted.verb:
            case "cancel":
                self._initiator.cancel(repos, turn, wanted.concern_ids, wanted.text)
            case "decide":
                for concern_id in wanted.concern_ids:
                    self._initiator.decide(repos, turn, concern_id, wanted.text)
            case "heard" if not wanted.concern_ids:
                self._delegate.pass_on(repos, turn, wanted.text, wanted.attachments)
            case "heard":
                meant = [c for c in map(repos.concerns.get, wanted.concern_ids) if c is not None and c.status.is_open]
                for concern in meant:
                    self._delegate.hear(repos, turn, concern, wanted.text, wanted.message_id)
                self._delegate.hand_on(repos, turn, meant, wanted.text, wanted.attachments)

    @staticmethod
    def _block(turn: Turn, block_id: str, kind: BlockKind) -> Block | None:
        """A block of the sender's own; another person's does not exist for them."""
        return next((b for b in turn.pending if b.block_id == block_id and b.kind is kind), None)

    def _confirmation(self, turn: Turn, verb: str, rest: str, brain: TurnBrain) -> Outcome:
        block_id, _, number = rest.partition(":")
        block = self._block(turn, block_id, BlockKind.ACTIONS_NEED_CONFIRMATION)
        if block is None:
            return self._confirmations.stale(turn)
        if verb == "no":
            return self._confirmations.deny(turn, block)
        if verb == "edit":
            return self._confirmations.edit(turn, block)
        if verb == "pick":
            place = place_of(number)
            return self._confirmations.pick(turn, block, () if place is None else (place,), brain)
        return self._confirmations.confirm(turn, block, brain)

    def _now(self, turn: Turn, concern_id: ConcernId) -> Outcome:
        """Send a first contact that waits for its hours at once."""
        concern = next((c for c in turn.mine if c.concern_id == concern_id), None)
        if concern is None or not may_steer(turn.sender, concern):
            return self._confirmations.stale(turn)

        def keep(repos: Repositories) -> None:
            fresh = repos.concerns.get(concern_id)
            if fresh is not None and fresh.status.is_open:
                commit(repos, opening.send_now(fresh, self._services.setting(turn.people)))

        return Outcome("decide", "send now", keep, (concern_id,))

    async def _wait(self, turn: Turn, concern_id: ConcernId) -> Outcome:
        """A matter that stands still is to be left alone for now; that is a wish, and its standstill counts anew."""
        concern = await self._services.store.run(lambda repos: repos.concerns.get(concern_id))
        if concern is None or not concern.status.is_open or not may_steer(turn.sender, concern):
            return self._confirmations.stale(turn)
        said = turn.reply(self._services.clock.now(), "chat/left_alone", title=concern.title)

        def keep(repos: Repositories) -> None:
            fresh = repos.concerns.get(concern_id)
            if fresh is not None and fresh.status.is_open:
                commit(repos, steer.wait(fresh, self._services.setting(turn.people)))
                apply(repos, said)

        return Outcome("decide", "wait", keep, (concern_id,))

    def _choice(self, turn: Turn, rest: str) -> Outcome:
        """A ready answer to a point that waits."""
        decision_id, _, word = rest.partition(":")
        concern = next((c for c in turn.mine if c.decision and c.decision.decision_id == decision_id), None)
        choice = next((c for c in CHOICES_IN_ALL if c == word), None)
        if concern is None or choice is None:
            return self._confirmations.stale(turn)

        def keep(repos: Repositories) -> None:
            fresh = repos.concerns.get(concern.concern_id)
            if fresh is not None and fresh.decision is not None and fresh.decision.decision_id == decision_id:
                setting = self._services.setting(turn.people)
                commit(repos, steer.choose(fresh, choice, setting, turn.cause, turn.fact.conversation))

        return Outcome("decide", f"pressed {word}", keep, (concern.concern_id,))

    def _away(self, turn: Turn, rest: str) -> Outcome:
        """What to do about somebody's absence: wait, or ask whom to turn to."""
        concern_id, _, word = rest.partition(":")
        concern = next((c for c in turn.mine if c.concern_id == concern_id), None)
        if concern is None:
            return self._confirmations.stale(turn)
        if word != "swap":
            noted = turn.reply(self._services.clock.now(), "chat/waiting_on", title=concern.title)
            return Outcome("decide", "waits for them", lambda repos: apply(repos, noted), (concern.concern_id,))

        def keep(repos: Repositories) -> None:
            fresh = repos.concerns.get(concern.concern_id)
            if fresh is not None and fresh.status.is_open:
                setting = self._services.setting(turn.people)
                commit(repos, steer.swap_wanted(fresh, setting, turn.fact.conversation, turn.cause))

        return Outcome("decide", "wants somebody else", keep, (concern.concern_id,))
