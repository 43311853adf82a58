"""Which of the open concerns a message is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.brain.questions import ConcernBrief, PersonBrief
from core.brain.rules.words.goal import core_of
from core.brain.rules.words.names import PERSON, masked
from core.brain.rules.words.text import any_of, fold, shared, squeezed, without_quotes
from core.patterns import lazy

_ALL = re.compile(
    r"都(?:别|不用|先|给我)|(?:全部|所有|全都|统统|一律|一概)|\ball of (?:it|them|that)|\beverything\b|"
    r"\ball (?:open|the)\b|\bboth\b|两个都|都(?:取消|停|不问|算)"
)
_OTHERS_STAY = re.compile(
    r"其他(?:的)?(?:照旧|继续|不变|不动|照常)|别的(?:照旧|继续)|the (?:others|rest) (?:stay|go on|continue)|"
    r"keep the (?:others|rest)"
)


_ASKING = lazy(r"怎么样|咋样|如何|什么|情况|有没有|进[度展]|\b(?:how|what|going|status|progress)\b", re.IGNORECASE)
_NEWEST = lazy(
    r"刚才那[个件条]|刚刚那[个件条]|上一[个件条]|最后那?[一]?[个件条]|最近那[个件条]|\b(?:the|that) (?:last|latest|most recent) (?:one|thing|request|reminder)\b"
)


def score(text: str, concern: ConcernBrief, quoted: str | None = None) -> int:
    """How much speaks for this concern: people named (2 each), words of title and goal, the quoted message."""
    own = masked(text, concern.people)
    named = len({i for m in own.found for i in m.ids})
    # A name counts once, also where it stands in the title; how one asks is no word of any matter.
    said = _ASKING.sub(" ", re.sub(PERSON, " ", own.raw))
    points = 2 * named + 2 * shared(said, concern.title) + shared(said, core_of(concern.goal))
    if quoted:
        points += 2 * shared(quoted, f"{concern.title} {concern.goal}") + len(masked(quoted, concern.people).found)
    return points


ALL_OF_THEM = lazy(r"的都|两[个件]都|都(?:改|要|给|往|推|加|提前|延)|全部|\b(?:both|all of (?:them|it)|all)\b")
"""Several matters are meant together."""


def concerns_meant(text: str, concerns: Sequence[ConcernBrief], quoted: str | None = None) -> tuple[str, ...]:
    """Ids of those for which most speaks; the only one if there is only one; empty where nothing tells."""
    best = best_of(text, concerns, quoted)
    if best:
        return tuple(c.concern_id for c in best)
    return (concerns[0].concern_id,) if len(concerns) == 1 else ()


_GOES_OVER = lazy(
    rf"(?:改|换)(?:成|由|为|去)?(?:问|找|让|叫|催)?(?P<zh>{PERSON})|\b(?:ask|try|switch to|over to|with|for) (?P<en>{PERSON})(?=.{{0,12}}\binstead\b)|\binstead,? (?:please )?ask (?P<me>{PERSON})"
)


_COMES_TOO = lazy(
    rf"(?:再?加(?:上|个|一个)|带上|算上|也(?:顺便|一起|一块)?问(?:一?下|问)?)(?P<zh>{PERSON})|\b(?:add|include|also ask|bring in|loop in) (?P<en>{PERSON})"
)


def open_to_change(text: str, concerns: Sequence[ConcernBrief], people: Sequence[PersonBrief]) -> list[ConcernBrief]:
    """Those that these words may change. "改问李四", "再加上李四": about what others are asked, not about what 李四 is."""
    known = tuple({p.person_id: p for p in (*people, *(x for c in concerns for x in c.people))}.values())
    coming = who_comes_in(text, known)
    others = [c for c in concerns if c.kind == "delegation" and coming.isdisjoint(p.person_id for p in c.people)]
    return others if coming and others else [c for c in concerns if c.kind not in ("watch", "task")]


def who_comes_in(text: str, people: Sequence[PersonBrief]) -> frozenset[str]:
    """Ids of those who are to be asked what others are asked already: beside them, or in their place."""
    own = masked(text, people)
    names = [hit["zh"] or hit["en"] or hit["me"] for hit in _GOES_OVER.finditer(own.folded)]
    names += [hit["zh"] or hit["en"] for hit in _COMES_TOO.finditer(own.folded)]
    return frozenset(i for name in names for i in own.mention(name).ids)


_KEPT_BY = lazy(
    rf"(?P<who>{PERSON}|老板|领导|\bthe (?:boss|owner))(?:的(?:那些|所有|全部)?|['’]s (?:\w+ )?)(?:定时|提醒|闹钟|日程|计划|安排|任务|委托|关注|盯的|事|reminders?|schedules?|alarms?|tasks?|requests?|matters?|watch)"
)


def is_somebody_elses(text: str, concerns: Sequence[ConcernBrief], people: Sequence[PersonBrief], role: str) -> bool:
    """Whether what is to stop is kept for another: nobody of the sender's own matters is called so. Each may call off
    only what is theirs."""
    asked = {p.person_id for c in concerns for p in c.people}
    own = masked(text, tuple({p.person_id: p for p in (*people, *(x for c in concerns for x in c.people))}.values()))
    for hit in _KEPT_BY.finditer(own.folded):
        named = re.fullmatch(PERSON, hit["who"])
        if set(own.mention(hit["who"]).ids).isdisjoint(asked) if named else role != "owner":
            return True
    return False


# What is to stop, by its verb: what is kept for later, what is looked out for, what is asked. The special before the plain.
_KINDS = (
    (
        lazy(
            r"提醒|叫(?:我|醒)|喊我|定时|闹钟|每[天周月晚早日]|天天|\bremind|\balarm|\bwake|\bschedule|\brecurring|\bevery\b|\bdaily\b|\bweekly\b"
        ),
        ("schedule",),
    ),
    (lazy(r"盯|留意|留心|关注|\bwatch|\blook(?:ing)? out|\beye on|\btrack|\bexpect"), ("expectation", "watch")),
    (lazy(r"查|理(?:一遍|出)?了|整理|梳理|汇总|\blook(?:ing)? (?:in)?to|\bresearch|\bdigging|\bsumm?"), ("task",)),
    (lazy(r"查|梳理|整理|归纳|任务|\btask|\bdig|\bresearch"), ("task",)),
    (lazy(r"问|催|追|找|等|\bask|\bchas|\bwait|\bbother|\bping|\bnudg"), ("delegation",)),
)


def cancel_targets(
    text: str, concerns: Sequence[ConcernBrief], quoted: str | None = None
) -> tuple[tuple[str, ...], bool]:
    """What is called off, and whether that must be asked first: several are meant alike, or none is called so.

    A bare "算了" or "never mind" is about what is asked of somebody, not about a standing reminder.
    """
    own = fold(text)
    if _NEWEST.search(own) and (numbered := [c.concern_id for c in concerns if c.concern_id.startswith("con_")]):
        return (max(numbered),), False
    pool = _of_kind(own, concerns)
    if _RECURRING.search(own) and pool:
        concerns = pool  # "不用每天问张三了": what comes every day, whatever else is open with them
    if _ALL.search(own) and not _OTHERS_STAY.search(own):
        return tuple(c.concern_id for c in pool or concerns), False
    best = best_of(text, concerns, quoted)
    if len(best) > 1:
        narrowed = [c for c in best if c in pool]
        best = narrowed or best
    strange = not best and not quoted and _calls_it(text, concerns)
    if not best:
        best = pool or _meant_by_the_verb(own, concerns)
    return tuple(c.concern_id for c in best), len(best) > 1 or strange


# "年会场地的事", "v2.0 提测那件事", "the venue thing": a matter is called by what it is about …
_CALLED = lazy(
    r"(?P<zh>[^,，。!！?？;；]{2,40}?)(?:的?[那这][件个条](?!人)|的事)"
    r"|\b(?:the|that|this|my|about) (?P<en>[a-z0-9][\w .'’-]{2,40}?) (?:thing|question|matter|request|business)\b"
)
# … and not by when it was ordered, or by whom it is asked of.
_WHOSE = any_of(
    rf"""
    {PERSON}(?:那边)?|刚才|刚刚|之前|以前|方才|[上下中]午|早上|晚上|[今昨前]天|上次|上回|让|叫|请|帮|说|问|催|提|交代|吩咐|找|跟|过|了|要|想|关于|对|取消|撤销?|停掉?|不用|不必|别|先|再|把|吧|麻烦|我|你|他|她|的|就|能|还|也|一下|等|在|给|联系|盯
    \b(?:last|latest|same|whole|other|first|second|old|new|i|you|he|she|they|asked|ask|said|told|about|one|me|to|for|of|just|before|earlier|today|yesterday)\b
    """
)


def _calls_it(text: str, concerns: Sequence[ConcernBrief]) -> bool:
    """Whether the words name what the matter is about."""
    own = masked(text, tuple({p.person_id: p for c in concerns for p in c.people}.values())).folded
    return any(squeezed(_WHOSE.sub(" ", hit["zh"] or hit["en"]))[1:] for hit in _CALLED.finditer(own))


_RECURRING = lazy(r"每[天周月晚早日个]|天天|\bevery\b|\bdaily\b|\bweekly\b")
# What is asked of somebody is to stop: never what only the bot itself is at.
_ASKED_OF = lazy(
    r"(?:不用|别|不必|甭)(?:再)?(?:去)?(?:问|催|追|找|等|盯|留意|留心|关注)"
    r"|\bstop (?:asking|chasing|watching|tracking)|\b(?:don'?t|no need to) (?:ask|chase|watch|track)\b"
)
# What the bot looks up is to stop: it may be over by then, and nothing else is meant.
_LOOKED_UP = lazy(
    r"(?:不用|不必|不需要|别|甭)(?:再|去|帮我)*(?:查|搜|梳理|整理)"
    r"|\bstop (?:looking(?! out)|digging|researching)|\b(?:don'?t|no need to) (?:look (?:it|that|this|into)|dig|research)\b"
)
_LOOKING = lazy(r"查|搜|梳理|整理|\blook|\bdig|\bresearch")


def _meant_by_the_verb(own: str, concerns: Sequence[ConcernBrief]) -> list[ConcernBrief]:
    """Where nothing of the kind is open, and none is named: never what another verb is for."""
    if _LOOKED_UP.search(own):
        return [c for c in concerns if _LOOKING.search(fold(f"{c.title} {c.goal}"))]
    asked = [c for c in concerns if c.kind == "delegation"]
    return asked or ([] if _ASKED_OF.search(own) else list(concerns))


def _of_kind(own: str, concerns: Sequence[ConcernBrief]) -> list[ConcernBrief]:
    for pattern, kinds in _KINDS:
        if pattern.search(own) and (found := [c for c in concerns if c.kind in kinds]):
            return found
    return []


def best_of(text: str, concerns: Sequence[ConcernBrief], quoted: str | None = None) -> list[ConcernBrief]:
    """Those for which most speaks; none where nothing does."""
    points = {c.concern_id: score(without_quotes(text), c, quoted) for c in concerns}
    top = max(points.values(), default=0)
    return [c for c in concerns if top and points[c.concern_id] == top]
