"""An initiator's turn: the owner, an admin or a member says something.

What a quoted message settles is not asked of anybody; the rest is judged, and whatever needs no doing is answered by
the conversation.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.brain.questions import Converse, Judge, Judgement, PendingAction
from core.concern import steer
from core.concern.model import Concern
from core.context.workspace import Block, BlockKind
from core.effects import Button, Words
from core.hub.actions import ActionEntry
from core.hub.commit import apply, commit
from core.hub.confirmations import Confirmations
from core.hub.executor import may_steer
from core.hub.naming import named_in
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.hub.views import contacts, initiator_brief, waiting_points
from core.hub.which import ask_which
from core.ids import ConcernId, PersonId
from core.people import Role
from core.ports import Repositories


class InitiatorTurn:
    """Judges and routes what an initiator says."""

    def __init__(self, services: Services, entry: ActionEntry, confirmations: Confirmations) -> None:
        self._services = services
        self._entry = entry
        self._confirmations = confirmations

    async def handle(self, turn: Turn, brain: TurnBrain) -> Outcome:
        """The outcome to commit."""
        if not turn.text:
            return Outcome("ignore", "an empty message")
        if turn.fact.forwarded_from is not None:
            said = turn.reply(self._services.clock.now(), "chat/forwarded", name=turn.fact.forwarded_from)
            return Outcome("converse", "forwarded words are no command", lambda repos: apply(repos, said))
        answered = self._answers_decision(turn)
        if answered is not None:
            return await self._answered(turn, answered)
        judgement = await brain.ask(self.question(turn))
        return await self.route(turn, judgement, brain)

    async def _answered(self, turn: Turn, concern: Concern) -> Outcome:
        """A quoted question is answered by whatever is said to it, save a word that calls the matter off."""
        judgement = await self._services.simple_brain.ask(self.question(turn))
        if judgement.decision == "cancel":
            return self.cancelled(turn, [concern])
        return self.decided(turn, concern, turn.text)

    def question(self, turn: Turn) -> Judge:
        """What the message of an initiator is judged on."""
        role = turn.sender.role
        mine = _in_question(turn)
        pending = self._pending(turn)
        return Judge(
            text=turn.text,
            role=role if role in (Role.OWNER, Role.ADMIN) else Role.MEMBER,  # type: ignore[arg-type]
            now=self._services.clock.now(),
            concerns=tuple(initiator_brief(c) for c in mine),
            waiting=waiting_points(mine),
            pending=tuple(PendingAction(block_id=b.block_id, summary=b.summary) for b in pending),
            quoted=turn.quoted.text if turn.quoted else None,
            recent=turn.recent,
        )

    def _pending(self, turn: Turn) -> tuple[Block, ...]:
        waiting = tuple(b for b in turn.pending if b.kind is BlockKind.ACTIONS_NEED_CONFIRMATION)
        if turn.quoted is not None and turn.quoted.block_id is not None:
            return tuple(b for b in waiting if b.block_id == turn.quoted.block_id)
        return waiting

    @staticmethod
    def _answers_decision(turn: Turn) -> Concern | None:
        """The concern whose open decision the quoted message asked for."""
        concern, quoted = turn.quoted_concern, turn.quoted
        if concern is None or quoted is None or quoted.decision_id is None or concern.decision is None:
            return None
        return concern if concern.decision.decision_id == quoted.decision_id and may_steer(turn, concern) else None

    async def route(self, turn: Turn, judgement: Judgement, brain: TurnBrain) -> Outcome:
        """Carry a judgement out."""
        pending = {b.block_id: b for b in self._pending(turn)}
        blocks = [pending[t] for t in judgement.targets if t in pending] or list(pending.values())
        scope = _in_question(turn)
        mine: dict[str, Concern] = {c.concern_id: c for c in scope}
        named = [mine[t] for t in judgement.targets if t in mine]
        decision = judgement.decision
        if decision == "supplement" and _is_for_others(turn, named or scope):
            decision = "raise"
        if _is_settled(turn, decision):
            return self._confirmations.stale(turn)
        match decision:
            case "confirm" | "deny" | "amend" if blocks:
                return await self._settle(turn, judgement, blocks, brain)
            case "decide" if any(c.decision for c in scope):
                waiting = [c for c in named if c.decision] or [c for c in scope if c.decision]
                if judgement.unclear or len(waiting) > 1:
                    return ask_which(turn, self._services, tuple(waiting), "decide")
                return self.decided(turn, waiting[0], turn.text)
            case "cancel" if scope:
                targets = named or list(scope)
                if judgement.unclear or (not named and len(targets) > 1):
                    return ask_which(turn, self._services, tuple(targets), "cancel")
                return self.cancelled(turn, targets)
            case "supplement" if named or len(scope) == 1:
                return self._amended(turn, named or list(scope))
            case "raise" | "watch":
                entered = await self._entry.enter(turn, brain, turn.text)
                if entered is not None:
                    return entered
            case "ignore":
                return Outcome("ignore", judgement.reason)
        return await self.converse(turn, brain)

    async def _settle(self, turn: Turn, judgement: Judgement, blocks: list[Block], brain: TurnBrain) -> Outcome:
        if judgement.unclear or len(blocks) > 1:
            return self._which_action(turn, blocks)
        block = blocks[0]
        if judgement.decision == "deny":
            return self._confirmations.deny(turn, block)
        if judgement.decision == "confirm":
            return self._confirmations.confirm(turn, block, brain)
        entered = await self._entry.enter(turn, brain, f"{block.content['words']}（{turn.text}）")
        if entered is None:
            return await self.converse(turn, brain)
        return entered.and_then(lambda repos: _drop(repos, block))

    def _which_action(self, turn: Turn, blocks: list[Block]) -> Outcome:
        rows = tuple((Button(label=Words(text=b.summary[:60]), data=f"yes:{b.block_id}"),) for b in blocks)
        said = turn.reply(
            self._services.clock.now(), "chat/which_action", buttons=rows, titles=[b.summary for b in blocks]
        )
        return Outcome("confirm", "unclear which action: asked", lambda repos: apply(repos, said))

    def decided(self, turn: Turn, concern: Concern, words: str) -> Outcome:
        """The initiator's answer reaches the concern and goes on to the delegate."""
        point = concern.decision.decision_id if concern.decision else None
        return Outcome(
            "decide",
            "answers a waiting point",
            lambda repos: self.decide(repos, turn, concern.concern_id, words, point),
            (concern.concern_id,),
        )

    def decide(
        self, repos: Repositories, turn: Turn, concern_id: ConcernId, words: str, point: str | None = None
    ) -> None:
        """Write the decision down, if the point (None: any) still waits; else say that it does not."""
        fresh = repos.concerns.get(concern_id)
        waiting = fresh.decision if fresh is not None else None
        if fresh is None or waiting is None or point not in (None, waiting.decision_id):
            self._confirmations.stale(turn).keep(repos)
            return
        setting = self._services.setting(turn.people)
        commit(repos, steer.decide(fresh, words, setting, turn.cause, turn.fact.conversation))

    def cancelled(self, turn: Turn, concerns: list[Concern]) -> Outcome:
        """Let them go; those already asked are told that it is settled."""
        ids = tuple(c.concern_id for c in concerns)
        return Outcome("cancel", "cancelled by the initiator", lambda repos: self.cancel(repos, turn, ids), ids)

    def cancel(self, repos: Repositories, turn: Turn, concern_ids: tuple[ConcernId, ...]) -> None:
        """Drop what is still open of these."""
        for concern_id in concern_ids:
            fresh = repos.concerns.get(concern_id)
            if fresh is not None and fresh.status.is_open:
                setting, where = self._services.setting(turn.people), turn.fact.conversation
                let_go = _some_of(fresh, turn)
                if let_go:
                    commit(repos, steer.release(fresh, let_go, setting, where, turn.sender, turn.cause))
                else:
                    commit(repos, steer.cancel(fresh, setting, where, turn.sender))

    def _amended(self, turn: Turn, concerns: list[Concern]) -> Outcome:
        def keep(repos: Repositories) -> None:
            for concern in concerns:
                fresh = repos.concerns.get(concern.concern_id)
                if fresh is not None and fresh.status.is_open:
                    setting = self._services.setting(turn.people)
                    commit(repos, steer.amend(fresh, turn.text, setting, turn.cause, turn.fact.conversation))

        return Outcome("supplement", "adds to an open matter", keep, tuple(c.concern_id for c in concerns))

    async def converse(self, turn: Turn, brain: TurnBrain) -> Outcome:
        """Nothing is to be done: answer from the context."""
        owner = next((p for p in turn.people.values() if p.role is Role.OWNER), None)
        question = Converse(
            text=turn.text,
            role=turn.sender.role,
            language=turn.sender.language,
            now=self._services.clock.now(),
            persona=self._services.persona,
            owner=owner.name if owner else "",
            recent=turn.recent,
            concerns=tuple(initiator_brief(c) for c in turn.mine),
            contacts=contacts(turn.people, turn.sender.person_id),
        )
        answer = (await brain.ask(question)).text.strip()
        if not answer:
            return Outcome("ignore", "nothing to say")
        said = turn.saying(self._services.clock.now(), Words(text=answer, lines=brain.note()))
        return Outcome("converse", "nothing to be done", lambda repos: apply(repos, said))


