"""Handing one message to a channel, and what became of it.

Whoever calls holds one of the places and has written `sending` into the row, so what a crash leaves in that state may
have arrived and is never repeated blindly. A text that needs several parts remembers how many are out; a part in doubt
does not keep the rest from its reader.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from bot.failpoints import Failpoint, no_failpoint
from bot.metrics import SENDS
from bot.sending.outcome import Failed, NotKept, Ready, Sent, receipt_of
from bot.sending.routes import Route, followed, migration_key
from bot.store.repositories import StoreRepositories
from bot.store.repositories.jobs import ClaimedJob
from bot.store.unit import PeeweeStore, Work
from core.effects import OWED, Outgoing
from core.errors import (
    DeliveryError,
    Paced,
    PermanentDeliveryError,
    Shut,
    StaleVersion,
    StorageFailed,
    TakenOver,
    TransientDeliveryError,
    UnknownDeliveryError,
    Unsettled,
)
from core.jobs import Job, JobKind
from core.ports import Channel, ChannelMessage, Clock, Pacing, Repeating

log = logging.getLogger(__name__)

ROAMS_AFTER = 3
"""Failures of a channel after which a report may go through another one."""

AT_ONCE = 8
"""Messages handed to channels at the same time; as many may be in doubt after a crash."""

PAUSES_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Between tries to write down what became of a message, while the database does not answer."""

FAULTS = 3
"""So often more where it is no fault of the database's."""

_MOMENT = timedelta(seconds=1)

REMEMBERED = timedelta(minutes=1)
"""The longest window of a channel's pace."""

_LANES_REMEMBERED = 10_000

_MOVES = 3
"""A chat that moves more often while a message is on its way to it runs in circles."""


