"""A goal that lacked something, and the words that bring it: one sentence again, to be evaluated like any other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from core.brain.questions import PersonBrief
from core.brain.rules.amending.times import moment_of
from core.brain.rules.owner.intent import Intent, intent_of
from core.brain.rules.owner.wishes import OPINION, TRANSFORM
from core.brain.rules.waiting.picking import names_in, number_of
from core.brain.rules.words.text import any_of, fold, is_english, made_of, squeezed, without_quotes
from core.patterns import lazy
from core.timetalk import TimeKind
from core.timetalk.parse import readings
from core.timetalk.settle import Reading

Missing = Literal["who", "what", "when", "which"]

_AROUND_TIMES = any_of(
    r"""
    那就|那|就|改到|改成|换成|换到|放到|定在|定|在|吧|好了|的时候|左右|提醒我|叫我|喊我|到时候|开始|行|可以|好|嗯|呢|啊|哈|呗|的|了|再|都
    remindme|makeit|letsdo|lets|say|then|at|on|from|for|please|ok|yes|by|before|about|in|instead|do|the|i|mean
    """
)
_COURTESY = any_of(
    r"谢谢|多谢|感谢|辛苦|收到|知道|明白|了解|嗯|哦|噢|哈|好|行|可以|对|的|了|吧|啊|你|算|不用|不|没事|thankyou|thanks?|ok|okay|yes|no|sure|nevermind"
)
_CONTACT_ZH = lazy(r"(?:问|催|通知|告诉|转告|提醒|联系|找|叫|让|约|发给|发)(?:一?[下声句]|问)?(?:他们?|她们?|某人|谁)?")
_CONTACT_EN = lazy(
    r"\b(?:ask|tell|remind|chase|ping|email|message|text|call|notify|contact|let|get|have)\b(?: (?:him|her|them|someone|somebody)\b)?",
    re.IGNORECASE,
)
_ORDERS = frozenset(Intent) - {Intent.CHAT, Intent.STATUS}


def joined(
    tendency: str, missing: Missing | None, past: bool, text: str, now: datetime, people: Sequence[PersonBrief]
) -> str | None:
    """`tendency` with what `text` adds; None when `text` does not bring what was missing but is about something else.

    `past`: its time had gone by, and `text` names another one.
    """
    own = without_quotes(text).strip(" ,，。.")
    if not own or made_of(squeezed(own), _COURTESY):
        return None
    if past or missing == "when":
        return _with_time(tendency, own, now, past=past)
    if missing == "who":
        names = names_in(own, people)
        return _with_names(tendency, names) if names else None
    if missing == "which":
        picked = names_in(own, people) or number_of(own, 99)
        return with_remark(tendency, own) if picked or not _is_other(own, now, people) else None
    return _with_matter(tendency, own) if missing == "what" and not _is_other(own, now, people) else None


def with_remark(words: str, more: str) -> str:
    """Words with what was said to them later: what an action is called, and kept as its origin."""
    return f"{words} ({more})" if is_english(words) else f"{words}（{more}）"


def _is_other(own: str, now: datetime, people: Sequence[PersonBrief]) -> bool:
    """Whether it is an order of its own, or talk."""
    folded = fold(own)
    if TRANSFORM.search(folded) or OPINION.search(folded):
        return True
    intent, found = intent_of(own, now, people)
    return intent in _ORDERS or (intent is Intent.STATUS and bool(found.masked.found))


def _with_time(tendency: str, own: str, now: datetime, *, past: bool) -> str | None:
    found = [r for r in readings(own, now) if r.expr.kind is not TimeKind.vague]
    rest = own
    for reading in reversed(found):
        rest = rest[: reading.expr.pos[0]] + " " + rest[reading.expr.pos[1] :]
    left = squeezed(rest)
    if not found or (left and not made_of(left, _AROUND_TIMES)):
        return None
    if past and (old := _gone_by(tendency, now)) is not None:
        start, end = old.expr.pos
        at = moment_of(found[-1], own, old.expr.start or now, now)
        said = at.strftime("%Y-%m-%d %H:%M") if at else found[-1].expr.text
        return tendency[:start] + said + tendency[end:]
    said = "".join(r.expr.text for r in found)
    return f"{tendency} {own}" if is_english(tendency) else f"{said}{tendency}"


def _gone_by(tendency: str, now: datetime) -> Reading | None:
    """The time in the tendency that is over."""
    return next((r for r in readings(tendency, now) if r.expr.start is not None and r.expr.start <= now), None)


def _with_names(tendency: str, names: Sequence[str]) -> str:
    english = is_english(tendency)
    who = (" and " if english else "、").join(names)
    hit = (_CONTACT_EN if english else _CONTACT_ZH).search(tendency)
    if hit is None:
        return f"ask {who}: {tendency}" if english else f"问{who}：{tendency}"
    verb = re.sub(r"(?:他们?|她们?|某人|谁)$| (?:him|her|them|someone|somebody)$", "", hit.group())
    gap = " " if english else ""
    return f"{tendency[: hit.start()]}{verb}{gap}{who}{gap}{tendency[hit.end() :].lstrip()}"


def _with_matter(tendency: str, own: str) -> str:
    head = tendency.rstrip(" ,，。.:：")
    return f"{head} {own}" if is_english(head) else f"{head}，{own}"


# Whom an order is for, said by a pronoun alone: `告诉他们`, `跟她说`, `tell them`.
_POINTS = lazy(
    r"(?:告诉|告知|通知|转告|知会|提醒|转达给|[发传]给|问|催|找|叫|让|约|[跟和给对])(?:一?[下声])?(?P<zh>他们(?:[两几三]个)?|她们(?:[两几三]个)?|他|她)(?![的们])"
    r"|\b(?:tell|ask|let|inform|remind|notify|text|message|email)\s+(?P<en>them|both of them|him|her)\b",
    re.IGNORECASE,
)
_MANY = lazy(r"们|\bthem\b", re.IGNORECASE)


def points_at(text: str) -> bool | None:
    """Whether an order is for several people or for one, where it says so by a pronoun; None where it does not."""
    hit = _POINTS.search(fold(text))
    return bool(_MANY.search(hit["zh"] or hit["en"])) if hit else None


def with_named(text: str, names: Sequence[str]) -> str:
    """The order with names in the place of the pronoun."""
    hit = _POINTS.search(fold(text))
    if hit is None:
        return text
    start, end = hit.span("zh") if hit["zh"] else hit.span("en")
    return f"{text[:start]}{(' and ' if hit['en'] else '、').join(names)}{text[end:]}"
