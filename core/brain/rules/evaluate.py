"""Can one tendency be done with the abilities at hand? A table: who fills in what for which intent."""

from __future__ import annotations

from collections.abc import Callable

from core.brain.questions import Evaluate, EvaluatorResult
from core.brain.rules.evaluating import contact, lookups, open_matters, reminding, standing
from core.brain.rules.evaluating.outcome import local_now, refused
from core.brain.rules.owner.asked import Reach
from core.brain.rules.owner.intent import Intent, intent_of

Filler = Callable[[Evaluate, Reach], EvaluatorResult]

FILLERS: dict[Intent, Filler] = {
    Intent.DELEGATE: contact.contact,
    Intent.SCHEDULE: standing.schedule,
    Intent.REMIND: reminding.remind,
    Intent.EXPECT: standing.expect,
    Intent.AMEND: open_matters.update,
    Intent.CANCEL: open_matters.cancel,
    Intent.STATUS: open_matters.check,
    Intent.LOOK_UP_PERSON: lookups.look_up_person,
    Intent.INVITE: lookups.invite,
    Intent.LOOK_UP_FACTS: lookups.look_up_facts,
    Intent.TASK: lookups.deep_task,
    Intent.WORLD: lookups.out_of_reach,
}
"""Intent → what fills in the ability that it needs. A new ability is one line here and one function."""


def evaluate(q: Evaluate) -> EvaluatorResult:
    """The result for one tendency, or for a change of what waits for a yes; a refusal says why."""
    if q.pending is not None:
        from core.brain.rules.amending.whole import amended  # it evaluates again what the change makes

        return amended(q)
    intent, found = intent_of(q.tendency, local_now(q), q.contacts, q.concerns, q.sender_id)
    if intent is Intent.CHAT:
        return refused("no_action", "nothing is to be done")
    result = FILLERS[intent](q, found)
    able = {m.key for m in q.available_meta_actions}
    lacking = [key for stage in result.primary_action_chain.values() for key in stage if key not in able]
    return refused("no_ability", f"no ability for this: {', '.join(lacking)}") if lacking else result
