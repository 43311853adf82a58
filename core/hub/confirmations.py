"""Pending confirmations: a button or a later message says yes, no, or who is meant. Each is taken up once."""

from __future__ import annotations

from core.action.model import EvaluatorResult
from core.action.planner import plan
from core.context.workspace import Block
from core.hub.actions import ActionEntry
from core.hub.commit import apply
from core.hub.executor import Keep
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.ports import Repositories


class Confirmations:
    """What happens to an action that waits."""

    def __init__(self, services: Services, entry: ActionEntry) -> None:
        self._services = services
        self._entry = entry

    def confirm(self, turn: Turn, block: Block, brain: TurnBrain) -> Outcome:
        """Yes: the action runs, and is not asked about again."""
        return self._run(turn, block, EvaluatorResult.model_validate(block.content["result"]), brain, "confirm")

    def pick(self, turn: Turn, block: Block, index: int, brain: TurnBrain) -> Outcome:
        """Who is meant by the first ambiguous name; the next one, if there is one, is asked about then."""
        result = EvaluatorResult.model_validate(block.content["result"])
        if not result.ambiguous or not 0 <= index < len(result.ambiguous[0].candidates):
            return self.stale(turn)
        chosen = result.ambiguous[0].candidates[index]
        raised = dict(result.parameters.get("raise_concern", {}))
        raised["people"] = list(dict.fromkeys([*(raised.get("people") or ()), chosen]))
        left = result.ambiguous[1:]
        settled = result.model_copy(
            update={
                "parameters": {**result.parameters, "raise_concern": raised},
                "ambiguous": left,
                "need_confirm": bool(left or result.unknown_people),
            }
        )
        return self._run(turn, block, settled, brain, "confirm", confirmed=not settled.need_confirm)

    def deny(self, turn: Turn, block: Block) -> Outcome:
        """No: nothing happens, and the sender reads that."""
        said = turn.reply(self._services.clock.now(), "chat/denied", summary=block.summary)
        return Outcome("deny", "denied", self._taking(turn, block, lambda repos: apply(repos, said)))

    def stale(self, turn: Turn) -> Outcome:
        """A button or a yes for something that is settled or has lapsed."""
        said = turn.reply(self._services.clock.now(), "chat/stale_button")
        return Outcome("ignore", "taken up or lapsed before", lambda repos: apply(repos, said))

    def _run(
        self,
        turn: Turn,
        block: Block,
        result: EvaluatorResult,
        brain: TurnBrain,
        decision: str,
        *,
        confirmed: bool = True,
    ) -> Outcome:
        made = plan(block.content["tendency"], result, turn.sender.role, confirmed=confirmed)
        run = self._entry.carry_out(made, turn, block.content["words"], 0, brain)
        return Outcome(decision, f"{decision}: {block.summary}", self._taking(turn, block, run))

    def _taking(self, turn: Turn, block: Block, then: Keep) -> Keep:
        """Take the block up in the transaction itself: of two yeses only one does anything."""
        late = turn.reply(self._services.clock.now(), "chat/stale_button")

        def keep(repos: Repositories) -> None:
            if repos.blocks.take(block.block_id) is None:
                apply(repos, late)
            else:
                then(repos)

        return keep
