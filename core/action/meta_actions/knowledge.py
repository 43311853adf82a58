"""Abilities that find something out: people, stored facts, and longer work by the model."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from core.action.meta_actions.base import MetaAction, MetaActionInfo, Parameters
from core.limits import MOST_STEPS, Limits
from core.people import INSPECTORS, STARTERS


class LookUpPersonParameters(Parameters):
    """Whom to look up."""

    person: str = Field(min_length=1)


class InvitePersonParameters(Parameters):
    """Whom to make a one-time invite for."""

    person: str = Field(min_length=1)


class LookUpFactsParameters(Parameters):
    """What to look for in what was said and what happened: words, a person, a time."""

    words: str = Field(default="", max_length=200)
    person: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Before this moment."""


class DeepTaskParameters(Parameters):
    """What the model is to find out by itself, and how many steps it may take (None: as many as need no yes)."""

    goal: str = Field(min_length=1, max_length=2000)
    steps: int | None = Field(default=None, ge=1, le=MOST_STEPS)


class LookUpPerson(MetaAction):
    """Say what is known about a person."""

    info = MetaActionInfo(
        key="look_up_person",
        description="查一个人：怎么联系、上班时间、时区、正在问他的事。",
        parameters=LookUpPersonParameters,
        outside_effect=False,
        who_may=INSPECTORS,
        order=0,
        idempotent=True,
    )


class InvitePerson(MetaAction):
    """Make a one-time invite that connects a person's chat."""

    info = MetaActionInfo(
        key="invite_person",
        description="给一个人生成一次性邀请（24 小时有效），对方打开后机器人才能写给他。",
        parameters=InvitePersonParameters,
        outside_effect=False,
        who_may=INSPECTORS,
        order=5,
        later="never",
    )


class LookUpFacts(MetaAction):
    """Search what was said to the bot and what happened."""

    info = MetaActionInfo(
        key="look_up_facts",
        description="在收到过的消息和事件里找：谁说过什么、发生过什么。words 是关键词。",
        parameters=LookUpFactsParameters,
        outside_effect=False,
        who_may=STARTERS,
        order=0,
        idempotent=True,
    )


class DeepTask(MetaAction):
    """A longer piece of work that the model does step by step with read-only tools."""

    info = MetaActionInfo(
        key="deep_task",
        description="要查好几处、想好几步的活儿（例如把这周张三说过的进展理一遍）：模型在后台一步步做，只看不改，做完把结果发来。",
        parameters=DeepTaskParameters,
        outside_effect=False,
        who_may=STARTERS,
        order=40,
        needs_model=True,
    )

    @classmethod
    def needs_confirmation(cls, parameters: dict[str, Any], limits: Limits) -> bool:
        """More steps than the budget allows cost time and money: asked first."""
        return int(parameters.get("steps") or 0) > limits.task.steps
