"""Calling a matter off, whoever says so and how: with a schedule goes what it has asked, and what is still to leave."""

from __future__ import annotations

from core.concern import steer
from core.concern.closing import cancelled
from core.concern.decision import Setting
from core.concern.model import Concern, ConcernType
from core.effects import Outgoing, Purpose, Send, Words
from core.hub.commit import apply, commit
from core.hub.owed import forgo_of, title_of
from core.ids import ConversationId
from core.people import Person
from core.ports import Repositories


def call_off(
    repos: Repositories, concern: Concern, setting: Setting, answer_in: ConversationId | None, by: Person
) -> None:
    """Let an open matter go and say so in `answer_in`. Of a schedule an unanswered run is not chased any more either;
    those whom it asked are told that it is settled. A reminder of it that has not left does not leave.
    """
    commit(repos, steer.cancel(concern, setting, answer_in, by))
    if concern.type is not ConcernType.SCHEDULE or concern.initiator_id is None:
        return
    for run in repos.concerns.open_by_initiator(concern.initiator_id):
        if run.trigger is not None and run.trigger.get("schedule_id") == concern.concern_id:
            commit(repos, cancelled(run, f"{by.name}取消了定时", setting, "schedule-off"))
    for record in forgo_of(repos, concern.initiator_id, concern.concern_id):
        words = Words(template="chat/callback_off", values={"title": title_of(record), "out": True})
        message = Outgoing(purpose=Purpose.REPLY, to=by.person_id, conversation=answer_in, words=words, answers=True)
        apply(repos, Send(key=f"out:{record.id}", due=setting.now, message=message))
