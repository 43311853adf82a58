"""A promise made in passing: who speaks will do it themselves, and names the day (「我周三给客户答复」).

What is ordered, asked, wished, doubted, denied, conditional, over, or another's doing is none: a watch item for nothing
is worse than a promise that nobody noted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time

from core.brain.rules.replies.parts import BLANK, without_times
from core.brain.rules.replies.reply import INJECTION, RESISTANT, asks
from core.brain.rules.words.signs import CONDITION, HEDGE
from core.brain.rules.words.text import CJK, any_of, clauses, fold, is_english, made_of, sentences, squeezed
from core.patterns import lazy
from core.timetalk import has_definite_time, parse, promised

_SIX = time(18, 0)

# Handing over, or bringing to an end: what somebody else may wait for. Not where one goes or how one spends the day.
_DEED_ZH = (
    r"(?:答复|回复|回话|反馈|汇报|交付|提交|上交|提测|联系|处理|解决|跟进|确认|敲定|搞定|完成|更新|打款|转账|付(?!出)|结清|盖章|归还|补(?:上|齐|交|发|给)"
    r"|发(?!现|烧|生|呆|愁|觉|展|言|脾气|工资|布)|交(?!流|接|谈|往|通|代|班|给老天)|寄|传(?!统|达)|签(?!证|到)|报(?:价|给|送|上)"
    r"|(?:写|做|改|弄|搞|办|修|整理|测|审|看|核|算|排|定|谈|准备|赶|补|过)(?:好|完|出来|下来|齐|清楚|通)"
    r"|出(?:一[个份版])?(?:[^,]{0,6}(?:方案|报告|结果|初稿|图|合同|报价|结论|计划|排期|清单|名单))"
    r"|送(?:到|去|过去|过来)|拿(?:到|给|过来|出)|还给|打(?:给|到)|打(?:个|一?个)?电话|给(?!力|面子))"
)
_GIVES_ZH = r"(?:给|跟|和|向|同|对)[^,]{1,14}?"
_OBJECT_ZH = r"(?:把|将)[^,]{1,24}?"
_NOT_OWED = lazy(
    r"生日|过节|做饭|买菜|[早午晚]饭|接(?:孩子|人|机|他|她)|送(?:孩子|机|行)|打(?:球|牌|游戏|针|车)|看(?:完)?(?:电影|病)"
)
# What may stand around "I" and the day before the deed itself. BLANK is white space too, so it is not named beside `\s`:
# each would double the ways to read a row of times, and with thirty of them no end would come.
_BEFORE_ZH = r"(?:那|好的?|行|嗯|哦|ok|对了|另外|还有|顺便|没问题|放心吧?|这样|这个|这事|你?放心|老板|跟你说一?声|说一?声|[,\s:])*"
_SELF_ZH = (
    r"(?:我们?|咱们?|本人)(?:这边|自己|亲自)?"
    r"(?:会|来|去|就|再|先|一定|肯定|保证|务必|必须|准时|最[晚迟]|可以|能|要|得|负责|答应(?:了|过)?[^,]{0,6}?"
    r"|\s|之?前|以前|左右|那天)*"
)
_PROMISE_ZH = lazy(
    rf"^{_BEFORE_ZH}(?P<self>{_SELF_ZH})(?P<deed>(?:去|来|再|先)?(?:{_OBJECT_ZH}{_DEED_ZH}|{_GIVES_ZH}{_DEED_ZH}|{_DEED_ZH})[^,]*)$"
)
# Others do it, or it is put as less than a promise.
_NONE_ZH = any_of(
    r"""
    提醒|帮我|替我|让[^,]{1,8}|叫(?!做)|派|安排[^,]{1,4}(?:去|来)|请[他她你]|想(?!办法|好)|希望|打算|计划|考虑|准备(?![好完])|尽力|尽可能|争取|不(?!好意思|见不散)
    没(?!问题)|别(?!担心|急)|未(?!来)|该(?!项|批|文)|昨|(?<!不)上(?:周|个?月|次)|刚(?!好)|了[呀啊的]?[.!~]*$|已经|说过|本来|原本|每(?:天|周|月|次|个)|万一|顺利
    """
)

_DEED_EN = (
    r"(?:send|e-?mail|forward|submit|deliver|share|upload|post|file|sign|pay|wire|transfer|hand|give|get (?!there|home|up|in\b|to the)"
    r"|reply|respond|answer|call|write|finish|complete|finali[sz]e|review|fix|update|draft|prepare|publish|return|bring"
    r"|have (?:the|it|that|this|an?|your|our|my)|let (?!you\b)[a-z]+ know|follow up|sort|settle|confirm|wrap up|turn)"
)
_PROMISE_EN = lazy(
    r"^(?:(?:ok(?:ay)?|sure|yes|right|well|and|so|also|btw|by the way|no problem|fine)(?=[,\s])|(?:on|by|at|before)(?=\s+"
    + BLANK
    + r")|[\s,])*(?P<self>(?:i|we)(?:'ll| will| shall|'m going to| am going to|'re going to| are going to| promise to| promised to)"
    r"(?: (?:definitely|certainly|also|then|just|personally|surely))*)\s+(?P<deed>(?:"
    + BLANK
    + r"\s*)?"
    + _DEED_EN
    + r"\b.*)$"
)
_NONE_EN = lazy(
    r"\b(?:remind|ask|tell|hope|wish|want|plan|planning|try|trying|might|maybe|should|could|would|not|never|yesterday|ago|every|each|unless|if|"
    r"once|as soon as|when|after|give (?:it|that|this) (?:a )?(?:try|thought|go))\b|n't\b"
)
_TALK_AROUND = any_of(
    r"""
    谢谢|多谢|辛苦了?|好的?|行|嗯|哦|ok|放心吧?|没问题|对了|你?放心|老板|的|了|啊|吧|哈
    okay|ok|thanks?|thankyou|sure|yes|noproblem|fine|right
    """
)

_DONE_ZH = lazy(
    rf"^{_BEFORE_ZH}(?:我们?|咱们?)?(?:已经?|刚|都|早就|也|昨天|今天|\s)*"
    rf"(?:{_OBJECT_ZH}{_DEED_ZH}|{_GIVES_ZH}{_DEED_ZH})(?:过|完|好|出去|过去|上去|到|[他她它]们?|客户|对方)*了$"
)
_NONE_DONE = lazy(r"(?:行|好|得|算|可以|够|成)了$|让|帮我|替我|请|麻烦|叫|提醒|没|不|别|该|要|快")


@dataclass(frozen=True)
class Promise:
    """A promise found in words: the sentence as said, the deed without who and when, and by when."""

    said: str
    deed: str
    when: datetime


def promises_in(text: str, now: datetime, end_of_work: time = _SIX) -> tuple[Promise, ...]:
    """The promises of a text (no quotes in it), in order. `now` carries the speaker's zone, so does `when`."""
    found = (_promise(s, now, end_of_work) for s in sentences(text))
    return tuple(p for p in found if p is not None)


