"""The agent loop: what happens when a concern is triggered.

Read the concern, ask the brain with no transaction open, let the pure engine clamp the answer, commit. A concern that
changed meanwhile is read and decided anew; a brain that fails raises, and the job is tried again later (RULES 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from core.concern import away, opening, timers
from core.concern.assess import assessed
from core.concern.changes import has_news, report_recipient
from core.concern.decision import Decision, Setting
from core.concern.model import CommStatus, Concern
from core.effects import Advance, Outgoing, Purpose, Send, Words
from core.errors import BrainError, StaleVersion
from core.facts import Event, Trigger
from core.hub import absent
from core.hub.acting.action_scheduler import ActionScheduler
from core.hub.commit import apply, commit
from core.hub.services import Services, everybody
from core.hub.turns.awaited import fire_answered
from core.hub.views import assess_view, compose_view, initiator_words
from core.ids import ConcernId, PersonId
from core.people import Person
from core.ports import Repositories

MOST_REDOS = 8
"""A concern that keeps changing under the loop this often points to a fault, not to traffic."""


class AgentLoop:
    """Runs concerns. One call is one turn."""

    def __init__(self, services: Services, schedules: ActionScheduler) -> None:
        self._services = services
        self._schedules = schedules

    async def advance(self, work: Advance) -> None:
        """Run one turn. Raises a `BrainError` when the brain gave nothing usable; nothing was changed then."""
        if work.trigger is Trigger.SCHEDULE:
            await self._services.store.run(lambda repos: self._schedules.fire(repos, work), at="schedule")
            return
        for _ in range(MOST_REDOS):
            concern, people = await self._services.store.run(lambda repos: _read(repos, work.concern_id))
            if concern is None or not concern.status.is_open:
                return
            setting = self._services.setting(people)
            decision = await self._decide(concern, work, setting)
            if decision is None:
                return
            try:
                await self._services.store.run(
                    partial(self._keep, before=concern, decision=decision, setting=setting), at="advance"
                )
            except StaleVersion:
                continue
            return
        raise StaleVersion(f"{work.concern_id} changed {MOST_REDOS} times while it was being decided")

    def _keep(self, repos: Repositories, before: Concern, decision: Decision, setting: Setting) -> None:
        after = commit(repos, decision)
        fire_answered(repos, before, after, setting.people, setting.now)
        for person_id, until in away.spoken(before, after):
            person = setting.people.get(person_id)
            # Where their words say it plainly it is known since they were heard.
            if person is not None and (person.away_until is None or person.away_until <= setting.now):
                told, said = absent.readers((after,), setting), away.said_last(after, person_id)
                absent.goes(repos, self._services, person_id, until, said=said, told=told)

    async def _decide(self, concern: Concern, work: Advance, setting: Setting) -> Decision | None:
        match work.trigger:
            case Trigger.CREATED:
                return await self._first_contact(concern, setting)
            case Trigger.TIMEOUT | Trigger.DUE if work.person_id is None:
                return _fire(concern, work, setting)
            case _:
                about = work.person_id or _asked_last(concern)
                if about is None or not _is_their_turn(concern, about, work.trigger):
                    return None
                return await self._turn(concern, about, work, setting)

    async def _turn(self, concern: Concern, about: PersonId, work: Advance, setting: Setting) -> Decision:
        """Ask about one delegate and clamp the answer."""
        view = assess_view(
            concern,
            about,
            work.trigger,
            setting.people,
            setting.now,
            persona=self._services.persona,
            decided=initiator_words(concern)[-1] if work.trigger is Trigger.DECISION else None,
            decision_question=work.question,
            evidence=_evidence(concern, work),
        )
        answer = await self._services.brain.ask(view)
        return assessed(concern, work.trigger, about, answer, setting, work.key)

    async def _first_contact(self, concern: Concern, setting: Setting) -> Decision | None:
        waiting = [p.person_id for p in concern.delegates if p.comm_status is CommStatus.TO_CONTACT]
        texts: dict[PersonId, str]
        if concern.relay is not None:  # the initiator's own words: nobody puts them differently
            texts = dict.fromkeys(waiting, concern.source.detail)
            return opening.first_contact(concern, texts, False, setting)
        texts = {}
        simple = False
        for person_id in waiting:
            view = compose_view(
                concern, person_id, "first_contact", setting.people, setting.now, persona=self._services.persona
            )
            try:
                texts[person_id] = (await self._services.brain.ask(view)).text
            except BrainError:
                simple = True
                texts[person_id] = (await self._services.simple_brain.ask(view)).text
        if not texts:
            return None
        return opening.first_contact(concern, texts, simple, setting)

    async def tell_of_failure(self, work: Advance) -> None:
        """The brain failed for the third time: the initiator hears of it, once (RULES 4)."""

        def tell(repos: Repositories) -> None:
            concern = repos.concerns.get(work.concern_id)
            reader = report_recipient(concern, self._services.setting(everybody(repos))) if concern else None
            if concern is None or reader is None:
                return
            message = Outgoing(
                purpose=Purpose.NOTICE,
                to=reader.person_id,
                concern_id=concern.concern_id,
                words=Words(template="chat/model_down", values={"title": concern.title}),
            )
            now = self._services.clock.now()
            apply(repos, Send(key=f"model-down:{concern.concern_id}:{now:%Y%m%d}", due=now, message=message))

        await self._services.store.run(tell, at="told_of_failure")


def _read(repos: Repositories, concern_id: ConcernId) -> tuple[Concern | None, Mapping[PersonId, Person]]:
    return repos.concerns.get(concern_id), everybody(repos)


def _fire(concern: Concern, work: Advance, setting: Setting) -> Decision:
    """What a timer does by rule is committed at once; for each delegate whose time is up the brain is asked next.

    So a brain that fails holds up neither a deadline nor another delegate.
    """
    fired = timers.fire(concern, work.trigger, setting, work.key)
    ask = tuple(
        work.model_copy(update={"key": f"{work.key}:{who}", "person_id": who, "due": setting.now}) for who in fired.ask
    )
    return fired.decision.then(Decision(fired.decision.concern, ask))


def _is_their_turn(concern: Concern, about: PersonId, trigger: Trigger) -> bool:
    """A reply needs something new; a time-out needs somebody who still owes an answer and has not spoken meanwhile."""
    if trigger is Trigger.REPLY:
        return has_news(concern, about)
    if trigger in (Trigger.TIMEOUT, Trigger.DUE):
        entry = concern.person(about)
        return entry is not None and entry.comm_status.is_owing and not has_news(concern, about)
    return True


def _evidence(concern: Concern, work: Advance) -> tuple[Event, ...]:
    """What is to be weighed in this turn; of older work the words are all that is left."""
    kept = tuple(e.event for e in concern.evidence if e.key == work.key)
    return kept or ((Event(source="", kind="", subject=work.evidence),) if work.evidence else ())


def _asked_last(concern: Concern) -> PersonId | None:
    """The delegate whose turn it is when nobody is named: whoever was heard or written to last."""
    if concern.conversation_log:
        return concern.conversation_log[-1].person_id
    return concern.delegates[0].person_id if concern.delegates else None
