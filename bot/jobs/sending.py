"""Handing one message to a channel, and what became of it.

Whoever calls holds one of the places and has written `sending` into the row, so what a crash leaves in that state may
have arrived and is never repeated blindly. A text that needs several parts remembers how many are out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.jobs.routes import Route, migration_key
from bot.store.repositories import StoreRepositories
from bot.store.repositories.jobs import ClaimedJob
from bot.store.unit import PeeweeStore
from core.effects import TO_INITIATORS, Outgoing
from core.errors import PermanentDeliveryError, TransientDeliveryError, UnknownDeliveryError
from core.ports import Channel, ChannelButton, ChannelMessage, Clock, SentMessage

ROAMS_AFTER = 3
"""Failures of a channel after which a report may go through another one."""

AT_ONCE = 8
"""Messages handed to channels at the same time; as many may be in doubt after a crash."""


@dataclass(frozen=True)
class Ready:
    """A message that may leave now, in words, with the chats to try."""

    message: Outgoing
    text: str
    buttons: tuple[tuple[ChannelButton, ...], ...]
    routes: tuple[Route, ...]
    silent: bool


@dataclass(frozen=True)
class Sent:
    """Taken by a channel, or perhaps (`in_doubt`): both count as sent."""

    route: Route
    message_id: str | None
    in_doubt: str | None = None
    at: datetime | None = None
    """When it was handed over; None: now. What answers it comes after that, even before the channel has confirmed."""


@dataclass(frozen=True)
class Failed:
    """Not delivered; `again` when trying later may help."""

    reason: str
    again: bool
    retry_after: timedelta | None = None


class Sender:
    """Owns the places to send from."""

    def __init__(self, store: PeeweeStore, channels: Mapping[str, Channel], clock: Clock) -> None:
        self.store = store
        self._channels = channels
        self._clock = clock
        self.places = asyncio.Semaphore(AT_ONCE)

    async def send(self, claimed: ClaimedJob, ready: Ready) -> Sent | Failed:
        """Try the routes in order: a permanent failure on one goes on to the next."""
        failures: list[str] = []
        again: Failed | None = None
        # A report goes through the other channel once the preferred one has been down for a while (RULES 5).
        roams = ready.message.purpose in TO_INITIATORS and claimed.job.attempts >= ROAMS_AFTER and not claimed.progress
        for route in ready.routes:
            route = await self._followed(route)
            try:
                return await self._over(claimed, ready, route)
            except PermanentDeliveryError as error:
                if error.migrated_to is not None:
                    moved = Route(route.channel, error.migrated_to)
                    key = migration_key(route)
                    await self.store.run(lambda repos, k=key, c=moved.chat: repos.meta.set(k, c))  # type: ignore[misc]
                    return await self.send(claimed, _with_route(ready, route, moved))
                failures.append(f"{route.channel}: {error}")
            except TransientDeliveryError as error:
                again = again or Failed(f"{route.channel}: {error}", again=True, retry_after=error.retry_after)
                if not roams:
                    return again
        return again or Failed("; ".join(failures) or "no channel leads there", again=False)

    async def _followed(self, route: Route) -> Route:
        if not route.chat.startswith("-"):  # only groups move
            return route
        moved = await self.store.run(lambda repos: repos.meta.get(migration_key(route)))
        return Route(route.channel, moved) if moved else route

    async def _over(self, claimed: ClaimedJob, ready: Ready, route: Route) -> Sent:
        channel = self._channels[route.channel]
        parts = channel.parts(ready.text)
        sent = Sent(route, None)
        for number in range(claimed.progress, len(parts)):
            part, at = self._part(claimed, ready, route, parts, number), self._clock.now()
            try:
                receipt = await channel.send(part)
            except UnknownDeliveryError as error:
                sent = Sent(route, None, in_doubt=f"{route.channel}: {error}", at=at)
            else:
                sent = Sent(route, receipt.message_id, at=at)
            if number < len(parts) - 1 or sent.in_doubt:
                await self._remember(claimed, ready, route, part.text, number, sent)
            if sent.in_doubt:
                break
        return sent

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
        """A part that is out stays out, whatever happens to the rest."""
        now = self._clock.now()

        def keep(repos: StoreRepositories) -> None:
            repos.receipts.add(receipt_of(claimed.job.key, number, ready.message, text, sent, now))
            repos.jobs.progress(claimed.job.key, number + 1)

        await self.store.run(keep)


def kept(text: str, message: Outgoing) -> str:
    """A text as it is written down: words that are good once are blotted out."""
    for word in message.hidden:
        text = text.replace(word, "•••")
    return text


def receipt_of(key: str, part: int, message: Outgoing, text: str, sent: Sent, at: datetime) -> SentMessage:
    """What is kept of a message that went out."""
    return SentMessage(
        job_key=key,
        part=part,
        channel=sent.route.channel,
        chat=sent.route.chat,
        message_id=sent.message_id,
        purpose=message.purpose,
        to=message.to,
        concern_id=message.concern_id,
        decision_id=message.decision_id,
        block_id=message.block_id,
        text=kept(text, message),
        at=at,
        counted=message.counted and part == 0,
    )


def _with_route(ready: Ready, old: Route, new: Route) -> Ready:
    routes = tuple(new if r == old else r for r in ready.routes)
    return Ready(ready.message, ready.text, ready.buttons, routes, ready.silent)
