"""Receipts are found by message, counted by person, and never lose a doubt."""

from typing import Any

import pytest

from bot.store import PeeweeStore
from core.effects import Purpose
from core.ids import ConversationId
from core.ports import SentMessage
from tests.contract.store_samples import HOUR, MINUTE, NOW, OWNER, OWNER_CHAT, TICK, ZHANG, sent


def keep(store: PeeweeStore, *messages: SentMessage) -> None:
    for message in messages:
        store.run_now(lambda repos, m=message: repos.receipts.add(m))


def to_owner(store: PeeweeStore, *purposes: Purpose) -> list[str]:
    found = store.run_now(lambda repos: repos.receipts.to_person(OWNER, purposes or list(Purpose), NOW - HOUR))
    return [message.job_key for message in found]


def test_a_receipt_is_found_by_its_message_in_its_chat(store: PeeweeStore) -> None:
    whole = sent("a", part=0, decision_id="d1", block_id="b1", counted=True, text="好\0")
    keep(store, whole, sent("b", channel="feishu", message_id="s-a"), sent("c", chat="2001", message_id="s-a"))
    assert store.run_now(lambda repos: repos.receipts.by_message("telegram", "1001", "s-a")) == whole
    assert store.run_now(lambda repos: repos.receipts.by_message("telegram", "1001", "s-b")) is None


def test_each_part_of_a_job_has_one_receipt(store: PeeweeStore) -> None:
    keep(store, sent("a"), sent("a", message_id="again"), sent("a", part=1, message_id="second"))
    found = [
        store.run_now(lambda repos, m=m: repos.receipts.by_message("telegram", "1001", m)) for m in ("s-a", "again")
    ]
    assert found == [sent("a"), None]
    assert store.run_now(lambda repos: repos.receipts.by_message("telegram", "1001", "second")) is not None


def test_a_doubt_is_kept_until_the_message_is_known(store: PeeweeStore) -> None:
    keep(store, sent("a", message_id=None), sent("b", message_id=None, at=NOW + MINUTE), sent("c"))
    assert [m.job_key for m in store.run_now(lambda repos: repos.receipts.in_doubt(10))] == ["b", "a"]
    assert [m.job_key for m in store.run_now(lambda repos: repos.receipts.in_doubt(1))] == ["b"]
    keep(store, sent("a", message_id=None, at=NOW + HOUR))
    assert [m.at for m in store.run_now(lambda repos: repos.receipts.in_doubt(10))] == [NOW + MINUTE, NOW]
    known = sent("a", at=NOW + HOUR, chat="1002")
    keep(store, known, sent("a", message_id=None))
    assert [m.job_key for m in store.run_now(lambda repos: repos.receipts.in_doubt(10))] == ["b"]
    assert store.run_now(lambda repos: repos.receipts.by_message("telegram", "1002", "s-a")) == known


def test_messages_to_a_person_come_oldest_first_without_later_parts(store: PeeweeStore) -> None:
    keep(store, sent("late", at=NOW + MINUTE), sent("early"), sent("early", part=1), sent("other", to=ZHANG))
    keep(store, sent("long ago", at=NOW - HOUR - TICK), sent("an hour ago", at=NOW - HOUR))
    assert to_owner(store) == ["an hour ago", "early", "late"]


def test_messages_to_a_person_are_chosen_by_purpose(store: PeeweeStore) -> None:
    for purpose in (Purpose.REPORT, Purpose.FOLLOW_UP, Purpose.FIRST_CONTACT):
        keep(store, sent(purpose.value, purpose=purpose))
    assert to_owner(store, Purpose.FOLLOW_UP, Purpose.FIRST_CONTACT) == ["follow_up", "first_contact"]
    assert store.run_now(lambda repos: repos.receipts.to_person(OWNER, [], NOW - HOUR)) == ()


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, 1),
        ({"counted": False}, 0),
        ({"part": 1}, 0),
        ({"to": ZHANG}, 0),
        ({"at": NOW - HOUR}, 1),
        ({"at": NOW - HOUR - TICK}, 0),
        ({"message_id": None}, 1),
    ],
)
def test_what_counts_towards_the_silence_budget(store: PeeweeStore, fields: dict[str, Any], expected: int) -> None:
    keep(store, sent("a", **({"counted": True} | fields)))
    assert store.run_now(lambda repos: repos.receipts.counted_since(OWNER, NOW - HOUR)) == expected


def test_the_last_of_a_purpose_in_a_chat(store: PeeweeStore) -> None:
    keep(store, sent("a"), sent("b"), sent("c", at=NOW - MINUTE), sent("d", purpose=Purpose.REPLY, at=NOW + HOUR))
    last = store.run_now(lambda repos: repos.receipts.last_in(OWNER_CHAT, Purpose.REPORT))
    assert last == sent("b")
    assert store.run_now(lambda repos: repos.receipts.last_in(OWNER_CHAT, Purpose.NOTICE)) is None
    elsewhere = ConversationId("telegram:2001")
    assert store.run_now(lambda repos: repos.receipts.last_in(elsewhere, Purpose.REPORT)) is None


def test_a_receipt_to_nobody_in_particular_is_kept(store: PeeweeStore) -> None:
    keep(store, sent("a", to=None, concern_id=None))
    found = store.run_now(lambda repos: repos.receipts.by_message("telegram", "1001", "s-a"))
    assert found is not None
    assert (found.to, found.concern_id) == (None, None)


def test_every_request_counts_for_the_pace(store: PeeweeStore) -> None:
    keep(store, sent("a", at=NOW - MINUTE), sent("b", at=NOW), sent("c", chat="-7", at=NOW + TICK, requests=3))
    found = store.run_now(lambda repos: repos.receipts.since(NOW - MINUTE))
    assert found == ((OWNER_CHAT, NOW), *[(ConversationId("telegram:-7"), NOW + TICK)] * 3)
