"""Databases as earlier versions left them: their migrations, and rows in the middle of work."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from playhouse.migrations import Runner

from bot.store import migrations
from bot.store.database.connection import open_database
from core.agenda.model import ConcernRef, RecentDecision
from core.concern.model import Concern
from core.effects import Outgoing, Purpose, Words
from core.ids import PersonId
from core.people import Person, Role
from tests.contract.store_samples import NOW, fact, person, sent

FOLDER = Path(migrations.__file__).parent
EPOCH_US = int(NOW.timestamp()) * 1_000_000

OWNER = person(PersonId("p_owner"), "老板", ("telegram", "700001001"), role=Role.OWNER)
LISI = person(PersonId("p_lisi"), "李四", ("telegram", "700002002"))


def made_by(url: str, last: int) -> None:
    """A database at `url` as the version with so many migrations made it, with work under way."""
    db = open_database(url)
    with tempfile.TemporaryDirectory() as folder:
        for step in sorted(FOLDER.glob("[0-9]*.py"))[:last]:
            shutil.copy(step, folder)
        with db.atomic():
            Runner(db, folder).up()
    for one in (OWNER, LISI):
        _person(db, one)
    for event in ("1", "2"):
        row = (
            "telegram",
            event,
            "message",
            "telegram:700001001",
            "700001001",
            "unhandled",
            EPOCH_US,
            EPOCH_US,
            EPOCH_US,
            0,
        )
        said = fact(event, conversation="telegram:700001001", sender="700001001", text="在吗")
        _insert(db, "facts", "channel, event_id, kind, conversation, sender, state, due_at, occurred_at, received_at, attempts, body",
                (*row, said.model_dump_json(exclude_defaults=True)))  # fmt: skip
    for key, state in (("ran", "running"), ("out", "sending"), ("waits", "pending"), ("was", "done")):
        message = Outgoing(purpose=Purpose.CALLBACK, to=PersonId("p_lisi"), words=Words(text=f"提醒你：{key}"))
        payload = message.model_dump_json().replace('"callback"', '"reminder"')
        lease = EPOCH_US if state in ("running", "sending") else None
        _insert(db, "jobs", "key, kind, lane, due, state, payload, person_id, attempts, progress, lease_until",
                (key, "deliver", f"to:{key}", EPOCH_US, state, payload, "p_lisi", 0, 0, lease))  # fmt: skip
    receipt = sent("was", to=PersonId("p_lisi"), chat="700002002", concern_id=None, text="提醒你：was")
    body = receipt.model_dump_json().replace('"purpose":"report"', '"purpose":"reminder"')
    _insert(db, "receipts", "job_key, part, conversation, message_id, purpose, person_id, at, counted, body",
            ("was", 0, "telegram:700002002", "s-was", "reminder", "p_lisi", EPOCH_US, False, body))  # fmt: skip
    db.close()


def with_matters(url: str, *matters: Concern) -> None:
    """Put concerns into a database that `made_by` has made."""
    db = open_database(url)
    for one in matters:
        at = one.closed_at.timestamp() if one.closed_at else None
        row = (one.concern_id, one.version, one.status, one.status.is_open, one.priority, one.type, one.title, EPOCH_US)
        _insert(db, "concerns", "concern_id, version, status, is_open, priority, type, title, created_at, closed_at, body",
                (*row, at and int(at) * 1_000_000, one.model_dump_json()))  # fmt: skip
        for who in one.people:
            _insert(db, "concern_people", "concern_id, person_id, role",
                    (one.concern_id, who.person_id, who.role_in_concern))  # fmt: skip
    db.close()


def with_agenda(url: str, *matters: Concern) -> None:
    """What the agenda of an earlier version knew of open matters: that they are open, and that they were raised."""
    db = open_database(url)
    for one in matters:
        ref = ConcernRef(concern_id=one.concern_id, priority=one.priority, status=one.status)
        _insert(db, "agenda_refs", "concern_id, body", (one.concern_id, ref.model_dump_json(exclude_defaults=True)))
        raised = RecentDecision(at=NOW, what="raised", why=one.title, concern_id=one.concern_id, owner=one.initiator_id)
        _insert(db, "recent_decisions", "at, concern_id, body", (EPOCH_US, one.concern_id, raised.model_dump_json()))
    db.close()


def _person(db: Any, one: Person) -> None:
    _insert(db, "people", "person_id, role, body", (one.person_id, one.role.value, one.model_dump_json()))
    for identity in one.identities:
        _insert(db, "identities", "channel, user_id, person_id", (identity.channel, identity.user_id, one.person_id))


def _insert(db: Any, table: str, columns: str, values: tuple[Any, ...]) -> None:
    places = ", ".join([db.param] * len(values))
    db.execute_sql(f"INSERT INTO {table} ({columns}) VALUES ({places})", values)
