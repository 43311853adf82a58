"""A unit of work is kept whole or not at all, whoever else is at work and wherever it dies."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager

import pytest

from bot.store import PeeweeStore
from bot.store.repositories import StoreRepositories
from core.concern.model import Status
from core.errors import StaleVersion
from core.ids import ConcernId
from tests.contract.store_samples import NOW, concern, fact, job, sent

CONCERN = ConcernId("con_20260316_001")


class Killed(BaseException):
    """The process dies here."""


def decide(repos: StoreRepositories) -> None:
    """What a decision commits: the fact handled, the next state, its effects."""
    (stored,) = repos.facts.claim(NOW, 1)
    known = repos.concerns.get(CONCERN)
    assert known is not None
    repos.concerns.save(known.model_copy(update={"status": Status.RESOLVED, "closed_at": NOW}))
    repos.jobs.add(job("report", concern_id=CONCERN))
    repos.facts.handled(stored.fact_id, "decide", "goal met", "rules", NOW)


def outcome(store: PeeweeStore) -> tuple[int, Status, bool]:
    """Facts that wait, status of the concern, whether the report is there."""

    def look(repos: StoreRepositories) -> tuple[int, Status, bool]:
        known = repos.concerns.get(CONCERN)
        assert known is not None
        return repos.facts.unhandled_count(), known.status, repos.jobs.get("report") is not None

    return store.run_now(look)


BEFORE = (1, Status.WAITING_REPLY, False)
AFTER = (0, Status.RESOLVED, True)


@contextmanager
def opened(url: str, failing_at: str = "") -> Iterator[PeeweeStore]:
    """A store that dies at a failpoint."""

    def failpoint(name: str) -> None:
        if name == failing_at:
            raise Killed(name)

    store = PeeweeStore(url, inline=True, failpoint=failpoint)
    try:
        yield store
    finally:
        store.close()


@pytest.fixture
def decided_url(store_url: str) -> str:
    """A database with an unhandled fact and an open concern."""
    with opened(store_url) as store:
        store.run_now(lambda repos: repos.facts.add(fact("1"), NOW))
        store.run_now(lambda repos: repos.concerns.add(concern(1)))
    return store_url


def test_a_decision_is_kept_whole(decided_url: str) -> None:
    with opened(decided_url) as store:
        store.run_now(decide)
        assert outcome(store) == AFTER


@pytest.mark.parametrize("error", [StaleVersion("newer"), ValueError("wrong"), Killed(), asyncio.CancelledError()])
def test_what_raises_leaves_nothing_and_is_raised(decided_url: str, error: BaseException) -> None:
    def work(repos: StoreRepositories) -> None:
        decide(repos)
        raise error

    with opened(decided_url) as store:
        with pytest.raises(type(error)):
            store.run_now(work)
        assert outcome(store) == BEFORE
        store.run_now(decide)
        assert outcome(store) == AFTER


def test_death_before_the_commit_leaves_nothing(decided_url: str) -> None:
    with opened(decided_url, "now.before_commit") as store, pytest.raises(Killed):
        store.run_now(decide)
    with opened(decided_url) as store:
        assert outcome(store) == BEFORE


def test_death_after_the_commit_leaves_all(decided_url: str) -> None:
    with opened(decided_url, "now.after_commit") as store, pytest.raises(Killed):
        store.run_now(decide)
    with opened(decided_url) as store:
        assert outcome(store) == AFTER


def test_death_between_claim_and_send_sends_once(store_url: str) -> None:
    with opened(store_url) as store:
        store.run_now(lambda repos: repos.jobs.add(job("a")))
    with opened(store_url, "now.after_commit") as store, pytest.raises(Killed):
        store.run_now(lambda repos: repos.jobs.claim(NOW, 1))
    with opened(store_url) as store:
        assert store.run_now(lambda repos: repos.jobs.release(repos.me)) == []
        (again,) = store.run_now(lambda repos: repos.jobs.claim(NOW, 1))
        assert again.job.key == "a"


def test_what_was_stored_is_there_after_a_restart(store_url: str) -> None:
    with opened(store_url) as store:
        store.run_now(lambda repos: repos.meta.set("telegram.offset", "17"))
        store.run_now(lambda repos: repos.concerns.next_id("20260316"))
    with opened(store_url) as store:
        assert store.run_now(lambda repos: repos.meta.get("telegram.offset")) == "17"
        assert store.run_now(lambda repos: repos.concerns.next_id("20260316")) == "con_20260316_002"


def test_a_unit_of_work_takes_no_other_into_it(store: PeeweeStore) -> None:
    with pytest.raises(RuntimeError, match="inside"):
        store.run_now(lambda repos: store.run_now(lambda repos: None))


# --- on its thread ---


@pytest.fixture
def threaded(store_url: str) -> Iterator[PeeweeStore]:
    store = PeeweeStore(store_url)
    yield store
    store.close()


async def test_work_runs_on_one_thread_which_is_not_the_loops(threaded: PeeweeStore) -> None:
    names = await asyncio.gather(*(threaded.run(lambda repos: threading.get_ident()) for _ in range(20)))
    assert len(set(names)) == 1
    assert names[0] != threading.get_ident()
    assert threaded.run_now(lambda repos: threading.get_ident()) == names[0]


async def test_units_of_work_never_overlap(threaded: PeeweeStore) -> None:
    def count(repos: StoreRepositories) -> None:
        repos.meta.set("n", str(int(repos.meta.get("n") or 0) + 1))

    await asyncio.gather(*(threaded.run(count) for _ in range(50)))
    assert await threaded.run(lambda repos: repos.meta.get("n")) == "50"


async def test_what_raises_is_raised_where_it_is_awaited(threaded: PeeweeStore) -> None:
    def work(repos: StoreRepositories) -> None:
        repos.meta.set("n", "1")
        raise StaleVersion("newer")

    with pytest.raises(StaleVersion, match="newer"):
        await threaded.run(work)
    assert await threaded.run(lambda repos: repos.meta.get("n")) is None


async def test_a_unit_that_was_begun_is_finished_though_nobody_waits(threaded: PeeweeStore) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def work(repos: StoreRepositories) -> None:
        begun.set()
        go_on.wait(10)
        repos.meta.set("n", "1")

    task = asyncio.create_task(threaded.run(work))
    await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go_on.set()
    assert await threaded.run(lambda repos: repos.meta.get("n")) == "1"


async def test_what_came_in_is_stored_before_whatever_waits_and_in_its_order(threaded: PeeweeStore) -> None:
    begun, go_on = threading.Event(), threading.Event()
    done: list[str] = []

    def hold(repos: StoreRepositories) -> None:
        begun.set()
        go_on.wait(10)

    async def unit(name: str, at: str) -> None:
        await threaded.run(lambda repos: done.append(name), at=at)

    running = [asyncio.create_task(threaded.run(hold, at="judge"))]
    await asyncio.to_thread(begun.wait, 10)
    running += [asyncio.create_task(unit(f"others {n}", "judge")) for n in range(5)]
    running += [asyncio.create_task(unit(f"fact {n}", "accept")) for n in range(2)]
    await asyncio.sleep(0)
    cancelled = running[2]
    cancelled.cancel()
    await asyncio.wait([cancelled])  # what waits on the thread hears of it in a later turn of the loop
    go_on.set()
    await asyncio.gather(*running, return_exceptions=True)
    assert done == ["fact 0", "fact 1", "others 0", "others 2", "others 3", "others 4"]


async def test_a_closed_store_takes_no_work(store_url: str) -> None:
    threaded, inline = PeeweeStore(store_url), PeeweeStore(store_url, inline=True)
    for store in (threaded, inline):
        store.close()
        store.close()
        with pytest.raises(RuntimeError):
            await store.run(lambda repos: None)
        with pytest.raises(RuntimeError):
            store.run_now(lambda repos: None)


# --- several at once ---


def test_readers_who_then_write_wait_for_one_another(store_url: str) -> None:
    """As several processes on one database would: each has a store, and reads before it writes."""

    def work(number: int) -> None:
        with opened(store_url) as store:
            for n in range(25):
                key = f"{number}-{n}"
                store.run_now(lambda repos, k=key: (repos.jobs.next_due(), repos.jobs.add(job(k, lane=k))))

    PeeweeStore(store_url, inline=True).close()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    with opened(store_url) as store:
        assert len(store.run_now(lambda repos: repos.jobs.claim(NOW, 200))) == 100


def test_ids_are_given_once_to_whoever_asks(store_url: str) -> None:
    def take(_: int) -> list[str]:
        with opened(store_url) as store:
            return [store.run_now(lambda repos: repos.concerns.next_id("20260316")) for _ in range(25)]

    PeeweeStore(store_url, inline=True).close()
    with ThreadPoolExecutor(4) as pool:
        given = [each for ids in pool.map(take, range(4)) for each in ids]
    assert len(set(given)) == 100


def test_workers_claim_one_after_another(store_url: str) -> None:
    """Else two might take two jobs of one lane, while a third changes their order."""
    with opened(store_url) as one, opened(store_url) as other, ThreadPoolExecutor(1) as pool:
        for key in ("first", "second"):
            one.run_now(lambda repos, k=key: repos.jobs.add(job(k, lane=k)))

        def claim(repos: StoreRepositories, *busy: str) -> list[str]:
            return [claimed.job.key for claimed in repos.jobs.claim(NOW, 1, busy=busy)]

        def claim_beside_another(repos: StoreRepositories) -> tuple[list[str], Future[list[str]]]:
            mine = claim(repos)
            theirs = pool.submit(other.run_now, lambda repos: claim(repos, "first"))
            assert not wait([theirs], timeout=0.2).done
            return mine, theirs

        mine, theirs = one.run_now(claim_beside_another)
        assert (mine, theirs.result(10)) == (["first"], ["second"])


def test_workers_share_the_jobs_and_no_lane(store_url: str) -> None:
    """Four workers on one database: each job is done once, and never two of a lane at a time."""
    lanes = [f"lane {n}" for n in range(7)]
    at_work: set[str] = set()
    done: list[str] = []
    guard = threading.Lock()
    with opened(store_url) as store:
        for n in range(84):
            store.run_now(lambda repos, n=n: repos.jobs.add(job(str(n), lane=lanes[n % len(lanes)])))

    def work(_: int) -> None:
        with opened(store_url) as store:
            while len(done) < 84:
                for claimed in store.run_now(lambda repos: repos.jobs.claim(NOW, 3)):
                    with guard:
                        assert claimed.job.lane not in at_work
                        at_work.add(claimed.job.lane)
                    store.run_now(lambda repos, k=claimed.job.key: repos.receipts.add(sent(k)))
                    with guard:
                        at_work.remove(claimed.job.lane)
                        done.append(claimed.job.key)
                    assert store.run_now(lambda repos, k=claimed.job.key: repos.jobs.done(k))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert sorted(done, key=int) == [str(n) for n in range(84)]
    by_lane = [[key for key in done if int(key) % 7 == lane] for lane in range(7)]
    assert by_lane == [sorted(keys, key=int) for keys in by_lane]
