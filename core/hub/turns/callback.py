"""A callback is due: what somebody is owed goes out, word for word (RULES 7).

It is a promise that is kept and no decision to speak: neither `evaluate_gate` nor the silence budget is asked, and no
brain stands between the content and its recipient. The brain reads the full context and may add a remark; where it
fails, is slow or promises something, there is none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from core.action.meta_actions import DeepTask
from core.brain.questions import Fulfil
from core.callbacks import TASK_COMPLETION, USER_REMINDER, Callback, job_key
from core.context.model import Injection
from core.context.promises import clean_part
from core.context.text import visible
from core.effects import Outgoing, Purpose, Send, Words
from core.facts import StoredFact
from core.hub.commit import apply
from core.hub.context import read_context
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import read_turn
from core.ids import ConversationId, conversation_id
from core.people import Person, Role
from core.ports import Repositories

REMARK_CHARS = 120
"""A longer remark is no remark: it is left out."""


class CallbackTurn:
    """Delivers what is due."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def handle(self, stored: StoredFact, brain: TurnBrain) -> Outcome:
        """The outcome to commit; one that was called off meanwhile is let be. Raises no `BrainError`."""
        callback_id = stored.fact.item_id or ""
        record, person = await self._services.store.run(lambda repos: _read(repos, callback_id))
        if record is None:
            return Outcome("ignore", "it was called off")
        if person is None or not _may_have(person, record):
            return Outcome("ignore", "nobody is left who may have it", lambda repos: _drop(repos, callback_id))
        words, reason = self._words(record), f"callback, {record.trigger_source}"
        if record.chat_id in _own_chats(person):  # elsewhere others read what the remark would tell
            remark, wrong = await self._remark(stored, record, person, brain)
            words = words.model_copy(update={"lines": (*words.lines, *_lines(remark))})
            reason += f"; no remark: {wrong}" if wrong else ""
        send = self._send(record, words)

        def keep(repos: Repositories) -> None:
            if repos.callbacks.hold(callback_id):
                apply(repos, send)

        return Outcome("converse", reason, keep)

    def _words(self, record: Callback) -> Words:
        wording = _WORDING.get(record.trigger_source, _as_it_is)
        return wording(record, self._late(record))

    def _late(self, record: Callback) -> str | None:
        """When it should have been delivered (ISO 8601), where the bot was down then.

        A chat that was busy makes nothing late: so long it may wait.
        """
        if record.meant_for is not None:
            return record.meant_for.isoformat()
        limits = self._services.limits
        most = limits.callback.deferred_at_most + limits.schedule.late_after
        return record.due_at.isoformat() if self._services.clock.now() - record.due_at >= most else None

    def _send(self, record: Callback, words: Words) -> Send:
        reminder = record.trigger_source == USER_REMINDER
        message = Outgoing(
            purpose=Purpose.CALLBACK,
            to=record.person_id,
            conversation=record.chat_id,
            words=words,
            callback_id=record.id,
            # The hour of a reminder was chosen; when the bot was down at that hour it was not.
            sounds=reminder and self._late(record) is None,
            answers=True,
        )
        return Send(key=job_key(record.id), due=self._services.clock.now(), message=message)

    # --- the remark -----------------------------------------------------------------------------------------------

    async def _remark(
        self, stored: StoredFact, record: Callback, person: Person, brain: TurnBrain
    ) -> tuple[str | None, str]:
        """What the brain would add, if it may be said; else None, and the fault if it was one."""
        within = self._services.limits.callback.remark_within.total_seconds()
        try:
            context = await self._services.store.run(lambda repos: self._context(repos, stored, record, person))
            question = Fulfil(
                content=record.content,
                source=record.trigger_source,
                now=self._services.local_now(person),
                language=person.language,
                context=context,
            )
            async with asyncio.timeout(within):
                said = (await brain.ask(question)).remark
        except Exception as error:
            # Whatever breaks on the way to a remark, the promise is kept: it goes out without one.
            return None, type(error).__name__
        return fit_remark(said, record.content), ""

    def _context(self, repos: Repositories, stored: StoredFact, record: Callback, person: Person) -> str:
        """How things are with the recipient now, with what set this off and the content itself."""
        channel, _, chat = record.chat_id.partition(":")
        said = stored.fact.model_copy(update={"channel": channel, "sender": chat, "text": record.content})
        turn = read_turn(repos, StoredFact(fact_id=stored.fact_id, fact=said), person)
        # What is being delivered is no open matter beside itself.
        turn = replace(turn, briefs=tuple(b for b in turn.briefs if b.concern_id != record.id))
        begun = Injection(kind=_kind(record), who=person.name, set_at=record.set_at)
        return read_context(repos, self._services, turn, trigger=begun).text


def fit_remark(said: str, content: str) -> str | None:
    """A remark as it may be sent: on one line, without promises; None where nothing is left, it is long, or no news."""
    kept, _ = clean_part(" ".join(visible(said).split()))
    return kept if kept and len(kept) <= REMARK_CHARS and kept not in content else None


def _kind(record: Callback) -> Literal["user_reminder", "task_completion"]:
    return "user_reminder" if record.trigger_source == USER_REMINDER else "task_completion"


def _read(repos: Repositories, callback_id: str) -> tuple[Callback | None, Person | None]:
    record = repos.callbacks.get(callback_id)
    return record, repos.people.get(record.person_id) if record is not None else None


def _drop(repos: Repositories, callback_id: str) -> None:
    repos.callbacks.remove(callback_id)


def _may_have(person: Person, record: Callback) -> bool:
    """Authority follows the person: a task looked into what they may not see any more."""
    if record.trigger_source == TASK_COMPLETION:
        return person.role in DeepTask.info.who_may
    return person.role is not Role.STRANGER


def _own_chats(person: Person) -> frozenset[ConversationId]:
    return frozenset(conversation_id(i.channel, i.user_id) for i in person.identities)


# --- in words ---------------------------------------------------------------------------------------------------------


def _lines(*texts: str | None) -> tuple[Words, ...]:
    return tuple(Words(text=text) for text in texts if text)


def _reminder(record: Callback, late: str | None) -> Words:
    return Words(template="chat/reminder", values={"text": record.content, "late": late})


def _result(record: Callback, _: str | None) -> Words:
    if record.outcome == "done":
        return Words(template="chat/task_done", values={"title": record.title}, lines=_lines(record.content))
    values = {"title": record.title, "why": record.outcome, "found": bool(record.content)}
    return Words(template="chat/task_cut_off", values=values, lines=_lines(record.content))


def _as_it_is(record: Callback, _: str | None) -> Words:
    """Of a producer that has no words of its own here."""
    return Words(text=record.content)


_WORDING: Mapping[str, Callable[[Callback, str | None], Words]] = {
    USER_REMINDER: _reminder,
    TASK_COMPLETION: _result,
}
