"""Where a message may go: the chats to try, in order (RULES 4 and 5)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bot.store.repositories.workspace import MetaTable
from core.concern.model import Concern
from core.effects import Outgoing, Purpose
from core.people import Person


@dataclass(frozen=True)
class Route:
    """One chat on one channel."""

    channel: str
    chat: str


def routes(
    message: Outgoing, recipient: Person | None, concern: Concern | None, live: Collection[str]
) -> tuple[Route, ...]:
    """The chats to try. An answer goes where the question was asked; only if that fails, to the person elsewhere."""
    found: list[Route] = []
    if message.conversation is not None:
        channel, _, chat = message.conversation.partition(":")
        found.append(Route(channel, chat))
    if recipient is not None:
        for channel in _ordered(message, recipient, concern):
            found.append(Route(channel, recipient.user_id_on(channel) or ""))
    return tuple(dict.fromkeys(r for r in found if r.channel in live and r.chat))


def _ordered(message: Outgoing, recipient: Person, concern: Concern | None) -> tuple[str, ...]:
    """Preferred, last used, the rest; a channel to avoid goes to the end."""
    last = None
    if concern is not None:
        entry = concern.person(recipient.person_id)
        last = entry.last_channel if entry else None
        if message.purpose in (Purpose.REPORT, Purpose.REPORT_BACK, Purpose.NOTICE) and concern.source.initiator:
            last = concern.source.initiator.channel
    order = recipient.channels(last)
    if message.avoid_channel is None:
        return order
    return tuple(sorted(order, key=lambda channel: channel == message.avoid_channel))


def followed(meta: MetaTable, route: Route) -> Route:
    """Where the messages of a chat go: to the one that it has become, if it moved."""
    seen = {route}
    while route.chat.startswith("-") and (moved := meta.get(migration_key(route))):  # only groups move
        route = Route(route.channel, moved)
        if route in seen:
            break
        seen.add(route)
    return route


def migration_key(route: Route) -> str:
    """Where the new id of a chat that moved is kept."""
    return f"migrated:{route.channel}:{route.chat}"
