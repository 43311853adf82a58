"""Whether words tell who, where, why or what was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from core.brain.rules.replies import reply
from core.brain.rules.replies.parts import Part, is_shaky
from core.brain.rules.replies.put_off import gives_no_answer, is_hearsay
from core.brain.rules.replies.told_choice import asks_which, is_choice
from core.brain.rules.replies.told_reason import asks_why, is_reason
from core.brain.rules.words.names import SURNAMES
from core.brain.rules.words.signs import ASSERTS, CONDITION, HEDGE, IGNORANT, is_done, is_no, is_yes_alone
from core.brain.rules.words.text import CJK, any_of, fold, shared, squeezed
from core.patterns import lazy

# What an answer to who and where must hold.
_PERSON = any_of(
    rf"""
    [我他她]|[小老阿大](?![家时概约心是样多])[一-龥]|[{SURNAMES}][一-龥]{{1,2}}|都(?:去|来|在|会|有空|可以|能|参加)|没人|^(?:让|由|是|还是|就|先)?[一-龥]{{2,4}}(?:负责|来|管|去|做|没|经办)
    (?:给|归|是(?![轮按分排随不因很])|由)[一-龥]{{2,}}|公司|集团|部门?$|^[一-龥]{{1,3}}[^\W了呢吗吧呀]$
    \b[A-Z][a-z]+|\b(?:me|i|he|she|we|they)\b
    """
)
_PLACE = any_of(
    r"""
    \d
    [湖山岛区市县镇村园馆寺海江省城街站场港]$|去[一-龥]{2,}|在|放|左|右|层|楼|室|柜|抽屉|[里上下旁]|边|库|号|路|店|厅|桌
    \b(?:at|in|on|under|behind|next|near|room|street|shelf|drawer|floor|office)\b|[A-Z]\d
    """
)


# Something that comes by a time to come: `今天下班前发出来`.
_TELLS_OF_LATER = lazy(
    r"[今明后]天|今晚|明早|下班前|[上下]午|晚上|稍后|马上|\b(?:tonight|tomorrow|today|by|later|after)\b"
)
_AHEAD = lazy(r"明天|后天|今晚|明早|下周|下个?月|\b(?:tomorrow|tonight|next week)\b")
# A question whose answer can be told by its form.
_WHO = lazy(r"谁|哪一?[位名]|哪个人|\bwho\b")
_WHERE = lazy(r"哪里|哪儿|[在去到坐放停住站摆]哪(?![一-龥]天|个|一?步|一?阶段|一?环节)|\bwhere\b")


def is_told(parts: Sequence[Part], about: str, now: datetime, complained: bool) -> bool:
    """One of the clauses tells it. Where the answer has no form of its own, a put-off beside it says that it is none."""
    asked = fold(about)
    formed = _WHO.search(asked) or _WHERE.search(asked)
    if _WHO_CAN.search(asked) and any(_SELF.search(p.own) and not is_shaky(p) for p in parts):
        return True
    if _WHO.search(asked) and _OF_EACH.search(asked) and any(_NOT_ME.fullmatch(p.own) for p in parts):
        return True
    if _WHO.search(asked) and any(_ME.search(p.own) and not is_shaky(p) for p in parts):
        return True
    if not formed and not _HOW_FAR.search(asked) and any(gives_no_answer(p.own) or _brings_later(p.own) for p in parts):
        return False
    return any(_is_information(p, about, now) and (not complained or shared(p.own, about)) for p in parts)


# What they or the asker do about it, where neither is what was asked about.
_ON_THEMSELVES = lazy(r"^(?:我(?!们?(?:这边|家)|看是|觉得|认为)|你|i\b|you\b)(?!.*(?:因为|because))")
_EN_PERSON = lazy(
    r"^(?:it'?s |that'?s |that would be |probably )?(?:(?:[A-Z][a-z]+ ){0,2}[A-Z][a-z]+|me|I)(?:\W*$|'s (?:turn|job|week|day|shift|round)\b| (?:and|at|from|on|in|of|over|does|is|was|will|has|can|did|from|who|in|took|takes|handles|\w+s\b))"
    r"|\b(?:by|ask|with|to|it'?s|be|is|was|and|had|from|given) (?:[A-Z][a-z]+|me|him|her)\b|\b(?:I|he|she|they|we) \w+"
)


# Somebody by what they do: `the floor manager`, `our cleaner`.
_ROLE = lazy(
    r"^(?:it'?s |that'?s )?(?:the |our |my |his |her )?(?:\w+ ){0,2}(?:guard|accountant|nurse|doctor|boss|team|crew|shift|assistant"
    r"|agency|client|intern|neighbou?r|director|supervisor|lord|lady|\w{2,}(?:ger|lier|her|ner|ber|ter|ker|ver|yer|eer|tor|ian|ist|man|woman))s?\W*$"
)
# "谁有空来": each says it for themselves.
_WHO_CAN = lazy(
    r"谁[^,。]{0,4}(?:有空|有时间|能|可以|愿意|想|会|来|去|参加)|\bwho (?:can|could|is free|is able|wants|will)"
)
_SELF = lazy(
    r"^(?:我|那天|[上下]午|晚上|(?:这|下)?周[一二三四五六日天末]|[今明后]天|\d+号)*(?:有空|没空|有时间|没时间|可以|能(?!不能)|不能|行|不行|来|去|不来|不去|有事|参加|愿意|不了)"
    r"|^(?:i can|i can'?t|i'm (?:free|busy|in|not|out)|count me|not me|yes|no)\b"
)
_ME = lazy(
    r"^(?:是)?我(?:们)?(?:吧|来|去|值|负责|管|跟|和[一-龥]{2,3}|、[一-龥]{2,3})*$|^(?:me|i do|i am|i will|it'?s me)\W*$"
)


# Who is at it has it in hand: `李四在跟`.
_HAS_IT = lazy(
    r"(?:(?:是|现在|目前|这块|一直)*)(?!.*[还正都])[^,，。在]{1,5}(?:一直)?在(?:跟|跟进|做|弄|管|写|改|负责|处理|办|盯|对接)(?:的|呢|着|了|啊)?"
)


# Asked of several, each answers for themselves that it is not they.
_OF_EACH = lazy(r"各自|\beach\b|\b(?:and|,) \w+:")
_NOT_ME = lazy(
    r"(?:不(?:在|是)|没(?:有)?在)我(?:们)?(?:这|这里|这儿|这边|手里|手上|那)?(?:里|儿|边)?(?:的|啊|呀)?|我(?:们)?(?:这边|这里|这儿|手里|手上|这)?(?:也|真|可)?没(?:有)?(?:的|啊|呀)?"
    r"|(?:it'?s )?not (?:me|with me|mine|here)|i (?:don'?t|do not) have (?:it|one|any)"
)


def _names_somebody(part: Part, about: str) -> bool:
    """A person, and nothing about them but what was asked: `小丁去`, not `小丁明天请假`."""
    if not CJK.search(part.text):
        if _ROLE.search(part.own):
            return True
        return (
            bool(_EN_PERSON.search(part.text))
            and not _NO_NAME.search(part.own)
            and not _begins_with_the_matter(part, about)
        )
    if not _PERSON.search(re.sub(r"[上下本这]?周[一二三四五六日天末]?", " ", part.text)):
        return False
    return not _NOT_THERE.search(part.own) or bool(shared(part.own, about))


# A capital begins any sentence: these words are nobody's name.
_NO_NAME = lazy(
    r"^(?:it(?!')|the|this|that(?!')|there|not|no|nobody|someone|somebody|whoever|anyone|still|all|both|everyone|one|some|\w{3,}(?:ing|ed|tion|ment|ness|ly|ity))\b"
)


def _begins_with_the_matter(part: Part, about: str) -> bool:
    """`Delivery is late` to `who signs for the delivery`."""
    first = re.match(r"[a-z]+", part.own)
    return bool(first) and first is not None and bool(shared(first.group(), about))


_NOT_THERE = lazy(r"请假|不在|出差|休[年产婚病事]?假|离职|没空|忙|病")


def _brings_later(own: str) -> bool:
    return bool(_TELLS_OF_LATER.search(own)) and bool(reply.GIVES.search(own)) and not is_done(own)


def _has_form(part: Part, about: str, now: datetime) -> bool | None:
    """Whether a clause has the form of what was asked for; None where what was asked for has none."""
    asked = fold(about)
    if _WHO.search(asked):
        return _names_somebody(part, about)
    if _WHERE.search(asked):
        return bool(_PLACE.search(part.text))
    if asks_why(about):
        return is_reason(part, about, now)
    return is_choice(part, about, now) if asks_which(about) else None


# How far it is answers how it stands, whatever is still to come.
_HOW_FAR = lazy(
    r"进度|进展|什么(?:情况|状况|状态)|(?:情况|状况|到哪|做得?|弄得?|搞得?)[^,。]{0,4}(?:怎么样|怎样|如何|了)|\bprogress\b|\bstatus\b|\bhow (?:far|is|are)\b.*\b(?:going|coming|getting|along|stand)"
)
_FAR = lazy(
    r"一半|[大小]半|百分之|\d ?%|[\d一二两三四五六七八九]成|大部分|(?:还|只|就)(?:差|剩)|(?:做|写|改|弄|搞|测|进行|走|推进|完成)到|\bhalf|\bmost of\b|\d ?percent|\b(?:almost|nearly) (?:done|finished|there)|\bwaiting (?:for|on)\b|\bleft\b"
)


# "正在弄" says no more than that it is not done.
_AT_IT = lazy(r"在(?!弄|做|改|写|搞|忙|跟|路|催|等|开会|处理|看)[一-龥]{2,}")


def _tells_how_far(part: Part) -> bool:
    """What is done, what is left, what they are at; a guess beside it takes nothing from it."""
    if HEDGE.search(part.own) or CONDITION.search(part.own):
        return False
    return bool(_FAR.search(part.own) or _AT_IT.search(part.own)) or is_done(part.own)


# Asked which step it is at, who has it or what it waits for is the answer.
_STAGE = lazy(r"(?:到|在|走到|卡在)哪(?:一?[步阶]|个(?:阶段|环节)|了)|什么阶段|哪个环节")
_AT_STEP = lazy(
    r"(?!我|还在|正在|[他她])[^,，。]{2,6}(?:正|还)?在(?:审|批|签|走流程|审批|审核|测|盖章|会签|排期|复核|验收)[^,，。]{0,4}"
    r"|(?:现在|目前)?(?:就|还|只)?(?:等|差|剩)(?:着)?(?!一?下|会|等|通知|消息|我|回复|结果)[^,，。]{0,4}(?:盖章|签字|审批|审核|付款|验收|会签|排期|批|签|终审|复核|用印)(?:了|呢)?"
    r"|(?:现在|目前)?(?:已经?|刚)?(?:走|到|卡)(?:到|在)[^,，。]{2,10}(?:了|这里|这边|那边)?"
)


def tells_stage(parts: Sequence[Part], about: str) -> bool:
    """Whether a clause says at which step something stands: `法务在审`, `等盖章`."""
    return bool(_STAGE.search(fold(about))) and any(_AT_STEP.fullmatch(p.own) and not is_shaky(p) for p in parts)


def _is_information(part: Part, about: str, now: datetime) -> bool:
    """States something that can answer the question: a person, a place, a reason, one thing, else a plain assertion."""
    own = part.own
    if _HOW_FAR.search(fold(about)) and _tells_how_far(part):
        return True
    if _WHO.search(fold(about)) and _HAS_IT.fullmatch(own) and not is_shaky(part):
        return True
    if is_shaky(part) or reply.VAGUE.search(own) or IGNORANT.search(own) or reply.REFUSED.search(own):
        return False
    if is_yes_alone(own) or reply.is_pleasantry(own) or (reply.promises(own) and reply.has_later(own)):
        return False
    if gives_no_answer(own) or is_hearsay(own) or _brings_later(own):
        return False
    asked = fold(about)
    if _AHEAD.search(own) and not shared(own, about):
        return False
    formed = _has_form(part, about, now)
    if formed is not None:
        return formed
    if _ON_THEMSELVES.search(own) and not shared(own, about) and not re.search(r"你|\byou", asked):
        return False
    words = len(own.split()) if not CJK.search(own) else len(squeezed(own)) / 2
    return (
        bool(shared(own, about))
        or (words >= 1 and bool(ASSERTS.search(own)))
        or (part.first and 1 <= words <= 12 and not is_no(own))
    )
