"""Did what was expected come by its moment? (RULES 2)

Each run of an expectation is judged once, by what happened since the run before it. It has come when the person sent it
(a file or a photo where something was to be handed over), said so, or an event or the one who waits for it says so;
`core.brain.rules.match_event` knows which words do. Refusals, questions, promises and 「还没」 do not. What came late,
while the bot was down, is there all the same: nobody is chased for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.agenda.model import Expectation
from core.brain.rules.match_event import has_come, shows, topic_of
from core.brain.rules.words.text import any_of, fold
from core.facts import Attachment, Fact, FactKind
from core.people import Person
from core.schedule import next_run

_FILES = frozenset({"photo", "document", "video", "voice", "audio"})
_HANDED_OVER = any_of(
    r"""
    发|交(?!流|谈|代)|传|寄|送|提交|上传|拍|填|写|[日周月简战]报|报[告表单]|照片?|截图|文件|清单|名单|方案|合同|发票|视频|录像
    \b(?:send|submit|upload|share|deliver|post|hand in|write|report|photos?|pictures?|files?|list|invoice|contract)\b
    \b(?:slides|draft|document|video|screenshot)s?\b
    """
)


@dataclass(frozen=True)
class Occasion:
    """One run that is judged: what happened from `since` on counts for it. `skipped`: earlier ones, unseen."""

    since: datetime
    due: datetime
    skipped: int = 0


def occasion(expectation: Expectation, now: datetime, owner: Person | None) -> Occasion | None:
    """The run to judge at `now`: the latest that is due, after a downtime too; None when none is."""
    if expectation.next_due is None or expectation.next_due > now:
        return None
    found = Occasion(expectation.since, expectation.next_due)
    while (following := next_run(expectation.due, found.due, owner)) is not None and following <= now:
        found = Occasion(found.due, following, found.skipped + 1)
    return found


def judged(expectation: Expectation, run: Occasion, met: bool, now: datetime, owner: Person | None) -> Expectation:
    """The expectation after a run: counted, and with the moment of the next one; None there means that it is over."""
    return expectation.model_copy(
        update={
            "met": expectation.met + met,
            "missed": expectation.missed + (not met),
            "since": now,
            "next_due": next_run(expectation.due, max(run.due, now), owner),
        }
    )


def standing(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Of a message that was edited its last form alone, in the place of the first."""
    last: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        last[fact.channel, fact.message_id or fact.event_id] = fact
    return tuple(last.values())


class Deed(Protocol):
    """Something to be done: what, and by whom (the name)."""

    @property
    def what(self) -> str: ...
    @property
    def who(self) -> str: ...


def evidence(
    expectation: Deed, person: Person | None, facts: Iterable[Fact], said_by_owner: Iterable[Fact]
) -> str | None:
    """The text that shows it has come, or None. `facts`: messages of the person, and events; oldest first."""
    for fact in facts:
        if fact.kind is FactKind.EVENT:
            if _is_shown_by_event(expectation, person, fact):
                return fact.text
        elif brings(fact, expectation.what, expectation.who):
            return fact.text or fact.attachments[0].name or fact.attachments[0].kind
    return next((f.text for f in said_by_owner if has_come(f.text, expectation.what, expectation.who)), None)


def unsettled(
    person: Person | None, facts: Iterable[Fact], *, events: bool, elsewhere: Collection[tuple[str, str]] = ()
) -> tuple[Fact, ...]:
    """The messages, or the events, out of which a mind might read more than words tell.

    `elsewhere`: (channel, message id) of those that answered something else; 「发了」 there is said of that.
    """
    told = (f for f in facts if f.text.strip() and (f.kind is FactKind.EVENT) is events)
    if events:
        return tuple(f for f in told if _may_be_theirs(person, f))
    return tuple(f for f in told if (f.channel, f.message_id) not in elsewhere)


def _may_be_theirs(person: Person | None, event: Fact) -> bool:
    return event.person_id is None or (person is not None and event.person_id == person.person_id)


def _is_shown_by_event(expectation: Deed, person: Person | None, event: Fact) -> bool:
    """An event about them, or about nobody in particular; of somebody outside the directory it must name them."""
    if not _may_be_theirs(person, event):
        return False
    if person is None and fold(expectation.who) not in fold(event.text):
        return False
    return shows(event.text, expectation.what, expectation.who, happened=True)


def brings(fact: Fact, what: str, who: str) -> bool:
    """Whether a message is what was to come (`what`, of `who`), or says that it has."""
    return _is_handed_over(fact, what, who) or shows(fact.text, what, who)


def _is_handed_over(fact: Fact, what: str, who: str) -> bool:
    """A file or a photo, where something is to be handed over; one whose name says something else is not it."""
    if not _HANDED_OVER.search(fold(what)):
        return False
    return any(a.kind in _FILES and _fits(a, what, who) for a in fact.attachments)


def _fits(attachment: Attachment, what: str, who: str) -> bool:
    name = (attachment.name or "").rpartition(".")[0] or (attachment.name or "")
    tells = topic_of(name.replace("_", " "), who)
    return not tells or shows(name.replace("_", " "), what, who, happened=True)
