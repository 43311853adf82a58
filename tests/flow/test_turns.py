"""A turn: its log lines bear its ids, and what the model cost is kept once, under what the turn was about."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from bot.brain.budget import Call, purse
from bot.logs import about, set_up_logs, subject
from bot.runtime.turns import Turns
from bot.store.repositories.usage import Spent
from bot.store.unit import PeeweeStore
from bot.system import VirtualClock
from core.errors import StorageFailed
from core.people import Person, Role

LATE = datetime.fromisoformat("2026-03-16T23:30:00+08:00")
log = logging.getLogger("qinghai.test")


@pytest.fixture
def store() -> Iterator[PeeweeStore]:
    made = PeeweeStore("sqlite:///:memory:", inline=True)
    yield made
    made.close()


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    set_up_logs("INFO", "json", (), stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)


def call(**more: Any) -> Call:
    return Call(**{"question": "judge", "tokens_in": 100, "tokens_out": 10, "seconds": 0.25, "ok": True, **more})


async def test_lines_bear_the_ids_of_their_turn_side_by_side(store: PeeweeStore, lines: io.StringIO) -> None:
    turns, both = Turns(store, VirtualClock(LATE)), asyncio.Barrier(2)

    async def fact() -> None:
        async with turns.begin(fact=7):
            await both.wait()
            about(concern="con_20260316_001")
            log.info("judged")
        log.info("after")

    async def job() -> None:
        async with turns.begin(job=3, concern="con_20260316_002"):
            await both.wait()
            log.info("run")

    await asyncio.gather(fact(), job())
    told = [json.loads(line) for line in lines.getvalue().splitlines()]
    ids = {t["message"]: {k: t[k] for k in ("fact", "job", "concern") if k in t} for t in told}
    assert ids == {
        "judged": {"fact": 7, "concern": "con_20260316_001"},
        "run": {"job": 3, "concern": "con_20260316_002"},
        "after": {},
    }


async def test_in_text_the_ids_are_short(store: PeeweeStore, lines: io.StringIO) -> None:
    stream = io.StringIO()
    set_up_logs("INFO", "text", (), stream)
    async with Turns(store, VirtualClock(LATE)).begin(fact=7, concern="con_20260316_001"):
        log.info("judged")
    log.info("after")
    first, second = stream.getvalue().splitlines()
    assert first.endswith("qinghai.test  [f7 con_20260316_001] judged")
    assert second.endswith("qinghai.test  after")


async def test_one_turn_after_another_in_one_task_does_not_inherit(store: PeeweeStore) -> None:
    turns = Turns(store, VirtualClock(LATE))
    async with turns.begin(fact=1):
        about(concern="con_20260316_001")
    async with turns.begin(job=2):
        assert (subject().fact, subject().job, subject().concern) == (None, 2, None)


async def test_what_a_turn_costs_is_kept_under_the_concern_that_it_turned_out_to_be_about(store: PeeweeStore) -> None:
    turns = Turns(store, VirtualClock(LATE))
    async with turns.begin(fact=1):
        purse().calls.append(call())
        purse().calls.append(call(ok=False, tokens_in=0, tokens_out=0, seconds=2.0))
        about(concern="con_20260316_001")
    async with turns.begin(fact=2):
        purse().calls.append(call())
    assert store.run_now(lambda repos: repos.usage.top("2026-03-16", 5)) == (
        ("con_20260316_001", Spent(2, 1, 100, 10, 2250)),
    )
    assert store.run_now(lambda repos: repos.usage.since("2026-03-16")) == Spent(3, 1, 200, 20, 2500)


async def test_the_day_is_the_owners(store: PeeweeStore) -> None:
    owner = Person(person_id="p_owner", name="Grace", role=Role.OWNER, timezone="America/New_York")
    store.run_now(lambda repos: repos.people.save(owner))
    late = datetime.fromisoformat("2026-03-17T11:00:00+08:00")  # still the 16th in New York
    async with Turns(store, VirtualClock(late)).begin(fact=1):
        purse().calls.append(call())
    assert store.run_now(lambda repos: repos.usage.since("2026-03-17")) == Spent()
    assert store.run_now(lambda repos: repos.usage.since("2026-03-16")).calls == 1


async def test_a_turn_that_fails_or_is_cancelled_has_cost_what_it_cost(store: PeeweeStore) -> None:
    turns = Turns(store, VirtualClock(LATE))

    async def failing() -> None:
        async with turns.begin(fact=1):
            purse().calls.append(call())
            raise ValueError("no luck")

    with pytest.raises(ValueError, match="no luck"):
        await failing()

    async def stuck() -> None:
        async with turns.begin(fact=2):
            purse().calls.append(call())
            await asyncio.Event().wait()

    task = asyncio.create_task(stuck())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert store.run_now(lambda repos: repos.usage.since("2026-03-16")).calls == 2


async def test_without_a_call_nothing_is_written_and_without_the_database_the_turn_still_ends(
    lines: io.StringIO,
) -> None:
    class Gone:
        tries = 0

        async def run(self, work: Any, *, at: str = "") -> None:
            self.tries += 1
            raise StorageFailed("database x: gone")

    gone = Gone()
    turns = Turns(gone, VirtualClock(LATE))  # type: ignore[arg-type]
    async with turns.begin(fact=1):
        pass
    assert gone.tries == 0
    async with turns.begin(fact=2):
        purse().calls.append(call())
    assert gone.tries == 1
    assert "1 calls of the model are not in the account" in lines.getvalue()
