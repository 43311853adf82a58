"""Whether two orders ask one and the same thing: strict, for what is taken for the same is not asked a second time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from core.brain.rules.words.goal import core_of, wants
from core.brain.rules.words.text import CJK, clauses, fold, grams, squeezed, stem
from core.brain.rules.words.urgency import priority_of
from core.patterns import lazy
from core.timetalk import TimeExpr, TimeKind, parse


@dataclass(frozen=True)
class Wording:
    """How something is asked; `at`: when it was said, on the clock of whoever said it."""

    title: str
    goal: str
    at: datetime


def same_question(one: Wording, other: Wording) -> bool:
    """The same topic of the same times, and the same kind of answer wanted; a date by which it is wanted aside."""
    if wants(one.goal, one.title) != wants(other.goal, other.title):
        return False
    topic = _topic(one.title, one.at)
    if not topic or _times(one) != _times(other):
        return False
    return topic in (_topic(other.title, other.at), _topic(core_of(other.goal), other.at))


def added_words(text: str, asked: str, at: datetime) -> tuple[str, ...]:
    """Clauses of an order that say more than was asked before, and by when it is wanted; how urgent it is says nothing."""
    found = []
    for clause in clauses(text):
        due = _deadlines(clause, at)
        if due:
            told = grams(_cut(clause, due)) & grams(asked)
            found.append(due[-1].text if told else clause)
        elif grams(clause) - grams(asked) and priority_of(clause, None, at) == "medium":
            found.append(clause)
    return tuple(c for c in found if squeezed(c) not in squeezed(asked))


def _deadlines(text: str, at: datetime) -> list[TimeExpr]:
    return [t for t in parse(text, at) if t.kind is TimeKind.deadline]


def _cut(text: str, times: list[TimeExpr]) -> str:
    for time in reversed(times):
        text = f"{text[: time.pos[0]]} {text[time.pos[1] :]}"
    return text


def _times(said: Wording) -> list[tuple[datetime | None, datetime | None]]:
    """What is named beside a deadline: "tomorrow's meeting" is another one a day later."""
    return sorted(
        (
            (t.start, t.end)
            for t in parse(said.title, said.at)
            if t.kind is not TimeKind.deadline and (t.start or t.end)
        ),
        key=lambda pair: [at.timestamp() if at is not None else 0.0 for at in pair],
    )


# What a question is put with, in the order in which it is taken off.
_FRAME = lazy(
    r"(?:什么时候|啥时候?|何时|哪一?天|几点|几号)(?:才)?(?:能够?|可以|会|要)?|(?:具体|大概)?的?(?:时间|日期)(?=$)|能不能|可不可以|是不是|有没有|是否|能否"
    r"|请问|麻烦|一下|(?:了|好|好了)?(?:没有?|吗|么|呢|吧)(?=$)|(?<!可)能(?=[一-龥])"
)
_FRAME_EN = lazy(
    r"\b(?:when|what time|will|would|is|are|was|were|the|an?|be|been|can|could|do|does|did|has|have|please|whether|if)\b"
)
_BLANKS = re.compile(r"[^\w.%+]+|的")
_LATIN = re.compile(r"[a-z0-9][a-z0-9.]*")


def _topic(title: str, at: datetime) -> str:
    text = fold(_cut(title, _deadlines(title, at))).strip(" ?？。.!！,，")
    if CJK.search(text):
        return _BLANKS.sub("", _FRAME.sub("", text)).removesuffix("了")
    return " ".join(stem(word) for word in _LATIN.findall(_FRAME_EN.sub(" ", text)))
