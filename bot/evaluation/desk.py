"""An owner's case as the hub would see it: the views, and each question of the way put to the brain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from bot.evaluation.cases import OwnerCase
from core.action.evaluator import ActionEvaluator
from core.action.extractor import ActionExtractor
from core.action.meta_actions import available_meta_actions
from core.brain.port import Brain
from core.brain.questions import (
    ConcernBrief,
    Converse,
    Evaluate,
    EvaluatorResult,
    Extract,
    Judge,
    Judgement,
    PendingAction,
    WaitingPoint,
)
from core.hub.naming import named_in
from core.hub.views import contacts, person_brief
from core.ids import PersonId
from core.people import Identity, Person, Role
from core.timetalk import parse

OWNER = Person(person_id=PersonId("the-owner"), name="老板", role=Role.OWNER)

_WAITS = ("等老板定", "等老闆決定", "waits for the owner")
"""What the title of a matter says when a decision of the owner is awaited."""


@dataclass(frozen=True)
class Desk:
    """A case as the hub would see it."""

    case: OwnerCase
    brain: Brain

    @cached_property
    def people(self) -> Mapping[PersonId, Person]:
        """Those whom the owner knows; all of them can be written to."""
        return {
            PersonId(c.id): Person(
                person_id=PersonId(c.id),
                name=c.name,
                aliases=c.aliases,
                identities=(Identity(channel="telegram", user_id=c.id),),
            )
            for c in self.case.contacts
        }

    @cached_property
    def concerns(self) -> tuple[ConcernBrief, ...]:
        """What is open, with the title as its goal: the form has no other."""
        return tuple(
            ConcernBrief(
                concern_id=c.id,
                kind="schedule" if self._is_schedule(c.title, c.people) else "delegation",
                title=c.title,
                goal=c.title,
                people=tuple(person_brief(self.people[PersonId(p)]) for p in c.people if PersonId(p) in self.people),
            )
            for c in self.case.open_concerns
        )

    def _is_schedule(self, title: str, people: tuple[str, ...]) -> bool:
        """The form does not say so: what nobody is asked, and what comes again and again, can only be one."""
        return not people or any(t.kind == "recurrence" for t in parse(title, self.case.now))

    async def judged(self) -> Judgement:
        """What the message means."""
        waiting = tuple(
            WaitingPoint(concern_id=c.concern_id, title=c.title, question=c.title)
            for c in self.concerns
            if any(mark in c.title for mark in _WAITS)
        )
        pending = (PendingAction(block_id="b", summary=self.case.pending),) if self.case.pending else ()
        question = Judge(
            text=self.case.text,
            role="owner",
            now=self.case.now,
            concerns=self.concerns,
            waiting=waiting,
            pending=pending,
            contacts=contacts(self.people, OWNER.person_id),
        )
        return await self.brain.ask(question)

    async def tendencies(self) -> tuple[str, ...]:
        """What it asks for."""
        question = Extract(
            text=self.case.text,
            now=self.case.now,
            contacts=contacts(self.people, OWNER.person_id),
            concerns=self.concerns,
        )
        return await ActionExtractor().extract(self.brain, question)

    async def evaluated(
        self,
        tendency: str,
        text: str,
        *,
        concerns: tuple[ConcernBrief, ...] | None = None,
        pending: EvaluatorResult | None = None,
    ) -> EvaluatorResult:
        """Whether and how one goal can be pursued. `concerns` None: all that are open are looked at."""
        question = Evaluate(
            tendency=tendency,
            text=text,
            now=self.case.now,
            sender_id=OWNER.person_id,
            contacts=contacts(self.people, OWNER.person_id),
            concerns=self.concerns if concerns is None else concerns,
            available_meta_actions=available_meta_actions(Role.OWNER),
            pending=pending,
        )
        return await ActionEvaluator().evaluate(self.brain, question)

    async def speaks_of_a_matter(self) -> bool:
        """Whether the conversation's answer says how an open matter stands: its title is in it."""
        if not self.concerns:
            return False
        question = Converse(
            text=self.case.text,
            role="owner",
            language="en" if self.case.lang == "en" else "zh-CN",
            now=self.case.now,
            concerns=self.concerns,
            contacts=contacts(self.people, OWNER.person_id),
        )
        answer = (await self.brain.ask(question)).text
        return any(c.title in answer for c in self.concerns)

    def is_for_others(self, targets: tuple[str, ...]) -> bool:
        """Whether the message names people, none of whom is asked in what it would add to: then it starts anew."""
        meant = [c for c in self.concerns if c.concern_id in targets] or self.concerns
        names = set(named_in(self.case.text, self.people.values()))
        return bool(names) and names.isdisjoint(p.person_id for c in meant for p in c.people)

    def named(self, people: frozenset[str]) -> frozenset[str]:
        """Those of them whom the message names."""
        return people & set(named_in(self.case.text, self.people.values()))
