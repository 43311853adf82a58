"""Deliveries: the state is looked at again at the moment of sending, the words are made, and the receipt is kept."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.sending.acquaintance import as_known
from bot.sending.doubts import doubt_notices
from bot.sending.looking import Look, SecondLook, Told, at_home
from bot.sending.outcome import Failed, NotKept, Ready, Sent, kept, receipt_of
from bot.sending.routes import followed, routes
from bot.sending.sender import Sender
from bot.sending.telling import Telling, telling
from bot.sending.untold import untold
from bot.sending.words import Voice
from bot.store.repositories import StoreRepositories
from bot.store.repositories.jobs import ClaimedJob
from core.calendar import DailyWindow
from core.concern import outbound, reports, together
from core.concern.changes import report_recipient
from core.concern.model import Concern
from core.effects import OWED, Outgoing, Purpose, Words
from core.errors import Paced, StorageFailed, TakenOver
from core.hub.commit import apply, commit
from core.hub.services import Services, everybody
from core.jobs import OUTAGE_RETRIES, SEND_RETRIES, Job, JobKind
from core.people import Person

log = logging.getLogger(__name__)

HOLDS_AT_MOST = timedelta(minutes=5)
"""A chat that wants nothing for no longer than this holds up its whole lane, with whatever else is in it."""

LOST_SIGHT = "no answer came for a part of it"
DIED = "the process died while it was being sent"


class Deliveries:
    """Runs `deliver` and `report` jobs."""

    def __init__(self, services: Services, sender: Sender, voice: Voice, live: frozenset[str]) -> None:
        self._services = services
        self._second_look = SecondLook(services)
        self._sender = sender
        self._telling = Telling(services, sender, voice)
        self._live = live
        self._store = sender.store
        self.unsent: set[int] = set()
        """Jobs whose row may say `sending`, as the database fell silent at it, and of which nothing was handed over."""

    async def deliver(self, claimed: ClaimedJob) -> None:
        """Send the message of a job, unless the state says that it is not wanted any more."""
        message = Outgoing.model_validate_json(claimed.job.payload)

        def look(repos: StoreRepositories) -> Look:
            out = claimed.open_since is not None and self._telling.counts(repos, claimed.job)
            look = self._second_look.at_message(repos, claimed.job, message, out)
            # What may be out goes on in the words in which it went out.
            return look if out or claimed.progress else self._to_an_acquaintance(repos, claimed.job, look)

        await self._if_wanted(claimed, look)

    def _to_an_acquaintance(self, repos: StoreRepositories, job: Job, look: Look) -> Look:
        if look.message is None:
            return look
        to = routes(look.message, look.recipient, look.concern, self._live)
        message = as_known(repos, look.message, to[0].channel, self._services.clock.now()) if to else look.message
        if message is not look.message:
            repos.jobs.rewrite(job.key, message.model_dump_json())
        return replace(look, message=message)

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
            look, job = look_at(repos), claimed.job
            # What the look put in its place, and that it is over itself, are one.
            since = claimed.open_since or self._services.clock.now()
            ours = repos.jobs.sending(job.key, since) if look.message is not None else _put_off(repos, job, look)
            if not ours:
                raise TakenOver("another process has it")
            return look

        try:
            await self._sender.pause(claimed.job.lane)
        except Paced as error:
            await self._paced(claimed, error)
            return
        self.unsent.discard(claimed.id)
        try:
            async with self._sender.places:
                look = await self._store.run(look_and_begin, at="look")
                if look.message is not None:
                    await self._transmit(claimed, look, look.message)
        except StorageFailed:  # once something is out, only `NotKept` says that it could not be written down
            self.unsent.add(claimed.id)
            raise

    async def _paced(self, claimed: ClaimedJob, error: Paced) -> None:
        """The chat's turn has not come: that is no failure of this message, nor of those behind it."""
        job, due = claimed.job, self._services.clock.now() + (error.retry_after or timedelta())

        def wait(repos: StoreRepositories) -> None:
            repos.jobs.retry(job.key, due, job.attempts, str(error))
            _hold(repos, job, due, self._services.clock.now())

        await self._store.run(wait, at="put_off")

    async def _transmit(self, claimed: ClaimedJob, look: Look, message: Outgoing) -> None:
        writer = self._telling.writer(look.recipient)
        ready = Ready(
            message=message,
            text=writer.text(message.words),
            buttons=writer.buttons(message.buttons),
            routes=routes(message, look.recipient, look.concern, self._live),
            silent=not message.sounds and _is_quiet(look.recipient, self._services.clock.now()),
        )
        if not ready.text.strip():
            await self._store.run(lambda repos: self._empty(repos, claimed.job, message), at="put_off")
            return
        try:
            result = await self._sender.send(claimed, ready)
            if isinstance(result, Sent):
                sent = result
                await self._sender.keep(lambda repos: self._sent(repos, claimed, ready, sent, look.told), at="receipt")
            else:
                await self._failed(claimed, ready, result)
        except NotKept as error:  # then the row stays `sending`: in doubt, and never sent again by itself
            log.error("what became of delivery %s could not be written down", claimed.job.key, exc_info=error.__cause__)

    @staticmethod
    def _empty(repos: StoreRepositories, job: Job, message: Outgoing) -> None:
        _clear_callback(repos, message)
        _put_off(repos, job, Look(reason="nothing to say"))

    def _sent(self, repos: StoreRepositories, claimed: ClaimedJob, ready: Ready, sent: Sent, told: Told) -> None:
        """Receipt, job and concern in one transaction. What is in doubt counts as sent."""
        job, message, now = claimed.job, ready.message, self._services.clock.now()
        counts = claimed.open_since is not None and self._telling.counts(repos, job)
        if sent.in_doubt is None and sent.at is not None:
            repos.receipts.add(receipt_of(job.key, sent.part, message, ready.text, sent, now))
        doubtful = any(receipt.message_id is None for receipt in repos.receipts.of_job(job.key))
        if doubtful or sent.in_doubt is not None:
            ours = repos.jobs.in_doubt(job.key, sent.in_doubt or LOST_SIGHT)
            for notice in doubt_notices(repos, job, message, now) if ours else ():
                apply(repos, notice)
        else:
            ours = repos.jobs.done(job.key)
            if ours or repos.queue.settle(job.key):
                _blot_out(repos, job, message)
        _clear_callback(repos, message)
        if ours:  # else it was taken for lost, and they were told then
            tell = outbound.confirmed if counts else telling(message)
            self._telling.concerns(repos, message, kept(ready.text, message), sent, told, tell)

    async def _failed(self, claimed: ClaimedJob, ready: Ready, failed: Failed) -> None:
        message = ready.message
        key, attempts = claimed.job.key, claimed.job.attempts + (failed.tried is not None or not failed.again)
        policy = OUTAGE_RETRIES if failed.outage else SEND_RETRIES
        if failed.outage:  # that lasts as long as it lasts, and uses up no tries
            attempts = max(claimed.job.attempts, min(attempts, len(policy.delays)))
        # A wish of the channel's says how long; and that a chat has enough for now is no reason to give a message up.
        wait = (failed.retry_after or policy.after(attempts, key)) if failed.again else None
        if failed.again and wait is None and message.purpose in OWED:
            wait = SEND_RETRIES.delays[-1]  # what somebody is owed is kept through any outage
        if wait is not None:
            due = self._services.clock.now() + wait
            log.info("delivery %s put off: %s", key, failed.reason)
            await self._sender.keep(lambda repos: self._later(repos, claimed, ready, due, attempts, failed), at="retry")
            return
        log.warning("delivery %s failed: %s", key, failed.reason)
        await self._sender.keep(lambda repos: self._gone(repos, claimed.job, message, failed), at="gone")

    def _later(
        self, repos: StoreRepositories, claimed: ClaimedJob, ready: Ready, due: datetime, attempts: int, failed: Failed
    ) -> None:
        job = claimed.job
        ours = repos.jobs.attempted(job.key, due, attempts, failed.reason, failed.open_since)
        if ours and failed.tried is not None and failed.open_since is not None:
            part = repos.jobs.progress_of(job.key)
            sent = Sent(failed.tried, None, in_doubt=failed.reason, at=failed.open_since, part=part)
            self._telling.perhaps_out(repos, job, ready.message, ready.text, sent)
        if failed.retry_after is None and not failed.outage:
            return
        _hold(repos, job, due, self._services.clock.now())
        if failed.tried is not None and failed.retry_after is not None:
            repos.blocked.block(failed.tried.channel, failed.tried.chat, due)

    def _gone(self, repos: StoreRepositories, job: Job, message: Outgoing, failed: Failed) -> None:
        """It will not leave, and the concerns hear of it. Where no channel leads to the recipient, whatever else waits
        for them ends too; that it was put off too often says nothing about that."""
        reason = failed.reason
        # A refusal says nothing about a part that is perhaps out.
        if any(receipt.message_id is None for receipt in repos.receipts.of_job(job.key)):
            repos.jobs.in_doubt(job.key, reason)
        else:
            repos.jobs.dead(job.key, reason)
            _blot_out(repos, job, message)
        _clear_callback(repos, message)
        for part in together.parts_of(message):
            self._telling.undeliverable(repos, part, reason, failed.shut)
        for part in together.parts_of(message):
            self._tell_instead(repos, job, part, reachable=failed.message_only)
        if message.to is None or failed.message_only or failed.again:
            return
        for other in repos.jobs.pending_to(message.to):
            if other.kind is not JobKind.DELIVER:
                continue
            waiting = Outgoing.model_validate_json(other.payload)
            # What answers them in a group goes there; all of their own chats have just refused.
            elsewhere = waiting.conversation is not None and waiting.conversation != message.conversation
            if not elsewhere and repos.jobs.cancel(other.key, reason):
                _clear_callback(repos, waiting)
                for part in together.parts_of(waiting):
                    self._telling.undeliverable(repos, part, reason, failed.shut)

    def lost(self, repos: StoreRepositories, job: Job, reason: str) -> None:
        """This one message will never leave; nothing is said about its recipient's other messages."""
        message = Outgoing.model_validate_json(job.payload)
        _clear_callback(repos, message)
        for part in together.parts_of(message):
            self._telling.undeliverable(repos, part, reason)
        self._tell_instead(repos, job, message, reachable=True)

    def report_lost(self, repos: StoreRepositories, job: Job) -> None:
        """A report could not even be put into words: its reader hears that there is news."""
        concern = repos.concerns.get(job.concern_id) if job.concern_id else None
        reader = report_recipient(concern, self._services.setting(everybody(repos))) if concern is not None else None
        if concern is not None and reader is not None:
            message = Outgoing(
                purpose=Purpose.REPORT, to=reader.person_id, concern_id=concern.concern_id, words=Words(text="")
            )
            self._tell_instead(repos, job, message, reachable=True)

    def _tell_instead(self, repos: StoreRepositories, job: Job, message: Outgoing, *, reachable: bool) -> None:
        notice = untold(repos, job, message, self._services.clock.now(), reachable=reachable)
        if notice is not None:
            apply(repos, notice)

    # --- after a crash --------------------------------------------------------------------------------------------

    def recovered(self, repos: StoreRepositories, job: Job) -> None:
        """A message that was being sent when the process died: in doubt, and counted as sent."""
        if job.kind is JobKind.REPORT:
            concern = repos.concerns.get(job.concern_id) if job.concern_id else None
            if concern is not None:
                self._report_in_doubt(repos, job, concern)
            return
        message = at_home(repos, Outgoing.model_validate_json(job.payload))
        recipient = repos.people.get(message.to) if message.to else None
        first = together.parts_of(message)[0].concern_id
        found = routes(message, recipient, repos.concerns.get(first) if first else None, self._live)
        if not found:
            _clear_callback(repos, message)
            return
        now, part = self._services.clock.now(), repos.jobs.progress_of(job.key)
        since = repos.jobs.open_since(job.key)
        sent = Sent(followed(repos.meta, found[0]), None, in_doubt=DIED, part=part)
        text = self._telling.writer(recipient).text(message.words)
        if since is not None and all(now < since + self._sender.repeats(job, route) for route in found):
            repos.jobs.requeue(job.key, now, job.attempts, DIED, since)
            self._telling.perhaps_out(repos, job, message, text, replace(sent, at=since))
            return
        counts = self._telling.counts(repos, job)
        repos.receipts.add(receipt_of(job.key, part, message, text, sent, now))
        if part + 1 < self._sender.cuts(found[0], text) and not message.again:
            repos.jobs.requeue(job.key, now, job.attempts, LOST_SIGHT)  # its reader shall have the rest
            repos.queue.progress(job.key, part + 1)
            return
        _clear_callback(repos, message)
        for notice in doubt_notices(repos, job, message, now):
            apply(repos, notice)
        self._telling.concerns(repos, message, text, sent, None, outbound.confirmed if counts else telling(message))

    def _report_in_doubt(self, repos: StoreRepositories, job: Job, concern: Concern) -> None:
        """Its words are composed once more for the receipt, in case somebody wants it sent again."""
        setting, now = self._services.setting(everybody(repos)), self._services.clock.now()
        report = reports.report_due(concern, setting, 0, others_open=True)
        reader = report_recipient(concern, setting)
        to = reader.person_id if reader is not None else None
        lost = Outgoing(purpose=Purpose.REPORT, to=to, words=Words(text=""))
        message = report if isinstance(report, Outgoing) else lost
        found = routes(message, reader, concern, self._live)
        if found:
            sent = Sent(followed(repos.meta, found[0]), None, in_doubt=DIED)
            repos.receipts.add(
                receipt_of(job.key, 0, message, self._telling.writer(reader).text(message.words), sent, now)
            )
        commit(repos, reports.reported(concern, "", setting))


