"""Blocks that are taken up once, and values by name."""

import pytest

from bot.store import PeeweeStore
from core.context.workspace import Block, BlockKind
from core.ids import ConcernId
from tests.contract.store_samples import HOUR, MINUTE, NOW, OWNER, OWNER_CHAT, TICK, ZHANG

FIRST = ConcernId("con_20260316_001")


def block(block_id: str, minutes: int = 0, kind: BlockKind = BlockKind.WHICH_CONCERN) -> Block:
    return Block(
        block_id=block_id,
        kind=kind,
        owner=OWNER,
        conversation=OWNER_CHAT,
        content={"concern_ids": [FIRST], "nested": {"数": 1, "none": None}},
        summary="哪一件？",
        created_at=NOW + minutes * MINUTE,
        expires_at=NOW + HOUR,
    )


def test_a_block_comes_back_whole(store: PeeweeStore) -> None:
    store.run_now(lambda repos: repos.blocks.add(block("b1")))
    assert store.run_now(lambda repos: repos.blocks.get("b1")) == block("b1")
    assert store.run_now(lambda repos: repos.blocks.get("b2")) is None


def test_a_block_is_taken_up_once(store: PeeweeStore) -> None:
    store.run_now(lambda repos: repos.blocks.add(block("b1")))
    assert store.run_now(lambda repos: repos.blocks.take("b1")) == block("b1")
    assert store.run_now(lambda repos: repos.blocks.take("b1")) is None
    assert store.run_now(lambda repos: repos.blocks.get("b1")) is None


def test_blocks_of_a_person_come_oldest_first_and_by_kind(store: PeeweeStore) -> None:
    confirmation = block("b3", 3, BlockKind.ACTIONS_NEED_CONFIRMATION)
    for each in (confirmation, block("b2", 2), block("b1", 1)):
        store.run_now(lambda repos, b=each: repos.blocks.add(b))
    of_owner = store.run_now(lambda repos: repos.blocks.of(OWNER))
    assert [b.block_id for b in of_owner] == ["b1", "b2", "b3"]
    asked = store.run_now(lambda repos: repos.blocks.of(OWNER, BlockKind.ACTIONS_NEED_CONFIRMATION))
    assert asked == (confirmation,)
    assert store.run_now(lambda repos: repos.blocks.of(ZHANG)) == ()


def test_a_block_is_put_whether_it_is_there_or_not(store: PeeweeStore) -> None:
    state = block("b1", kind=BlockKind.ACTION_STATES)
    later = state.model_copy(update={"content": {"stage": 2}, "expires_at": NOW + 2 * HOUR})
    for each in (state, later, block("b2")):
        store.run_now(lambda repos, b=each: repos.blocks.put(b))
    assert store.run_now(lambda repos: repos.blocks.get("b1")) == later
    assert store.run_now(lambda repos: repos.blocks.sweep(NOW + 2 * HOUR)) == 0
    assert [b.block_id for b in store.run_now(lambda repos: repos.blocks.of(OWNER))] == ["b1", "b2"]


def test_what_lapsed_and_nobody_waits_for_is_swept(store: PeeweeStore) -> None:
    for kind in BlockKind:
        store.run_now(lambda repos, k=kind: repos.blocks.add(block(k.value, kind=k)))
    assert store.run_now(lambda repos: repos.blocks.sweep(NOW + HOUR)) == 0
    assert store.run_now(lambda repos: repos.blocks.sweep(NOW + HOUR + TICK)) == len(BlockKind) - 2
    left = {b.kind for b in store.run_now(lambda repos: repos.blocks.of(OWNER))}
    assert left == {BlockKind.ACTIONS_NEED_CONFIRMATION, BlockKind.WHICH_CONCERN}


@pytest.mark.parametrize("value", ["", "7", "a" * 100_000, "清海 '\"\n"])
def test_a_value_is_kept_by_name_and_replaced(store: PeeweeStore, value: str) -> None:
    assert store.run_now(lambda repos: repos.meta.get("offset")) is None
    store.run_now(lambda repos: repos.meta.set("offset", "before"))
    store.run_now(lambda repos: repos.meta.set("offset", value))
    assert store.run_now(lambda repos: repos.meta.get("offset")) == value
