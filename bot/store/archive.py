"""What was said on one channel, for the channel itself to look up."""

from __future__ import annotations

from bot.store.unit import PeeweeStore
from core.facts import Fact


class ChannelArchive:
    """`core.ports.Archive`."""

    def __init__(self, store: PeeweeStore, channel: str) -> None:
        self._store = store
        self._channel = channel

    async def received(self, message_id: str) -> Fact | None:
        """The message of that id, in whatever chat."""
        found = await self._store.run(lambda repos: repos.facts.where_said(self._channel, message_id))
        return found.fact if found is not None else None

    async def sent(self, chat: str, message_id: str) -> str | None:
        """The words of a message of ours."""
        found = await self._store.run(lambda repos: repos.receipts.by_message(self._channel, chat, message_id))
        return found.text if found is not None else None
