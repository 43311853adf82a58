"""A risk (it may go wrong) or a blocker (it cannot go on), as somebody's words tell it.

What is asked, denied, settled, supposed, long past, or about the traffic is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from core.brain.rules.owner.wishes import TRANSFORM
from core.brain.rules.replies.reply import INJECTION, asks
from core.brain.rules.words.text import any_of, clauses, fold, sentences, squeezed
from core.patterns import lazy

SHORTEST = 6
"""Characters without which a clause does not say of what it is (「可能来不及」): then its sentence is shown."""

_WRONG = (
    r"(?:来不及|赶不[上及出完]|上不了线|交不[了出上]|做不[完出]|完不成|弄不完|改不完|测不完|出不来|到不了|跟不上|撑不[住到]|不够用?|延[期误后]|推迟|要拖|拖[到期后]|晚到|晚交|迟到|迟交"
    r"|耽误|出(?:大)?(?:问题|事|岔子|故障)|掉链子|黄了|要黄|泡汤|失败|翻车|违约|超(?:支|预算|期|时)|断货|缺货|漏(?:掉|单|报)|丢单|流失|投诉|崩)"
)
_RISK_ZH = any_of(
    rf"""
    (?:可能|恐怕|怕是|估计|大概率?|多半|八成|好像|搞不好|弄不好|说不定|眼看|看样子|看来|快要?|怕|担心)[^,。;!]{{0,16}}?{_WRONG}
    (?:担心|怕)(?!了|死|[他她它你]们?$)[^,。;!]{{0,24}}?(?:不[了上下到完出成够过来及住]|没[法人]|赶|晚|拖|延|断|堵|错|漏)
    {_WRONG}(?:的)?(?:风险|可能)|(?:来不及|赶不上|赶不及)了|有点悬|(?:很|太|比较|挺)悬|悬了|(?:风险|隐患)(?:很|比较|有点|挺|太)?[大高]|(?:有|存在)[^,。;!]{{0,10}}(?:风险|隐患)|时间不够了?|要延期了?
    """
)
_BLOCKED_ZH = any_of(
    r"""
    卡(?:在|住|死|了)|被[^,。;!]{1,16}(?:卡|堵|挡|拦)(?:住|着|了)|(?:做|推|进行|走|干|测|写|跑|开展)不(?:下去|动|了|起来)|没(?:有)?办?法(?:再|往下|继续|推进|做|测|联调|部署|上线|开工|施工|进行|发布)
    (?:环境|服务器?|服务|接口|系统|网络|专线|权限|数据库|账号|链路|构建|流水线|测试机|沙箱|网关|机器|产线|设备|平台|仓库|回调)[^,。;!?吗]{0,6}(?:挂(?!钩|载)|崩|宕|联不通|连不[上通]|不通|登不[上录]|打不开|用不了|进不去|起不来|坏了|停了|报错|没反应)
    (?:[叉货卡吊推]车|机器?|设备|电梯|空调|锅炉|[水气]泵|打印机|电脑|电源|冷库|货架)[^,。;!?吗]{0,3}(?:坏|抛锚|趴窝|罢工|漏水)了|(?:发|送|运|装|卸|提)不(?:出去?|了货|走)|停电了?|断[电网水]
    停工|停摆|停滞|停产|动不了|(?:(?:还|一直|只能|得|还得|就|都|正|干)在?|在)等[^,。;!?]{0,10}(?:沙箱|审批|批复|权限|环境|账号|接口|回调|对方|客户|法务|财务|第三方|上游|资源|物料|原料|证书|密钥|签字|盖章|排期|开通|验收)
    """
)
_NONE_ZH = any_of(
    r"""
    (?:不|没|别|无|未|甭)(?:用|会|再|有|必|太|存在|怎么|什么|啥|那么)*(?:担心|怕|卡|堵|延[期误后]|耽误|出问题|出事|推迟|风险|隐患|问题|悬|拖|停)|不卡|没卡
    (?:已经?|都|刚)?(?:修|弄|搞|解决|恢复|处理|疏通|连|联|打)(?:好|通|掉|完)?了(?!吗)|恢复(?:正常|了)|不再|(?<!不)通了|好了(?!吗)|(?<!不)上(?:次|周|个?月)|昨[天晚]|之前|以前|当时|当年|那会儿?|差点|幸[好亏]|还好(?!像)|如果|要是|假如|万一|的话|除非
    堵车|路上|高速|电梯|地铁|飞机|火车|航班|肚子|嗓子|喉咙|我的手机|投资|股[票市]|减肥|都有风险|总有风险|任何|比如|例如|什么是|叫什么|(?:哪|什么|啥|多大)[^,。]{0,6}(?:风险|隐患|问题)|小心|注意|留意|关注|盯着|有没有|有无|是否|是不是|会不会|免得|以免|省得|避免|防止|防范
    """
)
_RISK_EN = any_of(
    r"""
    \bat (?:serious |real |some )?risk\b|\b(?:might|may|could|will|going to|gonna|about to|likely to) (?:well |still )?(?:slip|be late|be delayed|miss|overrun|run over|fall through|go wrong|fail|run out)\b
    \b(?:might|may) not (?:\w+ )?(?:make|finish|ship|be ready|be done|get|arrive|work|hold|have|launch)\b|\b(?:won'?t|not going to|unlikely to) (?:make|finish|ship|be ready|be done in time|meet)\b
    \b(?:worried|concerned|afraid)(?: that)? (?:we|it|the|this|that|they|our|he|she|[a-z]+)\b.{0,40}?\b(?:won'?t|will not|might|may|could|can'?t|late|slip\w*|fail\w*|delay\w*|miss\w*)\b
    \b(?:running|is|are|already) (?:late|behind(?: schedule)?|out of time)\b(?! (?:to|for) (?:a|the) (?:meeting|call|lunch))|\bslipping\b
    """
)
_BLOCKED_EN = any_of(
    r"""
    \bblocked (?:by|on|because|until|as|at|with)\b|\b(?:i'?m|we'?re|is|are|am|it'?s|still|got) (?:blocked|stuck)\b|\bstuck (?:on|at|with|waiting|because|until)\b|\bheld up by\b
    \b(?:can'?t|cannot|can not|unable to) (?:proceed|continue|go on|move (?:on|forward)|start|deploy|test|do (?:any|much)|get any further|release|ship)\b.{0,30}?\b(?:until|without|because|as long as|before|while)\b
    \b(?:environment|env|server|api|sandbox|staging|ci|build|database|gateway|pipeline|network|line|system|service|callback|endpoint)s? (?:is|are|has been|have been|went|keeps?) (?:\w+ )?(?:down|broken|unreachable|failing|offline|crash\w*|timing out|dead)\b
    \bwaiting (?:on|for) (?:\w+ ){0,3}(?:sandbox|approval|access|credentials|legal|vendor|permissions?|sign-?off|supplier|certificate)\b
    """
)
_NONE_EN = any_of(
    r"""
    \b(?:not|no longer|isn'?t|aren'?t|never|un)[ -]?(?:at risk|blocked|stuck|slip\w*|delayed|worried|afraid)\b|\bno risk\b|\bdon'?t worry\b|\bunblocked\b|\bback up\b|\bfixed\b|\bresolved\b|\bsolved\b|\bworks? again\b|\bno longer\b|\bafraid (?:not|so|i (?:can'?t|cannot|don'?t|won'?t))\b
    \bif\b|\bunless\b|\bin case\b|\byesterday\b|\blast (?:week|month|time|year|night)\b|\bago\b|\bused to\b|\bin (?:traffic|(?:a|the|this|another|back-to-back) (?:meetings?|elevator|lift|queue|call))\b|\bon (?:a|the) (?:train|plane|call)\b|\bwhat is\b|\bavoid\b|\bprevent\b|\bto be on the safe side\b|\balmost\b|\bstocks?\b|\bflight\b
    """
)
_WORRY = lazy(
    r"^(?:那个|对了|唉|哎|其实|说实话|老板|我们?(?:现在|这边|是)?|现在|就是|[,，\s])*(?:有点儿?|很|挺|比较|最|就|真|好)?(?:担心|怕(?!是)|害怕)(?:的是)?[,，:：\s]*"
    r"|^(?:(?:well|btw|also|honestly|hey)[,\s]+)?(?:i'?m|i am|we'?re|we are) (?:a bit |a little |really |quite |getting )?(?:worried|concerned|afraid)(?: that)?\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Trouble:
    """What may go wrong or stands still, in the words of whoever said so."""

    kind: Literal["risk", "blocker"]
    what: str


def troubles_in(text: str) -> tuple[Trouble, ...]:
    """The risks and blockers of a text (no quotes in it), at most one a sentence."""
    own = fold(text)
    if INJECTION.search(own) or TRANSFORM.search(own):
        return ()
    found = (_trouble(s) for s in sentences(text))
    return tuple(t for t in found if t is not None)


def is_trouble_alone(text: str) -> bool:
    """Whether a text only tells of troubles: nobody is ordered to do anything about them."""
    own = fold(text)
    said = sentences(text)
    told = bool(troubles_in(text)) and all(_trouble(s) for s in said)
    # A worry orders nothing, whatever it is that is feared.
    return (told or (bool(said) and all(_WORRY.match(s) for s in said))) and not _ORDERS.search(own)


_ORDERS = lazy(
    r"让|叫(?!做)|问|催|记得|监控|汇报|告诉|提醒|帮我|替我|麻烦|请(?!假)|通知|联系|盯|跟[^,。]{1,6}说|看看|查|改成|改到|\b(?:ask|tell|remind|please|chase|check|let|get|have (?:him|her|them)|call|make sure)\b"
)


def _trouble(sentence: str) -> Trouble | None:
    own = fold(sentence)
    if own.endswith("?") or asks(sentence) or _NONE_ZH.search(own) or _NONE_EN.search(own):
        return None
    kind = _kind(own)
    return Trouble(kind, _told(sentence)) if kind is not None else None


def _kind(own: str) -> Literal["risk", "blocker"] | None:
    if _BLOCKED_ZH.search(own) or _BLOCKED_EN.search(own):
        return "blocker"
    return "risk" if _RISK_ZH.search(own) or _RISK_EN.search(own) else None


def _told(sentence: str) -> str:
    """The clauses from the first to the last that tell of trouble, without the worry before them."""
    parts = clauses(sentence)
    telling = [n for n, clause in enumerate(parts) if _kind(fold(clause)) is not None]
    words = sentence
    if telling:
        first, last = sentence.find(parts[telling[0]]), sentence.find(parts[telling[-1]]) + len(parts[telling[-1]])
        words = sentence[first:last] if len(squeezed(sentence[first:last])) >= SHORTEST else sentence
    return _WORRY.sub("", words).strip(" 　,，。.!！~；;") or words.strip()
