"""What an owner's message is after, by the words of the message alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from core.brain.questions import ConcernBrief, PersonBrief
from core.brain.rules.owner.asked import Reach, reach
from core.brain.rules.owner.changed import is_amend, is_cancel
from core.brain.rules.owner.mood import is_spoken_of
from core.brain.rules.owner.reaching import EN_TIME_WITH, FALLBACK
from core.brain.rules.owner.wishes import (
    ABOUT_STATE,
    CANCEL,
    EXPECT,
    FOR_THE_BOT,
    HINT,
    HYPOTHESIS,
    INVITE,
    LOOK_UP_FACTS,
    LOOK_UP_PERSON,
    OPINION,
    PROMISED,
    REMIND_ME,
    REMIND_OTHER,
    SHOW_ME,
    STATUS,
    STEPS,
    TASK,
    TELL_ME,
    TRANSFORM,
    WATCH,
)
from core.brain.rules.times.timing import Timing
from core.brain.rules.times.when import timing_of, without
from core.brain.rules.words.names import PERSON
from core.brain.rules.words.text import any_of, fold, squeezed, without_quotes
from core.patterns import lazy


class Intent(StrEnum):
    """The things that an owner may be after."""

    CHAT = "chat"
    DELEGATE = "delegate"
    REMIND = "remind"
    SCHEDULE = "schedule"
    EXPECT = "expect"
    STATUS = "status"
    CANCEL = "cancel"
    AMEND = "amend"
    LOOK_UP_PERSON = "look_up_person"
    INVITE = "invite"
    LOOK_UP_FACTS = "look_up_facts"
    TASK = "task"
    WORLD = "world"
    """Something is to be done that no words do: an order all the same."""


def intent_of(
    text: str,
    now: datetime,
    people: Sequence[PersonBrief] = (),
    concerns: Sequence[ConcernBrief] = (),
    self_id: str = "",
) -> tuple[Intent, Reach]:
    """The intent, and whom the message would reach if it is one that reaches people."""
    own = fold(without_quotes(text))
    found = reach(text, people, self_id)
    return _decide(own, now, found, concerns), found


def _decide(own: str, now: datetime, found: Reach, concerns: Sequence[ConcernBrief]) -> Intent:
    if TRANSFORM.search(own):
        return Intent.CHAT
    if _is_recounted(own, found):
        return Intent.CANCEL if concerns and CANCEL.search(own) else Intent.CHAT
    if (looked := _looks_up(own, found, concerns)) is not None:
        return looked
    changeable = [c for c in concerns if c.kind not in ("watch", "task")]
    if changeable and is_amend(own, changeable, found):
        return Intent.AMEND
    if is_cancel(own, found):
        return Intent.CANCEL
    if found.anybody and (_SEE_TO_IT.search(found.masked.folded) or FALLBACK.search(found.masked.folded)):
        return Intent.DELEGATE
    if _WHAT_THEN.search(own) and (found.weak or not found.ids):
        return Intent.CHAT
    if EXPECT.search(_DEED_IF_NOT.sub(" ", own)) and not _ORDERS_NOW.match(own):
        return Intent.EXPECT
    if WATCH.search(own) and (found.weak or not found.ids):
        return Intent.EXPECT
    if REMIND_ME.search(own) and not _how_to(own):
        return Intent.REMIND
    if not found.anybody and (STEPS.search(own) or TASK.search(own)) and not _how_to(own):
        return Intent.TASK
    if OPINION.search(own) and (HYPOTHESIS.search(own) or not found.anybody):
        return Intent.CHAT
    if (found.weak or not found.ids) and (own_time := _shown(own, found, now)) is not None:
        return own_time
    if _ALREADY.search(found.masked.folded):
        return Intent.STATUS
    if (STATUS.search(own) or (_DID_THEY if concerns else _DONE_YET).match(found.masked.folded)) and not _asks(
        own, found
    ):
        return Intent.STATUS
    if (
        (PROMISED.search(own) or _OWES.match(found.masked.folded))
        and not _asks(own, found)
        and not _SAYS_TO.match(found.masked.folded)
    ):
        return Intent.EXPECT
    if found.anybody and not HYPOTHESIS.search(own) and not is_spoken_of(found):
        return _contact(own, now, found)
    if FOR_THE_BOT.search(own) and not found.ids and not OPINION.search(own):
        return Intent.WORLD
    # Whoever is named and not reached is not to be asked; where nobody is named, it is to be said who.
    if HINT.search(own) and not found.masked.found and not OPINION.search(own) and not _how_to(own):
        return _contact(own, now, found)
    return Intent.CHAT


# "Tom has to send the report by Friday": what is due of somebody, put as a rule for them.
_OWES = lazy(
    rf"(?:from now on,? )?{PERSON} (?:has to|must|needs to|should|is to|ought to|is supposed to) (?!have\b|be (?!done|sent|ready|paid|signed|finished))[a-z].{{0,60}}\b(?:by|before)\b[^?]*$"
)
# "tell Lisa I promise …": what is promised is in the message.
_SAYS_TO = lazy(
    rf"(?:please |can you |could you |帮我|麻烦|你|去)*(?:tell|ask|inform|remind|let|text|message|告诉|通知|转告|跟|和|问)(?:一?[下声])?\s*{PERSON}"
)
# "万一他不答应怎么办": advice is wanted.
_WHAT_THEN = lazy(
    r"(?:怎么办|咋办|如何是好|怎么弄)(?:呢|啊|才好)?[?？。]*$|\bwhat (?:do|should|would) (?:i|we) do (?:if|when|then)\b"
)
# "ask Tom if it is in, and if not have him file it": what he is to do then, and nothing to look out for.
_DEED_IF_NOT = lazy(
    r"(?<=[,;.] )(?:and |but )?if (?:not|(?:he|she|they) (?:hasn'?t|haven'?t|didn'?t)),? (?:then )?(?:please )?(?:(?:have|get) (?:him|her|them) (?:to )?|(?:ask|tell) (?:him|her|them) to )\w+"
)
_ORDERS_NOW = lazy(r"(?:帮我|麻烦|请|你|先|再|去|替我)*(?:问|提醒我)")


def _looks_up(own: str, found: Reach, concerns: Sequence[ConcernBrief]) -> Intent | None:
    """Something that is kept is asked for: a person's entry, an invite, what was said. Not what somebody is to be asked,
    nor what an open matter answers."""
    masked = found.masked.folded
    if _ORDERED.match(own) or _ASKED.search(own) or WATCH.search(own):
        return None
    if LOOK_UP_PERSON.search(masked):
        return Intent.LOOK_UP_PERSON
    if INVITE.search(masked) or (found.unknown and _INVITES.fullmatch(own)):
        return Intent.INVITE
    about_open = any({p.person_id for p in c.people} & set(_named(found)) for c in concerns)
    if (
        LOOK_UP_FACTS.search(masked)
        and not STEPS.search(own)
        and (not about_open or _ON_A_DAY.search(masked))
        and not (found.anybody and not found.weak)
    ):
        return Intent.LOOK_UP_FACTS
    return None


# What was said on a certain day stands in what is kept, not in the matter alone.
_ON_A_DAY = lazy(r"[今昨前]天|上周|上个?月|这周|\b(?:today|yesterday|last (?:week|month|\w+day)|this week)\b")
_INVITES = lazy(r"(?:帮我|麻烦|请)?邀请(?:一?下)?[^,，。的参来去]{1,6}[吧。.!！]*|(?:please )?invite [a-z]+\W*")
_ORDERED = lazy(
    r"(?:帮我|麻烦|替我|你|去|再)*(?:问|通知|告诉|转告|提醒|催|跟|让|叫)|(?:please |can you |could you )*(?:ask|tell|remind|check with|find out)\b"
)


_ASKED = lazy(r"问(?:一?[下声]|问)|\bask\b|\bfind out\b")


def _named(found: Reach) -> list[str]:
    return [i for m in found.masked.found for i in m.ids]


def _shown(own: str, found: Reach, now: datetime) -> Intent | None:
    """What is to be shown or told to the sender at a time: where things stand is looked up then, words are kept."""
    hit = SHOW_ME.search(found.masked.folded)
    if hit is None or HYPOTHESIS.search(own) or _TELLS_OF.search(found.masked.folded[: hit.start()]):
        return None
    timing = timing_of(found.masked.raw, now, hit.start(), hit.end())
    if timing is None or timing.when is None:
        return None
    if ABOUT_STATE.search(own) and not timing.is_event:
        return Intent.SCHEDULE
    if not TELL_ME.search(own):
        return None
    # Nothing is to be told but that it has happened, and it is nobody's doing who is known here: looked out for.
    rest = squeezed(_TELLS.sub(" ", without(found.masked.folded, timing.spans)))
    return Intent.EXPECT if timing.is_event and not rest and not found.masked.found else Intent.REMIND


# "李四告诉我他明天请假": somebody else did.
_TELLS = any_of(
    r"""
    (?:跟|和)我(?:说|讲)|告诉我|通知我|一?[声下]|就|马上|立刻|第一时间|赶紧|请|你|记得|帮我|了|吧
    \b(?:please|tell me|let me know|text me|message me|alert me|at once|right away|immediately)\b
    """
)
_TELLS_OF = lazy(rf"(?<!等)(?<!等到){PERSON}(?!那边)[^,，。.就再]{{0,8}}(?<![了完后])$")
# "盯一下张三，让他今天提测": a deed, now; a standing look-out says what must not be missing.
_SEE_TO_IT = lazy(
    rf"(?:让|叫|请|派|安排|要){PERSON}(?:那边)?(?:去|帮我|帮忙|来|过去|先|也)*(?:盯|看着|看住|留意|留心|守着)"
    rf"|(?:盯|跟)(?:一?下|着|紧|住)?\s*{PERSON}[^,。]{{0,3}}[,\s]*(?:让|叫|要)[他她](?!.{{0,20}}(?:没|不)[^,。]{{0,6}}就)"
)
_DID_THEY = lazy(
    rf"{PERSON}(?:那边)?[^,。]{{0,8}}了(?:没|没有|吗)[?]?$|(?:did|has) {PERSON} [^,.]{{0,40}}[?]?$|have {PERSON}(?:,? (?:and )?{PERSON})+ [^,.]{{0,40}}[?]?$"
)

# With nothing open it may be closed by now; what is no deed is small talk ("has Ben always been like that?").
_DONE_YET = lazy(
    rf"{PERSON}(?:那边)?的?[^,。?？]{{0,8}}(?:交|发|给|寄|签|做|写|改|完|弄|办|回|到|提测|上线|修|查|搞|送|订|付|报)(?:好|完|过|出来|掉)?了(?:没|没有|吗)[?？]?$"
    rf"|(?:did|has) {PERSON} (?:already |finally )?(?:sen[dt]|finish(?:ed)?|deliver(?:ed)?|signed?|submit(?:ted)?|paid|pay|fix(?:ed)?|done|got|get|ship(?:ped)?|hand(?:ed)?|turn(?:ed)?|complete[d]?|upload(?:ed)?|file[d]?)\b[^,.]{{0,40}}[?]?$"
)


def _how_to(own: str) -> bool:
    return bool(
        re.search(
            r"怎么(?:弄|设|用)|能设成|是不是可以|\bhow do\b|\bcan you (?:even|actually)|^(?:can|could|do) you\b.*\b(?:people|others|anyone|someone)\b.*[?]|^你(?:能|会|可以)[^,。]*(?:别人|其他人|他人)",
            own,
        )
    )


# "I asked Tom", "今天问了张三三次", "Tom asked me to call him", "I'll tell Omar myself": what has been, what others do, what
# the sender does or would do themselves.
_VERBS_EN = r"(?:remind|ask|tell|told|call|chase|text|email|talk|speak|ping)(?:ed|d)?"
_RECOUNTED = lazy(
    rf"(?:问|催|找|联系|通知|告诉|叫|约|提醒)(?:了|过)(?:一下|一声)?{PERSON}(?!没|了没|吗)"
    rf"|我(?:已经)?(?:跟|和|问|找){PERSON}(?:说|讲|聊|谈|约|商量)?(?:好|过|完|妥)了?"
    rf"|我(?:已经|刚|昨天|早就|都|今天)*(?:让|叫|请|派|安排|通知|告诉|问|找|催){PERSON}[^,，。?]{{0,12}}(?:了|过)$"
    rf"|我(?:会|来|去|自己|亲自|等下|待会儿?|回头|一会儿?|晚点|明天|再|先)+(?:问|告诉|通知|找|联系|跟|催|提醒)(?:一?[下声])?{PERSON}"
    rf"|我(?:本来)?(?:想|打算|准备|正想)[^。]{{0,24}}(?:但|可是|不过|又不|又怕|算了)"
    rf"|^{PERSON}(?:刚|刚才|昨天|今天|已经|也|都|又|总是?|老)*(?:问|通知|告诉|提醒|催|找|叫|约)(?!一?[下声]|问)(?:了|过)?(?:我|咱|大家|所有人|{PERSON})"
    rf"|^(?:i|we|he|she|they)(?:'ve| have|'d|'ll| will|'m going to| can| could| should| might| would)? (?:already |just |always |usually |only |rather )?{_VERBS_EN} (?:to |with )?(?!him to|her to|you\b)"
    rf"|^{PERSON} (?:has |had |just )?(?:asked|told|reminded|wants?|wanted|needs?|called|texted) (?:me|us)\b"
)
_ORDER_TOO = any_of(
    r"""
    帮我|替我|麻烦|你(?:去|再|帮)?(?:问|催|跟|找|提醒|告诉)|再(?:去)?(?:问|催)|提醒我
    [,.;!?] *(?:so |then |please |can you |could you |and )*(?:ask|tell|chase|remind|check|find out|let|call|text)\b
    """
)


def _is_recounted(own: str, found: Reach) -> bool:
    """The message tells of contacts that were made, and orders none."""
    return bool(_RECOUNTED.search(found.masked.folded) and not _ORDER_TOO.search(own) and not own.endswith("?"))


def _asks(own: str, found: Reach) -> bool:
    """A plain order to ask somebody, whose question may look like one about where things stand."""
    if found.spans and not found.weak and not _REPORTED.search(own):
        before, behind = found.masked.folded[: found.spans[0][0]], found.masked.folded[found.spans[0][1] :]
        if _ASK_VERB.search(before) and not re.match(r"的(?:那|这|事)", behind):
            return True
    return bool(
        found.anybody
        and re.search(
            (
                r"(?:帮我|替我|麻烦|去|你)(?:再)?(?:问|催|跟|找|联系)|^(?:再)?(?:问|催|找|联系)|问(?:问|一?下|一?声|"
                r"他|她)|再(?:去|帮我)?(?:催|问)(?:一?[下次]|他|她)|打个?电话|\bask\b|\bcheck with\b|\bfind out\b|\bchase\b"
            ),
            own,
        )
        and not _REPORTED.search(own)
    )


# "你问小孙了没", "did you ask Aoife already": whether it was done.
_ALREADY = lazy(
    rf"(?:问|催|找|联系|通知|告诉)(?:过)?(?:一?[下声])?{PERSON}了?(?:没有?|吗)[?？]?$|\b(?:did|have) you (?:already |ever )?(?:ask|tell|call|chase|remind|text|email|ping|contact|reach|told)(?:ed)? {PERSON}(?: already| yet)?\W*$"
)
_REPORTED = lazy(r"问了没|问到|问得|asked|ever get round")
_ASK_VERB = lazy(r"(?<!到)(?<!没)(?:催|追|问|让|叫|请|要求|提醒)(?:一?[下声次遍]|问|催)?$")
_TOLD = lazy(
    rf"\b(?:tell|inform|let|remind|text|message) {PERSON}(?: know)?,? (?:that )?(?:that|i|we|the|he|she|it|there|my|our|they|this|his|her|their)\b"
    rf"|\b(?:tell|inform) {PERSON},? (?!(?:to|about|at|on|by|in|of|next|this|tomorrow|tonight|today|every|each|when|once|if|after|before|whether|how|what)\b)[a-z][^,.;]*?\b(?:is|are|was|were|will|has|have|starts?|begins?|ends?|opens?|closes?|leaves?|arrives?|lands?|comes?|moves?|moved|can|can't|won't)\b"
)


def errand_time(found: Reach, now: datetime, end_of_work: str = "18:00") -> Timing | None:
    """When those who are reached are to be reached, where the words say so; None: now."""
    if not found.spans:
        return None
    start, end = found.spans[0]
    if found.order is not None:  # "半小时后要是张三还没回，再催他一次"
        start, end = found.order
    # "tell Tom I won't be in tomorrow": the day is in the message.
    told = bool(_TOLD.search(found.masked.folded))
    return timing_of(found.masked.raw, now, start, end, end_of_work=end_of_work, mine=False, told=told)


def _contact(own: str, now: datetime, found: Reach) -> Intent:
    """Somebody is contacted: now, at a time, again and again, or once something has happened?"""
    timing = errand_time(found, now)
    if timing is None or EN_TIME_WITH.search(found.masked.folded):  # the time is that of the meeting
        return Intent.DELEGATE
    if REMIND_OTHER.search(own):
        return Intent.REMIND
    return Intent.DELEGATE if timing.limit else Intent.SCHEDULE
