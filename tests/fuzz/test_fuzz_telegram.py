"""Thousands of updates in and out of order, by both ways in, through the whole bot."""

from pathlib import Path

import pytest
from telegram import Update

from bot.channels.telegram.inbound import to_fact
from core.facts import FactKind
from tests.fuzz.house import MONDAY
from tests.fuzz.nonsense import Nonsense
from tests.fuzz.on_telegram import OnTelegram, PostedOnTelegram
from tests.fuzz.runs import DOCUMENTED, INPUTS, RUNS
from tests.fuzz.telegram_updates import BOT, Updates
from tests.fuzz.trial import Trial


@pytest.mark.parametrize("run", range(RUNS))
async def test_no_update_breaks_anything_is_answered_twice_or_reaches_anybody_else(run: int, tmp_path: Path) -> None:
    nonsense = Nonsense(f"telegram {run}")
    house = (OnTelegram, PostedOnTelegram)[run % 2](tmp_path, nonsense, debounce=run % 3 == 0)
    async with house:
        updates = Updates(nonsense, lambda: int(house.clock.now().timestamp()), house.shown)
        trial = Trial(house, nonsense, updates.next)
        await trial.play(INPUTS)
        await trial.end()
        assert trial.stored > INPUTS // 6
        assert trial.sent > INPUTS // 10
        assert house.listener.set_aside > INPUTS // 20


def test_what_counts_as_documented_is_read_by_the_library_too() -> None:
    updates = Updates(Nonsense("documented"), lambda: 1773626400, ["yes:b1"])
    for kind in updates.kinds:
        update = {"update_id": 1, **updates.kinds[kind](updates)}
        assert Update.de_json(update, None).to_dict().keys() == update.keys(), kind


def test_nothing_that_is_documented_is_set_aside() -> None:
    updates = Updates(Nonsense("well meant"), lambda: int(MONDAY.timestamp()), ["yes:b1"])
    facts = [to_fact(updates.documented(), BOT["username"], BOT["id"], MONDAY) for _ in range(DOCUMENTED)]
    assert {fact.kind for fact in facts if fact} == {FactKind.MESSAGE, FactKind.EDIT, FactKind.BUTTON}


def test_one_seed_gives_the_same_updates() -> None:
    one, two = (Updates(Nonsense("same"), lambda: 1773626400, ["yes:b1"]) for _ in range(2))
    assert [one.next() for _ in range(300)] == [two.next() for _ in range(300)]
