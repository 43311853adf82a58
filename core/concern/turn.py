"""One turn of the agent loop as the engine sees it: the brain's answer, read against the concern (RULES 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from zoneinfo import ZoneInfo

from core.brain.questions import Assessment, AttitudeOf
from core.calendar import parse_window
from core.concern.changes import inbound_texts
from core.concern.decision import Setting
from core.concern.model import Attitude, Concern, DelegateState
from core.concern.verdict import clamp_goal, lacks_day, may_show
from core.facts import Event, Trigger
from core.ids import PersonId
from core.people import Person
from core.timetalk import contradicts, promised

_SIX = time(18, 0)


@dataclass(frozen=True)
class Turn:
    """Whose turn it is and why, what they said since the last one, and what of the brain's answer stands."""

    trigger: Trigger
    about: PersonId
    answer: Assessment
    setting: Setting
    cause: str
    before: DelegateState
    """How it stood with them before this turn."""
    texts: tuple[str, ...]
    attitude: Attitude | None
    """None: nothing new was said and nothing is known."""
    met: bool
    lacks_day: bool
    message: str
    """The brain's words for `about`; empty where there are none."""
    named_time: datetime | None
    """When they promised to deliver, or are back: in the future."""
    wait_until: datetime | None
    """Until when the brain would wait before anything more is sent to them."""


def read(concern: Concern, trigger: Trigger, about: PersonId, answer: Assessment, setting: Setting, cause: str) -> Turn:
    """The turn of `about`. What the answer says of other people is left aside: it was written from `about`'s view."""
    if trigger is Trigger.EVIDENCE:
        answer = _weighed(answer, [e.event for e in concern.evidence if e.key == cause])
    # What they said meanwhile has a turn of its own.
    new = inbound_texts(concern, about)[concern.state_of(about).assessed_inbound :]
    texts = new if trigger is not Trigger.EVIDENCE else ()
    met = clamp_goal(concern, about, answer, texts, setting.now, trigger)
    said = answer.attitudes.get(about)
    return Turn(
        trigger=trigger,
        about=about,
        answer=answer,
        setting=setting,
        cause=cause,
        before=concern.state_of(about),
        texts=texts,
        attitude=_attitude(said, met, texts),
        met=met,
        lacks_day=bool(texts) and lacks_day(concern, about, texts, setting.now),
        message="\n".join(m.text.strip() for m in answer.messages if m.to == about and m.text.strip()),
        named_time=_named_time(concern, about, said, texts, setting),
        wait_until=_wait_until(answer, about, setting),
    )


def _weighed(answer: Assessment, happened: Sequence[Event]) -> Assessment:
    """What an event may bring about: the goal is met or it is not, and the initiator hears of it. It is somebody's text
    without authority: nothing of it is said to a delegate, nothing waits for it, nobody's attitude is changed by it.
    """
    return Assessment(
        goal_met=answer.goal_met and may_show(happened), summary=answer.summary, owner_update=answer.owner_update
    )


def _attitude(said: AttitudeOf | None, met: bool, texts: tuple[str, ...]) -> Attitude | None:
    if said is not None and said.attitude != "silent":
        return Attitude(said.attitude)
    if met and texts:
        return Attitude.ANSWERED
    return Attitude.VAGUE if texts else None


def _named_time(
    concern: Concern, about: PersonId, said: AttitudeOf | None, texts: tuple[str, ...], setting: Setting
) -> datetime | None:
    if said is None or not texts or said.attitude not in ("commitment", "away"):
        return None
    person, day_ends = setting.people.get(about), end_of_work(setting.people.get(about))
    heard = [e.ts for e in concern.dialogue_with(about) if e.direction == "inbound"]
    then, words = (heard[-1] if heard else setting.now).astimezone(_zone(person)), "\n".join(texts)
    read_as = aware(said.promised_time, person, setting) if said.promised_time is not None else None
    # "休假到周五" names the last day away, not the one of the return.
    trusted = read_as is not None and (said.attitude == "away" or not contradicts(read_as, words, then))
    at: datetime | None
    if read_as is not None and trusted:
        at = read_as
        if said.attitude == "commitment" and at.time() == time():
            # A day without an hour.
            at = at.replace(hour=day_ends.hour, minute=day_ends.minute)
    else:
        at = promised(words, then, end_of_work=day_ends)
    return at if at is not None and at > setting.now else None


def _wait_until(answer: Assessment, about: PersonId, setting: Setting) -> datetime | None:
    wish = answer.next_action
    if wish is None or wish.when is None or wish.who not in (None, about):
        return None
    at = aware(wish.when, setting.people.get(about), setting)
    return at if at > setting.now else None


def aware(at: datetime, person: Person | None, setting: Setting) -> datetime:
    """In the person's zone; a moment without an offset is taken as their wall clock."""
    zone = _zone(person) if person is not None else setting.now.tzinfo
    return at.replace(tzinfo=zone) if at.tzinfo is None else at.astimezone(zone)


def end_of_work(person: Person | None) -> time:
    """When a promised day ends: 18:00, or the person's end of work where that is earlier."""
    if person is None:
        return _SIX
    start, end = parse_window(person.working_hours)
    if end <= start or end >= 18 * 60:
        return _SIX
    return time(end // 60, end % 60)


def _zone(person: Person | None) -> ZoneInfo:
    return ZoneInfo(person.timezone if person is not None else "Asia/Shanghai")
