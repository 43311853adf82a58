"""A promise or a claim in a Chinese sentence."""

from __future__ import annotations

import re

from core.brain.rules.words.text import any_of
from core.context.promises.reading import without_reported
from core.patterns import lazy

# What a deed is, by what would make it true (see `Family`).
ASK = (
    r"问(?!题|好|候)|联系(?!方式|人|电话)|催|跟进|跟踪|跟着|跟一|盯|追(?!求)|核实|打听|沟通|对接|确认"
    r"|找(?=[他她]|[^到出不,，。]{1,4}(?:聊|谈|说|要|问))"
)
KEEP = (
    r"提醒|叫你|喊你|设(?:好|定|置|了|上|个|一)|定(?:好|个|了)|记(?:下|录(?![里中上的显])|住|着|上|好|一下)"
    r"|留意|关注|看着(?!办)"
)
_OTHER = (
    r"通知|转告|转达|告诉|告知|知会|汇报|回复|答复|反馈|回话|回信|带话|带到|传达|同步|协调"
    r"|发(?:给|送|消息|邮件|过去|出|你|信|通知|个|了|一)|给你(?:个)?(?:消息|回|答|信|结果|准|说法)|打电话"
    r"|(?:跟|和|对|向)[^,，。我]{1,6}(?:说|讲|打招呼)|安排|处理|办(?!法|公|事处)|搞定|落实|推进|约(?!定|等|莫)|订|预定|取消|撤"
    r"|改(?:成|到|为|好|了|一下|过)|更新|弄(?:好|清)|负责|转(?:给|发|交|账|过)|买|付|提交|上报|登记"
    r"|加(?:上|到|进|入)|排(?:上|好|进)"
)
_DEED = rf"(?:{ASK}|{KEEP}|{_OTHER})"
_ANY_DEED = lazy(_DEED)
# To have looked something up may be true: the answer is made from what is known.
_TO_DO = rf"(?:{ASK}|{KEEP}|{_OTHER}|查)"
_WILL = (
    r"会(?![议面上儿])|将(?!来)|这就|马上|立刻|立马|现在就|稍后|随后|回头|待会儿?|一会儿?|等下|等会儿?|晚点|晚些|到时候?"
    r"|来(?![自源信])|去|再|继续|先|一定|保证|尽快|第一时间|准时|按时"
)
_WHEN = (
    r"(?:今|明|后)[天早晚](?:早上|上午|中午|下午|晚上)?(?:[\d一二两三四五六七八九十]+[点:：][\d半]*)?"
    r"|(?:上午|下午|晚上|早上|中午)?[\d一二两三四五六七八九十]+点半?|上午|下午|晚上|早上|中午|(?:下?周|下?星期)[一二三四五六日天]"
)
_SOON = (
    r"这就|马上|立刻|立马|现在就|稍后|随后|回头|待会儿?|一会儿?|等下|等会儿?|晚点|晚些时候|到时候?|到点|第一时间|尽快|准时|按时"
    r"|一?有(?:了)?(?:新的?)?(?:消息|结果|进展|回复|答复|回音|信儿?|动静)(?:了|之?后)?"
    rf"|{_WHEN}"
)
_LEAD = r"^(?:好(?:的|嘞|呀|啊|吧)?|行|没问题|嗯|收到|明白|了解|放心|那|ok)*\s*"
_ADVERBS = r"(?:一定|再|就|也|都|还|会|我|直接|及时|自动|帮你|替你|给你|为你)*"

_FOR_YOU = r"(?:帮你|替你|给你|为你|帮您|替您|给您)"

# Not where it is the object: "你让我提醒你的事".
_ME = r"(?<![让叫给跟对向替把被])我(?!方)"

