"""The life of a schedule: opened, fired, moved to another time, ended (RULES 3, 8)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.concern.changes import noted
from core.concern.decision import Decision, Setting, record
from core.concern.machine import Event, started, transition
from core.concern.model import (
    INITIATOR,
    Concern,
    ConcernPerson,
    ConcernType,
    Execution,
    Priority,
    Source,
    SourceInitiator,
    Status,
    TimelineEntry,
)
from core.concern.planning import plan
from core.concern.schedule import Schedule, deeds, first_run, schedule_of, with_schedule
from core.effects import COMMAND, Button, Outgoing, Purpose, Send, Words
from core.ids import ConcernId, ConversationId
from core.people import Person
from core.schedule import Run, WhenError, at_the_time_of, is_past, read_when

KEPT_RUNS = 50
"""Executions that are kept, and entries of the timeline about runs."""

LONGEST_TITLE = 60
_RUN_ENTRIES = frozenset({Event.STARTED.value, Event.RUN_DONE.value})


@dataclass(frozen=True)
class Wish:
    """What is to be kept for later: `words` are the initiator's own."""

    concern_id: ConcernId
    schedule: Schedule
    words: str
    initiator: Person
    channel: str
    channel_user_id: str
    origin_message_id: str | None = None
    simple_mode: bool = False
    cause: str | None = None
    """`f12`: the fact whose judgement planned it."""


def open_schedule(wish: Wish, setting: Setting) -> Decision | None:
    """A pending schedule and its acknowledgement: what will happen when, and how to stop it. None: it never comes."""
    concern = _raised(wish, setting)
    if wish.schedule.kind != "event" and first_run(concern, setting.now, setting) is None:
        return None
    concern = plan(concern, setting)
    raised = record(concern, "raised", "", setting)
    words = _kept_words(concern, setting)
    if wish.simple_mode:
        words = words.model_copy(update={"lines": (Words(template="chat/simple_mode"),)})
    said = _answer(concern, words, f"ack:{concern.concern_id}", setting, stop=True)
    return Decision(concern, (said,), (raised,))


def _raised(wish: Wish, setting: Setting) -> Concern:
    title = next((step.about for step in wish.schedule.steps if step.about), wish.schedule.tendency)
    me = wish.initiator
    concern = Concern(
        concern_id=wish.concern_id,
        type=ConcernType.SCHEDULE,
        status=Status.PENDING,
        priority=Priority.MEDIUM,
        title=" ".join(title.split())[:LONGEST_TITLE],
        goal=wish.schedule.tendency,
        source=Source(
            type=ConcernType.SCHEDULE,
            detail=wish.words,
            initiator=SourceInitiator(
                name=me.name, channel=wish.channel, channel_user_id=wish.channel_user_id, person_id=me.person_id
            ),
        ),
        people=(ConcernPerson(person_id=me.person_id, display_name=me.name, role_in_concern=INITIATOR),),
        trigger=wish.schedule.model_dump(mode="json"),
        executions=(),
        created_at=setting.now,
        origin_message_id=wish.origin_message_id,
        origin_conversation=wish.schedule.conversation,
        cause=wish.cause,
    )
    return noted(concern, setting.now, "discovered", f"立项：{concern.title}")


def fired(concern: Concern, run: Run, ok: bool, detail: str, setting: Setting, cause: str) -> Decision:
    """A run was made: it waits for the next one, or is over with this. Nobody is reported to (RULES 5)."""
    now = setting.now
    schedule = schedule_of(concern).model_copy(update={"fired_by": cause})
    execution = Execution(at=now, ok=ok, detail=_on_run(run, detail, setting))
    concern = with_schedule(started(concern, now, execution.detail), schedule).model_copy(
        update={"executions": (*(concern.executions or ()), execution)[-KEPT_RUNS:], "due_at": None}
    )
    again = schedule.repeats and (schedule.kind == "event" or first_run(concern, now, setting) is not None)
    if again:
        return Decision(_trimmed(plan(transition(concern, Event.RUN_DONE, now), setting)))
    return _over(concern, "最后一次已执行" if schedule.repeats else "已执行", setting)


def _on_run(run: Run, detail: str, setting: Setting) -> str:
    """How the run stands in the record: late and what was missed are named."""
    if setting.now - run.at >= setting.limits.schedule.late_after:
        detail += f"（原定 {run.at.isoformat(timespec='minutes')}）"
    return f"{detail}；错过 {run.missed} 次" if run.missed else detail


def _over(concern: Concern, why: str, setting: Setting) -> Decision:
    concern = transition(started(concern, setting.now), Event.RESOLVED, setting.now, why)
    return Decision(_trimmed(plan(concern, setting)), (), (record(concern, "resolved", why, setting),))


def _trimmed(concern: Concern) -> Concern:
    """A schedule may run for years: of what the timeline says of runs, the last ones are kept."""
    runs = [n for n, entry in enumerate(concern.timeline) if entry.type in _RUN_ENTRIES]
    old = frozenset(runs[: -2 * KEPT_RUNS])
    kept: tuple[TimelineEntry, ...] = tuple(e for n, e in enumerate(concern.timeline) if n not in old)
    return concern.model_copy(update={"timeline": kept})


