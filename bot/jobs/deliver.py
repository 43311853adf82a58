"""Deliveries: the state is looked at again at the moment of sending, the words are made, and the receipt is kept."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.jobs.looking import Look, SecondLook, Told
from bot.jobs.routes import routes
from bot.jobs.sending import Failed, Ready, Sender, Sent, kept, receipt_of
from bot.jobs.words import Writer
from bot.store.repositories import StoreRepositories
from bot.store.repositories.jobs import ClaimedJob
from core.calendar import DailyWindow
from core.concern import outbound, reports, together
from core.effects import TO_DELEGATES, TO_INITIATORS, Outgoing, Purpose
from core.hub.commit import commit
from core.hub.services import Services, everybody
from core.jobs import SEND_RETRIES, Job, JobKind
from core.people import Person
from core.ports import Renderer

log = logging.getLogger(__name__)

KEPT_AT_MOST = 5
"""Tries to write down that a message is out."""


@dataclass(frozen=True)
class Voice:
    """How texts are made for somebody who is not in the directory."""

    renderer: Renderer
    locale: str
    timezone: str

    def to(self, reader: Person | None, now: datetime) -> Writer:
        """Who writes for this reader."""
        return Writer(self.renderer, reader, now, self.locale, self.timezone)


class Deliveries:
    """Runs `deliver` and `report` jobs."""

    def __init__(self, services: Services, sender: Sender, voice: Voice, live: frozenset[str]) -> None:
        self._services = services
        self._second_look = SecondLook(services)
        self._sender = sender
        self._voice = voice
        self._live = live
        self._store = sender.store

    async def deliver(self, claimed: ClaimedJob) -> None:
        """Send the message of a job, unless the state says that it is not wanted any more."""
        message = Outgoing.model_validate_json(claimed.job.payload)
        await self._if_wanted(claimed, lambda repos: self._second_look.at_message(repos, claimed.job, message))

    async def report(self, claimed: ClaimedJob) -> None:
        """Tell the initiator what waits to be told, if the gate lets it pass; composed from the state as it is now."""
        concern_id = claimed.job.concern_id
        assert concern_id is not None
        await self._if_wanted(claimed, lambda repos: self._second_look.at_report(repos, concern_id))

    async def _if_wanted(self, claimed: ClaimedJob, look_at: Callable[[StoreRepositories], Look]) -> None:
        """Look again only once there is a place to send from: while waiting for one, much may have changed.

        The row says `sending` from the moment of that look on.
        """

        def look_and_begin(repos: StoreRepositories) -> Look:
            look = look_at(repos)
            if look.message is not None:
                repos.jobs.sending(claimed.job.key)
            return look

        async with self._sender.places:
            look = await self._store.run(look_and_begin)
            if look.message is None:
                await self._put_off(claimed, look)
            else:
                await self._transmit(claimed, look, look.message)

    async def _put_off(self, claimed: ClaimedJob, look: Look) -> None:
        key, attempts = claimed.job.key, claimed.job.attempts
        if look.wait is not None:
            until = look.wait
            await self._store.run(lambda repos: repos.jobs.retry(key, until, attempts, "not yet"))
        else:
            await self._store.run(lambda repos: repos.jobs.withdrawn(key, look.reason))

    async def _transmit(self, claimed: ClaimedJob, look: Look, message: Outgoing) -> None:
        writer = self._writer(look.recipient)
        ready = Ready(
            message=message,
            text=writer.text(message.words),
            buttons=writer.buttons(message.buttons),
            routes=routes(message, look.recipient, look.concern, self._live),
            silent=_is_quiet(look.recipient, self._services.clock.now()),
        )
        if not ready.text.strip():
            await self._put_off(claimed, Look(reason="nothing to say"))
            return
        result = await self._sender.send(claimed, ready)
        if isinstance(result, Sent):
            await self._keep(claimed.job, ready, result, look.told)
        else:
            await self._failed(claimed, message, result)

    async def _keep(self, job: Job, ready: Ready, sent: Sent, told: Told) -> None:
        """Write down that it is out. A fault at that must not send it again: then the row stays `sending`, in doubt."""
        for _ in range(KEPT_AT_MOST):
            try:
                await self._store.run(lambda repos: self._sent(repos, job, ready, sent, told))
            except Exception:
                log.exception("delivery %s is out, and that could not be written down", job.key)
            else:
                return

    def _sent(self, repos: StoreRepositories, job: Job, ready: Ready, sent: Sent, told: Told) -> None:
        """Receipt, job and concern in one transaction. What is in doubt counts as sent."""
        now = self._services.clock.now()
        if sent.in_doubt is None:
            repos.jobs.done(job.key)
            _blot_out(repos, job, ready.message)
            last = repos.jobs.progress_of(job.key)
            repos.receipts.add(receipt_of(job.key, last, ready.message, ready.text, sent, now))
        else:
            repos.jobs.in_doubt(job.key, sent.in_doubt)
        self._tell_concerns(repos, ready.message, kept(ready.text, ready.message), sent, told)

    def _tell_concerns(self, repos: StoreRepositories, message: Outgoing, text: str, sent: Sent, told: Told) -> None:
        """Each concern hears of its own part, in the words for that part alone."""
        if not message.also:
            self._tell_concern(repos, message, text, sent, told)
            return
        writer = self._writer(repos.people.get(message.to) if message.to else None)
        for part in message.also:
            self._tell_concern(repos, part, writer.text(part.words), sent, None)

    def _tell_concern(self, repos: StoreRepositories, message: Outgoing, text: str, sent: Sent, told: Told) -> None:
        concern = repos.concerns.get(message.concern_id) if message.concern_id else None
        if concern is None:
            return
        setting = self._services.setting(everybody(repos))
        setting = replace(setting, now=sent.at or setting.now)
        if message.purpose is Purpose.REPORT:
            commit(repos, reports.reported(concern, text, setting, message, told))
        else:
            done = outbound.delivered(concern, message, text, sent.route.channel, sent.message_id, setting)
            if done.concern is not concern or done.effects:
                commit(repos, done)

    async def _failed(self, claimed: ClaimedJob, message: Outgoing, failed: Failed) -> None:
        key, attempts = claimed.job.key, claimed.job.attempts + 1
        wait = SEND_RETRIES.after(attempts) if failed.again else None
        if failed.again and wait is None and message.purpose in TO_INITIATORS:
            wait = SEND_RETRIES.delays[-1]  # what an initiator is owed is kept through any outage
        if wait is not None:
            due = self._services.clock.now() + max(wait, failed.retry_after or timedelta())
            log.info("delivery %s put off: %s", key, failed.reason)
            await self._store.run(lambda repos: repos.jobs.retry(key, due, attempts, failed.reason))
            return
        log.warning("delivery %s failed: %s", key, failed.reason)
        await self._store.run(lambda repos: self._gone(repos, claimed.job, message, failed.reason))

    def _gone(self, repos: StoreRepositories, job: Job, message: Outgoing, reason: str) -> None:
        """No channel leads to the recipient: whatever else waits for them ends too, and the concerns hear of it."""
        repos.jobs.dead(job.key, reason)
        _blot_out(repos, job, message)
        for part in together.parts_of(message):
            self._undeliverable(repos, part, reason)
        if message.to is None or message.purpose not in TO_DELEGATES:
            return
        for other in repos.jobs.pending_to(message.to):
            if other.kind is not JobKind.DELIVER:
                continue
            waiting = Outgoing.model_validate_json(other.payload)
            if waiting.purpose in TO_DELEGATES and repos.jobs.cancel(other.key, reason):
                for part in together.parts_of(waiting):
                    self._undeliverable(repos, part, reason)

    def _undeliverable(self, repos: StoreRepositories, message: Outgoing, reason: str) -> None:
        concern = repos.concerns.get(message.concern_id) if message.concern_id else None
        if concern is None or message.purpose is Purpose.REPORT:
            return
        setting = self._services.setting(everybody(repos))
        gone = outbound.undeliverable(concern, message, reason, setting)
        if gone.concern is not concern or gone.effects:
            commit(repos, gone)

    def lost(self, repos: StoreRepositories, job: Job, reason: str) -> None:
        """This one message will never leave; nothing is said about its recipient's other messages."""
        for part in together.parts_of(Outgoing.model_validate_json(job.payload)):
            self._undeliverable(repos, part, reason)

    # --- after a crash --------------------------------------------------------------------------------------------

    def recovered(self, repos: StoreRepositories, job: Job) -> None:
        """A message that was being sent when the process died: in doubt, and counted as sent."""
        if job.kind is JobKind.REPORT:
            concern = repos.concerns.get(job.concern_id) if job.concern_id else None
            if concern is not None:
                commit(repos, reports.reported(concern, "", self._services.setting(everybody(repos))))
            return
        message = Outgoing.model_validate_json(job.payload)
        recipient = repos.people.get(message.to) if message.to else None
        first = together.parts_of(message)[0].concern_id
        found = routes(message, recipient, repos.concerns.get(first) if first else None, self._live)
        if found:
            sent = Sent(found[0], None, in_doubt="the process died while it was being sent")
            text = self._writer(recipient).text(message.words)
            repos.receipts.add(receipt_of(job.key, 0, message, text, sent, self._services.clock.now()))
            self._tell_concerns(repos, message, text, sent, None)

    def _writer(self, reader: Person | None) -> Writer:
        return self._voice.to(reader, self._services.clock.now())


def _blot_out(repos: StoreRepositories, job: Job, message: Outgoing) -> None:
    """The row of a message that is over keeps no word that is good once. (One in doubt may have to go out again.)"""
    if message.hidden:
        repos.jobs.rewrite(job.key, kept(job.payload, message))


def _is_quiet(person: Person | None, now: datetime) -> bool:
    """In the recipient's quiet hours messages come without sound."""
    if person is None or not person.interaction_policy.quiet_hours:
        return False
    return DailyWindow.parse(person.interaction_policy.quiet_hours).contains(now, ZoneInfo(person.timezone))
