"""What is looked up: a person, an invite for one, what was said, and longer work on it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from core.brain.questions import Ambiguity, Evaluate, EvaluatorResult
from core.brain.rules.evaluating.outcome import local_now, one, refused
from core.brain.rules.owner.asked import Reach
from core.brain.rules.owner.wishes import CHANGES
from core.brain.rules.times.when import without
from core.brain.rules.words.names import PERSON, Mention
from core.brain.rules.words.text import any_of, fold
from core.patterns import lazy
from core.timetalk import TimeExpr, TimeKind, parse


def look_up_person(q: Evaluate, found: Reach) -> EvaluatorResult:
    """The entry of whoever is named."""
    return _about_one("look_up_person", found, "asks what is known of somebody")


def invite(q: Evaluate, found: Reach) -> EvaluatorResult:
    """An invite for whoever is named."""
    return _about_one("invite_person", found, "wants an invite for somebody")


def _about_one(key: str, found: Reach, reason: str) -> EvaluatorResult:
    mention = next(iter(found.masked.found), None)
    if mention is None:
        if found.unknown:
            return one(key, {"person": found.unknown[0]}, need_confirm=True, unknown_people=tuple(found.unknown))
        return refused("unclear", "it is not clear who is meant", "who")
    if len(mention.ids) > 1:
        return one(
            key,
            {},
            need_confirm=True,
            ambiguous=(Ambiguity(name=mention.name, candidates=mention.ids),),
            reason=f"several people answer to {mention.name}",
        )
    return one(key, {"person": mention.ids[0]}, reason=reason)


# What frames the thing that is looked for.
_FRAME = any_of(
    rf"""
    {PERSON}|(?:帮我|麻烦|给我|你)?(?:查|找|翻|看)(?:一?[下找]|找)?|有没有|之前|以前|最近|曾经|谁|有人|人|没有?$|吗|么|呢|[?？]
    (?:提|说|讲|聊|反映|反馈|报|回|发)(?:到|起|过|了)*(?:什么|啥|哪些|些什么)?|(?:说过的话|聊天记录|消息记录|记录)|跟我|跟你|给我|都|关于|的话题?|他|她
    \b(?:who|has|have|did|what|when|anybody|anyone|somebody|someone|ever|say|said|says|tell|told|mention(?:ed)?|talk(?:ed)? about|brought up|bring up|report(?:ed)?|wrote|written|something|anything|about|the|search|messages|chat|history|look up|look for|me|you|us|in|for)\b
    """
)


def look_up_facts(q: Evaluate, found: Reach) -> EvaluatorResult:
    """What was said: the words that are looked for, by whom, since when."""
    now, raw = local_now(q), found.masked.raw
    times = [t for t in parse(raw, now) if t.kind in (TimeKind.span, TimeKind.moment, TimeKind.since)]
    plain = without(raw, tuple(t.pos for t in times))
    words = re.sub(r"\s+", " ", _FRAME.sub(" ", fold(plain))).strip(" ,，。.?？!！'s")
    people = _named(found.masked.found)
    found_at = next((t for t in times if t.start and t.start <= now), None)
    since = found_at.start if found_at else None
    until = _ends(found_at, now) if found_at else None
    return one(
        "look_up_facts",
        {"words": words, "person": people[0] if len(people) == 1 else None, "since": _iso(since), "until": _iso(until)},
        reason="asks what was said",
    )


def _ends(time: TimeExpr, now: datetime) -> datetime | None:
    """The end of a day or a span that is over: what was said later is not meant."""
    end = time.end if time.kind is TimeKind.span else None
    if end is None and time.grain == "day" and time.start is not None:
        end = time.start + timedelta(days=1)
    return end if end is not None and end <= now else None


def _named(found: tuple[Mention, ...]) -> list[str]:
    return list(dict.fromkeys(i for m in found if len(m.ids) == 1 for i in m.ids))


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


_LEADS = lazy(r"^(?:帮我|麻烦|请|你|清海|please|can you|could you|[\s,，])+", re.IGNORECASE)


def out_of_reach(q: Evaluate, found: Reach) -> EvaluatorResult:
    """An order about the world: no ability does it, and the sender is told so."""
    return refused("no_ability", "it takes more than words and what is kept")


def deep_task(q: Evaluate, found: Reach) -> EvaluatorResult:
    """Work in several steps, where reading is all that it takes."""
    if CHANGES.search(fold(q.tendency)):
        return refused("no_ability", "it takes more than reading what is kept")
    return one(
        "deep_task", {"goal": _LEADS.sub("", q.tendency).strip()}, reason="several places are read and put together"
    )