def is_promise_alone(text: str, now: datetime) -> bool:
    """Whether a text says nothing but what the speaker will do: then nobody is ordered to do anything."""
    said = [s for s in sentences(text) if not made_of(squeezed(s), _TALK_AROUND)]
    return bool(said) and all(_promise(s, now, _SIX) is not None and not _more(s, now) for s in said)


def is_deed_done(text: str, now: datetime) -> bool:
    """Whether a text only reports a deed as done (「给客户答复了」): a report is no order, whomever it names."""
    own = fold(without_times(text.strip(), now)).rstrip(" .。!！~")
    return bool(_DONE_ZH.match(own)) and not _NONE_DONE.search(own)


def deed_of(said: str, now: datetime) -> str:
    """What is promised, in the words of the promise without its speaker and its day; the whole where it is put freely."""
    return next((d for c in clauses(said) if (d := _deed(c, now))), "") or _trimmed(said)


def _promise(sentence: str, now: datetime, end_of_work: time) -> Promise | None:
    if not parse(sentence, now):  # most sentences name no time: then nothing else needs to be looked at
        return None
    own = fold(sentence)
    if asks(sentence) or own.endswith("?") or INJECTION.search(own) or RESISTANT.search(own):
        return None
    if HEDGE.search(own) or CONDITION.search(own):
        return None
    for clause in clauses(sentence):
        deed = _deed(clause, now)
        when = promised(clause, now, end_of_work=end_of_work) if deed and has_definite_time(clause, now) else None
        if deed and when is not None:
            return Promise(_trimmed(clause), deed, when)
    return None


def _deed(clause: str, now: datetime) -> str:
    """The words of the deed, where the clause is one that the speaker will do; else empty."""
    blanked = without_times(clause, now)
    own = fold(blanked)
    none, pattern = (_NONE_EN, _PROMISE_EN) if is_english(clause) else (_NONE_ZH, _PROMISE_ZH)
    hit = pattern.match(own.rstrip(" 。.!~"))
    if hit is None or none.search(own) or _NOT_OWED.search(own):
        return ""
    return _without_blanks(blanked[hit.start("deed") : hit.end("deed")])


def _without_blanks(words: str) -> str:
    """The deed as it was said, without the gap where its day stood and the word that led to it ("by", "on", "前")."""
    words = re.sub(rf"\s*\b(?:by|on|before|at|until)\s*{BLANK}|{BLANK}\s*(?:之前|以前|前)?", " ", words)
    plain = re.sub(r"\s{2,}", " ", words).strip(" ,，。.!！~")
    return re.sub(r"(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])", "", plain) if CJK.search(plain) else plain


def _more(sentence: str, now: datetime) -> bool:
    """Whether the sentence has clauses beside the promise that say something of their own."""
    rest = [c for c in clauses(sentence) if not _deed(c, now) and not made_of(squeezed(c), _TALK_AROUND)]
    return bool(rest)


def _trimmed(words: str) -> str:
    return words.strip(" 　,，。.!！~；;")
