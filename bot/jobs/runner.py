"""Runs claimed jobs by kind, and decides what a failure means: again later, or dead with the reason kept."""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import datetime, timedelta

from bot.brain.budget import new_turn
from bot.jobs.deliver import Deliveries
from bot.store.repositories import StoreRepositories
from bot.store.repositories.jobs import ClaimedJob
from bot.store.unit import PeeweeStore
from core.context.workspace import BlockKind, hint_lapsed
from core.effects import Act, Advance, Expire, Outgoing, Purpose, Send, Task, Words
from core.errors import BrainError, StaleVersion
from core.hub.acting.executor import ActionExecutor
from core.hub.commit import apply
from core.hub.loop import AgentLoop
from core.hub.services import Services
from core.hub.tasks import DeepTasks
from core.jobs import MODEL_RETRIES, TASK_RETRIES, Job, JobKind, RetryPolicy

log = logging.getLogger(__name__)

TOLD_AFTER_FAILURES = 3
"""The initiator hears once that the model does not answer (RULES 4)."""

FAULT_RETRIES = RetryPolicy(delays=(timedelta(seconds=5), timedelta(minutes=1), timedelta(minutes=10)), most=5)
"""A fault of our own: tried a few times, then kept as dead with its reason, so that it can be seen and mended."""

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

    async def run(self, claimed: ClaimedJob) -> None:
        """Run one job to its end: done, put off, or dead. Never raises but for cancellation."""
        new_turn()
        try:
            await self._dispatch(claimed)
        except BrainError as error:
            await self._brain_failed(claimed, error)
        except StaleVersion as error:
            await self._again(claimed, CHANGED_RETRIES, str(error))
        except Exception as error:
            log.exception("job %s failed", claimed.job.key)
            await self._again(claimed, FAULT_RETRIES, f"{type(error).__name__}: {error}")

    def clear_up(
        self, repos: StoreRepositories, lapsed_at: datetime | None = None, busy_lanes: Collection[str] = ()
    ) -> None:
        """What a crash left: running work goes back to the queue, what was being sent is in doubt and counts as sent.

        While the bot runs, with `lapsed_at`: what nobody works on any more, for its outcome could not be written down.
        """
        for job in repos.jobs.recover(lapsed_at, busy_lanes):
            log.warning("job %s is in doubt: nobody wrote down what became of it", job.key)
            self._deliveries.recovered(repos, job)
        repos.blocks.sweep(self._services.clock.now())

    async def _dispatch(self, claimed: ClaimedJob) -> None:
        match claimed.job.kind:
            case JobKind.DELIVER:
                await self._deliveries.deliver(claimed)
            case JobKind.REPORT:
                await self._deliveries.report(claimed)
            case JobKind.ADVANCE:
                await self._loop.advance(Advance.model_validate_json(claimed.job.payload))
                await self._store.run(lambda repos: repos.jobs.done(claimed.job.key))
            case JobKind.ACT:
                await self._executor.go_on(Act.model_validate_json(claimed.job.payload))
                await self._store.run(lambda repos: repos.jobs.done(claimed.job.key))
            case JobKind.TASK:
                await self._tasks.step(Task.model_validate_json(claimed.job.payload))
                await self._store.run(lambda repos: repos.jobs.done(claimed.job.key))
            case JobKind.EXPIRE:
                await self._store.run(lambda repos: self._expire(repos, claimed))

    def _expire(self, repos: StoreRepositories, claimed: ClaimedJob) -> None:
        """A block of the workspace lapses; somebody who was asked for a yes is told so."""
        effect = Expire.model_validate_json(claimed.job.payload)
        repos.jobs.done(claimed.job.key)
        block = repos.blocks.take(effect.block_id)
        if block is None or block.kind is not BlockKind.ACTIONS_NEED_CONFIRMATION:
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

    async def _again(self, claimed: ClaimedJob, policy: RetryPolicy, reason: str) -> None:
        failures = claimed.job.attempts + 1
        wait = policy.after(failures)
        if wait is None:
            await self._store.run(lambda repos: self._dead(repos, claimed.job, reason))
            return
        due = self._services.clock.now() + wait
        await self._store.run(lambda repos: repos.jobs.retry(claimed.job.key, due, failures, reason))

    def _dead(self, repos: StoreRepositories, job: Job, reason: str) -> None:
        """It does not go on: no matter vanishes for it, its initiator hears of it."""
        repos.jobs.dead(job.key, reason)
        if job.kind is JobKind.DELIVER:
            self._deliveries.lost(repos, job, "a fault of our own")
            return
        if job.kind is JobKind.ACT:
            self._executor.give_up(repos, Act.model_validate_json(job.payload))
            return
        if job.kind is JobKind.TASK:
            self._tasks.cut_off(repos, Task.model_validate_json(job.payload))
            return
        concern = repos.concerns.get(job.concern_id) if job.concern_id else None
        if job.kind is not JobKind.ADVANCE or concern is None or concern.initiator_id is None:
            return
        message = Outgoing(
            purpose=Purpose.NOTICE,
            to=concern.initiator_id,
            concern_id=concern.concern_id,
            words=Words(template="chat/stuck", values={"title": concern.title}),
        )
        apply(repos, Send(key=f"stuck:{job.key}", due=self._services.clock.now(), message=message))
