"""A database of an earlier version goes on: also one whose bot died in the middle of work, or of the migration itself."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.store import PeeweeStore
from core.concern.model import DecisionPoint, Priority, Status
from core.effects import Purpose
from core.ids import ConversationId, PersonId
from core.jobs import JobState
from tests.contract.conftest import ON_BOTH
from tests.contract.earlier import made_by, with_agenda, with_matters
from tests.contract.parlour import LISI, OWNER, Parlour, settings_for
from tests.contract.store_samples import HOUR, NOW, concern
from tests.contract.store_samples import OWNER as OWNER_ID
from tests.postgres import own_schema

ROOT = Path(__file__).parents[2]

DIES = """
import os, signal, sys
from bot.store.database import connection
left, whole = int(sys.argv[2]), connection.execute
def execute(database, sql, *values):
    global left
    left -= "advisory" not in sql
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    whole(database, sql, *values)
connection.execute = execute
from bot.store import PeeweeStore
PeeweeStore(sys.argv[1], inline=True).close()
"""


@pytest.fixture(params=ON_BOTH)
def bare_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database without any table."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'qinghai.db'}"
        return
    with own_schema(request.getfixturevalue("postgres_url"), "upgrade") as url:
        yield url


async def goes_on(url: str) -> None:
    """What had waited is done, what was being sent is in doubt, and nothing was sent twice."""
    it = Parlour(settings_for(url), start=NOW)
    await it.open()
    try:
        store = it.app.store
        states = {job.key: job.state for job in store.run_now(lambda r: r.jobs.list(list(JobState), 99))}
        assert {key: states[key] for key in ("ran", "out", "waits", "was")} == {
            "ran": JobState.DONE, "out": JobState.IN_DOUBT, "waits": JobState.DONE, "was": JobState.DONE,
        }  # fmt: skip
        assert sorted(it.heard(LISI)) == ["提醒你：ran", "提醒你：waits"]
        assert [receipt.job_key for receipt in store.run_now(lambda r: r.receipts.in_doubt(9))] == ["out"]
        assert len(it.heard(OWNER)) == 2
        last = store.run_now(lambda r: r.receipts.last_in(ConversationId(f"telegram:{LISI}"), Purpose.CALLBACK))
        assert last is not None
        lines = store.run_now(lambda r: r.facts.dialogue(ConversationId(f"telegram:{LISI}"), 9))
        assert "提醒你：was" in [line.text for line in lines]
        await it.say(OWNER, "/concerns")
        assert len(it.heard(OWNER)) == 3
    finally:
        await it.close()


@pytest.mark.parametrize("version", [1, 2])
async def test_work_that_an_earlier_version_left_goes_on(bare_url: str, version: int) -> None:
    made_by(bare_url, version)
    await goes_on(bare_url)


@pytest.mark.crash
@pytest.mark.parametrize("statements", [1, 9, 17])
async def test_a_migration_that_was_killed_half_way_is_made_at_the_next_start(bare_url: str, statements: int) -> None:
    made_by(bare_url, 2)
    killed = await asyncio.create_subprocess_exec(sys.executable, "-c", DIES, bare_url, str(statements), cwd=ROOT)
    assert await killed.wait() == -signal.SIGKILL
    await goes_on(bare_url)


def test_matters_of_an_earlier_version_are_found_by_whom_they_ask(bare_url: str) -> None:
    made_by(bare_url, 2)
    who = PersonId("p_lisi")
    over = (concern(n, who, status=Status.RESOLVED, closed_at=NOW + at * HOUR) for n, at in ((2, 2), (3, 1)))
    with_matters(bare_url, concern(1, who), *over)
    store = PeeweeStore(bare_url, inline=True)
    try:
        opened = store.run_now(lambda repos: repos.concerns.open_by_delegate(who))
        last = store.run_now(lambda repos: repos.concerns.last_closed_by_delegate(who))
    finally:
        store.close()
    assert [c.concern_id for c in opened] == [concern(1).concern_id]
    assert last is not None
    assert last.concern_id == concern(2).concern_id


def test_matters_of_an_earlier_version_take_their_places_in_the_order(bare_url: str) -> None:
    made_by(bare_url, 2)
    point = DecisionPoint(decision_id="d1", question="换下午吗", asked_at=NOW)
    low, asked, high = concern(1, priority=Priority.LOW), concern(2, decision=point), concern(3, priority=Priority.HIGH)
    over = concern(4, status=Status.RESOLVED, closed_at=NOW)
    with_matters(bare_url, low, asked, high, over)
    with_agenda(bare_url, low, asked, high)
    store = PeeweeStore(bare_url, inline=True)
    try:
        focus = store.run_now(lambda repos: repos.agenda.focus(9))
        waiting = store.run_now(lambda repos: repos.agenda.asked(OWNER_ID, 9))
        stuck = store.run_now(lambda repos: repos.agenda.stuck(NOW + 30 * 24 * HOUR, 9))
        mine = store.run_now(lambda repos: repos.agenda.recent(9, OWNER_ID))
    finally:
        store.close()
    assert [r.concern_id for r in focus] == [c.concern_id for c in (asked, high, low)]
    assert {r.owner for r in focus} == {OWNER_ID}
    assert [r.concern_id for r in waiting] == [asked.concern_id]
    assert {r.concern_id for r in stuck} == {low.concern_id, high.concern_id}
    assert [d.why for d in mine] == [c.title for c in (high, asked, low)]


def test_a_second_start_finds_nothing_to_do(bare_url: str) -> None:
    for _ in range(2):
        PeeweeStore(bare_url, inline=True).close()
