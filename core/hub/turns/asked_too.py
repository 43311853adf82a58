"""Somebody who starts matters of their own is asked something too: are their words an answer to it?

What they say may as well be meant for the bot, or for a matter of theirs. Taken for an answer it would be swallowed, so
it is one only where something speaks for it.
"""

from __future__ import annotations

from core.brain.questions import Judgement
from core.brain.rules.fits import answers
from core.brain.rules.words.text import shared
from core.concern.matching import contacted
from core.hub.turn import Turn
from core.hub.turns.placing import may_answer
from core.hub.views import delegate_brief


def answers_the_bot(turn: Turn, judgement: Judgement) -> bool:
    """Whether they speak of what they were asked, give it, or were asked it in the message right before.

    A change to a matter of their own is none, unless more of its words are of what they were asked.
    """
    me = turn.sender.person_id
    asked = [delegate_brief(c, me) for c in contacted(turn.asked, me) if may_answer(turn, c)]
    of_asked = max((shared(turn.text, f"{c.title} {c.goal} {c.asked}") for c in asked), default=0)
    if judgement.decision == "supplement" and judgement.targets:
        mine = (c for c in turn.briefs if c.concern_id in judgement.targets)
        return of_asked > max((shared(turn.text, f"{c.title} {c.goal}") for c in mine), default=0)
    if of_asked or any(answers(turn.text, turn.fact.occurred_at, c) for c in asked):
        return True
    last = next((line.text for line in reversed(turn.recent) if line.ours), "")
    return any(c.asked and c.asked in last for c in asked)
