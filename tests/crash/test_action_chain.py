"""kill -9 at the points of an action of three stages: each stage is done, and nobody hears anything twice.

An ordinary run of the suite takes one point in four.
"""

from __future__ import annotations

import json
import multiprocessing
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.store.unit import PeeweeStore
from core.action.run import ActionRun
from core.concern.model import Status
from core.context.workspace import BlockKind
from core.ids import PersonId
from core.jobs import JobState
from tests.crash.chain_life import DATABASE, LEDGER, live
from tests.flow.chains import ASKS_FIRST, ASKS_LISI, STOPS_HALF_WAY, THREE_STEPS
from tests.sampling import points_of

pytestmark = pytest.mark.crash

MOST_POINTS = 400
SHARE = 4
SLEEP_S = 60.0
OWNER = PersonId("p_owner")
ZHANGSAN, LISI, ZHAOLIU = PersonId("p_zhangsan"), PersonId("p_lisi"), PersonId("p_zhaoliu")
CHATS = {"1": OWNER, "ou_1": OWNER, "2": ZHANGSAN, "ou_2": ZHANGSAN, "3": LISI, "ou_4": ZHAOLIU}

context = multiprocessing.get_context("forkserver")
context.set_forkserver_preload(["tests.crash.chain_life"])


def end_of(folder: Path, messages: tuple[str, ...], dies_at: int | None = None) -> int:
    """Let a process live; its exit status."""
    process = context.Process(target=live, args=(str(folder), messages, dies_at))
    process.start()
    process.join(SLEEP_S)
    assert process.exitcode is not None, "it neither ended nor died"
    return process.exitcode


def killed(tmp_path: Path, *messages: str) -> Iterator[Path]:
    """For each such point of the work on all but the first message: a folder in which a process died, and a second ended."""
    before = tmp_path / "before"
    before.mkdir()
    assert end_of(before, messages[:1]) == 0
    for point in points_of(MOST_POINTS, SHARE):
        folder = shutil.copytree(before, tmp_path / str(point))
        died = end_of(folder, messages, point)
        if died == 0:
            assert point > 10
            return
        assert died == -signal.SIGKILL
        assert end_of(folder, messages) == 0
        yield folder
    raise AssertionError("the work has no end")


class After:
    """What is left in a folder."""

    def __init__(self, folder: Path) -> None:
        self._store = PeeweeStore(f"sqlite:///{folder / DATABASE}", inline=True)
        lines = (folder / LEDGER).read_text(encoding="utf-8").splitlines()
        self.arrived: list[tuple[str, str, str, str]] = [tuple(json.loads(line)) for line in lines]

    def look(self, work: Any) -> Any:
        return self._store.run_now(work)

    def run(self) -> ActionRun:
        """The run of several stages."""
        blocks = self.look(lambda repos: repos.blocks.of(OWNER, BlockKind.ACTION_STATES))
        runs = [ActionRun.model_validate(block.content) for block in blocks]
        (run,) = [run for run in runs if len(run.stages) > 1]
        return run

    def heard(self) -> Counter[PersonId]:
        """Messages by person: each that arrived, and each of which nobody knows whether it did.

        On Feishu a message that is sent again under its key is the same message; Telegram knows no keys.
        """
        on_telegram = [key for channel, _, key, _ in self.arrived if channel == "telegram"]
        assert len(on_telegram) == len(set(on_telegram))
        doubtful = self.look(lambda repos: repos.jobs.list((JobState.IN_DOUBT,), 100))
        messages = {key.rpartition("#")[0]: CHATS[chat] for _, chat, key, _ in self.arrived}
        return Counter((messages | {job.key: job.person_id for job in doubtful}).values())

    def statuses(self, who: PersonId) -> list[Status]:
        concerns = self.look(lambda repos: repos.concerns.list(open_only=False, limit=100))
        return [c.status for c in concerns if any(p.person_id == who for p in c.delegates)]

    def close(self) -> None:
        self._store.close()


@pytest.fixture
def after() -> Iterator[Any]:
    """Opens what is left in a folder."""
    opened: list[After] = []

    def open_it(folder: Path) -> After:
        opened.append(After(folder))
        return opened[-1]

    yield open_it
    for one in opened:
        one.close()


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param((THREE_STEPS,), id="at once"),
        pytest.param((ASKS_FIRST, "可以"), id="after a yes", marks=pytest.mark.slow),
    ],
)
def test_all_stages_are_done_once(tmp_path: Path, after: Any, messages: tuple[str, ...]) -> None:
    for folder in killed(tmp_path, ASKS_LISI, *messages):
        left = after(folder)
        assert left.run().state == "done", folder
        heard = left.heard()
        assert {who: heard[who] for who in (ZHANGSAN, LISI, ZHAOLIU)} == {ZHANGSAN: 1, LISI: 2, ZHAOLIU: 1}, folder
        assert left.statuses(LISI) == [Status.DROPPED]
        assert left.statuses(ZHANGSAN) == [Status.RESOLVED]
        assert left.statuses(ZHAOLIU) == [Status.WAITING_REPLY]


@pytest.mark.slow
def test_a_failed_stage_stops_it(tmp_path: Path, after: Any) -> None:
    for folder in killed(tmp_path, ASKS_LISI, STOPS_HALF_WAY):
        left = after(folder)
        assert left.run().state == "failed", folder
        heard = left.heard()
        assert (heard[ZHANGSAN], heard[ZHAOLIU]) == (1, 0), folder
        assert left.statuses(ZHAOLIU) == []