_FUTURE = lazy(rf"{_ME}[^,，。他她你]{{0,10}}?(?:{_WILL})[^,，。]{{0,10}}?(?P<deed>{_TO_DO})")
# The present for what is to come: "我问一下张三", "我明天一早就联系", "我让张三周五前给你".
_NOW = lazy(
    rf"{_ME}(?:们|这边|就|先|再|也|都|现在|一早|之?前|{_WHEN})*"
    r"(?:(?:替|帮|给)你[^,，。我你]{0,8}?|(?:给|跟|和|向)[^,，。我你]{1,8}?)?"
    rf"(?P<deed>{ASK}|{KEEP}|{_OTHER}|回绝|让(?!我|你|人)|叫(?=[他她大]))(?![了过得])"
)
_DOING = lazy(
    rf"{_ME}(?:这边|们)?(?:也|现在|还|一直|正|已经)*(?:正在|在|着手){_FOR_YOU}?(?:跟|和|向)?[^,，。]{{0,6}}?(?P<deed>{_DEED})"
)
_I_DID = lazy(
    rf"{_ME}[^,，。他她]{{0,14}}?(?P<deed>{_DEED})[^,，。?]{{0,12}}?(?:了(?!解)|过(?![来去])|好|完|到位|妥)"
    rf"|{_ME}(?:们|这边)?(?:都|也)?(?:已经?|刚刚?|刚才)[^,，。]{{0,14}}?(?P<did>{_DEED})"
)
_BY_ITSELF: tuple[re.Pattern[str], ...] = (
    lazy(rf"{_LEAD}(?:{_SOON}){_ADVERBS}(?:去|来|跟|和|向|把|联)?[^,，。会要]{{0,4}}?(?P<deed>{_TO_DO})"),
    lazy(
        rf"{_LEAD}(?:会(?![议面上儿])|将(?!来))(?:一直|继续|再|按时|准时|及时|尽快|第一时间|{_FOR_YOU}|去|把)*"
        rf"[^,，。会]{{0,3}}?(?P<deed>{_TO_DO})"
    ),
    lazy(rf"{_LEAD}(?:已经?|刚刚?|刚才|都){_FOR_YOU}?[^,，。他她你我]{{0,8}}?(?P<deed>{_DEED})"),
    lazy(rf"{_LEAD}{_FOR_YOU}[^,，。]{{0,6}}?(?P<deed>{_DEED})[^,，。?]{{0,10}}?(?:了(?!解)|过(?![来去])|好)"),
    lazy(rf"{_LEAD}(?P<deed>记|安排|设|搞定|办|通知|约|发)(?:下|住|好|上|妥|到|出去)*了(?!解)"),
    lazy(
        r"(?:提醒|闹钟|定时|日程|消息|通知|邮件|话|会议?)(?:都|也|已经?|给你|帮你)*(?P<deed>设|定|约|发|带到|安排|排|建)"
        r"(?:好|上|出|完|到|给|去)*(?:了|$)"
    ),
)
"""Without a subject: the bot's own word only where no clause before it is about somebody else."""
_PLEDGE = any_of(
    r"""
    包在我身上|(?:就|都)?交给我(?:了|吧|来|就行|好了)?|我(?:来|会)(?:办|弄|搞定|跟|盯)(?!不)
    我(?:帮你|替你|会)?(?:盯|看|守)着(?:呢|点)?$|(?:帮|替)你(?:盯|看|跟|记)着|看我的
    等我(?:的)?(?:消息|回复|电话|信儿?|好消息|通知)|我这就(?:办|去)|这就(?:办|去办|安排)|马上(?:办|就办|去办|安排)$
    """
)
_NOT = any_of(
    r"""
    不(?:会|能|再|去|便|用|必|敢|太|是|该|好|宜|可|要|打算|准备|帮|替|主动|擅自)|没(?:法|有|能|去|办法|权|在|来得及|敢|人)
    无法|未|别|还没|没(?:问|催|联系|通知|告诉|提醒|安排|办|发|跟|设|记)|不(?:问|催|联系|通知|告诉|提醒|安排)
    难以|谈不上|做不到|办不了|帮不上|帮不了
    """
)
_OFFER = any_of(
    r"""
    可以(?!了)|(?<![可只不])能(?!力|源)|要不要|要我|需要我|想让我|用不用|让我(?:去|来|帮)?[^,，。]{0,10}(?:的话|吗)
    吗(?:$|[?？])|呢[?？]|是否|好不好|行不行|可否|会不会|或者我|不妨|建议|等你|听你|由你|看你
    你(?:说|定|来定|发话|点头|吩咐)|才(?:会|能)|一般|通常|平时|默认|每次|擅长|负责的是
    我会(?:的|做的)(?:是|有|事|:|：|$)|我(?:主要|只)
    """
)
_IF_YOU = any_of(
    r"""
    (?:如果|要是|若是?|只要|假如|等)(?:你|您|需要|有需要|要(?!是)|想|愿意|同意|方便|觉得|希望)
    (?:需要|要|想|愿意|同意|可以|行|方便)[^,，。]{0,8}的话|有需要|需要时|直接(?:说|交代|发|告诉)
    (?:你|您)(?:要|想|需要|愿意|只管|尽管|随时|现在)?(?:再|就|先)?(?:说|吩咐|交代|发|点|按|确认|告诉|开口|回|给我|定|选|同意|下)[^。]{0,24}(?:我|就)
    (?:说|发|回|点|吩咐|交代)(?:一声|一句|一下|我)[^。]{0,12}(?:我|就)
    """
)
# What may stand before a word of the bot's own without being its subject.
_ACKNOWLEDGES = lazy(
    r"^\s*(?:好|行|没问题|嗯|收到|明白|了解|放心|可以|那|ok|知道|谢|辛苦|当然|一?有|如果|要是|等|到|今|明|后|上午|下午|晚上|早上"
    r"|周|我|你放心|\W|$)"
)
_ASK_BACK = lazy(r"(?:确认|核对|问|请教)(?:一下|一句|下|个|你|您|清楚)?[^。]{0,40}[?？]")
_SAID = lazy(
    r"(?:(?<!会)说(?!明|法)|表示|答应|承诺|写道|写的是|原话|提到"
    r"|(?:回复|答复|反馈|留言|回话|回)(?:说|道|称|我说|的是|的|了?[:：]))(?:了|过|道|是|的是|他|她)?"
)
_TO_SOMEBODY = lazy(r"(?:跟|和|对|向|同|给|没|我|你|会|再|去|这么|直接|要|可以|有话|来|已)[^,，。]{0,6}$")


