"""The agenda, blocks that are taken up once, and values by name."""

import pytest

from bot.store import PeeweeStore
from core.agenda.model import ConcernRef, RecentDecision
from core.context.workspace import Block, BlockKind
from core.ids import ConcernId
from tests.contract.store_samples import HOUR, MINUTE, NOW, OWNER, OWNER_CHAT, ZHANG

FIRST, SECOND = ConcernId("con_20260316_001"), ConcernId("con_20260316_002")


def ref(concern_id: ConcernId, status: str = "pending") -> ConcernRef:
    return ConcernRef(concern_id=concern_id, priority="medium", status=status, owner=OWNER)


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


def test_a_reference_is_put_replaced_and_removed(store: PeeweeStore) -> None:
    store.run_now(lambda repos: repos.agenda.put(ref(SECOND)))
    store.run_now(lambda repos: repos.agenda.put(ref(FIRST)))
    store.run_now(lambda repos: repos.agenda.put(ref(SECOND, "waiting_reply")))
    assert store.run_now(lambda repos: repos.agenda.refs()) == (ref(FIRST), ref(SECOND, "waiting_reply"))
    store.run_now(lambda repos: repos.agenda.remove(FIRST))
    store.run_now(lambda repos: repos.agenda.remove(FIRST))
    assert store.run_now(lambda repos: repos.agenda.refs()) == (ref(SECOND, "waiting_reply"),)


def test_the_last_decisions_come_newest_first(store: PeeweeStore) -> None:
    decisions = [
        RecentDecision(at=NOW + at * MINUTE, what="dropped", why=why, concern_id=FIRST)
        for at, why in ((0, "a"), (2, "b"), (2, "c"), (1, "d"))
    ]
    for decision in decisions:
        store.run_now(lambda repos, d=decision: repos.agenda.record(d))
    recent = store.run_now(lambda repos: repos.agenda.recent(3))
    assert [decision.why for decision in recent] == ["c", "b", "d"]
    assert recent[0] == decisions[2]


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


@pytest.mark.parametrize("value", ["", "7", "a" * 100_000, "清海 '\"\n"])
def test_a_value_is_kept_by_name_and_replaced(store: PeeweeStore, value: str) -> None:
    assert store.run_now(lambda repos: repos.meta.get("offset")) is None
    store.run_now(lambda repos: repos.meta.set("offset", "before"))
    store.run_now(lambda repos: repos.meta.set("offset", value))
    assert store.run_now(lambda repos: repos.meta.get("offset")) == value
