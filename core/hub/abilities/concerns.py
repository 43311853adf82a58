"""Abilities on matters that the bot follows: raise, advance, change, let go. (Looking at them is in `checking`.)"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.action.meta_actions import (
    AdvanceConcernParameters,
    CancelConcernParameters,
    RaiseConcernParameters,
    UpdateConcernParameters,
)
from core.brain.rules.words.urgency import priority_of
from core.concern import inbound, opening, steer
from core.concern.additions import of_message, remembered, undone
from core.concern.closing import drop
from core.concern.decision import Decision
from core.concern.model import Concern, ConcernType, Priority
from core.concern.scheduling import retimed
from core.hub.abilities.again import merge
from core.hub.abilities.expecting import drop_item, retime
from core.hub.abilities.proposing import proposal
from core.hub.abilities.tasks import stop_task
from core.hub.adding import is_told
from core.hub.commit import commit
from core.hub.ending import call_off
from core.hub.errand import DONE, Done, Scene, failed
from core.hub.inviting import offer
from core.hub.nudging import push
from core.hub.owed import drop_callback
from core.ids import ConcernId, PersonId
from core.people import Person


def raise_concern(scene: Scene, wish: RaiseConcernParameters) -> Done:
    """Open a delegation; who is asked, when and how is the engine's. Nobody is asked the same twice."""
    priority = Priority(wish.priority or priority_of(scene.errand.words, wish.deadline, scene.now))
    merged = merge(scene, wish, priority)
    people = [p for p in wish.people if p not in merged]
    if wish.people and not people:
        return DONE
    made = replace(
        proposal(scene, people, title=wish.title, goal=wish.goal, words=wish.message),
        priority=priority,
        deadline=wish.deadline,
        type=ConcernType(wish.type),
    )
    if not made.delegates:
        return failed("chat/nobody_to_ask", title=wish.title)
    _let_last_run_go(scene, made)
    offer(scene, commit(scene.repos, opening.open_concern(made, scene.setting), new=True))
    return DONE


def _let_last_run_go(scene: Scene, made: opening.Proposal) -> None:
    """What a schedule asked last time and has no answer to yet is not chased beside the new run.

    A run may raise several matters: those of the run that raises `made` stay.
    """
    if made.schedule_id is None:
        return
    run = opening.run_of(made)
    for concern in scene.repos.concerns.open_by_initiator(scene.errand.person_id):
        if (concern.trigger or {}).get("schedule_id") == made.schedule_id and concern.trigger != run:
            commit(scene.repos, drop(concern, "新的一次开始了", scene.setting, anew=True))


def advance_concern(scene: Scene, wish: AdvanceConcernParameters) -> Done:
    """Push open matters on: a delegate's words are their reply; the initiator's are handed on, or those who owe an
    answer are asked again now.
    """
    replied = [c for c in _open(scene, wish.concern_ids) if _is_asked(scene, c)] if wish.message else []
    found = [c for c in _steerable(scene, wish.concern_ids) if c not in replied]
    if not replied and not found:
        return failed("chat/not_open")
    planned = next((c for c in found if c.type is ConcernType.SCHEDULE), None)
    if planned is not None and wish.message:  # there is nobody to hand words on to
        return failed("chat/schedule_unchanged", title=planned.title)
    for concern in replied:
        _hear(scene, concern, wish.message or "")
    for concern in found:
        if wish.message:
            _amend(scene, concern, wish.message)
        else:
            pushed = push(scene.repos, concern, scene.setting, scene.key)
            scene.answer("commands/steered", part=f"pushed:{concern.concern_id}", **pushed)
    return DONE


def _is_asked(scene: Scene, concern: Concern) -> bool:
    me = scene.errand.person_id
    return concern.initiator_id != me and any(p.person_id == me for p in concern.delegates)


def _hear(scene: Scene, concern: Concern, text: str) -> None:
    """A reply: into the matter's log, and its loop is called."""
    errand = scene.errand
    said = inbound.Utterance(
        who=errand.person_id,
        text=text,
        channel=errand.channel,
        message_id=errand.message_id,
        at=errand.said_at or scene.now,
        parts=errand.parts,
    )
    commit(scene.repos, inbound.heard(concern, said, scene.setting, scene.key, edited=errand.edited))


def _amend(scene: Scene, concern: Concern, words: str) -> None:
    where, origin = scene.errand.conversation, scene.origin
    replaces = of_message(concern, origin) if scene.errand.edited else None
    told = replaces is not None and is_told(scene.repos, concern, replaces)
    cause = f"{scene.key}:{concern.concern_id}"
    commit(scene.repos, steer.add_words(concern, words, scene.setting, cause, where, origin, replaces, told=told))


