"""What in one message goes each its own way: a calling-off or a change beside an order, or a change a matter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from core.brain.questions import ConcernBrief, PersonBrief
from core.brain.rules.owner.asked import Reach
from core.brain.rules.owner.intent import Intent, intent_of
from core.brain.rules.owner.topic import topic_of
from core.brain.rules.owner.wishes import AMEND, CANCEL, REMIND_ME
from core.brain.rules.words.targets import best_of, cancel_targets, concerns_meant, open_to_change
from core.brain.rules.words.text import any_of, clauses, fold, likeness, made_of, squeezed, without_quotes
from core.patterns import lazy

# Where one part may end and the next begin; `more` says that something else comes.
_JOINT = lazy(
    r"(?:[,，。;；!！\n]|(?<=[a-z])\.(?=\s))[\s,，]*(?P<more>(?:另外|还有|顺便|顺带|同时|然后|再|并且|对了|(?:and|also|plus|then|by the way|but)\b,?)[\s,，]*)*"
    r"|\s+(?P<and>(?:and|but)\s+(?:also\s+|then\s+|please\s+|can you\s+|could you\s+)*)"
    r"(?=(?:remind|ask|tell|let|chase|call off|cancel|never mind|forget|stop|push|move|change|check with|text|email|message)\b)",
    re.IGNORECASE,
)
# Takes back what was said last, which may be the order itself: it names nothing that is open.
_TURN = any_of(r"算了|那|就|哦|啊|吧|不对|等等|等一下|没事|nevermind|nvm|actually|forgetit|leaveit|ohwait|wait|ok|no")
_MAX_JOINTS = 8


def by_matter(
    text: str, now: datetime, concerns: Sequence[ConcernBrief], people: Sequence[PersonBrief] = ()
) -> list[str]:
    """`盘点表不急，租约那个要抓紧`: the clauses where each changes one open matter, and not all the same; else nothing."""
    parts = clauses(text)
    if not 2 <= len(parts) <= 6:
        return []
    known = _known(people, concerns)
    meant = [best_of(part, concerns) for part in parts]
    if any(len(m) != 1 for m in meant) or len({m[0].concern_id for m in meant}) < 2:
        return []
    changes = all(
        intent_of(p, now, known, m)[0] in (Intent.AMEND, Intent.CANCEL) for p, m in zip(parts, meant, strict=True)
    )
    return parts if changes else []


def beside_an_order(
    text: str, now: datetime, concerns: Sequence[ConcernBrief], people: Sequence[PersonBrief] = ()
) -> list[str]:
    """`不用问李四了，另外半小时后提醒我开会`: what is called off or changed, and what is ordered; else nothing.

    The parts in the order of the message, at least two; where nothing is open that could be called off, the order alone.
    "不用问李四了，问王五" is one change: the order has nothing of its own to say.
    """
    own = without_quotes(text)
    if not any(word.search(fold(part)) for part in (own, *clauses(own)) for word in (CANCEL, AMEND)):
        return []
    return _Message(own, now, concerns, _known(people, concerns)).parted()


class _Message:
    """A message and its joints; each stretch between two of them is read once."""

    def __init__(
        self, own: str, now: datetime, concerns: Sequence[ConcernBrief], people: tuple[PersonBrief, ...]
    ) -> None:
        self._own, self._now, self._concerns, self._people = own, now, concerns, people
        self._joints = list(_JOINT.finditer(own))[:_MAX_JOINTS]
        self._read: dict[tuple[int, int], _Part] = {}
        self._rest: dict[int, list[str]] = {}

    def parted(self, begin: int = 0) -> list[str]:
        """The parts from `begin` on; none where they are not two of the kinds that go each its own way."""
        if begin not in self._rest:
            self._rest[begin] = self._parted(begin)
        return self._rest[begin]

    def _parted(self, begin: int) -> list[str]:
        for joint in self._joints:
            if joint.start() <= begin:
                continue
            more = bool(joint["more"] or joint["and"])
            head, tail = (begin, joint.start()), (joint.end(), len(self._own))
            if self._part(head).holds:
                kept = [self._words(head)] if self._concerns else []
                if self._part(tail).is_order and self._part(head).is_apart_from(self._part(tail), more):
                    return [*kept, self._words(tail)]
                if rest := self.parted(joint.end()):
                    return [*kept, *rest]
            if more and self._part(head).is_order and self._part(tail).holds:
                return [self._words(head), self._words(tail)] if self._concerns else [self._words(head)]
        return []

    def _words(self, span: tuple[int, int]) -> str:
        return self._own[slice(*span)].strip()

    def _part(self, span: tuple[int, int]) -> _Part:
        if span not in self._read:
            self._read[span] = _Part(self._words(span), self._now, self._concerns, self._people)
        return self._read[span]


def _known(people: Sequence[PersonBrief], concerns: Sequence[ConcernBrief]) -> tuple[PersonBrief, ...]:
    return tuple({p.person_id: p for p in (*people, *(x for c in concerns for x in c.people))}.values())


class _Part:
    """A part of a message as though it stood alone."""

    def __init__(
        self, text: str, now: datetime, concerns: Sequence[ConcernBrief], people: tuple[PersonBrief, ...]
    ) -> None:
        self.intent, self.found = intent_of(text, now, people, concerns)
        calls_off = self.intent is Intent.CANCEL and not made_of(squeezed(text), _TURN)
        self.targets: list[ConcernBrief] = []
        if calls_off:
            self.targets = [c for c in concerns if c.concern_id in cancel_targets(text, concerns)[0]]
        elif self.intent is Intent.AMEND:
            meant = concerns_meant(text, open_to_change(text, concerns, people))
            self.targets = [c for c in concerns if c.concern_id in meant]
        self.holds = bool(self.targets) or (calls_off and not concerns)
        """It calls off or changes what is open, or what was."""

    @property
    def is_order(self) -> bool:
        """It wants something of its own, and says what."""
        if self.intent in (Intent.DELEGATE, Intent.SCHEDULE):
            return self.found.anybody and bool(topic_of(self.found).title)
        if self.intent is Intent.REMIND:
            return _says_what(self.found)
        return self.intent in (Intent.EXPECT, Intent.TASK, Intent.INVITE)

    def is_apart_from(self, order: _Part, more: bool) -> bool:
        """Whether an order behind it is another matter: not the same put to somebody else, nor the change told to those
        whom it is about."""
        title = topic_of(order.found).title if order.found.spans else ""
        if title and any(likeness(title, c.title) >= 0.6 for c in self.targets):
            return False
        theirs = {p.person_id for c in self.targets for p in c.people}
        return more or self.intent is Intent.CANCEL or not set(order.found.ids) & theirs


def _says_what(found: Reach) -> bool:
    folded = found.masked.folded
    verb = REMIND_ME.search(folded)
    return verb is not None and bool(squeezed(folded[verb.end() :]))
