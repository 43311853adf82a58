"""What every room on this floor is given: the ports, the limits, and who the bot is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from core.brain.port import Brain
from core.concern.decision import Setting
from core.context.model import Baseline
from core.facts import Fact, FactKind
from core.ids import PersonId
from core.limits import Limits
from core.people import Person
from core.ports import Clock, Ids, Repositories, Store

LATE = timedelta(minutes=2)
"""Less does not matter, and the clocks of a channel and of this machine may differ by as much."""


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
    baseline: Mapping[str, Baseline] = field(default_factory=dict)
    """Safety baseline and persona by language, for the contexts that a model reads."""
    invite_link: Callable[[str], str | None] = field(default=lambda code: None)
    """The link that hands the code of an invite to the bot; None while no channel has such links."""

    @property
    def has_model(self) -> bool:
        """Whether a model answers: some abilities need one."""
        return self.brain.name != "rules"

    def local_now(self, person: Person) -> datetime:
        """The present on this person's clock: what they say of times is meant there."""
        return self.clock.now().astimezone(ZoneInfo(person.timezone))

    def when_said(self, fact: Fact, person: Person) -> datetime:
        """What "in an hour" and "tomorrow" in a message count from, on this person's clock: the present, or, where it
        could not be taken up when it came, the moment at which it was written."""
        now = self.local_now(person)
        late = fact.kind in (FactKind.MESSAGE, FactKind.EDIT) and now - fact.occurred_at >= LATE
        return fact.occurred_at.astimezone(now.tzinfo) if late else now

    def setting(self, people: Mapping[PersonId, Person]) -> Setting:
        """The setting of a decision made now."""
        return Setting(now=self.clock.now(), people=people, limits=self.limits, persona=self.persona)


def everybody(repos: Repositories) -> dict[PersonId, Person]:
    """The directory by id."""
    return {p.person_id: p for p in repos.people.all()}


def owner_date(now: datetime, owner: Person | None) -> date:
    """The day that it is for the owner."""
    return now.astimezone(ZoneInfo(owner.timezone if owner else "Asia/Shanghai")).date()


def owner_day(now: datetime, owner: Person | None) -> str:
    """The same as YYYYMMDD: concern ids are counted per such day."""
    return owner_date(now, owner).strftime("%Y%m%d")