def update_concern(scene: Scene, wish: UpdateConcernParameters) -> Done:
    """Change open matters: people first, then what is wanted of them, how soon, and until when."""
    found = _steerable(scene, wish.concern_ids)
    expectations = [i for i in wish.concern_ids if i.startswith("e")]
    if not found and expectations and wish.when is not None:
        return retime(scene, expectations[0], wish.when)
    if not found:
        return failed("chat/not_open")
    schedules = [c for c in found if c.type is ConcernType.SCHEDULE]
    if schedules and wish.when is None:
        return failed("chat/schedule_unchanged", title=schedules[0].title)
    added = [scene.people[PersonId(p)] for p in wish.add_people if PersonId(p) in scene.people]
    for concern in found:
        if concern in schedules:
            commit(scene.repos, retimed(concern, wish.when or "", scene.setting, scene.errand.conversation, scene.key))
        else:
            changed = _people(scene, concern, added, [PersonId(p) for p in wish.remove_people])
            _request(scene, changed, wish)
    return DONE


def _people(scene: Scene, concern: Concern, added: list[Person], removed: list[PersonId]) -> Concern:
    """Swap one for one where one goes and one comes; else add and let go."""
    setting, where = scene.setting, scene.errand.conversation
    there = [p for p in removed if any(d.person_id == p for d in concern.delegates)]
    gone = [p for p in there if (entry := concern.person(p)) is not None and entry.comm_status.is_owing]
    done = [p for p in there if p not in gone]
    for n, person in enumerate(added):
        old = gone.pop(0) if gone else None
        if old is None:
            decision = steer.add(concern, person, setting, f"{scene.key}:{n}", where)
        else:
            decision = steer.swap(concern, old, person, setting, f"{scene.key}:{n}", where)
        concern = commit(scene.repos, decision)
    left = [*gone, *(() if added else done)]
    if left and concern.status.is_open:
        concern = commit(scene.repos, steer.release(concern, left, setting, where, scene.sender, scene.key))
    return concern


def _request(scene: Scene, concern: Concern, wish: UpdateConcernParameters) -> None:
    """How soon, and what else is wanted. A new deadline is told to those who were asked, in the sender's words."""
    if not concern.status.is_open:
        return
    setting, where, origin = scene.setting, scene.errand.conversation, scene.origin
    replaces = of_message(concern, origin) if scene.errand.edited else None
    told = replaces is not None and is_told(scene.repos, concern, replaces)
    hurried = wish.priority is not None or wish.deadline is not None
    cause, words = f"{scene.key}:{concern.concern_id}", ""
    decision = undone(concern, replaces, setting, f"{cause}:edit") if replaces is not None else Decision(concern)
    before = decision.concern
    if hurried:
        level = Priority(wish.priority) if wish.priority else None
        decision = decision.then(steer.hurry(before, level, wish.deadline, setting, scene.key, where))
    moved = wish.priority or wish.add_people or wish.remove_people
    if wish.title or wish.goal or wish.deadline or (wish.words and not moved):
        words = wish.words or wish.title or wish.goal or scene.errand.words
        answered = None if hurried else where  # one answer is enough
        instead = replaces.said if replaces is not None and told else None
        amended = steer.amend(
            decision.concern, words, setting, cause, answered, title=wish.title, goal=wish.goal, instead=instead
        )
        decision = decision.then(amended)
    if decision.effects:
        decision = remembered(before, decision, origin, setting, cause, line=words, said=words)
        commit(scene.repos, decision)


def cancel_concern(scene: Scene, wish: CancelConcernParameters) -> Done:
    """Let matters, schedules, expectations, watch items and tasks go, and what is on its way to the sender."""
    found = _steerable(scene, wish.concern_ids)
    for concern in found:
        call_off(scene.repos, concern, scene.setting, scene.errand.conversation, scene.sender)
    others = [i for i in wish.concern_ids if not i.startswith("con_")]
    gone = [i for i in others if drop_item(scene, i) or stop_task(scene, i) or drop_callback(scene, i)]
    return DONE if found or gone else failed("chat/not_open")


def _steerable(scene: Scene, ids: Iterable[str]) -> list[Concern]:
    """Those of these matters that are open and that the sender may steer, each once."""
    return [c for c in _open(scene, ids) if scene.may_steer(c)]


def _open(scene: Scene, ids: Iterable[str]) -> list[Concern]:
    wanted = [scene.repos.concerns.get(ConcernId(i)) for i in dict.fromkeys(ids) if i.startswith("con_")]
    return [c for c in wanted if c is not None and c.status.is_open]
