"""The matter of a request without its frame: `帮我问一下张三，v2.0 什么时候能提测，问到告诉我` → `v2.0 什么时候能提测`."""

from __future__ import annotations

import re

from core.brain.rules.asked import Reach
from core.brain.rules.names import PERSON
from core.brain.rules.text import is_english, squeezed

_LEAD = re.compile(
    r"^(?:\s|[,，.。:：;；!！、—-])*(?:那边|那儿|那里|这边|他们|(?:几个|[两二三四五]个)人|的话|老师|他|她|一下|一声|下|问|各自|分别|都|去|说声|说一声|说|讲|核实|确认|对一下|对下|打听打听|打听|打个招呼|沟通一下|知会一声|知会|哈|呗|吧|声|,|，|:|：|\s|to\s|whether\s|if\s|that\s|and ask\s|know\s|about\s|for\s|would you|please)*"
)
_TAIL = re.compile(
    r"[,，。.;；!！\s]*(?:(?:问|确认|了解|核实|打听)?(?:到|清楚|好|完|明白|出来)?了?(?:之后|后|以后|一起|再|就|赶紧|马上|及时)?(?:告诉|回复|跟|和|给|通知|回|报)(?:一下)?我(?:一声|说一?声|说|回(?:个)?(?:话|信|消息)|个(?:信|准信|话))?(?:一下)?|有(?:结果|消息|回复|信)(?:了)?(?:就|再)?(?:告诉|跟|通知|回)我(?:说|一声|一下)?|你?(?:去|帮我|给我|替我)?(?:问|催|确认)(?:一?[下声]|问|清楚)?|谢谢|辛苦了?|多谢|好吗|可以吗|行吗|(?:and )?(?:then )?(?:let me know|tell me|get back to me|report back)(?: what (?:he|she|they) says?)?|(?:please|pls|thanks?|thank you|cheers|would you|will you|can you))[。.!！?？\s]*$",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"^(?:\s|[,，。!！])*(?:嗯+|那个|哎|喂|早|早上好|清海啊?|麻烦你?|请你?|劳烦|帮我?|帮忙|替我|给我|你|再|先|去|能不能|可以|能|想|我想|我要|有空(?:的时候|的话)?|不急哈?|(?:can|could|would|will) you|please|pls|hey|hi|morning|go|,|，|\s|-)*",
    re.IGNORECASE,
)
LONGEST_TITLE = 40


def topic_of(found: Reach) -> str:
    """What is to be asked, told or done, in the sender's words; empty where nothing is said about it."""
    raw = found.masked.raw
    if not found.spans:
        return _clean(found, raw)
    last = found.spans[-1][1] if _one_run(found) else found.spans[0][1]
    after = _clean(found, raw[last:])
    before = _clean(found, _drop_verb(raw[: found.spans[0][0]]))
    if _substance(after) and not _only_frame(after):
        return after
    return before if _substance(before) else ""


def _one_run(found: Reach) -> bool:
    """All who are asked stand together: what comes behind the last of them is the matter."""
    raw = found.masked.raw
    return all(len(re.sub(rf"[\s、,，和跟与及还有以及and&]|{PERSON}", "", raw[a[1] : b[0]])) <= 2 for a, b in zip(found.spans, found.spans[1:], strict=False))


def _drop_verb(raw: str) -> str:
    return re.sub(r"(?:帮我|麻烦|你|去|再|替我|给我)*(?:问|找|联系|跟|和|叫|让|催|请|约|通知|告诉|给|对|把|一下|下|声)+\s*$|\b(?:ask|tell|from|check with|call|get|chase|have|with|and)\s*$", "", raw, flags=re.IGNORECASE)


def _clean(found: Reach, raw: str) -> str:
    text = _LEAD.sub("", raw)
    for _ in range(3):
        text = _TAIL.sub("", text)
    text = _LEAD.sub("", _FRAME.sub("", text) if not is_english(text) else text)
    return re.sub(r"\s+", " ", found.masked.unmask(text)).strip(" ,，.。;；:：、")


def _substance(text: str) -> bool:
    return len(squeezed(text)) >= 2


def _only_frame(text: str) -> bool:
    return re.fullmatch(r"(?:去|再|也|一起|一下|一声|问|问清楚|情况|个|事|呢|吧|啊|了|\W)+", text) is not None


def title_of(topic: str) -> str:
    """The topic, cut at a clause where it is long."""
    if len(topic) <= LONGEST_TITLE:
        return topic
    parts = re.split(r"(?<=[,，。;；?？])", topic)
    title = parts[0]
    for part in parts[1:]:
        if len(title) + len(part) > LONGEST_TITLE:
            break
        title += part
    return title.strip(" ,，.。;；")[: 2 * LONGEST_TITLE]
