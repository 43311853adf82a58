"""What a goal wants before it is met, by the words of the goal and of the question that was put."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from core.brain.rules.words.text import any_of, fold
from core.patterns import lazy


class Want(StrEnum):
    """Kinds of things that a goal may want; one goal may want several."""

    TIME = "time"
    NUMBER = "number"
    YESNO = "yesno"
    CONSENT = "consent"
    CONFIRM = "confirm"
    THING = "thing"
    DEED = "deed"
    INFO = "info"


ORDER = (Want.TIME, Want.NUMBER, Want.YESNO, Want.CONSENT, Want.THING, Want.DEED, Want.CONFIRM, Want.INFO)
"""What is asked after first, where several are missing."""

EITHER = (
    r"(?:(?:是|算)|[想选用是要去吃走买订坐穿喝带改定换做看在]|周[一二三四五六日末]|[上下]午|[\d一二三四五六七八九十][点号])[^,，。?？]{0,14}(?<![那就])"
    r"还是(?!会|要|得|很|不(?!含|带|包|要|用|需)|没|能|先|老|原|按|有|存在|挺|比|太)[^,，。?？]{1,14}(?<!吧)$"
)
"""Which of two it shall be: `吃火锅还是烤肉`, `周四还是周五`; not `我们还是周五发吧`, `问题还是存在`."""

REPORTS = lazy(
    r"(?:跟我|给我|向我)?(?:汇?报|说|讲|更新|同步|反馈|通报)(?:一?[下遍个声]|给我|我)*(?P<what>[^,，。]{0,16}(?:进度|进展|情况|状况|现状))"
)
"""`报一下昨天的进度`: to be told is all that is wanted, so whatever they tell of it is the answer."""

_EITHER = lazy(EITHER)
_TIME = any_of(
    r"""
    时间(?!表)|日期|何时|什么时候|啥时候?|几时|几点|几号|哪天|哪一天|多久|星期几|周几|进度(?:时间)?节点
    \bwhen\b|\bdates?\b|\btimes?\b|\bwhat day|\beta\b|\bhow (?:soon|long)\b|\bby when\b|\bdelivery slot
    """
)
_NUMBER = any_of(
    r"""
    多少|几[个人份托吨张台件条辆名位套箱次家间床]|人数|数量|[数额率价量]$|[数额率价量](?:[;,(（、]|和|$)|面积|尺寸
    名额|成本|花费|比例|费用
    \bhow (?:many|much)\b|\bnumber of\b|\bheadcount\b|\bcounts?\b|\bprices?\b|\bcost\b|\bfigures?\b|\brates?\b
    \btotal\b|\bpercent|\bbudget\b|\bpallets left\b|\bbeds\b
    """
)
_YESNO = any_of(
    r"""
    能否|是否|可否|能不能|可不可以|行不行|要不要|有没有|来不来|是不是|同不同意|会不会|肯不肯|愿不愿|有无|明确答复
    (?:吗|么)(?:[?？,，;]|$)|[一-龥](?:没|未)(?:有)?(?:[?？,，;]|$)|([一-龥])不\1|[一-龥]得[一-龥]不
    (?:^|[;,.] ?|\bok )(?:is|are|was|were|did|does|do|can|could|has|have|will|would|may|to swap)\s|\bwhether\b
    \bif (?:he|she|they)\b|\byes or no\b
    """
)
_CONFIRM = lazy(r"确认|知悉|告知|知会|收到请|回一?声|\bconfirm|\backnowledg|\binform\b|\blet .{1,20} know\b")
_CONSENT = lazy(r"同意|答应|批准|接受|\bcommit to\b|\bagree|\baccept|\bapprov|\bwill (?:he|she|they) ")
_OPEN = any_of(
    r"""
    场地|地点|位置|教室|房间|会议室(?=是|$)
    \bvenue$|\bplace$
    谁|哪里|哪儿|[在去到坐放停住站摆]哪|为什么|为啥|原因|怎么|如何|什么(?!时候|时间)|哪(?:个|种|家|辆|位|些)|类型|车次|负责人|情况
    看法|态度|答复
    \bwho\b|\bwhere\b|\bwhy\b|\bwhich\b|\bwhat\b(?! (?:time|day|date))|\breason|\bhow\b(?! (?:many|much|soon|long))
    \broom\b|\bflight\b|\btype\b
    """
)
# Asked to hand something over or to do something, rather than to say something.
REQUEST = any_of(
    r"""
    请(?!问)|麻烦|需要你|[发传寄导拷拍递](?:我|来|给|一|下|个|过|到|老板)|发。?$|给(?:我|一份|老板|下)
    交(?:一|给|上|来|下|了吗|。)|提供|出一?[个份]|还差|还没(?:交|发|给)|没(?:看|收)到|整理|上传|补(?:一|开|交|填|写)
    提交|报[一个]?[下个]|要(?:一份|压|你)|[写好](?:了|好了)[吗没]|出来了[吗没]|能给|能拷|可以(?:先)?(?:寄|给|发)
    拿到|办好|老板要
    \bplease\b|\bpls\b|\b(?:could|can|would|will) you (?!be\b|like\b|tell\b)|\bwe need\b
    \bis (?:due|missing|still open|late|overdue)\b|\bhas to be\b|\bsend\b|\bshare\b|\bsubmit\b
    , (?:the|your) [^,?]*\?$
    """
)
_DOCUMENT = any_of(
    r"""
    (?:表|单|名单|清单|报告|文件|图纸?|照片|材料|纪要|方案|合同|草稿|稿|发票|底稿|计划|意见|简历|数据|统计|明细|说明|记录|视频|录像|录屏|录音|截图|切图|样张|资料|原件|证明|总结|[日周月]报|评估|链接|账号|密码|地址|电话|单号|编号|文档|脚本|代码|号码|结果|安排|分析|名片|证书|推文|海报)$
    \b(?:report|list|sheet|files?|photos?|pictures?|plan|notes|draft|copy|quotation|quote|log|script|invoice|contract|receipt|form|menu|sample|chart|summary|slides|deck|recording|spec|template|address|nda|documents?|papers?|data|footage|statement|certificate|feedback|review|version|rota|password)s?\b
    """
)


_COUNTS = lazy(r"多少|几|人数|数量|\bhow (?:many|much)\b|\bnumber\b|\bheadcount\b")
_BETWEEN = lazy(r"[;；,，和]|\band\b")
# Asked with such a word, that is what is wanted, whatever else the sentence names ("why was the date moved").
_FORMED = lazy(
    r"谁|为(?:什么|啥|何)|怎么回事|哪一?[家种款位名]|哪一?个(?!时间|日期|日子|月|星期|礼拜)"
    r"|\b(?:who|why)\b|\bwhich\b(?! (?:day|date|time|week|month))"
)
# "Can you confirm the date" wants the date.
_FIXES = lazy(r"确认|确定|[给定]|提供|告知|告诉|\b(?:confirm|give|tell|fix|set|name|have|got|know)\b")
_WHEN = lazy(r"什么时候|啥时候|何时|几[点号时]|哪[一]?天|\bwhen\b|\bwhat time\b")
# A number is to be said, not a paper to be handed over.
_SAY = lazy(r"多少|几|报(?:一?下|个)|\bhow (?:many|much)\b|\bwhat\b|\bheadcount\b|具体数")


def is_paper(text: str) -> bool:
    """Whether a text ends with the name of something that is handed over."""
    return bool(_DOCUMENT.search(fold(text)))


def core_of(goal: str) -> str:
    """The topic within a goal's frame, or what it quotes in 「」, else the goal itself."""
    frame, core = framed(goal)
    quoted = None if frame else re.search(r"「([^」]+)」", goal)
    return quoted.group(1) if quoted else core


# The sentences in which this brain puts goals: they say themselves what is wanted.
_FRAMES = (
    (lazy(r"^拿到.*关于「(?P<core>.+)」的具体时间$|^A definite date or time from [^:]+: (?P<en>.+)$"), Want.TIME),
    (lazy(r"^拿到.*关于「(?P<core>.+)」的具体数字$|^The exact number from [^:]+: (?P<en>.+)$"), Want.NUMBER),
    (lazy(r"^得到.*对「(?P<core>.+)」的明确答复$|^A clear yes or no from [^:]+: (?P<en>.+)$"), Want.YESNO),
    (lazy(r"^拿到[^「]*的「(?P<core>.+)」$"), Want.THING),
    (lazy(r"^得到.*关于「(?P<core>.+)」的答复$|^An answer from [^:]+: (?P<en>.+)$"), Want.INFO),
    (lazy(r"^[^：]+办好：(?P<core>.+)$|^Done by [^:]+: (?P<en>.+)$"), Want.DEED),
    (
        lazy(r"^告知[^：]+：(?P<core>.+)，并得到确认$|^Let .+? know and get it confirmed: (?P<en>.+)$"),
        Want.CONFIRM,
    ),
)


_ADDS = "；"
"""Stands between a goal and what was added to it later."""


@lru_cache(maxsize=512)
def divided(goal: str) -> tuple[str, tuple[str, ...]]:
    """The goal as it was put first, and what was added to it since; of a goal in free words nobody can tell."""
    pieces = goal.split(_ADDS)
    for cut in range(1, len(pieces)):
        first = _ADDS.join(pieces[:cut])
        frame = _frame_of(first)
        # A deed may itself be told in several clauses.
        if frame is not None and frame[0] is not Want.DEED:
            return first, tuple(p.strip() for p in pieces[cut:] if p.strip())
    return goal, ()


def framed(goal: str) -> tuple[Want | None, str]:
    """What the sentence around the topic says is wanted, and the topic; (None, goal) where the goal is in free words."""
    return _frame_of(divided(goal)[0]) or (None, goal)


def _frame_of(goal: str) -> tuple[Want, str] | None:
    for pattern, want in _FRAMES:
        if hit := pattern.match(goal.rstrip("。. ")):
            return want, hit.group("core") or hit.groupdict().get("en") or ""
    return None


@lru_cache(maxsize=512)
def wants(goal: str, asked: str = "") -> frozenset[Want]:
    """What must be there before the goal is met. `asked` (the bot's question) tells what a bare noun leaves open."""
    frame, core = framed(goal)
    if frame in (Want.DEED, Want.CONFIRM, Want.THING):
        return frozenset({frame})
    inner = _wanted(core, asked)
    if frame is None:
        return inner
    if frame is Want.INFO:
        return inner - {Want.THING, Want.DEED} or frozenset({Want.INFO})
    return (inner & _SAYINGS | {frame}) if _has_parts(core) else frozenset({frame})


_SAYINGS = frozenset({Want.TIME, Want.NUMBER, Want.YESNO, Want.INFO})


def _wanted(goal: str, asked: str) -> frozenset[Want]:
    g, a = fold(goal).rstrip("。. "), fold(asked)
    pairs = (
        (_TIME, Want.TIME),
        (_YESNO, Want.YESNO),
        (_CONSENT, Want.CONSENT),
        (_CONFIRM, Want.CONFIRM),
        (_OPEN, Want.INFO),
    )
    found = {want for pattern, want in pairs if pattern.search(g)}
    requested = bool(REQUEST.search(a) or REQUEST.search(g))
    if _NUMBER.search(g) and (not requested or _SAY.search(f"{a} {g}")):
        found.add(Want.NUMBER)
    if Want.YESNO in found and not (_COUNTS.search(f"{g} {a}") or _BETWEEN.search(g)):
        # "Is the budget approved" names a sum and asks for none.
        found.discard(Want.NUMBER)
    if Want.YESNO in found and not (_WHEN.search(f"{g} {a}") or _FIXES.search(g) or _BETWEEN.search(g)):
        found.discard(Want.TIME)
    if Want.YESNO in found:
        # "Do they agree": a no is an answer too.
        found.discard(Want.CONSENT)
    if Want.YESNO in found or Want.CONSENT in found:
        found.discard(Want.CONFIRM)
    if Want.CONFIRM in found:
        return frozenset({Want.CONFIRM})
    if _EITHER.search(core_of(g)) and not found & {Want.NUMBER, Want.YESNO}:
        return frozenset({Want.INFO})
    if _DOCUMENT.search(core_of(g)) and (requested or not found) and not found & {Want.TIME, Want.YESNO}:
        return frozenset({Want.THING})
    if _FORMED.search(g) and not _BETWEEN.search(g):
        return frozenset({Want.INFO} | ({Want.TIME} if _WHEN.search(g) else set()))
    if Want.INFO in found and len(found) > 1 and not _BETWEEN.search(g):
        found.discard(Want.INFO)
    return frozenset(found) or _by_question(a, g, requested)


def _by_question(asked: str, goal: str, requested: bool) -> frozenset[Want]:
    if re.search(r"请(?!问)|麻烦|\bplease\b|\bpls\b", asked):
        return frozenset({Want.DEED})
    for pattern, want in ((_TIME, Want.TIME), (_NUMBER, Want.NUMBER), (_OPEN, Want.INFO)):
        if pattern.search(asked):
            return frozenset({want})
    if requested or _YESNO.search(asked):
        # "借车一天": a deed is wanted, though it is put as a question.
        return frozenset({Want.DEED})
    return frozenset({Want.THING if goal and not asked.endswith("?") else Want.INFO})


_PARTS = lazy(
    r"[;；、]|[(（]|和|及|各自|分别|各[一-龥]|每[一-龥]|起止|[两二三四五六]家|;|\band\b|, |\beach\b|\bevery\b|\ball\b|\bboth\b|"
    r"\b(?:two|three|four|five)\b"
)


def _has_parts(core: str) -> bool:
    return bool(_PARTS.search(fold(core)))


def is_manifold(goal: str) -> bool:
    """The goal has several parts: then one that is left open keeps it from being met."""
    if framed(goal)[0] in (Want.DEED, Want.CONFIRM):
        return False
    return _has_parts(core_of(goal)) or len(wants(goal)) > 1
