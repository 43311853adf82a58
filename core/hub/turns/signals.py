"""What an utterance tells beside what it asks for: a promise becomes a watch item, a trouble a question (RULES 2).

Neither is ordered, so neither reaches anybody by itself: a promise is looked at again when its day has gone by
(`core.hub.turns.expired`), and a risk or a blocker is followed up only where whoever voiced it says yes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from core.action.meta_actions import AdvanceConcern
from core.agenda.model import WatchItem
from core.agenda.watch import ALIKE, promise_again
from core.brain.answers import SignalOf
from core.brain.questions import Judgement
from core.brain.rules.signals.lifting import clamped
from core.brain.rules.signals.promises import deed_of
from core.brain.rules.words.text import likeness, without_quotes
from core.brain.rules.words.urgency import priority_of
from core.concern.model import Concern
from core.concern.turn import end_of_work
from core.context.workspace import Block, BlockKind, companion_id, follow_up_of
from core.effects import Words
from core.facts import FactKind, Signal, SignalKind
from core.hub.abilities.expecting import end_item
from core.hub.acting.asking import Asking
from core.hub.acting.confirmations import pending
from core.hub.acting.executor import Keep
from core.hub.commit import apply
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.hub.turns.following import followed
from core.ids import PersonId
from core.patterns import lazy
from core.people import owner_among
from core.ports import Repositories

ASKED_ONCE_IN = timedelta(days=7)
"""The same trouble, said again within this time in the same chat, is not asked about again."""

JUST_NOTED = timedelta(hours=1)
"""So long after a promise was noted 「不用记」 means it."""

_FORGET = lazy(
    r"^\W*(?:这个|那个|这条|那就|算了|你|就|都|,|，|\s)*(?:不用|别|不必|不要|无需)(?:再)?(?:帮我|替我|给我)?(?:记|盯|看)(?:着|了|下来?|这个|这条)*(?:吧|啦|哈)?\W*$"
    r"|^\W*(?:no need to|don'?t|please don'?t|you needn'?t) "
    r"(?:note|track|watch|keep track of|remember|check|write down)(?: (?:that|it|this))?(?: down)?\W*$"
)


@dataclass(frozen=True)
class Beside:
    """What goes with the conversation's answer: half a line, what is written, and what was lifted."""

    noted: tuple[Words, ...] = ()
    keeps: tuple[Keep, ...] = ()
    signals: tuple[Signal, ...] = ()
    heard: tuple[Words, ...] = ()
    """What answers a trouble that is not asked about again, where nothing else does."""

    def __bool__(self) -> bool:
        return bool(self.signals)

    def on(self, outcome: Outcome) -> Outcome:
        """The outcome of the answer with all this; a promise that is noted makes it `watch`."""
        for keep in self.keeps:
            outcome = outcome.and_then(keep)
        if self.noted:
            outcome = Outcome("watch", "a promise in passing", outcome.keep, outcome.concerns, signals=outcome.signals)
        return outcome.lifting(*self.signals)


