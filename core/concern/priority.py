"""Priority from the words of a request (RULES 3)."""

from __future__ import annotations

import re
from datetime import datetime

from core.concern.model import Priority
from core.timetalk import deadline

# A danger or an outage, or the strongest word for haste, is critical by itself; 马上 only together with a reason.
_CRITICAL = re.compile(r"十万火急|危险|着火|火警|事故|宕机|挂了|崩了|瘫痪|线上故障|生产故障|外泄|outage|emergency|(?:is|are) down\b", re.I)
_AT_ONCE = re.compile(r"马上|立刻|立即|right now|immediately", re.I)
_REASON = re.compile(r"因为|不然|否则|要不然|等着|because|otherwise|or else", re.I)
_HIGH = re.compile(r"很急|着急|加急|紧急|赶紧|尽快|抓紧|急[，,。！!]|急$|\basap\b|urgent|as soon as possible", re.I)
_LOW = re.compile(r"不急|不着急|不赶|有空|方便的时候|得空|no rush|not urgent|when(?:ever)? (?:you|they|he|she)(?:'re| are| is| has| have)? (?:free|time)|no hurry", re.I)


def from_words(words: str, now: datetime) -> Priority:
    """The priority that the initiator's words ask for; a wish for today is high."""
    if _LOW.search(words):
        return Priority.LOW
    if _CRITICAL.search(words) or (_AT_ONCE.search(words) and _REASON.search(words)):
        return Priority.CRITICAL
    if _HIGH.search(words) or _AT_ONCE.search(words):
        return Priority.HIGH
    until = deadline(words, now)
    return Priority.HIGH if until is not None and until.date() == now.date() else Priority.MEDIUM
