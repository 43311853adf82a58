"""Who did what: kept in order, found by person, gone with the facts of its time."""

from __future__ import annotations

from datetime import timedelta

from bot.store import PeeweeStore
from bot.store.retention import Retention, Walk
from core.deeds import Deed
from core.ids import PersonId
from tests.contract.store_samples import LI, NOW, OWNER, ZHANG

DAY = timedelta(days=1)


def deed(n: int, by: PersonId | None = OWNER, person_id: PersonId | None = None) -> Deed:
    return Deed(at=NOW + n * DAY, by=by, how="command", what=f"w{n}", person_id=person_id)


def keep(store: PeeweeStore, *deeds: Deed) -> None:
    store.run_now(lambda repos: [repos.deeds.add(one) for one in deeds])


def whats(store: PeeweeStore, limit: int = 9, offset: int = 0, of: PersonId | None = None) -> list[str]:
    return [d.what for d in store.run_now(lambda repos: repos.deeds.latest(limit, offset, of))]


def test_the_latest_come_first_and_of_one_person_those_of_and_about_them(store: PeeweeStore) -> None:
    keep(store, deed(1), deed(2, ZHANG), deed(3, None, ZHANG), deed(4, LI, OWNER))
    assert whats(store) == ["w4", "w3", "w2", "w1"]
    assert whats(store, 2, 1) == ["w3", "w2"]
    assert whats(store, of=ZHANG) == ["w3", "w2"]
    assert whats(store, of=OWNER) == ["w4", "w1"]
    assert store.run_now(lambda repos: repos.deeds.latest(1))[0] == deed(4, LI, OWNER)


def test_they_go_when_facts_and_concerns_of_their_time_do(store: PeeweeStore) -> None:
    keep(store, deed(0), deed(50))
    walk: Walk | None = Walk()
    while walk is not None:
        walk = store.run_now(
            lambda repos, at=walk: repos.retention.prune(NOW + 120 * DAY, Retention(30 * DAY, 100 * DAY), at or Walk())
        )
    assert whats(store) == ["w50"]
