"""How urgent a request is, by its words, and by when it is wanted (RULES 3)."""

from __future__ import annotations

import re
from datetime import datetime, time

from core.brain.rules.words.goal import Want, wants
from core.brain.rules.words.text import any_of, clauses, fold
from core.patterns import lazy
from core.timetalk import deadline, seen_there

_CRITICAL = any_of(
    r"""
    十万火急|火烧眉毛|人命|着火|起火|火灾|漏水了|漏气|煤气|爆炸|触电|事故|夹到|受伤|晕倒|救命|全(?:报|挂|崩|停)
    (?:服务器?|系统|线上|网站|数据库|生产).{0,6}(?:挂|崩|宕|瘫|炸|down|打不开)|宕机|瘫痪|炸了|崩了|出大事|断电停机
    \bgas (?:smell|leak)|\bfire\b|\bflood|\bemergency\b|\boutage\b|\binjur|\bbleeding\b|\bevacuate
    \b(?:prod|production|db|database|server|site|system|service|payments?|checkout)\b.{0,20}\b(?:down|dead|broken|on fire)\b
    \bnobody can (?:log in|pay|order)|\bhurt\b|\blife.{0,6}death|\bcritical\b
    """,
    re.IGNORECASE,
)
_HIGH = any_of(
    r"""
    很急|急(?:用|死|着|事|需)|(?:特别|非常|有点|比较|挺)急|加急|紧急|赶紧|赶快|马上|立刻|立即|火速|抓紧|尽快
    asap
    越快越好|务必|我必须|必须拿到
    \bi must have|\burgent|\bright away\b|\bimmediately\b|\bquick(?:ly)?\b|\bas soon as\b|\bat the latest\b
    \bhurry\b(?! )|\bnow\b!
    """,
    re.IGNORECASE,
)
# At once, and why (RULES 3).
_AT_ONCE = lazy(r"马上|立刻|立即|\b(?:right away|immediately|right now|at once)\b")
_REASON = lazy(r"因为|不然|否则|要不然|来不及了|\b(?:because|otherwise|or else)\b")
FOR_NOW = r"先(?:暂时|暂)?(?:别|不用|不要)(?:再)?(?:催|追)"
"""`先别催`: slower, and not without them."""
_LOW = any_of(
    rf"""
    不(?:着|太|是很)?急|不用急|不用?赶|(?<![天时点候])有空(?:的时候|的话|再|了?帮|了?问|时)|有时间(?:的时候|再)|得空
    什么时候都行|慢慢来|不忙的时候|{FOR_NOW}
    \bno (?:rush|hurry|stress)\b|\bnot urgent\b
    \bwhen(?:ever)? (?:you|he|she|they) (?:have|has|get|gets) (?:time|a (?:chance|minute|moment))|\bwhenever\b
    \bcan wait\b|\bsome ?time\b|\bat some point\b
    """,
    re.IGNORECASE,
)
_QUESTIONS = frozenset(Want) - {Want.THING, Want.DEED}


def priority_of(text: str, due: datetime | None, now: datetime) -> str:
    """critical, high, medium or low, from the words; due today is high."""
    own = fold(text)
    if _CRITICAL.search(own) or (_AT_ONCE.search(own) and _REASON.search(own)):
        return "critical"
    if _LOW.search(own):
        return "low"
    if _HIGH.search(own) or (due is not None and due.date() == now.date()):
        return "high"
    return "medium"


def deadline_of(text: str, topic: str, now: datetime, end_of_work: time = time(18, 0)) -> datetime | None:
    """By when the answer is wanted. A date inside the question ("年底前能不能装上") belongs to the question."""
    for clause in reversed(clauses(text)):
        inside = clause in topic and bool(wants(clause) & _QUESTIONS) and _is_question(clause)
        if inside:
            continue
        found = _limit(clause, now, end_of_work)
        if found is not None:
            return found
    return None


def _limit(clause: str, now: datetime, end_of_work: time, *, gone: bool = False) -> datetime | None:
    """The limit that a clause names, in the zone that it is said in; none where nobody knows that zone."""
    there = seen_there(clause, now)
    found = deadline(*there, end_of_work=end_of_work, gone=gone) if there else None
    return found.astimezone(now.tzinfo) if found else None


# Said of what is wanted, not of what is told ("昨天之前的都作废").
_WANTED_BY = lazy(
    r"前(?:就)?(?:要|给|得|必须|回|答复|拿到)|[要给](?:我|结果|答复|回复)?[。!！]*$|\b(?:need|want|must have|has to|have to)\b.*\bby\b|^by\b|\bby [^,.]{2,24}$"
)


def gone_deadline(text: str, topic: str, now: datetime, end_of_work: time = time(18, 0)) -> datetime | None:
    """A time by which the answer is wanted that has gone by already; it is refused, not dropped."""
    for clause in clauses(text)[1:]:
        own = fold(clause).strip(" ,，。;；")
        if clause in topic or _is_question(clause) or not _WANTED_BY.search(own):
            continue
        found = _limit(clause, now, end_of_work, gone=True)
        if found is not None and found <= now:
            return found
    return None


def _is_question(clause: str) -> bool:
    return bool(
        re.search(
            (
                r"什么时候|能不能|能否|是否|吗|没有?$|几|哪|多少|谁|怎么|[?？]|[能完好到]不[能完好到]|\bwhen\b|\bwhether\b|"
                r"\bif\b|\bwho\b|\bhow\b|\bwhat\b"
            ),
            fold(clause),
        )
    )
