"""The repositories of `core.ports`, on tables, with what the runtime needs beyond them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

from peewee import Database

from bot.store.database.connection import apart
from bot.store.database.news import News
from bot.store.repositories.agenda import AgendaTable
from bot.store.repositories.blocked import BlockedChats
from bot.store.repositories.callbacks import CallbackTable
from bot.store.repositories.concerns import ConcernTable
from bot.store.repositories.deeds import DeedTable
from bot.store.repositories.facts import FactTable
from bot.store.repositories.health import HealthTable
from bot.store.repositories.invites import InviteTable
from bot.store.repositories.jobs import ClaimedJob, JobTable
from bot.store.repositories.leases import LeaseTable
from bot.store.repositories.people import PeopleTable
from bot.store.repositories.queue import QueueTable
from bot.store.repositories.receipts import ReceiptTable
from bot.store.repositories.usage import UsageTable
from bot.store.repositories.workspace import BlockTable, MetaTable
from bot.store.retention import RetentionTable

__all__ = ["ClaimedJob", "StoreRepositories", "repositories"]


@dataclass(frozen=True)
class StoreRepositories:
    """All of them; a `core.ports.Repositories` and more."""

    facts: FactTable
    people: PeopleTable
    concerns: ConcernTable
    agenda: AgendaTable
    jobs: JobTable
    queue: QueueTable
    receipts: ReceiptTable
    blocked: BlockedChats
    blocks: BlockTable
    callbacks: CallbackTable
    invites: InviteTable
    deeds: DeedTable
    meta: MetaTable
    usage: UsageTable
    health: HealthTable
    leases: LeaseTable
    news: News
    retention: RetentionTable
    apart: Callable[[], AbstractContextManager[None]]
    """What fails in it is undone alone, and not the whole unit of work."""
    me: str
    """The name of this process, under which it holds what it claims."""


def repositories(db: Database, persona: str, me: str) -> StoreRepositories:
    """The repositories on one database; `persona` is what the bot is called in dialogues, `me` this process."""
    people, news = PeopleTable(db), News()
    return StoreRepositories(
        facts=FactTable(db, people, persona, me, news),
        people=people,
        concerns=ConcernTable(db),
        agenda=AgendaTable(db),
        jobs=JobTable(db, me, news),
        queue=QueueTable(db),
        receipts=ReceiptTable(db),
        blocked=BlockedChats(db),
        blocks=BlockTable(db),
        callbacks=CallbackTable(db),
        invites=InviteTable(db),
        deeds=DeedTable(db),
        meta=MetaTable(db),
        usage=UsageTable(db),
        health=HealthTable(db),
        leases=LeaseTable(db),
        news=news,
        retention=RetentionTable(db),
        apart=partial(apart, db),
        me=me,
    )
