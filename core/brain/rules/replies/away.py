"""Somebody says that they are away, from when to when, or that they are back.

A day that they name as the last one is a day away: "休假到周三" is back on Thursday; "周三回来" is back on Wednesday.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.brain.rules.replies import reply
from core.brain.rules.replies.parts import BLANK, without_times
from core.brain.rules.words.signs import CONDITION, HEDGE
from core.brain.rules.words.text import any_of, clauses, fold, is_named, made_of, sentences, squeezed, without_quotes
from core.patterns import lazy
from core.timetalk import TimeExpr, TimeKind, parse

MORNING = 9
"""A day of return begins then; whoever starts later is written to in their own hours."""


@dataclass(frozen=True)
class Absence:
    """`since`: None where they are away already."""

    since: datetime | None
    until: datetime


_LEAVE = any_of(
    r"""
    休(?:年|婚|产|病|事|调)?假|年假|请(?:了|个|病|事|婚|产)*假|病假|产假|陪产|放假|出差|调休|不在(?:公司|办公室|岗|单位)?(?![了乎意线于是]|.{0,6}(?:表|单|里))
    (?:在|去|回)(?:外地|国外|老家|医院)|\bout of (?:the )?office\b|\booo\b|\bon (?:\w+ )?(?:leave|holiday|vacation|pto)\b
    \b(?:i'?m|i am|i'?ll be|i will be) (?:off|away|out|travell?ing)\b(?! (?:to|of (?:ideas|time|stock)))|\baway (?:until|till|from)\b|\btaking (?:\w+ ){0,2}(?:leave|off)\b
    """
)
# Somebody else's leave, one that is over, wished for or only thought of.
_NOT_THEIRS = any_of(
    r"""
    [他她它]|大家|同事|客户|谁|[没不别]\w{0,3}(?:休|请|出差|放)|[吗么?？]|能不能|可不可以|想(?:请|休)|打算|准备|申请|批|上周|昨天|刚(?:休|请|出)|回来了
    (?:假|出差)(?:之|以)?[前后]|假(?:的|条|单|表|申请|流程|审批|制度)|\bbefore\b|\bafter\b
    \b(?:he|she|they|everyone|who|was|were|not|n't|can i|could i|want|would|plan|last week|yesterday|if)\b
    """
)
_BACK_THEN = any_of(
    r"""
    回来|回(?:公司|单位|岗|办公室|去)|回(?:吧|了)?$|上班|返岗|复工|恢复办公|到岗|\bback\b|\breturn(?:ing)?\b
    """
)
_UNTIL = lazy(r"(?:到|至|直到|\b(?:until|till|til|through|thru|to))\s*$")


def absence(text: str, now: datetime, others: Sequence[str] = ()) -> Absence | None:
    """The absence of whoever says this, where its end is said. `others`: names of people whom the words may be about."""
    own = without_quotes(text)
    said = [c for s in sentences(own) for c in clauses(s)]
    there = [n for n, c in enumerate(said) if _is_leave(c, now, others)]
    if not there:
        return None
    leave = [said[n] for n in there if not _BACK_THEN.search(fold(said[n]))]
    spans = [found for c in leave for t in parse(c, now) if (found := _span(t, c, now))]
    returns = [at for c in said[there[0] :] if _BACK_THEN.search(fold(c)) for t in parse(c, now) if (at := _start(t))]
    until = returns[-1] if returns else max((s.until for s in spans), default=None)
    starts = [s.since for s in spans]
    since = min((s for s in starts if s), default=None) if starts and all(starts) else None
    if until is None or until <= now or (since is not None and since >= until):
        return None
    return Absence(since if since is not None and since > now else None, until)


def beside(text: str, now: datetime, others: Sequence[str] = ()) -> str:
    """What is said beside an absence: without the clauses that tell of it and of the return."""
    said = [c for s in sentences(without_quotes(text)) for c in clauses(s)]
    rest = [c for c in said if not _is_leave(c, now, others) and not _BACK_THEN.search(fold(c))]
    return "\n".join(rest)


def _is_leave(clause: str, now: datetime, others: Sequence[str]) -> bool:
    """A plain statement about the speaker themselves."""
    plain, own = fold(clause), fold(without_times(clause, now))
    if not any(pattern.search(said) for pattern in (_LEAVE, reply.AWAY) for said in (plain, own)):
        return False
    if _NOT_THEIRS.search(own.replace(BLANK, "")):
        return False
    if HEDGE.search(own) or CONDITION.search(own):
        return False
    return not any(is_named(name, clause) for name in others)


def _span(time: TimeExpr, clause: str, now: datetime) -> Absence | None:
    """What a time beside the word for leave says: its last day is a day away."""
    until = _UNTIL.search(fold(clause[: time.pos[0]])) is not None
    if time.kind is TimeKind.duration and time.duration is not None and time.grain == "day":
        return Absence(None, _morning(now + time.duration))
    if time.kind is TimeKind.deadline and time.end is not None:
        return Absence(None, _after(time.end) if time.grain == "day" else time.end)
    if time.kind is TimeKind.span and time.end is not None:
        return Absence(None if until else time.start, time.end if time.grain == "part" else _morning(time.end))
    if time.kind is not TimeKind.moment or time.start is None:
        return None
    if time.grain == "day":
        return Absence(None if until else time.start, _after(time.start))
    return Absence(None, time.start) if until else None


def _start(time: TimeExpr) -> datetime | None:
    """When somebody who names this time as that of their return is there."""
    at = time.start or time.end
    if at is None or time.kind not in (TimeKind.moment, TimeKind.span, TimeKind.deadline, TimeKind.since):
        return None
    return at if time.grain in ("minute", "part") else _morning(at)


def _after(day: datetime) -> datetime:
    return _morning(day + timedelta(days=1))


def _morning(day: datetime) -> datetime:
    return day.replace(hour=MORNING, minute=0, second=0, microsecond=0)


_IS_BACK = any_of(
    r"""
    我?(?:已经|已|现在|今天|提前|早就|刚)*(?:休假|休完假|销假|出差|假期)?(?:回来|返岗|回公司|上班|回岗|销假|复工|休完假|假期结束|回到公司)(?:上班)?了
    i(?:'?m| am)(?: already| now)* back(?: (?:at|to|in) (?:work|the office))?(?: (?:now|today|early|already))*
    back (?:at work|in the office|now|from (?:my )?(?:leave|holiday|vacation))
    """
)


def is_back(text: str) -> bool:
    """Whether they say in so many words that they are back; "老板回来了" and "我周三回来" do not."""
    return any(_IS_BACK.fullmatch(fold(c).strip(" .。!！~～,，")) for s in sentences(text) for c in clauses(s))


_ONLY_BACK = any_of(
    r"""
    我|已经|已|现在|今天|提前|刚|休假|休完假|出差|假期|回来|返岗|回公司|上班|销假|复工|结束|有事?可?以?(?:随时)?(?:找我|说)|了|啦|哈|好|大家|嗨
    im|iam|hi|hello|back|now|today|early|already|atwork|intheoffice|work|office|from|myleave|leave|holiday|vacation
    """
)


def says_only_back(text: str) -> bool:
    """They are back, and nothing else is said."""
    return is_back(text) and made_of(squeezed(text), _ONLY_BACK)
