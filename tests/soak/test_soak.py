"""Weeks of work in one process: nothing is left over, nothing is doubled, and nothing grows that should not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.jobs import JobState
from tests.soak.town import Size, Town

DAYS_TO_END = 28
"""Any matter that nobody answers has ended by then."""
MEMORY = 1.10
"""The last evening against that of the second day."""
RESIDENT = 1.25
DATABASE = 2.0
"""What a concern costs on disk in the second half against the first."""


async def lived(size: Size, folder: Path) -> Town:
    """A town after its days, with everything brought to an end; the bot still runs."""
    town = Town(size, folder)
    await town.open()
    await town.live()
    await town.sleep(DAYS_TO_END)
    return town


def left_over(town: Town) -> dict[str, list[Any]]:
    """What is still in the tables and should not be."""

    def look(repos: Any) -> dict[str, list[Any]]:
        now = town.clock.now()
        taken = (JobState.PENDING, JobState.RUNNING, JobState.SENDING, JobState.DEAD, JobState.IN_DOUBT)
        open_ones = repos.concerns.list(open_only=True, limit=100_000)
        # As `serve` does every hour.
        repos.blocks.sweep(now)
        return {
            "jobs": [*repos.jobs.list(taken, 1000)],
            "facts": [repos.facts.unhandled_count()] if repos.facts.unhandled_count() else [],
            "held": [*repos.facts.holders(), *repos.jobs.holders()],
            "callbacks": [*repos.callbacks.list()],
            "blocks": [b for p in town.people for b in repos.blocks.of(p)],
            "concerns": [c.to_json() for c in open_ones if c.decision is None and c.status != "escalated"],
            "agenda": sorted({r.concern_id for r in repos.agenda.refs()} ^ {c.concern_id for c in open_ones}),
        }

    return {what: rows for what, rows in town.look(look).items() if rows}


def told(town: Town) -> str:
    """The figures, for whoever runs it."""
    lines = [f"{'day':>4}{'concerns':>10}{'messages':>10}{'blocks':>10}{'MB':>7}{'database':>10}{'cpu s':>8}"]
    for e in town.evenings:
        lines.append(
            f"{e.day:4}{e.concerns:10}{e.arrived:10}{e.blocks:10}{e.resident / 2**20:7.1f}{e.bytes / 2**20:9.1f}M{e.seconds:8.1f}"
        )
    return "\n".join(lines)


async def test_two_days_of_a_small_town(tmp_path: Path) -> None:
    """The same as the month, in seconds: in every ordinary run."""
    town = await lived(Size(days=2, people=8, concerns=40), tmp_path)
    try:
        assert town.wrongs == []
        assert left_over(town) == {}
        assert town.evenings[-1].concerns > 20
        assert town.evenings[-1].arrived > 100
        assert town.answers > 10
    finally:
        await town.close()


@pytest.mark.slow
async def test_a_month_of_fifty_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    town = await lived(Size(days=30, people=50, concerns=5000), tmp_path)
    try:
        with capsys.disabled():
            print("\n" + told(town))
        assert town.wrongs == []
        assert left_over(town) == {}
        second, middle, last = town.evenings[1], town.evenings[14], town.evenings[-1]
        assert last.blocks < MEMORY * second.blocks
        assert last.resident < RESIDENT * second.resident
        early = (middle.bytes - second.bytes) / (middle.concerns - second.concerns)
        late = (last.bytes - middle.bytes) / (last.concerns - middle.concerns)
        assert late < DATABASE * early
    finally:
        await town.close()
