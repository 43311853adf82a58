"""Thousands of events in and out of order, by both ways in, through the whole bot."""

from pathlib import Path

import pytest

from bot.channels.feishu.inbound import to_fact
from core.facts import FactKind
from tests.fuzz.feishu_events import Events
from tests.fuzz.house import MONDAY
from tests.fuzz.nonsense import Nonsense
from tests.fuzz.on_feishu import OnFeishu, PostedOnFeishu
from tests.fuzz.runs import DOCUMENTED, INPUTS, RUNS
from tests.fuzz.trial import Trial
from tests.wire.feishu_api.events import BOT


@pytest.mark.parametrize("run", range(RUNS))
async def test_no_event_breaks_anything_is_answered_twice_or_reaches_anybody_else(run: int, tmp_path: Path) -> None:
    nonsense = Nonsense(f"feishu {run}")
    house = (OnFeishu, PostedOnFeishu)[run % 2](tmp_path, nonsense, debounce=run % 3 == 0)
    async with house:
        events = Events(nonsense, lambda: int(house.clock.now().timestamp() * 1000), house.shown)
        trial = Trial(house, nonsense, events.next)
        await trial.play(INPUTS)
        await trial.end()
        assert trial.stored > INPUTS // 6
        assert trial.sent > INPUTS // 10
        assert house.listener.set_aside > INPUTS // 20


def test_nothing_that_is_documented_is_set_aside() -> None:
    events = Events(Nonsense("well meant"), lambda: int(MONDAY.timestamp() * 1000), ["yes:b1"])
    facts = [to_fact(events.documented(), BOT, MONDAY) for _ in range(DOCUMENTED)]
    assert {fact.kind for fact in facts if fact} == {
        FactKind.MESSAGE,
        FactKind.EDIT,
        FactKind.RECALL,
        FactKind.BUTTON,
    }


async def test_a_frame_that_is_no_event_is_acknowledged_and_forgotten(tmp_path: Path) -> None:
    async with OnFeishu(tmp_path, Nonsense("no event"), debounce=False) as house:
        await house.bring([b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe", b"", b"7"])
        assert house.listener.set_aside == 5
        assert not house.listener.bad
