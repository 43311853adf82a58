"""From words to actions: extractor → evaluator → planner → executor, refusal or a question back (RULES 6)."""

from __future__ import annotations

from core.action.evaluator import ActionEvaluator
from core.action.extractor import ActionExtractor
from core.action.meta_actions import RaiseConcern, RaiseConcernParameters, available_meta_actions
from core.action.model import (
    EvaluatorResult,
    ImmediateExecutableAction,
    PendingConfirmation,
    Plan,
    RefusedTendency,
)
from core.action.planner import plan
from core.agenda.model import RecentDecision
from core.brain.questions import ConcernBrief, Evaluate, Extract
from core.concern.reports import standing
from core.context.workspace import Block, BlockKind
from core.effects import Button, Expire, Send, Words
from core.hub.commit import apply
from core.hub.executor import ActionExecutor, Keep
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.hub.views import contacts, initiator_brief
from core.ids import PersonId
from core.ports import Repositories


class ActionEntry:
    """The owner's way into everything that the bot does."""

    def __init__(self, services: Services, executor: ActionExecutor) -> None:
        self._services = services
        self._executor = executor
        self._extractor = ActionExtractor()
        self._evaluator = ActionEvaluator()

    async def enter(self, turn: Turn, brain: TurnBrain, text: str) -> Outcome | None:
        """What to do about `text`; None when there is nothing to be done and the conversation should answer."""
        tendencies = await self._extractor.extract(brain, self._extraction(turn, text))
        keeps: list[Keep] = []
        reasons: list[str] = []
        for n, tendency in enumerate(tendencies):
            result = await self._evaluator.evaluate(brain, self._evaluation(turn, text, tendency))
            words = text if len(tendencies) == 1 else tendency
            made = plan(tendency, result, turn.sender.role)
            if isinstance(made, RefusedTendency) and made.kind == "no_action" and len(tendencies) == 1:
                return None
            keeps.append(self.carry_out(made, turn, words, n, brain))
            reasons.append(f"{tendency}: {type(made).__name__}")
        if not keeps:
            return None

        def keep(repos: Repositories) -> None:
            for one in keeps:
                one(repos)

        return Outcome("raise", "; ".join(reasons), keep)

    async def reread(self, turn: Turn, brain: TurnBrain, text: str) -> RaiseConcernParameters | None:
        """The one delegation that an edited message amounts to now; None when it is none, or not clearly one."""
        tendencies = await self._extractor.extract(brain, self._extraction(turn, text))
        if len(tendencies) != 1:
            return None
        result = await self._evaluator.evaluate(brain, self._evaluation(turn, text, tendencies[0], concerns=()))
        made = plan(tendencies[0], result, turn.sender.role)
        if not isinstance(made, ImmediateExecutableAction):
            return None
        steps = [step for stage in made.stages.values() for step in stage]
        raised = [s for s in steps if s.key == RaiseConcern.info.key]
        return RaiseConcernParameters.model_validate(raised[0].parameters) if len(raised) == len(steps) == 1 else None

    def _extraction(self, turn: Turn, text: str) -> Extract:
        return Extract(
            text=text,
            now=self._services.clock.now(),
            role=turn.sender.role,
            recent=turn.recent,
            contacts=contacts(turn.people, turn.sender.person_id),
            concerns=tuple(initiator_brief(c) for c in turn.mine),
        )

    def _evaluation(
        self, turn: Turn, text: str, tendency: str, concerns: tuple[ConcernBrief, ...] | None = None
    ) -> Evaluate:
        open_ones = tuple(initiator_brief(c) for c in turn.mine) if concerns is None else concerns
        return Evaluate(
            tendency=tendency,
            text=text,
            now=self._services.clock.now(),
            role=turn.sender.role,
            sender_id=turn.sender.person_id,
            contacts=contacts(turn.people, turn.sender.person_id),
            concerns=open_ones,
            available_meta_actions=available_meta_actions(turn.sender.role),
            recent=turn.recent,
        )

    def carry_out(self, made: Plan, turn: Turn, words: str, n: int, brain: TurnBrain) -> Keep:
        """The writing for one plan."""
        match made:
            case ImmediateExecutableAction():
                return self._executor.execute(made, turn, words=words, simple_mode=brain.simple_mode)
            case PendingConfirmation():
                return self._ask(made, turn, words, n, brain)
            case RefusedTendency():
                return self._refuse(made, turn, n, brain)
            case _:
                refused = RefusedTendency(tendency=made.tendency, kind="no_ability", reason="")
                return self._refuse(refused, turn, n, brain)

    def _refuse(self, refused: RefusedTendency, turn: Turn, n: int, brain: TurnBrain) -> Keep:
        now = self._services.clock.now()
        said = turn.reply(
            now,
            "chat/refused",
            part=f"refused{n}",
            kind=refused.kind,
            tendency=refused.tendency,
            lines=(*self._already(refused, turn), *brain.note()),
        )
        entry = RecentDecision(at=now, what="refused", why=refused.tendency, owner=turn.sender.person_id)

        def keep(repos: Repositories) -> None:
            repos.agenda.record(entry)
            apply(repos, said)

        return keep

    @staticmethod
    def _already(refused: RefusedTendency, turn: Turn) -> tuple[Words, ...]:
        """Covered by an open concern: where that one stands."""
        if refused.kind != "covered":
            return ()
        named = [c for c in turn.mine if any(p.display_name in turn.text for p in c.delegates)]
        return tuple(standing(c) for c in named or turn.mine)

    def _ask(self, waiting: PendingConfirmation, turn: Turn, words: str, n: int, brain: TurnBrain) -> Keep:
        """Keep the action and ask: who is meant, or yes or no."""
        now = self._services.clock.now()
        result = waiting.result
        known = _people(result)
        if not known and not result.ambiguous:  # nobody is left whom a yes could reach
            names = list(result.unknown_people)
            unknown = turn.reply(now, "chat/unknown_people", part=f"unknown{n}", names=names, lines=brain.note())
            return lambda repos: apply(repos, unknown)
        block_id = self._services.ids.token()
        block = Block(
            block_id=block_id,
            kind=BlockKind.ACTIONS_NEED_CONFIRMATION,
            owner=turn.sender.person_id,
            conversation=turn.fact.conversation,
            content={"tendency": waiting.tendency, "words": words, "result": result.model_dump(mode="json")},
            summary=waiting.tendency,
            created_at=now,
            expires_at=now + self._services.limits.confirm.expiry,
        )
        said = self._question(result, turn, block, n, brain)

        def keep(repos: Repositories) -> None:
            repos.blocks.add(block)
            apply(repos, said)
            apply(repos, Expire(key=f"expire:{block_id}", due=block.expires_at, block_id=block_id))

        return keep

    def _question(self, result: EvaluatorResult, turn: Turn, block: Block, n: int, brain: TurnBrain) -> Send:
        names = [turn.people[p].name for p in _people(result) if p in turn.people]
        if result.ambiguous:
            who = result.ambiguous[0]
            rows = tuple(
                (Button(label=Words(text=_told_apart(turn, PersonId(p))), data=f"pick:{block.block_id}:{i}"),)
                for i, p in enumerate(who.candidates)
            )
            choices = [_told_apart(turn, PersonId(p)) for p in who.candidates]
            template, values = "chat/which_person", {"name": who.name, "choices": choices}
        else:
            yes = Button(label=Words(template="buttons/confirm"), data=f"yes:{block.block_id}")
            no = Button(label=Words(template="buttons/cancel"), data=f"no:{block.block_id}")
            rows = ((yes,), (no,))
            template = "chat/confirm"
            values = {
                "tendency": block.summary,
                "names": names,
                "unknown": list(result.unknown_people),
            }
        return turn.reply(
            self._services.clock.now(),
            template,
            part=f"confirm{n}",
            buttons=rows,
            block_id=block.block_id,
            lines=brain.note(),
            **values,
        )


def _people(result: EvaluatorResult) -> tuple[PersonId, ...]:
    return tuple(PersonId(str(p)) for p in result.parameters.get("raise_concern", {}).get("people") or ())


def _told_apart(turn: Turn, person_id: PersonId) -> str:
    """A name with the aliases that tell two people of one name apart."""
    person = turn.people.get(person_id)
    if person is None:
        return person_id
    others = "、".join(a for a in person.aliases if a != person.name)
    return f"{person.name}（{others}）" if others else person.name
