"""What a run ended in, and what it must not have ended in.

A story in which nothing fell in doubt must end as it does where nobody dies: every message, every judgement, every
matter, everything that is still to come. One with a message in doubt goes on as though that had arrived, which may
be another way than that of the calm run (a refusal that nobody heard, a button that nobody saw): there nothing may be
lost or said twice, and the doubt must be shown.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bot.sending.sender import AT_ONCE
from tests.crash.sweep.ledger import Ledger
from tests.crash.sweep.platforms import Heard
from tests.crash.sweep.stories import BAD_LINE, BLOCKED, HANGS, OWNER, story_of
from tests.crash.sweep.town import Run

_NUMBERED = re.compile(r"con_\d+_\d+|\b[ew]\d+\b")
"""Ids are given in the order in which lanes come by; what they stand for is the same."""

_UNSURE = re.compile(r"不确定 (\d+)")
"""How /jobs counts them."""
NOTICE = "可能到了，也可能没到"
"""What an initiator is told of a message in doubt."""

Lines = Counter[tuple[str, str]]
"""By story: something in words."""


def same(text: str) -> str:
    """A text without the numbers that another run may have given."""
    return _NUMBERED.sub("…", text).strip()


@dataclass(frozen=True)
class Outcome:
    """The end of a run."""

    messages: Lines
    """What reached whom."""
    course: Lines
    """What was made of what people did, how matters stand, and what is still to come."""
    lost: tuple[str, ...]
    """What people did without a fact, and facts that nobody handled."""
    held: tuple[str, ...]
    """Rows that nobody works on and that say that somebody does."""
    in_doubt: Lines
    """Parts of messages that may have arrived: by the keys of their jobs."""
    unshown: tuple[str, ...]
    """In doubt, and not both as a job in that state and as a receipt: nobody sees it."""
    unexplained: tuple[str, ...]
    """Messages that arrived and that no row of the database speaks of."""
    notices: int
    """Words to initiators about what is in doubt."""
    unsettled: tuple[str, ...] = ()
    """Messages in doubt although their platform knows them by their key."""


def outcome(run: Run) -> Outcome:
    """As it is in the database and in the server's ledger."""
    ledger = Ledger(run.url)
    try:
        receipts = ledger.rows("SELECT job_key, conversation, message_id FROM receipts")
        doubtful = {key for (key,) in ledger.rows("SELECT key FROM jobs WHERE state = 'in_doubt'")}
        return Outcome(
            messages=Counter(
                (story_of(sent.chat), f"to {abs(sent.chat)}: {same(sent.text)}")
                for sent in run.sent
                if NOTICE not in sent.text and sent.chat != OWNER
            ),
            course=Counter(
                (story, text)
                for story, text in [*_facts(ledger, run.platform), *_matters(ledger), *_waiting(ledger)]
                if story
            ),
            lost=_lost(ledger, run),
            held=_held(ledger),
            in_doubt=Counter((story_of(there), key) for key, there, id_ in receipts if id_ is None),
            unshown=(
                *_unshown(doubtful, {key for key, _, id_ in receipts if id_ is None}),
                *_not_told(run.sent, len(doubtful)),
            ),
            unexplained=_unexplained(run.sent, receipts),
            notices=sum(NOTICE in sent.text for sent in run.sent),
            unsettled=_unsettled(ledger) if run.platform == "feishu" else (),
        )
    finally:
        ledger.close()


def _facts(ledger: Ledger, platform: str) -> Iterable[tuple[str, str]]:
    rows = ledger.rows(f"SELECT sender, kind, body, decision FROM facts WHERE channel = '{platform}'")
    for sender, kind, body, decision in rows:
        fact = json.loads(body)
        # Which button it was is in the judgement; its data names ids.
        said = fact.get("text") or ("☞" if fact.get("button") else "")
        yield story_of(sender), f"{kind} of {sender} {said!r} was judged {decision}"


def _matters(ledger: Ledger) -> Iterable[tuple[str, str]]:
    for who, body in ledger.rows("SELECT initiator_id, body FROM concerns"):
        concern = json.loads(body)
        people = sorted(f"{p['person_id']} {p.get('comm_status')}" for p in concern.get("people", ()))
        heard = [e["text"] for e in concern.get("conversation_log", ()) if e["direction"] == "inbound"]
        yield story_of(who), f"matter {concern['title']!r} is {concern['status']}, {people}, heard {heard}"


def _waiting(ledger: Ledger) -> Iterable[tuple[str, str]]:
    jobs = ledger.rows(
        "SELECT coalesce(person_id, c.initiator_id, lane), 'job ' || kind, due FROM jobs "
        "LEFT JOIN concerns AS c USING (concern_id) WHERE state = 'pending'"
    )
    items = ledger.rows("SELECT owner, 'agenda ' || kind, due_at FROM agenda_items WHERE due_at IS NOT NULL")
    owed = ledger.rows("SELECT chat_id, 'callback ' || trigger_source, due_at FROM callbacks")
    for who, what, at in [*jobs, *items, *owed]:
        yield story_of(who), f"to come: {what} at {at}"


def _lost(ledger: Ledger, run: Run) -> tuple[str, ...]:
    states = dict(ledger.rows(f"SELECT event_id, state FROM facts WHERE channel = '{run.platform}'"))
    missing = [event_id for event_id in run.written if event_id not in states]
    rows = ledger.rows("SELECT channel, event_id FROM facts WHERE state <> 'handled'")
    return (*missing, *(f"{channel} {event} was not handled" for channel, event in rows))


