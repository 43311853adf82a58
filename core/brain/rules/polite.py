"""Putting an owner's words to a delegate: politely, and from the third person's point of view."""

from __future__ import annotations

import re

from core.brain.rules.text import fold, is_english

_QUESTION = re.compile(r"什么时候|啥时候|多少|几[个号点天人份时]|哪|谁|怎么|为什么|为啥|吗|呢|是否|能否|能不能|可不可以|有没有|是不是|要不要|行不行|到底|[完好到齐了过](?:没|未)(?:有)?$|[一-龥]没[一-龥]?$|不$|咋")
_REQUEST = re.compile(r"^(?:把|发|给|交|传|整理|准备|提供|写|拍|导|安排|去|来|帮|做|填|补|改|查|联系|确认|核实|到)")


def body(topic: str, language: str, initiator: str) -> str:
    """The matter as one polite sentence; `initiator` replaces the owner's "我" where it is given."""
    topic = third_person(topic, initiator).strip(" ,，。.;；")
    if not topic:
        return ""
    if is_english(topic):
        return topic[0].upper() + topic[1:] + ("" if topic.endswith("?") else "?" if _asks_en(topic) else ".")
    if language.startswith("en"):
        return f"The question is: “{topic}”"
    plain = topic.rstrip("?？!！")
    if _QUESTION.search(fold(plain)):
        return f"想请问{_gap(plain)}{plain}？"
    if _REQUEST.search(fold(plain)):
        return f"麻烦您{plain}。"
    return f"想了解一下：{plain}。"


def _gap(text: str) -> str:
    """A blank between a Chinese and a Latin character, as is usual in print."""
    return " " if text[:1].isascii() else ""


def _asks_en(topic: str) -> bool:
    return bool(re.match(r"(?:when|what|who|where|why|how|which|is|are|do|does|did|can|could|will|would|has|have|whether)\b", fold(topic)))


def third_person(text: str, initiator: str) -> str:
    """The owner's 我 and 我的 as the initiator's name, their 他/她 about the delegate as 您; `me`, `my` likewise."""
    if not initiator:
        return text
    if is_english(text):
        text = re.sub(r"\b(?:me|I)\b", initiator, text)
        return re.sub(r"\bmy\b", f"{initiator}'s", text, flags=re.IGNORECASE)
    text = re.sub(r"(?<![自本])我(?!们|司|国|方|妈|爸|老婆|媳妇|哥|姐|弟|妹|儿|女)", initiator, text)
    return re.sub(r"^(?:他|她)(?!们)", "您", text)
