"""ActionEvaluator: can one tendency be done, now, with these abilities? Executes nothing and stores nothing."""

from __future__ import annotations

from core.action.model import EvaluatorResult
from core.brain.port import Brain
from core.brain.questions import Evaluate


class ActionEvaluator:
    """From one tendency and its context to an `EvaluatorResult`."""

    async def evaluate(self, brain: Brain, question: Evaluate) -> EvaluatorResult:
        """The brain's result, clamped: nobody outside the directory, nobody twice, and never the sender."""
        result = await brain.ask(question)
        raised = result.parameters.get("raise_concern")
        if not result.ok or raised is None:
            return result
        known = {c.person_id for c in question.contacts}
        named = [str(p) for p in raised.get("people") or ()]
        people = [p for p in dict.fromkeys(named) if p in known and p != question.sender_id]
        strange = tuple(p for p in named if p not in known)
        parameters = {**result.parameters, "raise_concern": {**raised, "people": people}}
        if not strange:
            return result.model_copy(update={"parameters": parameters})
        return result.model_copy(
            update={
                "parameters": parameters,
                "need_confirm": True,
                "unknown_people": (*result.unknown_people, *strange),
            }
        )
