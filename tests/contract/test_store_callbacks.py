"""Callbacks: many a chat, each taken up once and removed once, on both databases; no schedule, no clock."""

import threading
from datetime import timedelta
from typing import Any

import pytest

from bot.store import PeeweeStore
from bot.store.repositories import StoreRepositories
from core.callbacks import TASK_COMPLETION, USER_REMINDER, Callback, job_key
from core.facts import FactKind
from core.ids import ConversationId
from core.jobs import Job, JobKind
from tests.contract.store_samples import HOUR, LI, MINUTE, NOW, OWNER, OWNER_CHAT, TICK, fact

OTHER_CHAT = ConversationId("telegram:2001")


def record(record_id: str, **fields: Any) -> Callback:
    values: dict[str, Any] = {
        "id": record_id,
        "chat_id": OWNER_CHAT,
        "content": "三点开会",
        "trigger_source": USER_REMINDER,
        "created_at": NOW,
        "person_id": OWNER,
    }
    return Callback(**(values | fields))


def add(store: PeeweeStore, *records: Callback) -> list[bool]:
    return [store.run_now(lambda repos, r=r: repos.callbacks.add(r)) for r in records]


def ids(records: tuple[Callback, ...]) -> list[str]:
    return [r.id for r in records]


def test_a_record_comes_back_whole(store: PeeweeStore) -> None:
    whole = record(
        "c1",
        content="第一行\n第二行 '\"",
        trigger_source="birthday",
        fire_at=NOW + HOUR,
        title="开会",
        set_at=NOW - HOUR,
        meant_for=NOW - MINUTE,
        origin="con_20260316_001",
        outcome="done",
    )
    assert add(store, whole, record("c2", trigger_source=TASK_COMPLETION)) == [True, True]
    found = store.run_now(lambda repos: repos.callbacks.get("c1"))
    assert found == whole
    assert found is not None
    assert found.created_at.utcoffset() == NOW.utcoffset()
    assert store.run_now(lambda repos: repos.callbacks.get("c2")) == record("c2", trigger_source=TASK_COMPLETION)
    assert store.run_now(lambda repos: repos.callbacks.get("c3")) is None


def test_many_wait_for_one_chat_and_none_takes_anothers_place(store: PeeweeStore) -> None:
    add(store, *(record(f"c{n}", content=f"第{n}件") for n in range(5)), record("d", chat_id=OTHER_CHAT, person_id=LI))
    assert len(store.run_now(lambda repos: repos.callbacks.of_chat(OWNER_CHAT))) == 5
    assert store.run_now(lambda repos: repos.callbacks.remove("c2"))
    assert ids(store.run_now(lambda repos: repos.callbacks.of_chat(OWNER_CHAT))) == ["c0", "c1", "c3", "c4"]
    assert ids(store.run_now(lambda repos: repos.callbacks.of_chat(OTHER_CHAT))) == ["d"]
    assert ids(store.run_now(lambda repos: repos.callbacks.list(LI))) == ["d"]
    assert ids(store.run_now(lambda repos: repos.callbacks.list(limit=2))) == ["c0", "c1"]


def test_the_same_cause_twice_is_one_record(store: PeeweeStore) -> None:
    assert add(store, record("c1"), record("c1", content="别的")) == [True, False]
    found = store.run_now(lambda repos: repos.callbacks.get("c1"))
    assert found is not None
    assert found.content == "三点开会"


def test_the_first_due_comes_first_and_without_a_time_it_is_due_when_it_was_made(store: PeeweeStore) -> None:
    late = record("a", fire_at=NOW + HOUR)
    early = record("c", fire_at=NOW - HOUR)
    add(store, late, record("b"), early)
    assert ids(store.run_now(lambda repos: repos.callbacks.due(NOW + HOUR, 10))) == ["c", "b", "a"]
    assert ids(store.run_now(lambda repos: repos.callbacks.due(NOW + HOUR, 1))) == ["c"]
    assert ids(store.run_now(lambda repos: repos.callbacks.due(NOW, 10))) == ["c", "b"], "the rest is not even read"
    assert ids(store.run_now(lambda repos: repos.callbacks.due(NOW - TICK, 10))) == ["c"]
    assert store.run_now(lambda repos: repos.callbacks.next_at(NOW)) == NOW + HOUR
    assert store.run_now(lambda repos: repos.callbacks.next_at(NOW - TICK)) == NOW
    assert store.run_now(lambda repos: repos.callbacks.next_at(NOW + HOUR)) is None


def test_chats_can_be_left_out(store: PeeweeStore) -> None:
    add(store, *(record(f"c{n}") for n in range(3)), record("d", chat_id=OTHER_CHAT, created_at=NOW + HOUR))
    assert ids(store.run_now(lambda repos: repos.callbacks.due(NOW + HOUR, 2, {OWNER_CHAT}))) == ["d"]
    assert store.run_now(lambda repos: repos.callbacks.due(NOW + HOUR, 2, {OWNER_CHAT, OTHER_CHAT})) == ()


