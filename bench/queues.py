"""Queues under measurement, each in a process of its own: `python -m bench.queues NAME fill|measure --at WHERE …`.

Every one holds `waiting` jobs that are due much later, `due` that are due at `NOW`, and, where it keeps what is over,
`done` that are finished. Measured is an idle look (a day before anything is due), the first claim, and how long it
takes to work off what is due. Prints the figures as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pickle
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import psutil

NOW = datetime.fromisoformat("2030-01-02T12:00:00+00:00")
BEFORE = NOW - timedelta(days=1)
"""Nothing is due yet."""
ZONE = timezone(timedelta(hours=8))
AT_ONCE = 16
LOOKS = 300
CLAIMS = 9
PATIENCE_S = 300.0


@dataclass(frozen=True)
class Load:
    """How many jobs there are: due much later, due now, finished."""

    waiting: int
    due: int
    done: int = 0


@dataclass(frozen=True)
class Figures:
    """Seconds, for `drain` and `worked` a job; `memory` is the growth while working off, in bytes.

    `drain` is claim and done, `worked` the whole way through what runs jobs in the product. None: not measured.
    """

    idle_p50: float
    idle_p95: float
    claim: float
    drain: float
    memory: int
    worked: float | None = None


def timed(work: Callable[[], Any], times: int = LOOKS) -> list[float]:
    """Seconds of each run, sorted."""
    spans = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        spans.append(time.perf_counter() - began)
    return sorted(spans)


def p95(spans: list[float]) -> float:
    """Of sorted spans."""
    return spans[int(0.95 * (len(spans) - 1))]


class Ours:
    """The product's own table and store, on the database at a URL."""

    def __init__(self, where: str) -> None:
        from bot.store import PeeweeStore

        self.url = where if "://" in where else f"sqlite:///{where}"
        self.store = PeeweeStore(self.url, inline=True)

    def fill(self, load: Load) -> None:
        """Rows as the product writes them: the kind that lets a block lapse, each in a lane of its own."""
        from bench.rows import fill_jobs

        fill_jobs(self.store, "later", load.waiting, state="pending", first=NOW + timedelta(days=1))
        fill_jobs(self.store, "now", load.due, state="pending", first=NOW - timedelta(hours=1))
        fill_jobs(self.store, "done", load.done, state="done", first=NOW - timedelta(days=30))

    def look(self, now: datetime) -> int:
        """Take what is due at `now`, at most as many as the runtime takes at once."""
        return len(self.store.run_now(lambda repos: repos.jobs.claim(now, AT_ONCE), at="claim"))

    def drain(self) -> int:
        """Claim and done, each in a transaction of its own, until nothing is due."""
        ended = 0
        while claimed := self.store.run_now(lambda repos: repos.jobs.claim(NOW, AT_ONCE), at="claim"):
            for one in claimed:
                self.store.run_now(lambda repos, key=one.job.key: repos.jobs.done(key), at="done")  # type: ignore[misc]
                ended += 1
        return ended

    def give_back(self) -> None:
        """As it was before the first claim."""
        self.store.run_now(lambda repos: repos.jobs.release(repos.me))

    def close(self) -> None:
        """Let go of the database."""
        self.store.close()

    def worked(self, load: Load) -> float:
        """Seconds a job for as many again, through the runtime and the runner of the product as it is put together."""
        from bench.rows import fill_jobs

        fill_jobs(self.store, "again", load.due, state="pending", first=NOW - timedelta(hours=1))
        return asyncio.run(self._worked(load.due))

    async def _worked(self, due: int) -> float:
        from bot.app import build_app
        from bot.settings import build_settings
        from bot.system import SequenceIds, VirtualClock
        from core.brain.rules import RuleBrain

        settings = build_settings({"owner": {"id": "p_1", "name": "老板", "telegram": 1}}, "the bench")
        app = await build_app(
            settings, clock=VirtualClock(NOW), ids=SequenceIds(), brain=RuleBrain(), channels={}, database_url=self.url
        )
        try:
            began = time.perf_counter()
            running = asyncio.create_task(app.run())
            while self.store.run_now(lambda repos: repos.jobs.next_due()) < NOW:  # type: ignore[operator]
                await asyncio.sleep(0.02)
                if time.perf_counter() - began > PATIENCE_S:
                    raise SystemExit("the runtime does not work off what is due")
            span = time.perf_counter() - began
            app.stop()
            await running
        finally:
            await app.close()
        return span / due


