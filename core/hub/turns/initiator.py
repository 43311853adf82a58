"""An initiator's turn: the owner, an admin or a member says something.

What a quoted message settles is not asked of anybody; the rest is judged, and whatever needs no doing is answered by
the conversation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from core.action.grounding import own_judgement
from core.brain.port import MODEL
from core.brain.questions import ConcernBrief, Judge, Judgement, PendingAction
from core.brain.rules.owner.brief_wish import brief_wish
from core.brain.rules.owner.wishes import CANCEL
from core.brain.rules.replies.reply import asks
from core.brain.rules.words.names import mentions, unknown_name
from core.brain.rules.words.targets import who_comes_in
from core.brain.rules.words.text import fold
from core.concern import relay, steer
from core.concern.model import CommStatus, Concern
from core.hub.acting.actions import ActionEntry
from core.hub.acting.confirmations import Confirmations, pending
from core.hub.commit import apply, commit
from core.hub.ending import call_off
from core.hub.errand import may_steer
from core.hub.naming import named_in
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.hub.turns.adding import add_words
from core.hub.turns.conversation import Conversation
from core.hub.turns.others_away import OthersAway
from core.hub.turns.signals import Signals
from core.hub.turns.which import ask_which
from core.hub.views import initiator_brief, waiting_points
from core.ids import ConcernId, PersonId
from core.patterns import lazy
from core.people import INSPECTORS, Role
from core.ports import Repositories

UNSENT_WITHIN = timedelta(minutes=30)
"""So long after words were passed on "take that back" may mean them."""

LOOKED_BACK = 20

_UNSEND = lazy(
    r"撤回|收回(?:来|刚才|那)|(?:刚才|那)(?:条|句)?[^,，。]{0,4}(?:别|不要)(?:发|说|告诉)|"
    r"\bunsend\b|\btake (?:it|that|this) back\b|\bdon'?t (?:send|tell) (?:it|that)\b",
    re.IGNORECASE,
)


class InitiatorTurn:
    """Judges and routes what an initiator says."""

    def __init__(self, services: Services, entry: ActionEntry, confirmations: Confirmations) -> None:
        self._services = services
        self._entry = entry
        self._confirmations = confirmations
        self._conversation = Conversation(services)
        self._signals = Signals(services)
        self._others = OthersAway(services)

    async def handle(self, turn: Turn, brain: TurnBrain) -> Outcome:
        """The outcome to commit."""
        if not turn.text:
            return Outcome("ignore", "an empty message")
        if turn.fact.forwarded_from is not None:
            said = turn.reply(self._services.clock.now(), "chat/forwarded", name=turn.fact.forwarded_from)
            return Outcome("converse", "forwarded words are no command", lambda repos: apply(repos, said))
        answered = self._answers_decision(turn)
        if answered is not None:
            return await self._answered(turn, answered, brain)
        taken = await self._confirmations.taken_up(turn, brain) or await self._entry.join(turn, brain)
        if taken is not None:
            return taken
        told = self._others.told(turn)
        outcome = self._others.alone(told) or await self._judged(self._others.without(turn, told), brain)
        return self._others.beside(turn, told, outcome)

    def took_back(self, turn: Turn) -> Outcome:
        """A message that ordered nothing is taken back: what it told of others' absence with it."""
        return self._others.beside(turn, None, Outcome("ignore", "a recalled message that started nothing"))

    async def _judged(self, turn: Turn, brain: TurnBrain) -> Outcome:
        turn = self._confirmations.judged(turn)
        if (asked := self._of_the_brief(turn)) is not None:
            return asked
        question = self.question(turn)
        judgement = await brain.ask(question)
        if brain.name == MODEL:
            judgement = own_judgement(judgement, question)
        turn = replace(turn, signals=self._signals.read(turn, judgement))
        return await self.route(turn, judgement, brain)

    def _of_the_brief(self, turn: Turn) -> Outcome | None:
        """The morning brief is set by its command, which is named with the hour that they want."""
        now = self._services.when_said(turn.fact, turn.sender)
        wish = brief_wish(turn.text, now, turn.contacts, turn.sender.person_id)
        if wish is None:
            return None
        said = turn.reply(self._services.clock.now(), "chat/brief_how", at=wish.at, off=wish.off)
        return Outcome("converse", "the brief has a command", lambda repos: apply(repos, said))

    async def kept(self, turn: Turn, brain: TurnBrain) -> Outcome:
        """Words that were kept for this moment: an order, or something to be said; they answer nothing that waits."""
        return await self._entered(turn, brain) or await self.converse(turn, brain)

    async def _entered(self, turn: Turn, brain: TurnBrain) -> Outcome | None:
        """What the words set going; where they turn out to need no action the conversation answers."""
        entered = await self._entry.enter(turn, brain, turn.text)
        if entered is None or entered.decision != "converse":
            return entered
        return (await self.converse(turn, brain)).and_then(entered.keep)

    async def _answered(self, turn: Turn, concern: Concern, brain: TurnBrain) -> Outcome:
        """A quoted question is answered by whatever is said to it, save a word that calls the matter off, or a question
        back.
        """
        judgement = await self._services.simple_brain.ask(self.question(turn))
        if judgement.decision == "cancel":
            return self.cancelled(turn, [concern])
        if judgement.decision != "decide" and asks(turn.text):
            return await self.route(turn, judgement, brain)
        return self.decided(turn, concern, turn.text)

    def question(self, turn: Turn) -> Judge:
        """What the message of an initiator is judged on."""
        role = turn.sender.role
        mine = _in_question(turn)
        return Judge(
            text=turn.text,
            role=role if role in INSPECTORS else Role.MEMBER,  # type: ignore[arg-type]
            now=self._services.when_said(turn.fact, turn.sender),
            concerns=tuple(initiator_brief(c) for c in mine) if mine is not turn.mine else turn.briefs,
            waiting=waiting_points(mine),
            pending=tuple(PendingAction(block_id=b.block_id, summary=b.summary) for b in pending(turn)),
            contacts=turn.contacts,
            quoted=turn.quoted.text if turn.quoted else None,
            recent=turn.recent,
        )

    @staticmethod
    def _answers_decision(turn: Turn) -> Concern | None:
        """The concern whose open decision the quoted message asked for."""
        concern, quoted = turn.quoted_concern, turn.quoted
        if concern is None or quoted is None or quoted.decision_id is None or concern.decision is None:
            return None
        asked = concern.decision.decision_id == quoted.decision_id
        return concern if asked and may_steer(turn.sender, concern) else None

    async def route(self, turn: Turn, judgement: Judgement, brain: TurnBrain) -> Outcome:
        """Carry a judgement out."""
        blocks = pending(turn)
        scope = _in_question(turn)
        mine: dict[str, Concern] = {c.concern_id: c for c in scope}
        named = [mine[t] for t in judgement.targets if t in mine]
        decision = judgement.decision
        which = decision == "supplement" and judgement.unclear and len(_meant(turn, judgement)) > 1
        if decision == "supplement" and not which and _is_for_others(turn, named or scope):
            decision = "raise"
        if _is_settled(turn, decision):
            return self._confirmations.stale(turn)
        match decision:
            case "confirm" | "deny" | "amend" if blocks and judgement.unclear:
                return self._confirmations.again(turn, blocks[-1], brain)
            case "confirm" | "deny" | "amend" if blocks:
                return await self._confirmations.settle(turn, decision, blocks, brain)
            case "decide" if any(c.decision for c in scope):
                waiting = [c for c in named if c.decision] or [c for c in scope if c.decision]
                if judgement.unclear or len(waiting) > 1:
                    return ask_which(turn, self._services, tuple(waiting), "decide")
                return self.decided(turn, waiting[0], turn.text)
            case "cancel" if _is_of_others(turn, open_ones := _meant(turn, judgement) or scope):
                return ask_which(turn, self._services, open_ones, "cancel")
            case "cancel" if _beyond(turn, judgement):
                return self._entry.call_off(turn, judgement.targets)
            case "cancel" if judgement.unclear and len(meant := _meant(turn, judgement)) > 1:
                return ask_which(turn, self._services, meant, "cancel")
            case "cancel" if scope:
                targets = named or list(scope)
                if judgement.unclear or (not named and len(targets) > 1):
                    return ask_which(turn, self._services, tuple(targets), "cancel")
                return self.cancelled(turn, targets)
            case "supplement" if _meant(turn, judgement) or len(scope) == 1:
                changed = await self._entry.change(turn, brain, judgement.targets)
                if changed is not None:
                    return changed
                if judgement.unclear and len(meant := _meant(turn, judgement)) > 1:
                    return ask_which(turn, self._services, meant, "change")
                if named or len(scope) == 1:
                    return self._amended(turn, turn.text, named or list(scope))
            case "raise" | "watch":
                entered = await self._entered(turn, brain)
                if entered is not None:
                    return entered
            case "ignore":
                return Outcome("ignore", judgement.reason)
        said = self._confirmations.late(turn) or await self._unsent(turn) or await self._signals.forgotten(turn)
        return said or await self.converse(turn, brain)

    async def _unsent(self, turn: Turn) -> Outcome | None:
        """Words that were passed on just now are to come back: they can't, and that is said."""
        if not _UNSEND.search(turn.text):
            return None
        me, since = turn.sender.person_id, self._services.clock.now() - UNSENT_WITHIN
        lately = await self._services.store.run(
            lambda repos: repos.concerns.list(open_only=False, limit=LOOKED_BACK, initiator=me)
        )
        told = next((c for c in lately if c.relay is not None and c.closed_at and c.closed_at >= since), None)
        names = [p.display_name for p in relay.told(told)] if told is not None else []
        if not names:
            return None
        said = turn.reply(self._services.clock.now(), "chat/relay_not_recalled", names=names)
        return Outcome("converse", "a relay that was told already", lambda repos: apply(repos, said))

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
        return Outcome(
            "cancel", "cancelled by the initiator", lambda repos: self.cancel(repos, turn, ids, turn.text), ids
        )

    def cancel(self, repos: Repositories, turn: Turn, concern_ids: tuple[ConcernId, ...], words: str) -> None:
        """Drop what is still open of these: matters (of some people alone, where `words` name them); and what is kept,
        but is none.
        """
        if kept := tuple(i for i in concern_ids if not i.startswith("con_")):
            self._entry.call_off(turn, kept).keep(repos)
        for concern_id in concern_ids:
            fresh = repos.concerns.get(concern_id)
            if fresh is not None and fresh.status.is_open:
                setting, where = self._services.setting(turn.people), turn.fact.conversation
                let_go = _some_of(fresh, turn, words)
                if let_go:
                    commit(repos, steer.release(fresh, let_go, setting, where, turn.sender, turn.cause))
                else:
                    call_off(repos, fresh, setting, where, turn.sender)

    async def changed(self, turn: Turn, brain: TurnBrain, target: str, words: str) -> Outcome:
        """What was said to several matters, for the one that was picked."""
        outcome = await self._entry.change(turn, brain, (target,), words)
        return outcome or self._amended(turn, words, [c for c in turn.mine if c.concern_id == target])

    def _amended(self, turn: Turn, words: str, concerns: list[Concern]) -> Outcome:
        def keep(repos: Repositories) -> None:
            for concern in concerns:
                add_words(repos, turn, concern.concern_id, words, self._services)

        return Outcome("supplement", "adds to an open matter", keep, tuple(c.concern_id for c in concerns))

    async def converse(self, turn: Turn, brain: TurnBrain) -> Outcome:
        """Nothing is to be done: answer from the context, with what the words tell beside."""
        return await self._conversation.converse(turn, brain, beside=self._signals.beside(turn, brain))