def test_one_is_taken_up_once_and_waits_on_until_it_is_removed(store: PeeweeStore) -> None:
    add(store, record("c1"))
    assert [store.run_now(lambda repos: repos.callbacks.fire("c1")) for _ in range(2)] == [True, False]
    assert store.run_now(lambda repos: repos.callbacks.due(NOW, 10)) == ()
    assert store.run_now(lambda repos: repos.callbacks.next_at(NOW - HOUR)) is None
    assert ids(store.run_now(lambda repos: repos.callbacks.list())) == ["c1"]
    assert store.run_now(lambda repos: repos.callbacks.hold("c1"))
    assert [store.run_now(lambda repos: repos.callbacks.remove("c1")) for _ in range(2)] == [True, False]
    assert not store.run_now(lambda repos: repos.callbacks.hold("c1"))
    assert not store.run_now(lambda repos: repos.callbacks.fire("c1"))


def test_a_transaction_that_fails_leaves_it_as_it_was(store: PeeweeStore) -> None:
    add(store, record("c1"))

    def fails(repos: StoreRepositories) -> None:
        repos.callbacks.remove("c1")
        repos.callbacks.add(record("c2"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.run_now(fails)
    assert ids(store.run_now(lambda repos: repos.callbacks.list())) == ["c1"]


def test_who_holds_it_keeps_everybody_else_waiting(store_url: str) -> None:
    """Called off while it is being looked at for sending: whoever comes second sees what the first has done."""
    one, other = PeeweeStore(store_url, inline=True, me="one"), PeeweeStore(store_url, me="other")
    add(one, record("c1"))
    job = Job(key=job_key("c1"), kind=JobKind.DELIVER, lane="to:p_owner", due=NOW)
    one.run_now(lambda repos: repos.jobs.add(job))
    held, seen = threading.Event(), []

    def calls_off(repos: StoreRepositories) -> None:
        if repos.callbacks.hold("c1"):
            found = repos.jobs.get(job.key)
            seen.append(found.state.value if found else None)

    def sends(repos: StoreRepositories) -> None:
        assert repos.callbacks.hold("c1")
        (claimed,) = repos.jobs.claim(NOW, 1)
        waiting = threading.Thread(target=lambda: (held.set(), other.run_now(calls_off)))
        threads.append(waiting)
        waiting.start()
        assert held.wait(10)
        repos.jobs.sending(claimed.job.key)

    threads: list[threading.Thread] = []
    one.run_now(sends)
    threads[0].join(20)
    assert seen == ["sending"]
    one.close()
    other.close()


# --- busy: whether a chat is being served; delivering: whether by a callback ---


def busy(store: PeeweeStore, after: timedelta = timedelta()) -> bool:
    return store.run_now(lambda repos: repos.facts.busy(OWNER_CHAT, NOW + after))


def delivering(store: PeeweeStore, after: timedelta = timedelta()) -> bool:
    return store.run_now(lambda repos: repos.facts.delivering(OWNER_CHAT, NOW + after))


def test_a_chat_is_busy_while_a_fact_of_it_waits_or_is_worked_on(store: PeeweeStore) -> None:
    assert not busy(store)
    store.run_now(lambda repos: repos.facts.add(fact("1", conversation=OTHER_CHAT), NOW))
    assert not busy(store)
    fact_id = store.run_now(lambda repos: repos.facts.add(fact("2", conversation=OWNER_CHAT), NOW))
    assert busy(store)
    store.run_now(lambda repos: repos.facts.claim(NOW, 10))
    assert busy(store)
    assert fact_id is not None
    store.run_now(lambda repos: repos.facts.defer(fact_id, NOW + HOUR, 1))
    assert not busy(store)
    assert busy(store, HOUR)
    store.run_now(lambda repos: repos.facts.handled(fact_id, "ignore", "", "", NOW))
    assert not busy(store, HOUR)


def test_callbacks_and_messages_on_their_way_make_no_chat_busy(store: PeeweeStore) -> None:
    due = fact("c1", channel="callback", kind=FactKind.CALLBACK, conversation=OWNER_CHAT, message_id=None)
    store.run_now(lambda repos: repos.facts.add(due, NOW))
    job = Job(key="k", kind=JobKind.DELIVER, lane="to:p_owner", due=NOW)
    store.run_now(lambda repos: repos.jobs.add(job))
    store.run_now(lambda repos: repos.jobs.claim(NOW, 10))
    assert not busy(store)
    assert delivering(store)


def test_a_callback_in_hand_is_told_apart_from_one_that_was_put_off(store: PeeweeStore) -> None:
    due = fact("c1", channel="callback", kind=FactKind.CALLBACK, conversation=OWNER_CHAT, message_id=None)
    assert not delivering(store)
    fact_id = store.run_now(lambda repos: repos.facts.add(due, NOW))
    assert fact_id is not None
    store.run_now(lambda repos: repos.facts.claim(NOW, 10))
    assert delivering(store)
    store.run_now(lambda repos: repos.facts.defer(fact_id, NOW + HOUR, 1))
    assert not delivering(store)
    assert delivering(store, HOUR)
    store.run_now(lambda repos: repos.facts.handled(fact_id, "converse", "", "", NOW))
    assert not delivering(store, HOUR)


def test_a_stage_that_runs_makes_its_chat_busy(store: PeeweeStore) -> None:
    store.run_now(lambda repos: repos.jobs.add(Job(key="a", kind=JobKind.ACT, lane=OWNER_CHAT, due=NOW)))
    assert not busy(store)
    store.run_now(lambda repos: repos.jobs.claim(NOW, 10))
    assert busy(store)
    store.run_now(lambda repos: repos.jobs.done("a"))
    assert not busy(store)