_CLAUSES = lazy(r"[,，、;；。!！：:—]+|\s-\s|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")


def claimed(own: str) -> tuple[str, str] | None:
    """The words that promise or claim, and the deed; None where there are none. `own` is without quotes."""
    own = without_reported(own, _SAID, lambda before: bool(_TO_SOMEBODY.search(before)) or not before.strip())
    if _IF_YOU.search(own) or _ASK_BACK.search(own):
        return None
    ours = True
    for clause in _CLAUSES.split(own):
        hit = _in_clause(clause.strip(), ours=ours)
        if hit is not None:
            return hit
        # What follows an offer belongs to the offer: "我可以盯着，到点提醒你".
        offered = _OFFER.search(clause) and _ANY_DEED.search(clause)
        ours = ours and bool(_ACKNOWLEDGES.search(clause)) and not offered
    return None


def _in_clause(clause: str, *, ours: bool) -> tuple[str, str] | None:
    """`ours`: nothing before it is about anybody or anything else."""
    if _OFFER.search(clause):
        return None
    pledge = _PLEDGE.search(clause)
    if pledge is not None and not _NOT.search(clause):
        return pledge.group(), "办"
    # "回头再问问他吧" is advice for the reader.
    advice = clause.endswith("吧") and "我" not in clause
    own_word = (_FUTURE, _NOW, _DOING, _I_DID, *(_BY_ITSELF if ours and not advice else ()))
    for pattern in own_word:
        hit = pattern.search(clause)
        if hit is not None and not _NOT.search(hit.group()):
            return hit.group(), next(g for g in hit.groupdict().values() if g)
    return None
