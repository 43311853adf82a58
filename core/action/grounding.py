"""Whether the sender's own words bear what a model made of them.

A model reads words of others beside the message: replies of delegates, names, titles, events. It may take an order in
them for the sender's. So what it proposes stands by itself only as far as the message bears it; the rest waits for the
sender's yes, is asked back about, or is let go. The rules read nothing but the sender's words, and where they read
something in them that is the measure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from core.action.meta_actions import REGISTRY
from core.action.model import EvaluatorResult
from core.brain.questions import Evaluate, Extract, Judge, Judgement
from core.brain.rules.amending.slots import keys_of, people_of, words_of
from core.brain.rules.evaluate import evaluate
from core.brain.rules.extract import extract
from core.brain.rules.judge import judge
from core.brain.rules.words.names import masked, mentions
from core.brain.rules.words.targets import concerns_meant
from core.brain.rules.words.text import CJK, fold, grams, is_english
from core.patterns import lazy
from core.timetalk import contradicts, deadline

PENDING = frozenset({"confirm", "deny", "amend"})
TALK = frozenset({"converse", "ignore"})

BORNE_SHARE = 0.5
"""Part of the words of a text that must stand in the message for the text to count as the sender's."""

RUN_ZH, RUN_EN = 6, 16
"""Characters in a row that, found in words of others and not in the sender's, were taken from there."""

_ALIKE = (
    frozenset({"raise_concern", "send_message", "advance_concern", "update_concern"}),
    frozenset({"remind", "schedule"}),
    frozenset({"expect", "watch"}),
)
"""Abilities between which a model may choose otherwise than the rules."""

_MARKS = lazy(r"\W+")


def own_judgement(judgement: Judgement, question: Judge) -> Judgement:
    """What a model's judgement of a starter's message comes to.

    A yes must be one by the rules too. What would settle, call off or change something where the rules hear mere talk,
    or something else to be settled, is asked back about (`unclear`), or goes the way of a new order, on which each step
    is looked at. Of several matters those are meant that the rules find, where they find any.
    """
    decision = judgement.decision
    if decision not in PENDING | {"cancel", "decide", "supplement"}:
        return judgement
    ruled = judge(question)
    if ruled.decision in TALK:
        if decision in ("cancel", "supplement"):
            return judgement.model_copy(update={"decision": "raise", "targets": ()})
        return judgement.model_copy(update={"unclear": True})
    if decision in PENDING and ruled.decision in PENDING:
        return ruled if decision == "confirm" else judgement
    if decision != ruled.decision:
        return ruled.model_copy(update={"unclear": True})
    told = bool(ruled.targets) and not ruled.unclear
    fits = set(judgement.targets) <= set(ruled.targets) if told else len(judgement.targets) < 2
    return judgement if fits else ruled


def own_tendencies(tendencies: Sequence[str], question: Extract) -> tuple[str, ...]:
    """Those that stand in the message, in its words; all of them where the rules find as many goals in it. Where none
    does, those that the rules find: an order is not lost beside one of somebody else.
    """
    ruled = extract(question).tendencies
    if len(tendencies) <= len(ruled):
        return tuple(tendencies)
    return tuple(t for t in tendencies if _share(t, question.text) >= BORNE_SHARE) or ruled


def borne(result: EvaluatorResult, question: Evaluate) -> EvaluatorResult:
    """The result, which needs a yes unless the message bears it; where the rules hear a mere question, that one's."""
    if not result.ok or result.need_confirm:
        return result
    ruled = [r for r in _by_rules(question) if r.ok]
    if _is_borne(result, ruled, question):
        return result
    looks = next((r for r in ruled if not _doing(r)), None)
    return looks if looks is not None and len(ruled) == 1 else result.model_copy(update={"need_confirm": True})


def _is_borne(result: EvaluatorResult, ruled: Sequence[EvaluatorResult], question: Evaluate) -> bool:
    """Whether it may run without a yes: whom it reaches, what it does and says, and when, come from the sender's words.

    What only looks something up may always.
    """
    doing = _doing(result)
    return not doing or (
        _people_borne(result, ruled, question)
        and _matters_borne(result, ruled, question)
        and _words_borne(result, question)
        and not any(contradicts(at, question.text, question.now) for at in _moments(result, question))
        and all(_key_borne(key, ruled, result, question) for key in doing)
    )


def _doing(result: EvaluatorResult) -> list[str]:
    """Its abilities that do more than look something up."""
    return [key for key in keys_of(result) if not _only_looks(key)]


