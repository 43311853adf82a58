"""Invites are redeemed once and in time; wrong codes are counted for a while."""

from datetime import timedelta

from bot.store import PeeweeStore
from core.ids import PersonId
from core.people import Invite
from tests.contract.store_samples import HOUR, LI, MINUTE, NOW, OWNER, TICK, ZHANG

DAY = timedelta(days=1)


def invite(digest: str, minutes: int = 0, person: PersonId = ZHANG) -> Invite:
    at = NOW + minutes * MINUTE
    return Invite(digest=digest, person_id=person, created_by=OWNER, created_at=at, expires_at=at + DAY)


def add(store: PeeweeStore, *invites: Invite) -> None:
    for each in invites:
        store.run_now(lambda repos, i=each: repos.invites.add(i))


def test_an_invite_is_redeemed_once(store: PeeweeStore) -> None:
    add(store, invite("a"))
    assert store.run_now(lambda repos: repos.invites.take("b", NOW)) is None
    assert store.run_now(lambda repos: repos.invites.take("a", NOW)) == invite("a")
    assert store.run_now(lambda repos: repos.invites.take("a", NOW)) is None
    assert store.run_now(lambda repos: repos.invites.pending(ZHANG, NOW)) == ()


def test_an_invite_lapses(store: PeeweeStore) -> None:
    add(store, invite("a"))
    assert store.run_now(lambda repos: repos.invites.take("a", NOW + DAY)) is None
    assert store.run_now(lambda repos: repos.invites.take("a", NOW + DAY - TICK)) == invite("a")


def test_pending_ones_of_a_person_come_oldest_first(store: PeeweeStore) -> None:
    add(store, invite("b", 1), invite("a", 2), invite("c", 0), invite("d", 0, LI))
    assert [i.digest for i in store.run_now(lambda repos: repos.invites.pending(ZHANG, NOW))] == ["c", "b", "a"]
    after = store.run_now(lambda repos: repos.invites.pending(ZHANG, NOW + DAY + MINUTE))
    assert [i.digest for i in after] == ["a"]


def test_a_dropped_invite_is_worthless(store: PeeweeStore) -> None:
    add(store, invite("a"), invite("b"))
    store.run_now(lambda repos: repos.invites.drop("a"))
    assert store.run_now(lambda repos: repos.invites.take("a", NOW)) is None
    assert store.run_now(lambda repos: repos.invites.take("b", NOW)) == invite("b")


def test_wrong_codes_are_counted_by_user_and_time(store: PeeweeStore) -> None:
    for channel, user, at in (("telegram", "1", NOW), ("telegram", "1", NOW + HOUR), ("telegram", "2", NOW)):
        store.run_now(lambda repos, w=(channel, user, at): repos.invites.failed(*w))

    def failures(channel: str, user: str, since: timedelta) -> int:
        return store.run_now(lambda repos: repos.invites.failures(channel, user, NOW + since))

    assert failures("telegram", "1", timedelta()) == 2
    assert failures("telegram", "1", TICK) == 1
    assert failures("telegram", "2", timedelta()) == 1
    assert failures("feishu", "1", timedelta()) == 0


def test_wrong_codes_of_an_earlier_day_are_forgotten(store: PeeweeStore) -> None:
    store.run_now(lambda repos: repos.invites.failed("telegram", "1", NOW))
    store.run_now(lambda repos: repos.invites.failed("telegram", "2", NOW + DAY + TICK))
    assert store.run_now(lambda repos: repos.invites.failures("telegram", "1", NOW - DAY)) == 0
