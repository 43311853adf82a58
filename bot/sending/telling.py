"""What concerns hear of their messages: sent, perhaps, known by now, or not to be delivered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.sending.looking import Told
from bot.sending.outcome import Sent, kept, receipt_of
from bot.sending.routes import Route
from bot.sending.sender import Sender
from bot.sending.words import Voice, Writer
from bot.store.repositories import StoreRepositories
from core.concern import outbound, reports
from core.concern.decision import Decision, Setting
from core.concern.model import Concern
from core.effects import Outgoing, Purpose
from core.errors import Shut
from core.hub.commit import commit
from core.hub.services import Services, everybody
from core.jobs import Job
from core.people import Person

Tell = Callable[[Concern, Outgoing, str, str, str | None, Setting], Decision]
"""How a concern hears of a message of its own: concern, message, text, channel, the message's id, setting."""


class Telling:
    """Tells them, in the transaction that keeps what became of the message."""

    def __init__(self, services: Services, sender: Sender, voice: Voice) -> None:
        self._services = services
        self._sender = sender
        self._voice = voice

    def perhaps_out(self, repos: StoreRepositories, job: Job, message: Outgoing, text: str, sent: Sent) -> None:
        """Nobody knows what became of it, and it goes out again under its key until somebody does. Whatever happens
        meanwhile is to be decided as if it had arrived: it counts as sent from here on.
        """
        counts = self.counts(repos, job)
        repos.receipts.add(receipt_of(job.key, sent.part, message, text, sent, sent.at or self._services.clock.now()))
        if message.again or not counts:
            tell = telling(message) if message.again else outbound.perhaps_delivered
            self.concerns(repos, message, kept(text, message), sent, None, tell)

    def counts(self, repos: StoreRepositories, job: Job) -> bool:
        """Whether it counts as sent already: a part of it is open on a channel that will tell."""
        parts = repos.receipts.of_job(job.key)
        return any(p.message_id is None and self._sender.repeats(job, Route(p.channel, p.chat)) for p in parts)

    def concerns(
        self, repos: StoreRepositories, message: Outgoing, text: str, sent: Sent, told: Told, tell: Tell
    ) -> None:
        """Each concern hears of its own part, in the words for that part alone."""
        if not message.also:
            self._tell_concern(repos, message, text, sent, told, tell)
            return
        writer = self.writer(repos.people.get(message.to) if message.to else None)
        for part in message.also:
            self._tell_concern(repos, part, writer.text(part.words), sent, None, tell)

    def _tell_concern(
        self, repos: StoreRepositories, message: Outgoing, text: str, sent: Sent, told: Told, tell: Tell
    ) -> None:
        concern = repos.concerns.get(message.concern_id) if message.concern_id else None
        if concern is None:
            return
        setting = self._services.setting(everybody(repos))
        setting = replace(setting, now=sent.at or setting.now)
        if message.purpose is Purpose.REPORT:
            commit(repos, reports.reported(concern, text, setting, message, told))
        else:
            done = tell(concern, message, text, sent.route.channel, sent.message_id, setting)
            if done.concern is not concern or done.effects:
                commit(repos, done)

    def undeliverable(self, repos: StoreRepositories, message: Outgoing, reason: str, shut: Shut | None = None) -> None:
        """It will not leave: its concern decides what that means."""
        concern = repos.concerns.get(message.concern_id) if message.concern_id else None
        if concern is None or message.purpose is Purpose.REPORT:
            return
        setting = self._services.setting(everybody(repos))
        gone = outbound.undeliverable(concern, message, reason, setting, shut)
        if gone.concern is not concern or gone.effects:
            commit(repos, gone)

    def writer(self, reader: Person | None) -> Writer:
        """Who writes for this reader now."""
        return self._voice.to(reader, self._services.clock.now())


def telling(message: Outgoing) -> Tell:
    """What its concern makes of a message that is out."""
    return outbound.delivered_again if message.again else outbound.delivered