def _only_looks(key: str) -> bool:
    info = REGISTRY[key].info if key in REGISTRY else None
    return info is not None and info.idempotent and not info.outside_effect


def _by_rules(question: Evaluate) -> list[EvaluatorResult]:
    """What the rules make of the message, goal by goal; of a change, the result after it."""
    if question.pending is not None:
        return [evaluate(question), question.pending]
    found = extract(
        Extract(text=question.text, now=question.now, contacts=question.contacts, concerns=question.concerns)
    )
    return [evaluate(question.model_copy(update={"tendency": t})) for t in found.tendencies]


def _people_borne(result: EvaluatorResult, ruled: Iterable[EvaluatorResult], question: Evaluate) -> bool:
    named = {i for m in mentions(question.text, question.contacts) for i in m.ids}
    named.update(p for r in ruled for p in people_of(r))
    return named.issuperset(people_of(result))


def _matters_borne(result: EvaluatorResult, ruled: Iterable[EvaluatorResult], question: Evaluate) -> bool:
    meant = set(concerns_meant(question.text, question.concerns))
    meant.update(i for r in ruled for i in _ids(r))
    return meant.issuperset(_ids(result))


def _ids(result: EvaluatorResult) -> list[str]:
    """Matters that it changes; which are looked at does not count."""
    return [
        str(i)
        for key, given in result.parameters.items()
        if not _only_looks(key) or key == "advance_concern"
        for i in given.get("concern_ids") or ()
    ]


def _key_borne(key: str, ruled: Sequence[EvaluatorResult], result: EvaluatorResult, question: Evaluate) -> bool:
    """The rules find the same to do, or something like it; or its words are the sender's own."""
    like = next((group for group in _ALIKE if key in group), frozenset({key}))
    if any(not like.isdisjoint(keys_of(r)) for r in ruled):
        return True
    if key in ("cancel_concern", "invite_person"):
        return False
    return all(_share(words, question.text) >= BORNE_SHARE for words in words_of(result, goals=False))


def _moments(result: EvaluatorResult, question: Evaluate) -> list[datetime]:
    """Those that it sets: when it is to be done, and its limit where the words set one; in the sender's zone where they
    tell none."""
    now = question.now
    told: list[Any] = [result.when]
    if deadline(question.text, now, gone=True) is not None:
        told += [given.get("deadline") for given in result.parameters.values()]
    found = []
    for moment in told:
        try:
            at = moment if isinstance(moment, datetime) else datetime.fromisoformat(moment or "")
        except (TypeError, ValueError):
            continue
        found.append(at if at.tzinfo is not None else at.replace(tzinfo=now.tzinfo))
    return found


def _words_borne(result: EvaluatorResult, question: Evaluate) -> bool:
    """Nothing is said in others' words; and what people read is, by its words, about what the sender said."""
    own = _own_words(question)
    if any(_taken(words, _words_of_others(question), own) for words in words_of(result)):
        return False
    about = masked(own, question.contacts).folded
    return all(_is_about(masked(words, question.contacts).folded, about) for words in words_of(result))


def _own_words(question: Evaluate) -> str:
    """The message, what it changes, and what the sender's open matters are called. Earlier lines do not count: in a
    group they are not all theirs.
    """
    told = [question.text]
    if question.pending is not None:
        told += [question.tendency, *words_of(question.pending)]
    told += [text for c in question.concerns for text in (c.title, c.goal)]
    return "\n".join(told)


def _words_of_others(question: Evaluate) -> str:
    told = (question.context, *(c.standing for c in question.concerns), *(line.text for line in question.recent))
    return "\n".join(told)


def _taken(words: str, others: str, own: str) -> bool:
    """Whether a run of the words stands in what others wrote, and not in the sender's."""
    told, theirs, mine = (_MARKS.sub("", fold(text)) for text in (words, others, own))
    length = RUN_ZH if CJK.search(told) else RUN_EN
    runs = (told[i : i + length] for i in range(len(told) - length + 1))
    return any(run in theirs and run not in mine for run in runs)


def _is_about(words: str, own: str) -> bool:
    """Whether they have anything in common; what holds no word of its own, or is in another language, may stand."""
    theirs = grams(words)
    return not theirs or is_english(words) != is_english(own) or bool(theirs & grams(own))


def _share(words: str, own: str) -> float:
    """How much of the words stands in the sender's, 0 to 1."""
    theirs = grams(words)
    return len(theirs & grams(own)) / len(theirs) if theirs else 1.0
