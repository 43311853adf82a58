"""All that is kept of a person, as JSON: theirs in full, and where else they are named.

What another one said about them is that person's: of such rows only the place is given.
"""

from __future__ import annotations

import json
from typing import Any

from peewee import Database, Expression, Field, Model

from bot.store.columns import MomentField, moment
from bot.store.person.erasure import Whose
from bot.store.person.marks import Marks
from bot.store.statement import Statement
from bot.store.tables import (
    AgendaItemRow,
    BlockedChatRow,
    BlockRow,
    CallbackRow,
    ConcernRow,
    DecisionRow,
    DeedRow,
    FactRow,
    InviteRow,
    JobRow,
    ReceiptRow,
    UsageRow,
    WrongCodeRow,
)
from core.concern.model import Concern

Json = dict[str, Any]

_SEARCHED: tuple[tuple[type[Model], Field], ...] = (
    (FactRow, FactRow.id),
    (ConcernRow, ConcernRow.concern_id),
    (ReceiptRow, ReceiptRow.id),
    (JobRow, JobRow.id),
    (BlockRow, BlockRow.block_id),
    (AgendaItemRow, AgendaItemRow.item_id),
    (CallbackRow, CallbackRow.id),
    (DecisionRow, DecisionRow.id),
    (DeedRow, DeedRow.id),
)


def exported(db: Database, marks: Marks) -> Json:
    """Everything of this person, by kind."""
    whose, me = Whose(marks), marks.person.person_id
    concerns = [Concern.model_validate_json(row["body"]) for row in rows(db, ConcernRow, whose.concerns(), raw=True)]
    mine = [c.concern_id for c in concerns if c.initiator_id == me]
    about = (FactRow.person_id == me) & ~whose.facts()
    found: dict[str, list[Json]] = {
        "facts": rows(db, FactRow, whose.facts()),
        "facts_about": rows(db, FactRow, about),
        "messages": rows(db, ReceiptRow, whose.receipts()),
        "concerns": [concern_of(c, marks) for c in concerns],
        "jobs": rows(db, JobRow, whose.jobs()),
        "callbacks": rows(db, CallbackRow, (CallbackRow.person_id == me) | CallbackRow.chat_id.in_(whose.chats)),
        "blocks": rows(db, BlockRow, BlockRow.owner == me),
        "agenda_items": [
            row if row["owner"] == me else _about_them(row)
            for row in rows(db, AgendaItemRow)
            if me in (row["owner"], row["body"].get("person_id"))
        ],
        "decisions": [row for row in rows(db, DecisionRow) if row["body"]["owner"] == me],
        "deeds": rows(db, DeedRow, (DeedRow.actor == me) | (DeedRow.person_id == me)),
        "invites": [row for row in rows(db, InviteRow) if me in row["body"].values()],
        "wrong_codes": [row for which in _places(marks, WrongCodeRow) for row in rows(db, WrongCodeRow, which)],
        "blocked_chats": [row for which in _places(marks, BlockedChatRow) for row in rows(db, BlockedChatRow, which)],
        "model_usage": rows(db, UsageRow, UsageRow.concern_id.in_(mine)) if mine else [],
    }  # fmt: skip
    return {"person": marks.person.model_dump(mode="json"), **found, "named_elsewhere": _elsewhere(db, marks, found)}


def _about_them(row: Json) -> Json:
    """What another one expects of them or looks out for: not in whose words, nor what that one does about it."""
    kept = ("item_id", "kind", "created_at", "due_at")
    return {**{name: row[name] for name in kept}, "what": row["body"]["what"]}


def concern_of(concern: Concern, marks: Marks) -> Json:
    """A matter as they may see it: whole where they wanted it, else what is about them."""
    whole = concern.to_json()
    if marks.is_me(concern.initiator_id):
        return whole
    kept = ("concern_id", "type", "status", "priority", "title", "goal", "created_at", "closed_at", "deadline")
    state = (whole.get("delegation") or {}).get("delegates", {}).get(marks.person.person_id)
    return {
        **{name: whole[name] for name in kept},
        "people": [p for p in whole["people"] if marks.is_me(p["person_id"])],
        "delegation": state,
        "conversation_log": [line for line in whole["conversation_log"] if marks.is_me(line["person_id"])],
        "timeline": [line for line in whole["timeline"] if marks.finds(line["detail"])],
        "decisions": [
            point
            for point in (whole["decision"], *whole["later_points"])
            if point is not None and marks.is_me(point["about"])
        ],
        "reports": [notice for notice in whole["reports"]["waiting"] if marks.is_me(notice["person_id"])],
    }


def rows(db: Database, model: type[Model], which: Expression | None = None, *, raw: bool = False) -> list[Json]:
    """Rows of a table as JSON values: moments in ISO 8601, JSON taken apart (unless `raw`)."""
    fields = model._meta.sorted_fields
    query = model.select() if which is None else model.select().where(which)
    found = Statement(query.order_by(*_keys(model))).rows(db)
    return [
        {f.name: value if raw else _readable(f, value) for f, value in zip(fields, row, strict=True)} for row in found
    ]


def _keys(model: type[Model]) -> list[Field]:
    return [field for field in model._meta.sorted_fields if field.primary_key] or [model._meta.sorted_fields[0]]


def _readable(field: Field, value: Any) -> Any:
    if isinstance(field, MomentField) and value is not None:
        return moment(value).isoformat()
    return json.loads(value) if field.name in ("body", "payload") else value


def _places(marks: Marks, model: type[WrongCodeRow] | type[BlockedChatRow]) -> list[Expression]:
    user = WrongCodeRow.user_id if model is WrongCodeRow else BlockedChatRow.chat
    return [(model.channel == i.channel) & (user == i.user_id) for i in marks.person.identities]


def _elsewhere(db: Database, marks: Marks, found: dict[str, list[Json]]) -> list[Json]:
    """Rows of others in which they are named."""
    given = {
        (model._meta.table_name, row[key.name])
        for model, key in _SEARCHED
        for part in found.values()
        for row in part
        if set(row) == {field.name for field in model._meta.sorted_fields}
    } | {("concerns", row["concern_id"]) for row in found["concerns"]}
    places = []
    for model, key in _SEARCHED:
        table = model._meta.table_name
        for row in rows(db, model, raw=True):
            named = any(isinstance(value, str) and marks.finds(value) for value in row.values())
            if named and (table, row[key.name]) not in given:
                places.append({"table": table, "id": row[key.name]})
    return places
