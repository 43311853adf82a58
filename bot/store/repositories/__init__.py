"""The repositories of `core.ports`, on tables, with what the runtime needs beyond them."""

from __future__ import annotations

from dataclasses import dataclass

from peewee import Database

from bot.store.repositories.agenda import AgendaTable
from bot.store.repositories.concerns import ConcernTable
from bot.store.repositories.facts import FactTable
from bot.store.repositories.invites import InviteTable
from bot.store.repositories.jobs import ClaimedJob, JobTable
from bot.store.repositories.people import PeopleTable
from bot.store.repositories.receipts import ReceiptTable
from bot.store.repositories.workspace import BlockTable, MetaTable

__all__ = ["ClaimedJob", "StoreRepositories", "repositories"]


@dataclass(frozen=True)
class StoreRepositories:
    """All of them; a `core.ports.Repositories` and more."""

    facts: FactTable
    people: PeopleTable
    concerns: ConcernTable
    agenda: AgendaTable
    jobs: JobTable
    receipts: ReceiptTable
    blocks: BlockTable
    invites: InviteTable
    meta: MetaTable


def repositories(db: Database, persona: str) -> StoreRepositories:
    """The repositories on one database; `persona` is what the bot is called in dialogues."""
    people = PeopleTable(db)
    return StoreRepositories(
        facts=FactTable(db, people, persona),
        people=people,
        concerns=ConcernTable(db),
        agenda=AgendaTable(db),
        jobs=JobTable(db),
        receipts=ReceiptTable(db),
        blocks=BlockTable(db),
        invites=InviteTable(db),
        meta=MetaTable(db),
    )
