"""The account of the model, and how the queue is, on each database."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.store import PeeweeStore
from bot.store.repositories import StoreRepositories
from bot.store.repositories.usage import Spent
from core.facts import Fact, FactKind
from core.ids import ConcernId, ConversationId
from core.jobs import Job, JobKind, JobState, QueueSection

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
ONE, TWO = ConcernId("con_20260316_001"), ConcernId("con_20260316_002")


def test_an_empty_account_is_nothing(store: PeeweeStore) -> None:
    assert store.run_now(lambda repos: repos.usage.since("2026-03-16")) == Spent()
    assert store.run_now(lambda repos: repos.usage.top("2026-03-16", 5)) == ()


def test_what_is_spent_adds_up_by_day_and_concern(store: PeeweeStore) -> None:
    def spend(repos: StoreRepositories) -> None:
        repos.usage.add("2026-03-15", ONE, Spent(1, 0, 1000, 100, 10))
        repos.usage.add("2026-03-16", ONE, Spent(1, 0, 10, 1, 5))
        repos.usage.add("2026-03-16", ONE, Spent(2, 1, 20, 2, 7))
        repos.usage.add("2026-03-16", TWO, Spent(1, 0, 500, 50, 9))
        repos.usage.add("2026-03-16", None, Spent(3, 3, 9000, 0, 1))

    store.run_now(spend)
    assert store.run_now(lambda repos: repos.usage.since("2026-03-16")) == Spent(7, 4, 9530, 53, 22)
    assert store.run_now(lambda repos: repos.usage.since("2026-03-15")) == Spent(8, 4, 10530, 153, 32)
    dearest = store.run_now(lambda repos: repos.usage.top("2026-03-16", 5))
    assert dearest == ((TWO, Spent(1, 0, 500, 50, 9)), (ONE, Spent(3, 1, 30, 3, 12)))
    assert store.run_now(lambda repos: repos.usage.top("2026-03-15", 1)) == ((ONE, Spent(4, 1, 1030, 103, 22)),)


def job(key: str, due: datetime) -> Job:
    return Job(key=key, kind=JobKind.DELIVER, lane=ConversationId(f"telegram:{key}"), due=due, payload="{}")


def fact(event_id: str) -> Fact:
    chat = ConversationId("telegram:1")
    return Fact(channel="t", event_id=event_id, kind=FactKind.MESSAGE, occurred_at=NOW, conversation=chat, sender="1")


def test_the_queue_tells_what_is_due_since_when_and_what_failed(store: PeeweeStore) -> None:
    def fill(repos: StoreRepositories) -> None:
        for number in range(3):
            repos.jobs.add(job(f"late{number}", NOW - timedelta(minutes=number + 1)))
        for number in range(4):
            repos.jobs.add(job(f"later{number}", NOW + timedelta(hours=number + 1)))
        repos.facts.add(fact("1"), NOW - timedelta(seconds=30))
        repos.facts.add(fact("2"), NOW - timedelta(seconds=20))

    store.run_now(fill)
    queue = store.run_now(lambda repos: repos.health.queue(NOW))
    assert (queue.pending, queue.due, queue.dead, queue.in_doubt, queue.facts) == (7, 3, 0, 0, 2)
    assert queue.oldest_due == NOW - timedelta(minutes=3)
    assert queue.oldest_fact == NOW - timedelta(seconds=30)

    def fail(repos: StoreRepositories) -> None:
        dead, doubtful, again = repos.jobs.claim(NOW, 3)
        repos.jobs.dead(dead.job.key, "gone")
        repos.jobs.sending(doubtful.job.key)
        repos.jobs.in_doubt(doubtful.job.key, "who knows")
        repos.jobs.retry(again.job.key, NOW + timedelta(minutes=1), 1, "no luck")

    store.run_now(fail)
    queue = store.run_now(lambda repos: repos.health.queue(NOW))
    assert (queue.pending, queue.due, queue.oldest_due, queue.dead, queue.in_doubt) == (5, 0, None, 1, 1)
    assert store.run_now(lambda repos: repos.queue.count(QueueSection.FAILING)) == 1
    assert len(store.run_now(lambda repos: repos.jobs.list((JobState.DEAD,), 9))) == 1


def test_the_database_tells_its_kind_and_its_size(store: PeeweeStore) -> None:
    kind, name = store.run_now(lambda repos: repos.health.database())
    assert (kind == "SQLite") == (name == ":memory:")
    assert "password" not in name
    assert store.run_now(lambda repos: repos.health.size()) > 4096