def _hold(repos: StoreRepositories, job: Job, until: datetime, now: datetime) -> None:
    """What waits behind a message goes to the same chat, as a rule: it isn't even tried before that takes more."""
    if until - now <= HOLDS_AT_MOST:
        repos.queue.hold(job.lane, until)


def _put_off(repos: StoreRepositories, job: Job, look: Look) -> bool:
    """It is not to leave, now or at all; false when another process has it."""
    if look.wait is not None:
        return repos.jobs.retry(job.key, look.wait, job.attempts, "not yet")
    return repos.jobs.withdrawn(job.key, look.reason)


def _blot_out(repos: StoreRepositories, job: Job, message: Outgoing) -> None:
    """The row of a message that is over keeps no word that is good once. (One in doubt may have to go out again.)"""
    if message.hidden:
        repos.jobs.rewrite(job.key, kept(job.payload, message))


def _clear_callback(repos: StoreRepositories, message: Outgoing) -> None:
    """What was owed is delivered (or never will be): nothing waits any more."""
    if message.callback_id is not None:
        repos.callbacks.remove(message.callback_id)


def _is_quiet(person: Person | None, now: datetime) -> bool:
    """In the recipient's quiet hours messages come without sound."""
    if person is None or not person.interaction_policy.quiet_hours:
        return False
    return DailyWindow.parse(person.interaction_policy.quiet_hours).contains(now, ZoneInfo(person.timezone))
