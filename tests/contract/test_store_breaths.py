"""Messages of one breath in the inbox: claimed together, closed together, each found by its own id."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.runtime.breath import put
from bot.store import PeeweeStore
from core.errors import TakenOver
from core.facts import FactKind, StoredFact
from core.ids import FactId
from core.limits import DebounceLimits
from tests.contract.store_samples import HOUR, NOW, fact

SECOND = timedelta(seconds=1)
LIMITS = DebounceLimits()


def breath(store: PeeweeStore) -> FactId:
    """Three messages, a second apart."""
    for number in range(3):
        new = fact(f"e{number}", text=f"第{number}句", occurred_at=NOW + number * SECOND)
        store.run_now(lambda repos, f=new, n=number: put(repos, f, NOW + n * SECOND, LIMITS))  # type: ignore[misc]
    (first,) = rows(store, "SELECT min(id) FROM facts")
    return FactId(first[0])


def rows(store: PeeweeStore, sql: str) -> list[tuple[object, ...]]:
    return list(store.run_now(lambda repos: store._db.execute_sql(sql).fetchall()))


def states(store: PeeweeStore) -> list[object]:
    return [row[0] for row in rows(store, "SELECT state FROM facts ORDER BY id")]


def claim(store: PeeweeStore, after: timedelta) -> list[StoredFact]:
    return store.run_now(lambda repos: repos.facts.claim(NOW + after, 9))


def test_they_are_claimed_as_one_once_nothing_more_came(store: PeeweeStore) -> None:
    first = breath(store)
    assert store.run_now(lambda repos: repos.facts.next_due()) == NOW + 4 * SECOND
    assert claim(store, 3.9 * SECOND) == []
    (taken,) = claim(store, 4 * SECOND)
    assert taken.fact_id == first
    assert taken.fact.text == "第0句\n第1句\n第2句"
    assert [part.message_id for part in taken.parts] == ["m-e0", "m-e1", "m-e2"]
    assert store.run_now(lambda repos: repos.facts.get(first)) == taken


def test_a_second_copy_of_a_message_changes_nothing(store: PeeweeStore) -> None:
    breath(store)
    for number in (0, 2):
        copy = fact(f"e{number}", text="另一句")
        assert store.run_now(lambda repos, f=copy: put(repos, f, NOW + 3 * SECOND, LIMITS)) is None  # type: ignore[misc]
    assert store.run_now(lambda repos: repos.facts.next_due()) == NOW + 4 * SECOND


def test_what_comes_while_they_are_read_is_no_part_of_them(store: PeeweeStore) -> None:
    breath(store)
    claim(store, 4 * SECOND)
    store.run_now(lambda repos: put(repos, fact("late"), NOW + 4 * SECOND, LIMITS))
    assert states(store) == ["unhandled", "joined", "joined", "unhandled"]
    assert claim(store, 7 * SECOND) == []  # its chat is busy


def test_nor_what_comes_after_they_failed_once(store: PeeweeStore) -> None:
    first = breath(store)
    claim(store, 4 * SECOND)
    store.run_now(lambda repos: repos.facts.defer(first, NOW + HOUR, 1))
    store.run_now(lambda repos: put(repos, fact("late"), NOW + 5 * SECOND, LIMITS))
    assert states(store) == ["unhandled", "joined", "joined", "unhandled"]
    (again,) = claim(store, HOUR)
    assert (again.fact_id, len(again.parts)) == (first, 3)


def test_they_are_closed_together_by_who_holds_them(store_url: str) -> None:
    one, other = (PeeweeStore(store_url, inline=True, me=me) for me in ("one", "other"))
    try:
        first = breath(one)
        assert claim(one, 4 * SECOND)
        assert claim(other, 4 * SECOND) == []
        with pytest.raises(TakenOver):
            other.run_now(lambda repos: repos.facts.handled(first, "raise", "", "rules", NOW))
        assert states(one) == ["unhandled", "joined", "joined"]
        one.run_now(lambda repos: repos.facts.handled(first, "raise", "", "rules", NOW))
        assert states(one) == ["handled"] * 3
        assert rows(one, "SELECT DISTINCT decision FROM facts") == [("raise",)]
    finally:
        one.close()
        other.close()


def test_of_a_first_one_that_cannot_be_read_the_others_are_read_by_themselves(store: PeeweeStore) -> None:
    breath(store)
    store.run_now(lambda repos: store._db.execute_sql("UPDATE facts SET body = '{}' WHERE event_id = 'e0'"))
    assert claim(store, 4 * SECOND) == []
    texts = []
    for _ in range(2):
        (taken,) = claim(store, 5 * SECOND)
        texts.append(taken.fact.text)
        store.run_now(lambda repos, t=taken: repos.facts.handled(t.fact_id, "converse", "", "", NOW))  # type: ignore[misc]
    assert texts == ["第1句", "第2句"]


def test_a_clock_that_is_set_back_makes_nobody_wait(store: PeeweeStore) -> None:
    breath(store)
    store.run_now(lambda repos: repos.facts.set_back(HOUR, NOW + 2 * SECOND))
    assert len(claim(store, 4 * SECOND - HOUR)) == 1


def changed(store: PeeweeStore, kind: FactKind, number: int, text: str = "") -> StoredFact:
    """All of it after that change of one message."""
    new = fact(f"{kind}{number}{text}", kind=kind, message_id=f"m-e{number}", text=text, occurred_at=NOW + HOUR)
    added = store.run_now(lambda repos: repos.facts.add(new, NOW + HOUR))
    assert added is not None
    return store.run_now(lambda repos: repos.facts.whole(StoredFact(fact_id=added, fact=new)))


def test_a_change_of_one_is_a_change_of_all_of_it(store: PeeweeStore) -> None:
    breath(store)
    after = changed(store, FactKind.EDIT, 1, "改了")
    assert (after.fact.kind, after.fact.message_id) == (FactKind.EDIT, "m-e0")
    assert after.fact.text == "第0句\n改了\n第2句"
    assert [part.message_id for part in after.parts] == ["m-e0", "m-e1", "m-e2"]
    assert changed(store, FactKind.RECALL, 0).fact.text == "改了\n第2句"
    assert changed(store, FactKind.RECALL, 2).fact.text == "改了"
    gone = changed(store, FactKind.RECALL, 1)
    assert (gone.fact.kind, gone.fact.message_id, gone.parts) == (FactKind.RECALL, "m-e0", ())


def test_a_change_of_a_message_that_stood_alone_is_its_own(store: PeeweeStore) -> None:
    store.run_now(lambda repos: repos.facts.add(fact("e0"), NOW))
    assert changed(store, FactKind.EDIT, 0, "改了").fact.text == "改了"
    assert changed(store, FactKind.EDIT, 7, "没见过").fact.text == "没见过"
