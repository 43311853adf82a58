"""Writing a decision: concern, agenda and effects in one transaction, all of it or nothing."""

from __future__ import annotations

from core.concern.decision import Decision
from core.concern.model import Concern
from core.concern.refs import ref_of
from core.effects import Act, Advance, CallBack, Effect, Expire, Hasten, Outgoing, Report, Send, Task, Withdraw
from core.jobs import Job, JobKind
from core.ports import Repositories


def commit(repos: Repositories, decision: Decision, *, new: bool = False) -> Concern:
    """Keep a decision. Raises `StaleVersion` when the concern was changed since it was read."""
    concern = decision.concern
    if new:
        repos.concerns.add(concern)
    else:
        concern = repos.concerns.save(concern)
    _keep_agenda(repos, concern)
    for entry in decision.recent:
        repos.agenda.record(entry)
    for effect in decision.effects:
        apply(repos, effect, concern.version)
    return concern


def _keep_agenda(repos: Repositories, concern: Concern) -> None:
    """The agenda follows in the same transaction: nothing else ever changes the order."""
    if concern.status.is_open:
        ref = ref_of(concern)
        owner = repos.people.owner() if ref.owner is None else None
        repos.agenda.put(ref if owner is None else ref.model_copy(update={"owner": owner.person_id}))
    else:
        repos.agenda.remove(concern.concern_id)


def apply(repos: Repositories, effect: Effect, version: int = 0) -> None:
    """Turn one effect into rows."""
    match effect:
        case Send():
            repos.jobs.add(delivery(effect))
        case Report():
            _report(repos, effect, version)
        case Advance():
            repos.jobs.add(
                Job(
                    key=effect.key,
                    kind=JobKind.ADVANCE,
                    lane=f"concern:{effect.concern_id}",
                    due=effect.due,
                    payload=effect.model_dump_json(),
                    concern_id=effect.concern_id,
                    person_id=effect.person_id,
                )
            )
        case Withdraw():
            _withdraw(repos, effect)
        case Hasten():
            _hasten(repos, effect)
        case Expire():
            _add(repos, effect, JobKind.EXPIRE, f"block:{effect.block_id}")
        case Act():
            _add(repos, effect, JobKind.ACT, effect.conversation)
        case Task():
            _add(repos, effect, JobKind.TASK, f"task:{effect.task_id}")
        case CallBack():
            repos.callbacks.add(effect.record)


def _add(repos: Repositories, effect: Expire | Act | Task, kind: JobKind, lane: str) -> None:
    repos.jobs.add(Job(key=effect.key, kind=kind, lane=lane, due=effect.due, payload=effect.model_dump_json()))


def delivery(send: Send) -> Job:
    """The job of a message. Messages to one person, or into one chat, leave one after another."""
    message = send.message
    return Job(
        key=send.key,
        kind=JobKind.DELIVER,
        lane=f"to:{message.to or message.conversation}",
        due=send.due,
        payload=message.model_dump_json(),
        concern_id=message.concern_id,
        person_id=message.to,
    )


def _report(repos: Repositories, effect: Report, version: int) -> None:
    """One report waits per concern: a later occasion pulls it forward, and it decides anew when it may leave."""
    waiting = [j for j in repos.jobs.waiting(effect.concern_id) if j.kind is JobKind.REPORT]
    if waiting and repos.jobs.reschedule(waiting[0].key, min(effect.due, waiting[0].due)):
        return
    repos.jobs.add(
        Job(
            key=f"report:{effect.concern_id}:{version}",
            kind=JobKind.REPORT,
            lane=f"report:{effect.to or effect.concern_id}",
            due=effect.due,
            payload=effect.model_dump_json(),
            concern_id=effect.concern_id,
        )
    )


def _hasten(repos: Repositories, effect: Hasten) -> None:
    if effect.concern_id is None:
        repos.jobs.reschedule(effect.key, effect.due)
        return
    for job in repos.jobs.waiting(effect.concern_id):
        if job.kind is JobKind.DELIVER and job.due > effect.due:
            repos.jobs.reschedule(job.key, effect.due)


def _withdraw(repos: Repositories, effect: Withdraw) -> None:
    for job in repos.jobs.waiting(effect.concern_id):
        if job.kind is JobKind.REPORT and effect.reports:
            repos.jobs.cancel(job.key, "superseded")
        if job.kind is not JobKind.DELIVER or (effect.keys is not None and job.key not in effect.keys):
            continue
        message = Outgoing.model_validate_json(job.payload)
        meant = effect.purposes is None or message.purpose in effect.purposes
        if meant and (effect.person_id is None or message.to == effect.person_id):
            repos.jobs.cancel(job.key, "withdrawn")
