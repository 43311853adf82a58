"""Putting an owner's words to a delegate: politely, and from the third person's point of view."""

from __future__ import annotations

import re
from datetime import datetime

from core.brain.rules.words.goal import EITHER, REPORTS
from core.brain.rules.words.phrases import say
from core.brain.rules.words.text import fold, is_english
from core.patterns import lazy
from core.timetalk import TimeExpr, parse, said_zone

_QUESTION = lazy(
    r"什么时候|什么|啥|多少|几(?!乎)|哪|谁|怎么|为什么|为啥|吗|呢|是否|能否|(?![来去]不[及了])[能会要可行来有去]不[能会要可行来有去]?|(?P<verb>[一-龥])不(?P=verb)|"
    rf"得了?不|有没有|是不是|到底|[一-龥](?:没|未)(?:有)?$|不$|咋|{EITHER}"
)
_BY_WHEN = (
    r"(?:(?:今|明|后)[天晚早]|上午|中午|下午|晚上|早上|(?:这|本|下)?周[一二三四五六日天末]?|月底|月初|"
    r"[\d一二三四五六七八九十半]+[点号月日时分]+(?:半|钟)?|之?前|以前|之内|最晚|最迟|尽快|抽空|有空|就|[,，\s])*"
)
_REQUEST = lazy(
    rf"^{_BY_WHEN}"
    r"(?:把|发|给|交|传|整理|准备|提供|写|拍|导|安排|去|来|帮|做|填|补|改|查|联系|确认|核实|到|断|停|关|"
    r"开|处理|马上|赶紧|今天|尽快)"
)


# A thing that is only named: "the lease", "our stand at the fair".
_THING_EN = lazy(r"(?:the|a|an|his|her|their|my|our|your|this|these|those) (?:[\w'-]+ ?){1,6}$", re.IGNORECASE)
_VERB_EN = lazy(
    r"\b(?:is|are|was|were|be|been|has|have|had|will|would|can|could|shall|should|must|may|might|do|does|did|"
    r"goes?|comes?|needs?|wants?|works?|\w+ed|\w+n't)\b",
    re.IGNORECASE,
)


def is_question(words: str) -> bool:
    """Whether words ask for something to be told."""
    return _asks_en(words) if is_english(words) else bool(_QUESTION.search(fold(words)))


def body(topic: str, language: str, initiator: str) -> str:
    """The matter as polite sentences; `initiator` stands for the owner's "我", "你" for the delegate."""
    english = language.startswith("en")
    topic = third_person(topic.strip(" ,，。.;；"), initiator)
    if not topic:
        return ""
    if english:
        if _INDIRECT.match(topic):
            topic = topic.rstrip("? ")
        if topic.startswith("about ") and not topic.endswith("?"):
            return f"{initiator} would like to know {topic}."
        if _INDIRECT.match(topic) and not topic.endswith("?"):
            return f"{initiator} would like to know {topic}."
        if _THING_EN.match(topic) and not _VERB_EN.search(topic):
            whose = re.sub(r"^(?:his|her|their)\b", "your", topic, flags=re.IGNORECASE)
            return f"{initiator} would like to know about {whose}."
        return topic[0].upper() + topic[1:] + ("" if topic.endswith(("?", "!")) else "?" if _asks_en(topic) else ".")
    question, rest = _cut(topic)
    if question and _LOOKS_IT_UP.match(question):
        return f"麻烦你{question}。{rest}"
    if question:
        return f"想请问{_gap(question)}{question}？{rest}"
    plain = topic.rstrip("?？!！")
    if _REQUEST.search(fold(plain)) or REPORTS.fullmatch(plain):
        return f"麻烦你{plain}。"
    return f"想了解一下：{plain}。" if len(plain) <= 12 else f"{plain}。"


_URGENT = lazy(r"急|尽快|赶紧|马上|越快越好|asap|urgent|quick|\bsoon\b|\bnow\b", re.IGNORECASE)
_NO_RUSH = lazy(r"不(?:着|太|用)?急|有空|慢慢|no (?:rush|hurry)|whenever|can wait", re.IGNORECASE)


# What is to be found out first: `查一下上个月的电费是多少`.
_LOOKS_IT_UP = lazy(
    r"(?:帮我|帮忙|去|先|再)*(?:查|看|算|数|核|统计|核实|核对|确认|打听|了解|问)(?:一?[下查看算数问])(?!子)"
)
# More is wanted than to know by when: `没交的话请今天交`.
_WISH = lazy(r"请(?!问)|不行的话|不及的话|没(?:空|时间)的话|\bplease\b|\bif not\b", re.IGNORECASE)