class Table:
    """A bare indexed table: what a claim costs at the least."""

    def __init__(self, where: str) -> None:
        self.db = sqlite3.connect(where, isolation_level=None)
        self.db.executescript("PRAGMA journal_mode=wal; PRAGMA synchronous=normal")

    def fill(self, load: Load) -> None:
        """Rows with the same columns that a queue needs at the least."""
        self.db.execute("CREATE TABLE jobs (id INTEGER PRIMARY KEY, due INTEGER, state TEXT, payload TEXT)")
        rows = [*_moments(load)] + [(NOW - timedelta(days=30), "done")] * load.done
        self.db.execute("BEGIN")
        values = ((int(at.timestamp()), state, "x" * 100) for at, state in rows)
        self.db.executemany("INSERT INTO jobs (due, state, payload) VALUES (?, ?, ?)", values)
        self.db.execute("CREATE INDEX jobs_due ON jobs (due, id) WHERE state = 'pending'")
        self.db.execute("COMMIT")

    def look(self, now: datetime) -> int:
        """Claim by one statement."""
        return len(self._claim(now))

    def _claim(self, now: datetime) -> list[tuple[int]]:
        first = "SELECT id FROM jobs WHERE state = 'pending' AND due <= ? ORDER BY due, id LIMIT ?"
        take = f"UPDATE jobs SET state = 'running' WHERE id IN ({first}) RETURNING id"
        return self.db.execute(take, (int(now.timestamp()), AT_ONCE)).fetchall()

    def drain(self) -> int:
        """Claim and done, each in a transaction of its own."""
        ended = 0
        while claimed := self._claim(NOW):
            for one in claimed:
                self.db.execute("UPDATE jobs SET state = 'done' WHERE id = ?", one)
                ended += 1
        return ended

    def give_back(self) -> None:
        """As it was before the first claim."""
        self.db.execute("UPDATE jobs SET state = 'pending' WHERE state = 'running'")

    def close(self) -> None:
        """Let go of the database."""
        self.db.close()


def nothing() -> None:
    """The work of a job."""


class Huey:
    """huey on SQLite, as it comes; worked off by hand as its own scheduler and worker do."""

    def __init__(self, where: str) -> None:
        from huey import SqliteHuey

        self.huey = SqliteHuey("bench", filename=where, results=False)
        self.task = self.huey.task()(nothing)

    def fill(self, load: Load) -> None:
        """In one transaction, which huey itself would not do."""
        message = self.huey.serialize_task(self.task.s())
        rows = (("bench", message, at.timestamp()) for at, _ in _moments(load))
        with self.huey.storage.db(commit=True) as cursor:
            cursor.executemany("INSERT INTO schedule (queue, data, timestamp) VALUES (?, ?, ?)", rows)

    def look(self, now: datetime) -> int:
        """What of the schedule is due: that is taken out, all at once."""
        self.taken = self.huey.read_schedule(now)
        return len(self.taken)

    def drain(self) -> int:
        """Each into the queue, out of it, and run."""
        for task in self.huey.read_schedule(NOW):
            self.huey.enqueue(task)
        ended = 0
        while (task := self.huey.dequeue()) is not None:
            self.huey.execute(task)
            ended += 1
        return ended

    def give_back(self) -> None:
        """As it was before the first claim."""
        for task in self.taken:
            self.huey.add_schedule(task)

    def close(self) -> None:
        """Let go of the database."""
        self.huey.storage.close()


