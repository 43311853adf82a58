"""A delegate's turn: an answer to what they were asked, a wish to be left alone, or a word for the owner.

Nothing they say can start an action or reach anybody but the initiator of the concern in question (RULES 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from core.action.meta_actions import AdvanceConcernParameters
from core.brain.questions import Judge, Judgement
from core.brain.rules.replies.pass_on import passed_on
from core.brain.rules.replies.put_off import only_puts_off
from core.concern import inbound
from core.concern.decision import Decision
from core.concern.matching import contacted
from core.concern.model import Concern
from core.effects import Outgoing, Purpose, Send, Words
from core.facts import FactKind
from core.hub.abilities.concerns import advance_concern
from core.hub.commit import apply, commit
from core.hub.errand import Scene
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Attachments, Turn
from core.hub.turns.after_closing import amends_of, is_late, is_news
from core.hub.turns.placing import Placed, brings_it, is_another, may_answer, placed, still_waiting
from core.hub.turns.presence import Presence
from core.hub.turns.signals import Signals
from core.hub.turns.which import ask_which
from core.hub.views import delegate_brief
from core.ids import ConcernId, PersonId
from core.people import owner_among
from core.ports import Repositories

RELAY_ANSWERED_WITHIN = timedelta(days=1)
"""Words that were passed on want no answer: what is said later is about something else."""

LATE_REPLY_WITHIN = timedelta(days=14)
"""A message this long after a matter was closed still counts as a late reply to it, unless it says otherwise."""


class DelegateTurn:
    """Judges and routes what a delegate says."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._presence = Presence(services)
        self._signals = Signals(services)

    async def handle(self, turn: Turn) -> Outcome:
        """The outcome to commit."""
        if not turn.text:
            return Outcome("ignore", "an empty message")
        if turn.fact.kind is FactKind.RECALL:
            return self._presence.after(turn, self._recalled(turn), ()).and_then(self._signals.taken_back(turn))
        meant = self._pointed_at(turn)
        asked = tuple(c for c in meant if c.status.is_open) or _asked(turn)
        only = meant[0] if len(meant) == 1 else None
        closed = only if only is not None and not only.status.is_open else self._recently_closed(turn)
        judgement = await self._judge(turn, asked, closed)
        if only is not None and only is closed and judgement.decision in ("supplement", "converse"):
            outcome = self._presence.after(turn, self._late(turn, only), (only,))
        else:
            outcome = await self._route(turn, judgement, asked, closed)
        return self._signals.of_delegate(turn, judgement, outcome)

    @staticmethod
    def _pointed_at(turn: Turn) -> tuple[Concern, ...]:
        """The matters whose message they quote, or whose answer they changed."""
        me = turn.sender.person_id
        if turn.quoted_concern is not None and any(p.person_id == me for p in turn.quoted_concern.delegates):
            return (turn.quoted_concern,)
        if turn.quoted is not None and turn.quoted.concerns:
            return tuple(c for c in turn.asked if c.concern_id in turn.quoted.concerns)
        return _answered_by(turn) if turn.fact.kind in (FactKind.EDIT, FactKind.RECALL) else ()

    def _sorting(self) -> TurnBrain:
        """Where a reply belongs is settled now, by the rules if the model fails: it must reach its matter's log."""
        return TurnBrain(self._services.brain, self._services.simple_brain)

    async def _judge(self, turn: Turn, asked: tuple[Concern, ...], closed: Concern | None) -> Judgement:
        """Rules settle it while something is open with them; only an unasked message needs a mind to sort it."""
        shown = asked or ((closed,) if closed else ())
        question = Judge(
            text=turn.text,
            role="delegate",
            now=self._services.local_now(turn.sender),
            concerns=tuple(delegate_brief(c, turn.sender.person_id) for c in shown),
            quoted=turn.quoted.text if turn.quoted else None,
            recent=turn.recent,
        )
        ruled = await self._services.simple_brain.ask(question)
        if asked or ruled.decision in ("ignore", "stop", "relay"):
            return ruled
        return await self._sorting().ask(question)

    async def _route(
        self, turn: Turn, judgement: Judgement, asked: tuple[Concern, ...], closed: Concern | None
    ) -> Outcome:
        match judgement.decision:
            case "ignore":
                return self._presence.after(turn, self._overheard(turn, asked, judgement.reason), ())
            case "stop":
                return self.stop(turn)
            case "relay":
                return self._relay(turn, judgement.reason)
        amends = amends_of(turn, closed, self._services, at_once=bool(asked)) if closed is not None else None
        if asked and (closed is None or not (amends or is_late(turn, asked, closed, self._services))):
            return await self._match(turn, judgement, asked)
        if closed is not None and (amends or not is_news(turn, judgement, closed)):
            return self._presence.after(turn, self._late(turn, closed), (closed,))
        return self._relay(turn, judgement.reason)

    def _overheard(self, turn: Turn, asked: tuple[Concern, ...], reason: str) -> Outcome:
        """A courtesy calls nobody; where one matter waits for them it is a word of theirs all the same."""
        me = turn.sender.person_id
        waiting = still_waiting(asked, me)
        if len(waiting) != 1:
            return Outcome("ignore", reason)
        concern_id = waiting[0].concern_id

        def keep(repos: Repositories) -> None:
            fresh = repos.concerns.get(concern_id)
            if fresh is not None and fresh.status.is_open:
                setting = self._services.setting(turn.people)
                commit(repos, inbound.overheard(fresh, turn.utterance, setting))

        return Outcome("ignore", reason, keep, (concern_id,))

    def _recently_closed(self, turn: Turn) -> Concern | None:
        closed = turn.last_closed
        if closed is None or closed.closed_at is None:
            return None
        within = LATE_REPLY_WITHIN if closed.relay is None else RELAY_ANSWERED_WITHIN
        return closed if self._services.clock.now() - closed.closed_at <= within else None

    async def _match(self, turn: Turn, judgement: Judgement, asked: tuple[Concern, ...]) -> Outcome:
        if is_another(turn, self._services, asked):
            return ask_which(
                turn, self._services, still_waiting(asked, turn.sender.person_id) or asked, "heard", or_none=True
            )
        found = await placed(turn, self._services, self._sorting(), judgement, asked)
        if found.unclear and self._presence.is_all_that(turn):
            # It is about no single matter; it stands with what they were asked last.
            found = Placed((_asked_last(found.concerns, turn.sender.person_id),), "comes or goes")
        if found.unclear and only_puts_off(turn.text):
            # Whatever it is about, it is no answer yet: nobody need be asked what they meant.
            found = Placed((_asked_last(found.concerns, turn.sender.person_id),), "puts it off")
        if found.unclear or _whose_file(turn, found):
            return ask_which(turn, self._services, found.concerns, "heard")
        return self._presence.after(turn, self._heard(turn, found), found.concerns)

    def _heard(self, turn: Turn, found: Placed) -> Outcome:
        changed = {c.concern_id for c in _answered_by(turn)} if turn.fact.kind is FactKind.EDIT else set()

        def keep(repos: Repositories) -> None:
            for concern in found.concerns:
                fresh = repos.concerns.get(concern.concern_id)
                if fresh is None or not fresh.status.is_open:
                    continue
                if brings_it(turn, fresh):
                    commit(repos, self._brought(turn, fresh))
                else:
                    words = found.parts.get(concern.concern_id, turn.text)
                    self.hear(repos, turn, fresh, words, turn.fact.message_id)
            for concern_id in sorted(changed - {c.concern_id for c in found.concerns}):
                self._take_back(repos, turn, concern_id)
            self.hand_on(repos, turn, found.concerns, turn.text, turn.attachments)

        return Outcome("supplement", found.reason, keep, tuple(c.concern_id for c in found.concerns))

    def _brought(self, turn: Turn, concern: Concern) -> Decision:
        return inbound.brought(concern, turn.utterance, self._services.setting(turn.people), turn.cause)

    def hear(self, repos: Repositories, turn: Turn, concern: Concern, text: str, message_id: str | None) -> None:
        """Their words reach the matter: `advance_concern`, the one ability that a delegate has."""
        errand = turn.errand(text).model_copy(update={"message_id": message_id})
        key = f"{turn.cause}:{concern.concern_id}"
        scene = Scene(repos, self._services, turn.people, errand, key, now=self._services.clock.now())
        advance_concern(scene, AdvanceConcernParameters(concern_ids=(concern.concern_id,), message=text))

    def _recalled(self, turn: Turn) -> Outcome:
        """A message taken back: what it answered is unanswered again."""
        answered = tuple(c.concern_id for c in self._pointed_at(turn))
        if not answered or turn.fact.message_id is None:
            return Outcome("ignore", "a recalled message that answered nothing")

        def keep(repos: Repositories) -> None:
            for concern_id in answered:
                self._take_back(repos, turn, concern_id)

        return Outcome("supplement", "took a reply back", keep, answered)

    def _take_back(self, repos: Repositories, turn: Turn, concern_id: ConcernId) -> None:
        """What their message said in this matter counts no longer."""
        fresh, message_id, setting = (
            repos.concerns.get(concern_id),
            turn.fact.message_id,
            self._services.setting(turn.people),
        )
        if fresh is not None and message_id is not None:
            cause = f"{turn.cause}:{concern_id}"
            commit(repos, inbound.recalled(fresh, turn.sender.person_id, message_id, setting, cause))

    def hand_on(
        self, repos: Repositories, turn: Turn, concerns: Sequence[Concern], text: str, attachments: Attachments
    ) -> None:
        """Attachments go on to each initiator once, as they came; the bot does not open them."""
        for initiator, concern in {c.initiator_id: c for c in reversed(concerns)}.items():
            if not attachments or initiator is None:
                continue
            values = {"name": turn.sender.name, "what": text, "title": concern.title}
            message = Outgoing(
                purpose=Purpose.NOTICE,
                to=initiator,
                words=Words(template="chat/attachment", values=values),
                concern_id=concern.concern_id,
                attachments=attachments,
            )
            key = f"attachment:{turn.cause}:{initiator}"
            apply(repos, Send(key=key, due=self._services.clock.now(), message=message))

    def _late(self, turn: Turn, concern: Concern) -> Outcome:
        def keep(repos: Repositories) -> None:
            fresh = repos.concerns.get(concern.concern_id)
            if fresh is not None:
                setting = self._services.setting(turn.people)
                commit(
                    repos,
                    inbound.late(fresh, turn.utterance, setting, turn.cause, amends_of(turn, concern, self._services)),
                )
                self.hand_on(repos, turn, (fresh,), turn.text, turn.attachments)

        return Outcome("supplement", "late reply to a closed matter", keep, (concern.concern_id,))

    def stop(self, turn: Turn) -> Outcome:
        """No more messages to this person: kept with the person, every open matter is told."""

        def keep(repos: Repositories) -> None:
            person = repos.people.get(turn.sender.person_id)
            if person is None:
                return
            policy = person.interaction_policy.model_copy(update={"contact_allowed": False})
            repos.people.save(person.model_copy(update={"interaction_policy": policy}))
            setting = self._services.setting(turn.people)
            for concern in repos.concerns.open_by_delegate(person.person_id):
                commit(repos, inbound.declined_contact(concern, person.person_id, setting))
            apply(repos, turn.reply(self._services.clock.now(), "chat/stopped", part="stopped"))

        return Outcome("stop", "wants no more messages", keep)

    def pass_on(self, repos: Repositories, turn: Turn, text: str, attachments: Attachments) -> None:
        """Words that turned out to be about none of the matters that are open with them go to the owner."""
        self._relayed(turn, "about none of what they were asked", text, attachments).keep(repos)

    def _relay(self, turn: Turn, reason: str) -> Outcome:
        """An unasked word goes to the owner in one line."""
        return self._relayed(turn, reason, turn.text, turn.attachments)

    def _relayed(self, turn: Turn, reason: str, text: str, attachments: Attachments) -> Outcome:
        owner = owner_among(turn.people.values())
        if owner is None or owner.person_id == turn.sender.person_id:
            return Outcome("ignore", "nobody to pass it on to")
        words = passed_on(text, owner.name)
        told = turn.reply(self._services.clock.now(), "chat/relay_confirmed", part="relayed", owner=owner.name)

        def keep(repos: Repositories) -> None:
            waiting = self._presence.waiting(repos, turn, owner)
            values = {"name": turn.sender.name, "text": words, "waiting": waiting}
            message = Outgoing(
                purpose=Purpose.NOTICE,
                to=owner.person_id,
                words=Words(template="chat/relayed", values=values),
                attachments=attachments,
            )
            apply(repos, Send(key=f"relay:{turn.cause}", due=self._services.clock.now(), message=message))
            apply(repos, told)

        relayed = Outcome("relay", reason or "an unasked word for the owner", keep)
        return self._presence.after(turn, relayed, (), told=(owner.person_id,))