def by_when(rest: str, language: str, now: datetime, to_hand_over: bool, initiator: str) -> str:
    """What the owner said behind the matter about when it is wanted, as a sentence; else their words themselves."""
    plain = rest.strip(" ,，。.;；!！、")
    if not plain:
        return ""
    times = parse(plain, now)
    if times and not _WISH.search(plain):
        when = _with_zone(plain, times[-1], now)
        return say(f"by_when_{'thing' if to_hand_over else 'answer'}", language, when=when)
    if _NO_RUSH.search(plain):
        return say("no_rush", language)
    if _URGENT.search(plain) and len(plain) <= 12:
        return say("urgent", language)
    said = third_person(plain, initiator)
    stop = "" if said.endswith(("?", "？")) else "." if is_english(plain) else "。"
    return f"{said[0].upper()}{said[1:]}{stop}" if is_english(plain) else f"{said}{stop}"


def _with_zone(text: str, said: TimeExpr, now: datetime) -> str:
    """The words of a time with those of the zone that it is said in: "北京时间九点前"."""
    zone = said_zone(text, now.tzinfo) if now.tzinfo is not None else None
    first, last = said.pos
    if zone is None or not (first - 3 <= zone.pos[1] and zone.pos[0] <= last + 3):
        return said.text
    return text[min(first, zone.pos[0]) : max(last, zone.pos[1])].strip()


def _cut(topic: str) -> tuple[str, str]:
    """The text up to its last question, and what stands behind it as a sentence of its own."""
    parts = re.split(r"(?<=[,，。;；!！?？])(?!(?<=\d,)\d{3}(?!\d))", topic)
    asks = [i for i, p in enumerate(parts) if _QUESTION.search(fold(p).strip(" ,，。;；!！?？"))]
    if not asks:
        return "", ""
    question = "".join(parts[: asks[-1] + 1]).strip(" ,，。;；!！?？")
    rest = "".join(parts[asks[-1] + 1 :]).strip(" ,，。;；")
    return question, f"{rest}。" if rest else ""


def _gap(text: str) -> str:
    """A blank between a Chinese and a Latin character, as is usual in print."""
    return " " if text[:1].isascii() else ""


def _asks_en(topic: str) -> bool:
    return bool(
        re.match(
            r"(?:(?:when|what|who|where|how)'?s?|why|which|is|are|do|does|did|can|could|will|would|has|have|whether)\b",
            fold(topic),
        )
    )


_INDIRECT = lazy(
    r"(?:when|what|who|where|why|how|which|whether|if)\b(?! (?:is|are|was|were|do|does|did|can|will|would|should)\b)",
    re.I,
)


def _to_you(topic: str) -> str:
    """An indirect question about the delegate, put to them: `whether he can come` → `whether you can come`."""
    topic = re.sub(r"^((?:if|whether|when|where|how(?: \w+)?|what|why|which \w+) )they\b", r"\1you", topic, flags=re.I)
    said = re.sub(r"\b(?:he|she) (is|has|was|does)\b", lambda m: f"you {_YOURS[m.group(1).lower()]}", topic, flags=re.I)
    said = re.sub(
        r"\b(?:he|she) ([a-z]{2,}?)(ies|(?<=[sxzo])es|(?<=[cs]h)es|(?<![su])s)\b", _bare_verb, said, flags=re.I
    )
    said = re.sub(r"\b(?:he|she)\b", "you", said, flags=re.I)
    return re.sub(r"\b(?:his|her)\b", "your", said, flags=re.I)


def _bare_verb(hit: re.Match[str]) -> str:
    return f"you {hit[1]}{'y' if hit[2].lower() == 'ies' else ''}"


_YOURS = {"is": "are", "has": "have", "was": "were", "does": "do"}


def third_person(text: str, initiator: str) -> str:
    """The owner's 我 and 我的 as the initiator's name, their 他/她 (the delegate) as 你; `me`, `my` likewise."""
    if not initiator:
        return text
    if is_english(text):
        text = re.sub(r"\b(?:me|I)\b", initiator, _to_you(text) if _INDIRECT.match(text) else text)
        return re.sub(r"\bmy\b", f"{initiator}'s", text, flags=re.IGNORECASE)
    text = re.sub(r"(发|给|交|传|寄|送|拿)给?我(?!们|司)", rf"\1给{initiator}", text).replace("给给", "给")
    text = re.sub(r"(?<![自本])我(?!们|司|国|方|妈|爸|老婆|媳妇|哥|姐|弟|妹|儿|女)", initiator, text)
    return re.sub(r"(?<![其吉])[他她](?!们)", "你", text)