class Scheduler:
    """APScheduler 3 with its SQLAlchemy job store on SQLite, as it comes; worked off as its scheduler does."""

    def __init__(self, where: str) -> None:
        from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
        from apscheduler.schedulers.background import BackgroundScheduler

        self.jobs = SQLAlchemyJobStore(url=f"sqlite:///{where}")
        self.scheduler = BackgroundScheduler(jobstores={"default": self.jobs}, timezone="UTC")
        self.scheduler.start(paused=True)

    def fill(self, load: Load) -> None:
        """In a few transactions, where APScheduler would make one for each job."""
        job = self.scheduler.add_job("bench.queues:nothing", "date", run_date=NOW, id="0", misfire_grace_time=None)
        state = job.__getstate__()
        self.scheduler.remove_job("0")
        batch = []
        for n, (at, _) in enumerate(_moments(load)):
            told = pickle.dumps({**state, "id": str(n), "next_run_time": at}, self.jobs.pickle_protocol)
            batch.append({"id": str(n), "next_run_time": at.timestamp(), "job_state": told})
        with self.jobs.engine.begin() as connection:
            connection.execute(self.jobs.jobs_t.insert(), batch)

    def look(self, now: datetime) -> int:
        """Its scheduler asks for what is due and for when the next will be."""
        due = self.jobs.get_due_jobs(now)
        self.jobs.get_next_run_time()
        return len(due)

    def drain(self) -> int:
        """Each is run and taken out."""
        ended = 0
        for job in self.jobs.get_due_jobs(NOW):
            job.func()
            self.jobs.remove_job(job.id)
            ended += 1
        return ended

    def give_back(self) -> None:
        """Looking takes nothing."""

    def close(self) -> None:
        """Let go of the database."""
        self.scheduler.shutdown()


def _moments(load: Load) -> Iterator[tuple[datetime, str]]:
    for n in range(load.waiting):
        yield NOW + timedelta(days=1, seconds=n), "pending"
    for n in range(load.due):
        yield NOW - timedelta(hours=1) + timedelta(milliseconds=n), "pending"


SUBJECTS: dict[str, Callable[[str], Any]] = {
    "ours": Ours,
    "postgres": Ours,
    "table": Table,
    "huey": Huey,
    "apscheduler": Scheduler,
}


def measure(subject: Any, load: Load) -> Figures:
    """Idle looks, the first claim, then all that is due."""
    idle = timed(lambda: subject.look(BEFORE))
    claims = []
    for _ in range(CLAIMS):
        began = time.perf_counter()
        claimed = subject.look(NOW)
        claims.append(time.perf_counter() - began)
        assert claimed, "nothing was claimed"
        subject.give_back()
    process = psutil.Process()
    before = process.memory_info().rss
    began = time.perf_counter()
    ended = subject.drain()
    span = time.perf_counter() - began
    assert ended == load.due, f"{ended} of {load.due} were worked off"
    # What was taken is not given back to the system at once: this is close to the most that there was.
    growth = process.memory_info().rss - before
    worked = subject.worked(load) if hasattr(subject, "worked") else None
    return Figures(statistics.median(idle), p95(idle), statistics.median(claims), span / load.due, growth, worked)


def main() -> None:
    """Fill, or measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.queues", description="One queue under measurement.")
    parser.add_argument("name", choices=sorted(SUBJECTS))
    parser.add_argument("step", choices=("fill", "measure"))
    parser.add_argument("--at", required=True, help="a file, or a postgresql:// URL")
    for name in ("waiting", "due", "done"):
        parser.add_argument(f"--{name}", type=int, default=0)
    options = parser.parse_args()
    load = Load(options.waiting, options.due, options.done)
    where = options.at if "://" in options.at else str(Path(options.at))
    subject = SUBJECTS[options.name](where)
    if options.step == "fill":
        subject.fill(load)
    else:
        print(json.dumps(asdict(measure(subject, load))))
    subject.close()


if __name__ == "__main__":
    main()
