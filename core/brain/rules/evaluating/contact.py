"""People are reached, now or at a time: asked, told, asked again, or given more words on what is open with them."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from core.brain.questions import ConcernBrief, Evaluate, EvaluatorResult
from core.brain.rules.evaluating.doubts import doubts
from core.brain.rules.evaluating.goals import goal_for
from core.brain.rules.evaluating.outcome import local_now, one, planned, refused
from core.brain.rules.evaluating.telling import greeting, merely_told, wish_of, words_told
from core.brain.rules.owner.apart import beside_an_order
from core.brain.rules.owner.asked import Reach, reach
from core.brain.rules.owner.intent import errand_time
from core.brain.rules.owner.reaching import FALLBACK
from core.brain.rules.owner.titles import Topic, all_that_is_asked, is_handed, title_of
from core.brain.rules.owner.topic import topic_of, with_occasion
from core.brain.rules.times.timing import Timing
from core.brain.rules.times.when import clock_at, without
from core.brain.rules.words.goal import Want, wants
from core.brain.rules.words.names import PERSON, masked
from core.brain.rules.words.text import CJK, any_of, clauses, fold, grams, is_english, likeness, shared
from core.brain.rules.words.urgency import deadline_of, gone_deadline, priority_of
from core.patterns import lazy


def contact(q: Evaluate, found: Reach) -> EvaluatorResult:
    """People are reached now."""
    if (urged := _all_of_them(q)) is not None:
        return urged
    if not found.anybody:
        return _the_only_one(q) or refused("unclear", "it is not clear who is to be reached", "who")
    if instead := FALLBACK.search(found.masked.folded):
        return _the_first_alone(q, found, instead.span())
    topic = greeting(found) or topic_of(found)
    if (more := _on_what_is_open(q, found, topic)) is not None:
        return more
    if not topic.title or _MERE_YES.fullmatch(topic.text):
        return refused("unclear", "it is not clear what is to be asked", "what")
    return _send_or_raise(q, found, topic, later=False)


def _the_first_alone(q: Evaluate, found: Reach, instead: tuple[int, int]) -> EvaluatorResult:
    """`问张三，他不知道的话问李四`: the one is asked, after a yes, as nobody else will be asked by itself."""
    raw = found.masked.raw
    plain = found.masked.unmask(f"{raw[: instead[0]].rstrip(' ,，。;；')}{raw[instead[1] :]}")
    made = contact(q.model_copy(update={"tendency": plain, "text": plain}), reach(plain, q.contacts, q.sender_id))
    return made.model_copy(update={"need_confirm": True, "reason": "somebody is named in case the first cannot answer"})


def at_a_time(q: Evaluate, found: Reach, timing: Timing | None = None) -> EvaluatorResult:
    """People are reached at a time, again and again, or once something has happened: the matter without the time."""
    timing = timing or errand_time(found, local_now(q), q.end_of_work)
    if timing is None:
        return contact(q, found)
    plain = found.masked.unmask(without(_with_names(found), timing.spans))
    inner = reach(plain, q.contacts, q.sender_id)
    if not inner.anybody:
        return refused("unclear", "it is not clear who is to be reached", "who")
    timing = unmasked(timing, found)
    topic = topic_of(inner)
    if _MERE_YES.fullmatch(topic.text):  # `那就下周一，跟李四说一声`: the time is what they are to hear
        return _send_or_raise(q, found, topic_of(found), later=False)
    if not topic.title and timing.is_event and not _asked_again(q, inner, topic):
        topic = Topic(timing.condition, title_of(timing.condition))  # that it has happened is what they are to know
    if again := _asked_again(q, inner, topic):
        made = one("advance_concern", {"concern_ids": list(again)}, reason="asks again at a time")
    elif not topic.title:
        return refused("unclear", "it is not clear what is to be asked", "what")
    else:
        made = _send_or_raise(q.model_copy(update={"tendency": plain}), inner, topic, later=True)
    return planned(made, timing)


_MERE_YES = lazy(r"(?:那|就|好|行|可以|嗯|ok|okay|then|so|[,，。.\s])+", re.IGNORECASE)


def _with_names(found: Reach) -> str:
    """The masked text; where the order says "him" of people named before it, their names stand there instead."""
    raw = found.masked.raw
    if found.order is None or not found.spans:
        return raw
    end = found.order[1]
    start = end - len(hit.group()) if (hit := _PRONOUN.search(raw[:end])) else end
    gap = "" if CJK.search(raw[max(0, start - 1) : start]) else " "
    names = raw[found.spans[0][0] : found.spans[-1][1]] if _is_list(found) else raw[slice(*found.spans[0])]
    return f"{raw[:start].rstrip()}{gap}{names}{raw[end:]}"


_PRONOUN = lazy(r"(?:[他她]们?|ta|\b(?:him|her|them))$", re.IGNORECASE)


def _is_list(found: Reach) -> bool:
    return all(b[0] - a[1] <= 5 for a, b in zip(found.spans, found.spans[1:], strict=False))


def unmasked(timing: Timing, found: Reach) -> Timing:
    """With the names put back into a condition."""
    if not timing.is_event or timing.when is None:
        return timing
    return Timing(found.masked.unmask(timing.when), spans=timing.spans)


def _send_or_raise(q: Evaluate, found: Reach, topic: Topic, *, later: bool) -> EvaluatorResult:
    # A time that is counted from now means nothing at a later run.
    due = None if later else _due(q, topic) or _gone(q, topic)
    urgency = priority_of(q.tendency if later else _whole(q), due, q.now)
    doubt = doubts(q.tendency, topic, found)
    if due is None and urgency in ("medium", "low") and merely_told(found, topic):
        text = words_told(found, topic)
        return one("send_message", {"people": list(found.ids), "text": text, "title": title_of(text)}, **doubt)
    topic, verb = wish_of(found, topic)
    topic = with_occasion(topic, found)
    names = _everybody(q) if found.everyone else [p.name for i in found.ids for p in q.contacts if p.person_id == i]
    parameters: dict[str, Any] = {
        "title": topic.title,
        "goal": goal_for(all_that_is_asked(topic), names + found.unknown, "" if _is_thing(topic) else verb),
        "people": list(found.ids),
        "message": topic.text,
        "priority": urgency,
        "deadline": due.isoformat() if due is not None else None,
    }
    return one("raise_concern", parameters, **doubt)


def _is_thing(topic: Topic) -> bool:
    return CJK.search(topic.title) is not None and is_handed(topic)


def _due(q: Evaluate, topic: Topic) -> datetime | None:
    now, stop = local_now(q), clock_at(q.end_of_work)
    return deadline_of(q.tendency, topic.title, now, stop) or deadline_of(_whole(q), topic.title, now, stop)


def _whole(q: Evaluate) -> str:
    """What is said for all goals of a message: all of it, save where it also changes or calls off something open, and
    what is ordered of others in a clause of their own (`…，顺便让李四周五前把合同发我`).
    """
    if q.text == q.tendency:
        return q.text
    if beside_an_order(q.text, local_now(q), q.concerns, q.contacts):
        return q.tendency
    return "，".join(c for c in clauses(q.text) if c in q.tendency or not _is_of_others(c, q))


def _is_of_others(clause: str, q: Evaluate) -> bool:
    """An order whose time, if it has one, stands behind those who are to do it: before them it may be for all."""
    found = reach(clause, q.contacts, q.sender_id)
    if not found.spans:
        return False
    ahead = found.masked.unmask(found.masked.raw[: found.spans[0][0]])
    return deadline_of(ahead, "", local_now(q), clock_at(q.end_of_work)) is None


def _gone(q: Evaluate, topic: Topic) -> datetime | None:
    return gone_deadline(q.tendency, topic.title, local_now(q), clock_at(q.end_of_work))


def _everybody(q: Evaluate) -> list[str]:
    return ["each of them"] if is_english(q.tendency) else ["每个人"]


# --- what is open with them ---------------------------------------------------------------------------------------

_AGAIN = any_of(
    r"""
    催|追|再(?:去|帮我)?(?:问|跟|找|确认|联系)|问问(?:看|进度)?$|问(?:一下)?进[展度]|跟进
    \bagain\b|\bonce more\b|\bchase|\bnudge|\bpoke|\bping\b|\bfollow up|\bpush\b|\bprod\b|\bremind
    """
)
_HURRY = any_of(
    r"""
    不(?:着|用|太|是很)?急|慢慢来|没那么急|尽快|快一?点|抓紧|加急|赶紧|优先
    \bno (?:rush|hurry|stress)|\bnot urgent|\burgent|\bcan wait|\bhurry|\basap\b|\btake (?:his|her|their) time
    """
)


def _on_what_is_open(q: Evaluate, found: Reach, topic: Topic) -> EvaluatorResult | None:
    """Asked again, hurried, slowed down or told more about a matter in which they are asked already."""
    own = fold(q.tendency)
    running = _urged(q, found)
    again = _asked_again(q, found, topic)
    due = _due(q, topic) if again or not topic.title else None
    if due is not None and len(again or running) == 1:
        sooner = {"concern_ids": list(again or running), "words": for_them(q.tendency, q), "deadline": due.isoformat()}
        return one("update_concern", sooner, reason="asks for what is open by a time")
    if again:
        return one("advance_concern", {"concern_ids": list(again)}, reason="asks again what is open")
    if not topic.title and len(running) == 1:
        return refused("covered", f"already under way: {running[0]}")
    if not topic.title and (joined := _one_more(q, found)) is not None:
        return joined
    told = _told_about(q, found, topic)
    if told is None:
        return None
    if _HURRY.search(own) and len(grams(_HURRY.sub(" ", fold(topic.text))) - grams(told.title)) <= 2:
        return one(
            "update_concern",
            {"concern_ids": [told.concern_id], "words": q.tendency, "priority": changed_priority(own, q.now)},
            reason="says how urgent an open matter is",
        )
    return one(
        "advance_concern",
        {"concern_ids": [told.concern_id], "message": topic.text},
        reason="tells them more about what is open with them",
    )


def _asked_again(q: Evaluate, found: Reach, topic: Topic) -> tuple[str, ...]:
    """What is open with them and is to be asked again: nothing else is said, or the same."""
    running = _urged(q, found) if _AGAIN.search(fold(q.tendency)) else ()
    return running if running and (not topic.title or _same(q, running, topic.title)) else ()


def changed_priority(own: str, now: datetime) -> str | None:
    """The priority that words of hurry change to; None where they name none."""
    found = priority_of(own, None, now)
    if found != "medium":
        return found
    return (
        "high"
        if re.search(r"(?<![没不])(?:优先|急)|\b(?:a|top|high) priority\b|\bpriority to\b", own)
        and not re.search(r"不[着用]?急", own)
        else None
    )


def _asked_in(q: Evaluate, found: Reach) -> list[ConcernBrief]:
    """Open matters in which all who are named are asked."""
    named = set(found.ids)
    return [c for c in q.concerns if c.kind == "delegation" and named and named <= {p.person_id for p in c.people}]


_URGE_HIM = lazy(
    r"(?:再|去|帮我|赶紧)*(?:催|问|追|跟)(?:一?[下遍次]|催|问)*(?:他|她)们?(?:一?[下遍次声])?[吧。.!！]*|(?:再|去)(?:催|问)(?:一?[下遍次]|催|问)*[吧。.!！]*|(?:please )?(?:chase|ping|nudge|push|ask) (?:him|her|them)(?: again| once more)?[.!]*"
)


def _the_only_one(q: Evaluate) -> EvaluatorResult | None:
    """`催他`: asked again where only one matter is open."""
    asked = [c for c in q.concerns if c.kind == "delegation"]
    if len(asked) != 1 or not _URGE_HIM.fullmatch(fold(q.tendency).strip()):
        return None
    return one("advance_concern", {"concern_ids": [asked[0].concern_id]}, reason="asks again what is open")


_URGE_ALL = lazy(
    r"(?:请|麻烦|帮我|再|去|赶紧|把)*(?:[这那]?(?:两|三|四|几)[个件位]|他们|她们|大家|全部?)?(?:都|全都?)(?:再|去|给我)*(?:催|问|追|跟)(?:一?[下遍次声]|催|问)*[吧。.!！]*"
    r"|(?:请|麻烦|帮我|再|去|赶紧)*(?:催|追)(?:一?[下遍次声]|催)*(?:他们|她们|[这那]?(?:两|三|四|几)[个件位])(?:一?[下遍次声])?[吧。.!！]*"
    r"|(?:please )?(?:chase|ping|nudge|push) (?:both|all|everyone|them|all of them|both of them)(?: again| once more)?[.!]*"
)


def _all_of_them(q: Evaluate) -> EvaluatorResult | None:
    """`两个都催一下`: all that is asked of anybody is asked again, and nothing else of everybody."""
    asked = [c.concern_id for c in q.concerns if c.kind == "delegation"]
    if not asked or not _URGE_ALL.fullmatch(fold(q.tendency).strip()):
        return None
    return one("advance_concern", {"concern_ids": asked}, reason="asks again all that is open")


def _urged(q: Evaluate, found: Reach) -> tuple[str, ...]:
    return tuple(c.concern_id for c in _asked_in(q, found)) if not found.unknown and not found.ambiguous else ()


def _same(q: Evaluate, running: tuple[str, ...], title: str) -> bool:
    """What is asked again is what is open: it takes up its words, or has none but those of asking again."""
    rest = re.sub(rf"{_AGAIN.pattern}|{PERSON}|一?[下声次]|的|进[展度]|那个|那件|事|了", " ", fold(title))
    open_ones = [c for c in q.concerns if c.concern_id in running]
    if not grams(rest):
        return True
    asked = wants(title, title) & _SAID
    return any(
        likeness(rest, f"{c.title} {c.goal}") >= 0.6 and asked <= wants(c.goal, c.asked or c.title) for c in open_ones
    )


_SAID = frozenset({Want.TIME, Want.NUMBER, Want.YESNO})
"""What makes two questions about the same thing differ: 合同什么时候能签, 合同要签几份."""

_TO_THE_BOT = lazy(
    rf"^(?:(?:请|麻烦|帮我|替我|你|再|去|赶紧|快|就|那|[,，\s])*(?:催|问|找|追|跟|让|叫|告诉)(?:一?[下声]|问|催|着)*|把|[,，\s])*\s*"
    rf"{PERSON}(?:(?:、|和|跟)?{PERSON})*(?:那边|那件事?|那个|那儿)?(?:的事|的)?(?:说|讲)?[,，:：\s]*"
)


def for_them(words: str, q: Evaluate) -> str:
    """What is to be passed on of an order, without whom it goes to: 催一下张三，今天下班前要 → 今天下班前要."""
    own = masked(words, q.contacts)
    order = _TO_THE_BOT.match(own.raw)
    rest = own.unmask(own.raw[order.end() :]).strip() if order else ""
    return rest or words


def _one_more(q: Evaluate, found: Reach) -> EvaluatorResult | None:
    """`再问问王五`: the only open matter is put to one more person."""
    again = re.search(r"再|也|还|另外|顺[便带]|\b(?:also|too|as well|plus)\b|^and\b", fold(q.tendency))
    open_ones = [c for c in q.concerns if c.kind == "delegation"]
    if not again or len(open_ones) != 1 or not found.ids:
        return None
    return one(
        "update_concern",
        {"concern_ids": [open_ones[0].concern_id], "words": q.tendency, "add_people": list(found.ids)},
        reason="one more person for what is open",
    )


def _told_about(q: Evaluate, found: Reach, topic: Topic) -> ConcernBrief | None:
    """The matter that they are told more about: it is open with them, and the words take up its own."""
    if not found.ids or not topic.title or not merely_told(found, topic):
        return None
    about = [c for c in _asked_in(q, found) if shared(topic.text, c.title)]
    return about[0] if len(about) == 1 else None
