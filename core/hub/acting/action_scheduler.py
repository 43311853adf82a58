"""ActionScheduler: keeps a planned action as a schedule, and runs it when its moment has come (RULES 6, 8).

A run is one transaction: the schedule is read fresh, its chain begins in the executor, and what became of it is written
down, or none of it. So a crash neither loses a run nor makes it twice.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from core.action.meta_actions import REGISTRY
from core.action.model import ImmediateExecutableAction, Plan, RefusedTendency, SchedulableExecutableAction
from core.calendar.wall import utc
from core.concern.decision import Setting
from core.concern.model import Concern, ConcernType
from core.concern.planning import is_paused
from core.concern.schedule import Schedule, first_run, mode_of, schedule_of
from core.concern.scheduling import Wish, ended, fired, late_notice, notice, open_schedule, restarted, when_question
from core.effects import Advance
from core.hub.acting.executor import ActionExecutor, Keep
from core.hub.commit import apply, commit
from core.hub.errand import Errand, answer
from core.hub.services import Services, everybody, owner_day
from core.people import Person
from core.ports import Repositories
from core.schedule import Run, due_run

_INSTANT = timedelta(microseconds=1)


class ActionScheduler:
    """The one mechanism for the future of actions."""

    def __init__(self, services: Services, executor: ActionExecutor) -> None:
        self._services = services
        self._executor = executor

    def keep(self, made: SchedulableExecutableAction, errand: Errand, number: int = 0) -> Keep:
        """The writing that opens the schedule; whoever asked hears what will happen when. `number` tells the actions of
        one errand apart."""

        def write(repos: Repositories) -> None:
            setting = self._services.setting(everybody(repos))
            schedule = Schedule(
                **made.trigger.model_dump(),
                mode=mode_of(made.stages),
                tendency=made.tendency,
                stages=made.stages,
                conversation=errand.conversation,
            )
            wish = Wish(
                concern_id=repos.concerns.next_id(owner_day(setting.now, repos.people.owner())),
                schedule=schedule,
                words=errand.words,
                initiator=setting.people[errand.person_id],
                channel=errand.channel,
                channel_user_id=errand.channel_user_id,
                origin_message_id=errand.message_id,
                simple_mode=errand.simple_mode,
                cause=errand.cause,
            )
            decision = open_schedule(wish, setting)
            if decision is None:
                asked = when_question(made.tendency, "never", setting)
                apply(repos, answer(errand, setting.now, asked, key=f"never:{errand.cause}:{number}"))
            else:
                commit(repos, decision, new=True)

        return write

    def fire(self, repos: Repositories, work: Advance) -> None:
        """Make the run that is due, if one still is. Raises `StaleVersion` when the schedule changed meanwhile."""
        concern = repos.concerns.get(work.concern_id)
        if concern is None or concern.type is not ConcernType.SCHEDULE or not concern.status.is_open:
            return
        setting = self._services.setting(everybody(repos))
        schedule = schedule_of(concern)
        if schedule.fired_by == work.key or is_paused(concern, setting.now):
            return
        concern = concern.model_copy(update={"paused_until": None})
        if schedule.kind != "event" and (concern.due_at is None or concern.due_at > setting.now):
            return
        if concern.due_at is not None and not _is_run(concern, concern.due_at, setting):
            # The end of a pause in which its moment went by, or a day that is not worked any more.
            commit(repos, restarted(concern, setting, work.key))
            return
        initiator = setting.people.get(concern.initiator_id) if concern.initiator_id else None
        if initiator is None or not _may(initiator, schedule):
            commit(repos, ended(concern, "发起人没有这个权限了", "concern/schedule_forbidden", setting, work.key))
            return
        run = due_run(schedule, concern.due_at, setting.now, initiator) if concern.due_at else Run(at=setting.now)
        self._run(repos, concern, run, setting, work.key)

    def _run(self, repos: Repositories, concern: Concern, run: Run, setting: Setting, cause: str) -> None:
        schedule, source = schedule_of(concern), concern.source.initiator
        assert source is not None
        assert source.person_id is not None
        errand = Errand(
            person_id=source.person_id,
            conversation=schedule.conversation,
            channel=source.channel,
            channel_user_id=source.channel_user_id,
            cause=cause,
            words=concern.source.detail,
            schedule_id=concern.concern_id,
            meant_for=run.at,
        )
        if setting.now - run.at >= setting.limits.schedule.late_after and not _speaks_for_itself(schedule):
            apply(repos, notice(concern, late_notice(concern, run, setting), f"late:{cause}", setting))
        action = ImmediateExecutableAction(tendency=schedule.tendency, stages=schedule.stages)
        made = self._executor.run(repos, action, errand)
        ok = made.state != "failed"
        commit(repos, fired(concern, run, ok, "已执行" if ok else "没办成", setting, cause))


def at_its_time(made: Plan) -> Plan:
    """The plan for words that were kept for now: they are not kept once more, else they would come back for ever."""
    if not isinstance(made, SchedulableExecutableAction):
        return made
    if any(step.key == "schedule" for steps in made.stages.values() for step in steps):
        return RefusedTendency(tendency=made.tendency, kind="no_action", reason="it has been kept once already")
    return ImmediateExecutableAction(tendency=made.tendency, stages=made.stages)


def _is_run(concern: Concern, at: datetime, setting: Setting) -> bool:
    found = first_run(concern, at - _INSTANT, setting)
    return found is not None and utc(found) == utc(at)


def _may(person: Person, schedule: Schedule) -> bool:
    """Authority follows the sender: what they may no longer ask for is not done in their name."""
    return all(step.key in REGISTRY and person.role in REGISTRY[step.key].info.who_may for step in schedule.steps)


def _speaks_for_itself(schedule: Schedule) -> bool:
    """A reminder to oneself says that it is late in its own text."""
    return all(step.key == "remind" and not step.people for step in schedule.steps)