def _in_question(turn: Turn) -> tuple[Concern, ...]:
    """The open matter that is quoted, else all that are the sender's own."""
    quoted = turn.quoted_concern
    if quoted is not None and quoted.status.is_open and may_steer(turn, quoted):
        return (quoted,)
    return turn.mine


def _is_settled(turn: Turn, decision: str) -> bool:
    """Whether they quote a matter that is closed, or a question that is answered: then no other one is meant."""
    concern, quoted = turn.quoted_concern, turn.quoted
    if concern is None or quoted is None or decision not in ("decide", "cancel", "supplement"):
        return False
    if not concern.status.is_open:
        return True
    waits = concern.decision.decision_id if concern.decision else None
    return decision == "decide" and quoted.decision_id not in (None, waits)


def _is_for_others(turn: Turn, concerns: Sequence[Concern]) -> bool:
    """Whether words without a quote name people, none of whom is asked in these: nobody else must get them."""
    if turn.quoted_concern is not None:
        return False
    named = named_in(turn.text, (p for p in turn.people.values() if p.person_id != turn.sender.person_id))
    asked = {p.person_id for c in concerns for p in c.delegates}
    return bool(named) and asked.isdisjoint(named)


def _some_of(concern: Concern, turn: Turn) -> tuple[PersonId, ...]:
    """The delegates whom the words name, where they are some of those still owing and not all."""
    owing = [p.person_id for p in concern.delegates if p.comm_status.is_owing]
    named = named_in(turn.text, (turn.people[p] for p in owing if p in turn.people))
    return named if 0 < len(named) < len(owing) else ()


def _drop(repos: Repositories, block: Block) -> None:
    repos.blocks.take(block.block_id)
