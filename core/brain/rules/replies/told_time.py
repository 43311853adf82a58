"""Whether a clause tells the time that was asked for."""

from __future__ import annotations

import re
from datetime import datetime

from core.brain.rules.replies.parts import BLANK, Part, is_shaky, without_times
from core.brain.rules.replies.put_off import gives_no_answer, is_hearsay
from core.brain.rules.words.signs import BUSY, is_done
from core.brain.rules.words.text import CJK, any_of, fold, grams, shared, squeezed
from core.patterns import lazy
from core.timetalk import TimeKind, has_definite_time, parse


def is_time(part: Part, now: datetime, about: str) -> bool:
    """A definite time in a clause that is not about being busy, not hedged or conditional, and about the matter.

    With few words beside the time it is about the matter; with many it must share one with the question. That it has
    happened already ("出来了") answers when as well; a past time alone ("你一小时前问过") does not.
    """
    if is_shaky(part) or BUSY.search(part.own) or _BUSY_AFTER.search(part.sentence):
        return False
    if any(has_happened(fold(without_times(text, now)).strip(), about) for text in (part.text, part.sentence)):
        return True
    if TELLS_LATER.search(part.own) or gives_no_answer(part.own) or is_hearsay(part.own):
        return False
    if "几号" in about and _DAYS.fullmatch(squeezed(part.own)):
        return True
    times = [t for t in parse(part.text, now) if t.grain not in _COARSE]
    ahead = [t for t in times if (t.end or t.start or now) >= now or t.duration]
    if not ahead and not (times and is_done(part.own) and not re.search(r"你|\byou\b", part.own)):
        return False
    rest = without_times(part.text, now)
    if _is_another_event(part, rest, about) or _OTHER_YEAR.search(part.own) or _begins_only_then(part.own, about):
        return False
    begins = "开始" in fold(about) and any(t.kind == TimeKind.since for t in ahead)
    return (
        has_definite_time(part.text, now) or begins or (bool(_FREE.search(fold(about))) and any(t.start for t in times))
    )


# What may stand beside the time of an answer without making it the time of something else.
_PLAIN_WORDS = any_of(
    r"""
    不会(?:晚|迟)于|没问题|肯定|一定|保证|必须|预计|计划|争取|最[晚迟早快]|左右|之前|以前|前后|开始|结束|完工|完成|收尾|收工|搞定|全部
    已经|暂定|确定|敲定|定在|改[到成为]|推[到迟]|提前|延期?到?|挪到|安排|可以|能够|应该|大家|我们|这边|那边|老板|具体|时间|日期|回复|目前
    正式|准时|按时|ok|[我你他她它咱们这那就都也还会能可以是在到于定前后内好完了的吧呢啊呀嘛哈嗯哦行对先再给交发出做弄搞办开来去回走上下]
    第[一二三四五六七八九十\d]+[一-龥]?|剩下|其余|[零一二两三四五六七八九十百千万块元]
    """
)
_PLAIN_EN = grams(
    "definitely surely certainly sure done finished finish ready start starts started begin begins end ends complete"
    " completed latest earliest hopefully all set good great okay fine we'll it'll i'll that's it's that there'll then"
    " moved fixed confirmed scheduled due date day time week o'clock sharp exactly morning afternoon evening noon"
    " planned works work suits suit fits free available plan sorry mean meant deliver delivered send give have ll ve re valid expires expired expiry runs lasts"
)


def tells_of_another(part: Part, now: datetime, about: str) -> bool:
    """Whether a clause has no time, or one of something that was not asked about."""
    return not parse(part.text, now) or _is_another_event(part, without_times(part.text, now), about)


