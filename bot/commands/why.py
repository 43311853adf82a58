"""Why a concern exists: what was said or happened, and what the hub made of it (RULES 2). As plain values.

Reasons that the program gives are words of the templates, so that everybody reads them in their own language; what a
model gave as its reason is shown as it is.
"""

from __future__ import annotations

import re
from typing import Any

from bot.commands.lookup import handle_of
from bot.commands.request import CommandRepositories
from core.concern.model import Concern, ConcernType
from core.facts import Fact, FactKind, Judged, StoredFact
from core.ids import ConcernId, FactId, PersonId

LONGEST_QUOTE = 160
"""Characters of one text that are shown."""

SIGNS = tuple(
    (word, re.compile(sign))
    for word, sign in (
        ("plain", r"a plain request"),
        ("unknown", r"nobody is known as (?P<rest>.+)"),
        ("several", r"several people answer to (?P<rest>.+)"),
        ("more", r"more people would be reached than were named"),
        ("risky", r"moves money or commits the owner"),
        ("wish", r"it may be thinking aloud"),
        ("standing", r"a standing expectation|something to look out for"),
        ("reminder", r"a reminder|the last reminder comes again"),
        ("later", r"(?:said|asks) again at a time"),
        ("confirmed", r"(?:confirm|changed): (?P<rest>.+)"),
        ("absence", r"absence"),
        ("still", r"nothing moves"),
        ("promised", r"a promise past its date"),
        ("nowhere", r"联系不上任何人"),
        ("nobody_left", r"没有人可以再等了（(?P<rest>.+)）"),
        ("silent", r"(?P<rest>.+)一直没有答复"),
        ("cancelled", r"(?P<rest>.+?)取消(?:了定时)?"),
        ("anew", r"新的一次开始了"),
        ("edited", r"原话改了"),
        ("not_allowed", r"发起人没有这个权限了"),
        ("passed", r"暂停期间时间已过"),
        ("moved", r"有动静了"),
        ("ran", r"已执行|最后一次已执行"),
        ("met", r"目标达成"),
    )
)
"""What stands in rows, and its word; `rest` is what it names."""


def reason_values(text: str) -> dict[str, Any]:
    """A reason for a template: its `word` (None: nobody's but a model's), what it names, and the text itself."""
    for word, sign in SIGNS:
        found = sign.fullmatch(text)
        if found is not None:
            return {"word": word, "rest": found.groupdict().get("rest") or "", "text": short(text)}
    return {"word": None, "rest": "", "text": short(text)}


def short(text: str) -> str:
    """On one line, of a length that a list can hold."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1] + "…"


def cause_values(
    repos: CommandRepositories, concern: Concern, reader: PersonId | None, viewer: PersonId | None, day: str
) -> dict[str, Any] | None:
    """Where it comes from and how that was judged; None where neither is known.

    `kind`: words, press, event, absence, promise, stuck, run, or gone (the fact is not kept any more). `name` is who
    said it, None the reader. `viewer` sees no words but their own and those of sources outside; None sees all.
    """
    fact_id = _fact_id(concern)
    stored = repos.facts.get(fact_id) if fact_id is not None else None
    judged = repos.facts.judged(fact_id) if fact_id is not None else None
    origin = _of_trigger(repos, concern, reader, day) or _of_fact(repos, concern, stored, reader, viewer)
    if origin is None:
        return None
    none = {"name": None, "text": None, "title": None, "when": None, "source": None}
    at = stored.fact.occurred_at.isoformat() if stored is not None else None
    told = origin.pop("told", True)
    return {**none, "at": at, "judged": _judged_values(judged, reasons=told), **origin}


def judgement_json(repos: CommandRepositories, concern: Concern) -> dict[str, Any] | None:
    """The fact behind it and its judgement as JSON; None where none is recorded or kept."""
    fact_id = _fact_id(concern)
    stored = repos.facts.get(fact_id) if fact_id is not None else None
    judged = repos.facts.judged(fact_id) if fact_id is not None else None
    if stored is None or judged is None:
        return None
    fact = stored.fact
    who = {"channel": fact.channel, "kind": fact.kind.value, "sender": fact.sender, "text": fact.text}
    return {"fact_id": fact_id, "at": fact.occurred_at.isoformat(), **who, **judged.model_dump(mode="json")}


def _fact_id(concern: Concern) -> FactId | None:
    number = (concern.cause or "").removeprefix("f")
    return FactId(int(number)) if number.isdecimal() else None


def _of_trigger(
    repos: CommandRepositories, concern: Concern, reader: PersonId | None, day: str
) -> dict[str, Any] | None:
    """What the bot raised by itself: the run of a schedule, an absence, a promise that went by, a standstill."""
    trigger = concern.trigger or {}
    if concern.type is ConcernType.SCHEDULE:
        return None
    if "schedule_id" in trigger:
        return {"kind": "run", "title": _title(repos, trigger["schedule_id"], day), "when": trigger.get("run") or None}
    if "expectation_id" in trigger:
        return {"kind": "absence", "title": concern.title, "when": trigger.get("due")}
    if "promise" in trigger:
        who = next((p.display_name for p in concern.delegates if p.person_id != reader), None)
        return {"kind": "promise", "name": who, "title": short(str(trigger["promise"])), "when": trigger.get("due")}
    if "concern_id" in trigger:
        return {"kind": "stuck", "title": _title(repos, trigger["concern_id"], day)}
    return None


def _title(repos: CommandRepositories, concern_id: str, day: str) -> str | None:
    """`001 提测时间`; None where it is gone."""
    other = repos.concerns.get(ConcernId(concern_id))
    return f"{handle_of(other, day)} {other.title}" if other is not None else None


def _of_fact(
    repos: CommandRepositories,
    concern: Concern,
    stored: StoredFact | None,
    reader: PersonId | None,
    viewer: PersonId | None,
) -> dict[str, Any] | None:
    """Words, a press or an event that raised it."""
    if concern.cause is None:
        return None
    if stored is None:
        return {"kind": "gone"}
    fact = stored.fact
    if fact.kind is FactKind.EVENT:
        source = fact.event.source if fact.event is not None else fact.channel
        return {"kind": "event", "source": source, "text": short(fact.text)}
    who, name = _speaker(repos, fact)
    told = viewer is None or who == viewer
    if fact.kind is FactKind.BUTTON:
        words = concern.source.detail
    else:
        words = fact.text
    return {
        "kind": "press" if fact.kind is FactKind.BUTTON else "words",
        "name": None if who is not None and who == reader else name,
        "text": short(words) if told and words else None,
        "told": told,
    }


def _speaker(repos: CommandRepositories, fact: Fact) -> tuple[PersonId | None, str]:
    if fact.kind is FactKind.PROMPT and fact.person_id is not None:
        person = repos.people.get(fact.person_id)
    else:
        person = repos.people.by_identity(fact.channel, fact.sender)
    return (person.person_id, person.name) if person is not None else (None, fact.sender_name or "?")


def _judged_values(judged: Judged | None, *, reasons: bool) -> dict[str, Any] | None:
    """`reasons`: whether they are for this reader; they may quote the words."""
    if judged is None:
        return None
    pieces = [p for p in judged.reason.split("; ") if p] if reasons else []
    return {
        "decision": judged.decision,
        "reasons": [reason_values(p) for p in pieces],
        "brain": judged.brain,
        "milliseconds": judged.milliseconds,
    }
