"""A change to what is asked or said: something else in a place, a part taken out, one more question, a softer tone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.brain.questions import EvaluatorResult
from core.brain.rules.amending.parts import Change, cut, phrases, put
from core.brain.rules.amending.slots import WORDS, words_of
from core.brain.rules.words.text import any_of, fold, is_english
from core.patterns import lazy

_END = r"(?:吧|就行|就好|即可|好了|哈|呗|please|pls|thanks)*"
_A_TO_B = (
    phrases(
        rf"(?:把|将)?(?P<a>~{{1,30}}?)(?:都|给)?(?:改成|换成|改为|换为|改到|改叫)(?P<b>~{{1,40}}?){_END}(?:[,。!;]|$)"
    ),
    phrases(rf"是(?P<b>~{{1,40}}?)[,，\s]*(?:而)?不是(?P<a>~{{1,30}}?){_END}(?:[,。!;]|$)"),
    phrases(r"\b(?:should (?:say|be)|say|make (?:it|that))\s+(?P<b>~{1,60}?),?\s+not\s+(?P<a>~{1,60})"),
    phrases(rf"不是(?P<a>~{{1,30}}?)[,，\s]*(?:而|应该)?是(?P<b>~{{1,40}}?){_END}(?:[,。!;]|$)"),
    phrases(rf"\b(?:change|switch|replace|turn)\s+(?P<a>.{{1,60}}?)\s+(?:to|into|with|by)\s+(?P<b>~{{1,60}}){_END}"),
    phrases(r"\bnot\s+(?P<a>[^,;]{1,60}?),?\s+but\s+(?P<b>[^,;]{1,60})"),
    phrases(r"(?P<b>\S.{0,59}?)\s+instead of\s+(?P<a>[^,;]{1,60})"),
)
_ONLY_B = lazy(
    r"(?:^|[,，]|金额|数目|数量|总[额数]|价格?|钱)(?:但是?|不过|只是)?(?:都|应该)?(?:改成|换成|改为|改做|是|给)"
    rf"(?P<b>[\d一二三四五六七八九十百千万两半零点.,%折元块个]+){_END}$|"
    r"\b(?:make (?:it|that)|should be|it'?s|(?:amount|sum|price|number|quantity) (?:to|is))\s+"
    r"(?P<en>[$€£¥]?\d[\d.,]*(?:\s?%|[km]\b)?)\s*(?:please|instead)?$"
)
_NUMBER = re.compile(
    r"[$€£¥]?\d[\d.,]*\d%?|[$€£¥]?\d%?|[一二两三四五六七八九十百千万]{2,6}|[一二两三四五六七八九十](?=[元块万千百折个件吨箱台]|$)"
)
_MORE = (
    lazy(
        r"(?:再|还|顺便|另外|也|顺带)(?:要|帮我|给我|得)?(?:跟[他她]们?|和[他她]们?|对[他她]们?)?(?:问|提|说|写|讲|加|补|告诉|提醒)(?:一?[下句点嘴]|上|清楚|他|她|他们|问)*[:：,，\s]*"
        rf"(?P<x>[^。!]{{2,80}}?){_END}(?:[。!]|$)"
    ),
    lazy(rf"(?:^|[,，])(?:要|帮我)?问(?:清楚|明白)[:：,，\s]*(?P<x>[^。!]{{2,80}}?){_END}(?:[。!]|$)"),
    lazy(rf"(?:加上?一?[句点条]|补充一?[句点下]?)[:：,，\s]*(?P<x>[^。!]{{2,80}}?){_END}(?:[。!]|$)"),
    lazy(
        r"\b(?:also|and)\s+(?:ask|say|mention|add|tell (?:him|her|them)|find out)(?: (?:him|her|them))?(?: (?:that|about))?\s+"
        r"(?P<x>[^.!]{2,120}?)(?: too| as well)?[.!]*$"
    ),
    lazy(r"\badd(?: (?:that|a (?:line|note|word)(?: (?:about|that|saying))?))?:?\s+(?P<x>[^.!]{2,120}?)[.!]*$"),
)
_AND_TOO = lazy(
    r"除了?(?P<a>[^,。!?;]{1,20}?)(?:以外|之外)?[,，\s]+(?:还有)?(?P<b>[^,。!?;]{1,20}?)(?:也|一[起块]|都)|"
    r"\b(?:besides|apart from|in addition to)\s+(?P<ea>[^,;]{1,40}?),?\s+(?:also )?(?:ask (?:about )?)?(?P<eb>[^,;]{1,40}?)(?: too| as well)?$"
)
_ANEW = lazy(
    r"(?:就|直接)(?:说|写|问)[:：](?P<x>.{2,200})$|(?:内容|原话|措辞|文字)?(?:改成|换成|改为)(?:[:：]|问)(?P<y>.{2,200})$|"
    r"\b(?:just |instead )?(?:say|write):\s*(?P<z>.{2,200})$"
)
_TONE = any_of(
    r"""
    语气|口气|客气|委婉|礼貌|温和|柔和|别(?:太|那么)?(?:凶|冲|硬)|好好说
    \bnicer|\bpolite|\bsofter|\bgentle|\bfriendl|\bkinder|\bless (?:harsh|pushy)|\btone\b
    """
)


def change_words(text: str, pending: EvaluatorResult, *, add: bool = True) -> Change | None:
    """How the words of `pending` change by `text`; None when it says nothing that fits them.

    Without `add` nothing is put to what is there: the words add somebody, not something.
    """
    own, there = fold(text), tuple(words_of(pending))
    if add and (hit := _ANEW.search(own)):
        return lambda _: text[slice(*_span(hit, "x", "y", "z"))].strip(' “”"「」')
    if change := _replacement(own, text, there):
        return change
    if change := _both(own, text, there):
        return change
    if change := cut(own, there):
        return change
    if _TONE.search(own):
        return softened
    return _addition(own, text) if add else None


def _span(hit: re.Match[str], *groups: str) -> tuple[int, int]:
    return next(hit.span(g) for g in groups if hit.group(g) is not None)


# --- one thing for another ----------------------------------------------------------------------------------------


def _replacement(own: str, text: str, there: Sequence[str]) -> Change | None:
    for pattern in _A_TO_B:
        for hit in pattern.finditer(own):
            old, new = (text[slice(*hit.span(g))].strip(" 「」“”\"'") for g in ("a", "b"))
            found = next((o for o in _shorter(old) if any(fold(o) in fold(w) for w in there)), None)
            if found and new:
                return lambda words, o=found, n=new: put(words, o, n)  # type: ignore[misc]
    alone = _ONLY_B.search(own)
    new = text[slice(*_span(alone, "b", "en"))].strip() if alone else _amount_of_same_deed(own, text, there)
    fits = [w for w in there if len(_NUMBER.findall(fold(w))) == 1]
    return (
        (lambda words: _AMOUNT.sub(lambda old: _in_unit(new, old[0]), words, count=1) if words in fits else words)
        if fits and _NUMBER.search(new)
        else None
    )


_BESIDE = lazy(r"[a-z]+\s*$|[一-龥]$"), lazy(r"^\s*(?:[a-z]+|[一-龥])")


def _amount_of_same_deed(own: str, text: str, there: Sequence[str]) -> str:
    """`让李四打五万` where it says that three are paid: the only amount, beside the same word as the old one."""
    found = list(_AMOUNT.finditer(own))
    old = [(w, hit) for w in map(fold, there) for hit in _AMOUNT.finditer(w)]
    if len(found) != 1 or not any(_beside(own, found[0]) & _beside(w, hit) for w, hit in old):
        return ""
    return text[slice(*found[0].span())].strip()


def _beside(words: str, hit: re.Match[str]) -> set[str]:
    before, after = _BESIDE
    sides = (before.search(words[: hit.start()]), after.search(words[hit.end() :]))
    return {side.group().strip() for side in sides if side}


_SCALE = r"(?:[万千百亿]|[km](?![a-z]))"
_UNIT = r"(?:块钱|块|元|美元|美金|欧元?|刀|折|%)"
_AMOUNT = lazy(rf"(?:{_NUMBER.pattern}){_SCALE}?{_UNIT}?", re.IGNORECASE)
_TAKEN_APART = lazy(rf"(?P<n>.*?)(?P<scale>{_SCALE}?)(?P<unit>{_UNIT}?)", re.IGNORECASE | re.DOTALL)


def _in_unit(new: str, old: str) -> str:
    """The new amount; what it leaves unsaid of scale and unit is that of the old: 20万 → 15 is 15万, 五万块 → 六万 is 六万块."""
    one, other = _TAKEN_APART.fullmatch(old), _TAKEN_APART.fullmatch(new)
    if one is None or other is None:
        return new
    small = re.fullmatch(r"\d{1,3}(?:\.\d+)?|[一二两三四五六七八九十]{1,3}", other["n"])
    return other["n"] + (other["scale"] or (one["scale"] if small else "")) + (other["unit"] or one["unit"])


def _shorter(old: str) -> list[str]:
    """`那个九折` may stand there as `九折`: the phrase, then its endings."""
    words = old.split()
    if is_english(old):
        return [" ".join(words[n:]) for n in range(len(words))]
    return [old[n:] for n in range(max(1, len(old) - 1))]


def _both(own: str, text: str, there: Sequence[str]) -> Change | None:
    """`除了周六，周日也一块问了`: the other one beside the one that stands there."""
    hit = _AND_TOO.search(own)
    if hit is None:
        return None
    one = text[slice(*_span(hit, "a", "ea"))].strip()
    other = text[slice(*_span(hit, "b", "eb"))].strip()
    joint = " and " if is_english(one) else "和"
    if any(fold(one) in fold(w) for w in there):
        return lambda words: put(words, one, f"{one}{joint}{other}")
    return lambda words: f"{words}{joint}{other}"


# --- more, and how ------------------------------------------------------------------------------------------------


def _addition(own: str, text: str) -> Change | None:
    for pattern in _MORE:
        if (hit := pattern.search(own)) is not None:
            more = text[slice(*hit.span("x"))].strip(" ,，:：")
            return lambda words, m=more: _with(words, m) if m else words  # type: ignore[misc]
    return None


def _with(words: str, more: str) -> str:
    body = words.rstrip(" ,，。.;；")
    if is_english(words) and is_english(more):
        return f"{body.rstrip('?')}, and {more}" + ("?" if body.endswith("?") else "")
    return f"{body}，{more}"


_HARSH = (
    (re.compile(r"必须|务必|一定(?:要|得)"), ""),
    (re.compile(r"赶紧|赶快|立刻|立即|马上|火速"), "尽快"),
    (re.compile(r"不许|不准|禁止"), "请不要"),
    (re.compile(r"[!！]+"), "。"),
    (re.compile(r"\byou (?:must|have to|need to|had better)\b", re.I), "could you please"),
    (re.compile(r"\bmust\b", re.I), "should"),
    (re.compile(r"\b(?:right now|immediately|at once)\b", re.I), "as soon as you can"),
)
_ALREADY = lazy(r"麻烦|请|劳烦|\bplease\b")


def softened(words: str) -> str:
    """The same, less harsh: what must be is asked for, and haste becomes "as soon as you can"."""
    soft = words
    for harsh, instead in _HARSH:
        soft = harsh.sub(instead, soft)
    soft = soft.rstrip(" 。.")
    if _ALREADY.search(fold(soft)):
        return soft
    return f"{soft}, please" if is_english(soft) else f"{soft}，麻烦了"


def rephrase(result: EvaluatorResult, change: Change, *, tone: bool = False) -> EvaluatorResult:
    """All words of a result changed; a goal that quotes the title quotes the new one. A tone leaves titles as they are."""
    parameters = {key: dict(values) for key, values in result.parameters.items()}
    for key, values in parameters.items():
        title, goal = str(values.get("title") or ""), str(values.get("goal") or "")
        for name in WORDS.get(key, ()):
            if values.get(name) and not (tone and name in ("title", "goal")):
                values[name] = change(str(values[name])) or values[name]
        if goal and title and title in goal and not tone:
            values["goal"] = goal.replace(title, str(values["title"]))
    return result.model_copy(update={"parameters": parameters})


def is_tone(change: Change) -> bool:
    """Whether a change is about how it is said, and not about what."""
    return change is softened