def _beyond(turn: Turn, judgement: Judgement) -> bool:
    """Whether it is about a schedule, an expectation, a watch item or a task, one at least and clearly so."""
    delegations = {c.concern_id for c in turn.mine}
    known = {b.concern_id for b in turn.briefs}
    return not judgement.unclear and any(t in known and t not in delegations for t in judgement.targets)


def _meant(turn: Turn, judgement: Judgement) -> tuple[ConcernBrief, ...]:
    """All that the judgement names, of whatever kind."""
    return tuple(b for b in turn.briefs if b.concern_id in judgement.targets)


def _in_question(turn: Turn) -> tuple[Concern, ...]:
    """The open matter that is quoted, else all that are the sender's own."""
    quoted = turn.quoted_concern
    if quoted is not None and quoted.status.is_open and may_steer(turn.sender, quoted):
        return (quoted,)
    return turn.mine


_CLAUSE = lazy(r"[,，。;；!！?？\n]|\.\s")


def _is_of_others(turn: Turn, meant: Sequence[Concern | ConcernBrief]) -> bool:
    """Whether it is somebody's matter that is called off, and none of these is theirs or speaks of them.

    Only the clauses that call off count: in 「不用问了，张三已经说了」 nobody's matter is named.
    """
    if turn.quoted_concern is not None or not meant:
        return False
    known, names, ids = turn.contacts, set[str](), set[str]()
    for clause in _CLAUSE.split(turn.text):
        said = CANCEL.search(fold(clause))
        if said is not None:
            found = mentions(clause, known)
            ids.update(i for m in found for i in m.ids)
            names.update(m.name for m in found)
            names.update((unknown_name(clause[said.end() :].strip()),) if not found else ())
    names.update(n for i in ids for n in (turn.people[PersonId(i)].name, *turn.people[PersonId(i)].aliases))
    names.discard("")
    about = [(f"{c.title} {c.goal}", {p.person_id for p in c.people}) for c in meant]
    return bool(names) and not any(ids & asked or any(n in text for n in names) for text, asked in about)


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
    """Whether unquoted words name people, none of whom is asked in these, nor is to be: nobody else must get them."""
    if turn.quoted_concern is not None or who_comes_in(turn.text, turn.contacts):
        return False
    named = named_in(turn.text, (p for p in turn.people.values() if p.person_id != turn.sender.person_id))
    asked = {p.person_id for c in concerns for p in c.delegates}
    return bool(named) and asked.isdisjoint(named)


def _some_of(concern: Concern, turn: Turn, words: str) -> tuple[PersonId, ...]:
    """The delegates whom the words name, where somebody else still owes an answer; none where all of it is meant."""
    asked = [p.person_id for p in concern.delegates if p.comm_status is not CommStatus.NOT_NEEDED]
    named = named_in(words, (turn.people[p] for p in asked if p in turn.people))
    others = [p for p in concern.delegates if p.comm_status.is_owing and p.person_id not in named]
    return named if others else ()