class Signals:
    """Lifts what a judgement read in somebody's words."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._asking = Asking(services)

    def read(self, turn: Turn, judgement: Judgement) -> tuple[SignalOf, ...]:
        """The signals of the judgement, held to the words; forwarded ones are another's, and of a promise that comes so
        late that its hour has gone by there is nothing to look at."""
        fact, sender = turn.fact, turn.sender
        if fact.kind not in (FactKind.MESSAGE, FactKind.EDIT) or fact.forwarded_from is not None:
            return ()
        said_at, now = self._services.when_said(fact, sender), self._services.clock.now()
        found = clamped(judgement.signals, without_quotes(fact.text), said_at, end_of_work(sender))
        return tuple(s for s in found if s.when is None or s.when > now)

    # --- of an initiator ----------------------------------------------------------------------------------------------

    def beside(self, turn: Turn, brain: TurnBrain) -> Beside:
        """What an initiator's remark tells (`turn.signals`): a promise of their own is noted, a trouble asked about."""
        me, promises = turn.sender.person_id, _promises(turn.signals)
        keeps = [self._noting(turn, p, me) for p in promises]
        asked = self._asked_about(turn, brain)
        troubles = (s.what for s in turn.signals if s.kind != "commitment")
        return Beside(
            noted=tuple(self._noted(turn, p) for p in promises),
            keeps=(*keeps, *((asked,) if asked is not None else ())),
            signals=tuple(_signal(s, me) for s in turn.signals),
            heard=() if keeps or asked is not None else tuple(_heard(turn, what) for what in troubles)[:1],
        )

    def _noted(self, turn: Turn, promise: SignalOf) -> Words:
        when = promise.when.isoformat() if promise.when is not None else None
        return Words(template="chat/promise_noted", values={"what": self._deed(turn, promise), "when": when})

    def _deed(self, turn: Turn, promise: SignalOf) -> str:
        return deed_of(promise.what, self._services.when_said(turn.fact, turn.sender))

    def _asked_about(self, turn: Turn, brain: TurnBrain) -> Keep | None:
        """The question whether to follow a trouble up; None where there is none, it was asked, or another one waits."""
        trouble = next((s for s in turn.signals if s.kind != "commitment"), None)
        if trouble is None or pending(turn) or self._was_asked(turn, trouble.what):
            return None
        now = self._services.clock.now()
        mark = Block(
            block_id=f"signal:{turn.cause}",
            kind=BlockKind.SIGNAL_ASKED,
            owner=turn.sender.person_id,
            conversation=turn.fact.conversation,
            message_id=turn.fact.message_id,
            content={},
            summary=trouble.what,
            created_at=now,
            expires_at=now + ASKED_ONCE_IN,
        )
        ask = self._asking.follow_up(followed(turn, trouble.what), turn, brain)
        here = (b for b in turn.pending if b.conversation == turn.fact.conversation)
        earlier = [b.block_id for b in here if follow_up_of(b) is not None]

        def keep(repos: Repositories) -> None:
            for block_id in earlier:  # a yes is to the last question alone
                repos.blocks.take(block_id)
                repos.blocks.take(companion_id(block_id))
            repos.blocks.put(mark)
            ask(repos)

        return keep

    @staticmethod
    def _was_asked(turn: Turn, what: str) -> bool:
        """Whether it was asked about in this chat lately; of a message that is edited the question is put anew."""
        fact = turn.fact
        asked = (b for b in turn.pending if b.kind is BlockKind.SIGNAL_ASKED and b.conversation == fact.conversation)
        others = (b for b in asked if b.message_id is None or b.message_id != fact.message_id)
        return any(likeness(b.summary, what) >= ALIKE for b in others)

    async def forgotten(self, turn: Turn) -> Outcome | None:
        """「不用记」: the promise that was noted here last is not looked at; None where the words are no such thing."""
        if not _FORGET.search(turn.text.lower()):
            return None
        me, since = turn.sender.person_id, self._services.clock.now() - JUST_NOTED
        noted = await self._services.store.run(lambda repos: repos.agenda.watches(me))
        here = [w for w in noted if w.kind == "promise" and w.conversation == turn.fact.conversation]
        item = next((w for w in reversed(here) if w.created_at >= since), here[0] if len(here) == 1 else None)
        if item is None:
            return None
        now = self._services.clock.now()
        said = turn.reply(now, "chat/item_dropped", what=item.what)

        def keep(repos: Repositories) -> None:
            end_item(repos, item, "dropped", now)
            apply(repos, said)

        return Outcome("cancel", "a promise that need not be noted", keep)

    # --- of a delegate ------------------------------------------------------------------------------------------------

    def of_delegate(self, turn: Turn, judgement: Judgement, outcome: Outcome) -> Outcome:
        """The outcome of a delegate's words with what they tell beside. A promise that answers an open matter is its
        loop's; one made unasked is looked at on its day, and the owner, who reads the words anyway, hears no more.
        """
        if outcome.decision not in ("relay", "supplement"):
            return outcome
        signals, me = self.read(turn, judgement), turn.sender.person_id
        known = (*turn.asked, *((turn.last_closed,) if turn.last_closed else ()), turn.quoted_concern)
        about = [c for c in known if c is not None and c.concern_id in outcome.concerns]
        answers = any(c.status.is_open for c in about)
        waits = self._who_waits(turn, about)
        if turn.fact.kind is FactKind.EDIT:
            outcome = outcome.and_then(self.taken_back(turn))
        if waits is not None and not answers:
            for promise in _promises(signals):
                outcome = outcome.and_then(self._noting(turn, promise, waits)).lifting(_signal(promise, me))
        bears_on = about[0] if answers else None
        return outcome.lifting(*(_signal(s, me, bears_on) for s in signals if s.kind != "commitment"))

    @staticmethod
    def _who_waits(turn: Turn, about: Iterable[Concern]) -> PersonId | None:
        """Who should know of a delegate's promise: the owner, unless it was said to another's matter."""
        owner = owner_among(turn.people.values())
        if owner is None or owner.person_id == turn.sender.person_id:
            return None
        return owner.person_id if all(c.initiator_id in (None, owner.person_id) for c in about) else None

    def taken_back(self, turn: Turn) -> Keep:
        """Promises that the sender's message made, when it is recalled or says something else now."""
        fact, me = turn.fact, turn.sender.person_id

        def keep(repos: Repositories) -> None:
            for item in repos.agenda.watches():
                mine = item.kind == "promise" and item.person_id == me
                if mine and (item.message_id, item.conversation) == (fact.message_id, fact.conversation):
                    repos.agenda.take(item.watch_id)

        return keep

    # --- both ---------------------------------------------------------------------------------------------------------

    def _noting(self, turn: Turn, promise: SignalOf, waits: PersonId) -> Keep:
        """Look out for it until its day; said again, the same promise is moved."""
        fact, me, now = turn.fact, turn.sender.person_id, self._services.clock.now()
        what, words = self._deed(turn, promise), promise.what
        urgent = priority_of(fact.text, None, now) in ("critical", "high")

        def keep(repos: Repositories) -> None:
            if promise.when is None:  # not of those that are read
                return
            earlier = promise_again(repos.agenda.watches(waits), me, what)
            repos.agenda.put_watch(
                WatchItem(
                    watch_id=earlier.watch_id if earlier is not None else repos.agenda.next_id("w"),
                    owner=waits,
                    conversation=fact.conversation,
                    person_id=me,
                    what=what,
                    words=words,
                    message_id=fact.message_id,
                    created_at=now,
                    expires_at=promise.when,
                    kind="promise",
                    cause=turn.cause,
                    promised=promise.when,
                    urgent=urgent,
                )
            )

        return keep


def _heard(turn: Turn, trouble: str) -> Words:
    under_way = followed(turn, trouble).key == AdvanceConcern.info.key
    return Words(template="chat/trouble_heard", values={"what": trouble, "under_way": under_way})


def _promises(signals: Iterable[SignalOf]) -> tuple[SignalOf, ...]:
    return tuple(s for s in signals if s.kind == "commitment")


def _signal(found: SignalOf, person_id: PersonId, concern: Concern | None = None) -> Signal:
    return Signal(
        kind=SignalKind(found.kind),
        what=found.what,
        person_id=person_id,
        when=found.when,
        concern_id=concern.concern_id if concern is not None else None,
    )
