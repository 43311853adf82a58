"""What a delegate's message means. They can answer, ask to be left alone, or leave a word; they can command nothing."""

from __future__ import annotations

import re

from core.brain.questions import Judge, Judgement
from core.brain.rules.replies.pass_on import passed_on
from core.brain.rules.words.text import any_of, fold, grams, is_empty, made_of, shared, squeezed
from core.patterns import lazy

_STOP = any_of(
    r"""
    (?:别|不要|请勿|勿|不许|停止)(?:再)?(?:给我)?(?:发|联系|打扰|骚扰|找我|给我发)(?:我|消息|信息|了|$|[,。!])
    (?:别|不要)再(?:发|联系|打扰|找)(?!群|给(?:他|她|老板))|(?:把我)?拉黑|退订|取消订阅
    ^/?(?:stop|unsubscribe|td)\W*$|\bstop (?:messag|contact|text|writ|bother|email|spamm)
    \b(?:don'?t|do not) (?:ever )?(?:message|contact|text|write|bother|email) me\b|\bunsubscribe\b
    \bleave me alone\b|\bno more messages\b|\btake me off\b
    """
)
_RELAY = any_of(
    r"""
    转告|(?:帮我|麻烦|请|你)?(?:跟|和|告诉|转达|告知|给)(?:一下)?(?:老板|他|她|领导|boss)(?:说|讲|一声|一下|带)
    带(?:个|句)话|传(?:个|句)话|(?:跟|告诉)老板
    \b(?:tell|let) (?:the |your |my )?(?:boss|owner|him|her)\b|\bpass (?:it |this |that )?on\b|\brelay\b
    \bgive (?:him|her|the boss) (?:a message|my)
    """
)
_COURTESY = any_of(
    r"""
    好滴|好嘞|收到|知道|明白|了解|不客气|不谢|没事|没关系|应该的|客气|谢谢|多谢|感谢|感恩|辛苦|拜拜|再见|晚安|早安|早上好
    下午好|晚上好|你好|在吗|在么|嗯|哦|好|行|早|拜|哈|嘿|嘻|的|了|啊|呀|吧|啦|喔|呢|嘞|你|大家|老板|们
    okay|ok|goodmorning|goodnight|thankyou|thanks?|thx|welcome|noproblem|noworries|hello|hey|hi|noted|gotit|youre|cheers
    bye|great|cool|perfect|anytime|haha|lol|appreciated?|sure|fine|alright|very|much|good|again|lot|all|you|ty|np|so|a
    """
)
_OWED = lazy(
    r"[?？]|吗|什么|几|哪|能否|是否|可以|确认|回复|收到|请|麻烦|多少|想约你|希望|还在等|跟进|\bplease\b|\b(?:can|could|would|will) you\b"
    r"|\basks? (?:of )?you\b|\bwould like\b|\bconfirm\b|\bwhen\b|\bwhat\b|\bhow\b|\bneeded\b|\bwaiting\b|\bfollowing up\b",
    re.IGNORECASE,
)


def judge(q: Judge) -> Judgement:
    """ignore, stop, relay or supplement; nothing else is open to a delegate."""
    own = fold(q.text).strip()
    if _STOP.search(own):
        return Judgement(decision="stop", reason="wants no more messages")
    polite = made_of(squeezed(own), _COURTESY)
    if polite and not _is_answer(q, own):
        return Judgement(decision="ignore", reason="a courtesy, nothing is owed")
    asked = any(c.status not in ("resolved", "dropped") for c in q.concerns)
    if is_empty(own) and not (asked and re.search(r"👌|👍|✅|🆗|\[\w+\]", q.text)):
        return Judgement(decision="ignore", reason="no words")
    said = passed_on(own)
    if _RELAY.search(own) and not any(shared(said, f"{c.title} {c.goal} {c.asked}") for c in q.concerns):
        return Judgement(decision="relay", reason="a word for the owner that nobody asked for")
    if q.concerns:
        return Judgement(decision="supplement", targets=(), reason="an answer in an open matter")
    if not grams(own) and len(squeezed(own)) <= 2:
        return Judgement(decision="ignore", reason="nothing is open and nothing is said")
    return Judgement(decision="relay", reason="nothing is open with them, so it is a word for the owner")


_THANKS = lazy(r"不客气|不谢|谢谢|多谢|感谢|辛苦|再见|拜|晚安|thank|welcome|no problem|no worries|cheers|bye")


_ACKS = lazy(r"收到|知道|明白|了解|好|嗯|行|\b(?:got it|noted|ok|okay|yes|sure|fine|will do|understood)\b")


def _is_answer(q: Judge, own: str) -> bool:
    """A bare "好" is an answer when the bot's last word to them was a question or a request of an open matter."""
    is_open = any(c.status not in ("resolved", "dropped") for c in q.concerns)
    if not is_open or (_THANKS.search(own) and not _ACKS.search(own)):
        return False
    last = q.quoted or next((line.text for line in reversed(q.recent) if line.ours), "") or q.concerns[-1].asked
    return not last or bool(_OWED.search(last))
