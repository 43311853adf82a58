"""Runs claimed jobs by kind, and decides what a failure means: again later, or dead with the reason kept."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from datetime import timedelta

from pydantic import ValidationError

from bot.logs import named
from bot.metrics import JOBS_DEAD
from bot.runtime.turns import Turns
from bot.sending.deliver import Deliveries
from bot.store.repositories import StoreRepositories
from bot.store.repositories.jobs import ClaimedJob
from bot.store.unit import PeeweeStore
from core.concern.changes import report_recipient
from core.context.workspace import BlockKind, companion_id, follow_up_of, hint_lapsed
from core.effects import Act, Advance, Expire, Outgoing, Purpose, Send, Task, Words
from core.errors import BrainError, StaleVersion, StorageFailed, TakenOver
from core.hub.acting.executor import ActionExecutor
from core.hub.commit import apply
from core.hub.loop import AgentLoop
from core.hub.services import Services, everybody
from core.hub.tasks import DeepTasks
from core.ids import FactId
from core.jobs import MODEL_RETRIES, TASK_RETRIES, Job, JobKind, JobState, RetryPolicy

log = logging.getLogger(__name__)

TOLD_AFTER_FAILURES = 3
"""The initiator hears once that the model does not answer (RULES 4)."""

FAULT_RETRIES = RetryPolicy(
    delays=(timedelta(seconds=5), timedelta(minutes=1), timedelta(minutes=10)), most=5, jitter=0.2
)
"""A fault of our own: tried a few times, then kept as dead with its reason, so that it can be seen and mended."""

HANGS_S = 600.0
"""Nothing takes that long: a piece of work that has not ended by then hangs, and is ended."""

CHANGED_RETRIES = RetryPolicy(delays=(timedelta(seconds=1),), most=None)


class Runner:
    """One method a kind of job."""

    def __init__(
        self,
        services: Services,
        store: PeeweeStore,
        loop: AgentLoop,
        deliveries: Deliveries,
        tasks: DeepTasks,
        executor: ActionExecutor,
    ) -> None:
        self._services = services
        self._store = store
        self._loop = loop
        self._deliveries = deliveries
        self._tasks = tasks
        self._executor = executor
        self._turns = Turns(store, services.clock)

    async def run(self, claimed: ClaimedJob) -> None:
        """Run one job to its end: done, put off, or dead.

        Raises `StorageFailed`: then nobody wrote down what became of it, and the runtime takes it back later.
        """
        async with self._turns.begin(job=claimed.id, concern=claimed.job.concern_id):
            await self._run(claimed)

    async def _run(self, claimed: ClaimedJob) -> None:
        try:
            async with asyncio.timeout(HANGS_S):
                await self._dispatch(claimed)
        except StorageFailed:
            raise
        except TimeoutError as error:
            await self._hung(claimed, named(error))
        except TakenOver as error:
            log.warning("job %s: %s", claimed.job.key, error)
        except BrainError as error:
            await self._brain_failed(claimed, error)
        except StaleVersion as error:
            await self._again(claimed, CHANGED_RETRIES, str(error))
        except Exception as error:
            log.exception("job %s failed", claimed.job.key)
            await self._again(claimed, FAULT_RETRIES, named(error))

    def release(
        self,
        repos: StoreRepositories,
        holder: str,
        facts: Collection[FactId] = (),
        jobs: Collection[int] = (),
    ) -> None:
        """Take from a process what it holds, but for what it still works on (`facts`, `jobs`).

        What it ran goes back to the queue; what it was sending is in doubt, and counts as sent.
        """
        repos.facts.release(holder, facts)
        unsent = self._deliveries.unsent if holder == repos.me else ()
        for job in repos.jobs.release(holder, jobs, unsent):
            log.warning("job %s is in doubt: nobody wrote down what became of it", job.key)
            self._recover(repos, job)

    def _recover(self, repos: StoreRepositories, job: Job) -> None:
        """A message of which nothing can be made must not keep all others in the hands of the dead."""
        try:
            with repos.apart():
                self._deliveries.recovered(repos, job)
        except StorageFailed:
            raise
        except Exception:
            log.exception("job %s stays in doubt, and nobody was told", job.key)

    def clear_up(self, repos: StoreRepositories) -> None:
        """At the start of the only process on this database: whatever is held is left from a crash."""
        for holder in repos.facts.holders() | repos.jobs.holders():
            self.release(repos, holder)
        self.sweep(repos)

    def sweep(self, repos: StoreRepositories) -> None:
        """Clear away what has lapsed."""
        repos.blocks.sweep(self._services.clock.now())
        repos.blocked.sweep(self._services.clock.now())

    async def _dispatch(self, claimed: ClaimedJob) -> None:
        match claimed.job.kind:
            case JobKind.DELIVER:
                await self._deliveries.deliver(claimed)
            case JobKind.REPORT:
                await self._deliveries.report(claimed)
            case JobKind.ADVANCE:
                await self._loop.advance(Advance.model_validate_json(claimed.job.payload))
                await self._store.run(lambda repos: repos.jobs.done(claimed.job.key), at="done")
            case JobKind.ACT:
                await self._executor.go_on(Act.model_validate_json(claimed.job.payload))
                await self._store.run(lambda repos: repos.jobs.done(claimed.job.key), at="done")
            case JobKind.TASK:
                await self._tasks.step(Task.model_validate_json(claimed.job.payload))
                await self._store.run(lambda repos: repos.jobs.done(claimed.job.key), at="done")
            case JobKind.EXPIRE:
                await self._store.run(lambda repos: self._expire(repos, claimed), at="expire")

    def _expire(self, repos: StoreRepositories, claimed: ClaimedJob) -> None:
        """A block of the workspace lapses; somebody who was asked for a yes is told so."""
        effect = Expire.model_validate_json(claimed.job.payload)
        repos.jobs.done(claimed.job.key)
        block = repos.blocks.take(effect.block_id)
        if block is None or block.kind is not BlockKind.ACTIONS_NEED_CONFIRMATION:
            return
        if follow_up_of(block) is not None:  # they were asked unasked: silence is a no
            repos.blocks.take(companion_id(block.block_id))
            return
        message = Outgoing(
            purpose=Purpose.REPLY,
            to=block.owner,
            conversation=block.conversation,
            words=Words(template="chat/expired", values={"summary": block.summary}),
            answers=True,
        )
        now = self._services.clock.now()
        apply(repos, Send(key=f"expired:{block.block_id}", due=now, message=message))
        repos.blocks.put(hint_lapsed(block, now + self._services.limits.confirm.remembered))

    async def _brain_failed(self, claimed: ClaimedJob, error: BrainError) -> None:
        log.warning("job %s: %s", claimed.job.key, error)
        if claimed.job.kind is JobKind.ADVANCE and claimed.job.attempts + 1 == TOLD_AFTER_FAILURES:
            await self._loop.tell_of_failure(Advance.model_validate_json(claimed.job.payload))
        await self._again(claimed, TASK_RETRIES if claimed.job.kind is JobKind.TASK else MODEL_RETRIES, str(error))

    async def _hung(self, claimed: ClaimedJob, reason: str) -> None:
        """A fault of ours; but what is with a channel may have arrived, and does not go out again."""

        def doubt(repos: StoreRepositories) -> bool:
            job = repos.jobs.get(claimed.job.key)
            doubtful = job is not None and job.state is JobState.SENDING and repos.jobs.in_doubt(job.key, "it hung")
            if job is not None and doubtful:
                self._deliveries.recovered(repos, job)
            return doubtful

        log.error("job %s hung and was ended", claimed.job.key)
        if not await self._store.run(doubt, at="hung"):
            await self._again(claimed, FAULT_RETRIES, reason)

    async def _again(self, claimed: ClaimedJob, policy: RetryPolicy, reason: str) -> None:
        failures = claimed.job.attempts + 1
        wait = policy.after(failures, claimed.job.key)
        if wait is None:
            await self._store.run(lambda repos: self._dead(repos, claimed.job, reason), at="dead")
            JOBS_DEAD.count(claimed.job.kind)
            return
        due = self._services.clock.now() + wait
        await self._store.run(lambda repos: repos.jobs.retry(claimed.job.key, due, failures, reason), at="retry")

    def _dead(self, repos: StoreRepositories, job: Job, reason: str) -> None:
        """It does not go on: no matter vanishes for it, its initiator hears of it."""
        repos.jobs.dead(job.key, reason)
        try:
            self._let_go(repos, job)
        except ValidationError:
            log.error("job %s cannot be read: nobody could be told that it ended", job.key)

    def _let_go(self, repos: StoreRepositories, job: Job) -> None:
        """What a job that is dead leaves behind. Raises `ValidationError`, before anything was done, for one that
        cannot be read.
        """
        if job.kind is JobKind.DELIVER:
            self._deliveries.lost(repos, job, "a fault of our own")
            return
        if job.kind is JobKind.ACT:
            self._executor.give_up(repos, Act.model_validate_json(job.payload))
            return
        if job.kind is JobKind.TASK:
            self._tasks.cut_off(repos, Task.model_validate_json(job.payload))
            return
        if job.kind is JobKind.REPORT:
            self._deliveries.report_lost(repos, job)
            return
        concern = repos.concerns.get(job.concern_id) if job.concern_id else None
        if job.kind is not JobKind.ADVANCE or concern is None:
            return
        reader = report_recipient(concern, self._services.setting(everybody(repos)))
        if reader is None:
            return
        message = Outgoing(
            purpose=Purpose.NOTICE,
            to=reader.person_id,
            concern_id=concern.concern_id,
            words=Words(template="chat/stuck", values={"title": concern.title}),
        )
        apply(repos, Send(key=f"stuck:{job.key}", due=self._services.clock.now(), message=message))
