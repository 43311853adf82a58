"""Leases: what one process has until a moment on the database's clock."""

from __future__ import annotations

from datetime import datetime, timedelta

from peewee import SQL, Database, PostgresqlDatabase

from bot.store.columns import moment
from bot.store.repositories.workspace import MetaTable
from bot.store.statement import Statement, given, insertion
from bot.store.tables import LeaseRow
from bot.system import SystemClock

LONGEST = timedelta(minutes=1)
"""No lease is given for longer; one that ends later than that dates from before the clock was set back, and counts as
lapsed."""

PROCESS = "process:"
"""A process lives as long as the lease of this and its own name."""
SPEAKER = "speaker"
CLOCK = "clock_off:"
"""Under this and its own name a process notes how wrong its clock goes."""

TOLERATED = timedelta(seconds=10)
"""Clocks that differ by no more than this do no harm: nothing is that punctual."""

_HELD = (LeaseRow.until > given("now")) & (LeaseRow.until <= given("latest", LeaseRow.until))
_RENEW = Statement(
    insertion(LeaseRow).on_conflict(
        conflict_target=[LeaseRow.name],
        preserve=[LeaseRow.holder, LeaseRow.until],
        where=(LeaseRow.holder == given("holder", LeaseRow.holder)) | ~_HELD,
    )
)
_FREE = Statement(LeaseRow.delete().where((LeaseRow.name == given("name")) & (LeaseRow.holder == given("holder"))))
_HOLDER = Statement(LeaseRow.select(LeaseRow.holder).where((LeaseRow.name == given("name")) & _HELD))
_LIVING = Statement(LeaseRow.select(LeaseRow.name).where(LeaseRow.name.startswith(PROCESS) & _HELD))
_SWEEP = Statement(LeaseRow.delete().where(~_HELD))


class LeaseTable:
    """Who lives, and who plays which part. Every process on a database reads the same clock: the database's."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def renew(self, name: str, holder: str, span: timedelta) -> bool:
        """Have it for `span` from now, if it is free, lapsed or held already. False: somebody else has it."""
        if not timedelta() < span <= LONGEST:
            raise ValueError(f"a lease of {span}")
        now = self._now()
        return bool(_RENEW.write(self._db, name=name, holder=holder, until=now + span, now=now, latest=now + LONGEST))

    def free(self, name: str, holder: str) -> None:
        """Give it back; nothing happens where another has it."""
        _FREE.write(self._db, name=name, holder=holder)

    def holder(self, name: str) -> str | None:
        """Who has it now."""
        now = self._now()
        held = _HOLDER.value(self._db, name=name, now=now, latest=now + LONGEST)
        return None if held is None else str(held)

    def speaker(self) -> str | None:
        """The process that alone talks to the channels; None while there is none."""
        return self.holder(SPEAKER)

    def living(self) -> frozenset[str]:
        """The processes that live."""
        now = self._now()
        rows = _LIVING.rows(self._db, now=now, latest=now + LONGEST)
        return frozenset(str(name).removeprefix(PROCESS) for (name,) in rows)

    def mark_clock(self, holder: str) -> None:
        """Note how far this process's clock is from the database's, for as long as the lease runs."""
        if abs(off := self.off()) > TOLERATED:
            MetaTable(self._db).set(CLOCK + holder, str(off.total_seconds()))
        else:
            MetaTable(self._db).drop(CLOCK + holder)

    def off(self) -> timedelta:
        """How far this machine's clock is ahead of the database's."""
        return SystemClock().now() - self._now()

    def clocks(self) -> dict[str, timedelta]:
        """The living processes whose clocks go wrong, by how far they are ahead of the database's."""
        meta = MetaTable(self._db)
        found = {name: meta.get(CLOCK + name) for name in sorted(self.living())}
        return {name: timedelta(seconds=float(off)) for name, off in found.items() if off is not None}

    def sweep(self) -> None:
        """Clear away what has lapsed."""
        now = self._now()
        _SWEEP.write(self._db, now=now, latest=now + LONGEST)

    def _now(self) -> datetime:
        """The moment itself, not that of the transaction's beginning."""
        if isinstance(self._db, PostgresqlDatabase):
            return moment(int(_NOW.value(self._db)))
        return SystemClock().now()  # the file's only process, on its own machine


_NOW = Statement(SQL("SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint"))
