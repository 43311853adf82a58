"""Conditions that an errand hangs on: "等张三回了再问李四", "once the container arrives, let Luis know"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.brain.rules.words.text import fold
from core.patterns import lazy


@dataclass(frozen=True)
class Condition:
    """What must happen first, in the sender's words, and where they stand."""

    words: str
    span: tuple[int, int]
    supposed: bool = False
    """It is an "if" or a "once", not a mere "the moment that"."""


# Behind the condition stands the errand: at most these words lead over to it.
_THEN_ZH = r"[,，\s]*(?:你|您|请|再|就|都|马上|立刻|要|得|去|帮我|替我|也|记得)*$"
_BEFORE_ZH = (
    lazy(
        rf"(?:^|[,，。;；\s])(?P<c>[^,，。;；\s]{{0,8}}[一-龥]完[一-龥]{{1,4}}?)(?:之后|以后|后|的时候|时)?(?:了)?{_THEN_ZH}"
    ),
    lazy(
        r"(?:^|[,，。;；\s])(?!然|以|最|今|往|此|之)(?P<c>[^,，。;；\s]{2,16}?)(?:了)?(?:之后|以后|后)[,，\s]*(?:你|再|就|请|去|帮我|马上|立刻|第一时间)*$"
    ),
    lazy(
        r"(?:^|[,，。;；\s])(?P<c>[^,，。;；\s]{3,16}?)了[,，\s]*(?:你|再|就|请|去|帮我|马上|立刻|第一时间)*(?=(?:让|叫|告诉|通知|问|提醒|请)[他她])"
    ),
    lazy(rf"(?:^|[,，。;；\s])等(?:到)?(?P<c>[^,，。;；]{{2,20}}?)(?:之后|以后|后|的时候|时)?{_THEN_ZH}"),
    lazy(
        rf"(?:^|[,，。;；\s])(?P<c>每(?:次|回|趟|逢|当|送|有|来|一[次回趟单])[^,，。]{{1,16}}?(?:之后|以后|后)?)(?:的时候|时)?{_THEN_ZH}"
    ),
    lazy(
        r"(?:^|[,，。;；\s])(?P<c>[^,，。;；\s]{0,10}?(?<![第再])一(?!会|下|声|起|定|直|共|般|个|次|天|周|月)[^,，。]{1,12})[,，\s]*就(?:去|帮我|马上)?$"
    ),
    lazy(rf"(?:只要|一旦|凡是|如果|要是|万一|假如)(?P<c>[^,，。]{{2,24}}?)(?:的话|时|的时候)?{_THEN_ZH}"),
    lazy(
        r"(?:^|[,，。;；\s])(?P<c>[^,，。;；\s]{0,16}?(?:完|好|到|结束|散|上线|通过|回复|回来|下班|签|合并|发布|部署|出来|成功|失败))了?"
        r"(?:之后|以后|后|的话)?[,，\s]*(?:你)?(?:就|再|马上|立刻|第一时间)(?:去|帮我|马上)?$"
    ),
    lazy(
        r"(?:^|[,，。;；\s])(?P<c>[^,，。;；\s]{2,16}?(?:完|好|到|结束|上线|回来))了?(?:之后|以后)[,，\s]*(?:你|请|帮我|去)*$"
    ),
)
_BEFORE_EN = (
    lazy(
        r"(?:^|[,.;]\s*)(?:please )?(?P<all>(?:once|when(?:ever)?|as soon as|the (?:moment|minute|second|instant|day)|after|every time|each time|if) (?P<c>[^,.;]{3,60}?),? *"
        r"(?:(?:then|please|you|can|could|just|and) *)*)$"
    ),
)
# For the sender themselves: "李四回了提醒我", "remind me when Omar replies".
_ANY_ZH = lazy(
    r"(?:^|[,，。;；\s])(?!别忘|记得|麻烦)(?P<c>[^,，。;；\s]{2,16}?(?:了|完|之后|以后|的时候))[,，\s]*(?:就|再|马上|记得)?$"
)
_TRAILING_MINE = lazy(
    r"^.{0,6}?\b(?:once(?! more\b| again\b| a\b| per\b)|as soon as|when(?:ever)?|after|every time|each time) (?P<c>[^,.;]{3,60})[.!\s]*$"
)
_SUPPOSED = lazy(
    r"[,，。;；.\s]*(?:只要|一旦|凡是|如果|要是|万一|假如|(?:please )?(?:once|if|as soon as|every time|each time)\b)"
)
# "倩姐到公司了让她来": what happens to whom the order calls "her".
_HAPPENED = lazy(r"(?:^|[,，。;；\s])(?P<c>[^,，。;；\s]{3,16}?)了[,，\s]*(?:你|再|就|请|去|帮我|马上|立刻|第一时间)*$")
_TO_HIM = lazy(r"\s*(?:让|叫|告诉|通知|问|提醒|请)(?:一?[下声])?[他她]")
_TRAILING = lazy(
    r"\b(?:once(?! more\b| again\b| a\b| per\b)|as soon as|whenever|every time|each time) (?P<c>[^,.;]{3,60})[.!\s]*$"
)
_VERBS = lazy(
    r"(?:(?:通知|告诉|告知|转告|知会|提醒|询问|联系|催|问|找|叫|喊|让|约|跟|和|给|向|对|把|发|请)(?:一?[下声次遍回趟句嘴]|问|各位|的)?)+\s*$"
    r"|把[^,，。:：;；]{0,6}(?:话|消息|通知|内容|信息|文字|段|条|句)(?:转?发|转|带|捎|传|说|告诉)(?:给)?\s*$"
    r"|\b(?:ask|tell|let|ping|call|text|email|message|remind|notify|inform|check with|find out from|get|have|nudge|chase|poke|send|give|write to|say to)\s*$"
)


def verb_start(text: str, person: int) -> int:
    """Where the order begins that reaches the person at this position: before its verb, if one stands there."""
    verb = _VERBS.search(fold(text)[:person])
    return verb.start() if verb else person


def condition_in(text: str, start: int, end: int, *, mine: bool = False) -> Condition | None:
    """The condition of the errand whose verb, or whose person, stands at `start` to `end`; None where it hangs on
    nothing. `mine`: it is for the sender, who may say it in fewer words."""
    own = fold(text)
    head = own[: verb_start(text, start)]
    for pattern in (*_BEFORE_ZH, *_BEFORE_EN, *((_ANY_ZH,) if mine else ())):
        if hit := pattern.search(head):
            supposed = bool(_SUPPOSED.match(head[hit.start() :]))
            return Condition(_plain(text[slice(*hit.span("c"))]), (hit.start(), len(head)), supposed)
    if _TO_HIM.match(own, len(head)) and (hit := _HAPPENED.search(head)):
        return Condition(_plain(text[slice(*hit.span("c"))]), (hit.start(), len(head)))
    hit = _TRAILING.search(own, start)
    if hit:
        return Condition(_plain(text[slice(*hit.span("c"))]), hit.span())
    if mine and (hit := _TRAILING_MINE.search(own[end:])):
        first, last = hit.span("c")
        return Condition(_plain(text[end + first : end + last]), (end, end + last))
    return None


def _plain(words: str) -> str:
    return re.sub(r"\s+", " ", words).strip(" ,，。;；")
