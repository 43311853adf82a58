"""The blocks of the workspace as rows: published by a turn, with an owner and an expiry, gone once they are taken up."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from core.context.workspace import Block, BlockKind, Intention, hint_of
from core.ids import PersonId
from tests.flow.office import Office

OWNER = PersonId("p_owner")
WAITING = BlockKind.ACTIONS_NEED_CONFIRMATION
INTENTION = BlockKind.PENDING_ACTION_INTENTIONS
PAYS = "让李四给供应商付五万块"


@pytest.fixture
def office() -> Iterator[Office]:
    made = Office()
    yield made
    made.close()


def blocks(office: Office, *kinds: BlockKind) -> list[Block]:
    found: tuple[Block, ...] = office.look(lambda repos: repos.blocks.of(OWNER))
    return [b for b in found if b.kind in kinds]


def hints(office: Office) -> list[tuple[str, str]]:
    """Each communication block: which block it goes with, and what it says."""
    found = blocks(office, BlockKind.COMMUNICATION)
    return [(hint_of(b).about, hint_of(b).hint) for b in found]


def test_what_waits_for_a_yes_stands_with_its_hint_until_the_yes(office: Office) -> None:
    office.say("p_owner", PAYS)
    (waiting,) = blocks(office, WAITING)
    assert (waiting.owner, waiting.created_at) == (OWNER, office.clock.now())
    assert waiting.expires_at - waiting.created_at == timedelta(minutes=30)
    assert hints(office) == [(waiting.block_id, "awaiting")]
    office.restart()
    assert blocks(office, WAITING) == [waiting]
    office.say("p_owner", "确认")
    assert blocks(office, WAITING, BlockKind.COMMUNICATION) == []
    (run,) = blocks(office, BlockKind.ACTION_STATES)
    assert run.content["stages"]["1"][0]["state"] == "done"


@pytest.mark.parametrize("denied", [True, False])
def test_what_was_not_done_leaves_a_hint_for_a_while(office: Office, *, denied: bool) -> None:
    office.say("p_owner", PAYS)
    (waiting,) = blocks(office, WAITING)
    if denied:
        office.say("p_owner", "不用了")
    else:
        office.advance(timedelta(minutes=31))
    assert blocks(office, WAITING) == []
    assert hints(office) == [(waiting.block_id, "lapsed")]
    office.advance(timedelta(days=1))
    office.restart()  # what lapsed is swept when the bot starts, and now and then
    assert blocks(office, BlockKind.COMMUNICATION) == []


def test_a_goal_without_its_time_is_published_until_the_time_comes(office: Office) -> None:
    office.say("p_owner", "提醒我开会")
    (kept,) = blocks(office, INTENTION)
    assert Intention.model_validate(kept.content).missing == "when"
    assert kept.expires_at - kept.created_at == timedelta(minutes=30)
    office.say("p_owner", "下午三点")
    assert blocks(office, INTENTION) == []
    assert len(office.concerns()) == 1


def test_a_new_order_takes_the_place_of_a_goal_that_waits(office: Office) -> None:
    office.say("p_owner", "提醒我开会")
    office.say("p_owner", "帮我问一下张三，合同签了没有")
    assert blocks(office, INTENTION) == []


def test_a_change_takes_the_place_of_what_waited(office: Office) -> None:
    office.say("p_owner", PAYS)
    (before,) = blocks(office, WAITING)
    office.say("p_owner", "改成六万")
    (after,) = blocks(office, WAITING)
    assert before.block_id != after.block_id
    assert hints(office) == [(after.block_id, "awaiting")]
