"""The agenda: what the bot is pushing on the whole, what it looks out for, and what it decided lately."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from core.ids import ConcernId, ConversationId, PersonId
from core.schedule.model import ScheduleTrigger


class ConcernRef(BaseModel):
    """An open concern in the agenda; written, updated and removed in the transaction of the change itself."""

    model_config = ConfigDict(frozen=True)

    concern_id: ConcernId
    priority: str
    status: str
    agenda_role: Literal["active", "waiting_for_owner", "scheduled"] = "active"
    owner: PersonId | None = None
    """The initiator; the owner of the bot where there is none."""
    deadline: datetime | None = None
    moved_at: datetime | None = None
    """When anything was said, learned or decided in it last; what the bot does by itself moves nothing."""
    waiting_since: datetime | None = None
    """When the point that waits for the initiator was first asked."""
    next_at: datetime | None = None
    """The next moment at which it is taken up (`next_action.when`)."""
    type: str = "delegation"
    paused_until: datetime | None = None
    stuck_at: datetime | None = None
    """From when on it counts as stuck, if nothing moves in it before; None where it cannot be."""


class Expectation(BaseModel):
    """Who should do what by when, once or again and again (RULES 2). A hub scan compares it with facts.

    `person_id` None: somebody outside the directory, called `who`; then only the owner can be told. What happened
    from `since` on counts for the run that is due at `next_due`; None: it is over.
    """

    model_config = ConfigDict(frozen=True)

    expectation_id: str
    """`e3`."""
    owner: PersonId
    conversation: ConversationId
    person_id: PersonId | None = None
    who: str
    what: str
    words: str
    """The owner's own."""
    message_id: str | None = None
    """The owner's message that it comes from, which an edit or a recall names."""
    due: ScheduleTrigger
    on_missed: Literal["ask", "tell", "both"] = "ask"
    created_at: datetime
    since: datetime
    next_due: datetime | None
    met: int = 0
    missed: int = 0


class WatchItem(BaseModel):
    """Something not yet worth a concern, with a condition and an expiry (RULES 2). The hub alone lifts it.

    `news`: any word of it is told to the owner, and at the expiry it is over. `promise`: somebody said in passing that
    they would do it by `expires_at`; when that passes without a fact that shows it done, the hub lifts it to a concern.
    """

    model_config = ConfigDict(frozen=True)

    watch_id: str
    """`w3`."""
    owner: PersonId
    conversation: ConversationId
    person_id: PersonId | None = None
    what: str
    words: str
    message_id: str | None = None
    created_at: datetime
    expires_at: datetime
    kind: Literal["news", "promise"] = "news"
    cause: str | None = None
    """`f12`: the fact that it was lifted from, where it was nobody's order."""
    promised: datetime | None = None
    """promise: for when it was made; `expires_at` is later where whoever made it can't be asked at that hour."""
    urgent: bool = False
    """promise: the words were urgent."""


class MorningBrief(BaseModel):
    """That somebody wants a brief on the mornings of their working days, and at what time (`/brief`)."""

    model_config = ConfigDict(frozen=True)

    owner: PersonId
    at: str
    """`08:30`, on the owner's clock."""
    created_at: datetime
    since: datetime
    """What happened from then on is news."""
    next_at: datetime
    told_on: date | None = None
    """The last day whose brief was told, or passed over."""

    @property
    def item_id(self) -> str:
        """One for each person."""
        return brief_id(self.owner)


def brief_id(owner: PersonId) -> str:
    """Under which the brief of a person is kept."""
    return f"brief:{owner}"


Verdict = Literal["raised", "resolved", "dropped", "refused", "lifted", "escalated"]


class RecentDecision(BaseModel):
    """Something the hub or a concern decided, and why; kept 30 days."""

    model_config = ConfigDict(frozen=True)

    at: datetime
    what: Verdict
    why: str
    concern_id: ConcernId | None = None
    owner: PersonId | None = None
    reason: str = ""
    """What of `why` stands behind the title of the concern; empty where the title says enough."""
    refusal: str | None = None
    """refused: which of the reasons of RULES 6 it was."""
