"""Abilities for what is yet to come: schedules, standing expectations, things to watch for."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from core.action.meta_actions.base import MetaAction, MetaActionInfo, Parameters
from core.people import STARTERS


class ScheduleParameters(Parameters):
    """Words that re-enter the conversation at the action's own `when`, as though the sender said them then."""

    text: str = Field(min_length=1, max_length=2000)


class ExpectParameters(Parameters):
    """Who should do what by when, once or again and again; what to do when it did not happen.

    `due` is written like `EvaluatorResult.when`. `person` None: somebody outside the directory, called `who`; then the
    sender is told. `on_missed`: `ask` the person, `tell` the sender, or `both`.
    """

    person: str | None = None
    who: str | None = Field(default=None, max_length=100)
    what: str = Field(min_length=1, max_length=500)
    due: str = Field(min_length=1)
    working_days: bool = False
    on_missed: Literal["ask", "tell", "both"] = "ask"


class WatchParameters(Parameters):
    """What to look out for in what is heard and in events, about whom, and until when (None: two weeks)."""

    what: str = Field(min_length=1, max_length=500)
    person: str | None = None
    until: datetime | None = None


class Schedule(MetaAction):
    """Say something into the conversation again at a time, once or recurring."""

    info = MetaActionInfo(
        key="schedule",
        description=(
            "到时间把一句话重新放进对话，当时再处理（例如「每天 9 点告诉我还有什么没办完」）；type 必须是 planned，"
            "时间、周期写在 when。到点要问人、转告、提醒的，直接用 raise_concern、send_message、remind 加 when。"
        ),
        parameters=ScheduleParameters,
        outside_effect=False,
        who_may=STARTERS,
        order=20,
        later="must",
    )


class Expect(MetaAction):
    """Keep a standing expectation and notice when it is missed."""

    info = MetaActionInfo(
        key="expect",
        description=(
            "盯着某人按时做某事：due 是期限或周期；到时没有动静，按 on_missed 去问（ask）、告诉发信人（tell）"
            "或都做（both）。"
        ),
        parameters=ExpectParameters,
        outside_effect=False,
        who_may=STARTERS,
        order=20,
        later="never",
    )


class Watch(MetaAction):
    """Look out for something that has no date; the caller is told when it shows."""

    info = MetaActionInfo(
        key="watch",
        description="留意一件没有期限的事：一有相关的消息或事件就告诉发信人；until 之前没有动静也说一声。",
        parameters=WatchParameters,
        outside_effect=False,
        who_may=STARTERS,
        order=20,
        later="never",
    )
