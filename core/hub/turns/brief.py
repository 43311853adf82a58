"""The hour of a morning brief has come: what there is to tell is told, once that day, or nothing is (RULES 5).

It passes the gate and its budget like any report. The chosen hour counts as one of work, whatever the working hours;
after a downtime it comes late, the same morning, and not in the afternoon.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from core.agenda.briefing import day_of, end_of_day, hours_of, next_brief, stale_from
from core.agenda.model import MorningBrief
from core.effects import Outgoing, Purpose, Send, Words
from core.facts import StoredFact
from core.hub.commit import apply
from core.hub.morning import morning, says_nothing
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.notify import Gate, GateNotice, History, Pass, Wait, Weight, evaluate_gate
from core.people import STARTERS, Person
from core.ports import Repositories

_A_DAY = timedelta(days=1)


class BriefTurn:
    """Composes morning briefs, from templates alone."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def handle(self, stored: StoredFact, _: TurnBrain) -> Outcome:
        """The outcome to commit; what is told is read when it is written."""
        return Outcome("converse", "the hour of a brief", lambda repos: self._tell(repos, stored))

    def _tell(self, repos: Repositories, stored: StoredFact) -> None:
        person_id, now = stored.fact.person_id, self._services.clock.now()
        brief = repos.agenda.brief(person_id) if person_id is not None else None
        if brief is None or brief.next_at > now:
            return  # it was put off, or is not wanted any more
        person = repos.people.get(brief.owner)
        if person is None or person.role not in STARTERS:
            repos.agenda.take(brief.item_id)
            return
        due = _this_morning(brief, person, now)
        gate = self._gate(repos, brief, person)
        if isinstance(gate, Wait) and gate.until < stale_from(due, person):
            repos.agenda.put_brief(brief.model_copy(update={"next_at": gate.until}))
            return  # they asked for quiet until then
        told = now < stale_from(due, person) and isinstance(gate, Pass)
        if told:
            self._send(repos, brief, person, due)
        following = next_brief(brief.at, person, max(now, end_of_day(person, due)))
        since = now if told else brief.since
        over = {"since": since, "next_at": following, "told_on": day_of(person, due)}
        repos.agenda.put_brief(brief.model_copy(update=over))

    def _gate(self, repos: Repositories, brief: MorningBrief, person: Person) -> Gate:
        """Whether it may leave now: the budget of the day, and the quiet that its reader asked for."""
        now = self._services.clock.now()
        began = end_of_day(person, now - _A_DAY)
        counted = repos.receipts.counted_since(person.person_id, began)
        history = History(counted_today=counted, quiet_until=person.quiet_until)
        notice = GateNotice(Weight.ORDINARY, brief.item_id)
        return evaluate_gate(notice, history, hours_of(brief.at, person), now, self._services.limits.report)

    def _send(self, repos: Repositories, brief: MorningBrief, person: Person, due: datetime) -> None:
        """Tell all that there is to tell, if anything."""
        now, limits = self._services.clock.now(), self._services.limits
        values = morning(repos, person, brief.since, now)
        if says_nothing(values):
            return
        message = Outgoing(
            purpose=Purpose.NOTICE,
            to=person.person_id,
            words=Words(template="chat/brief", values=values),
            counted=True,
            sounds=now - due < limits.schedule.late_after,
            until=stale_from(due, person),
        )
        apply(repos, Send(key=f"{brief.item_id}:{day_of(person, due).isoformat()}", due=now, message=message))


def _this_morning(brief: MorningBrief, person: Person, now: datetime) -> datetime:
    """Which morning's brief it is: today's, where several were missed."""
    today = next_brief(brief.at, person, end_of_day(person, now - _A_DAY))
    return today if brief.next_at < today <= now else brief.next_at
