"""What the engine's functions take and give: the setting in which they decide, and their decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.agenda.model import RecentDecision, Verdict
from core.calendar import DailyWindow, calendar_of
from core.concern.model import Concern
from core.effects import Effect
from core.ids import PersonId
from core.limits import Limits
from core.people import Person

__all__ = ["Decision", "Setting", "calendar_of", "record"]


@dataclass(frozen=True)
class Setting:
    """Everything outside the concern that a decision reads. `people` holds at least those in the concern."""

    now: datetime
    people: Mapping[PersonId, Person]
    limits: Limits
    persona: str = "清海"
    """What the bot is called."""

    def windows(self) -> dict[str, DailyWindow]:
        """Sending windows by priority that are not working hours."""
        return {"high": DailyWindow.parse(self.limits.windows.high)}


@dataclass(frozen=True)
class Decision:
    """The next state, the effects, and what the agenda shall remember. Committed together or not at all."""

    concern: Concern
    effects: tuple[Effect, ...] = ()
    recent: tuple[RecentDecision, ...] = ()

    def then(self, other: Decision) -> Decision:
        """This decision followed by one that was made on its outcome."""
        return Decision(other.concern, self.effects + other.effects, self.recent + other.recent)


def record(concern: Concern, what: Verdict, why: str, setting: Setting) -> RecentDecision:
    """What the agenda shall remember of a concern; `why` may be empty: its title says enough."""
    return RecentDecision(
        at=setting.now,
        what=what,
        why=f"{concern.title}：{why}" if why else concern.title,
        concern_id=concern.concern_id,
        owner=concern.initiator_id,
        reason=why,
    )
