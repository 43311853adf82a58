"""Abilities that only say something: a relay, a reminder."""

from __future__ import annotations

from pydantic import Field, field_validator

from core.action.meta_actions.base import MetaAction, MetaActionInfo, Parameters
from core.people import STARTERS


class SendMessageParameters(Parameters):
    """What to tell whom; nobody has to answer. `text` is in the sender's words, as it should reach the people."""

    people: tuple[str, ...] = Field(min_length=1, max_length=50)
    text: str = Field(min_length=1, max_length=2000)
    title: str | None = Field(default=None, max_length=200)
    priority: str | None = None

    @field_validator("people")
    @classmethod
    def _each_once(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value))


class RemindParameters(Parameters):
    """Of what to remind whom; without people it is the sender themselves. The time is the action's own `when`."""

    text: str = Field(min_length=1, max_length=1000)
    people: tuple[str, ...] = Field(default=(), max_length=50)


class SendMessage(MetaAction):
    """Pass words on that need no answer."""

    info = MetaActionInfo(
        key="send_message",
        description="把一句话转告某人，不需要对方答复（要答复的用 raise_concern）。text 写成对方看得懂的话。",
        parameters=SendMessageParameters,
        outside_effect=True,
        who_may=STARTERS,
        after=("cancel_concern", "update_concern", "look_up_person"),
        order=10,
    )


class Remind(MetaAction):
    """Remind the caller, or somebody else, of something at a time."""

    info = MetaActionInfo(
        key="remind",
        description="到时间提醒发信人本人（people 留空）或别人一件事；type 必须是 planned，时间写在 when。",
        parameters=RemindParameters,
        outside_effect=False,
        who_may=STARTERS,
        order=20,
        later="must",
    )
