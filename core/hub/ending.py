"""Calling a matter off, whoever says so and how: with a schedule goes what it has asked already."""

from __future__ import annotations

from core.concern import steer
from core.concern.closing import cancelled
from core.concern.decision import Setting
from core.concern.model import Concern, ConcernType
from core.hub.commit import commit
from core.ids import ConversationId
from core.people import Person
from core.ports import Repositories


def call_off(
    repos: Repositories, concern: Concern, setting: Setting, answer_in: ConversationId | None, by: Person
) -> None:
    """Let an open matter go and say so in `answer_in`. Of a schedule an unanswered run is not chased any more either;
    those whom it asked are told that it is settled.
    """
    commit(repos, steer.cancel(concern, setting, answer_in, by))
    if concern.type is not ConcernType.SCHEDULE or concern.initiator_id is None:
        return
    for run in repos.concerns.open_by_initiator(concern.initiator_id):
        if run.trigger is not None and run.trigger.get("schedule_id") == concern.concern_id:
            commit(repos, cancelled(run, f"{by.name}取消了定时", setting, "schedule-off"))