def _held(ledger: Ledger) -> tuple[str, ...]:
    jobs = ledger.rows("SELECT key, state FROM jobs WHERE state IN ('running', 'sending') OR holder IS NOT NULL")
    facts = ledger.rows("SELECT event_id, state FROM facts WHERE holder IS NOT NULL")
    return tuple(f"{name} is {state}" for name, state in [*jobs, *facts])


def _unshown(jobs: set[str], receipts: set[str]) -> tuple[str, ...]:
    return (
        *(f"{key} is in doubt without a receipt that says so" for key in sorted(jobs - receipts)),
        *(f"a part of {key} is in doubt, its job is not" for key in sorted(receipts - jobs)),
    )


def _unsettled(ledger: Ledger) -> tuple[str, ...]:
    """A report is put into words anew each time, and who refuses everything says nothing of what was before: these
    alone may be in doubt."""
    rows = ledger.rows("SELECT key, lane FROM jobs WHERE state = 'in_doubt' AND kind = 'deliver'")
    return tuple(key for key, lane in rows if story_of(lane) != BLOCKED)


def _not_told(sent: list[Heard], doubtful: int) -> Iterable[str]:
    """The owner has asked, at the end."""
    answers = [one.text for one in sent if one.chat == OWNER]
    told = _UNSURE.search(answers[-1]) if answers else None
    if (int(told[1]) if told else 0) != doubtful:
        yield f"/jobs shows {told[1] if told else 0} in doubt of {doubtful}"


def _unexplained(sent: list[Heard], receipts: list[tuple[Any, ...]]) -> tuple[str, ...]:
    """Each message has a receipt of its own, or is one of those in doubt in its story (a group may have moved)."""
    known = {(there, message_id) for _, there, message_id in receipts if message_id is not None}
    doubts = Counter(story_of(there) for _, there, message_id in receipts if message_id is None)
    left = []
    for one in sent:
        story = story_of(one.chat)
        if (one.conversation, one.message_id) in known:
            continue
        if doubts[story]:
            doubts[story] -= 1
        else:
            left.append(f"{one.chat}: {one.text[:60]}")
    return tuple(left)


@dataclass(frozen=True)
class Verdict:
    """How many of each there are; `faults` says it in words. All but `in_doubt` and `astray` must be 0 or empty."""

    lost: int
    doubled: int
    in_doubt: frozenset[str]
    """Keys of jobs that were being sent at a kill."""
    unshown: int
    astray: int
    """Stories that went another way after a message fell in doubt."""
    faults: tuple[str, ...]


def verdict(run: Run, ended: Outcome, calm: Outcome) -> Verdict:
    """A run against the same stories in which nobody died."""
    in_flight = {key for death in run.deaths for key in death.being_sent}
    by_kill = Counter({one: n for one, n in ended.in_doubt.items() if one[1] in in_flight})
    touched = {story for story, _ in by_kill} | _spared(run)
    doubled = _doubled(ended, calm, touched)
    faults = [*(f"lost: {text}" for text in ended.lost), *doubled, *(f"unshown: {text}" for text in ended.unshown)]
    faults += [f"held: {text}" for text in ended.held]
    faults += [f"in doubt, and may be sent again: {text}" for text in ended.unsettled]
    if (ended.in_doubt - by_kill).total() > calm.in_doubt.total():
        faults.append(f"in doubt, and was not being sent: {sorted(ended.in_doubt - by_kill)}")
    faults += [f"{len(d.being_sent)} at once at {d.point}" for d in run.deaths if len(d.being_sent) > AT_ONCE]
    if ended.notices > ended.in_doubt.total():
        faults.append(f"{ended.notices} notices of {ended.in_doubt.total()} in doubt")
    strayed = [*_differences(ended.course, calm.course), *_never_came(ended, calm, by_kill)]
    faults += [f"{text} ({story})" for story, text in strayed if story not in touched]
    astray = {story for story, _ in strayed if story in touched}
    return Verdict(
        len(ended.lost),
        len(doubled),
        frozenset(key for _, key in by_kill),
        len(ended.unshown),
        len(astray),
        tuple(faults),
    )


def _spared(run: Run) -> set[str]:
    """The fault that was planted met an attempt whose end the bot did not live to see: the next one meets none."""
    in_flight = {story for death in run.deaths for story in death.stories}
    return in_flight & {BAD_LINE, HANGS} if run.platform == "feishu" else set()


def _doubled(ended: Outcome, calm: Outcome, touched: set[str]) -> list[str]:
    """More often than in the calm run; where a story went another way, more than once."""
    extra = ended.messages - calm.messages
    found = [f"twice: {text[:90]}" for story, text in extra if story not in touched or ended.messages[story, text] > 1]
    return [*found, *(f"no row speaks of it: {text}" for text in ended.unexplained)]


def _differences(here: Lines, there: Lines) -> list[tuple[str, str]]:
    more = [(story, f"only with a kill: {text}") for story, text in (here - there).elements()]
    return [*more, *((story, f"only without a kill: {text}") for story, text in (there - here).elements())]


def _never_came(ended: Outcome, calm: Outcome, by_kill: Lines) -> list[tuple[str, str]]:
    """What did not arrive must be in doubt."""
    doubts = Counter(story for story, _ in by_kill.elements())
    missing = []
    for story, text in (calm.messages - ended.messages).elements():
        if doubts[story]:
            doubts[story] -= 1
        else:
            missing.append((story, f"never came: {text[:90]}"))
    return missing
