"""A week of an office: six people, forty matters, a public holiday in the middle. One scenario, and what holds over all of it.

`tests/scenarios/week/week.txt` is its dialogue, for people to read: `make week` writes it anew, and whatever changes in
it is what users will read.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from bot.app import App
from bot.rehearsal.brains import Play
from bot.rehearsal.player import Outcome, play
from bot.rehearsal.scenario import Scenario, read_scenario
from bot.rehearsal.show import dialogue, show
from bot.rehearsal.steps import Step
from core.calendar import DailyWindow, calendar_of
from core.concern.model import Concern, ConcernType, Priority
from core.concern.refs import ref_of
from core.concern.together import parts_of
from core.effects import BOT_STARTED, TO_DELEGATES, Outgoing, Purpose
from core.ids import ConcernId, PersonId
from core.jobs import JobKind, JobState
from core.people import Person, Role
from core.ports import Repositories
from core.ports.traffic import SentMessage

FOLDER = Path(__file__).parents[1] / "scenarios" / "week"
TRANSCRIPT = FOLDER / "week.txt"
LONG_AGO = datetime.fromisoformat("2026-01-01T00:00:00+08:00")
BEGINS = timedelta(minutes=10)
A_DAY_AT_MOST, REPORTS_A_DAY = 12, 20
WORDS = 6
"""Characters from which on somebody's words are their own, and no 好的."""


@dataclass(frozen=True)
class Sent:
    """A message as it arrived, with what it said of which matters. `parts` are empty for a report."""

    to: Person
    message: SentMessage
    parts: tuple[Outgoing, ...]

    @property
    def day(self) -> date:
        return self.message.at.astimezone(calendar_of(self.to).tz).date()

    def __str__(self) -> str:
        return f"{self.message.at.isoformat()} {self.message.purpose} → {self.to.name}: {self.message.text!r}"


@dataclass
class Week:
    """The week as it was played, and what its database holds at the end."""

    scenario: Scenario
    outcome: Outcome | None = None
    days: list[date] = field(default_factory=list)
    concerns: dict[ConcernId, Concern] = field(default_factory=dict)
    ledger: list[Sent] = field(default_factory=list)
    unhandled: int = 0
    broken: list[str] = field(default_factory=list)
    """Jobs that failed, or of which nobody knows what became of them."""

    async def look(self, app: App, step: Step, now: datetime) -> None:
        """At the end of each day the agenda refers to what is open; at the end of the week all is read."""
        day = now.astimezone(self.scenario.now.tzinfo).date()
        if day not in self.days[-1:]:
            self.days.append(day)
            app.store.run_now(_agenda_is_in_step)
        if step is self.scenario.steps[-1]:
            app.store.run_now(self._read)

    def _read(self, repos: Repositories) -> None:
        _agenda_is_in_step(repos)
        self.concerns = {c.concern_id: c for c in repos.concerns.list(open_only=False, limit=1000)}
        self.unhandled = repos.facts.unhandled_count()
        self.broken = [f"{j.key}: {j.reason}" for j in repos.jobs.list({JobState.DEAD, JobState.IN_DOUBT}, 100)]
        for person in self.scenario.people:
            for message in repos.receipts.to_person(person.person_id, tuple(Purpose), LONG_AGO):
                job = repos.jobs.get(message.job_key)
                assert job is not None, f"no cause: {message}"
                said = () if job.kind is JobKind.REPORT else parts_of(Outgoing.model_validate_json(job.payload))
                self.ledger.append(Sent(person, message, said))
        self.ledger.sort(key=lambda sent: sent.message.at)

    def of(self, *purposes: Purpose) -> list[Sent]:
        """What was sent for these purposes, in the order of time."""
        return [s for s in self.ledger if s.message.purpose in purposes]


def _agenda_is_in_step(repos: Repositories) -> None:
    """What nobody ordered is kept for the owner."""
    owner = repos.people.owner()
    assert owner is not None
    wanted = [ref_of(c) for c in repos.concerns.list(open_only=True, limit=1000)]
    kept = {r.concern_id: r for r in repos.agenda.refs()}
    assert kept == {r.concern_id: r.model_copy(update={"owner": r.owner or owner.person_id}) for r in wanted}


@cache
def played(database: str = "sqlite") -> Week:
    """The week, played once on each database."""
    week = Week(read_scenario(FOLDER / "week.yaml"))
    week.outcome = asyncio.run(play(week.scenario, Play(week.scenario.brain), week.look))
    return week


@pytest.fixture
def week(which_database: str) -> Week:
    return played(which_database)


def transcript(outcome: Outcome) -> str:
    """What stands in the file."""
    return f"{outcome.scenario.title}\n\n{dialogue(outcome)}\n"


