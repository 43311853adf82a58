"""The ability `deep_task`: begin one; and how one is kept and stopped. Its steps are taken in `core/hub/tasks.py`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from core.action.meta_actions import DeepTaskParameters
from core.action.task import DeepTaskState, ended
from core.brain.questions import ConcernBrief
from core.callbacks import record_id
from core.context.workspace import Block, BlockKind
from core.effects import Expire, Task
from core.hub.commit import apply
from core.hub.errand import DONE, Done, Errand, Scene, failed
from core.hub.owed import forgo
from core.ids import PersonId
from core.people import INSPECTORS
from core.ports import Repositories

OPEN_FOR = timedelta(days=3650)
"""A running task outlives any pause of the process: its next step ends it, where its time is over, and says so."""

KEPT_FOR = timedelta(hours=1)
"""So long a task that is over can still be looked back on by the conversation."""


def deep_task(scene: Scene, wish: DeepTaskParameters) -> Done:
    """Keep the task, queue its first step, and say how to stop it."""
    running, limits = running_tasks(scene.repos, scene.sender.person_id), scene.services.limits.task
    if len(running) >= limits.at_once:
        return failed("chat/task_too_many", titles=[task.title for task in running])
    steps = wish.steps or limits.steps
    state = DeepTaskState(
        task_id=f"task:{scene.key}",
        goal=wish.goal,
        errand=scene.errand.model_dump(mode="json"),
        steps=steps,
        tokens=steps * limits.step_tokens,
        started_at=scene.now,
        expires_at=scene.now + limits.lasts,
    )
    keep_task(scene.repos, state)
    queue_step(scene.repos, state, scene.now)
    scene.answer("chat/task_started", title=state.title)
    return DONE


def stop_task(scene: Scene, task_id: str) -> bool:
    """Stop a task and say so; the owner and admins may stop anybody's. False when there is none to stop.

    One that has come to its end meanwhile is stopped too, as long as its result has not left.
    """
    state = kept_task(scene.repos, task_id)
    if state is None or state.state == "cancelled" or not _may_stop(scene, state):
        return False
    late = state.state != "running" and forgo(scene.repos, record_id(task_id)) != "off"
    if not late:
        end_task(scene.repos, ended(state, "cancelled"), scene.now)
    scene.answer("chat/task_stopped", part=f"stopped:{task_id}", title=state.title, out=late)
    return True


def _may_stop(scene: Scene, state: DeepTaskState) -> bool:
    mine = Errand.model_validate(state.errand).person_id == scene.sender.person_id
    return mine or scene.sender.role in INSPECTORS


def task_briefs(repos: Repositories, person_id: PersonId) -> tuple[ConcernBrief, ...]:
    """The running tasks of a person, as something that they can ask about and call off."""
    return tuple(
        ConcernBrief(concern_id=task.task_id, kind="task", title=task.title, goal=task.goal, status="in_progress")
        for task in running_tasks(repos, person_id)
    )


# --- how a task is kept -----------------------------------------------------------------------------------------------


def running_tasks(repos: Repositories, person_id: PersonId) -> tuple[DeepTaskState, ...]:
    """A person's tasks that are not over, oldest first."""
    blocks = repos.blocks.of(person_id, BlockKind.DEEP_TASK)
    states = (DeepTaskState.model_validate(block.content) for block in blocks)
    return tuple(state for state in states if state.state == "running")


def kept_task(repos: Repositories, task_id: str) -> DeepTaskState | None:
    """The task as it stands; None when it is long over or never was."""
    block = repos.blocks.get(task_id)
    if block is None or block.kind is not BlockKind.DEEP_TASK:
        return None
    return DeepTaskState.model_validate(block.content)


@dataclass(frozen=True)
class TaskProgress:
    """How far a task has come, for those who look after the queue."""

    task_id: str
    title: str
    owner: str
    """Whose it is, by name."""
    done: int
    of: int
    """Steps taken, and how many it may take."""
    state: Literal["running", "done", "cut_off", "cancelled"]
    last_tool: str | None
    started_at: datetime
    tokens_used: int
    tokens: int


def task_progress(repos: Repositories) -> tuple[TaskProgress, ...]:
    """All tasks that run, and those that ended a short while ago; the oldest first."""
    found = [
        (person.name, DeepTaskState.model_validate(block.content))
        for person in repos.people.all()
        for block in repos.blocks.of(person.person_id, BlockKind.DEEP_TASK)
    ]
    return tuple(_progress(name, state) for name, state in sorted(found, key=lambda entry: entry[1].started_at))


def _progress(owner: str, state: DeepTaskState) -> TaskProgress:
    return TaskProgress(
        task_id=state.task_id,
        title=state.title,
        owner=owner,
        done=len(state.done),
        of=state.steps,
        state=state.state,
        last_tool=state.done[-1].tool if state.done else None,
        started_at=state.started_at,
        tokens_used=state.tokens_used,
        tokens=state.tokens,
    )


def is_running(block: Block) -> bool:
    """Whether a block is a task that is not over."""
    return block.kind is BlockKind.DEEP_TASK and DeepTaskState.model_validate(block.content).state == "running"


def drop_task(repos: Repositories, task_id: str, now: datetime) -> None:
    """Stop a task without a word, also one whose result has not left yet."""
    state = kept_task(repos, task_id)
    if state is None or state.state == "cancelled":
        return
    if state.state == "running" or forgo(repos, record_id(task_id)) == "off":
        end_task(repos, ended(state, "cancelled"), now)


def keep_task(repos: Repositories, state: DeepTaskState) -> None:
    """Write the task down."""
    errand = Errand.model_validate(state.errand)
    block = Block(
        block_id=state.task_id,
        kind=BlockKind.DEEP_TASK,
        owner=errand.person_id,
        conversation=errand.conversation,
        message_id=errand.message_id,
        content=state.model_dump(mode="json"),
        summary=state.title,
        created_at=state.started_at,
        expires_at=state.started_at + OPEN_FOR if state.state == "running" else state.expires_at,
    )
    repos.blocks.put(block)


def end_task(repos: Repositories, state: DeepTaskState, now: datetime) -> None:
    """Write down how a task ended; it is forgotten a while later."""
    until = now + KEPT_FOR
    keep_task(repos, state.model_copy(update={"expires_at": until}))
    repos.jobs.cancel(_step_key(state), f"the task is {state.state}")
    apply(repos, Expire(key=f"expire:{state.task_id}", due=until, block_id=state.task_id))


def queue_step(repos: Repositories, state: DeepTaskState, now: datetime) -> None:
    """Let the next step be taken."""
    apply(repos, Task(key=_step_key(state), due=now, task_id=state.task_id, step=len(state.done)))


def _step_key(state: DeepTaskState) -> str:
    return f"{state.task_id}:{len(state.done)}"
