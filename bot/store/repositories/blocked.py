"""Chats that a channel wants nothing for until a moment: kept, so that a restart does not forget."""

from __future__ import annotations

from datetime import datetime, timedelta

from peewee import EXCLUDED, SQL, Database

from bot.store.columns import MICROSECOND, moment
from bot.store.statement import Statement, given, insertion
from bot.store.tables import BlockedChatRow

_BLOCK = Statement(
    insertion(BlockedChatRow).on_conflict(
        conflict_target=[BlockedChatRow.channel, BlockedChatRow.chat],
        preserve=[BlockedChatRow.until],
        where=EXCLUDED.until > BlockedChatRow.until,
    )
)
_BLOCKED = Statement(
    BlockedChatRow.select(BlockedChatRow.chat, BlockedChatRow.until).where(
        (BlockedChatRow.channel == given("channel")) & (BlockedChatRow.until > given("now"))
    )
)
_SWEEP = Statement(BlockedChatRow.delete().where(BlockedChatRow.until <= given("now")))


class BlockedChats:
    """The table `blocked_chats`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def block(self, channel: str, chat: str, until: datetime) -> None:
        """Nothing for this chat before `until`, or later where that was said before."""
        _BLOCK.write(self._db, channel=channel, chat=chat, until=until)

    def blocked(self, channel: str, now: datetime) -> tuple[tuple[str, datetime], ...]:
        """The chats of a channel that must wait, and until when."""
        return tuple((chat, moment(until)) for chat, until in _BLOCKED.rows(self._db, channel=channel, now=now))

    def set_back(self, span: timedelta) -> None:
        """The clock was set back by `span`: nobody waits longer for it."""
        earlier = BlockedChatRow.update({BlockedChatRow.until: SQL(f"until - {span // MICROSECOND}")})
        Statement(earlier).write(self._db)

    def sweep(self, now: datetime) -> None:
        """Forget what is over."""
        _SWEEP.write(self._db, now=now)
