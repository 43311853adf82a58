"""Pending confirmations: a button or a later message says yes, no, who is meant, or what is to be otherwise.

Each is taken up once. A yes runs the action and is not asked about again; a change makes it anew, through the
evaluator and the planner like any other. While it waits a communication block stands beside it; once it is over
without having been done that block says so for a while, so that a late yes gets an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from core.action.model import EvaluatorResult, RefusedTendency
from core.brain.rules.amending.people import picked
from core.brain.rules.amending.slots import people_of
from core.brain.rules.signals.lifting import is_plain_yes, says_follow_up
from core.brain.rules.waiting.joining import with_remark
from core.brain.rules.waiting.orders import Parted, parted
from core.brain.rules.waiting.pending import is_mere_receipt, reading_of_pending, wants_it_still
from core.brain.rules.waiting.picking import chosen, means_all, names_in, of_each
from core.context.workspace import (
    Block,
    BlockKind,
    WhichAction,
    companion_id,
    follow_up_of,
    hint_about,
    hint_lapsed,
    hint_of,
    hinted,
)
from core.hub.acting.actions import ActionEntry
from core.hub.acting.asking import Asking, is_next
from core.hub.acting.executor import Keep
from core.hub.acting.which_action import answered, ask_if_another, ask_which_action, asked_block, told_apart
from core.hub.commit import apply
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.ports import Repositories


class Confirmations:
    """What happens to an action that waits."""

    def __init__(self, services: Services, entry: ActionEntry) -> None:
        self._services = services
        self._entry = entry
        self._asking = Asking(services)

    # --- what a message may be, before it is judged -------------------------------------------------------------------

    async def taken_up(self, turn: Turn, brain: TurnBrain) -> Outcome | None:
        """What answers a question that was put about an action that waits; None when the message is to be judged.

        Which action (by number), who is meant (by number or name), the change after 修改, which needs no word of
        change; and an answer with an order behind it: both are done. What may be a change or an order of its own is
        asked about, whichever brain judges: words for one must not reach another.
        """
        waiting = pending(turn)
        if not waiting:
            return None
        if len(waiting) == 1 and follow_up_of(waiting[0]) is not None and is_plain_yes(turn.text):
            return self.confirm(turn, waiting[0], brain)
        asked = asked_block(turn)
        if asked is not None and (outcome := await self.which(turn, asked, None, brain)) is not None:
            return outcome
        if asked is not None and (outcome := self._either(turn, asked, waiting)) is not None:
            return outcome
        for block in reversed(waiting):
            if (outcome := await self._named(turn, block, brain)) is not None:
                return outcome
        amending = {hint_of(b).about for b in hinted(turn.pending, "amending") if is_next(turn, b)}
        changing = next((b for b in reversed(waiting) if b.block_id in amending), None)
        parts = self._parted(turn, waiting)
        pointed = changing is not None or (turn.quoted is not None and turn.quoted.block_id is not None)
        if parts.doubtful or (parts.order and not parts.answer and pointed and not parts.anew):
            return ask_if_another(turn, self._services, (changing,) if changing is not None else waiting, turn.text)
        reading = self._reading(turn, parts, waiting)
        if parts.order:
            return await self._both(turn, parts, reading, waiting, brain) if reading is not None else None
        if changing is not None and len(waiting) > 1 and means_all(turn.text, len(waiting)):
            return await self.settle(turn, reading or "amend", waiting, brain)
        if changing is not None and reading not in ("confirm", "deny"):
            return await self.amend(turn, changing, turn.text, brain)
        return await self.settle(turn, "amend", waiting, brain) if parts.changes else None

    def _either(self, turn: Turn, asked: Block, waiting: Sequence[Block]) -> Outcome | None:
        """A mere yes to "this one, or another?" tells neither, and is no yes to what waits: it is asked once more."""
        which = WhichAction.model_validate(asked.content)
        if not which.or_another or not is_next(turn, asked):
            return None
        blocks = tuple(b for b in waiting if b.block_id in which.block_ids)
        yes = any(reading_of_pending(turn.text, b.summary) == "confirm" for b in blocks)
        return ask_if_another(turn, self._services, blocks, which.text) if yes else None

    def judged(self, turn: Turn) -> Turn:
        """The turn as it is to be judged: beside an order of its own nothing that waits for a yes is in question."""
        waiting = pending(turn)
        if not waiting or self._parted(turn, waiting).answer:
            return turn
        return replace(turn, pending=tuple(b for b in turn.pending if b not in waiting))

    def _parted(self, turn: Turn, waiting: Sequence[Block]) -> Parted:
        known = turn.contacts
        waits = "; ".join(b.summary for b in waiting)
        return parted(turn.text, waits, self._services.local_now(turn.sender), known, turn.sender.person_id)

    def _reading(self, turn: Turn, parts: Parted, waiting: Sequence[Block]) -> str | None:
        """What the words say that are no order. Before an order a mere "ok" is a yes only to what was just asked."""
        if parts.changes:
            return "amend"
        now, known = self._services.local_now(turn.sender), turn.contacts
        read = (reading_of_pending(parts.answer, b.summary, now, known) for b in reversed(waiting))
        reading = next((r for r in read if r), None)
        asked = any(is_next(turn, b) for b in waiting)
        if reading == "confirm" and parts.order and is_mere_receipt(parts.answer) and not asked:
            return None
        return reading

    async def _both(
        self, turn: Turn, parts: Parted, reading: str, waiting: Sequence[Block], brain: TurnBrain
    ) -> Outcome | None:
        """An answer and the order behind it, in one transaction. None where nothing is ordered after all."""
        entered = await self._entry.enter(turn, brain, parts.order, first=len(waiting))
        if entered is None or entered.decision == "converse":
            return None
        settled = await self.settle(turn, reading, waiting, brain, parts.answer)
        return replace(settled, reason=f"{settled.reason}; {entered.reason}").and_then(entered.keep)

    async def _named(self, turn: Turn, block: Block, brain: TurnBrain) -> Outcome | None:
        """The answer to "who do you mean?", when the message says nothing else."""
        result = EvaluatorResult.model_validate(block.content["result"])
        known = turn.contacts
        if result.ambiguous:
            by_id = {p.person_id: p for p in known}
            places = chosen(turn.text, [by_id[i] for i in result.ambiguous[0].candidates if i in by_id])
            if places:
                return self.pick(turn, block, places, brain)
        unclear = result.ambiguous or result.unknown_people
        if unclear and names_in(turn.text, known) is not None:
            return await self.amend(turn, block, turn.text, brain)
        return None

    async def settle(
        self, turn: Turn, decision: str, blocks: Sequence[Block], brain: TurnBrain, text: str | None = None
    ) -> Outcome:
        """A yes, a no or a change in words, for one of `blocks`: asked which where they cannot be told apart. `text`
        where the words are not the whole message.
        """
        text = turn.text if text is None else text
        meant = told_apart(text, blocks)
        if len(meant) > 1 and not means_all(text, len(blocks)):
            return ask_which_action(turn, self._services, meant, decision, text)
        several = decision == "amend" and len(meant) > 1
        return await self._each(turn, decision, meant, of_each(text) if several else text, brain)

    async def which(self, turn: Turn, asked: Block, choice: str | None, brain: TurnBrain) -> Outcome | None:
        """Go on with what waited for the answer to "which action?"; None when the message does not answer it."""
        question, blocks = answered(turn, asked, choice)
        if blocks is None:
            entered = await self._entry.enter(turn, brain, question.text)
            if entered is None or entered.decision == "converse":
                entered = self.unread(turn, question.text)
            return entered.and_then(lambda repos: _drop(repos, asked.block_id))
        if not blocks:
            return None if choice is None else self.stale(turn)
        outcome = await self._each(turn, question.verb, blocks, question.text, brain)
        return outcome.and_then(lambda repos: _drop(repos, asked.block_id))

    async def _each(self, turn: Turn, decision: str, blocks: Sequence[Block], text: str, brain: TurnBrain) -> Outcome:
        outcomes: list[Outcome] = []
        for n, block in enumerate(blocks):
            match decision:
                case "deny":
                    outcomes.append(self.deny(turn, block))
                case "confirm":
                    outcomes.append(self.confirm(turn, block, brain, n))
                case _:
                    outcomes.append(await self.amend(turn, block, text, brain, n))
        first = outcomes[0]
        for more in outcomes[1:]:
            first = first.and_then(more.keep)
        return first

    # --- what becomes of one ------------------------------------------------------------------------------------------

    def confirm(self, turn: Turn, block: Block, brain: TurnBrain, n: int = 0) -> Outcome:
        """Yes: the action runs, and is not asked about again."""
        result = EvaluatorResult.model_validate(block.content["result"])
        if len(result.ambiguous) == 1 and len(result.ambiguous[0].candidates) == 1:
            return self.pick(turn, block, (0,), brain)
        if result.ambiguous:  # a yes does not say who is meant
            return self.again(turn, block, brain, n)
        asked = follow_up_of(block)
        if asked is not None and asked.title is None and not people_of(result):
            whom = self._asking.whom(block, asked, turn)
            return Outcome("confirm", "nobody is named: asked whom", self._taking(turn, block, whom), asked=True)
        return self._run(turn, block, result, brain, n)

    def again(self, turn: Turn, block: Block, brain: TurnBrain, n: int = 0) -> Outcome:
        """Neither a plain yes nor a plain no, or it is still open who is meant: the question once more."""
        said = self._asking.question(block, turn, n, brain)
        return Outcome("confirm", "still unclear: asked again", partial(apply, effect=said), asked=True)

    def pick(self, turn: Turn, block: Block, places: Sequence[int], brain: TurnBrain) -> Outcome:
        """Who is meant by the first ambiguous name; the next one, if there is one, is asked about then."""
        result = EvaluatorResult.model_validate(block.content["result"])
        candidates = result.ambiguous[0].candidates if result.ambiguous else ()
        ids = [candidates[n] for n in places if 0 <= n < len(candidates)]
        if not ids:
            return self.stale(turn)
        names = {str(p.person_id): p.name for p in turn.people.values()}
        settled = picked(result, ids, names).model_copy(update={"need_confirm": len(result.ambiguous) > 1})
        return self._run(turn, block, settled, brain, confirmed=not settled.need_confirm)

    def deny(self, turn: Turn, block: Block) -> Outcome:
        """No: nothing happens, and the sender reads that."""
        said = turn.reply(
            self._services.clock.now(), "chat/denied", part=f"denied:{block.block_id}", summary=block.summary
        )
        lapsed = hint_lapsed(block, self._services.clock.now() + self._services.limits.confirm.remembered, denied=True)

        def denied(repos: Repositories) -> None:
            apply(repos, said)
            repos.blocks.put(lapsed)

        return Outcome("deny", "denied", self._taking(turn, block, denied))

    async def amend(self, turn: Turn, block: Block, text: str, brain: TurnBrain, n: int = 0) -> Outcome:
        """What waits, as `text` changes it: it runs where the change leaves no doubt, else it is asked about anew."""
        result = await self._entry.amended(turn, brain, block, text)
        if not result.ok and result.refusal == "no_action":
            return self.deny(turn, block)
        tendency = with_remark(block.content["tendency"], text)
        made = self._entry.planned(tendency, result, turn, confirmed=not result.need_confirm)
        if isinstance(made, RefusedTendency):
            return self.edit(turn, block, past=made.kind == "past")
        words = with_remark(block.content["words"], text)
        run = self._entry.carry_out(made, replace(turn, answers=block), words, n, brain)
        return Outcome("amend", f"changed: {block.summary}", self._taking(turn, block, run))

    def edit(self, turn: Turn, block: Block, *, past: bool = False) -> Outcome:
        """Ask how it is to be changed; the next message is the change."""
        said = turn.reply(
            self._services.clock.now(),
            "chat/amend_how",
            part=f"edit:{block.block_id}",
            summary=block.summary,
            past=past,
            block_id=block.block_id,
        )
        hint = hint_about(block, "amending", self._services.clock.now())

        def keep(repos: Repositories) -> None:
            if repos.blocks.get(block.block_id) is None:
                self.stale(turn).keep(repos)
            else:
                repos.blocks.put(hint)
                apply(repos, said)

        return Outcome("amend", "asked how to change it", keep, asked=True)

    def stale(self, turn: Turn) -> Outcome:
        """A button or a yes for something that is settled or has lapsed."""
        said = turn.reply(self._services.clock.now(), "chat/stale_button")
        return Outcome("ignore", "taken up or lapsed before", lambda repos: apply(repos, said))

    def unread(self, turn: Turn, text: str) -> Outcome:
        """Words that are no order after all, though they were said to be one."""
        now = self._services.clock.now()
        said = turn.reply(now, "chat/refused", kind="unclear", problem="", tendency=text, least=0.0)
        return Outcome("converse", "nothing is ordered", partial(apply, effect=said))

    def late(self, turn: Turn) -> Outcome | None:
        """A yes to something that is over: which one, and that it was not done. None when there is no such thing."""
        now, local = self._services.clock.now(), self._services.local_now(turn.sender)
        for block in reversed(hinted(turn.pending, "lapsed")):
            hint = hint_of(block)
            here = block.conversation == turn.fact.conversation
            if here and wants_it_still(turn.text, hint.summary, hint.denied, local):
                said = turn.reply(now, "chat/lapsed", summary=hint.summary, denied=hint.denied)
                return Outcome("converse", "a yes to what is over", partial(apply, effect=said))
        return None

    def _run(
        self,
        turn: Turn,
        block: Block,
        result: EvaluatorResult,
        brain: TurnBrain,
        n: int = 0,
        *,
        confirmed: bool = True,
    ) -> Outcome:
        made = self._entry.planned(block.content["tendency"], result, turn, confirmed=confirmed)
        run = self._entry.carry_out(made, replace(turn, answers=block), block.content["words"], n, brain)
        return Outcome("confirm", f"confirm: {block.summary}", self._taking(turn, block, run))

    def _taking(self, turn: Turn, block: Block, then: Keep) -> Keep:
        """Take the block up in the transaction itself: of two yeses only one does anything."""
        late = self.stale(turn)

        def keep(repos: Repositories) -> None:
            if repos.blocks.take(block.block_id) is None:
                late.keep(repos)
            else:
                repos.blocks.take(companion_id(block.block_id))
                then(repos)

        return keep


def pending(turn: Turn) -> tuple[Block, ...]:
    """The sender's actions that wait for a yes in this chat, oldest first; a quoted message is answered alone: what it
    asks about, and nothing else. What was asked unasked stands in the way of no words but a yes or a no.
    """
    here = (BlockKind.ACTIONS_NEED_CONFIRMATION, turn.fact.conversation)
    waiting = tuple(b for b in turn.pending if (b.kind, b.conversation) == here and _is_in_question(turn, b))
    if turn.quoted is not None and (turn.quoted.block_id is not None or turn.quoted.concern_id is not None):
        return tuple(b for b in waiting if b.block_id == turn.quoted.block_id)
    return waiting


def _is_in_question(turn: Turn, block: Block) -> bool:
    """What nobody ordered needs a yes that is for it alone: to its message, or to the last word that they had here."""
    asked = follow_up_of(block)
    if asked is None or reading_of_pending(turn.text, block.summary) == "deny":
        return True
    if turn.quoted is not None or says_follow_up(turn.text):
        return is_plain_yes(turn.text)
    last = next((line.text for line in reversed(turn.recent) if line.ours), "")
    return is_plain_yes(turn.text) and asked.what in last


def _drop(repos: Repositories, block_id: str) -> None:
    repos.blocks.take(block_id)