def _is_another_event(part: Part, rest: str, about: str) -> bool:
    """Whether the time belongs to something that was not asked about: `材料周四到场`, `the tiles come on Monday`.

    It does where the clause has words of its own and none of the question's. A modal verb right behind the time, with
    no subject before it, speaks of what was asked: `周五能给到你们测试`.
    """
    if shared(part.own, about):
        return False
    before, *_, behind = [*fold(rest).split(BLANK), ""] if BLANK not in rest else fold(rest).split(BLANK)
    if not CJK.search(part.text):
        behind = re.sub(r"^\W*(?:at|in|on|for|from|by|near|outside|with)\b.*", "", behind)
        return bool({w for w in grams(f"{before} {behind}") if w not in _PLAIN_EN and not w[0].isdigit()})
    if (asked := _ASKED_VERB.search(fold(about))) and re.match(
        rf"(?:就|应该|肯定|能|可以|会|再|先|也)*{asked['verb']}", behind
    ):
        return False
    before = re.sub(r"^.{1,8}(?:上面?写|写着|显示)(?:着|的是?)?", "", before)
    if re.search(r"(?<![拿得])到", fold(about)):
        behind = re.sub(r"^\s*到[一-龥]{1,4}$", "", behind)
    subject, verb = foreign(before), foreign(behind)
    if re.search(r"[一-龥]的[一-龥]{1,4}$", behind):
        return True
    if not subject and re.match(r"(?:就|应该|肯定|我|都|,)*(?:能|可以|会|有空|方便|在)", behind.strip()):
        return False
    if re.search(r"[是为]$", before):
        return bool(subject)
    said = re.sub(r"[了吧呢啊的哦哈嘛]|左右|之?[前后]", "", squeezed(behind))
    return len(subject + verb) > (1 if verb or said else 2)


# "23到27", asked from which day to which.
_DAYS = lazy(
    r"(?:是|从|大概)*(?:[1-9]|[12]\d|3[01])[号日]?(?:(?:到|至|[-—~、和])(?:[1-9]|[12]\d|3[01])[号日]?)?(?:吧|的|啊|呢)?"
)


# The verb of which the time was asked: `什么时候能给`.
_ASKED_VERB = lazy(r"(?:什么时候|啥时候?|何时|哪天|几[点号])(?:才|就)?(?:能|可以|会|要)*(?P<verb>[给交发签寄送还退付])")
# How it was another time.
_OTHER_YEAR = lazy(r"去年|往年|前年|上次|上回|\blast (?:year|time|term|season)\b")


def _begins_only_then(own: str, about: str) -> bool:
    """`石材周三才发货` to `什么时候铺完`: what happens only then is another thing than what was asked."""
    verb = re.search(r"才(?!能|可以|会|行)([一-龥]{1,2})", own)
    return verb is not None and not any(c in fold(about) for c in verb.group(1))


def foreign(own: str) -> str:
    """What is left of a clause without plain words."""
    return _PLAIN_WORDS.sub("", squeezed(own))


# What was to be given is with them: `昨天就发群里了`.
_GIVEN = lazy(
    r"(?:我|已经?|早|昨[天晚]|前天|上周.?|刚刚?才?|就|都|,|\s)*+(?:发|给|交|传|上传|提交)(?:到|在|给|过)?[^,。没未不]{0,8}了(?:啊|呀|的)?"
)


def has_happened(own: str, about: str) -> bool:
    """`出来了` to `什么时候出来`: the very verb of the question, done."""
    if re.fullmatch(r"(?:it'?s |it was |already )*(?:done|finished|completed|sorted)(?: already| now)?", own):
        return True
    asked = fold(about)
    if _GIVEN.fullmatch(own) and re.search(r"[给交发]", asked):
        return True
    done = re.search(r"^(?:已经?|早|刚|都|就|是|\s)*([\u4e00-\u9fff]{1,2})了$", own)
    if done is not None:
        return done.group(1) in asked and done.group(1) not in "好了是有定"
    # "v2.0 后端提测了": with what it was asked about before it.
    whole = re.search(r"^(?P<what>[^没未不别,]{2,12}?)(?:已经?|刚|都|\s)*(?P<verb>[\u4e00-\u9fff]{2})了$", own)
    return whole is not None and whole["verb"] in asked and bool(shared(whole["what"], about))


# The time of an answer to come is no answer: "明天告诉你".
TELLS_LATER = lazy(
    r"告诉|回复|答复|回你|通知(?:你|大家)|给你(?:回|个)|再说|(?:天|晚|早|午|会儿?|点|周.|后)说(?:吧|啊)?$|\b(?:let you know|tell you|get back|come back to you|"
    r"confirm|update you)\b"
)
# "这周内" names no day.
_COARSE = ("week", "month", "quarter", "half", "year")
# "When are you free?": "from three on Thursday" is an answer.
_FREE = lazy(r"有空|方便|可.{0,4}时间|面谈|\bfree\b|\bavailable\b|\bsuits?\b")
_BUSY_AFTER = lazy(r"太忙|抽空|没空|忙完|too busy")
