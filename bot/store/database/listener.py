"""The ear of a process: what the others tell it through PostgreSQL's LISTEN/NOTIFY.

Nothing depends on it: whoever misses a call looks a second later anyway.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from bot.store.database.connection import patience
from bot.store.database.news import CHANNEL

log = logging.getLogger(__name__)

AGAIN_S = 2.0
"""Before the next try to connect."""


class Listener:
    """One connection that does nothing but listen."""

    def __init__(self, url: str, me: str) -> None:
        """`url` is that of the store; `me` this process, whose own calls it need not hear."""
        self._url = "postgresql" + url.removeprefix(url.partition(":")[0])
        self._me = me
        self.listening = False
        """Whether a call would be heard now."""

    async def run(self, heard: Callable[[str], None]) -> None:
        """Call `heard` with what each call says, until cancelled. Connects again whenever the server was away."""
        import psycopg

        told = False
        while True:
            try:
                await self._listen(heard)
            except (psycopg.Error, OSError) as error:
                # Without the error's words: a driver may quote the URL with its password.
                if self.listening or not told:
                    log.warning("no calls from other processes for now (%s)", type(error).__name__)
                told = True
            finally:
                self.listening = False
            await asyncio.sleep(AGAIN_S)

    async def _listen(self, heard: Callable[[str], None]) -> None:
        import psycopg

        connection = await psycopg.AsyncConnection.connect(self._url, autocommit=True, **patience(self._url))
        async with connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            row = await (await connection.execute("SELECT current_schema()")).fetchone()
            schema = str(row[0]) if row else ""
            self.listening = True
            heard("")  # what was called before is found by looking
            async for call in connection.notifies():
                # A name of a schema may hold a space; the two words after it do not.
                where, who, what = call.payload.rsplit(" ", 2)
                if where == schema and who != self._me:
                    heard(what)
