"""AgendaScheduler: finds what of the agenda has come to its moment and makes a fact of each (RULES 2).

Expectations and watch items, matters that are stuck, and the hours of morning briefs. It decides nothing and tells
nobody: the hub alone judges what it means. The event id derives from the item and the moment, so one moment makes one
fact, however often a scan runs.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from core.agenda.model import ConcernRef, MorningBrief
from core.facts import Fact, FactKind
from core.hub.scanning.concerns import BATCH, TIMER
from core.hub.services import Services
from core.ids import ConversationId, PersonId
from core.ports import Repositories

ON_ITS_WAY = timedelta(minutes=1)
"""A moment that went by this long ago found the bot down: what was sent, and fell due, meanwhile gets as long to come
first."""

A_DAY = timedelta(days=1)
NEXT_LOOK = timedelta(hours=1)
"""Of more stuck matters than somebody is asked about in a day, the rest is looked at again after this."""

_URGENT_FIRST = {"critical": 0, "high": 1, "medium": 2, "low": 3}


class AgendaScheduler:
    """The scans over the agenda. Each looks within an open transaction."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def scan_expectations(self, repos: Repositories) -> int:
        """Expectations whose moment has come. Returns how many facts are new."""
        now = self._services.clock.now()
        found = repos.agenda.expectations_due(now, BATCH)
        return sum(_store(repos, e.expectation_id, e.next_due, e.conversation, now) for e in found)

    def scan_watches(self, repos: Repositories) -> int:
        """Watch items whose time is over. Returns how many facts are new."""
        now = self._services.clock.now()
        found = repos.agenda.watches_due(now, BATCH)
        return sum(_store(repos, w.watch_id, w.expires_at, w.conversation, now) for w in found)

    def scan_stuck(self, repos: Repositories) -> int:
        """Matters in which nothing moves; of each person's a few a day, the urgent ones first, so that a long downtime
        is followed by no avalanche. Returns how many facts are new.
        """
        now, most = self._services.clock.now(), self._services.limits.heartbeat.daily_limit
        found = sorted(repos.agenda.stuck(now, BATCH), key=lambda ref: _URGENT_FIRST[ref.priority])
        asked = {who: asked_lately(repos, who, now) for who in {ref.owner for ref in found}}
        new = 0
        for ref in found:
            if asked[ref.owner] >= most:
                repos.agenda.let_be(ref.concern_id, now + NEXT_LOOK)
                continue
            asked[ref.owner] += 1
            new += _standstill(repos, ref, now)
            repos.agenda.let_be(ref.concern_id)
        return new

    def scan_briefs(self, repos: Repositories) -> int:
        """Morning briefs whose hour has come. Returns how many facts are new."""
        now = self._services.clock.now()
        return sum(_hour(repos, brief, now) for brief in repos.agenda.briefs_due(now, BATCH))


def _store(repos: Repositories, item_id: str, at: datetime | None, conversation: ConversationId, now: datetime) -> int:
    fact = Fact(
        channel=TIMER,
        event_id=f"{item_id}:{at.isoformat() if at else ''}",
        kind=FactKind.ABSENCE,
        occurred_at=now,
        conversation=conversation,
        item_id=item_id,
    )
    return int(repos.facts.add(fact, _turn_of(at, now)) is not None)


def _turn_of(at: datetime | None, now: datetime) -> datetime:
    """When a moment that has come is judged: at once, and after a downtime when the rest of it is seen to."""
    return now + ON_ITS_WAY if at is not None and now - at >= ON_ITS_WAY else now


def asked_lately(repos: Repositories, who: PersonId | None, now: datetime) -> int:
    """How many heartbeats were raised for this person (None: for the owner) within a day."""
    owner = repos.people.owner()
    asked = who or (owner.person_id if owner is not None else None)
    lately = repos.agenda.recent(BATCH, asked) if asked is not None else ()
    return sum(1 for d in lately if d.what == "lifted" and d.at > now - A_DAY)


def _standstill(repos: Repositories, ref: ConcernRef, now: datetime) -> int:
    fact = Fact(
        channel=TIMER,
        event_id=f"stuck:{ref.concern_id}:{ref.stuck_at.isoformat() if ref.stuck_at else ''}",
        kind=FactKind.STUCK,
        occurred_at=now,
        conversation=ConversationId(f"concern:{ref.concern_id}"),
        concern_id=ref.concern_id,
    )
    # After a downtime what has fallen due in the matter itself comes first: then it may not stand still any more.
    return int(repos.facts.add(fact, now + ON_ITS_WAY) is not None)


def _hour(repos: Repositories, brief: MorningBrief, now: datetime) -> int:
    fact = Fact(
        channel=TIMER,
        event_id=f"{brief.item_id}:{brief.next_at.isoformat()}",
        kind=FactKind.BRIEF,
        occurred_at=now,
        conversation=ConversationId(brief.item_id),
        person_id=brief.owner,
    )
    # After a downtime a schedule whose run went by moves on first: its next run is told, which may be today's.
    return int(repos.facts.add(fact, _turn_of(brief.next_at, now)) is not None)
