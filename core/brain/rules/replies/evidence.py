"""Whether words satisfy a goal. Strict: only a plain statement counts, in doubt the goal is not met (RULES 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from core.brain.rules.replies import reply
from core.brain.rules.replies.parts import Part, is_shaky, parts_of, without_times
from core.brain.rules.replies.put_off import gives_no_answer, is_hearsay
from core.brain.rules.replies.told_info import is_told, tells_stage
from core.brain.rules.replies.told_number import is_number
from core.brain.rules.replies.told_reason import asks_why
from core.brain.rules.replies.told_time import has_happened, is_time
from core.brain.rules.words.goal import Want
from core.brain.rules.words.signs import ACK, CANNOT, CONDITION, HEDGE, IGNORANT, NO, PAST, YES, is_done, is_no
from core.brain.rules.words.text import CJK, fold, is_empty, shared, squeezed
from core.patterns import lazy
from core.timetalk import has_definite_time, parse

_ATTACHED = lazy(r"\[(?:图片|文件|照片|视频|语音|表格|附件|photo|image|file|document|picture|video)\]")


def satisfied(want: Want, text: str, now: datetime, about: str) -> bool:
    """Whether these words satisfy one want. `about`: goal and question, for what the words must have to do with."""
    if is_empty(text) and _ATTACHED.search(text):
        return want is Want.THING
    if is_empty(text):
        return want is Want.CONFIRM and bool(re.search(r"👌|👍|✅|🆗|🫡", text))
    parts = parts_of(text)
    match want:
        case Want.TIME:
            return any(is_time(p, now, about) for p in parts)
        case Want.NUMBER:
            return any(is_number(p, about, now) for p in parts)
        case Want.YESNO:
            return (
                _is_not_free(text, about, now)
                or _names_the_hour(parts, about, now)
                or _is_yes_or_no(parts, about, now, bool(reply.RESISTANT.search(fold(text))))
            )
        case Want.CONSENT:
            return (
                bool(parts) and bool(YES.search(parts[0].own)) and not any(is_shaky(p) or is_no(p.own) for p in parts)
            )
        case Want.CONFIRM:
            return _is_confirmed(parts, text)
        case Want.INFO if tells_stage(parts, about):
            return True
        case Want.INFO if asks_why(about) and parts and all(_SLIP.fullmatch(p.own) for p in parts):
            return True
        case Want.INFO if IGNORANT.search(fold(text)):
            return False
        case Want.INFO:
            return is_told(parts, about, now, bool(reply.RESISTANT.search(fold(text))))
        case _:
            if any(
                reply.promises(p.own)
                or (has_definite_time(p.text, now) and reply.GIVES.search(p.own) and not _is_over(p.own))
                for p in parts
            ):
                return False
            if _links_elsewhere(text, about):
                return False
            return any(is_done(p.own) and not _is_doubted(p) for p in parts) or _is_the_thing_itself(parts)


# Why something was left undone, in a word.
_SLIP = lazy(
    r"(?:我|昨天|当时|那天|真的?|不小心|又|给|,)*(?:忘(?:了|记了?|掉了)?|睡过(?:头)?了?|记错了?|没(?:看到|注意|听到|收到通知)|生病了?|手机没电了?|堵车了?)(?:呀|啊|哈|抱歉|不好意思|了)*|(?:sorry,? )?(?:i )?(?:forgot|overslept|missed it)"
)
# Wants something of the reader.
_BIDS = lazy(
    r"(?:帮我|给我|替我|来|一起)?(?:投个?票|助力|砍|点个?赞|转发|关注|扫码|抢)|\b(?:vote|click|follow|like|subscribe|sign up)\b"
)
_LINK = lazy(r"https?://\S+", re.IGNORECASE)


def _links_elsewhere(text: str, about: str) -> bool:
    """A link among words of something else: an advertisement is not what was asked for."""
    rest = _LINK.sub(" ", text)
    if rest == text or is_done(fold(rest)) or shared(rest, about):
        return False
    if _BIDS.search(fold(rest)):
        return True
    return len(squeezed(rest)) > 10 if CJK.search(rest) else len(rest.split()) > 4


def _is_over(own: str) -> bool:
    return is_done(own) or bool(re.search(r"(?<![要快得])了$", own))


def _is_doubted(part: Part) -> bool:
    """What was done stands, whatever else of the sentence is uncertain; a condition does not."""
    return bool(HEDGE.search(part.own) or CONDITION.search(part.sentence))


_NOT_FREE = lazy(
    r"^(?:我|咱|那天|当天|[这那]会儿?|[上下]午|晚上|周[一二三四五六日天]|,|也|都|真|实在|确实)*(?:没(?:空|时间)|有事)(?:了|呢|啊|呀|的)?$"
)


# Wanted for something that both do, or asked whether they have time.
_TO_MEET = lazy(r"想约你|方便吗|有空|有时间|\b(?:free|available)\b")
_TAKEN = lazy(
    r"^(?:我|咱们?|也|都|真|实在|确实|已经?|要|得|正好|刚好|那会儿?|不巧)*(?:有(?:个)?(?:会|事|课|约|安排|客户|活动|面试|手术)|要?(?:开会|出差|上课|值班|加班|看病)|在(?:外地|出差|休假|路上)|休假|请假|排满)(?:了|呢|啊|呀|的|要开)?$"
)


def _is_not_free(text: str, about: str, now: datetime) -> bool:
    """`我也没空` all by itself: a no, where it was asked whether they can; `明天下午有会`, where for a meeting."""
    if _NOT_FREE.search(squeezed(text)):
        return True
    return bool(_TO_MEET.search(fold(about)) and _TAKEN.search(squeezed(fold(without_times(text, now)))))


_AGREES_TO = lazy(r"(?:那就?|就|可以|行|好|吧|见|啊|呀|嗯|ok|的|方便|有空|然后|at|then|works)*")


def _names_the_hour(parts: Sequence[Part], about: str, now: datetime) -> bool:
    """`四点吧`, to whom they are wanted by on that day."""
    return bool(_TO_MEET.search(fold(about))) and any(
        has_definite_time(p.text, now)
        and not is_shaky(p)
        and _AGREES_TO.fullmatch(squeezed(fold(without_times(p.text, now))).strip())
        and not names_another_day(p.text, about, now)
        for p in parts
    )


def names_another_day(text: str, about: str, now: datetime) -> bool:
    """Whether words name a day, and none of those that were asked for."""
    said = {t.start.date() for t in parse(text, now) if t.start is not None and _NAMES_A_DAY.search(fold(t.text))}
    return not said <= {t.start.date() for t in parse(about, now) if t.start is not None}


# "三点以后都行": a yes that comes last.
_SUITS = lazy(
    r"(?:^|[^不还])(?:都|也|就|是|我)?(?:可以|行|方便|有空|有时间|没问题|合适|ok)(?:的|啊|呀|吧|哈|了)?$|\b(?:works|suits|is fine|is good)(?: for me)?$"
)


# An hour alone is one of the day that was asked for.
_NAMES_A_DAY = lazy(
    r"天|今|明早|周|星期|礼拜|号|日|月|\b(?:today|tonight|tomorrow|\w+day|next|this|\d+(?:st|nd|rd|th))\b"
)


def _suits(part: Part, about: str, now: datetime) -> bool:
    """It is fine with them, at the time that was asked for; another day is a proposal."""
    if not _SUITS.search(part.own):
        return False
    return not names_another_day(part.text, about, now)


def _is_yes_or_no(parts: Sequence[Part], about: str, now: datetime, complained: bool) -> bool:
    """A clear yes or no, or a plain statement that takes up words of the question; in a complaint only the former."""
    clear = [p for p in parts if not is_shaky(p)]
    clear = [p for p in clear if not is_hearsay(p.own)]
    if _HAS_HAPPENED.search(fold(about)):
        clear = [p for p in clear if not _AGREES.fullmatch(p.own)]
    if any(
        _answers_plainly(p, about) or _suits(p, about, now) or _takes_up(p.own, about) or _not_done_yet(p, about, now)
        for p in clear
    ):
        return True
    if not complained and any(PAST.search(p.own) for p in clear):
        return True
    if any(is_shaky(p) for p in parts) or not clear or complained:
        return False
    return any(
        shared(p.own, about)
        and not gives_no_answer(p.own)
        and not reply.VAGUE.search(p.own)
        and not reply.promises(p.own)
        for p in clear
    )


_DID_YOU = lazy(r"\b(?:whether|if|did|have) (?:you|they)(?: already| ever)? (?P<verb>[a-z]{3,})\b")
_IS_IT = lazy(r"(?P<what>[^,，。？?「」了过]{1,4})(?:吗|么)(?=$|[」?？,，。\s])")
_DONE_YET = lazy(r"(?P<verb>[一-龥])(?:好|完|过|掉|出来|下来)?(?:了(?:没|吗|么)|没(?:有)?(?=$|[」?？,，。\s]))")


def _not_done_yet(part: Part, about: str, now: datetime) -> bool:
    """`明天签`, `在签` to `签了没`: not yet, told by the very verb."""
    rest = re.sub(
        r"^(?:我们?|这边|客户|他们|就|才|正|还|快|要|再|准备|打算)+", "", squeezed(fold(without_times(part.text, now)))
    )
    said = re.fullmatch(r"在?(?P<verb>[一-龥])(?:着|中|呢|的|吧)*", rest)
    return said is not None and any(said["verb"] == hit["verb"] for hit in _DONE_YET.finditer(fold(about)))


_EITHER_WAY = lazy(r"(?P<verb>[一-龥])[不没](?P=verb)")


def _takes_up(own: str, about: str) -> bool:
    """The very verb of the question: `去`, `肯定去的`, `不想去` to `去不去`, `算` to `算数吗`, "got it" to "whether you got it"."""
    said = re.fullmatch(
        r"(?:我们?|咱们?|这边|当然|肯定|一定|会|都|也|就|要|得|可以|能|必须|准备|打算|想)*(?:不|没有?|不想|不打算|别)?"
        r"(?P<verb>[一-龥])(?:的|啊|呀|哦|吧|了|呢|嘛|哈|噢)*",
        squeezed(own),
    )
    asked = fold(about)
    if said is not None:
        either = any(said["verb"] == hit["verb"] for hit in _EITHER_WAY.finditer(asked))
        return either or any(said["verb"] in hit["what"] for hit in _IS_IT.finditer(asked))
    did = _DID_YOU.search(asked)
    return did is not None and bool(
        re.match(rf"(?:yes,? |yep,? )?(?:i |we )?(?:already |just )?{did['verb']}\b(?! by| on)", own)
    )


# To agree is to answer a wish, and tells nothing of what has been: `好的` to `合同签了没`.
_AGREES = lazy(
    r"(?:嗯+|哦+|那|,|\s)*(?:好+(?:的|呀|啊|嘞|滴|吧|哒)?|行(?:的|啊|吧)?|可以的?|没问题|照办|ok(?:ay)?|sure(?: thing)?|will do|no problem|happy to|gladly|of course)(?:啊|哈|呀|\W)*"
)
_HAS_HAPPENED = lazy(
    r"[一-龥]了(?:没有?|吗|么)|[一-龥](?:没|未)(?:有)?(?=$|[」?？,，;；。])|(?:是否|有没有)(?:已经?|都)?[^,，。?？」]{0,8}(?:了|过)(?=$|[」?？,，。])"
    r"|\b(?:has|have|did) (?:he|she|they|you|the|it|we|i|his|her|their|your|our)\b|\bwhether [^,.?]{1,40}\b(?:has|have|did)\b"
)


def _answers_plainly(part: Part, about: str) -> bool:
    if YES.search(part.own) or NO.search(part.own) or is_done(part.own) or has_happened(part.own, about):
        return True
    return bool(CANNOT.search(part.own)) and (part.first or len(squeezed(part.own)) <= 6 or shared(part.own, about) > 0)


def _is_confirmed(parts: Sequence[Part], text: str) -> bool:
    if not parts:
        return False
    said = any(YES.search(p.own) or ACK.search(p.own) or is_done(p.own) for p in parts) or bool(
        re.search(r"👌|👍|✅|🆗", text)
    )
    return said and not any(is_shaky(p) for p in parts) and not is_no(parts[0].own)


def _is_the_thing_itself(parts: Sequence[Part]) -> bool:
    """Codes, amounts or a factual text: what was asked for stands in the message."""
    for p in parts:
        if is_shaky(p) or reply.has_later(p.own):
            continue
        digits = sum(c.isdigit() for c in re.sub(r"\d+[点月号日:]\d*|\d{1,2} ?(?:am|pm)", "", p.own))
        if digits >= 6 or re.search(r"\d[\d,.]*\s*(?:元|块|万(?!里)|usd|eur|gbp|ex vat|€|\$)", p.own):
            return True
    return False
