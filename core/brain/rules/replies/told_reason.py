"""Whether a clause gives the reason that was asked for."""

from __future__ import annotations

from datetime import datetime

from core.brain.rules.replies.parts import BLANK, Part, says_anew, without_times
from core.brain.rules.words.signs import is_done
from core.brain.rules.words.text import any_of, fold
from core.patterns import lazy
from core.timetalk import parse

ASKS_WHY = any_of(
    r"""
    为(?:什么|啥|何)|原因|缘故|(?:怎么|咋)回事|怎么(?:又|还|会|没|只|突然|老)
    \bwhy\b|\breasons?\b|\bcauses?\b|\bhow come\b
    """
)
# Says itself that it is a reason.
_BECAUSE = any_of(
    r"""
    因为|由于|原因(?:是|在|就)|怪|我的(?:错|锅|问题|疏忽)|为了|怕|担心|导致|造成|引起|所以|出在
    \bmy (?:bad|fault|mistake)\b
    \b(?:because|since|cos|due to|owing to|caused|causes|thanks to|down to|so (?:we|i|they|he|she|it) (?:had|have|could|couldn'?t|can'?t))\b
    \bas (?:the|we|they|it|he|she|our|my)\b|\breason (?:is|was)\b|\bso that\b
    """
)
# What can be one: something that happened, is wrong or lacking, or that somebody wants.
_MAY_BE_ONE = any_of(
    r"""
    [一-龥]了|[不没未无]|被|坏|断|烧|堵|漏|卡|停|错|误|忘|丢|缺|少|短|贵|慢|旧|超|满|爆|裂|塌|跳|松|锈|磨|烂|渗|潮|冻|湿|淹|掉|崩|挂|失败|死机|进水|[退弄搞撞改碰搬拿压摔刮动][坏错]?的$|老化|过期|到期|冲突|故障|异常|取消
    改|换|延误|拖|涨|病|伤|请假|出差|离职|事故|撞|欠|限|禁|太|过于|只|才|光|[要请]求|决定|规定|嫌|觉得|认为|重复|等|有(?:问题|毛病|误|bug)|隐患
    \b(?:not|no|never|without|only|too|out of|short|missing|lack\w*|late|wrong|full|fewer|less|more|higher|lower|slow\w*|down (?!\d)|broken|burst|stuck|sick|off|old|change|freeze|failure|error|bug|fault|strike|snow|leak|faulty|shortage|delay|mistake|expired|\w+n'?t|want(?:s|ed)?|need(?:s|ed)?)\b
    """
)
# In English the past shows in the verb, and a weekday beside it lies behind ("pulled it on Thursday").
_HAPPENED = any_of(
    r"""
    \b(?!need)\w{2,}ed\b|\b(?:broke|ran|went|got|lost|left|fell|took|forgot|burnt|blew|gave|came|made|hit|sent|put|paid|had|found|cut|shut|ate|sold|bought|was|were|did)\b
    """
)
# It is over, what it led to, how they feel about it, what was done about it: all that is no reason.
_BESIDE_IT = any_of(
    r"""
    (?:已经?|现在|目前|后来|刚)[^,。]{0,6}(?:能|可以|恢复|好了|修好|解决|正常|通了|搞定|开了)
    都(?!被|没|不|已)[^,。]{1,8}了$|损失|耽误|影响|赔了|急死|着急|头疼|郁闷|生气|气死|尴尬|崩溃|受不了|难受|[急气热冷烦累吵愁笑]死(?:了|人)|抱歉|对不起|不好意思|辛苦
    (?:叫|派|找|安排)(?:了)?(?:人|师傅|维修)|(?:已经?|刚)[^,。]{0,4}(?:让|派|安排|联系|通知|骂|换|重启|补|修|处理|道歉|催)
    (?:挺|很|蛮|真)(?!多|少|大|小|旧|老|久|晚|慢)[一-龥]
    \b(?:released|resolved|solved|sorted|fixed|cleared|back (?:up|on|online|to normal)|working (?:again|now)|running again)\b
    \b(?:pretty|really|very|quite|so|kind of|a bit) (?!many|much|few|late|old|long|short)\w+|\bnot (?:great|good|ideal|happy|nice|fun)\b
    \b(?:looked at|came (?:over|round|by|to)|called|asked|told|reported|checked|replaced|ordered (?:a|new|another)|restarted|rebooted)\b
    \b(?:relieved|upset|angry|happy|glad|surprised|shocked|furious|disappointed|confused|worried|tired|pleased|sad|rude)\b
    \bsorry\b|\bannoy\w*|\ba (?:mess|pain|shame|nightmare)\b
    """
)
# What they themselves did is a reason where it is owned to as a lack or a slip ("我忘了续费", "we ran out of gas").
_BY_US = lazy(r"^(?:我|咱|你|i\b|i'|we\b|we'|you\b)(?!们?(?:这边|家))")
_BY_OUR_LACK = any_of(
    r"""
    [忘没不误错漏病]|弄|请假|才|只|太
    \b(?:forgot|\w+n'?t|not|never|no|missed|lost|thought|mistook|sick|ill|ran out|ran into|short|too|late|wrong|only|without|busy|had to|overslept)\b
    """
)
# What was done answers whether, not why ("通知上周就发了"), unless it happened to them.
_BY_MISHAP = any_of(
    r"""
    被|掉|错|坏|忘|没|\b(?:not|never|wrong|twice|late|was|were|by)\b|\w+n't\b
    """
)
# "才装了两年" tells how long.
_ONLY_HOW_LONG = lazy(rf"^(?:才|都|已经|刚|快)*[一-龥]{{1,2}}了?{BLANK}(?:多|了)*$")
# Agrees that it is so, without a word of why.
_AGREES = lazy(
    r"^(?:是(?:啊|的|呀)|对(?:啊|的|呀)?(?=$|[,，\s])|嗯+|没错|确实|可不是|就是啊|yes|yeah|yep|yup|true|indeed|i know|right)(?![a-z])"
)


def is_reason(part: Part, about: str, now: datetime) -> bool:
    """A reason by its own words, or something that can be one: said anew, not to come, and not merely beside the point."""
    if _BECAUSE.search(part.own):
        return says_anew(part, about, now)
    if _AGREES.search(part.sentence) or _BESIDE_IT.search(part.own) or not says_anew(part, about, now):
        return False
    if (is_done(part.own) and not _BY_MISHAP.search(part.own)) or _ONLY_HOW_LONG.search(without_times(part.own, now)):
        return False
    if _BY_US.search(part.own) and not _BY_OUR_LACK.search(part.own):
        return False
    return bool(_HAPPENED.search(part.own)) or (bool(_MAY_BE_ONE.search(part.own)) and not _is_to_come(part, now))


def _is_to_come(part: Part, now: datetime) -> bool:
    return any((t.end or t.start or now) > now and not t.duration for t in parse(part.text, now))


def asks_why(about: str) -> bool:
    """Whether a reason was asked for."""
    return bool(ASKS_WHY.search(fold(about)))
