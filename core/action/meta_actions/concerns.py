"""Abilities on matters that the bot follows: raise, advance, look at, change, let go."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field, field_validator

from core.action.meta_actions.base import MetaAction, MetaActionInfo, Parameters
from core.people import STARTERS, Role

PriorityName = Literal["critical", "high", "medium", "low"]


class RaiseConcernParameters(Parameters):
    """Whom to ask, and what counts as done."""

    title: str = Field(min_length=1, max_length=200)
    goal: str = Field(min_length=1, max_length=1000)
    people: tuple[str, ...] = Field(min_length=1, max_length=50)
    priority: PriorityName | None = None
    """None: taken from the words (RULES 3)."""
    deadline: datetime | None = None
    message: str | None = None
    """The question in the initiator's words, where it differs from the whole message."""
    type: Literal["delegation", "followup"] = "delegation"
    """followup: a risk or something that stands still, which they want to be kept after."""

    @field_validator("people")
    @classmethod
    def _each_once(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value))


class AdvanceConcernParameters(Parameters):
    """Which open matters to push on now, and with which words (None: just ask again).

    Of a delegate the words are their reply: they go into the matter's dialogue and call its loop.
    """

    concern_ids: tuple[str, ...] = Field(min_length=1, max_length=50)
    message: str | None = None


class CheckConcernsParameters(Parameters):
    """Which open matters to look at: those with a person, those named, or all.

    `detail`: `standing` where each stands, `words` what was said word for word, `waiting` who has not answered yet.
    """

    person: str | None = None
    concern_ids: tuple[str, ...] = ()
    detail: Literal["standing", "words", "waiting"] = "standing"


class UpdateConcernParameters(Parameters):
    """What to change in open matters. Whatever is None or empty stays as it is.

    `words` are the sender's own, kept with the matter. `when` re-times a schedule (as `EvaluatorResult.when`).
    """

    concern_ids: tuple[str, ...] = Field(min_length=1, max_length=50)
    words: str | None = Field(default=None, max_length=2000)
    title: str | None = Field(default=None, min_length=1, max_length=200)
    goal: str | None = Field(default=None, min_length=1, max_length=1000)
    priority: PriorityName | None = None
    deadline: datetime | None = None
    add_people: tuple[str, ...] = ()
    remove_people: tuple[str, ...] = ()
    when: str | None = None


class CancelConcernParameters(Parameters):
    """Which open matters, schedules, expectations or watch items to let go, by id."""

    concern_ids: tuple[str, ...] = Field(min_length=1)


class RaiseConcern(MetaAction):
    """Ask people something on the caller's behalf and follow it until the goal is met."""

    info = MetaActionInfo(
        key="raise_concern",
        description="联系一个或几个人，问到结果为止：发出问题、跟进、汇报、回流。goal 写什么时候算办完。",
        parameters=RaiseConcernParameters,
        outside_effect=True,
        who_may=STARTERS,
        after=("cancel_concern", "update_concern", "look_up_person"),
        order=10,
    )


class AdvanceConcern(MetaAction):
    """Push an open matter on: what somebody said reaches it, or its delegates are asked again now."""

    info = MetaActionInfo(
        key="advance_concern",
        description=(
            "推进一件在办的事：把新的话带给它（message），或者现在就再催一次（不写 message）。"
            "当事人的回复也由此进入事项。"
        ),
        parameters=AdvanceConcernParameters,
        outside_effect=True,
        who_may=STARTERS | {Role.DELEGATE},
        after=("update_concern",),
        order=10,
        idempotent=True,
    )


class CheckConcerns(MetaAction):
    """Say where open matters stand."""

    info = MetaActionInfo(
        key="check_concerns",
        description="查看还在跟进的事项：到哪一步（standing）、对方原话（words）、还差谁（waiting）；可以只看某个人的。",
        parameters=CheckConcernsParameters,
        outside_effect=False,
        who_may=STARTERS,
        after=("raise_concern", "advance_concern", "update_concern", "cancel_concern"),
        order=30,
        idempotent=True,
    )


class UpdateConcern(MetaAction):
    """Change an open matter: its goal, people, priority, deadline, or the time of a schedule."""

    info = MetaActionInfo(
        key="update_concern",
        description="改一件在办的事：目标、要求（words）、急缓、期限、加人减人、定时的时间（when）。已经问过的人会收到更正。",
        parameters=UpdateConcernParameters,
        outside_effect=True,
        who_may=STARTERS,
        order=5,
        idempotent=True,
        later="never",
    )


class CancelConcern(MetaAction):
    """Let an open matter, a schedule, an expectation or a watch item go."""

    info = MetaActionInfo(
        key="cancel_concern",
        description="放下还没办完的事项、定时、约定或留意，按 id；告诉已经问过的人不用回了。",
        parameters=CancelConcernParameters,
        outside_effect=True,
        who_may=STARTERS,
        order=0,
        idempotent=True,
        later="never",
    )