def ended(concern: Concern, why: str, template: str, setting: Setting, cause: str) -> Decision:
    """It cannot go on: let go, and whoever asked for it is told by `template` (values: title)."""
    concern = transition(concern, Event.DROPPED, setting.now, why)
    told = notice(concern, Words(template=template, values={"title": concern.title}), f"ended:{cause}", setting)
    return Decision(plan(concern, setting), (told,), (record(concern, "dropped", why, setting),))


def restarted(concern: Concern, setting: Setting, cause: str) -> Decision:
    """After a pause the next run is planned from now; where its time has gone by meanwhile, that is said."""
    concern = plan(concern.model_copy(update={"due_at": None}), setting)
    if concern.due_at is None and schedule_of(concern).kind != "event":
        return ended(concern, "暂停期间时间已过", "concern/schedule_passed", setting, cause)
    return Decision(concern)


def retimed(concern: Concern, when: str, setting: Setting, answer_in: ConversationId | None, cause: str) -> Decision:
    """Another time for what is planned. One that cannot be kept changes nothing and is asked about.

    What recurs and is moved to a moment goes on recurring, at that time of day.
    """
    if not concern.status.is_open:
        return Decision(concern)
    schedule = schedule_of(concern)
    problem: str | None = None
    try:
        trigger = read_when(
            when,
            schedule.timezone,
            setting.now,
            working_days=schedule.working_days,
            min_interval=setting.limits.schedule.min_interval,
        )
    except WhenError as error:
        return Decision(concern, (question(concern, error.problem, setting, answer_in, cause),))
    if is_past(trigger, setting.now):
        problem = "past"
    elif trigger.kind == "once" and schedule.kind == "recurring":
        trigger = at_the_time_of(schedule, datetime.fromisoformat(trigger.when)) or trigger
    moved = with_schedule(concern, schedule.retimed(trigger)).model_copy(update={"due_at": None})
    if problem is None and trigger.kind != "event" and first_run(moved, setting.now, setting) is None:
        problem = "never"
    if problem is not None:
        return Decision(concern, (question(concern, problem, setting, answer_in, cause),))
    moved = plan(noted(moved, setting.now, "retimed", when), setting)
    said = _answer(
        moved,
        _kept_words(moved, setting, changed=True),
        f"retimed:{moved.concern_id}:{cause}",
        setting,
        answer_in,
        stop=True,
    )
    return Decision(moved, (said,))


def question(concern: Concern, problem: str, setting: Setting, answer_in: ConversationId | None, cause: str) -> Send:
    """What is wrong with a time (`past`, `never`, `too_often`, `unreadable`), and which other one is meant."""
    words = when_question(concern.title, problem, setting)
    return _answer(concern, words, f"when:{concern.concern_id}:{cause}", setting, answer_in)


def when_question(title: str, problem: str, setting: Setting) -> Words:
    """The words of that question."""
    shortest = setting.limits.schedule.min_interval.total_seconds()
    return Words(template="concern/schedule_when", values={"title": title, "problem": problem, "shortest": shortest})


def late_notice(concern: Concern, run: Run, setting: Setting) -> Words:
    """A run that comes late says so."""
    values = {"title": concern.title, "when": run.at.isoformat(), "missed": run.missed}
    return Words(template="concern/schedule_late", values=values)


def notice(concern: Concern, words: Words, key: str, setting: Setting) -> Send:
    """A line to whoever asked for it, in the chat where they did."""
    return _answer(concern, words, f"{key}:{concern.concern_id}", setting)


def _kept_words(concern: Concern, setting: Setting, *, changed: bool = False) -> Words:
    schedule = schedule_of(concern)
    values: dict[str, Any] = {
        "title": concern.title,
        "deeds": deeds(schedule, setting.people),
        "trigger": trigger_values(schedule),
        "first": concern.due_at.isoformat() if concern.due_at else None,
        "changed": changed,
        "paused": concern.paused_until is not None and concern.paused_until > setting.now,
    }
    return Words(template="concern/schedule_kept", values=values)


def trigger_values(schedule: Schedule) -> dict[str, Any]:
    """When it runs, as the filter `schedule` of templates takes it."""
    return schedule.model_dump(mode="json", include={"kind", "when", "timezone", "start", "working_days"})


def _answer(
    concern: Concern,
    words: Words,
    key: str,
    setting: Setting,
    answer_in: ConversationId | None = None,
    *,
    stop: bool = False,
) -> Send:
    button = Button(
        label=Words(template="buttons/unschedule", values={"title": None}),
        data=f"{COMMAND}unschedule {concern.concern_id}",
    )
    message = Outgoing(
        purpose=Purpose.REPLY,
        to=concern.initiator_id,
        conversation=answer_in or schedule_of(concern).conversation,
        words=words,
        concern_id=concern.concern_id,
        buttons=((button,),) if stop else (),
        answers=True,
    )
    return Send(key=key, due=setting.now, message=message)
