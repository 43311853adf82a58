"""What is open is looked at, changed or called off."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Literal

from core.brain.questions import ConcernBrief, Evaluate, EvaluatorResult
from core.brain.rules.evaluating.contact import changed_priority, contact, for_them
from core.brain.rules.evaluating.goals import goal_for
from core.brain.rules.evaluating.outcome import known_people, local_now, one, refused
from core.brain.rules.owner.asked import Reach, reach
from core.brain.rules.owner.reaching import RATHER, RATHER_EN
from core.brain.rules.owner.titles import title_of
from core.brain.rules.times.retiming import new_time, retimed
from core.brain.rules.times.when import clock_at, when_of
from core.brain.rules.waiting.picking import names_in
from core.brain.rules.words.names import PERSON, masked, unknown_name
from core.brain.rules.words.targets import cancel_targets, concerns_meant, is_somebody_elses, open_to_change
from core.brain.rules.words.text import any_of, clauses, fold, shared
from core.brain.rules.words.urgency import FOR_NOW, deadline_of
from core.patterns import lazy
from core.timetalk import Bearing

Detail = Literal["standing", "words", "waiting"]
_WORDS = any_of(
    r"""
    原话|怎么(?:说|回|答)的?(?!办)|(?:说|回|答)(?:了|的)?(?:什么|啥)|逐字|聊天记录
    \bexact(?:ly)?\b|\bword for word\b|\bverbatim\b|\bwhat (?:did|has) .{1,30} (?:say|said|answer|write|reply)|\b(?:his|her|their) (?:own |exact )?words\b
    """
)
_WAITING = any_of(
    r"""
    (?:还)?(?:差|缺|等)谁|谁(?:还)?(?:没|未)|(?:哪些|几个)人(?:还)?(?:没|未)|还有谁
    \bwho (?:hasn'?t|haven'?t|has not|have not|didn'?t|is still|still|are we waiting)|\bwho else\b|\bwaiting (?:for|on) (?:who|whom)\b|\bwho'?s missing\b
    """
)


def check(q: Evaluate, found: Reach) -> EvaluatorResult:
    """Where open matters stand: those with a person, those that are named, or all."""
    parameters: dict[str, Any] = {}
    named = [m for m in masked(q.tendency, known_people(q)).found if len(m.ids) == 1]
    if named:
        parameters["person"] = named[0].ids[0]
    if q.concerns and (meant := concerns_meant(q.tendency, q.concerns)) and len(meant) < len(q.concerns):
        parameters["concern_ids"] = list(meant)
    detail = _detail(fold(q.tendency))
    if detail != "standing":
        parameters["detail"] = detail
    return one("check_concerns", parameters, reason="asks where things stand")


def _detail(own: str) -> Detail:
    return "waiting" if _WAITING.search(own) else "words" if _WORDS.search(own) else "standing"


def cancel(q: Evaluate, found: Reach) -> EvaluatorResult:
    """What is named is called off."""
    if not q.concerns:
        return refused("no_action", "nothing is open that could be cancelled")
    if is_somebody_elses(q.tendency, q.concerns, q.contacts, q.role):
        return refused("no_action", "what is to stop is somebody else's")
    targets, unclear = cancel_targets(q.tendency, q.concerns)
    if not targets:
        return refused("no_action", "nothing like that is open")
    if unclear:
        return refused("unclear", "several matters are open and none is named", "which")
    return one("cancel_concern", {"concern_ids": list(targets)}, reason="calls something off")


# --- changes --------------------------------------------------------------------------------------------------------

_SWAP = any_of(
    rf"""
    ^(?:{RATHER})|^(?:{RATHER_EN})
    换|别(?:再)?(?:找|问|催)|不用(?:再)?(?:找|问|催)|改(?:成)?(?:问|找|由)|接(?:手|着|管)|去掉|踢掉|拿掉|不是|交给|转给
    \binstead\b|\bover to\b|\btakes? over\b|\bremove\b|\bleave .{{1,30}} out\b|\bnot\b|\bdon'?t\b|\brather than\b|\breplace\b|\bswitch\b|\bswap\b|\bdrop\b
    """
)
_ADD = any_of(
    r"""
    再?加(?:上|个|一个|入|进)|^(?:还有|再有)|^and\b|也(?:一起|一块|顺便)?(?:让|叫|请|跟|找)|(?:也|另外|顺[便带])(?:一起|一块|顺便)?问|带上|算上|一起问|一块儿?问
    \badd\b|\brope .{1,20} in\b|\binclude\b|\balso (?:ask|check with)\b|\bas well\b|\btoo\b|\bbring .{1,20} in\b|\bloop .{1,20} in\b
    """
)
_NEW_GOAL = lazy(
    r"(?:改(?:成|为)?|换成|变成)问(?:一?下)?(?P<zh>[^,，。]{2,40})|\b(?:change|switch) (?:it|the question|that) to (?P<en>(?!\w+day\b)[a-z][^.]{6,80})"
)


def update(q: Evaluate, found: Reach) -> EvaluatorResult:
    """Whatever of an open matter is changed by the words; the words themselves go with it."""
    pool = open_to_change(q.tendency, q.concerns, q.contacts)
    targets = concerns_meant(q.tendency, pool)
    if not targets and len(pool) > 1:
        return refused("unclear", "several matters are open and none is named", "which")
    chosen = [c for c in q.concerns if c.concern_id in targets]
    if len(chosen) > 1:
        return _of_all(q, chosen) or refused("unclear", "several matters are meant by these words", "which")
    if not chosen:
        return contact(q, found)
    concern = chosen[0]
    q = q.model_copy(update={"tendency": _about(q, concern)})
    if (told := _told_more(q, found, concern)) is not None:
        return told
    parameters: dict[str, Any] = {
        "concern_ids": [concern.concern_id],
        "words": for_them(q.tendency, q),
        "priority": changed_priority(fold(q.tendency), q.now),
        **_people(q, concern),
        **_goal(q, concern),
        **_times(q, concern),
    }
    strange = [n for n in found.unknown if _ADD.search(fold(q.tendency)) or _SWAP.search(fold(q.tendency))]
    strange += [n for n in _strangers(q) if n not in strange]
    changes = any(v is not None for k, v in parameters.items() if k not in ("concern_ids", "words"))
    if not (strange or changes) and _ONLY_ORDERS.fullmatch(masked(q.tendency, known_people(q)).folded.strip()):
        return refused("covered", f"already under way: {concern.concern_id}")
    return one(
        "update_concern",
        parameters,
        need_confirm=bool(strange),
        unknown_people=tuple(strange),
        reason="changes an open matter",
    )


# Whom to bring in or to ask instead: words for the bot alone, never passed on.
_ONLY_ORDERS = lazy(
    rf"(?:请|麻烦|帮我|那|就|再|也|还有|另外|顺[便带]|把|都|一起|一块|加(?:上|个|进来?)?|换(?:成|上)?|改(?:成|由)?|问|找|催|去掉|拿掉|算上|带上|一?[下声]|吧|了|{PERSON}"
    r"|please|and|add|ask|swap|switch|include|instead|too|also|as well|to|[\s,，、。.!])+"
)
_COMES_IN = lazy(
    r"(?:加上|加个|加一个|带上|算上|换成|换上|改问|改找|改由|改成问|再问|\b(?:add|include|ask|bring in|over to|swap in)\s)\s*",
    re.IGNORECASE,
)


def _about(q: Evaluate, concern: ConcernBrief) -> str:
    """The clauses that speak of this matter, where others speak of somebody else's: "李四那边不急，王五那个改成急的"."""
    people = known_people(q)
    mine = {p.person_id for p in concern.people}
    kept, others = [], False
    for clause in clauses(q.tendency):
        named = {i for m in masked(clause, people).found for i in m.ids}
        theirs = bool(_OF_ANOTHER.match(masked(clause, people).folded)) and not named & mine
        others |= theirs and not shared(clause, concern.title)
        if not theirs or shared(clause, concern.title):
            kept.append(clause)
    return "，".join(kept) if others and kept else q.tendency


_OF_ANOTHER = lazy(rf"{PERSON}(?:那边|那个|那件|的那)")


def _of_all(q: Evaluate, chosen: list[ConcernBrief]) -> EvaluatorResult | None:
    """`张三和李四的都今天五点前要`: a time or an urgency that holds for several matters."""
    if not _ALL.search(fold(q.tendency)) or any(c.kind != "delegation" for c in chosen):
        return None
    times, priority = _times(q, chosen[0]), changed_priority(fold(q.tendency), q.now)
    if not times.get("deadline") and priority is None:
        return None
    parameters = {"concern_ids": [c.concern_id for c in chosen], "words": q.tendency, "priority": priority, **times}
    return one("update_concern", parameters, reason="changes several open matters")


_ALL = lazy(r"都|全部|一起|两个|两件|\b(?:both|all)\b")


def _strangers(q: Evaluate) -> list[str]:
    """Names behind a word that brings somebody in, which nobody has."""
    raw = masked(q.tendency, known_people(q)).raw
    return [n for hit in _COMES_IN.finditer(raw) if (n := unknown_name(raw[hit.end() :]))]


def _told_more(q: Evaluate, found: Reach, concern: ConcernBrief) -> EvaluatorResult | None:
    """`跟张三说不急`, `跟赵敏说报告里加上…`: it is for those who are asked already."""
    named = set(found.ids)
    if concern.kind != "delegation" or not named or not named <= {p.person_id for p in concern.people}:
        return None
    told = contact(q.model_copy(update={"concerns": (concern,)}), found)
    return told if set(told.parameters) <= {"advance_concern", "update_concern"} and told.ok else None


def _people(q: Evaluate, concern: ConcernBrief) -> dict[str, Any]:
    """Who comes in and who goes out. A swap that names only the new one takes the place of the only one asked."""
    own = fold(q.tendency)
    asked = {p.person_id for p in concern.people}
    named = list(dict.fromkeys(i for m in masked(q.tendency, known_people(q)).found if len(m.ids) == 1 for i in m.ids))
    new = [i for i in named if i not in asked and i != q.sender_id]
    swap, add = bool(_SWAP.search(own)), bool(_ADD.search(own))
    if not (swap or add) or not named or re.search(FOR_NOW, own):
        return {}
    # Who is named as not available, or only as the reason, comes in no more than who is barred.
    coming = [i for i in new if i in _coming(q)] or new[-1:] if swap and len(new) > 1 else new
    going = [i for i in named if i in asked] if swap else []
    if swap and coming and not going and len(asked) == 1 and not add:
        going = list(asked)
    return {"add_people": coming or None, "remove_people": going or None}


def _coming(q: Evaluate) -> list[str]:
    text = masked(q.tendency, known_people(q))
    hits = re.findall(
        rf"(?:换(?:成|上|给)?|改(?:成)?(?:问|找|由)|交给|转给|加上|over to|ask|include|add)\s*({PERSON})", text.folded
    )
    return [i for mark in hits for i in text.mention(mark).ids] or reach(q.tendency, q.contacts, q.sender_id).ids


def _goal(q: Evaluate, concern: ConcernBrief) -> dict[str, Any]:
    hit = _NEW_GOAL.search(q.tendency)
    said = (hit["zh"] or hit["en"]).strip() if hit else ""
    if not said or concern.kind != "delegation" or _is_name(said, q):
        return {}
    title = title_of(said)
    return {"title": title, "goal": goal_for(title, [p.name for p in concern.people])}


def _is_name(said: str, q: Evaluate) -> bool:
    """Whether the words are nobody's question but somebody: "改问李四"."""
    return names_in(said, known_people(q)) is not None


def _times(q: Evaluate, concern: ConcernBrief) -> dict[str, Any]:
    """A new deadline of what is asked; a new time of what is kept for later."""
    now = local_now(q)
    if concern.kind in ("schedule", "expectation") or _KEPT_FOR_LATER.search(fold(concern.title)):
        held = concern.when or when_of(re.sub(r"(?<=\d):(?=\s|$)", " ", f"{concern.title} {concern.standing}"), now)
        return {"when": retimed(q.tendency, held, now, q.end_of_work)}
    stop = clock_at(q.end_of_work)
    target = new_time(q.tendency, now, stop)
    due = deadline_of(q.tendency, "", now, stop) or (_closing(target) if _MOVES.search(fold(q.tendency)) else None)
    if due is not None and due <= now and not (target and _TO_THEN.search(q.tendency[: target.expr.pos[0]])):
        due = None  # it says when something was, not till when it is given
    return {"deadline": due.isoformat() if due is not None else None}


_TO_THEN = lazy(
    r"(?:[改挪推迟延放换调前定]|期限|截止)(?:是|到|成|在|为|至)\s*$|\b(?:to|until|by|make it)\s*$", re.IGNORECASE
)


def _closing(target: Bearing | None) -> datetime | None:
    return (target.closes or target.opens) if target else None


# A title that says when the sender is told: it is kept for that time.
_KEPT_FOR_LATER = lazy(
    r"提醒(?:你|我|老板)|^每[天周月晚早日]|^\d{1,2}[:：]\d\d|\bremind (?:you|me|the owner)\b|^every\b"
)
_MOVES = any_of(
    r"""
    改|挪|推|延|放|换|顺延|提前|期限|宽限|之前|前[给交要]?
    \bwait\b|\bmove\b|\bpush\b|\bpostpone\b|\bby\b|\buntil\b|\btill\b|\binstead\b|\bdeadline\b|\bneed\b|\bmake it\b|\bdue\b
    """
)
