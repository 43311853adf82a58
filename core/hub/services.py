"""What every room on this floor is given: the ports, the limits, and who the bot is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from core.brain.port import Brain
from core.concern.decision import Setting
from core.ids import PersonId
from core.limits import Limits
from core.people import Person
from core.ports import Clock, Ids, Repositories, Store


@dataclass(frozen=True)
class Services:
    """The composition root fills it once. `simple_brain` steps in for chat and first contacts when `brain` fails."""

    store: Store
    brain: Brain
    simple_brain: Brain
    clock: Clock
    ids: Ids
    limits: Limits
    persona: str = "清海"

    def setting(self, people: Mapping[PersonId, Person]) -> Setting:
        """The setting of a decision made now."""
        return Setting(now=self.clock.now(), people=people, limits=self.limits, persona=self.persona)


def everybody(repos: Repositories) -> dict[PersonId, Person]:
    """The directory by id."""
    return {p.person_id: p for p in repos.people.all()}


def owner_day(now: datetime, owner: Person | None) -> str:
    """YYYYMMDD in the owner's time zone: concern ids are counted per such day."""
    return now.astimezone(ZoneInfo(owner.timezone if owner else "Asia/Shanghai")).strftime("%Y%m%d")
