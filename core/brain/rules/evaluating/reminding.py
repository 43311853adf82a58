"""Reminders: of the sender themselves, and of others."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from core.brain.questions import Evaluate, EvaluatorResult
from core.brain.rules.evaluating.contact import unmasked
from core.brain.rules.evaluating.doubts import doubts
from core.brain.rules.evaluating.outcome import local_now, one, planned, refused
from core.brain.rules.owner.asked import Reach, reach
from core.brain.rules.owner.intent import errand_time
from core.brain.rules.owner.topic import topic_of
from core.brain.rules.owner.wishes import REMIND_ME, SHOW_ME
from core.brain.rules.times.timing import Timing
from core.brain.rules.times.when import timing_of, without
from core.brain.rules.words.text import any_of, fold, is_english, squeezed, without_quotes
from core.patterns import lazy
from core.timetalk import TimeKind, parse, say_date


def remind(q: Evaluate, found: Reach) -> EvaluatorResult:
    """The sender is reminded where they say "remind me", else those who are named."""
    hit = REMIND_ME.search(found.masked.folded)
    if hit is None and found.anybody and not found.weak:
        return _others(q, found)
    hit = hit or SHOW_ME.search(found.masked.folded)
    if hit is None:
        return refused("unclear", "it is not clear who is to be reminded", "who")
    if (again := _once_more(q, found)) is not None:
        return again
    raw = found.masked.raw
    timing = timing_of(raw, local_now(q), hit.start(), hit.end(), end_of_work=q.end_of_work)
    if timing is not None and timing.at is not None and _WAKES.search(found.masked.folded):
        timing = _in_the_morning(timing, found.masked.folded, local_now(q))
    text = found.masked.unmask(_of_what(raw, hit.span(), timing, q))
    if timing is None:
        return refused("unclear", "it is not clear when", "when")
    timing = unmasked(timing, found)
    text = text or timing.condition or _TIME_IS_UP[is_english(q.tendency)]
    return planned(one("remind", {"text": text}, reason="a reminder"), timing)


_AGAIN = lazy(
    r"[,，\s]*(?:那|就|你|请|麻烦|帮我)*(?:晚[一]?点)?(?:再|重新)(?:提醒|叫|喊)(?:一?下)?我?(?:一?[次遍下声])?[吧。.!！\s]*|[,\s]*(?:please |can you |could you )*(?:snooze(?: it| that| this)?(?: for| by)?|remind me(?: of (?:it|that|this))? again)(?: in| after)?[.!\s]*"
)
_SENT = lazy(r"(?:提醒你：|A reminder: )(?P<text>.+)")


def _once_more(q: Evaluate, found: Reach) -> EvaluatorResult | None:
    """`过5分钟再提醒我`, `snooze 10 minutes`: the reminder that was sent last comes again; None where it has words of its
    own."""
    now = local_now(q)
    said = parse(found.masked.raw, now)
    rest = without(found.masked.raw, tuple(t.pos for t in said))
    if len(said) != 1 or not _AGAIN.fullmatch(fold(rest)):
        return None
    at = said[0].start or (now + said[0].duration if said[0].duration else None)
    if at is None:
        return None
    lines = (hit for line in reversed(q.recent) if line.ours and (hit := _SENT.search(line.text)))
    sent = next(lines, None)
    text = sent["text"].strip() if sent else _TIME_IS_UP[is_english(q.tendency)]
    return planned(one("remind", {"text": text}, reason="the last reminder comes again"), Timing(at.isoformat(), at=at))


_WAKES = lazy(r"叫醒|起床|\bwake\b")
_HALF_OF_DAY = lazy(r"下午|傍晚|晚上|今晚|中午|\bpm\b|\dpm|p\.m|evening|tonight|afternoon|1[3-9]|2[0-3]")


def _in_the_morning(timing: Timing, own: str, now: datetime) -> Timing:
    """People are woken in the morning: a bare "6:30" is that of the morning."""
    at = timing.at
    if at is None or not 13 <= at.hour <= 23 or _HALF_OF_DAY.search(own):
        return timing
    at -= timedelta(hours=12)
    at = at if at > now else at + timedelta(days=1)
    return replace(timing, when=at.isoformat(), due=at.isoformat(), at=at)


def _others(q: Evaluate, found: Reach) -> EvaluatorResult:
    timing = errand_time(found, local_now(q), q.end_of_work)
    if timing is None:
        return refused("unclear", "it is not clear when", "when")
    plain = found.masked.unmask(without(found.masked.raw, timing.spans))
    inner = reach(plain, q.contacts, q.sender_id)
    inner = inner if inner.anybody else found
    topic = topic_of(inner)
    if not topic.text:
        return refused("unclear", "it is not clear of what", "what")
    text = _for_them(topic.text) if len(inner.ids) == 1 else topic.text
    made = one("remind", {"text": text, "people": list(inner.ids)}, **doubts(plain, topic, inner))
    return planned(made, unmasked(timing, found))


def _for_them(text: str) -> str:
    """As it reads to the person: without remarks on them ("她老忘", "he forgot last time"), he and she being them."""
    if is_english(text):
        text = re.split(r"[,;.]\s*(?:(?:and|because|as|since) )?(?=(?:he|she|they)\b)", text)[0]
        return re.sub(r"^(?:'s )?(?:got to|has to|have to|needs to|must|should|is to)\s+|^'s (?=\w)", "", text)
    kept = [c for n, c in enumerate(re.split(r"(?<=[,，。;；\s])", text)) if n == 0 or not re.match(r"[他她]", c)]
    return re.sub(r"[他她](?!们)", "你", "".join(kept)).strip(" ,，。")


_TIME_IS_UP = {False: "时间到了", True: "time is up"}
_SHELL = any_of(
    r"""
    (?:请|麻烦|帮我|帮忙|劳烦|记得|记着|务必|到时候?|到点了?|你|您|那个|清海)(?=[,，\s]|$)|^(?:请|麻烦|帮我|帮忙|劳烦|记得|记着|务必|你|您|那个|清海|啊|,|，|\s)+
    别忘了啊?$|别让我忘了|千万别忘|(?:给|设)(?:我)?(?:个|一个)?(?:闹钟|提醒)|(?:到点|到时候?|准时)$
    ^(?:please|pls|can you|could you|hey|and|then|also|oh)\b[, ]*|\b(?:please|pls|thanks|thank you|would you)\W*$|\bdon'?t let me forget\b
    """
)
_OPENING = lazy(
    r"^(?:[\s,，.。:：;；!！、—-]|一[声下]|说一?[声下]|[声下](?=[\s,，:：]|$)|啊|哈|哦|吧|呢|去(?=[^\s,，]{2})(?!年|世)|要(?=[^\s,，]{2})|,|that\b|to\b|about\b|of\b|so\b|say\b|please\b|for\b)+",
    re.IGNORECASE,
)
_CLOSING = lazy(r"(?:[\s,，.。;；!！]|别忘了啊?|啊|哈|哦|吧|呢|谢谢|please|pls|thanks|so i can)+$", re.IGNORECASE)


def _of_what(raw: str, verb: tuple[int, int], timing: Timing | None, q: Evaluate) -> str:
    """What they are to be reminded of: what stands behind the verb, else what stands before it, without the time."""
    spans = timing.spans if timing else ()
    after = _plain(without(raw[verb[1] :], _within(spans, verb[1], len(raw))))
    before = _plain(without(raw[: verb[0]], _within(spans, 0, verb[0])))
    if (supposed := _SUPPOSED.match(raw[: verb[0]])) is not None:
        before = supposed.group().strip(" ,，")
    text = after if len(squeezed(after)) >= 2 and not _IS_A_REMARK.match(fold(after)) else before
    if not text and after:
        return _remark(after, q)
    return to_you(_dated(text, timing, q))


# A condition that is to be looked at when the time comes stays whole.
_SUPPOSED = lazy(r"(?:如果|要是|万一|if )[^,，。]{2,40}[,，]", re.IGNORECASE)


def _within(spans: tuple[tuple[int, int], ...], first: int, last: int) -> tuple[tuple[int, int], ...]:
    return tuple((max(a, first) - first, min(b, last) - first) for a, b in spans if a < last and b > first)


def _plain(text: str) -> str:
    text = _SHELL.sub("", without_quotes(text)).strip()
    return _CLOSING.sub("", _OPENING.sub("", text)).strip(" ,，。;；:：")


# "半小时后叫我，我眯一会儿": why, not of what.
_IS_A_REMARK = lazy(
    r"我(?!要|得|还|该|们?(?:的|要|得))|(?:i'?m|i am|i'll|so i|because|otherwise|or i)\b|不然|否则|免得|省得|怕|因为"
)


def _remark(words: str, q: Evaluate) -> str:
    up = _TIME_IS_UP[is_english(q.tendency)]
    return f"{up} ({words})" if is_english(words) else f"{up}（{words}）"


def _dated(text: str, timing: Timing | None, q: Evaluate) -> str:
    """Days that are said from now ("明天下午三点的面试") as dates: it is read on another day."""
    now, zh = local_now(q), not is_english(text)
    if timing is None or timing.at is None or timing.at.date() == now.date():
        return text
    for t in reversed(parse(text, now)):
        if t.kind is not TimeKind.moment or t.start is None or re.search(r"\d\s*[月/-]\s*\d", t.text):
            continue
        clock = "" if t.grain == "day" else f" {t.start.hour}:{t.start.minute:02d}"
        date = "" if t.start.date() == timing.at.date() and clock else say_date(t.start.date(), now.date(), zh)
        text = f"{text[: t.pos[0]]}{date}{clock}{text[t.pos[1] :]}".strip()
    return text


def to_you(text: str) -> str:
    """The sender's words as they read when they are said back to them: 我 → 你, my → your."""
    if is_english(text):
        for mine, yours in (
            (r"\bI'm\b", "you're"),
            (r"\bmy\b", "your"),
            (r"\bmine\b", "yours"),
            (r"\b(?:me|I)\b", "you"),
        ):
            text = re.sub(mine, yours, text)
        return text
    text = text.replace("别让我", "别")
    text = re.sub(r"^我(?:还)?(?:要|得|该)(?:去)?(?=\S{2})", "", text)
    return re.sub(r"我(?!们|国|方)", "你", text)
