"""ActionEvaluator: can one tendency be done, now, with these abilities? Executes nothing and stores nothing."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from core.action.grounding import borne
from core.action.model import EvaluatorResult
from core.brain.port import MODEL, Brain
from core.brain.questions import Evaluate
from core.brain.rules.words.names import mentions
from core.brain.rules.words.risk import is_risky
from core.patterns import lazy

PEOPLE = ("people", "add_people", "remove_people")
"""Parameters that hold a list of person ids, whatever the ability."""

PERSON = "person"
"""The parameter that holds one."""


REACHING = ("raise_concern", "send_message", "remind", "update_concern")
"""Abilities that write to people who were not in the matter before."""

CHANGING = ("update_concern", "advance_concern")
"""Abilities that put words to the people of an open matter."""


class ActionEvaluator:
    """From one tendency and its context to an `EvaluatorResult`."""

    async def evaluate(self, brain: Brain, question: Evaluate) -> EvaluatorResult:
        """The brain's result, clamped. Where it would change a matter of people who are not meant, the same is asked
        again as though nothing were open: the words are for others. What the sender's words do not bear needs a yes.
        """
        result = await brain.ask(question)
        if meddles(result, question):
            question = question.model_copy(update={"concerns": ()})
            result = await brain.ask(question)
        result = clamped(result, question)
        return borne(result, question) if brain.name == MODEL else result


def meddles(result: EvaluatorResult, question: Evaluate) -> bool:
    """Whether people are named, and the matter to be changed is none of theirs: then it would reach the wrong ones."""
    named = _named(question)
    if not result.ok or not named or question.pending is not None:
        return False
    for key in CHANGING:
        given = result.parameters.get(key, {})
        meant = [c for c in question.concerns if c.concern_id in (given.get("concern_ids") or ())]
        theirs = {p.person_id for c in meant for p in c.people}
        moved = {str(p) for name in ("add_people", "remove_people") for p in given.get(name) or ()}
        if meant and theirs and named.isdisjoint(theirs | moved):
            return True
    return False


def clamped(result: EvaluatorResult, question: Evaluate) -> EvaluatorResult:
    """What of a brain's result may stand: only abilities at hand, nobody outside the directory, nobody twice.

    A yes is needed for somebody whom nobody named or who may be the one who is quoted, for names outside the directory,
    and where money moves or the sender would be bound.
    """
    if not result.ok:
        return result
    at_hand = {m.key for m in question.available_meta_actions}
    wished = {key for keys in result.primary_action_chain.values() for key in keys}
    if wished and not wished & at_hand:
        return EvaluatorResult(ok=False, refusal="no_ability", reason=f"not at hand: {', '.join(sorted(wished))}")
    known = {c.person_id for c in question.contacts}
    strange: list[str] = []
    parameters = {key: _of_known(given, known, question.sender_id, strange) for key, given in result.parameters.items()}
    changes: dict[str, Any] = {"parameters": parameters}
    if strange:
        changes |= {"need_confirm": True, "unknown_people": (*result.unknown_people, *dict.fromkeys(strange))}
    elif question.pending is None and any(doubt(parameters, question) for doubt in _DOUBTS):
        changes["need_confirm"] = True
    return result.model_copy(update=changes)


def _named(question: Evaluate) -> set[str]:
    """Everybody whom the tendency names; a name that several share stands for each of them."""
    return {i for m in mentions(question.tendency, question.contacts) for i in m.ids}


_POINTED_AT = lazy(
    r"[他她它]们?|那[边位个些]|这[边位个些]|人家|对方|大家|所有|全体|各[位个组]|都|每[个位人]|"
    r"\b(?:him|her|them|they|he|she|everyone|everybody|all|each|both|those|whoever)\b",
    re.IGNORECASE,
)
"""Words that point at people without naming them: whom they mean is the brain's to say."""

_ONCE_MORE = lazy(r"再|也|还|催|\b(?:again|too|also)\b", re.IGNORECASE)
"""Words that point at people of before, where nobody is named."""


def _reached(parameters: dict[str, dict[str, Any]]) -> set[str]:
    """Everybody who would be written to."""
    return {
        str(p) for key in REACHING for name in ("people", "add_people") for p in parameters.get(key, {}).get(name) or ()
    }


def _unasked(parameters: dict[str, dict[str, Any]], question: Evaluate) -> bool:
    """Whether somebody would be written to whom neither the tendency nor the message names or points at."""
    reached = _reached(parameters)
    if not reached or _POINTED_AT.search(question.text):
        return False
    named = _named(question) | {i for m in mentions(question.text, question.contacts) for i in m.ids}
    if not named and _ONCE_MORE.search(question.text):
        return False
    return not reached <= named


_SAYS = lazy(
    r"\s*(?:那边|刚才|今天|昨天|已经)?(?:说|讲|表示|觉得|认为|同意|(?:says?|said|thinks?|thought|wants?|agrees?|agreed)\b)"
)


def _perhaps_quoted(parameters: dict[str, dict[str, Any]], question: Evaluate) -> bool:
    """Whether one who would be written to may only be quoted (`告诉张三老板说放假`): named right behind somebody else,
    and a word for saying follows.
    """
    reached, text = _reached(parameters), question.tendency
    named = mentions(text, question.contacts)
    return any(
        not text[one.end : other.start].strip() and _SAYS.match(text, other.end) and reached.intersection(other.ids)
        for one, other in pairwise(named)
        if set(one.ids) != set(other.ids)
    )


def _binds(parameters: dict[str, dict[str, Any]], question: Evaluate) -> bool:
    """Whether what goes out to people moves money or binds the sender (RULES 6)."""
    reaches = any(parameters.get(key, {}).get("people") for key in REACHING)
    return reaches and is_risky(question.tendency)


_DOUBTS = (_unasked, _perhaps_quoted, _binds)
"""Each makes a yes needed."""


def _of_known(given: dict[str, Any], known: set[str], sender: str, strange: list[str]) -> dict[str, Any]:
    """Parameters with known people only, each once; a sender who is to be asked themselves is left out."""
    kept = dict(given)
    for name in PEOPLE:
        if given.get(name):
            ids = [str(p) for p in given[name]]
            strange += [p for p in ids if p not in known and p != sender]
            kept[name] = [p for p in dict.fromkeys(ids) if p in known]
    if given.get(PERSON) and str(given[PERSON]) not in known | {sender}:
        strange.append(str(given[PERSON]))
        kept.pop(PERSON)
    return kept
