"""From words to actions: extractor → evaluator → planner → executor or scheduler, refusal, question back (RULES 6)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from core.action.evaluator import ActionEvaluator
from core.action.extractor import ActionExtractor
from core.action.meta_actions import (
    REGISTRY,
    CancelConcern,
    available_meta_actions,
)
from core.action.model import (
    EvaluatorResult,
    ImmediateExecutableAction,
    PendingConfirmation,
    Plan,
    RefusedTendency,
    SchedulableExecutableAction,
)
from core.action.planner import plan
from core.agenda.model import RecentDecision
from core.brain.questions import ConcernBrief, Evaluate, Extract
from core.brain.rules.amending.whole import risks, says_go
from core.brain.rules.waiting.joining import joined, points_at, with_named, with_remark
from core.brain.rules.waiting.pending import reading_of_pending
from core.brain.rules.waiting.picking import names_in
from core.brain.rules.words.text import shared
from core.concern.reports import standing
from core.concern.schedule import PlannedStep
from core.context.workspace import Block, Intention
from core.effects import Words
from core.facts import FactKind
from core.hub.acting.action_scheduler import ActionScheduler, at_its_time
from core.hub.acting.asking import Asking, intentions, is_next
from core.hub.acting.executor import ActionExecutor, Keep
from core.hub.acting.pointed import pointed_at, reported_to
from core.hub.commit import apply
from core.hub.naming import named_in
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.ids import ConcernId
from core.ports import Repositories

MOST_GOALS = 5
"""More goals than this are not taken from one message; the sender is told which are left."""


class Part(NamedTuple):
    """One goal of a message, in whose words it is kept, and what is planned for it."""

    tendency: str
    words: str
    plan: Plan


class ActionEntry:
    """The owner's way into everything that the bot does."""

    def __init__(self, services: Services, executor: ActionExecutor, scheduler: ActionScheduler) -> None:
        self._services = services
        self._executor = executor
        self._scheduler = scheduler
        self._extractor = ActionExtractor()
        self._evaluator = ActionEvaluator()
        self._asking = Asking(services)

    async def enter(self, turn: Turn, brain: TurnBrain, text: str, *, first: int = 0) -> Outcome | None:
        """What to do about `text`; None when nothing is to be done.

        Where every goal turns out to need no action, the outcome is to `converse` and only records that: the
        conversation answers. A goal that is found is taken up in this very turn (run, scheduled, asked about, refused),
        so it is published as a `pending_action_intentions` block only where something is missing to make it an action:
        then it waits there for the sender's next words. A new order takes the place of those that waited. `first`: the
        number of the first goal, where the same message does other things already.
        """
        keeps: list[Keep] = []
        reasons: list[str] = []
        idle, ordered = True, False
        for n, (_, words, made) in enumerate(await self.read(turn, brain, text), first):
            reasons.append(_became(made))
            if isinstance(made, RefusedTendency) and made.kind == "no_action":
                keeps.append(self._recorded(made, turn))
                continue
            idle = False
            ordered = ordered or not _looks_only(made)
            keeps.append(self.carry_out(made, turn, words, n, brain))
        if not keeps:
            return None
        if ordered and turn.fact.kind is not FactKind.PROMPT:  # which was said long ago, and takes nobody's place
            keeps.insert(0, lambda repos: _replaced(repos, turn))
        return Outcome("converse" if idle else "raise", "; ".join(dict.fromkeys(reasons)), _all(keeps))

    async def join(self, turn: Turn, brain: TurnBrain) -> Outcome | None:
        """What the sender was asked back for: their words and the goal that lacked them, evaluated as one.

        A plain no to the question lets the goal go. None when nothing was asked back in this chat, or the words are
        about something else; then it waits on.
        """
        waiting = intentions(turn)
        if not waiting or turn.quoted_concern is not None:
            return None
        block = waiting[-1]
        if self._refuses(turn, block):
            return self._let_go(turn, block)
        intention = Intention.model_validate(block.content)
        question = self._whole(intention, turn)
        if question is None:
            return None
        result = await self._evaluator.evaluate(brain, question)
        made = self.planned(question.tendency, result, turn)
        if isinstance(made, RefusedTendency) and made.kind == "no_action":
            return None
        run = self.carry_out(made, replace(turn, answers=block), with_remark(intention.words, turn.text), 0, brain)
        taken: Keep = lambda repos: _taken(repos, block)  # noqa: E731
        return Outcome("raise", _became(made), _all([taken, run]))

    def _refuses(self, turn: Turn, block: Block) -> bool:
        """Whether this is a no to what was asked back: the very next words, or nothing else is open that they could
        mean; and nobody is named of whom the goal says nothing."""
        if turn.mine and not is_next(turn, block):
            return False
        named = set(named_in(turn.text, turn.people.values())) - set(named_in(block.summary, turn.people.values()))
        known = turn.contacts
        reading = reading_of_pending(turn.text, block.summary, self._services.local_now(turn.sender), known)
        return reading == "deny" and not named

    def _let_go(self, turn: Turn, block: Block) -> Outcome:
        said = turn.reply(self._services.clock.now(), "chat/denied", summary=block.summary)

        def keep(repos: Repositories) -> None:
            repos.blocks.take(block.block_id)
            apply(repos, said)

        return Outcome("deny", f"not wanted any more: {block.summary}", keep)

    def _whole(self, intention: Intention, turn: Turn) -> Evaluate | None:
        """The question about the goal with what was missing; None where the words do not bring it."""
        known = turn.contacts
        if intention.result is not None:
            if names_in(turn.text, known) is None:
                return None
            pending = EvaluatorResult.model_validate(intention.result)
            return self._evaluation(turn, turn.text, intention.tendency, pending=pending)
        now = self._services.when_said(turn.fact, turn.sender)
        whole = joined(intention.tendency, intention.missing, intention.past, turn.text, now, known)
        return self._evaluation(turn, whole, whole) if whole is not None else None

    async def amended(self, turn: Turn, brain: TurnBrain, block: Block, text: str) -> EvaluatorResult:
        """The result that waits in `block`, as `text` changes it.

        Whatever the brain thinks: money and promises go out only once somebody has said to go ahead.
        """
        tendency = block.content["tendency"]
        pending = EvaluatorResult.model_validate(block.content["result"])
        result = await self._evaluator.evaluate(brain, self._evaluation(turn, text, tendency, pending=pending))
        if result.ok and risks(result, tendency) and not says_go(text):
            return result.model_copy(update={"need_confirm": True})
        return result

    async def change(
        self, turn: Turn, brain: TurnBrain, targets: tuple[str, ...], text: str | None = None
    ) -> Outcome | None:
        """Words that add to or change open matters (`targets`: all that are meant); None where they are no action.

        `text`: the words, where they are not this turn's.
        """
        words = turn.text if text is None else text
        meant = tuple(b for b in turn.briefs if b.concern_id in targets) or turn.briefs
        result = await self._evaluator.evaluate(brain, self._evaluation(turn, words, words, concerns=meant))
        made = self.planned(words, result, turn)
        if isinstance(made, RefusedTendency):
            return None
        keep = self.carry_out(made, turn, words, 0, brain)
        return Outcome("supplement", f"changes {', '.join(targets)}", keep, _concerns(targets))

    def call_off(self, turn: Turn, targets: tuple[str, ...]) -> Outcome:
        """End what is meant, whatever it is."""
        key = CancelConcern.info.key
        step = PlannedStep(key=key, parameters={"concern_ids": list(targets)})
        action = ImmediateExecutableAction(tendency=turn.text, stages={1: (step,)})
        return Outcome("cancel", "called off", self._executor.execute(action, turn.errand()), _concerns(targets))

    def planned(self, tendency: str, result: EvaluatorResult, turn: Turn, *, confirmed: bool = False) -> Plan:
        """The plan for one evaluated tendency of this sender."""
        sender = turn.sender
        now = self._services.clock.now()
        made = plan(
            tendency,
            result,
            sender.role,
            now=now,
            timezone=sender.timezone,
            confirmed=confirmed,
            limits=self._services.limits,
        )
        return at_its_time(made) if turn.fact.kind is FactKind.PROMPT else made

    async def read(
        self, turn: Turn, brain: TurnBrain, text: str, concerns: tuple[ConcernBrief, ...] | None = None
    ) -> tuple[Part, ...]:
        """The goals of a text with a plan for each; nothing is written. `concerns`: what counts as open (None: all)."""
        parts: list[Part] = []
        tendencies = await self._extractor.extract(brain, self._extraction(turn, text))
        for tendency in tendencies[:MOST_GOALS]:
            result = await self._evaluator.evaluate(brain, self._evaluation(turn, text, tendency, concerns))
            if result.missing == "who":
                result = await self._of_the_result(turn, brain, tendency) or result
            words = text if len(tendencies) == 1 else tendency
            parts.append(Part(tendency, words, self.planned(tendency, result, turn)))
        if left := "；".join(tendencies[MOST_GOALS:]):
            reason = f"more than {MOST_GOALS} goals in one message"
            refused = RefusedTendency(tendency=left, kind="invalid", reason=reason, problem="too_many")
            parts.append(Part(left, left, refused))
        return tuple(parts)

    async def _of_the_result(self, turn: Turn, brain: TurnBrain, tendency: str) -> EvaluatorResult | None:
        """The goal for those whose result the sender has just read, if it says "them" of nobody else: after a yes, as
        nobody was named. None where it does not.
        """
        if points_at(tendency) is None:
            return None
        me, now = turn.sender.person_id, self._services.clock.now()
        reported = await self._services.store.run(lambda repos: reported_to(repos, me, now))
        if not (names := pointed_at(tendency, reported)):
            return None
        named = with_named(tendency, names)
        result = await self._evaluator.evaluate(brain, self._evaluation(turn, named, named))
        return result.model_copy(update={"need_confirm": True}) if result.ok else None

    def _extraction(self, turn: Turn, text: str) -> Extract:
        return Extract(
            text=text,
            now=self._services.when_said(turn.fact, turn.sender),
            role=turn.sender.role,
            recent=turn.recent,
            contacts=turn.contacts,
            concerns=turn.briefs,
        )

    def _evaluation(
        self,
        turn: Turn,
        text: str,
        tendency: str,
        concerns: tuple[ConcernBrief, ...] | None = None,
        pending: EvaluatorResult | None = None,
    ) -> Evaluate:
        sender = turn.sender
        return Evaluate(
            tendency=tendency,
            text=text,
            now=self._services.when_said(turn.fact, turn.sender),
            role=sender.role,
            sender_id=sender.person_id,
            contacts=turn.contacts,
            concerns=turn.briefs if concerns is None else concerns,
            available_meta_actions=available_meta_actions(sender.role, with_model=self._services.has_model),
            recent=turn.recent,
            pending=pending,
            timezone=sender.timezone,
            end_of_work=sender.working_hours.partition("-")[2],
        )

    def carry_out(self, made: Plan, turn: Turn, words: str, n: int, brain: TurnBrain) -> Keep:
        """The writing for one plan."""
        match made:
            case ImmediateExecutableAction():
                return self._executor.execute(made, turn.errand(words, simple_mode=brain.simple_mode), n)
            case SchedulableExecutableAction():
                return self._scheduler.keep(made, turn.errand(words, simple_mode=brain.simple_mode), n)
            case PendingConfirmation():
                return self._asking.confirmation(made, turn, words, n, brain)
            case RefusedTendency():
                return self._refuse(made, turn, words, n, brain)

    def _refuse(self, refused: RefusedTendency, turn: Turn, words: str, n: int, brain: TurnBrain) -> Keep:
        """Say why not; where only something is missing, ask for that."""
        if refused.kind == "past" or refused.missing is not None:
            return _all([self._recorded(refused, turn), self._asking.missing(refused, turn, words, n, brain)])
        said = turn.reply(
            self._services.clock.now(),
            "chat/refused",
            part=f"refused{n}",
            kind=refused.kind,
            problem=refused.problem,
            tendency=refused.tendency,
            least=self._services.limits.schedule.min_interval.total_seconds(),
            lines=(*self._already(refused, turn), *brain.note()),
        )
        return _all([self._recorded(refused, turn), lambda repos: apply(repos, said)])

    def _recorded(self, refused: RefusedTendency, turn: Turn) -> Keep:
        entry = RecentDecision(
            at=self._services.clock.now(),
            what="refused",
            why=refused.tendency,
            owner=turn.sender.person_id,
            refusal=refused.kind,
        )
        return lambda repos: repos.agenda.record(entry)

    @staticmethod
    def _already(refused: RefusedTendency, turn: Turn) -> tuple[Words, ...]:
        """Covered by an open concern: where that one stands; of several of those people the one that is most alike."""
        if refused.kind != "covered":
            return ()
        named = set(named_in(refused.tendency, turn.people.values()))
        theirs = [c for c in turn.mine if any(p.person_id in named for p in c.delegates)] or turn.mine
        alike = {c.concern_id: shared(refused.tendency, f"{c.title} {c.goal}") for c in theirs}
        most = max(alike.values(), default=0)
        return tuple(standing(c) for c in theirs if alike[c.concern_id] == most)


def _concerns(targets: tuple[str, ...]) -> tuple[ConcernId, ...]:
    return tuple(ConcernId(t) for t in targets if t.startswith("con_"))


def _all(keeps: list[Keep]) -> Keep:
    def keep(repos: Repositories) -> None:
        for one in keeps:
            one(repos)

    return keep


def _became(made: Plan) -> str:
    """What became of a goal, for the record of the fact."""
    if isinstance(made, RefusedTendency):
        return f"refused, {made.kind}: {made.reason or made.detail}"
    return made.result.reason if isinstance(made, PendingConfirmation) else made.reason


def _looks_only(made: Plan) -> bool:
    """Whether it only looks something up: a question in between, and no new order."""
    if not isinstance(made, ImmediateExecutableAction):
        return False
    infos = [REGISTRY[step.key].info for steps in made.stages.values() for step in steps]
    return all(info.idempotent and not info.outside_effect for info in infos)


def _taken(repos: Repositories, block: Block) -> None:
    repos.blocks.take(block.block_id)


def _replaced(repos: Repositories, turn: Turn) -> None:
    """A new order: what was asked back about an earlier one is not waited for any more."""
    for block in intentions(turn):
        repos.blocks.take(block.block_id)
