"""The conversation: what is not an action is answered from the context, and never with a promise (RULES 6)."""

from __future__ import annotations

from collections.abc import Callable

from core.brain.questions import Converse, PendingAction
from core.brain.rules.words.text import shared
from core.context.promises import Claim, clean_part
from core.effects import Words
from core.hub.commit import apply
from core.hub.context import detailed, hanging, owner_name
from core.hub.naming import named_in
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.hub.turns.signals import Beside
from core.hub.views import waiting_points
from core.patterns import lazy
from core.people import STARTERS

_JUST_NOW = lazy(r"这就|马上|立刻|立马|现在就|刚|又|\b(?:now|just|right away|again|immediately)\b")


class Conversation:
    """Answers when nothing is to be done."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def converse(
        self, turn: Turn, brain: TurnBrain, *, acted: bool = False, beside: Beside | None = None
    ) -> Outcome:
        """The answer, into the chat. `acted`: an action of this very turn stands behind what it may claim. `beside`:
        what goes with it, and where there is nothing to answer, instead of it.
        """
        beside = beside or Beside()
        question = self.question(turn).model_copy(update={"noted": bool(beside)})
        answer = (await brain.ask(question)).text.strip()
        if not answer:
            return self._unanswered(turn, beside)
        # The rules' own texts promise nothing, and what they quote is as people wrote it.
        ruled = brain.name == self._services.simple_brain.name

        def is_backed(claim: Claim) -> bool:
            noted = claim.family == "keep" and bool(beside.noted)
            return ruled or acted or noted or stands_behind(turn, claim)

        words, guarded = guarded_words(answer, is_backed)
        words = words.model_copy(update={"lines": (*words.lines, *beside.noted, *brain.note())})
        said = turn.saying(self._services.clock.now(), words)
        reason = "a promise without a deed was taken out" if guarded else "nothing to be done"
        return beside.on(Outcome("converse", reason, lambda repos: apply(repos, said)))

    def _unanswered(self, turn: Turn, beside: Beside) -> Outcome:
        """There is nothing to say, save what goes with it."""
        if not beside:
            return beside.on(Outcome("ignore", "nothing to say"))
        outcome = Outcome("converse", "there is nothing to say to it beside what is noted or asked")
        lines = beside.noted or beside.heard
        if not lines:
            return beside.on(outcome)
        first, *more = lines
        said = turn.saying(self._services.clock.now(), first.model_copy(update={"lines": tuple(more)}))
        return beside.on(outcome.and_then(lambda repos: apply(repos, said)))

    def question(self, turn: Turn) -> Converse:
        """What is asked; a delegate's holds nothing but their words and their own chat."""
        sender = turn.sender
        own = sender.role in STARTERS
        return Converse(
            text=turn.text,
            role=sender.role,
            language=sender.language,
            now=self._services.local_now(sender),
            persona=self._services.persona,
            owner=owner_name(turn),
            recent=() if turn.fact.group and not own else turn.recent,
            concerns=detailed(turn) if own else (),
            waiting=waiting_points(turn.mine) if own else (),
            pending=_pending(turn) if own else (),
            timezone=sender.timezone,
            contacts=turn.contacts if own else (),
        )


def guarded_words(answer: str, backed: Callable[[Claim], bool]) -> tuple[Words, bool]:
    """The answer as it may be sent, and whether something was taken out of it.

    Sentences that promise or claim a deed with nothing behind it go, and a plain one says that nothing has been set up.
    """
    kept, claimed = clean_part(answer, backed)
    if claimed is None:
        return Words(text=answer), False
    plain = Words(template="chat/no_promise")
    return (Words(text=kept, lines=(plain,)) if kept else plain), True


def stands_behind(turn: Turn, claim: Claim) -> bool:
    """Whether something that is under way makes the claim true: an open matter asks its people by itself, a schedule,
    an expectation or a watch item reminds and looks out. What is claimed to happen just now needs an action.
    """
    if _JUST_NOW.search(claim.sentence):
        return False
    told = f"{turn.text} {claim.sentence}"
    if claim.family == "ask":
        asked = {p.person_id for c in turn.mine for p in c.delegates}
        named = set(named_in(claim.sentence, turn.people.values())) or set(named_in(turn.text, turn.people.values()))
        named.discard(turn.sender.person_id)
        return named <= asked if named else any(shared(told, c.title) for c in turn.mine)
    planned = (b for b in turn.briefs if b.kind in ("schedule", "expectation", "watch"))
    return claim.family == "keep" and any(shared(told, b.title) for b in planned)


def _pending(turn: Turn) -> tuple[PendingAction, ...]:
    """What waits for the sender's yes or for a word of theirs."""
    shown = [b for b in turn.pending if any(h.kind in ("confirmation", "intention") for h in hanging((b,)))]
    return tuple(PendingAction(block_id=b.block_id, summary=b.summary) for b in shown)
