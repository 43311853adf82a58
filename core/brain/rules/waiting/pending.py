"""What an answer to a pending confirmation means: yes, no, or yes with a change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from core.brain.questions import PersonBrief
from core.brain.rules.waiting.orders import parted
from core.brain.rules.waiting.picking import of_each
from core.brain.rules.words.text import any_of, clauses, fold, is_empty, made_of, shared, squeezed, without_quotes
from core.patterns import lazy
from core.timetalk import parse

Reading = Literal["confirm", "deny", "amend"]

_YES = any_of(
    r"""
    嗯|确认|同意|好嘞|好呀|妥了|安排(?:上|吧)?|没事|没意见|照做|没错|没毛病|没问题|可以|就这样|就这么|照办|[按照](?:你说的|这个|这样|原?计划)|你看着办|发送|发出去|批准|批了|通过|赞成|收到|就是这个意思
    好|行|对|是|妥|成|中|得|发|去|问|办|打|付|转|通知|执行|继续|搞|走|要|准
    yes|yep|yeah|yup|okay|ok|sure|fine|great|good|perfect|right|correct|confirmed|confirm|goahead|go|doit|sendit|approved?
    absolutely|definitely|ofcourse|thatsright|(?:looks|sounds)(?:good|right|fine)|exactly|affirmative|proceed|works(?:forme)?|allgood|please|pls|ya|y|1|alright|allright|aye|cool|indeed|yesplease|finebyme|works|surething|agreed|forsure|gladly
    """
)
_YES_PIECE = any_of(
    rf"""
    {_YES.pattern}
    还是|那|我看|的|了|啊|呀|吧|嘛|哈|呗|咯|啦|哦|喔|呢|就|来|你|请|先|快|赶紧|谢谢|辛苦|麻烦|它|这样|现在
    ahead|just|do|tome|forit|thankyou|thanks?|doasyousay|asyousay|fordoublechecking|thats|then|that|it|is|for|me|all
    """
)
_NO = any_of(
    r"""
    理解(?:错|岔|偏)|(?<!没)(?:搞|弄|想)错了?|误会|不是这(?:么|个)|不是这意思|没(?:有)?(?:这|那)个意思|放一放|缓一?缓|暂缓|没这回?事|没这么说|考虑(?:一下|考虑)|等我(?:想|看|问|再)|让我再?(?:想|看|考虑)
    ^(?:这|那)?不对(?:吧|啊|的)?(?:$|[,.!])|(?:什么时候|几时)(?:说|让|叫)|谁说要
    \bmisunderst|\bthat'?s not\b
    ^(?:不+(?:用|要|行|对|是|可以|发|了|必|需要|同意|想|问)?|别+(?:发|问|了|去|说|急|动)?|算了|取消|拉倒|免了|否|停|先不|先别|暂时不|等等|慢着|千万别|没让|谁让|我(?:压根|根本)?没(?:说|让)|n$|no+\b|nah\b|nope\b|don'?t\b|do not\b|never ?mind|cancel|stop\b|forget it|hold (?:on|off|it|that|this)|hang on|wait\b|not (?:now|yet|today|tonight|what|that|like|really|necessary|needed)|please (?:don'?t|do not)|i never (?:said|asked|meant)|let'?s not|absolutely not|that'?s (?:wrong|not)|that is (?:wrong|not)|wrong\b|leave it|scrap)
    ^(?:先|那|我看|还是|这事|,|\s)*(?:缓|搁|放|等|停)(?:一?[缓搁放等停下])?(?:着|会儿?|几天|一阵)?(?:吧|再说)?(?:$|[,.!])|^(?:i'?d )?(?:better|best|rather) not\b|\bnot a good idea\b|^(?:晚点|改天|回头|以后)再(?:说|议)
    ^(?:还是)?再(?:等等|看看|缓缓|考虑)(?:吧)?(?:$|[,.!])|\brather not\b|\blet me (?:think|check|sleep)\b|\bi'?ll think\b
    ^(?:那|那就|我看|还是|这个|这事|都|先|现在)+(?:算了|别|不用|不必|不要)(?:再)?(?:问|发|说|办|做|打|弄|管|去)?了?(?:吧)?(?:$|[,.!])
    千万别|再想想|谁让你|(?:今天|现在|这次|暂时)先?(?:不|别)(?:发|问|办|说|打|做|要|动)
    not what i (?:have )?meant|\bdon'?t (?:send|do|ask|post)\b|\bleave it(?: be)?(?:$|[,.!])
    """
)
# "尾款那件可以": of several that wait the words say which.
_YES_AT_END = lazy(
    r"(?:可以|行|确认|同意|没问题|照办|办|发|打|做|执行)(?:了|的|吧|去)*[.!]*$|\b(?:yes|ok|okay|go ahead|is fine|confirmed)[.!]*$"
)
_NO_AT_END = lazy(
    r"(?:不用|算了|取消|不办|不要|不发|免了|停)(?:了|吧|掉)*[.!]*$|\b(?:no|cancel(?:led)?|not that one|drop)[.!]*$"
)
_AS_IT_IS = lazy(
    r"^(?:不用|不必|不要|别)改了?[,\s]*(?=\S)|^(?:no changes?|don'?t change (?:it|anything)|as it is)[,;\s]+(?=\S)"
)
# Somebody or something else than what was asked about, or less or more of it, or otherwise.
_CHANGE = any_of(
    r"""
    不行[,，\s]*.+(?:吧|行|可以|好)$|改(?:成|到|为|做|在|一下|个)|换(?:成|个|一|到)?|再加|加(?:上|个|一)|带上|叫上|算上
    (?:只|就|光)(?:问|发|给|告诉|要|找|叫)|(?<![开删扣清解])除了|也(?:一起|一块|顺便|问|发|告诉)|不是.{1,12}[,，\s]*(?:而)?是
    去掉|拿掉|删(?:掉|了)?|少(?=点|些|问|说|一)|语气|客气|委婉|礼貌|温和|别用|提前|推迟|推后|延[后期迟]|往[前后]|晚(?:点|一)
    早(?:点|一)|等.{1,8}再|时间(?:改|不对)|先.{1,10}再(?!说|议|看|想)|另外?一?[个位](?!意思)|我(?:说|指)的是|应该(?:是|问|找)
    (?:人|时间|日期|数目?|金额|价格?|名字?|地址)(?:都)?(?:弄|搞|写)?(?:不对|错)|(?:[早晚]上?|[中下上]午|[明后]天|明[早晚]|点|周.)再(?:发|问|办|打|做|提醒)
    (?:第.{1,2}|最后一?)(?:个|条|项|句|点)(?:问题)?.{0,4}(?:不要|不问|去掉|删|别)|(?:短|长|简单|正式|清楚|软|硬)(?:一?[点些])
    (?:别|不要|不用)(?:再)?(?:问|找|发|告诉|通知|叫).{0,8}[,，\s]+(?:改|去|就|直接)?(?:问|找|发|告诉|通知|叫)\S
    ^每[天周月年隔]|前(?:要|给|回)(?:结果|答复|我|到)|(?:其他|别的|剩下)(?:的)?人?(?:就|都)*(?:不用|不要|不问|别)
    其他(?:的)?不变|前.{1,4}别|(?:但|不过|只是).+|(?:那个)?别(?:问|发|提|说|写|叫|带)(?!了|$|[,，.。!！]).+
    (?<![样么这发办])就(?:行|好|够)了?$|(?:再|也|顺便)(?:问|说|提|加|(?:跟|对|和|告诉|提醒|让|叫)[他她]们?)
    \bmake (?:it|that)\b|\binstead\b|\bchange\b|\bonly\b|\bbut\b|\btake out\b|\bleave .{1,30} out\b|\bremove\b
    \badd\b|\balso\b|\bnot .{1,30}, ?but \w+|\bswitch\b|\bmove\b|\brather\b(?! not)|\bexcept\b|\bwithout\b|\bplus\b|\bskip\b|\bdrop (?:the|that) \w|\btoo$
    ^not (?!now|yet|today|tonight|really|that|like|what|necessary|needed)[a-z' ]{1,20}, [a-z]+$|\b(?:shorter|longer|simpler|clearer|more (?:formal|polite))\b
    \binclude\b|\bas well\b|\bi meant\b|\bthe other\b|\bjust (?:ask|send|tell|the)\b|^just \w+(?:,| and |$)|\bat \d|\bby \d
    \bnicer|\bsofter|\bpolite|\bgentler|\bdon'?t (?:mention|say|include|bring)
    ^it'?s (?!ok|fine|good|right|all|correct|great|perfect|me|that)[a-z]+(?: [a-z]+)?$|^(?:earlier|later|sooner),? (?:say|at|by|please)
    \b(?:hours?|minutes?|days?|weeks?|bit|little) (?:earlier|later|sooner)
    """
)
# "老钱就不用问了": one of those who were named, not the matter.
_THAT_ONE_NOT = lazy(
    r"^(?!那|这|都|先|还|算|也|我|现在|暂时|全|其实|今天|以后|不|别)[^,，。]{1,8}?(?:那边)?(?:就|先)?(?:不用|不必|别|不要)(?:再)?"
    r"(?:问|发|找|告诉|通知|联系|叫|提醒|管)(?:了)?$"
)
# A no that is followed by what is wanted instead.
_INSTEAD = lazy(
    r"换|改(?!天|日)|就(?:问|发|给|找|行|好)|只|是|语气|口气|别用|别(?:提|说|写)|前|一个|另|instead|i meant|should be|it'?s|"
    r"(?:only|just|but) (?:ask|send|tell|the|to|for)|make it|mention|[,，\s](?:改|去|直接)?(?:问|找|发|告诉|通知|叫)\S|^not \w+, "
)
# The same behind a bare no, where less than that would be talk: "不对，我没说要问他" puts nothing in its place.
_SURELY_INSTEAD = lazy(
    r"换成?|改成?(?!天|日)|应该(?:是|问|找)|(?:^|[,，\s])是(?!这|那|的|吗|不|说|什么|谁|我)|就(?:问|发|给|找)|只(?:问|发|给|找)|"
    r"我(?:说|指)的是|\binstead\b|\bi meant\b|\bshould be\b|\bmake it\b|\b(?:only|just) (?:ask|send|tell)\b"
)
_NOT_INSTEAD = lazy(r"再想想|再说|再议|再看|算了|拉倒|谁让|我(?:自己|来|去)")
_ORDER = lazy(
    r"^(?:帮我|麻烦|另外)|提醒我|怎么样了|^(?:can|could) you (?!make|change|leave|drop|remove|add|skip|send it)|^(?:please )?remind me\b|"
    r"^ask\b(?!.*\b(?:instead|too|as well|only)\b)"
)


_ASKS = lazy(r"[?？]|[吗么嘛]\W*$|[行好对]不[行好对]\W*$")


def reading_of_pending(
    text: str, summary: str, now: datetime | None = None, people: Sequence[PersonBrief] = ()
) -> Reading | None:
    """confirm, deny or amend; None when the text is about something else, or may be. With `now`, times in it count.

    Of an answer with an order behind it the answer is read; `people` are those who may be named in either.
    """
    if now is None:
        return _reading(text, summary, now)
    parts = parted(text, summary, now, people)
    if parts.changes:
        return "amend"
    return None if parts.doubtful or not parts.answer else _reading(parts.answer, summary, now)


_LINE_BREAK = lazy(r"\s*\n\s*")


def _reading(text: str, summary: str, now: datetime | None) -> Reading | None:
    text = _LINE_BREAK.sub(", ", text.strip())  # "先搁着" and, a moment later, "谢谢"
    own = _AS_IT_IS.sub("", fold(of_each(without_quotes(text))).strip())
    if is_empty(own):
        return "confirm" if re.search(r"👌|👍|✅|🆗", text) else None
    numbered = re.fullmatch(r"[12]", squeezed(own))
    if numbered and re.search(r"1.{0,4}(?:确认|是|发|同意|yes|ok).*2", fold(summary)):
        return "confirm" if own.strip().startswith("1") else "deny"
    if _is_order(text, summary):
        return None
    plain, asks = squeezed(own), bool(_ASKS.search(own))
    if not asks and made_of(plain, _YES_PIECE) and _YES.search(plain):
        return "confirm"
    parts = clauses(own)
    changed = bool(_CHANGE.search(own) or _THAT_ONE_NOT.search(own)) or _other_time(parts, now)
    if _NO.search(own) and not (changed and _keeps(parts, now)):
        return "deny"
    if changed:
        return "amend"
    if asks or len(plain) > 40:
        return None
    named = bool(shared(own, summary))
    if named and _NO_AT_END.search(own):
        return "deny"
    if named and _YES_AT_END.search(own):
        return "confirm"
    if not _YES.match(plain):
        return None
    # A yes with something behind it that is no part of it: it is asked what is to be otherwise, not done.
    return "confirm" if all(_goes_with_yes(part, summary) for part in parts) else "amend"


_MERE_RECEIPT = any_of(
    r"好|嗯|行|哦|噢|收到|知道|明白|的|了|吧|啊|呀|谢谢|辛苦|ok|okay|fine|good|great|thankyou|thanks?|gotit|sure"
)


def is_mere_receipt(text: str) -> bool:
    """Nothing but a word that may be a yes, and may say only that something was heard: "好的", "ok"."""
    return made_of(squeezed(text), _MERE_RECEIPT)


def wants_it_still(text: str, summary: str, denied: bool, now: datetime) -> bool:
    """Whether this is a yes to what is over. To what they called off themselves "好的" is only a receipt, and a change
    that has no word of it is one of something else."""
    if denied and is_mere_receipt(text):
        return False
    reading = reading_of_pending(text, summary, now)
    return reading == "confirm" or (reading == "amend" and (not denied or bool(shared(text, summary))))


def _is_order(text: str, summary: str) -> bool:
    """Whether the text is an order of its own, about something else than what waits."""
    own = fold(without_quotes(text)).strip()
    return bool(_ORDER.search(own)) and not shared(own, summary)


_COURTESY = any_of(r"谢谢|多谢|辛苦|麻烦|拜托|快|赶紧|尽快|马上|thanks?|thankyou|cheers|asap|quick")


_NEGATES = lazy(
    r"不(?!错|客气|用谢|好意思)|别|没(?!问题|错|毛病|搞错|事)|\bnot\b|n't\b|\bno\b(?! (?:problem|worries))|\bnever\b|\bwithout\b"
)


_PLAIN_YES = lazy(
    r"确认|同意|可以|没错|没问题|没毛病|就(?:这样|这么|是)|[按照](?:你说|这)|(?:发|办|问|打)(?:出去)?(?:吧|了)|\bgo\b|^(?:please )?\w+ (?:it|them)[.!]*$|\bok(?:ay)?\b|\bfine\b"
)


def _goes_with_yes(part: str, summary: str) -> bool:
    plain = squeezed(part)
    return not _NEGATES.search(part) and (
        len(plain) <= 4
        or made_of(plain, _YES_PIECE)
        or bool(_COURTESY.search(part))
        or bool(shared(part, summary))
        or (bool(_PLAIN_YES.search(part)) and len(plain) <= 12)
    )


def _keeps(parts: list[str], now: datetime | None) -> bool:
    """A no that keeps the matter alive: something is put in the place of what is refused."""
    rest = " ".join(parts)
    if _NOT_INSTEAD.search(rest):
        return False
    if _NO.fullmatch(parts[0]):
        return bool(_SURELY_INSTEAD.search(" ".join(parts[1:])))
    return bool(_INSTEAD.search(rest)) or _other_time(parts, now)


def _other_time(parts: list[str], now: datetime | None) -> bool:
    """`不要明天，后天`: a time is refused, another one stands in its place."""
    return now is not None and len(parts) > 1 and bool(parse(parts[0], now)) and bool(parse(parts[-1], now))
