"""The initiator changes what they asked for: adds to it, edits it, takes it back (RULES 2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from core.concern.additions import Origin, remembered, undone
from core.concern.changes import anything_sent, noted, was_contacted, with_comm, with_state
from core.concern.closing import answering, cancel
from core.concern.decision import Decision, Setting
from core.concern.followup import opening
from core.concern.model import Addition, CommStatus, Concern
from core.concern.opening import acknowledgement
from core.concern.planning import plan
from core.concern.points import in_line, raise_point
from core.concern.timers import contact_again
from core.effects import Effect, Outgoing, Purpose, Send, Withdraw, Words
from core.ids import ConversationId, PersonId
from core.people import Person

_OUT = (CommStatus.DECLINED, CommStatus.UNREACHABLE, CommStatus.NOT_NEEDED)


def with_words(concern: Concern, words: str, setting: Setting, kind: str, *, replace: bool = False) -> Concern:
    """The initiator's words are kept: an edit replaces the request, everything else is a line after it."""
    line = " ".join(words.split())
    detail = line if replace else f"{concern.source.detail}\n{line}"
    source = concern.source.model_copy(update={"detail": detail})
    return noted(concern.model_copy(update={"source": source}), setting.now, kind, line)


def amend(
    concern: Concern,
    words: str,
    setting: Setting,
    cause: str,
    answer_in: ConversationId | None,
    *,
    edited: bool = False,
    title: str | None = None,
    goal: str | None = None,
    texts: Mapping[PersonId, str] | None = None,
    only: Collection[PersonId] | None = None,
    instead: str | None = None,
) -> Decision:
    """The initiator adds to the request or, with `edited`, rewrites it.

    Who has not heard of it yet gets the new request as a first contact; who was asked already gets a correction, in the
    words of `texts` where it has some; with `only`, nobody but these. `instead`: what they heard before, which holds no
    longer.
    """
    if not concern.status.is_open:
        return Decision(concern)
    untouched = not anything_sent(concern)
    concern = with_words(concern, words, setting, "amended", replace=edited and untouched)
    concern = concern.model_copy(
        update={"title": title or concern.title, "goal": goal or _goal(concern, words, edited)}
    )
    effects: list[Effect] = [Withdraw(concern_id=concern.concern_id, purposes=(Purpose.FIRST_CONTACT,))]
    for person in concern.delegates:
        told = only is None or person.person_id in only
        if told and was_contacted(concern, person.person_id) and person.comm_status not in _OUT:
            concern = with_comm(concern, person.person_id, CommStatus.WAITING_REPLY)
            concern = with_state(concern, person.person_id, answered_at=None, asked_back=False)
            text = (texts or {}).get(person.person_id)
            effects.append(_correction(concern, person.person_id, text or None, words, instead, setting, cause))
    if answer_in is not None:
        effects.append(_amended_ack(concern, answer_in, setting, cause, untouched=untouched))
    decision = Decision(concern, tuple(effects)).then(contact_again(concern, setting, cause))
    return decision.then(Decision(plan(decision.concern, setting)))


def _goal(concern: Concern, words: str, edited: bool) -> str:
    """Without a goal of its own an edit is its own goal, and an addition belongs to the one there is."""
    line = " ".join(words.split())
    return line if edited else f"{concern.goal}；{line}"


def add_words(
    concern: Concern,
    words: str,
    setting: Setting,
    cause: str,
    answer_in: ConversationId | None,
    origin: Origin,
    replaces: Addition | None = None,
    *,
    told: bool = False,
) -> Decision:
    """The initiator's message adds words. One that was edited takes out what it had added, `replaces`; with `told`,
    whoever heard of that hears that it no longer holds.
    """
    before, decision = concern, Decision(concern)
    if replaces is not None:
        decision = undone(concern, replaces, setting, f"{cause}:edit")
        before = decision.concern
    instead = replaces.said if replaces is not None and told else None
    decision = decision.then(amend(before, words, setting, cause, answer_in, instead=instead))
    return remembered(before, decision, origin, setting, cause, line=words, said=words)


def _correction(
    concern: Concern, to: PersonId, text: str | None, words: str, instead: str | None, setting: Setting, cause: str
) -> Send:
    initiator = concern.source.initiator
    values = {
        "title": concern.title,
        "initiator": initiator.name if initiator else "",
        "words": " ".join(words.split()),
        "instead": instead,
    }
    message = Outgoing(
        purpose=Purpose.CORRECTION,
        to=to,
        words=Words(text=text) if text else Words(template="concern/correction", values=values),
        concern_id=concern.concern_id,
    )
    due = opening(concern, setting.people.get(to), setting.now, setting)
    return Send(key=f"correction:{concern.concern_id}:{to}:{cause}", due=due, message=message)


def _amended_ack(concern: Concern, answer_in: ConversationId, setting: Setting, cause: str, *, untouched: bool) -> Send:
    key = f"amended:{concern.concern_id}:{cause}"
    told = [p.display_name for p in concern.delegates if p.comm_status is CommStatus.WAITING_REPLY]
    if untouched or not told:  # whoever is still to be contacted reads the new request at once
        ack = acknowledgement(concern, setting, answer_in, template="concern/replaced")
    else:
        ack = answering(concern, "concern/amended", concern.initiator_id, answer_in, told)
    return Send(key=key, due=setting.now, message=ack)


def recalled(concern: Concern, setting: Setting, answer_in: ConversationId | None, by: Person) -> Decision:
    """The initiator took their request back: before anything went out it is off, after that they are asked."""
    if not concern.status.is_open:
        return Decision(concern)
    if not anything_sent(concern):
        return cancel(concern, setting, answer_in, by)
    question = in_line("recall", concern, setting, who=by.name)
    decision = raise_point(concern, setting, kind="recall", question=question, about=None)
    return decision.then(Decision(plan(decision.concern, setting)))
