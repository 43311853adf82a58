"""A delegate's turn: an answer to what they were asked, a wish to be left alone, or a word for the owner.

Nothing they say can start an action or reach anybody but the initiator of the concern in question (RULES 1).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from core.action.meta_actions import AdvanceConcernParameters
from core.agenda.absence import brings
from core.brain.questions import Judge, Judgement, MatchReply
from core.concern import inbound
from core.concern.decision import Decision
from core.concern.matching import contacted
from core.concern.model import Concern, ConcernType
from core.effects import Outgoing, Purpose, Send, Words
from core.facts import FactKind
from core.hub.abilities.concerns import advance_concern
from core.hub.commit import apply, commit
from core.hub.errand import Scene
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Attachments, Turn
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

    async def handle(self, turn: Turn) -> Outcome:
        """The outcome to commit."""
        if not turn.text:
            return Outcome("ignore", "an empty message")
        meant = self._pointed_at(turn)
        if turn.fact.kind is FactKind.RECALL:
            return self._recalled(turn, meant)
        asked = (meant,) if meant is not None and meant.status.is_open else _asked(turn)
        closed = meant if meant is not None and not meant.status.is_open else self._recently_closed(turn)
        judgement = await self._judge(turn, asked, closed)
        if meant is not None and meant is closed and judgement.decision in ("supplement", "converse"):
            return self._late(turn, meant)
        return await self._route(turn, judgement, asked, closed)

    @staticmethod
    def _pointed_at(turn: Turn) -> Concern | None:
        """The matter whose message they quote, or whose answer they changed."""
        me, fact = turn.sender.person_id, turn.fact
        if turn.quoted_concern is not None and any(p.person_id == me for p in turn.quoted_concern.delegates):
            return turn.quoted_concern
        if fact.kind not in (FactKind.EDIT, FactKind.RECALL) or fact.message_id is None:
            return None
        known = (*turn.asked, *((turn.last_closed,) if turn.last_closed else ()))
        changed = (fact.channel, fact.message_id)
        return next((c for c in known if any((e.channel, e.message_id) == changed for e in c.dialogue_with(me))), None)

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
                return self._overheard(turn, asked, judgement.reason)
            case "stop":
                return self.stop(turn)
            case "relay":
                return self._relay(turn, judgement.reason)
        if asked:
            return await self._match(turn, judgement, asked)
        return self._late(turn, closed) if closed else self._relay(turn, judgement.reason)

    def _overheard(self, turn: Turn, asked: tuple[Concern, ...], reason: str) -> Outcome:
        """A courtesy calls nobody; where one matter waits for them it is a word of theirs all the same."""
        me = turn.sender.person_id
        waiting = _still_waiting(asked, me)
        if len(waiting) != 1:
            return Outcome("ignore", reason)
        concern_id, fact = waiting[0].concern_id, turn.fact

        def keep(repos: Repositories) -> None:
            fresh = repos.concerns.get(concern_id)
            if fresh is not None and fresh.status.is_open:
                setting = self._services.setting(turn.people)
                said = inbound.overheard(fresh, me, turn.text, fact.channel, fact.message_id, fact.occurred_at, setting)
                commit(repos, said)

        return Outcome("ignore", reason, keep, (concern_id,))

    def _recently_closed(self, turn: Turn) -> Concern | None:
        closed = turn.last_closed
        if closed is None or closed.closed_at is None:
            return None
        within = LATE_REPLY_WITHIN if closed.relay is None else RELAY_ANSWERED_WITHIN
        return closed if self._services.clock.now() - closed.closed_at <= within else None

    async def _match(self, turn: Turn, judgement: Judgement, asked: tuple[Concern, ...]) -> Outcome:
        if len(asked) == 1:
            return self._heard(turn, asked, "the only matter, or the one they pointed at")
        by_id = {c.concern_id: c for c in asked}
        named = tuple(by_id[ConcernId(t)] for t in judgement.targets if t in by_id)
        if named:
            return self._heard(turn, named, judgement.reason or "judged")
        if len({c.title.casefold() for c in asked}) == 1:
            return self._heard(turn, asked, "one question of several people")
        briefs = tuple(delegate_brief(c, turn.sender.person_id) for c in asked)
        question = MatchReply(text=turn.text, now=self._services.local_now(turn.sender), candidates=briefs)
        match = await self._sorting().ask(question)
        matched = tuple(by_id[ConcernId(i)] for i in match.concern_ids if i in by_id)
        if matched and not match.unclear:
            return self._heard(turn, matched, "matched by sense")
        waiting = _still_waiting(matched or asked, turn.sender.person_id)
        if len(waiting) == 1:
            return self._heard(turn, waiting, "the only matter that still waits for them")
        return ask_which(turn, self._services, matched or asked, "heard")

    def _heard(self, turn: Turn, concerns: tuple[Concern, ...], reason: str) -> Outcome:
        def keep(repos: Repositories) -> None:
            for concern in concerns:
                fresh = repos.concerns.get(concern.concern_id)
                if fresh is None or not fresh.status.is_open:
                    continue
                if _brings(turn, fresh):
                    commit(repos, self._brought(turn, fresh))
                else:
                    self.hear(repos, turn, fresh, turn.text, turn.fact.message_id)
            self.hand_on(repos, turn, concerns, turn.text, turn.attachments)

        return Outcome("supplement", reason, keep, tuple(c.concern_id for c in concerns))

    def _brought(self, turn: Turn, concern: Concern) -> Decision:
        fact, me, setting = turn.fact, turn.sender.person_id, self._services.setting(turn.people)
        return inbound.brought(
            concern, me, turn.text, fact.channel, fact.message_id, fact.occurred_at, setting, turn.cause
        )

    def hear(self, repos: Repositories, turn: Turn, concern: Concern, text: str, message_id: str | None) -> None:
        """Their words reach the matter: `advance_concern`, the one ability that a delegate has."""
        errand = turn.errand(text).model_copy(update={"message_id": message_id})
        key = f"{turn.cause}:{concern.concern_id}"
        scene = Scene(repos, self._services, turn.people, errand, key, now=self._services.clock.now())
        advance_concern(scene, AdvanceConcernParameters(concern_ids=(concern.concern_id,), message=text))

    def _recalled(self, turn: Turn, concern: Concern | None) -> Outcome:
        """A message taken back: what it answered is unanswered again."""
        message_id = turn.fact.message_id
        if concern is None or message_id is None:
            return Outcome("ignore", "a recalled message that answered nothing")

        def keep(repos: Repositories) -> None:
            fresh = repos.concerns.get(concern.concern_id)
            if fresh is not None:
                setting = self._services.setting(turn.people)
                commit(repos, inbound.recalled(fresh, turn.sender.person_id, message_id, setting, turn.cause))

        return Outcome("supplement", "took a reply back", keep, (concern.concern_id,))

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
                    inbound.late(
                        fresh,
                        turn.sender.person_id,
                        turn.text,
                        turn.fact.channel,
                        turn.fact.message_id,
                        turn.fact.occurred_at,
                        setting,
                        turn.cause,
                    ),
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

    def _relay(self, turn: Turn, reason: str) -> Outcome:
        """An unasked word goes to the owner in one line."""
        owner = owner_among(turn.people.values())
        if owner is None or owner.person_id == turn.sender.person_id:
            return Outcome("ignore", "nobody to pass it on to")
        message = Outgoing(
            purpose=Purpose.NOTICE,
            to=owner.person_id,
            words=Words(
                template="chat/relayed", values={"name": turn.sender.name, "text": _message(turn.text, owner.name)}
            ),
            attachments=turn.attachments,
        )
        send = Send(key=f"relay:{turn.cause}", due=self._services.clock.now(), message=message)
        told = turn.reply(self._services.clock.now(), "chat/relay_confirmed", part="relayed", owner=owner.name)

        def keep(repos: Repositories) -> None:
            apply(repos, send)
            apply(repos, told)

        return Outcome("relay", reason or "an unasked word for the owner", keep)


def _still_waiting(concerns: tuple[Concern, ...], person_id: PersonId) -> tuple[Concern, ...]:
    """Those in which this person owes an answer."""
    return tuple(c for c in concerns if any(p.person_id == person_id and p.comm_status.is_owing for p in c.delegates))


_PASS_ON = re.compile(
    r"^\s*(?:麻烦|请|劳驾)?你?(?:帮我|替我)?(?:转告|转达|告诉|告知|跟|和)(?:一下)?(?:老板|领导|他|她)(?:说|讲)?(?:一声|一下)?[，,：:\s]*"
    r"|^\s*(?:please |could you |can you )?(?:tell|let) (?:(?:the|my|your) boss|him|her|(?P<who>[A-Z]\w+))"
    r"(?: know)?(?: that)?[,:\s]+",
    re.IGNORECASE,
)


def _message(text: str, owner: str) -> str:
    """The word itself, without the request to pass it on; a word for anybody but the owner keeps whom it is for."""
    asked = _PASS_ON.match(text)
    if asked is None or (asked["who"] and asked["who"].lower() not in owner.lower().split()):
        return text
    return text[asked.end() :].strip() or text


def _asked(turn: Turn) -> tuple[Concern, ...]:
    """The open matters that they were written to about; a message that a channel is still confirming counts, and so
    does a matter about something that did not come, when this brings it before they were asked.
    """
    reached = {c.concern_id for c in contacted(turn.asked, turn.sender.person_id)} | turn.on_its_way
    return tuple(c for c in turn.asked if c.concern_id in reached or _brings(turn, c))


def _brings(turn: Turn, concern: Concern) -> bool:
    missed = concern.type is ConcernType.ABSENCE_FOLLOWUP
    return missed and turn.fact.kind is FactKind.MESSAGE and brings(turn.fact, concern.title, turn.sender.name)
