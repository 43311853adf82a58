"""What a matter is called: its title for lists, the thing that is handed over, all of its questions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.brain.rules.words.goal import EITHER
from core.brain.rules.words.text import CJK, any_of, fold
from core.patterns import lazy

LONGEST_TITLE = 40
_ASKS = any_of(
    rf"""
    [?？]
    {EITHER}
    什么|啥|多少|几(?!乎)|哪|谁|怎么|为何|吗|呢$|是否|能否|可否|(?!来不[及了])[能会要可行来有]不[能会要可行来有]?|(?P<verb>[一-龥])不(?P=verb)|得了?不|有没有
    是不是|到底|[一-龥](?:没|未)(?:有)?(?:$|[\s?？])|咋|几时|[完好到齐了过](?:没|不)
    \b(?:when|what|who|where|why|how|which|whether)\b|^(?:is|are|do|does|did|can|could|will|would|has|have)\b
    """
)


@dataclass(frozen=True)
class Topic:
    """The matter: `text` for the delegate, `title` for lists (short, without by-whens)."""

    text: str
    title: str


# The delegate as the subject of the question: `他能不能来`.
_SUBJECT = lazy(
    r"(?<![其吉让叫请派催])[他她](?=能|会|去|来|要|有没|是不是|可不可以|行不行|愿不愿|什么时候|几点|哪天|啥时)"
)


def neutral(text: str) -> str:
    """The text without the pronoun of the delegate as its subject, so that it reads right to both sides."""
    return _SUBJECT.sub("", re.sub(r"^[他她](?=[^们的说讲家,，])(?=.{4})", "", text))


def asks(clause: str) -> bool:
    """Whether a clause of an owner's words is a question to be put."""
    return bool(_ASKS.search(fold(clause).strip(" ,，。;；")))


_LONGEST_GOAL = 120


def all_that_is_asked(topic: Topic) -> str:
    """The title, or where that is cut before the last of several questions, the questions in full."""
    pieces = re.split(r"(?<=[,，。;；!！?？])(?!(?<=\d,)\d{3}(?!\d))\s*", topic.text)
    questions = [n for n, piece in enumerate(pieces) if asks(piece)]
    if len(questions) < 2:
        return topic.title
    gap = " " if not CJK.search(topic.text) else ""
    whole = neutral(gap.join(pieces[: questions[-1] + 1]).strip(" ,，。;；"))
    return whole if whole.startswith(topic.title) and len(whole) <= _LONGEST_GOAL else topic.title


# By when, in front of what is wanted: `今天下班前把报价单发我`.
_BY_WHEN_WORD = (
    r"(?:(?:今|明|后)[天晚早]|大后天|上午|中午|下午|晚上|早上|(?:这|本|下)?(?:周|星期|礼拜)[一二三四五六日天末]?|月底|月初|年底|下班|"
    r"[\d一二三四五六七八九十半]+[点号月日时分个天周小]+(?:半|钟|时)?|之?前|以前|[之以]?内|最晚|最迟|尽快|赶紧|马上|抽空|有空|记得|就|先|[,，\s])"
)
# Possessive: a long row of such words must not be taken apart again and again.
_BY_WHEN_FIRST = f"{_BY_WHEN_WORD}*+"
# A deed, though it ends with the name of a paper: `准备一下下周一的会议材料`.
VERB_LED = lazy(
    rf"{_BY_WHEN_FIRST}(?:(?:准备|通知|整理|联系|安排|检查|核对|核实|汇总|统计|更新|完善|完成|处理|翻译|起草|打印|复印|上传|提供|归档|备份|润色|校对|确认|提交|补充|修改)(?!表|报|单|结果|数据|清单|记录|意见|名单|计划)"
    r"|[发交提写改打付转汇退赔买订签补拟帮把将给跟催导拷寄]|去(?!年)|来(?!访|电|往|源|料|稿)|看(?!板)|查(?=一?下|查|清)|找|做|修(?!改|订|复)|出(?!差|库|货|口|院|入|勤)|列(?!表)|画(?!册)|印(?!章)|录(?!音|像|屏|用)|拍(?!摄)|盖|拿|送(?!货|检)|审(?=一?下|完|一)|算(?!法))"
    r"|.*(?:一下|把)"
)
_HANDED = lazy(
    rf"{_BY_WHEN_FIRST}(?:把|将)(?P<thing>.{{1,20}}?)(?:发|给|交|传|寄|送|拿)(?:给|到|过?来|一下)?(?:我|过来)?(?:一份|一下)?"
    rf"|{_BY_WHEN_FIRST}(?:发|给|交|传|寄|送|拿)(?:给|过来|一下)?我(?:一份|一下|[一两]?[份个张下])?(?P<behind>[^,，。一-龥]*[一-龥][^,，。]{{1,18}})(?<![下声吧])"
    rf"|(?P<front>[^,，。]{{2,16}}?){_BY_WHEN_WORD}++(?:发|给|交|传|寄|送|拿)(?:给|到|过?来|一下)?我(?:一份|一下)?"
)


_SENT_EN = lazy(
    r"(?P<verb>send|email|forward|share) me (?P<thing>(?!an? \w+ (?:when|once|if))[^,.;]{3,40}?)(?: (?:by|before|until|no later than|today|tomorrow|tonight|this|next|on|asap)\b[^,.;]*)?",
    re.IGNORECASE,
)


# `销售数据整理一份`: more is to be done with it than to hand it over.
_WORKED_ON = lazy(
    r".*(?:整理|汇总|统计|核对|核实|翻译|打印|复印|扫描|导出|准备|修改|更新|完善|写|做|画|拟|列|算|抄|录|剪|改|补|签|盖)(?:一?[份下遍个版]|好|完|出来|成[^,，。]{1,6})?"
)


def is_handed(topic: Topic) -> bool:
    """Whether the matter is a thing that is to be handed over: its title is that thing alone."""
    hit = _HANDED.match(topic.text)
    return (
        hit is not None
        and not _WORKED_ON.fullmatch(topic.title)
        and topic.title in (hit["thing"], hit["behind"], hit["front"])
    )


def title_of(text: str) -> str:
    """The text, cut at a clause where it is long; `把合同发我` is about 合同."""
    handed = _HANDED.fullmatch(text)
    if handed and not (handed["front"] and VERB_LED.match(handed["front"])):
        thing: str = handed["behind"] or handed["thing"] or handed["front"]
        return text if _WORKED_ON.fullmatch(thing) else thing
    if sent := _SENT_EN.fullmatch(text):
        return f"{sent['verb']} {sent['thing']}"
    if wanted := re.fullmatch(r"(?:要|拿|取|讨)(?:一?下|[一个]?[份个张])(.{2,})", text):
        text = wanted.group(1)
    if len(text) <= LONGEST_TITLE:
        return text
    parts = re.split(r"(?<=[,，。;；?？])(?!(?<=\d,)\d{3}(?!\d))", text)
    title = parts[0]
    for part in parts[1:]:
        if len(title) + len(part) > LONGEST_TITLE:
            break
        title += part
    return title.strip(" ,，.。;；")[: 2 * LONGEST_TITLE]
