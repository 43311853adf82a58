"""A sample of the crash sweep: some of the points, each on one database or the other; and the faults that it must see."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bot.store.unit import PeeweeStore
from tests.crash.sweep.checks import outcome, verdict
from tests.crash.sweep.life import WRITES, Watch
from tests.crash.sweep.platforms import NAMES
from tests.crash.sweep.sweeping import Calm, Sweep, points, sweep
from tests.crash.sweep.town import PATIENCE_S, Broken, Run, played
from tests.sampling import SEED

pytestmark = [pytest.mark.crash, pytest.mark.postgres]

KINDS = ("sqlite", "postgresql")
SHARE = {"telegram": 6, "feishu": 18}
"""An ordinary run of the suite takes one point in so many: all of them are minutes. What is alike on both platforms is
mostly left to the one."""


def test_there_are_enough_points() -> None:
    assert len(points()) >= 40


@pytest.mark.parametrize("platform", NAMES)
async def test_nothing_is_lost_or_doubled_wherever_it_dies(postgres_url: str, platform: str) -> None:
    """As many seeds in a row as the share says come to all of them (QINGHAI_SEED); `make crash` takes all at once."""
    some = points(platform)[SEED % SHARE[platform] :: SHARE[platform]]
    async with Sweep(postgres_url, platform=platform).opened(KINDS) as sweeping:
        table = await sweep(sweeping, KINDS, [SEED], some, spread=True)
    assert table.faults() == [], f"seed {SEED}\n{table.text()}"


@pytest.mark.slow
@pytest.mark.parametrize("platform", NAMES)
async def test_nothing_is_lost_or_doubled_with_ten_seeds(
    postgres_url: str, platform: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with Sweep(postgres_url, platform=platform).opened(KINDS) as sweeping:
        table = await sweep(sweeping, KINDS, range(1, 11), points(platform))
    with capsys.disabled():
        print(f"\n{table.text()}")
    assert table.faults() == []


_CALM: dict[tuple[str, tuple[str, ...]], Calm] = {}


async def ended(
    folder: Path,
    names: tuple[str, ...],
    *fates: str,
    sabotage: str = "",
    platform: str = "telegram",
    patience_s: float = PATIENCE_S,
) -> list[str]:
    """What the sweep finds wrong with a run on SQLite."""
    run = Run(names, f"sqlite:///{folder / 'bot.db'}", folder, fates, sabotage, platform, patience_s)
    await played(run)
    end = outcome(run)
    if not fates:
        _CALM[platform, names] = Calm("sqlite", names, run.passes, end)
        return []
    assert sabotage or len(run.deaths) == len(fates)
    return list(verdict(run, end, _CALM[platform, names].ended).faults)


SENT = "send.after_request"


async def test_who_is_cut_off_while_they_ask_what_is_in_doubt_asks_again(tmp_path: Path) -> None:
    commands = ("commands",)
    await ended(tmp_path / "calm", commands)
    assert await ended(tmp_path / "killed", commands, f"{SENT}:{_CALM['telegram', commands].passes[SENT]}") == []


RELAYS = ("relays",)


@pytest.mark.parametrize(
    ("sabotage", "point", "seen"),
    [
        ("acknowledges first", "accept.before_commit:1", "lost: "),
        ("closes first", "judge.after_commit:1", "never came: "),
        ("forgets that it sends", "send.after_request:1", "twice: "),
        ("sends again", "send.after_request:1", "twice: "),
        ("keeps no receipt", "send.after_request:1", "unshown: "),
    ],
)
async def test_a_planted_fault_is_seen(tmp_path: Path, sabotage: str, point: str, seen: str) -> None:
    await ended(tmp_path / "calm", RELAYS)
    assert await ended(tmp_path / "killed", RELAYS, point) == []
    found = await ended(tmp_path / "planted", RELAYS, point, sabotage=sabotage)
    assert any(fault.startswith(seen) for fault in found), found


@pytest.mark.parametrize(
    ("sabotage", "point", "seen"),
    [
        ("acknowledges events first", "accept.before_commit:1", "lost: "),
        ("sends under another key", "send.after_request:1", "twice: "),
        ("repeats nothing", "send.after_request:1", "in doubt, and may be sent again: "),
    ],
)
async def test_a_planted_fault_is_seen_on_feishu(tmp_path: Path, sabotage: str, point: str, seen: str) -> None:
    await ended(tmp_path / "calm", RELAYS, platform="feishu")
    assert await ended(tmp_path / "killed", RELAYS, point, platform="feishu") == []
    found = await ended(tmp_path / "planted", RELAYS, point, sabotage=sabotage, platform="feishu")
    assert any(fault.startswith(seen) for fault in found), found


async def test_work_that_nobody_takes_up_is_seen(tmp_path: Path) -> None:
    with pytest.raises(Broken, match="running"):
        await ended(tmp_path / "planted", RELAYS, "look.before_commit:1", sabotage="lets go of nothing", patience_s=5)


def test_a_write_that_is_called_a_read_is_seen(tmp_path: Path) -> None:
    watch = Watch(Counter())
    store = PeeweeStore(f"sqlite:///{tmp_path / 'bot.db'}", inline=True, failpoint=lambda point: watch.at(point))
    watch.connection, watch.changes = store._db.connection(), store._db.connection().total_changes
    store.run_now(lambda repos: repos.meta.get("a"), at="read")
    assert watch.passes[WRITES] == 0
    store.run_now(lambda repos: repos.meta.set("a", "b"), at="read")
    assert watch.passes[WRITES] == 1
    store.close()
