"""Deep tasks: the model works on a goal step by step, with tools that only read, and the caller gets the result.

Each step is a job: read the state, ask with no transaction open, then run the tool, write the step down and queue the
next in one transaction. A tool is an ability; what it would say to the caller is kept for the model instead. How it
ends is a callback to the caller.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import ValidationError

from core.action.meta_actions import REGISTRY, DeepTask
from core.action.task import DeepTaskState, cost_of, ended, readers, shortened, taken
from core.brain.questions import ToolUse, Work, WorkStep
from core.callbacks import TASK_COMPLETION, Callback, record_id
from core.context.model import Injection
from core.context.promises import clean_part
from core.effects import Button, CallBack, Task, Words
from core.errors import BrainMalformed
from core.facts import Fact, FactKind, StoredFact
from core.hub.abilities import ABILITIES, Ability
from core.hub.abilities.tasks import end_task, keep_task, kept_task, queue_step
from core.hub.commit import apply
from core.hub.context import read_context
from core.hub.errand import Errand, Scene
from core.hub.services import Services, everybody
from core.hub.turn import read_turn
from core.ids import FactId, PersonId
from core.patterns import lazy
from core.people import Person
from core.ports import Repositories

Tell = Callable[[Words, Person], str]
"""Words as this person would read them now."""

Spent = Callable[[], int]
"""Tokens that the questions of this turn have cost so far, as far as somebody counts them; else 0."""

Why = Literal["stuck", "expired"]
"""What cut a task off: a step failed again and again, or a day went by."""

SHOWN_CHARS = 600
"""Characters of each finding in the message of a task that was cut off."""


NO_FACT = FactId(0)
"""A task is no message: nothing in the inbox stands for it."""

_LOOKED = lazy(r"查|核对|看|look|search|check|found|find", re.IGNORECASE)
_AFTERWARDS = lazy(r"会|再|继续|将|回头|稍后|马上|这就|will|'ll|going to", re.IGNORECASE)


@dataclass(frozen=True)
class Reading(Scene):
    """A scene in which what is said to the sender is heard by the task instead: an ability becomes a query."""

    heard: list[Words] = field(default_factory=list, kw_only=True)

    def answer(
        self,
        template: str,
        *,
        part: str = "said",
        buttons: tuple[tuple[Button, ...], ...] = (),
        lines: tuple[Words, ...] = (),
        **values: Any,
    ) -> None:
        """Keep the words; nothing is sent."""
        self.heard.append(Words(template=template, values=values, lines=lines))


class DeepTasks:
    """Takes the steps. `tell` puts into words what a tool found; `abilities` has what each tool does.

    A step costs what `spent` has grown by; where that does not grow, what its texts weigh.
    """

    def __init__(
        self, services: Services, tell: Tell, abilities: Mapping[str, Ability] | None = None, spent: Spent = lambda: 0
    ) -> None:
        self._services = services
        self._tell = tell
        self._spent = spent
        self._abilities = ABILITIES if abilities is None else abilities

    async def step(self, work: Task) -> None:
        """Take one step. Raises a `BrainError` when the brain gave nothing usable; nothing was changed then."""
        question = await self._services.store.run(lambda repos: self._question(repos, work), at="task_begun")
        if question is None:
            return
        before = self._spent()
        step = await self._services.brain.ask(question)
        if not step.result and (step.tool is None or question.steps_left == 0):
            raise BrainMalformed("the next step of a task was neither a tool that may be taken nor a result")
        cost = self._spent() - before or cost_of(question, step)
        await self._services.store.run(lambda repos: self._keep(repos, work, step, cost), at="task")

    def cut_off(self, repos: Repositories, work: Task, why: Why = "stuck") -> None:
        """End a task that gets no further: its caller hears that, and what was found so far."""
        state = _current(repos, work)
        if state is None:
            return
        found = (f"· {shortened(text, SHOWN_CHARS)}" for text in state.found)
        self._end(repos, ended(state, "cut_off"), why, "\n".join(found))

    def _question(self, repos: Repositories, work: Task) -> Work | None:
        """What to ask next; None when the task is over, or ends here."""
        state, now = _current(repos, work), self._services.clock.now()
        if state is None:
            return None
        person = repos.people.get(_owner(state))
        if person is None or person.role not in DeepTask.info.who_may:  # nobody is left who may have the answer
            end_task(repos, ended(state, "cancelled"), now)
            return None
        if now >= state.expires_at:
            self.cut_off(repos, work, "expired")
            return None
        return Work(
            goal=state.goal,
            now=self._services.local_now(person),
            language=person.language,
            context=self._context(repos, state, person),
            tools=readers(person.role) if state.steps_left else (),
            done=state.done,
            steps_left=state.steps_left,
        )

    def _context(self, repos: Repositories, state: DeepTaskState, person: Person) -> str:
        """How things are with the caller, as though the goal were said now; empty where rules answer."""
        if not self._services.has_model:
            return ""
        errand = Errand.model_validate(state.errand)
        said = Fact(
            channel=errand.channel,
            event_id=state.task_id,
            kind=FactKind.PROMPT,
            occurred_at=state.started_at,
            conversation=errand.conversation,
            sender=errand.channel_user_id,
            text=state.goal,
        )
        turn = read_turn(repos, StoredFact(fact_id=NO_FACT, fact=said), person)
        begun = Injection(kind="prompt", who=person.name, set_at=state.started_at)
        return read_context(repos, self._services, turn, trigger=begun).text

    def _keep(self, repos: Repositories, work: Task, step: WorkStep, cost: int) -> None:
        """The result, or one more step and a job for the next; nothing when the task was stopped meanwhile."""
        state = _current(repos, work)
        if state is None:
            return
        if step.result:
            reader = everybody(repos)[_owner(state)]
            told = "\n".join(self._tell(words, reader) for words in _guarded(step.result))
            spent = state.model_copy(update={"tokens_used": state.tokens_used + cost})
            self._end(repos, ended(spent, "done"), "done", told)
            return
        state = taken(state, self._use(repos, state, step.tool or "", step.parameters), cost)
        keep_task(repos, state)
        queue_step(repos, state, self._services.clock.now())

    def _use(self, repos: Repositories, state: DeepTaskState, tool: str, parameters: dict[str, Any]) -> ToolUse:
        """Take a tool. One that cannot be taken costs a step too, so that a task always comes to its end."""
        people = everybody(repos)
        person = people[_owner(state)]
        if tool not in {brief.key for brief in readers(person.role)}:
            return ToolUse(tool=tool, parameters=parameters, result=f"没有叫「{tool}」的工具。", ok=False)
        try:
            wish = REGISTRY[tool].info.parameters.model_validate(parameters)
        except ValidationError as error:
            wrong = "、".join(".".join(str(part) for part in e["loc"]) for e in error.errors())
            return ToolUse(tool=tool, parameters=parameters, result=f"这些参数缺少或写错了：{wrong}。", ok=False)
        errand, key = Errand.model_validate(state.errand), f"{state.task_id}:{len(state.done)}"
        scene = Reading(repos, self._services, people, errand, key, now=self._services.clock.now())
        done = self._abilities[tool](scene, wish)
        heard = scene.heard if done.problem is None else [done.problem]
        text = "\n".join(self._tell(words, person) for words in heard)
        return ToolUse(tool=tool, parameters=parameters, result=text.strip() or "什么也没有找到。", ok=done.ok)

    def _end(self, repos: Repositories, state: DeepTaskState, outcome: str, content: str) -> None:
        """The task is over, and its caller is owed what became of it."""
        now, errand = self._services.clock.now(), Errand.model_validate(state.errand)
        end_task(repos, state, now)
        record = Callback(
            id=record_id(state.task_id),
            chat_id=errand.conversation,
            content=content,
            trigger_source=TASK_COMPLETION,
            created_at=now,
            person_id=errand.person_id,
            title=state.title,
            set_at=state.started_at,
            origin=state.task_id,
            message_id=errand.message_id,
            outcome=outcome,
        )
        apply(repos, CallBack(record=record))


def _current(repos: Repositories, work: Task) -> DeepTaskState | None:
    """The task, if it still runs and this step of it is still to be taken."""
    state = kept_task(repos, work.task_id)
    return state if state is not None and state.state == "running" and len(state.done) == work.step else None


def _guarded(result: str) -> tuple[Words, ...]:
    """The result as it may be sent. A task has looked and done nothing else: a sentence that claims more goes."""
    kept, claimed = clean_part(
        result.strip(), lambda claim: bool(_LOOKED.search(claim.words)) and not _AFTERWARDS.search(claim.words)
    )
    lines = (Words(text=kept),) if kept else ()
    return lines if claimed is None else (*lines, Words(template="chat/no_promise"))


def _owner(state: DeepTaskState) -> PersonId:
    return Errand.model_validate(state.errand).person_id