def test_it_goes_as_the_file_says(week: Week) -> None:
    assert week.outcome is not None
    assert week.outcome.ok, "\n" + show(week.outcome)
    assert transcript(week.outcome) == TRANSCRIPT.read_text(encoding="utf-8"), "make week, and read what changed"


def test_it_is_a_whole_week(week: Week) -> None:
    assert len(week.scenario.people) == 6
    assert len(week.days) >= 7
    assert len(week.concerns) >= 40
    assert {c.type.value for c in week.concerns.values()} == {
        "delegation", "schedule", "followup", "absence_followup", "heartbeat"
    }  # fmt: skip
    assert {c.priority for c in week.concerns.values()} == set(Priority)


def test_nothing_is_left_lying(week: Week) -> None:
    assert (week.unhandled, week.broken) == (0, [])


def test_nobody_is_written_to_outside_their_hours(week: Week) -> None:
    for sent in week.of(*BOT_STARTED):
        for part in sent.parts:
            assert part.concern_id is not None
            assert _is_open(week.concerns[part.concern_id].priority, sent.to, sent.message.at), sent


def _is_open(priority: Priority, person: Person, at: datetime) -> bool:
    calendar = calendar_of(person)
    if priority is Priority.CRITICAL:
        return True
    if priority is Priority.HIGH:
        return DailyWindow.parse("08:00-22:00").contains(at, calendar.tz)
    return calendar.is_open(at)


def test_delegates_are_not_crowded(week: Week) -> None:
    mine: dict[PersonId, list[Sent]] = defaultdict(list)
    for sent in week.of(*BOT_STARTED):
        mine[sent.to.person_id].append(sent)
    for theirs in mine.values():
        for earlier, later in pairwise(theirs):
            gap = later.message.at - earlier.message.at
            assert gap >= BEGINS or _is_exempt(week, later), f"{gap} after {earlier}: {later}"
        assert max(Counter(s.day for s in theirs).values()) <= A_DAY_AT_MOST


def _is_exempt(week: Week, sent: Sent) -> bool:
    urgent = (week.concerns[p.concern_id].priority is Priority.CRITICAL for p in sent.parts if p.concern_id)
    return sent.message.purpose is Purpose.FIRST_CONTACT or any(urgent)


def test_reports_keep_hours_and_budget(week: Week) -> None:
    reports = week.of(Purpose.REPORT)
    assert reports
    for sent in reports:
        concern = week.concerns[sent.message.concern_id or ConcernId("")]
        assert concern.priority is Priority.CRITICAL or calendar_of(sent.to).is_open(sent.message.at), sent
    counted = Counter((s.to.person_id, s.day) for s in week.ledger if s.message.counted)
    assert max(counted.values()) <= REPORTS_A_DAY


def test_nobody_reads_the_same_twice_in_a_day(week: Week) -> None:
    """But for a question that is asked again, and the bot's part of a conversation."""
    again = (Purpose.REPLY, Purpose.FOLLOW_UP, Purpose.CALLBACK)
    once = [s for s in week.ledger if s.message.purpose not in again and s.message.decision_id is None]
    told = Counter((s.day, s.to.person_id, s.message.concern_id, s.message.text) for s in once)
    assert [key for key, times in told.items() if times > 1] == []


def test_a_delegate_reads_no_words_of_another(week: Week) -> None:
    assert week.outcome is not None
    names = {p.name: p for p in week.scenario.people}
    said = [line for line in week.outcome.lines if line.who in names and line.kind in ("message", "edit")]
    for sent in week.of(*TO_DELEGATES):
        others = (ln.text for ln in said if names[ln.who or ""].role is Role.DELEGATE and ln.who != sent.to.name)
        for words in others:
            pieces = [p for p in re.split(r"[，,。；;：:？?！!\n]", words) if len(p) >= WORDS]
            assert not any(p in sent.message.text for p in pieces), f"{words!r} in {sent}"


def test_each_initiator_heard_how_it_ended(week: Week) -> None:
    """Of a schedule the runs are told, each by itself."""
    for concern in week.concerns.values():
        if concern.closed_at is None or concern.initiator_id is None or concern.type is ConcernType.SCHEDULE:
            continue
        theirs = [s for s in week.ledger if s.to.person_id == concern.initiator_id]
        about = [s for s in theirs if concern.concern_id == s.message.concern_id or concern.title in s.message.text]
        assert any(s.message.at >= concern.closed_at for s in about), f"nobody told {concern.to_json()}"


if __name__ == "__main__":
    made = played().outcome
    assert made is not None
    TRANSCRIPT.write_text(transcript(made), encoding="utf-8")
