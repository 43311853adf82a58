"""A matter seems to be stuck: the hub looks again, and asks whoever wants it how to go on (RULES 2)."""

from __future__ import annotations

from datetime import datetime

from core.concern import heartbeat
from core.concern.closing import cancelled
from core.concern.decision import Decision, Setting
from core.concern.model import Concern
from core.effects import TO_DELEGATES, Outgoing
from core.facts import StoredFact
from core.hub.commit import commit
from core.hub.outcome import Outcome
from core.hub.scanning.agenda import NEXT_LOOK, asked_lately
from core.hub.services import Services, everybody, owner_day
from core.hub.simple_mode import TurnBrain
from core.ids import ConcernId
from core.jobs import Job, JobKind
from core.people import Person
from core.ports import Repositories


class StuckTurn:
    """Raises the heartbeats that ask about a standstill."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def handle(self, stored: StoredFact, _: TurnBrain) -> Outcome:
        """The outcome to commit; a matter that moved meanwhile is let be."""
        concern_id = stored.fact.concern_id
        if concern_id is None:
            return Outcome("ignore", "no matter is named")
        stuck, setting, later = await self._services.store.run(lambda repos: self._look(repos, concern_id))
        if stuck is None or heartbeat.still_since(stuck, setting) is None:
            return Outcome("ignore", "it moved, or waits by right")
        if later is not None:
            return Outcome(
                "ignore", "it is looked at again later", lambda repos: repos.agenda.let_be(concern_id, later)
            )
        person = heartbeat.whom_to_ask(stuck, setting)
        if person is None:
            return Outcome("ignore", "nobody can be asked about it")
        cause = f"f{stored.fact_id}"
        return Outcome(
            "raise", "nothing moves", lambda repos: _ask(repos, stuck, person, setting, cause), (concern_id,)
        )

    def _look(self, repos: Repositories, concern_id: ConcernId) -> tuple[Concern | None, Setting, datetime | None]:
        """The matter, and when to look again where now is not the time: a message in it has yet to leave, or whoever
        wants it was asked about enough others.
        """
        stuck, setting = repos.concerns.get(concern_id), self._services.setting(everybody(repos))
        limits, now = setting.limits.heartbeat, setting.now
        leaves = [j.due for j in repos.jobs.waiting(concern_id) if _goes_to_delegate(j)]
        if leaves:
            return stuck, setting, max(now, *leaves) + limits.overdue
        asked = asked_lately(repos, stuck.initiator_id if stuck is not None else None, now)
        return stuck, setting, now + NEXT_LOOK if asked >= limits.daily_limit else None


def _goes_to_delegate(job: Job) -> bool:
    return job.kind is JobKind.DELIVER and Outgoing.model_validate_json(job.payload).purpose in TO_DELEGATES


def _ask(repos: Repositories, stuck: Concern, person: Person, setting: Setting, cause: str) -> None:
    """Write down that it was asked about, first: one that has moved since is stale, and is judged anew."""
    commit(repos, Decision(heartbeat.asked(stuck, person, setting)))
    concern_id = repos.concerns.next_id(owner_day(setting.now, repos.people.owner()))
    commit(repos, heartbeat.ask(stuck, person, concern_id, setting, cause), new=True)


def ended_by_itself(repos: Repositories, concern: Concern, setting: Setting) -> bool:
    """Whether the question of a heartbeat that has not left yet has answered itself: then it ends without a word."""
    about = heartbeat.asks_about(concern)
    if about is None or not concern.status.is_open or not heartbeat.is_moot(concern, repos.concerns.get(about)):
        return False
    commit(repos, cancelled(concern, "有动静了", setting, "moved"))
    return True
