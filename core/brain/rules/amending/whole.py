"""A pending action changed by what the sender says before they say yes: the whole result after the change (RULES 6).

A change that is carried out is a yes to everything that was asked about, save what it leaves in doubt: a name that
nobody has or several have, and money, a promise or everybody as long as nobody says to go ahead.
"""

from __future__ import annotations

from core.brain.questions import Evaluate, EvaluatorResult
from core.brain.rules.amending.people import PeopleChange, change_people
from core.brain.rules.amending.slots import PEOPLE, people_of, with_value, words_of
from core.brain.rules.amending.times import change_times, time_replacer
from core.brain.rules.amending.words import change_words, is_tone, rephrase
from core.brain.rules.owner.reaching import EVERYONE
from core.brain.rules.words.risk import is_risky
from core.brain.rules.words.text import any_of, fold, without_quotes
from core.brain.rules.words.urgency import priority_of

_GO = any_of(
    r"""
    (?:发|办|问|打|做|执行|安排|提交|去)(?:出去|了|掉)?吧|(?:就|可以|直接|然后|再)(?:可以|去|给)?(?:发|办|问|打)(?:了|出去)
    没问题了?就|(?:改完|改好)就?(?:发|办|问|打)
    \bgood to go|\bgo ahead|\b(?:then|and) (?:send|go|ask|do|pay)\b|\bsend it\b(?! to)|\botherwise (?:fine|good|ok)
    \b(?:fine|good|ok) otherwise|\bthe rest is (?:fine|good|ok)
    """
)


def amended(q: Evaluate) -> EvaluatorResult:
    """`q.pending` after the change that `q.text` wants; refused as unclear when it does not say how."""
    before = q.pending
    if before is None:
        raise ValueError("Only what waits for a confirmation can be amended.")
    text = without_quotes(q.text)
    people = change_people(q, before)
    after = people.result
    after, said = _words_and_times(q, text, after, people)
    after, hurried = _priority(q, text, after)
    if not (people.changed or said or hurried):
        return EvaluatorResult(refusal="unclear", missing="what", reason="it is not clear what is to be changed")
    if people_of(before) and not (people_of(after) or after.ambiguous or after.unknown_people):
        return EvaluatorResult(refusal="no_action", reason="nobody is left who is to be reached")
    doubt = _doubt(q, text, before, after, people)
    return after.model_copy(update={"need_confirm": bool(doubt), "reason": doubt or "changed as wanted"})


def _words_and_times(
    q: Evaluate, text: str, result: EvaluatorResult, people: PeopleChange
) -> tuple[EvaluatorResult, bool]:
    """What is said or asked comes first: a time that stands in a question belongs to the question."""
    change = change_words(text, result, add=not people.changed)
    if change is not None:
        rephrased = rephrase(result, change, tone=is_tone(change))
        if rephrased != result or is_tone(change):
            return rephrased, True
    if (retimed := change_times(q, result)) is not None:
        return retimed, True
    if people.changed or (replacer := time_replacer(text, q.now)) is None:
        return result, False
    moved = rephrase(result, replacer)
    return moved, moved != result


def _priority(q: Evaluate, text: str, result: EvaluatorResult) -> tuple[EvaluatorResult, bool]:
    priority = priority_of(text, None, q.now)
    if priority == "medium":
        return result, False
    changed = with_value(result, ("raise_concern", "update_concern", "send_message"), "priority", priority)
    return changed, changed != result


def _doubt(q: Evaluate, text: str, before: EvaluatorResult, after: EvaluatorResult, people: PeopleChange) -> str:
    """Why it must still be asked about, or nothing."""
    if after.unknown_people:
        return f"nobody is known as {', '.join(after.unknown_people)}"
    if after.ambiguous:
        return f"several people answer to {', '.join(a.name for a in after.ambiguous)}"
    if says_go(text):
        return ""
    if risks(after, q.tendency):
        return "moves money or commits the owner"
    if EVERYONE.search(fold(q.tendency)) and not people.named:
        return "more people would be reached than were named"
    return ""


def says_go(text: str) -> bool:
    """Whether a change also says to go ahead with it."""
    return bool(_GO.search(fold(text)))


def risks(result: EvaluatorResult, tendency: str) -> bool:
    """Whether words that reach somebody move money or bind the owner."""
    reaches = any(key in PEOPLE for key in result.parameters)
    return reaches and any(is_risky(w) for w in (tendency, *words_of(result, goals=False)))
