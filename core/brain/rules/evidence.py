"""Whether words satisfy a goal. Strict: only a plain statement counts, in doubt the goal is not met (RULES 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.brain.rules import reply
from core.brain.rules.goal import Want
from core.brain.rules.names import SURNAMES
from core.brain.rules.put_off import gives_no_answer, is_hearsay
from core.brain.rules.signs import (
    ACK,
    APPROXIMATE,
    ASSERTS,
    BUSY,
    CANNOT,
    CONDITION,
    HEDGE,
    IGNORANT,
    NO,
    NUMERAL,
    PAST,
    YES,
    is_done,
    is_no,
    is_yes_alone,
)
from core.brain.rules.text import CJK, any_of, clauses, fold, grams, is_empty, sentences, shared, squeezed
from core.timetalk import has_definite_time, parse


@dataclass(frozen=True)
class Part:
    """One clause with the sentence that it stands in, folded."""

    text: str
    own: str
    sentence: str
    first: bool


def parts_of(text: str) -> list[Part]:
    """The clauses of a text that state something: no questions, no complaints, no commands."""
    found: list[Part] = []
    for sentence in sentences(text):
        if reply.asks(sentence) or sentence.endswith(("?", "？")):
            continue
        folded = fold(sentence)
        for clause in clauses(sentence):
            own = fold(clause)
            if reply.RESISTANT.search(own) or reply.INJECTION.search(own):
                continue
            found.append(Part(clause, own, folded, not found))
    return found


_ATTACHED = re.compile(r"\[(?:图片|文件|照片|视频|语音|表格|附件|photo|image|file|document|picture|video)\]")


def satisfied(want: Want, text: str, now: datetime, about: str) -> bool:
    """Whether these words satisfy one want. `about`: goal and question, for what the words must have to do with."""
    if is_empty(text) and _ATTACHED.search(text):
        return want is Want.THING
    if is_empty(text):
        return want is Want.CONFIRM and bool(re.search(r"👌|👍|✅|🆗|🫡", text))
    parts = parts_of(text)
    match want:
        case Want.TIME:
            return any(_is_time(p, now, about) for p in parts)
        case Want.NUMBER:
            return any(_is_number(p, about, now) for p in parts)
        case Want.YESNO:
            return _is_yes_or_no(parts, about, bool(reply.RESISTANT.search(fold(text))))
        case Want.CONSENT:
            return bool(parts) and bool(YES.search(parts[0].own)) and not any(_shaky(p) or is_no(p.own) for p in parts)
        case Want.CONFIRM:
            return _is_confirmed(parts, text)
        case Want.INFO if IGNORANT.search(fold(text)):
            return False
        case Want.INFO:
            return _is_told(parts, about, bool(reply.RESISTANT.search(fold(text))))
        case _:
            if any(
                reply.promises(p.own)
                or (has_definite_time(p.text, now) and reply.GIVES.search(p.own) and not _is_over(p.own))
                for p in parts
            ):
                return False
            return any(is_done(p.own) and not _is_doubted(p) for p in parts) or _is_the_thing_itself(parts)


def _is_over(own: str) -> bool:
    return is_done(own) or bool(re.search(r"(?<![要快得])了$", own))


def _is_doubted(part: Part) -> bool:
    """What was done stands, whatever else of the sentence is uncertain; a condition does not."""
    return bool(HEDGE.search(part.own) or CONDITION.search(part.sentence))


def _shaky(part: Part) -> bool:
    return bool(HEDGE.search(part.sentence) or CONDITION.search(part.sentence))


def _is_time(part: Part, now: datetime, about: str) -> bool:
    """A definite time in a clause that is not about being busy, not hedged or conditional, and about the matter.

    With few words beside the time it is about the matter; with many it must share one with the question. That it has
    happened already ("出来了") answers when as well; a past time alone ("你一小时前问过") does not.
    """
    if _shaky(part) or BUSY.search(part.own) or _BUSY_AFTER.search(part.sentence):
        return False
    if _has_happened(fold(without_times(part.text, now)).strip(), about):
        return True
    if TELLS_LATER.search(part.own) or gives_no_answer(part.own) or is_hearsay(part.own):
        return False
    times = [t for t in parse(part.text, now) if t.grain not in _COARSE]
    ahead = [t for t in times if (t.end or t.start or now) >= now or t.duration]
    if not ahead and not (times and is_done(part.own) and not re.search(r"你|\byou\b", part.own)):
        return False
    rest = without_times(part.text, now)
    if _is_another_event(part, rest, about) or _OTHER_YEAR.search(part.own) or _begins_only_then(part.own, about):
        return False
    return has_definite_time(part.text, now) or (bool(_FREE.search(fold(about))) and any(t.start for t in times))


# What may stand beside the time of an answer without making it the time of something else.
_PLAIN_WORDS = any_of(
    r"""
    不会(?:晚|迟)于|没问题|肯定|一定|保证|必须|预计|计划|争取|最[晚迟早快]|左右|之前|以前|前后|开始|结束|完工|完成|收尾|收工|搞定|全部
    已经|暂定|确定|敲定|定在|改[到成为]|推[到迟]|提前|延期?到?|挪到|安排|可以|能够|应该|大家|我们|这边|那边|老板|具体|时间|日期|回复|目前
    正式|准时|按时|ok|[我你他她它咱们这那就都也还会能可以是在到于定前后内好完了的吧呢啊呀嘛哈嗯哦行对先再给交发出做弄搞办开来去回走上下]
    剩下|其余|[零一二两三四五六七八九十百千万块元]
    """
)
_PLAIN_EN = grams(
    "definitely surely certainly sure done finished finish ready start starts started begin begins end ends complete"
    " completed latest earliest hopefully all set good great okay fine we'll it'll i'll that's it's that there'll then"
    " moved fixed confirmed scheduled due date day time week o'clock sharp exactly morning afternoon evening noon"
    " planned plan deliver delivered send give have ll ve re"
)


def _is_another_event(part: Part, rest: str, about: str) -> bool:
    """Whether the time belongs to something that was not asked about: `材料周四到场`, `the tiles come on Monday`.

    It does where the clause has words of its own and none of the question's. A modal verb right behind the time, with
    no subject before it, speaks of what was asked: `周五能给到你们测试`.
    """
    if shared(part.own, about):
        return False
    before, *_, behind = [*fold(rest).split(_BLANK), ""] if _BLANK not in rest else fold(rest).split(_BLANK)
    if not CJK.search(part.text):
        behind = re.sub(r"^\W*(?:at|in|on|from|by|near|outside|with)\b.*", "", behind)
        return bool({w for w in grams(f"{before} {behind}") if w not in _PLAIN_EN and not w[0].isdigit()})
    before = re.sub(r"^.{1,8}(?:上面?写|写着|显示)(?:着|的是?)?", "", before)
    if re.search(r"(?<![拿得])到", fold(about)):
        behind = re.sub(r"^\s*到[一-龥]{1,4}$", "", behind)
    subject, verb = _foreign(before), _foreign(behind)
    if re.search(r"[一-龥]的[一-龥]{1,4}$", behind):
        return True
    if not subject and re.match(r"(?:就|应该|肯定|我|都|,)*(?:能|可以|会|有空|方便|在)", behind.strip()):
        return False
    if re.search(r"[是为]$", before):
        return bool(subject)
    said = re.sub(r"[了吧呢啊的哦哈嘛]|左右|之?[前后]", "", squeezed(behind))
    return len(subject + verb) > (1 if verb or said else 2)


# How it was another time.
_OTHER_YEAR = re.compile(r"去年|往年|前年|上次|上回|\blast (?:year|time|term|season)\b")


def _begins_only_then(own: str, about: str) -> bool:
    """`石材周三才发货` to `什么时候铺完`: what happens only then is another thing than what was asked."""
    verb = re.search(r"才(?!能|可以|会|行)([一-龥]{1,2})", own)
    return verb is not None and not any(c in fold(about) for c in verb.group(1))


def _foreign(own: str) -> str:
    """What is left of a clause without plain words."""
    return _PLAIN_WORDS.sub("", squeezed(own))


def _has_happened(own: str, about: str) -> bool:
    """`出来了` to `什么时候出来`: the very verb of the question, done."""
    if re.fullmatch(r"(?:it'?s |it was |already )*(?:done|finished|completed|sorted)(?: already| now)?", own):
        return True
    done = re.search(r"^(?:已经?|早就?|刚刚?|都|就|是|\s)*([\u4e00-\u9fff]{1,2})了$", own)
    return bool(done) and done is not None and done.group(1) in fold(about) and done.group(1) not in "好了是有"


# The time of an answer to come is no answer: "明天告诉你".
TELLS_LATER = re.compile(
    r"告诉|回复|答复|回你|通知(?:你|大家)|给你(?:回|个)|再说|(?:天|晚|早|午|会儿?|点|周.|后)说(?:吧|啊)?$|\b(?:let you know|tell you|get back|come back to you|"
    r"confirm|update you)\b"
)
# "这周内" names no day.
_COARSE = ("week", "month", "quarter", "half", "year")
# "When are you free?": "from three on Thursday" is an answer.
_FREE = re.compile(r"有空|方便|可.{0,4}时间|面谈|\bfree\b|\bavailable\b|\bsuits?\b")
_BUSY_AFTER = re.compile(r"太忙|抽空|没空|忙完|too busy")


_BLANK = "\u2002"


def without_times(text: str, now: datetime) -> str:
    """The text with its times blanked: the 18 of "18 号" is no amount."""
    for time in reversed(parse(text, now)):
        text = text[: time.pos[0]] + _BLANK + text[time.pos[1] :]
    return text


def _is_number(part: Part, about: str, now: datetime) -> bool:
    """A definite number: at the head of the answer, or with a word of the question in its clause, or with a unit of money or %."""
    if (
        not NUMERAL.search(fold(without_times(part.text, now)))
        or APPROXIMATE.search(part.own)
        or HEDGE.search(part.own)
        or CONDITION.search(part.sentence)
        or gives_no_answer(part.own)
        or _of_another(part.own, about)
        or _REST_UNKNOWN.search(part.sentence)
    ):
        return False
    if not CJK.search(part.text):
        near = part.first or bool(shared(part.own, about)) or bool(re.search(r"\d$", part.own))
        return bool(re.search(r"\d ?%|[$€£]|\b(?:usd|eur|ex vat|cash|percent)\b", part.own)) or (
            near and _bare_number(part.own, about)
        )
    return True


_OTHER_MEASURE = any_of(
    r"""
    比[^,。]{1,8}(?:多|少|高|低|长|短)|目标|指标|上个?(?:月|周|季度?|年|学期|次)|去年|往年|前年|昨天|前天|原来|以前|别人|其他人|昨晚
    \b(?:target|goal|quota|last (?:week|month|year|quarter|time)|used to|more than|less than|fewer than|in total|usually|normally)\b
    """
)


_REST_UNKNOWN = re.compile(r"不清楚|不知道|不晓得|没统计|\bdon'?t know\b|\bnot sure\b")


def _of_another(own: str, about: str) -> bool:
    """The number is that of a target, of an earlier time, a mere comparison, where the question is not about such."""
    named = re.match(r"([一-龥]{2,4})[是为就](?=[\d一二三四五六七八九十百千万两])", own)
    if named and len(_foreign(named.group(1))) > 1 and not shared(named.group(1), about):
        return True
    return any(hit.group() not in fold(about) for hit in _OTHER_MEASURE.finditer(own))


def _bare_number(own: str, about: str) -> bool:
    """A number in English whose noun, if it has one, is that of the question (not `two nurses off sick`)."""
    if len(own.split()) <= 4 and re.match(r"(?:it'?s |so |yeah )?\W*(?:\d|[a-z-]+$)", own):
        return True
    return (
        bool(shared(own, about))
        or bool(re.search(r"\d(?:[\d,.]*\d)?(?:$|[.,;!]| (?:if|not|so|because|actually|in|for|at|on)\b)", own))
        or bool(
            re.search(
                r"\b(?:its|it's|there'?s|there are|like|got|have|yeah|counted|total)\b.*(?:\d|teen|ty\b|twenty)", own
            )
        )
    )


def _is_yes_or_no(parts: Sequence[Part], about: str, complained: bool) -> bool:
    """A clear yes or no, or a plain statement that takes up words of the question; in a complaint only the former."""
    clear = [p for p in parts if not _shaky(p)]
    if any(_answers_plainly(p, about) for p in clear):
        return True
    if not complained and any(PAST.search(p.own) for p in clear):
        return True
    if any(_shaky(p) for p in parts) or not clear or complained:
        return False
    return any(shared(p.own, about) and not gives_no_answer(p.own) and not reply.VAGUE.search(p.own) and not reply.promises(p.own) for p in clear)


def _answers_plainly(part: Part, about: str) -> bool:
    if YES.search(part.own) or NO.search(part.own) or is_done(part.own) or _has_happened(part.own, about):
        return True
    return bool(CANNOT.search(part.own)) and (part.first or len(squeezed(part.own)) <= 6 or shared(part.own, about) > 0)


def _is_confirmed(parts: Sequence[Part], text: str) -> bool:
    if not parts:
        return False
    said = any(YES.search(p.own) or ACK.search(p.own) or is_done(p.own) for p in parts) or bool(
        re.search(r"👌|👍|✅|🆗", text)
    )
    return said and not any(_shaky(p) for p in parts) and not is_no(parts[0].own)


# What an answer to who and where must hold.
_PERSON = any_of(
    rf"""
    [我他她]|[小老阿大][一-龥]|[{SURNAMES}][一-龥]{{1,2}}|都|没人|[一-龥]{{2,4}}(?:负责|来|管|去|做|没|经办)
    (?:给|归|是|由)[一-龥]{{2,}}|公司|集团|部门?$|^[一-龥]{{2,4}}$
    \b[A-Z][a-z]+|\b(?:me|i|he|she|we|they)\b
    """
)
_PLACE = any_of(
    r"""
    \d
    在|放|左|右|层|楼|室|柜|抽屉|[里上下旁]|边|库|号|路|店|厅|桌
    \b(?:at|in|on|under|behind|next|near|room|street|shelf|drawer|floor|office)\b|[A-Z]\d
    """
)


# Something that comes by a time to come: `今天下班前发出来`.
_TELLS_OF_LATER = re.compile(r"[今明后]天|今晚|明早|下班前|[上下]午|晚上|稍后|马上|\b(?:tonight|tomorrow|today|by|later|after)\b")
# A question whose answer can be told by its form.
_WHO = re.compile(r"谁|\bwho\b")
_WHERE = re.compile(r"哪里|哪儿|在哪|\bwhere\b")


def _is_told(parts: Sequence[Part], about: str, complained: bool) -> bool:
    """One of the clauses tells it. Where the answer has no form of its own, a put-off beside it says that it is none."""
    asked = fold(about)
    formed = _WHO.search(asked) or _WHERE.search(asked)
    if not formed and any(gives_no_answer(p.own) or _brings_later(p.own) for p in parts):
        return False
    return any(_is_information(p, about) and (not complained or shared(p.own, about)) for p in parts)


_EN_PERSON = re.compile(
    r"^(?:it'?s |that'?s |that would be |probably )?(?:[A-Z][a-z]+|me|I)(?:\W*$| (?:and|does|is|was|will|has|can|did|from|who|in|took|takes|handles|\w+s\b))"
    r"|\b(?:by|ask|with|to|it'?s|be|is|was|and|had|from|given) (?:[A-Z][a-z]+|me|him|her)\b|\b(?:I|he|she|they|we) \w+"
)


def _names_somebody(part: Part, about: str) -> bool:
    """A person, and nothing about them but what was asked: `小丁去`, not `小丁明天请假`."""
    if not CJK.search(part.text):
        return bool(_EN_PERSON.search(part.text))
    if not _PERSON.search(part.text):
        return False
    return not _NOT_THERE.search(part.own) or bool(shared(part.own, about))


_NOT_THERE = re.compile(r"请假|不在|出差|休假|离职|没空|忙|病")


def _brings_later(own: str) -> bool:
    return bool(_TELLS_OF_LATER.search(own)) and bool(reply.GIVES.search(own)) and not is_done(own)


def _is_information(part: Part, about: str) -> bool:
    """States something that can answer the question: for who a person, for where a place, else a plain assertion."""
    own = part.own
    if _shaky(part) or reply.VAGUE.search(own) or IGNORANT.search(own) or reply.REFUSED.search(own):
        return False
    if is_yes_alone(own) or reply.is_pleasantry(own) or (reply.promises(own) and reply.has_later(own)):
        return False
    if gives_no_answer(own) or is_hearsay(own) or _brings_later(own):
        return False
    asked = fold(about)
    if _WHO.search(asked) and not _names_somebody(part, about):
        return False
    if _WHERE.search(asked) and not _PLACE.search(part.text):
        return False
    words = len(own.split()) if not CJK.search(own) else len(squeezed(own)) / 2
    return (
        bool(shared(own, about))
        or (words >= 1 and bool(ASSERTS.search(own)))
        or (part.first and 1 <= words <= 12 and not is_no(own))
    )


def _is_the_thing_itself(parts: Sequence[Part]) -> bool:
    """Codes, amounts or a factual text: what was asked for stands in the message."""
    for p in parts:
        if _shaky(p) or reply.has_later(p.own):
            continue
        digits = sum(c.isdigit() for c in re.sub(r"\d+[点月号日:]\d*|\d{1,2} ?(?:am|pm)", "", p.own))
        if digits >= 6 or re.search(r"\d[\d,.]*\s*(?:元|块|万(?!里)|usd|eur|gbp|ex vat|€|\$)", p.own):
            return True
    return False
