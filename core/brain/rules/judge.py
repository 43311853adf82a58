"""What does a message mean? By the sender's role first: what a delegate writes can never start or stop anything."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.brain.questions import ConcernBrief, Judge, Judgement, WaitingPoint
from core.brain.rules.owner.apart import beside_an_order, by_matter
from core.brain.rules.owner.asked import Reach
from core.brain.rules.owner.intent import Intent, intent_of
from core.brain.rules.owner.wishes import CANCEL, LEAN, OPINION, STATUS, TRANSFORM
from core.brain.rules.replies import judge_delegate
from core.brain.rules.signals.lifting import signals_of, tells_own_deed, tells_trouble
from core.brain.rules.waiting.pending import reading_of_pending
from core.brain.rules.words.names import masked
from core.brain.rules.words.signs import is_yes_alone
from core.brain.rules.words.targets import (
    ALL_OF_THEM,
    cancel_targets,
    concerns_meant,
    is_somebody_elses,
    open_to_change,
)
from core.brain.rules.words.text import any_of, fold, grams, is_empty, made_of, shared, squeezed, without_quotes
from core.patterns import lazy
from core.timetalk import parse


def judge(q: Judge) -> Judgement:
    """The judgement of one message, with the signals in its words: they never change what it is taken for."""
    judgement = judge_delegate.judge(q) if q.role == "delegate" else _judge(q)
    if judgement.decision not in _TELLING:
        return judgement
    return judgement.model_copy(update={"signals": signals_of(q.text, q.now)})


_TELLING = ("converse", "raise", "relay", "supplement")
"""Judgements of words that tell something; a yes, a no, a choice or a courtesy tells nothing beside."""


def _judge(q: Judge) -> Judgement:
    reading = next(
        (r for p in reversed(q.pending) if (r := reading_of_pending(q.text, p.summary, q.now, q.contacts))), None
    )
    if reading is not None:
        return Judgement(
            decision=reading, targets=_block(q), reason=f"answers what waits for a confirmation: {reading}"
        )
    people = tuple({p.person_id: p for p in (*q.contacts, *(x for c in q.concerns for x in c.people))}.values())
    if beside_an_order(q.text, q.now, q.concerns, q.contacts):
        return Judgement(decision="raise", reason="calls off or changes something, and asks for something else")
    intent, found = intent_of(q.text, q.now, people, q.concerns)
    if q.waiting and _decides(q, intent, found):
        return _decision(q)
    if intent is Intent.CANCEL:
        return _cancel(q)
    if tells_own_deed(q.text, q.now) or (intent in (Intent.DELEGATE, Intent.AMEND) and tells_trouble(q.text)):
        return Judgement(decision="converse", reason="tells what they do, or what may go wrong: nothing is ordered")
    if intent is Intent.AMEND:
        return _supplement(q)
    if _ORDER_TO_THEM.search(fold(without_quotes(q.text))) and not found.anybody and _meant(q):
        return _supplement(q)
    if intent is Intent.CHAT:
        return _chat(q)
    return Judgement(decision="raise", reason=f"asks for something to be done: {intent}")


# "让他周三前给": somebody of an open matter is told something.
_ORDER_TO_THEM = lazy(
    r"(?:让|叫|跟|告诉|提醒|催|问)(?:一下)?(?:他|她)们?(?!们?怎么样)|\b(?:tell|ask|remind) (?:him|her|them)\b"
)


def _meant(q: Judge) -> tuple[str, ...]:
    return concerns_meant(q.text, q.concerns, q.quoted)


def _block(q: Judge) -> tuple[str, ...]:
    """The pending action that is meant: the one that shares most words with the text or the quote, else the newest."""
    best = max(q.pending, key=lambda p: shared(f"{q.text} {q.quoted or ''}", p.summary))
    if shared(f"{q.text} {q.quoted or ''}", best.summary):
        return (best.block_id,)
    return (q.pending[-1].block_id,)


_DECIDES = any_of(
    r"""
    同意|接受|可以|批准|准了|通过|不行|不可以|不同意|不接受|不批|驳回|就(?:按|用|选|这|那|定|要|他|她|它)|顺眼|好看
    更好|按(?:他|她|你|这|那|原|照)|选|用(?!不)|要(?!不要|是)|换|定(?:在|了|为)?|行(?:吧|啊|的)?|好(?:的|吧)?|没问题
    随便|都行|听(?:他|她)|让(?:他|她)|等|不用|别
    \b(?:yes|yep|yeah|no|ok(?:ay)?|sure|fine|accept|agree[d]?|approve[d]?|reject|go (?:with|ahead|for)|take|choose|pick|let'?s|we'?ll|i'?ll|the (?:first|second|third|former|latter|cheaper|other)|do it|wait|repair|replace|works for me)\b
    """
)
_ASKS = lazy(r"[?？]\s*$|(?:吗|呢|么)[?？]?\s*$")


def _decides(q: Judge, intent: Intent, found: Reach) -> bool:
    """Answers a point that waits: not a question, not a new order, not a cancel; in words of deciding or of the point."""
    own = fold(without_quotes(q.text))
    if _ASKS.search(own) or OPINION.search(own) or (intent is Intent.STATUS and STATUS.search(own)):
        return False
    of_the_point = any(shared(own, f"{w.title} {w.question}") for w in q.waiting)
    if made_of(squeezed(own), _COURTESY) or (_SMALL_TALK.search(own) and not of_the_point and not q.quoted):
        return False
    if _points_to(q, own):
        return True
    asked = set(found.ids)
    concerned = {p.person_id for c in _waiting_concerns(q) for p in c.people}
    if intent in (Intent.REMIND, Intent.SCHEDULE) or re.search(r"帮我问|麻烦问|^问|\bask\b", own):
        return False
    if found.unknown or (asked and not asked <= concerned):
        return False
    related = of_the_point or any(_both_say_when(q, w) for w in q.waiting)
    if intent is Intent.CANCEL and re.search(
        r"不用(?:再)?(?:问|催|找)|别(?:再)?(?:问|催)|取消|forget|never ?mind|stop|cancel", own
    ):
        return False
    brief = len(own) <= 8 or (own.isascii() and len(own.split()) <= 4)
    return bool(_DECIDES.search(own)) or related or brief or bool(q.quoted)


# Thanks and a bare receipt decide nothing.
_COURTESY = any_of(
    r"""
    谢谢|多谢|感谢|辛苦|收到|知道|明白|了解|嗯|哦|噢|哈|的|了|啊|你|thankyou|thanks?|thx|cheers|gotit|noted|isee
    """
)
# Of the day, of oneself: no word on any point.
_SMALL_TALK = any_of(
    r"""
    天气|下雨|刮风|台风|哈哈|愉快|节日快乐|[早晚]上好|[早晚午]安|吃(?:了|过)(?:没|吗)|堵车|堵(?:死|得)
    ^(?:今天|今儿|今晚|昨天|昨晚|外面|这天|这两天)?(?:可?真|好|太|挺|有点|这么|特别|超级?)?(?:热|冷|凉快|暖和|闷|潮|累|困|饿|忙|无聊|开心)(?:死|得|的(?![那这一])|了|啊|呀|哦|$)
    ^(?:今天|外面)[^,，。]{0,4}(?:风|雨|雪|太阳|雾)|^我(?:人)?(?:刚|在(?!想|看|意|考虑|乎)|到了|有点|头|胃|感冒|迷路|先(?:睡|吃|走|忙|开会))|^刚(?:吃|到|下|开|睡|起|回|出)
    \bweather\b|\brain(?:ing|y|s)?\b|\bsnow(?:ing|y|s)?\b|\bwindy\b|\bhow are you\b|\bgood (?:morning|night|evening|afternoon)\b|\blol\b|\bhaha
    \bi'?m (?:so |very |a bit |really )?(?:tired|hungry|bored|sick|late|stuck|home|here|in\b|at\b|on (?:my|the|a)\b)|^(?:i )?(?:have |'ve )?just (?:had|got|came|come|left|woke|landed|arrived|finished)\b|\bon my way\b
    ^(?:it'?s |what a |such a |quite |so |pretty |very )*(?:nice|lovely|cold|hot|warm|sunny|beautiful|grey|gray|chilly|freezing|humid)(?: \w+)? ?(?:today|outside|out there|day|morning|evening|here)\b
    """
)
_WHOM = lazy(
    r"^(?:那|就|好(?:的|吧)?|行(?:吧)?|嗯|,|\s)*(?:改|换|去|直接|你)?(?:去)?(?:问|找|换)(?:一?下|问)?(?!清楚|什么|谁)[一-龥a-z]{1,6}(?:吧|问问|好了)?\W*$"
    r"|^(?:ok,? |then |yes,? |please |just )*(?:ask|try) [a-z]+(?: instead| then)?\W*$"
)


def _points_to(q: Judge, own: str) -> bool:
    """Names whom to ask, where that is what waits to be decided."""
    asks_whom = any(
        re.search(r"换|改问|别人|要不要问|somebody else|instead|another person", fold(w.question)) for w in q.waiting
    )
    return asks_whom and bool(_WHOM.search(own))


def _both_say_when(q: Judge, point: WaitingPoint) -> bool:
    """A time answers a question that offers times."""
    return bool(parse(q.text, q.now)) and bool(parse(f"{point.title} {point.question}", q.now))


def _waiting_concerns(q: Judge) -> list[ConcernBrief]:
    waiting = {w.concern_id for w in q.waiting}
    return [c for c in q.concerns if c.concern_id in waiting]


def _decision(q: Judge) -> Judgement:
    if len(q.waiting) == 1:
        return Judgement(
            decision="decide", targets=(q.waiting[0].concern_id,), reason="answers the only point that waits"
        )
    scores = {w.concern_id: _score(q, w) for w in q.waiting}
    best = max(scores.values())
    winners = tuple(i for i, s in scores.items() if s == best)
    if best and len(winners) == 1:
        return Judgement(decision="decide", targets=winners, reason="shares its words with one point that waits")
    return Judgement(
        decision="decide", targets=tuple(scores), unclear=True, reason="several points wait and none is named"
    )


def _score(q: Judge, point: WaitingPoint) -> int:
    people = next((c.people for c in q.concerns if c.concern_id == point.concern_id), ())
    named = len(masked(q.text, people).found)
    quoted = 3 if q.quoted and shared(q.quoted, point.question) > 1 else 0
    return 2 * named + shared(q.text, f"{point.title} {point.question}") + quoted


def _cancel(q: Judge) -> Judgement:
    if not q.concerns:
        if LEAN.search(CANCEL.sub(" ", fold(without_quotes(q.text)))):
            return Judgement(
                decision="raise", reason="nothing is open to be cancelled, but there may be an order in it"
            )
        return Judgement(decision="converse", reason="nothing is open that could be cancelled")
    if is_somebody_elses(q.text, q.concerns, q.contacts, q.role):
        return Judgement(decision="converse", reason="what is to stop is somebody else's")
    targets, unclear = cancel_targets(q.text, q.concerns, q.quoted)
    if not targets:
        return Judgement(decision="converse", reason="nothing like that is open")
    return Judgement(decision="cancel", targets=targets, unclear=unclear, reason="calls something off")


def _supplement(q: Judge) -> Judgement:
    pool = open_to_change(q.text, q.concerns, q.contacts)
    targets = concerns_meant(q.text, pool, q.quoted) or _just_ordered(q, pool) or tuple(c.concern_id for c in pool)
    if len(q.concerns) > 1 and len(by_matter(q.text, q.now, q.concerns)) > 1:
        return Judgement(decision="raise", reason="changes several open matters, each in its own way")
    unclear = len(targets) > 1 and not ALL_OF_THEM.search(fold(q.text))
    return Judgement(
        decision="supplement", targets=targets, unclear=unclear, reason="adds to or corrects an open matter"
    )


def _just_ordered(q: Judge, pool: Sequence[ConcernBrief]) -> tuple[str, ...]:
    """The matter that their message right before this one ordered; empty where it was about something else."""
    before = next((line.text for line in reversed(q.recent) if not line.ours), "")
    found = [c.concern_id for c in pool if c.kind == "delegation" and squeezed(c.title) in squeezed(before)]
    return tuple(found) if len(found) == 1 else ()


_MORE = lazy(
    r"^(?:另外|还有|对了|补充|顺便|其实|哦对|ps|also|btw|by the way|and )|只要|记得(?:让|跟|说)|重点|别忘了?(?:问|"
    r"说|让)|注意"
)


def _chat(q: Judge) -> Judgement:
    """A remark about something open is told to it, where it clearly is one; else it is talk."""
    own = fold(without_quotes(q.text))
    if is_yes_alone(own) and not is_empty(own):
        return Judgement(decision="converse", reason="a mere yes, and nothing waits for one")
    targets = concerns_meant(q.text, q.concerns, q.quoted)
    if (
        len(targets) == 1
        and _MORE.search(own)
        and not _ASKS.search(own)
        and len(grams(own)) >= 2
        and not OPINION.search(own)
    ):
        return Judgement(decision="supplement", targets=targets, reason="adds to an open matter")
    if LEAN.search(own) and not TRANSFORM.search(own):
        return Judgement(decision="raise", reason="may ask for something to be done")
    return Judgement(decision="converse", reason="nothing is to be done")
