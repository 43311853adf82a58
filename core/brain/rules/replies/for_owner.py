"""The points of a reply that only the initiator can settle, in their language."""

from __future__ import annotations

import re

from core.brain.questions import Assess
from core.brain.rules.converse import WHO
from core.brain.rules.replies.reply import hands_back
from core.brain.rules.replies.scene import Reading, core_words, in_english
from core.brain.rules.words import phrases
from core.brain.rules.words.text import any_of, clauses, fold, grams
from core.patterns import lazy


def for_owner(q: Assess, reading: Reading, met: bool, name: str, pronoun: str | None) -> str | None:
    """The point that only the initiator can settle, in their language; None where there is none."""
    key = _owner_key(q, reading, met)
    if key is None:
        return None
    language = q.initiator_language
    asks_alone = key == "owner_question" and reading.questions and not hands_back(reading.words)
    words = " ".join(reading.questions) if asks_alone else core_words(reading.words)
    values = phrases.pronoun(pronoun, language, name) | {"other": reading.names_other or "", "before": "", "plan": ""}
    if key == "owner_proposal":
        before, words = halves(words)
        values |= {"before": _sentence(before, language), "plan": phrases.say(_plan_key(words), language)}
    if key == "owner_question":
        return phrases.say(
            key, language, who=name, words=f"{bare(words)}{'?' if in_english(language) else '？'}", **values
        )
    return phrases.say(key, language, who=name, words=bare(words), **values)


def bare(words: str) -> str:
    return words.strip().rstrip("。.？?！!，, ")


def _sentence(words: str, language: str) -> str:
    """Words as a sentence of their own, with the blank that English wants behind it."""
    return "" if not words else f"{bare(words)}. " if in_english(language) else f"{bare(words)}。"


_TURNS = any_of(
    r"""
    要不(?!要|然|了|是)|不如|能不能|可不可以|(?<!不)建议|(?<!不)能(?:换|改|推|晚|先|等)
    \b(?:how about|what about|can we|could we|would|i(?:'d)? suggest|i propose|is it ok|shall we|what if|can i)\b
    """
)


def halves(words: str) -> tuple[str, str]:
    """What stands before a proposal, and the proposal itself without the word that opens it."""
    hit = _TURNS.search(fold(words))
    if hit is None:
        return "", words
    opened = re.sub(r"^(?:要不然?|不如|建议)[,，\s]*", "", words[hit.start() :])
    return words[: hit.start()], re.sub(r"[?？]\s*(?=\S)", "，", opened)


def _plan_key(words: str) -> str:
    return "stopgap" if re.search(r"先|临时|暂时|过渡|for now|temporar|until|in the meantime", fold(words)) else "plan"


def _owner_key(q: Assess, reading: Reading, met: bool) -> str | None:
    if reading.attitude == "away":
        return "owner_away"
    if reading.attitude == "refused":
        return "owner_points" if reading.names_other else "owner_refused"
    if reading.proposal:
        return "owner_proposal"
    if reading.conditional and not met:
        return "owner_condition"
    if asks_who(reading):
        return None
    if reading.questions and reading.attitude in ("question", "answered") and answer_from_matter(q, reading) is None:
        return "owner_question"
    if reading.for_owner and not met:
        return "owner_self" if reading.attitude == "resistant" else "owner_said"
    return None


def asks_who(reading: Reading) -> bool:
    """All that they want to know is who is writing: the bot says that itself."""
    asked = reading.questions if reading.attitude == "question" else ()
    return bool(asked) and all(WHO.search(fold(one)) for one in asked)


# Who asks for the hour is not answered by a day.
_CLOCK = lazy(r"几点|\bwhat time\b")
_CLOCK_SAID = lazy(r"[\d一二两三四五六七八九十]+\s?[点:时]|\d\s?(?:am|pm)\b|o'?clock|\bnoon\b|下班|中午")


def answer_from_matter(q: Assess, reading: Reading) -> str | None:
    """A delegate's question that the initiator's own words answer: a version, a deadline, a place named there."""
    asked = " ".join(reading.questions)
    own = fold(asked)
    if _CLOCK.search(own) and not any(_CLOCK_SAID.search(fold(w)) for w in q.initiator_words):
        return None
    for sentence in [c for w in reversed(q.initiator_words) for c in clauses(w)]:
        said = fold(sentence)
        if re.search(r"版本|version|哪个版", own) and re.search(r"v?\d+(?:\.\d+)+", said):
            return sentence
        if re.search(r"什么时候|啥时候|哪天|几号(?=$|[\W前之交给发要])|几点|最晚|截止|when|deadline|by when", own) and (
            re.search(r"前|之前|by\b|before|\d|周|今天|明天", said)
        ):
            return sentence
        if len(grams(asked) & grams(sentence)) >= 2 and len(grams(sentence) - grams(asked) - grams(q.title)) >= 1:
            return sentence
    return None
