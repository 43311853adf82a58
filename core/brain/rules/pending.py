"""What an answer to a pending confirmation means: yes, no, or yes with a change."""

from __future__ import annotations

import re
from typing import Literal

from core.brain.rules.text import any_of, clauses, fold, is_empty, made_of, shared, squeezed, without_quotes

Reading = Literal["confirm", "deny", "amend"]

_YES = any_of(
    r"""
    嗯|确认|同意|没错|没毛病|没问题|可以|就这样|就这么|照办|按你说的|照你说的|你看着办|发送|发出去|批准|通过|赞成|收到|就是这个意思
    好|行|对|是|妥|成|中|得|发|去|问|办|执行|继续|搞|走|要|准
    yes|yep|yeah|yup|okay|ok|sure|fine|great|good|perfect|right|correct|confirmed|confirm|goahead|go|doit|sendit|approved?
    absolutely|definitely|ofcourse|thatsright|looksgood|soundsgood|exactly|affirmative|please|pls|ya|y|1
    """
)
_YES_PIECE = any_of(
    rf"""
    {_YES.pattern}
    的|了|啊|呀|吧|嘛|哈|呗|咯|啦|哦|喔|呢|就|来|你|请|先|快|赶紧|谢谢|辛苦|麻烦|它
    ahead|thankyou|thanks?|doasyousay|asyousay|fordoublechecking|thats|then|that|it|is|for|me|all
    """
)
_NO = any_of(
    r"""
    理解(?:错|岔|偏)|(?<!没)(?:搞|弄|想)错了?|误会|不是这(?:么|个)|不是这意思
    \bmisunderst|\bthat'?s not\b
    ^(?:不+(?:用|要|行|对|是|可以|发|了|必|需要|同意|想|问)?|别+(?:发|问|了|去|说|急|动)?|算了|取消|拉倒|免了|否|停|先不|先别|暂时不|等等|慢着|千万别|没让|谁让|我(?:压根|根本)?没(?:说|让)|n$|no+\b|nah\b|nope\b|don'?t\b|do not\b|never ?mind|cancel|stop\b|forget it|hold (?:on|off)|wait\b|not (?:now|yet|what|that|like|really)|absolutely not|that'?s (?:wrong|not)|that is (?:wrong|not)|wrong\b|leave it|scrap)
    千万别|再想想|谁让你
    not what i (?:have )?meant|\bdon'?t (?:send|do|ask|post)\b
    """
)
_CHANGE = any_of(
    r"""
    不行[,，\s]*.+(?:吧|行|可以|好)$|改(?:成|到|为|在|一下|个)|换(?:成|个|一|到)?|再加|加(?:上|个|一)
    (?:只|就|光)(?:问|发|给|告诉|要|找|叫)|(?<![开删扣清解])除了|也(?:一起|一块|顺便|问|发|告诉)|不是.{1,12}[,，\s]*(?:而)?是|去掉
    删(?:掉|了)?|少|语气|客气|别用|提前|推迟|晚(?:点|一)|早(?:点|一)|等.{1,8}再|时间(?:改|不对)|先.{1,10}再
    其他(?:的)?不变|前.{1,4}别|(?:但|不过|只是).+|(?:那个)?别(?:问|发|提|说|叫|带).+
    \bmake (?:it|that)\b|\binstead\b|\bchange\b|\bonly\b|\bbut\b|\btake out\b|\bleave .{1,30} out\b|\bremove\b
    \badd\b|\balso\b|\bnot .{1,30}, ?(?:but )?\w+|\bswitch\b|\bmove\b|\brather\b|\bexcept\b|\bwithout\b|\bplus\b
    \binclude\b|\bas well\b|\bi meant\b|\bthe other\b|\bjust (?:ask|send|tell|the)\b|\bat \d|\bby \d|\bnicer
    \bsofter|\bpolite
    """
)
_ORDER = re.compile(r"^(?:帮我|麻烦|另外)|^\s*(?:can|could) you|^ask\b|怎么样了")


def reading_of_pending(text: str, summary: str) -> Reading | None:
    """confirm, deny or amend; None when the text is about something else."""
    own = fold(without_quotes(text)).strip()
    if is_empty(own):
        return "confirm" if re.search(r"👌|👍|✅|🆗", text) else None
    numbered = re.fullmatch(r"[12]", squeezed(own))
    if numbered and re.search(r"1.{0,4}(?:确认|是|发|同意|yes|ok).*2", fold(summary)):
        return "confirm" if own.strip().startswith("1") else "deny"
    if _ORDER.search(own) and not shared(own, summary):
        return None
    plain = squeezed(own)
    if made_of(plain, _YES_PIECE) and _YES.match(plain):
        return "confirm"
    parts = clauses(own)
    changed = bool(_CHANGE.search(own))
    if _NO.search(own) and not (changed and not re.fullmatch(_NO.pattern, parts[0]) and _keeps(parts)):
        return "deny"
    if changed:
        return "amend"
    if _YES.match(plain) and len(plain) <= 40 and not re.search(r"[?？]", own):
        return "confirm"
    return None


def _keeps(parts: list[str]) -> bool:
    """A no that keeps the matter alive: something is put in the place of what is refused."""
    rest = " ".join(parts)
    return bool(
        re.search(
            (
                r"换|改|就(?:问|发|给)|只|是|语气|口气|别用|前|一个|instead|i meant|should be|it'?s|(?:only|just|but) (?:ask|"
                r"send|tell|the|to|for)|make it"
            ),
            rest,
        )
    ) and not re.search(r"再想想|算了|拉倒|谁让", rest)
