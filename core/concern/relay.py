"""Words that were passed on and need no answer: who was told, how they are put, and their correction."""

from __future__ import annotations

from dataclasses import replace

from core.concern.amending import with_words
from core.concern.changes import noted, with_comm
from core.concern.closing import close_if_over
from core.concern.decision import Decision, Setting
from core.concern.followup import opening
from core.concern.model import CommStatus, Concern, ConcernPerson
from core.concern.timers import contact_again
from core.effects import Outgoing, Purpose, Send, Withdraw, Words


def told(concern: Concern) -> tuple[ConcernPerson, ...]:
    """Those who have been told."""
    return tuple(p for p in concern.delegates if p.comm_status is CommStatus.DONE)


def stopped(concern: Concern, setting: Setting, cause: str) -> Decision:
    """The words were taken back after some had heard them: the others will not, and it is over with that.

    The sender hears who was told when they take them back, so there is no report back.
    """
    decision = Decision(concern)
    for person in (p for p in concern.delegates if p.comm_status.is_owing):
        changed = with_comm(decision.concern, person.person_id, CommStatus.NOT_NEEDED)
        changed = noted(changed, setting.now, "released", person.display_name)
        off = Withdraw(concern_id=concern.concern_id, person_id=person.person_id)
        decision = decision.then(Decision(changed, (off,)))
    over = close_if_over(decision.concern, setting, cause)
    quiet = tuple(e for e in over.effects if not (isinstance(e, Send) and e.message.purpose is Purpose.REPORT_BACK))
    return decision.then(replace(over, effects=quiet))


def corrected(concern: Concern, words: str, setting: Setting, cause: str) -> Decision:
    """The words were edited after they had been passed on: everybody who was told gets the new ones, in their hours.

    Who has not been told yet hears the new ones alone.
    """
    concern = with_words(concern, words, setting, "amended", replace=True)
    initiator = concern.source.initiator
    values = {"initiator": initiator.name if initiator else "", "words": concern.source.detail}
    sends = tuple(
        Send(
            key=f"relay-corrected:{concern.concern_id}:{p.person_id}:{cause}",
            due=opening(concern, setting.people.get(p.person_id), setting.now, setting),
            message=Outgoing(
                purpose=Purpose.ANSWER,
                to=p.person_id,
                words=Words(template="concern/relay_corrected", values=values),
                concern_id=concern.concern_id,
            ),
        )
        for p in told(concern)
    )
    if not concern.status.is_open:
        return Decision(concern, sends)
    old = Withdraw(concern_id=concern.concern_id, purposes=(Purpose.FIRST_CONTACT,))
    return Decision(concern, (*sends, old)).then(contact_again(concern, setting, cause))