def _answered_by(turn: Turn) -> tuple[Concern, ...]:
    """The matters that the message which they changed had answered."""
    me, changed = turn.sender.person_id, (turn.fact.channel, turn.fact.message_id)
    known = (*turn.asked, *((turn.last_closed,) if turn.last_closed else ()))
    return tuple(c for c in known if any((e.channel, e.message_id) == changed for e in c.dialogue_with(me)))


def _whose_file(turn: Turn, found: Placed) -> bool:
    """Whether words that are for several people come with a file, so that nobody can tell whose it is."""
    return bool(turn.attachments and found.parts) and len({c.initiator_id for c in found.concerns}) > 1


def _asked_last(concerns: Sequence[Concern], person_id: PersonId) -> Concern:
    return max(concerns, key=lambda c: c.state_of(person_id).last_outbound or c.created_at)


def _asked(turn: Turn) -> tuple[Concern, ...]:
    """The open matters that they were written to about; a message that a channel is still confirming counts, and so
    does a matter about something that did not come, when this brings it before they were asked.
    """
    reached = {c.concern_id for c in contacted(turn.asked, turn.sender.person_id)} | turn.on_its_way
    found = (c for c in turn.asked if c.concern_id in reached or brings_it(turn, c))
    return tuple(c for c in found if may_answer(turn, c))
