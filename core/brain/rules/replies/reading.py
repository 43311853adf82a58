"""One delegate's words, read against the goal: attitude, promise, and whether their part of the goal is there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.brain.rules.replies import reply
from core.brain.rules.replies.afterwords import as_one
from core.brain.rules.replies.away import beside, says_only_back
from core.brain.rules.replies.by_when import its_deadline, promise, time_asked_for, told_absence
from core.brain.rules.replies.evidence import names_another_day, satisfied
from core.brain.rules.replies.parts import parts_of, without_times
from core.brain.rules.replies.pointing import pointed_to
from core.brain.rules.replies.put_off import WILL_TELL, gives_no_answer, is_hearsay
from core.brain.rules.replies.scene import Reading, Scene
from core.brain.rules.replies.told_time import TELLS_LATER, tells_of_another
from core.brain.rules.words.goal import Want, is_manifold
from core.brain.rules.words.signs import CONDITION, HEDGE, IGNORANT, NO, OPEN_END, YES, is_done, is_no, is_yes_alone
from core.brain.rules.words.text import CJK, any_of, clauses, fold, made_of, shared, squeezed
from core.patterns import lazy
from core.timetalk import has_definite_time, is_vague, parse


def read(new: Sequence[str], scene: Scene) -> Reading:
    """All new messages together; what comes later corrects what came before."""
    answer = as_one([n.strip() for n in new if n.strip()], scene.now)
    text, commanded = reply.without_commands("\n".join(answer.words))
    if not text.strip():
        return Reading("unrelated" if commanded else "silent", commanded=commanded)
    confirms = Want.CONFIRM in scene.wants and satisfied(Want.CONFIRM, text, scene.now, scene.about)
    if reply.is_small_talk(text) and not confirms:
        return Reading("unrelated", commanded=commanded, words=text)
    if says_only_back(text) and not _WHEREABOUTS.search(fold(scene.about)):
        return Reading("unrelated", commanded=commanded, words=text)
    first = _verdict(text, scene)
    if answer.open and first.attitude in ("answered", "commitment"):
        first = Reading("vague")
    return replace(
        first,
        promised=promise(text, first, scene),
        names_other=pointed_to(text, scene.names) if first.attitude == "refused" else None,
        questions=tuple(reply.questions_in(text)),
        for_owner=bool(reply.NEEDS_BOSS.search(fold(text))),
        commanded=commanded,
        words=text,
    )


def missing(text: str, scene: Scene) -> frozenset[Want]:
    """The wants that these words do not satisfy."""
    return frozenset(w for w in scene.wants if not satisfied(w, text, scene.now, scene.about))


def _verdict(text: str, scene: Scene) -> Reading:
    own = fold(text)
    if _is_away(text, own, scene):
        return Reading("away")
    if reply.PROPOSAL.search(own) or _moves_it(text, scene):
        return Reading("question", proposal=True)
    if Want.INFO in scene.wants and _ALL_THE_SAME.fullmatch(squeezed(own)) and _PREFERS.search(fold(scene.about)):
        return Reading("answered", met=True)
    if scene.is_choice and reply.hands_back(text):
        return Reading("question")
    lacking = missing(text, scene)
    open_end = is_manifold(scene.goal) and (bool(OPEN_END.search(own)) or _partly(text, scene))
    open_end = open_end or _in_the_dark(text, scene)
    if not lacking and not open_end and not _redirects(own, scene):
        return Reading("commitment" if _only_promised(own, scene) else "answered", met=True)
    if not lacking and open_end:
        return Reading("answered")
    return _not_met(text, own, lacking, scene)


# Asked what they would like, who has no wish has answered.
_PREFERS = lazy(
    r"想(?!请问|了解|约)|喜欢|倾向|爱|希望|偏好|吃什么|喝什么|去哪|\b(?:would .{1,20} like|prefer\w*|favou?rite|want to|fancy)\b"
)
_ALL_THE_SAME = lazy(
    r"(?:我|我们|这边|的话)*(?:都(?:行|可以|好|成|ok)|随便|无所谓|没(?:有)?(?:意见|要求|偏好)|听(?:大家|你们?|老板|他们)的?|你们定)(?:吧|的|啊|呀|了|就行|就好|都行)*"
    r"|(?:i)?(?:havenopreference|nopreference|don'?tmind|(?:anything|either|whatever)(?:isfine|works|goes)?)(?:forme|withme|byme)?"
)


def _moves_it(text: str, scene: Scene) -> bool:
    """They are wanted on one day and are free on another."""
    return (
        Want.YESNO in scene.wants
        and bool(_FREE_THEN.search(fold(text)))
        and bool(parse(scene.about, scene.now))
        and names_another_day(text, scene.about, scene.now)
    )


_FREE_THEN = lazy(r"(?<![不没])(?:可以|行|有空|方便)(?:的|吧|啊|哈)?\W*$|\b(?:works|is fine|i'?m free)\b")


def _in_the_dark(text: str, scene: Scene) -> bool:
    """Of something that was asked they say beside the answer that they do not know it: `freight i don't know yet`."""
    parts = parts_of(text)
    return len(parts) > 1 and any(_UNKNOWN.search(p.own) and shared(p.own, scene.about) for p in parts)


_UNKNOWN = lazy(
    r"不(?:太|是很)?(?:知道|清楚|确定|晓得)|(?:还没|没有?|未)(?:定|出来|消息|结果)|\b(?:don'?t|do not) know\b|\bnot (?:sure|known|decided|clear)\b|\bno idea\b|\bunknown\b"
)


def _partly(text: str, scene: Scene) -> bool:
    """Of several things that are to be handed over one is there, and of another it is said that it is not."""
    if not scene.wants <= {Want.THING, Want.DEED}:
        return False
    parts = parts_of(text)
    return len(parts) > 1 and any(shared(p.own, scene.about) and not is_done(p.own) for p in parts)


def _is_away(text: str, own: str, scene: Scene) -> bool:
    """They tell that they are away; what was asked for is not said beside it, and it is no answer itself."""
    if is_done(own) or (Want.INFO in scene.wants and _WHEREABOUTS.search(fold(scene.about))):
        return False
    gone, rest = told_absence(text, scene), beside(text, scene.now, scene.names)
    if Want.INFO in scene.wants:
        # Whatever else is wanted, that they are away alone tells nothing of it.
        return gone is not None and not rest
    if gone is not None:
        kept = bool(rest) and _will(rest, fold(rest), True, scene)
        return not rest or (bool(missing(rest, scene)) and not kept)
    away = reply.AWAY.search(own)
    return away is not None and not _answers_before(text, away.start(), scene)


# Asked where somebody is or what they are up to, that they are away is the answer.
_WHEREABOUTS = any_of(
    r"""
    在哪|在不在|回来|回到|回公司|返|在吗|去哪|到岗|上班|休假|请假|放假|安排|打算|计划|行程|档期|有空|为什么|为啥|怎么(?:没|不)|原因|谁|人呢
    \b(?:where|who|why|plans?|schedule|available|free|away|off|holiday|vacation|leave|back|return\w*)\b
    """
)


def _answers_before(text: str, position: int, scene: Scene) -> bool:
    """A yes or no was wanted and stands before the reason: "来不了，那天我请假"."""
    return scene.wants == {Want.YESNO} and bool(text[:position].strip()) and not missing(text[:position], scene)


def _only_promised(own: str, scene: Scene) -> bool:
    """A confirmation that is the promise of a deed."""
    if Want.CONFIRM in scene.wants and re.search(r"能|可以|\b(?:can|could|will) you", fold(scene.asked)):
        return True
    return bool(
        scene.wants <= {Want.CONFIRM, Want.CONSENT}
        and re.search(r"保证|一定|我.{0,8}就|没问题.+|\bwill do\b|\bi'?ll\b|\bconsider it done|\bpromise", own)
    )


def _redirects(own: str, scene: Scene) -> bool:
    """Sent to somebody else. Where it was asked who, "it is Wei's now" is the answer, "ask Wei" is not."""
    if reply.REDIRECTED.search(own):
        return True
    return bool(reply.DISOWNED.search(own)) and not re.search(r"谁|负责人|\bwho\b", fold(scene.about))


def _not_met(text: str, own: str, lacking: frozenset[Want], scene: Scene) -> Reading:
    asked_to_act = bool(scene.wants & {Want.THING, Want.DEED, Want.CONSENT, Want.CONFIRM})
    complains = _complains(own)
    promises = _will(text, own, asked_to_act, scene) or _will_tell(text, scene)
    asks = reply.questions_in(text)
    if is_manifold(scene.goal) and any(missing(c, scene) < scene.wants for c in clauses(text)):
        return Reading("answered")
    cannot = asked_to_act and any(verb in fold(scene.about) for verb in re.findall(r"([一-龥])不了", own))
    if _redirects(own, scene) or cannot or (_refuses(own, asked_to_act) and not promises):
        return Reading("refused")
    if promises and (not asks or has_definite_time(text, scene.now)) and not complains:
        return Reading("commitment")
    if asks and not complains:
        return Reading("question")
    if complains:
        return Reading("resistant")
    if Want.DEED in scene.wants and (is_yes_alone(squeezed(own)) or _takes_on(own)):
        # Who says yes to a deed takes it on; it is met when it is done.
        return Reading("commitment")
    if (
        CONDITION.search(own)
        and not HEDGE.search(own)
        and (
            has_definite_time(text, scene.now)
            or YES.search(own)
            or any(c.isdigit() for c in own)
            or scene.wants & {Want.YESNO, Want.CONSENT}
        )
    ):
        return Reading("answered", conditional=True)
    return _unclear(text, own, asked_to_act, scene)


def _complains(own: str) -> bool:
    """What they make a condition of is no complaint: "周四吧，除非又改需求"."""
    return bool(reply.RESISTANT.search(_SUPPOSED.sub(" ", own)))


_SUPPOSED = lazy(r"(?:除非|如果|要是|万一|\b(?:unless|if)\b)[^,。;!?]*")


# To be asked for words and to keep them to oneself is a refusal too.
_WONT_SAY = re.compile(
    r"^(?:就|我们?|偏|,)*不(?:给|交|发|想?说|想?告诉)(?:你们?)?(?:了)?$|(?:不能|不方便|不便|不可以|没法)(?:外传|透露|说|讲|告诉)|保密|涉密|\bnot giving (?:that|it|this)\b|\bconfidential\b"
    r"|\b(?:can'?t|won'?t|not allowed to) (?:share|disclose|tell you|give (?:that|it|this) out)\b"
)


def _refuses(own: str, asked_to_act: bool) -> bool:
    """A refusal in so many words, or a plain no to a request."""
    if _WONT_SAY.search(own):
        return True
    if not asked_to_act:
        return False
    return bool(reply.REFUSED.search(own)) or bool(
        clauses(own)
        and NO.search(clauses(own)[0])
        and not re.search(r"还没|没(?:写|做|弄|发|好|完|看|听)|yet|不(?:太|多)", own)
    )


def _unclear(text: str, own: str, asked_to_act: bool, scene: Scene) -> Reading:
    """Neither an answer nor a no: put off, or about something else?"""
    if asked_to_act and is_yes_alone(own) and (time_asked_for(scene) or its_deadline(scene)) is not None:
        return Reading("commitment")
    if Want.TIME in scene.wants and _IS_FIXED.fullmatch(squeezed(own)):
        return Reading("answered")  # that it stands tells no time: asked back
    if (
        reply.VAGUE.search(own)
        or HEDGE.search(own)
        or IGNORANT.search(own)
        or is_vague(text, scene.now)
        or is_yes_alone(own)
    ):
        return Reading("vague")
    times = [t for t in parse(text, scene.now) if t.grain in _FINE and t.text not in ("今天", "today")]
    fits = is_brief(text) and not all(tells_of_another(p, scene.now, scene.about) for p in parts_of(text))
    if Want.TIME in scene.wants and times and (shared(text, scene.about) or fits):
        return Reading("answered")
    if is_no(own) or YES.search(own):
        return Reading("answered" if not asked_to_act and Want.TIME not in scene.wants else "vague")
    if any(gives_no_answer(c) or (is_hearsay(c) and is_brief(text)) for c in map(fold, clauses(text))):
        return Reading("vague")
    brief = len(squeezed(own)) <= 6 if CJK.search(own) else len(own.split()) <= 4
    return Reading("vague" if brief or shared(text, scene.about) else "unrelated")


_IS_FIXED = lazy(
    r"(?:嗯|对|是的|已经?|都|早就?)*(?:定|订|敲定|确定|定好|定下来|安排好|排好|有)了(?:呀|啊|的|哈)?|(?:yes|yep)?(?:its|itis|been|all)?(?:set|fixed|decided|scheduled|confirmed)"
)


def _takes_on(own: str) -> bool:
    """Begins with a yes and takes nothing of it back."""
    first = clauses(own)[:1]
    return bool(first and YES.search(first[0])) and not (is_no(own) or CONDITION.search(own) or HEDGE.search(own))


def is_brief(text: str) -> bool:
    """A few words."""
    return len(squeezed(text)) <= 16 if CJK.search(text) else len(text.split()) <= 12


_FINE = ("minute", "part", "day")


def _will_tell(text: str, scene: Scene) -> bool:
    """Promises an answer by a definite time: "等我确认一下，周五上午答复你"."""
    return any(
        (TELLS_LATER.search(fold(c)) or WILL_TELL.search(fold(c))) and has_definite_time(c, scene.now)
        for c in clauses(text)
    )


def _will(text: str, own: str, asked_to_act: bool, scene: Scene) -> bool:
    """Promises the thing or the deed: in so many words, or by a time with a verb of giving, or by a bare time."""
    if re.search(r"争取|尽量|尽快|hopefully|maybe|try to|asap", own):
        return False
    definite = has_definite_time(text, scene.now)
    promise = any(reply.promises(p.own) for p in parts_of(text))
    gives = bool(reply.GIVES.search(own))
    if not asked_to_act:
        return promise and definite and gives and Want.TIME not in scene.wants
    if promise and (definite or reply.has_later(own)):
        return True
    if any(has_definite_time(c, scene.now) and _does_it(c, scene) for c in clauses(text)):
        return True
    told = [_BY_OTHERS.sub("", c) for c in clauses(text)]
    bare = any(has_definite_time(c, scene.now) and _is_bare(without_times(c, scene.now)) for c in told)
    return definite and (gives or bare or bool(re.search(r"改|推|最晚|之?前|\bby\b|before", own)))


def _does_it(clause: str, scene: Scene) -> bool:
    """`明天订` to whom the booking was put: the time with the very verb."""
    rest = re.sub(r"^(?:我们?|就|再|去|来|会|能|可以|给你|先)+", "", squeezed(without_times(clause, scene.now)))
    return bool(re.fullmatch(r"[一-龥](?:好|完|掉)?(?:吧|的|啊|哈)?", rest)) and rest[0] in fold(scene.about)


# By when somebody else lets them have it: `法务说下周二`.
_BY_OTHERS = lazy(
    r"^[^,，。我你]{1,8}?(?:(?:那边|这边)(?:说|讲|答应|通知|回复)?|(?:说|讲|答应|通知|回复)(?:了|是)?)[,，]?"
)
_FILLERS = any_of(
    r"""
    可以|应该|左右|之前|以前|最晚|前后|那就|就是|给你|没问题|老板|好的?|行|前|出|回|吧|就|能|会|的|了|嗯|那|啊|呀|哈|我|你|给|这|是|对|到|改|推
    """
)


def _is_bare(rest: str) -> bool:
    """Nothing of weight stands beside the time."""
    plain = squeezed(rest)
    return not plain or (made_of(plain, _FILLERS) if CJK.search(plain) else len(plain) <= 6)
