"""ActionExecutor: runs an action stage by stage, each stage in one transaction together with the note that it is done.

The first stage runs in the transaction that closes the fact which asked for it (or that of the schedule that fired):
then the fact is handled and its first deeds are done, or neither. Every further stage is a job in the lane of the
conversation, written in the transaction of the stage before it. What reaches a third person is only queued, as rows of
the same transaction; so a crash neither loses a step nor repeats one.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from core.action.meta_actions import REGISTRY
from core.action.model import ImmediateExecutableAction
from core.action.run import ActionRun, RunStep, StepState, begun, closed, started
from core.context.workspace import Block, BlockKind
from core.effects import Act, Words
from core.hub.abilities import ABILITIES, Ability
from core.hub.commit import apply
from core.hub.errand import Errand, Scene, answer
from core.hub.services import Services, everybody
from core.ids import PersonId
from core.ports import Repositories

Keep = Callable[[Repositories], None]
"""Writing that belongs into a transaction."""

KEPT_FOR = timedelta(hours=1)
"""So long a run that is over can still be looked back on by the conversation."""

OPEN_FOR = timedelta(days=3650)
"""A run under way outlives any pause of the process: its next stage does it or tells why not, and replaces it."""


class ActionExecutor:
    """Runs actions. `abilities` has what each key does; what it takes and needs stands in `REGISTRY`."""

    def __init__(self, services: Services, abilities: dict[str, Ability] | None = None) -> None:
        self._services = services
        self._abilities = ABILITIES if abilities is None else abilities

    def execute(self, action: ImmediateExecutableAction, errand: Errand, number: int = 0) -> Keep:
        """The writing of the first stage. `number` tells the actions of one errand apart."""

        def keep(repos: Repositories) -> None:
            self.run(repos, action, errand, number)

        return keep

    def run(self, repos: Repositories, action: ImmediateExecutableAction, errand: Errand, number: int = 0) -> ActionRun:
        """Begin a run: its first stage is done in this transaction, the next one is queued in it."""
        run_id = f"run:{errand.cause}:{number}"
        run = begun(action, run_id, errand.model_dump(mode="json"), self._services.clock.now())
        return self._stage(repos, run, min(run.stages))

    async def go_on(self, act: Act) -> None:
        """Run a further stage: first it is written down that it starts, then it runs and is closed."""
        if await self._services.store.run(lambda repos: self._start(repos, act), at="act_begun"):
            await self._services.store.run(lambda repos: self._continue(repos, act), at="act")

    def _start(self, repos: Repositories, act: Act) -> bool:
        run = _kept(repos, act)
        if run is None:
            return False
        self._keep(repos, started(run, act.stage))
        return True

    def _continue(self, repos: Repositories, act: Act) -> None:
        run = _kept(repos, act)
        if run is None:
            return
        sender = repos.people.get(Errand.model_validate(run.errand).person_id)
        steps = run.stages[act.stage]
        if sender is None:  # nobody is left whose errand it is
            repos.blocks.take(run.run_id)
        elif all(sender.role in REGISTRY[step.key].info.who_may for step in steps):
            self._stage(repos, run, act.stage)
        else:
            forbidden = Words(template="chat/step_forbidden")
            self._close(repos, run, act.stage, dict.fromkeys(range(len(steps)), forbidden))

    def give_up(self, repos: Repositories, act: Act) -> None:
        """A fault of our own that did not go away: the stage counts as failed, and the owner is told."""
        run = _kept(repos, act)
        if run is not None:
            fault = Words(template="chat/step_fault")
            self._close(repos, run, act.stage, dict.fromkeys(range(len(run.stages[act.stage])), fault))

    def _stage(self, repos: Repositories, run: ActionRun, stage: int) -> ActionRun:
        errand, people = Errand.model_validate(run.errand), everybody(repos)
        now = self._services.clock.now()
        problems: dict[int, Words | None] = {}
        for i, step in enumerate(run.stages[stage]):
            scene = Scene(repos, self._services, people, errand, f"{run.run_id}:{stage}:{i}", now=now)
            wish = REGISTRY[step.key].info.parameters.model_validate(step.parameters)
            problems[i] = self._abilities[step.key](scene, wish).problem
        return self._close(repos, run, stage, problems)

    def _close(self, repos: Repositories, run: ActionRun, stage: int, problems: dict[int, Words | None]) -> ActionRun:
        """Write down what became of a stage; the next one is queued, or the owner hears why there is none."""
        errand, now = Errand.model_validate(run.errand), self._services.clock.now()
        run = closed(run, stage, problems, now)
        self._keep(repos, run)
        if run.state == "failed":
            names = {p: person.name for p, person in everybody(repos).items()}
            said = answer(errand, now, _report(run, names), key=f"failed:{run.run_id}")
            apply(repos, said)
        elif (following := run.next_stage) is not None:
            key = f"act:{run.run_id}:{following}"
            act = Act(key=key, due=now, run_id=run.run_id, stage=following, conversation=errand.conversation)
            apply(repos, act)
        return run

    def _keep(self, repos: Repositories, run: ActionRun) -> None:
        errand, now = Errand.model_validate(run.errand), self._services.clock.now()
        repos.blocks.put(
            Block(
                block_id=run.run_id,
                kind=BlockKind.ACTION_STATES,
                owner=errand.person_id,
                conversation=errand.conversation,
                message_id=errand.message_id,
                content=run.model_dump(mode="json"),
                summary=run.tendency,
                created_at=run.started_at,
                expires_at=now + (OPEN_FOR if run.state == "running" else KEPT_FOR),
            )
        )


def _kept(repos: Repositories, act: Act) -> ActionRun | None:
    """The run, if this stage of it is still to be done."""
    block = repos.blocks.get(act.run_id)
    run = ActionRun.model_validate(block.content) if block is not None else None
    return run if run is not None and run.next_stage == act.stage else None


def _report(run: ActionRun, names: dict[PersonId, str]) -> Words:
    """A failed stage: what went wrong; and where there was more to it, what was done and what was not."""
    failures = run.steps(StepState.FAILED)
    problems = [s.problem for s in failures if s.problem is not None]
    others = run.steps(StepState.DONE, StepState.PENDING)
    first, *more = problems
    if not others:
        return first.model_copy(update={"lines": (*first.lines, *more)})
    steps = tuple(_told(s, names) for s in (*run.steps(StepState.DONE), *failures, *run.steps(StepState.PENDING)))
    return Words(template="chat/chain_stopped", values={"tendency": run.tendency}, lines=(*problems, *steps))


def _told(step: RunStep, names: dict[PersonId, str]) -> Words:
    """A step in a line: what it was, whom it concerned, how far it got."""
    parameters = step.parameters
    ids = [*(parameters.get("people") or ()), *([parameters["person"]] if parameters.get("person") else ())]
    text = next((parameters[k] for k in ("title", "text", "what", "goal", "words") if parameters.get(k)), "")
    values = {
        "key": step.key,
        "state": str(step.state),
        "names": [names[p] for p in map(PersonId, ids) if p in names],
        "text": text,
    }
    return Words(template="chat/step", values=values)
