"""What a meta-action is: an ability with everything that the planner and a model must know of it."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from core.limits import Limits
from core.people import Role

Later = Literal["never", "may", "must"]


class Parameters(BaseModel):
    """Root of all parameters: frozen, what is not known is dropped."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class MetaActionInfo(BaseModel):
    """What the planner and a model must know of a meta-action."""

    model_config = ConfigDict(frozen=True)

    key: str
    description: str
    """For the model: when to take it, and what its parameters mean."""
    parameters: type[BaseModel]
    outside_effect: bool
    """It reaches a third person."""
    who_may: frozenset[Role]
    needs_first: tuple[str, ...] = ()
    """Strict dependencies: keys that must have run in an earlier stage; added where they are missing."""
    after: tuple[str, ...] = ()
    """Where these stand in the same chain they go first; they are not added."""
    order: int = 0
    """Among actions of one stage the lower one goes first."""
    idempotent: bool = False
    """Running it twice does no more than running it once."""
    later: Later = "may"
    """Whether it may, must or can never be kept for a later time."""
    needs_model: bool = False
    """Only with a model; the rule brain cannot do it."""


class MetaAction:
    """An ability. Subclasses state their `info`; how it is run stands under the same key in `core/hub/abilities`."""

    info: ClassVar[MetaActionInfo]

    @classmethod
    def needs_confirmation(cls, parameters: dict[str, Any], limits: Limits) -> bool:
        """The confirm rule: whether these valid parameters need a yes whatever the evaluator thinks (RULES 6)."""
        return False
