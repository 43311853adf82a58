"""The registry of meta-actions: what the bot can do for somebody, one class each.

To add one: a class with `info` in a file of this room, its place in `REGISTRY`, and how it is run in
`core/hub/abilities` under the same key.
"""

from __future__ import annotations

from functools import lru_cache

from core.action.meta_actions.base import MetaAction, MetaActionInfo, Parameters
from core.action.meta_actions.concerns import (
    AdvanceConcern,
    AdvanceConcernParameters,
    CancelConcern,
    CancelConcernParameters,
    CheckConcerns,
    CheckConcernsParameters,
    RaiseConcern,
    RaiseConcernParameters,
    UpdateConcern,
    UpdateConcernParameters,
)
from core.action.meta_actions.future import (
    Expect,
    ExpectParameters,
    Schedule,
    ScheduleParameters,
    Watch,
    WatchParameters,
)
from core.action.meta_actions.knowledge import (
    DeepTask,
    DeepTaskParameters,
    InvitePerson,
    InvitePersonParameters,
    LookUpFacts,
    LookUpFactsParameters,
    LookUpPerson,
    LookUpPersonParameters,
)
from core.action.meta_actions.messages import Remind, RemindParameters, SendMessage, SendMessageParameters
from core.brain.questions import MetaActionBrief
from core.people import Role

__all__ = [
    "REGISTRY",
    "AdvanceConcern",
    "AdvanceConcernParameters",
    "CancelConcern",
    "CancelConcernParameters",
    "CheckConcerns",
    "CheckConcernsParameters",
    "DeepTask",
    "DeepTaskParameters",
    "Expect",
    "ExpectParameters",
    "InvitePerson",
    "InvitePersonParameters",
    "LookUpFacts",
    "LookUpFactsParameters",
    "LookUpPerson",
    "LookUpPersonParameters",
    "MetaAction",
    "MetaActionInfo",
    "Parameters",
    "RaiseConcern",
    "RaiseConcernParameters",
    "Remind",
    "RemindParameters",
    "Schedule",
    "ScheduleParameters",
    "SendMessage",
    "SendMessageParameters",
    "UpdateConcern",
    "UpdateConcernParameters",
    "Watch",
    "WatchParameters",
    "available_meta_actions",
]

_ALL: tuple[type[MetaAction], ...] = (
    RaiseConcern,
    AdvanceConcern,
    CheckConcerns,
    UpdateConcern,
    CancelConcern,
    SendMessage,
    Remind,
    Schedule,
    Expect,
    Watch,
    LookUpPerson,
    InvitePerson,
    LookUpFacts,
    DeepTask,
)
REGISTRY: dict[str, type[MetaAction]] = {a.info.key: a for a in _ALL}


def _brief(info: MetaActionInfo) -> MetaActionBrief:
    return MetaActionBrief(
        key=info.key, description=info.description, parameters=info.parameters.model_json_schema(), later=info.later
    )


@lru_cache
def available_meta_actions(role: Role, *, with_model: bool = True) -> tuple[MetaActionBrief, ...]:
    """What a caller of this role may use; the rest does not exist for them. Without a model less can be done."""
    return tuple(
        _brief(action.info)
        for action in _ALL
        if role in action.info.who_may and (with_model or not action.info.needs_model)
    )
