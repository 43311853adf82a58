"""A schedule: a concern of type `schedule`, whose `trigger` says when which action runs (RULES 8).

`Concern.trigger` is the JSON of a `Schedule`; `due_at` is the run that is planned next, and stays until that run is
made.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from core.concern.decision import Setting
from core.concern.model import Concern, NextAction
from core.ids import ConversationId, PersonId
from core.patterns import lazy
from core.people import Person
from core.schedule import Mode, ScheduleTrigger, next_run

_AGAIN = lazy(r"每|凡是|只要|任何|\b(?:every|each|whenever|any ?time)\b", 2)
"""Words of a condition that hold again and again, not once (2: whatever the case)."""


class PlannedStep(BaseModel):
    """One meta-action with parameters that its own model has accepted."""

    model_config = ConfigDict(frozen=True)

    key: str
    parameters: dict[str, Any]

    @property
    def about(self) -> str:
        """What it is about, in its own words: a title, a text, a goal; empty where it has none."""
        words = (self.parameters.get(name) for name in ("title", "text", "what", "goal", "words", "message"))
        return next((str(w) for w in words if w), "")

    @property
    def people(self) -> tuple[PersonId, ...]:
        """Whom it names."""
        named = (*(self.parameters.get("people") or ()), self.parameters.get("person"))
        return tuple(PersonId(str(p)) for p in named if p)


class Schedule(ScheduleTrigger):
    """When, and what then: the stages of an action, run on the errand of whoever asked for it, in that conversation."""

    mode: Mode
    tendency: str
    stages: dict[int, tuple[PlannedStep, ...]]
    conversation: ConversationId
    fired_by: str | None = None
    """The cause of the last run: the same cause runs it once."""

    @property
    def steps(self) -> tuple[PlannedStep, ...]:
        """All steps in their order."""
        return tuple(step for n in sorted(self.stages) for step in self.stages[n])

    @property
    def repeats(self) -> bool:
        """Whether another run may follow one."""
        return self.kind == "recurring" or (self.kind == "event" and _AGAIN.search(self.when) is not None)

    def retimed(self, trigger: ScheduleTrigger) -> Schedule:
        """The same at another time."""
        return self.model_copy(update={name: getattr(trigger, name) for name in ScheduleTrigger.model_fields})


def schedule_of(concern: Concern) -> Schedule:
    """The typed trigger of a concern of type `schedule`."""
    return Schedule.model_validate(concern.trigger)


def with_schedule(concern: Concern, schedule: Schedule) -> Concern:
    """The concern with another trigger; `due_at` is the caller's."""
    return concern.model_copy(update={"trigger": schedule.model_dump(mode="json")})


def mode_of(stages: Mapping[int, tuple[PlannedStep, ...]]) -> Mode:
    """Only words to send: direct; words that re-enter the conversation: session; all else: agent."""
    keys = {step.key for steps in stages.values() for step in steps}
    if "schedule" in keys:
        return Mode.SESSION
    return Mode.DIRECT if keys <= {"remind", "send_message"} else Mode.AGENT


def first_run(concern: Concern, after: datetime, setting: Setting) -> datetime | None:
    """The first run after a moment, on the days that its initiator works where it keeps to these."""
    owner = setting.people.get(concern.initiator_id) if concern.initiator_id else None
    return next_run(schedule_of(concern), after, owner)


def next_of(concern: Concern, setting: Setting, *, paused: bool, until: datetime | None) -> Concern:
    """`next_action` and `due_at` of an open schedule; `until` is the end of its pause, where it has one.

    A run that falls into a pause is not made up. Where none is left after it, the end of the pause falls due, and there
    it ends.
    """
    schedule = schedule_of(concern)
    due, what = concern.due_at, f"到时候：{concern.title}"
    if paused:
        due, what = until and (first_run(concern, until, setting) or until), "已暂停"
    elif schedule.kind == "event":
        due, what = None, f"等到：{schedule.when}"
    elif due is None:
        due = first_run(concern, setting.now, setting)
    action = NextAction(what=what, who_person_id=None, when=due)
    return concern.model_copy(update={"next_action": action, "timeout_at": None, "due_at": due})


def deeds(schedule: Schedule, people: Mapping[PersonId, Person]) -> list[dict[str, Any]]:
    """What it does, step by step, as values for a template."""
    return [deed(step, people, schedule.tendency) for step in schedule.steps]


def deed(step: PlannedStep, people: Mapping[PersonId, Person], tendency: str) -> dict[str, Any]:
    """One step as values for a template: `key`, `names`, `text` (`tendency` where it has no words of its own); a
    reminder without names is one to whoever asked for it."""
    names = [people[p].name for p in step.people if p in people]
    return {"key": step.key, "names": names, "text": step.about or tendency}
