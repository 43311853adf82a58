"""The tables. Their indexes and constraints are in migrations/, which alone make and change them.

Whatever is searched for has a column; the whole value is the JSON in `body`, which keeps what a column does not, such
as the offset of a time. Models are bound to no database: a query is executed on the one that it is given.
"""

from __future__ import annotations

from peewee import Model

from bot.store.tables.house import CounterRow, LeaseRow, MetaRow, UsageRow
from bot.store.tables.records import (
    AgendaItemRow,
    AgendaRow,
    BlockRow,
    CallbackRow,
    ConcernPersonRow,
    ConcernRow,
    ConcernTermRow,
    DecisionRow,
    DeedRow,
    IdentityRow,
    InviteRow,
    PersonRow,
    WrongCodeRow,
)
from bot.store.tables.traffic import BlockedChatRow, FactRow, JobRow, ReceiptRow

__all__ = [
    "TABLES",
    "AgendaItemRow",
    "AgendaRow",
    "BlockRow",
    "BlockedChatRow",
    "CallbackRow",
    "ConcernPersonRow",
    "ConcernRow",
    "ConcernTermRow",
    "CounterRow",
    "DecisionRow",
    "DeedRow",
    "FactRow",
    "IdentityRow",
    "InviteRow",
    "JobRow",
    "LeaseRow",
    "MetaRow",
    "PersonRow",
    "ReceiptRow",
    "UsageRow",
    "WrongCodeRow",
]

TABLES: tuple[type[Model], ...] = (
    FactRow,
    PersonRow,
    IdentityRow,
    ConcernRow,
    ConcernPersonRow,
    AgendaRow,
    ConcernTermRow,
    DecisionRow,
    DeedRow,
    AgendaItemRow,
    JobRow,
    ReceiptRow,
    BlockRow,
    InviteRow,
    WrongCodeRow,
    CallbackRow,
    LeaseRow,
    BlockedChatRow,
    UsageRow,
    CounterRow,
    MetaRow,
)
