"""When is a goal met (RULES 4): rules that hold a brain's "met" back. They never turn a "not met" into a "met"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from core.brain.questions import Assessment
from core.concern.changes import inbound_texts
from core.concern.model import CommStatus, Concern
from core.facts import Event, Trigger
from core.ids import PersonId
from core.timetalk import has_definite_time, is_vague

_WHEN = re.compile(
    r"什么时候|什么时间|啥时候|何时|几时|几号|几点|哪天|哪一天|哪日|多久|日期|时间点|(?<![有没花])时间(?![够充])"
    r"|\bwhen\b|\bwhat (?:time|day)\b|\bdates?\b|\bby when\b|\btime ?(?:line|frame)\b",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"任一|任何一|任意一|随便(?:问)?(?:哪|谁)|谁先|谁能|谁有空|谁知道|谁都|哪位能|哪个人能"
    r"|\banyone\b|\bany (?:one )?of\b|\beither\b|\bwhoever\b",
    re.IGNORECASE,
)


_CALLS_BACK = re.compile(
    r"(?:晚点|晚些|稍后|回头|待会儿?|一会儿?|过会儿?|等会儿?|有空)再?(?:给你|跟你)?(?:回|说|看|告诉|联系|聊|答)"
    r"|\b(?:get back|call you|write you|tell you|let you know|reply) .{0,12}(?:later|soon)\b|\bget back to you\b",
    re.IGNORECASE,
)

_LOST = (CommStatus.NO_ANSWER, CommStatus.UNREACHABLE, CommStatus.DECLINED)


def wants_time(concern: Concern) -> bool:
    """Whether a definite time is what the initiator is after."""
    return bool(_WHEN.search(f"{concern.goal}\n{concern.title}"))


def is_any_of(concern: Concern) -> bool:
    """Whether an answer of any one delegate will do."""
    words = f"{concern.goal}\n{concern.title}\n{concern.source.detail}"
    names = "|".join(re.escape(p.display_name) for p in concern.delegates)
    return bool(_ANY.search(words) or re.search(rf"(?:{names})\s*(?:或者?|\bor\b)\s*(?:{names})", words, re.IGNORECASE))


# "Who is free": that one of them is not answers for that one alone.
_NOT_THEM = re.compile(
    r"有事|没空|没时间|没法|出差|请假|休假|在外地|[去来做赶到]不了|不行|不能|不去|不来|不知道"
    r"|\b(?:can'?t|cannot|not me|not free|not available|busy|away|on leave|count me out|i'?m out|sorry,? no)\b|^no\b",
    re.IGNORECASE,
)
_THEM = re.compile(
    r"(?:我|那天)?(?:可以|能(?!不)|有空|来吧|去吧|我来|我去)|\b(?:i can(?!'?t)|i'?m free|count me in)\b", re.IGNORECASE
)


def _counts_out(texts: Sequence[str]) -> bool:
    """Whether these words only say that it is not they."""
    said = " ".join(texts)
    return bool(_NOT_THEM.search(said)) and not _THEM.search(_NOT_THEM.sub(" ", said))


def says_when(texts: Sequence[str], now: datetime) -> bool:
    """Whether any of these words name a day or an hour."""
    return any(has_definite_time(t, now) for t in texts)


def only_vague(texts: Sequence[str], now: datetime) -> bool:
    """Whether these words speak of time without naming one; when they will be heard of again is another matter."""
    return not says_when(texts, now) and any(is_vague(t, now) and not _CALLS_BACK.search(t) for t in texts)


def lacks_day(concern: Concern, about: PersonId, new_texts: Sequence[str], now: datetime) -> bool:
    """Whether a definite time is wanted and `about` has spoken of time, but never of a definite one."""
    said = (*inbound_texts(concern, about), *new_texts)
    return wants_time(concern) and only_vague(said, now)


def part_of(concern: Concern, person_id: PersonId) -> PersonId:
    """The delegate whose part this person answers: themselves, or the one in whose place they were asked."""
    for _ in concern.people:
        before = concern.state_of(person_id).stands_in_for
        if before is None:
            break
        person_id = before
    return person_id


def open_parts(concern: Concern, about: PersonId | None = None) -> tuple[PersonId, ...]:
    """Delegates of whom something is still expected and whose part is another than that of `about`."""
    own = part_of(concern, about) if about is not None else None
    return tuple(
        p.person_id for p in concern.delegates if p.comm_status.is_owing and part_of(concern, p.person_id) != own
    )


def may_show(happened: Sequence[Event]) -> bool:
    """Whether an event may show that something is done: not one that only opens a thing, or tells of its failure."""
    return all(event.came_to in ("done", None) for event in happened)


def lost_parts(concern: Concern, about: PersonId | None = None) -> tuple[PersonId, ...]:
    """Delegates who will not answer any more and in whose place nobody else is asked; the part of `about` aside."""
    kept = {part_of(concern, p.person_id) for p in concern.delegates if p.comm_status not in _LOST}
    kept |= {part_of(concern, about)} if about is not None else set()
    return tuple(
        p.person_id for p in concern.delegates if p.comm_status in _LOST and part_of(concern, p.person_id) not in kept
    )


def clamp_goal(
    concern: Concern,
    about: PersonId,
    answer: Assessment,
    new_texts: Sequence[str],
    now: datetime,
    trigger: Trigger = Trigger.REPLY,
) -> bool:
    """Whether the goal counts as met: the brain says so and no rule objects.

    Objections: another part is still open, or nobody will answer it (unless anybody's answer will do); nobody has said
    anything; a definite time is wanted and only a vague one was given. Evidence and the initiator's own decision need
    no words of the delegate.
    """
    if not answer.goal_met:
        return False
    if open_parts(concern, about) and not (is_any_of(concern) and not _counts_out(new_texts)):
        return False
    if trigger in (Trigger.EVIDENCE, Trigger.DECISION):
        return True
    if lost_parts(concern, about) and not is_any_of(concern):
        return False
    if not new_texts and not any(inbound_texts(concern, p.person_id) for p in concern.delegates):
        return False
    return not lacks_day(concern, about, new_texts, now)
