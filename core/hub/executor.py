"""ActionExecutor: runs a planned action inside the transaction that closes the fact which asked for it.

What reaches a third person is only queued here, as rows of the same transaction; so a crash neither loses an action
nor repeats it.
"""

from __future__ import annotations

from collections.abc import Callable

from core.action.meta_actions import CancelConcernParameters, CheckConcernsParameters, RaiseConcernParameters
from core.action.model import ImmediateExecutableAction, PlannedStep
from core.brain.rules.urgency import priority_of
from core.concern import opening, reports, steer
from core.concern.model import Concern, ConcernType, Priority
from core.effects import Words
from core.hub.commit import apply, commit
from core.hub.services import Services, owner_day
from core.hub.turn import Turn
from core.ids import ConcernId, PersonId
from core.people import Role
from core.ports import Repositories

Keep = Callable[[Repositories], None]


class ActionExecutor:
    """One method an ability."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def execute(self, action: ImmediateExecutableAction, turn: Turn, *, words: str, simple_mode: bool = False) -> Keep:
        """The writing that the action amounts to. `words` are the sender's own, kept as the concern's origin."""
        steps = [step for stage in sorted(action.stages) for step in action.stages[stage]]

        def keep(repos: Repositories) -> None:
            for n, step in enumerate(steps):
                self._run(repos, step, turn, words, simple_mode, n)

        return keep

    def _run(self, repos: Repositories, step: PlannedStep, turn: Turn, words: str, simple: bool, n: int) -> None:
        match step.key:
            case "raise_concern":
                raised = RaiseConcernParameters.model_validate(step.parameters)
                self._raise_concern(repos, raised, turn, words, simple)
            case "cancel_concern":
                self._cancel_concern(repos, CancelConcernParameters.model_validate(step.parameters), turn)
            case "check_concerns":
                self._check_concerns(repos, CheckConcernsParameters.model_validate(step.parameters), turn, n)

    def _raise_concern(
        self, repos: Repositories, wish: RaiseConcernParameters, turn: Turn, words: str, simple: bool
    ) -> None:
        now = self._services.clock.now()
        people = turn.people
        proposal = opening.Proposal(
            concern_id=repos.concerns.next_id(owner_day(now, repos.people.owner())),
            type=ConcernType.DELEGATION,
            title=wish.title,
            goal=wish.goal,
            words=wish.message or words,
            initiator=turn.sender,
            channel=turn.fact.channel,
            channel_user_id=turn.fact.sender,
            conversation=turn.fact.conversation,
            origin_message_id=turn.fact.message_id,
            delegates=tuple(people[PersonId(p)] for p in wish.people if PersonId(p) in people),
            priority=Priority(wish.priority) if wish.priority else Priority(priority_of(words, wish.deadline, now)),
            deadline=wish.deadline,
            simple_mode=simple,
        )
        commit(repos, opening.open_concern(proposal, self._services.setting(people)), new=True)

    def _cancel_concern(self, repos: Repositories, wish: CancelConcernParameters, turn: Turn) -> None:
        for concern_id in wish.concern_ids:
            concern = repos.concerns.get(ConcernId(concern_id))
            if concern is not None and concern.status.is_open and may_steer(turn, concern):
                setting = self._services.setting(turn.people)
                commit(repos, steer.cancel(concern, setting, turn.fact.conversation, turn.sender))

    def _check_concerns(self, repos: Repositories, wish: CheckConcernsParameters, turn: Turn, n: int) -> None:
        mine = repos.concerns.open_by_initiator(turn.sender.person_id)
        wanted = [c for c in mine if _is_wanted(c, wish)]
        lines: tuple[Words, ...] = tuple(reports.standing(c) for c in wanted)
        person = turn.people.get(PersonId(wish.person)) if wish.person else None
        template = "chat/standing" if lines else "chat/nothing_open"
        reply = turn.reply(
            self._services.clock.now(),
            template,
            part=f"check{n}",
            lines=lines,
            count=len(lines),
            name=person.name if person else None,
        )
        apply(repos, reply)


def _is_wanted(concern: Concern, wish: CheckConcernsParameters) -> bool:
    if wish.concern_ids:
        return concern.concern_id in wish.concern_ids
    return wish.person is None or any(p.person_id == wish.person for p in concern.delegates)


def may_steer(turn: Turn, concern: Concern) -> bool:
    """The initiator, the owner and admins may; nobody else."""
    return turn.sender.role in (Role.OWNER, Role.ADMIN) or concern.initiator_id == turn.sender.person_id