class Sender:
    """Owns the places to send from."""

    def __init__(
        self,
        store: PeeweeStore,
        channels: Mapping[str, Channel],
        clock: Clock,
        failpoint: Failpoint = no_failpoint,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.store = store
        self._channels = channels
        self._clock = clock
        self._failpoint = failpoint
        self._sleep = sleep
        self._routes: dict[str, Route] = {}
        """Where the last message of a lane went: a guess at where the next one goes."""
        self._in_touch = False
        self._recalling = asyncio.Lock()
        self._may_send: Callable[[], bool] = lambda: True
        self.places = asyncio.Semaphore(AT_ONCE)

    def only_while(self, allowed: Callable[[], bool]) -> None:
        """Hand nothing over but while `allowed()`: another process may have taken over the part of sending."""
        self._may_send = allowed
        for channel in self._channels.values():
            if isinstance(channel, Pacing):
                channel.only_while(allowed)

    def lost_touch(self) -> None:
        """Another process sends now: what this one knows of the channels' pace will not be true any more."""
        self._in_touch = False

    async def _recall(self) -> None:
        """Before the first message: the channels keep the pace of whoever sent before, this bot's earlier lives too."""
        async with self._recalling:
            if self._in_touch:
                return
            paced = {name: channel for name, channel in self._channels.items() if isinstance(channel, Pacing)}
            now = self._clock.now()
            for name, channel in paced.items():
                sent, blocked = await self.store.run(lambda repos, n=name: _lately(repos, n, now))  # type: ignore[misc]
                channel.remember(sent, blocked)
            self._in_touch = True

    async def pause(self, lane: str) -> None:
        """Wait for the turn of the chat before taking a place, so that a slow chat keeps nobody from one.

        Raises `Paced` when that takes long. The channel keeps the pace itself, however wrong the guess is.
        """
        await self._recall()
        route = self._routes.get(lane)
        if route is None:
            return
        channel = self._channels[route.channel]
        if isinstance(channel, Pacing):
            await channel.pause(route.chat)

    async def keep(self, work: Work[None], at: str) -> None:
        """Write down what became of a message, however long the database takes. Raises `NotKept` in the end."""
        pauses, faults = iter(PAUSES_S), iter(range(FAULTS))
        while True:
            try:
                await self.store.run(work, at=at)
            except (StorageFailed, StaleVersion) as error:
                pause = next(pauses, None)
                if pause is None:
                    raise NotKept from error
                log.info("what became of a message cannot be written down yet: %s", error)
                await self._sleep(pause)
            except Exception as error:
                if next(faults, None) is None:
                    raise NotKept from error
            else:
                return

    async def send(self, claimed: ClaimedJob, ready: Ready, moves: int = 0) -> Sent | Failed:
        """Try the routes in order: a permanent failure on one goes on to the next."""
        failures: list[str] = []
        shut: set[Shut] = set()
        again: Failed | None = None
        message_only = False
        # A report goes through the other channel once the preferred one has been down for a while (RULES 5).
        roams = ready.message.purpose in OWED and claimed.job.attempts >= ROAMS_AFTER and not claimed.progress
        for route in ready.routes:
            if route.chat.startswith("-"):
                route = await self.store.run(lambda repos, r=route: followed(repos.meta, r))  # type: ignore[misc]
            try:
                return await self._over(claimed, ready, route)
            except PermanentDeliveryError as error:
                if error.migrated_to is not None and moves < _MOVES:
                    moved = Route(route.channel, error.migrated_to)
                    out = await self.store.run(
                        partial(_has_moved, route=route, to=moved, key=claimed.job.key), at="moved"
                    )
                    rest = replace(claimed, progress=out)
                    return await self.send(rest, _with_route(ready, route, moved), moves + 1)
                failures.append(f"{route.channel}: {error}")
                shut |= {error.shut} if error.shut else set()
                message_only = message_only or error.message_only
                if claimed.open_since is not None and self.repeats(claimed.job, route):
                    break  # an earlier attempt may have arrived there
            except TransientDeliveryError as error:
                tried = None if isinstance(error, Paced) else route
                open_since = error.since if isinstance(error, Unsettled) else claimed.open_since
                again = again or Failed(
                    f"{route.channel}: {error}",
                    True,
                    error.retry_after,
                    tried,
                    outage=error.outage,
                    open_since=open_since,
                )
                if not roams or open_since is not None:
                    return again
        reason = "; ".join(failures) or "no channel leads there"
        why = next((each for each in Shut if each in shut), None)
        return again or Failed(reason, again=False, message_only=message_only, shut=why)

    async def _over(self, claimed: ClaimedJob, ready: Ready, route: Route) -> Sent:
        self._now_at(claimed.job.lane, route)
        parts = self._channels[route.channel].parts(ready.text)
        numbers = await self._numbers(claimed, ready.message, len(parts))
        sent, doubt = Sent(route, None), None
        for number in numbers:
            part = self._part(claimed, ready, route, parts, number)
            sent = replace(await self._hand_over(claimed, part, route), part=number)
            doubt = doubt or sent.in_doubt
            if doubt or number != numbers[-1]:
                await self._remember(claimed, ready, route, part.text, number, sent)
        return replace(sent, message_id=None, in_doubt=doubt) if doubt else sent

    async def _numbers(self, claimed: ClaimedJob, message: Outgoing, parts: int) -> list[int]:
        """The parts that are to go out: those that have not; when asked for again, those that are not sure to have."""
        if not message.again:
            return list(range(claimed.progress, parts))
        known = await self.store.run(lambda repos: repos.receipts.of_job(claimed.job.key))
        arrived = {receipt.part for receipt in known if receipt.message_id is not None}
        return [number for number in range(parts) if number not in arrived]

    def repeats(self, job: Job, route: Route) -> timedelta:
        """For how long a message may be sent there again of which nobody knows what became of it.

        A report is put into words anew each time, and what the channel took may have been other ones.
        """
        channel = self._channels[route.channel]
        if isinstance(channel, Repeating) and job.kind is JobKind.DELIVER:
            return channel.idempotent_for
        return timedelta()

    async def _hand_over(self, claimed: ClaimedJob, part: ChannelMessage, route: Route) -> Sent:
        if not self._may_send():
            raise Paced("another process sends now", _MOMENT)
        at, repeats = self._clock.now(), self.repeats(claimed.job, route)
        since = claimed.open_since or at
        if repeats and at >= since + repeats:
            SENDS.count(route.channel, "in_doubt")
            return Sent(route, None, in_doubt=f"{route.channel}: no answer to any attempt", at=since)
        self._failpoint("send.before_request")
        try:
            receipt = await self._channels[route.channel].send(part)
            self._failpoint("send.after_request")
        except UnknownDeliveryError as error:
            if repeats:
                SENDS.count(route.channel, "put_off")
                raise Unsettled(str(error), since) from error
            SENDS.count(route.channel, "in_doubt")
            return Sent(route, None, in_doubt=f"{route.channel}: {error}", at=at)
        except DeliveryError as error:
            SENDS.count(route.channel, "put_off" if isinstance(error, TransientDeliveryError) else "failed")
            raise
        except Exception as error:  # a fault of ours with the message in hand
            SENDS.count(route.channel, "in_doubt")
            log.exception("a channel failed in an unforeseen way")
            return Sent(route, None, in_doubt=f"{route.channel}: {type(error).__name__}, it may have arrived", at=at)
        SENDS.count(route.channel, "sent")
        return Sent(route, receipt.message_id, at=at)

    def _now_at(self, lane: str, route: Route) -> None:
        if len(self._routes) >= _LANES_REMEMBERED:
            self._routes.clear()
        self._routes[lane] = route

    def cuts(self, route: Route, text: str) -> int:
        """In how many parts a text goes out."""
        return len(self._channels[route.channel].parts(text))

    def _part(self, claimed: ClaimedJob, ready: Ready, route: Route, parts: list[str], number: int) -> ChannelMessage:
        last, message = number == len(parts) - 1, ready.message
        quotes_here = message.conversation == f"{route.channel}:{route.chat}"
        return ChannelMessage(
            key=f"{claimed.job.key}#{number}",
            chat=route.chat,
            text=parts[number],
            buttons=ready.buttons if last else (),
            quote=message.quote if number == 0 and quotes_here else None,
            silent=ready.silent,
            attachments=tuple((kind, ref) for ch, kind, ref in message.attachments if ch == route.channel)
            if last
            else (),
        )

    async def _remember(
        self, claimed: ClaimedJob, ready: Ready, route: Route, text: str, number: int, sent: Sent
    ) -> None:
        """A part that is out stays out, whatever happens to the rest. Raises `TakenOver` when that is not ours."""
        now, ours = self._clock.now(), False

        def keep(repos: StoreRepositories) -> None:
            nonlocal ours
            repos.receipts.add(receipt_of(claimed.job.key, number, ready.message, text, sent, now))
            ours = repos.jobs.progress(claimed.job.key, number + 1)

        await self.keep(keep, at="part")
        if not ours:
            raise TakenOver("another process has it, and sends its rest")


Moments = list[tuple[str, datetime]]
"""Chats of a channel, each with a moment."""


def _lately(repos: StoreRepositories, channel: str, now: datetime) -> tuple[Moments, Moments]:
    """What was sent on a channel within its longest window, and which chats want nothing until when."""
    places = [(where.partition(":"), at) for where, at in repos.receipts.since(now - REMEMBERED)]
    return [(chat, at) for (name, _, chat), at in places if name == channel], list(repos.blocked.blocked(channel, now))


def _has_moved(repos: StoreRepositories, *, route: Route, to: Route, key: str) -> int:
    """Note where a chat has gone; how many parts of the message were out before."""
    repos.meta.set(migration_key(route), to.chat)
    return repos.jobs.progress_of(key)


def _with_route(ready: Ready, old: Route, new: Route) -> Ready:
    routes = tuple(new if r == old else r for r in ready.routes)
    return replace(ready, routes=routes)
