"""Erasure: a person's rows go, and their names, ids and words go out of everybody else's.

A few rows at a time, each time in a transaction of its own, so that the bot goes on meanwhile; the person's own words
and entry go last, so that one that was cut off knows what to look for when it is done again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from peewee import Database, Expression, Field, Model

from bot.store.person.marks import Marks
from bot.store.person.scrub import scrubbed_concern, scrubbed_job, scrubbed_receipt, skeleton
from bot.store.repositories import StoreRepositories
from bot.store.statement import Row, Statement, given
from bot.store.tables import (
    AgendaItemRow,
    BlockedChatRow,
    BlockRow,
    CallbackRow,
    ConcernPersonRow,
    ConcernRow,
    DecisionRow,
    DeedRow,
    FactRow,
    InviteRow,
    JobRow,
    MetaRow,
    PersonRow,
    ReceiptRow,
    WrongCodeRow,
)
from core.concern.model import Concern
from core.context.workspace import BlockKind
from core.ids import ConcernId, conversation_id
from core.jobs import JobKind

T = TypeVar("T")

BATCH = 200
UNDER_WAY = "forgetting:"
"""Under this name and the person's id a database keeps what stands for them, until all is done."""
FORGOTTEN = "forgotten"
"""The decision with which what still waited of them is closed, and the reason of their cancelled jobs."""


class Unit(Protocol):
    """Runs a piece of work in one transaction."""

    def __call__(self, work: Callable[[StoreRepositories, Database], T], /) -> T: ...


_JSON = frozenset({"body", "payload", "signals"})
"""Columns that hold it."""
_OVER = ("done", "cancelled", "dead", "in_doubt")


@dataclass(frozen=True)
class Whose:
    """The rows of a person, in terms of columns."""

    marks: Marks

    @property
    def person_id(self) -> str:
        """Their id."""
        return self.marks.person.person_id

    @property
    def chats(self) -> list[str]:
        """Their own chats."""
        return [conversation_id(i.channel, i.user_id) for i in self.marks.person.identities]

    @property
    def lanes(self) -> list[str]:
        """The lanes of what goes to them, or comes from them."""
        return [f"to:{self.person_id}", *self.chats, *(f"to:{chat}" for chat in self.chats)]

    def facts(self) -> Expression:
        """What they said or did, and whatever else happened in their own chats."""
        theirs = FactRow.conversation.in_(self.chats)
        for identity in self.marks.person.identities:
            theirs |= (FactRow.channel == identity.channel) & (FactRow.sender == identity.user_id)
        return theirs

    def jobs(self) -> Expression:
        """What is to go to them, or went."""
        return (JobRow.person_id == self.person_id) | JobRow.lane.in_(self.lanes)

    def receipts(self) -> Expression:
        """What they were sent."""
        return (ReceiptRow.person_id == self.person_id) | ReceiptRow.conversation.in_(self.chats)

    def concerns(self) -> Expression:
        """The matters in which they have a part."""
        theirs = ConcernPersonRow.select(ConcernPersonRow.concern_id).where(
            ConcernPersonRow.person_id == self.person_id
        )
        return ConcernRow.concern_id.in_(theirs)


def end_what_waits(repos: StoreRepositories, db: Database, whose: Whose) -> None:
    """Nothing of theirs is taken up any more: messages to them, callbacks, blocks, what they said last, invites."""
    me = whose.person_id
    waiting = JobRow.update({JobRow.state: "cancelled", JobRow.reason: FORGOTTEN})
    _write(db, waiting.where(whose.jobs() & (JobRow.state == "pending")))
    handled = FactRow.update({FactRow.state: "handled", FactRow.decision: FORGOTTEN, FactRow.holder: None})
    _write(db, handled.where(FactRow.state.in_(["unhandled", "joined"]) & (whose.facts() | (FactRow.person_id == me))))
    _write(db, CallbackRow.delete().where((CallbackRow.person_id == me) | CallbackRow.chat_id.in_(whose.chats)))
    told = JobRow.key.startswith(f"{FORGOTTEN}:") & (JobRow.state == "pending")
    for key, payload in _rows(db, JobRow, JobRow.key, JobRow.payload, told):
        # What the others are told of it may leave at once.
        nameless = dump(whose.marks.deep(json.loads(payload), whose.marks.gentle))
        _write(db, JobRow.update({JobRow.payload: nameless}).where(JobRow.key == key))
    for block_id, body in _rows(db, BlockRow, BlockRow.block_id, BlockRow.body):
        block = json.loads(body)
        # What waits for somebody's yes would reach them; a task of another's only looks, and goes on.
        reaches = block["kind"] != BlockKind.DEEP_TASK and whose.marks.ids.search(body)
        if block["owner"] == me or reaches:
            _write(db, BlockRow.delete().where(BlockRow.block_id == block_id))
    for row_id, body in _rows(db, InviteRow, InviteRow.digest, InviteRow.body):
        if me in json.loads(body).values():
            _write(db, InviteRow.delete().where(InviteRow.digest == row_id))
    for item_id, body in _rows(db, AgendaItemRow, AgendaItemRow.item_id, AgendaItemRow.body):
        item = json.loads(body)
        if me in (item["owner"], item.get("person_id")):
            _write(db, AgendaItemRow.delete().where(AgendaItemRow.item_id == item_id))
    for other in repos.people.all():
        if other.escalation_to == me:
            repos.people.save(other.model_copy(update={"escalation_to": None}))
    for identity in whose.marks.person.identities:
        here, chat = identity.channel, identity.user_id
        _write(db, WrongCodeRow.delete().where((WrongCodeRow.channel == here) & (WrongCodeRow.user_id == chat)))
        _write(db, BlockedChatRow.delete().where((BlockedChatRow.channel == here) & (BlockedChatRow.chat == chat)))


def their_words(db: Database, whose: Whose) -> tuple[list[str], list[str]]:
    """What they said, and what others wrote by themselves: without naming them."""
    theirs = [text for _, text in _rows(db, FactRow, FactRow.id, FactRow.text, whose.facts()) if text]
    for _, body in _rows(db, ConcernRow, ConcernRow.concern_id, ConcernRow.body, whose.concerns()):
        concern = Concern.model_validate_json(body)
        theirs += [
            e.text for e in concern.conversation_log if e.person_id == whose.person_id and e.direction == "inbound"
        ]
        state = concern.state_of(whose.marks.person.person_id)
        theirs += [state.key_information] if state.key_information else []
        if concern.initiator_id == whose.person_id:
            theirs += [concern.source.detail, concern.title, concern.goal]
    written = _rows(db, FactRow, FactRow.id, FactRow.text, ~whose.facts() & FactRow.text.is_null(False))
    return theirs, [text for _, text in written if not whose.marks.finds(text)]


def scrub(unit: Unit, whose: Whose) -> int:
    """Take them out of everything, their own words last; how many rows were changed or taken out."""
    marks = whose.marks
    changed = _concerns(unit, whose)
    changed += unit(lambda repos, db: _write(db, ReceiptRow.delete().where(whose.receipts())))
    changed += unit(lambda repos, db: _write(db, JobRow.delete().where(whose.jobs() & JobRow.state.in_(_OVER))))
    of_theirs = _concern_ids(unit, marks)
    changed += _each(unit, ReceiptRow, ReceiptRow.id, lambda row: scrubbed_receipt(row, marks, of_theirs))
    changed += _each(unit, JobRow, JobRow.id, lambda row: _job(row, whose, of_theirs))
    for model, key in (
        (BlockRow, BlockRow.block_id),
        (AgendaItemRow, AgendaItemRow.item_id),
        (CallbackRow, CallbackRow.id),
        (MetaRow, MetaRow.key),
    ):
        changed += _each(unit, model, key, lambda row: _generic(row, marks, marks.gentle))
    changed += _each(unit, DecisionRow, DecisionRow.id, lambda row: _generic(row, marks, marks.whole))
    changed += _each(unit, DeedRow, DeedRow.id, lambda row: _generic(row, marks, marks.gentle))
    changed += _each(unit, FactRow, FactRow.id, lambda row: _fact(row, whose))
    changed += unit(lambda repos, db: _write(db, PersonRow.delete().where(PersonRow.person_id == whose.person_id)))
    return changed


def in_hand(db: Database, whose: Whose) -> bool:
    """Whether a message to them is with a channel, or something of theirs is worked on, right now."""
    taken = JobRow.select(JobRow.id).where(whose.jobs() & JobRow.state.in_(["running", "sending"])).limit(1)
    return bool(Statement(taken).rows(db))


def thinking(db: Database) -> frozenset[str]:
    """What is being judged or thought about right now. It has read what stood there, and may still write that."""
    facts = FactRow.select(FactRow.id).where(FactRow.holder.is_null(False) & (FactRow.state == "unhandled"))
    minds = JobRow.kind.in_([JobKind.ADVANCE, JobKind.ACT, JobKind.TASK])
    jobs = JobRow.select(JobRow.id).where((JobRow.state == "running") & minds)
    found = (("f", Statement(facts).rows(db)), ("j", Statement(jobs).rows(db)))
    return frozenset(f"{kind}{number}" for kind, rows in found for (number,) in rows)


def remains(unit: Unit, whose: Whose) -> list[str]:
    """Where they are still found: names of tables."""
    found = []
    for model, key in (
        (FactRow, FactRow.id), (ConcernRow, ConcernRow.concern_id), (JobRow, JobRow.id), (ReceiptRow, ReceiptRow.id),
        (BlockRow, BlockRow.block_id), (AgendaItemRow, AgendaItemRow.item_id), (CallbackRow, CallbackRow.id),
        (DecisionRow, DecisionRow.id), (DeedRow, DeedRow.id), (PersonRow, PersonRow.person_id), (MetaRow, MetaRow.key),
    ):  # fmt: skip
        pages = _pages(unit, model, key)
        texts = (value for page in pages for row in page if not _is_ours(row) for value in row.values())
        if any(isinstance(value, str) and whose.marks.finds(value) for value in texts):
            found.append(str(model._meta.table_name))
    return found


def _concerns(unit: Unit, whose: Whose) -> int:
    """Concerns are written as the bot writes them, so that it sees that they have changed."""
    changed = 0
    for page in _pages(unit, ConcernRow, ConcernRow.concern_id):
        for row in page:
            if whose.marks.finds(row["body"]):
                changed += unit(partial(_concern, row["concern_id"], whose.marks))
    return changed


def _concern(concern_id: ConcernId, marks: Marks, repos: StoreRepositories, db: Database) -> int:
    before = repos.concerns.get(concern_id)
    if before is None:
        return 0
    after = scrubbed_concern(before, marks)
    if after == before:
        return 0
    repos.concerns.save(after)
    return 1


def _concern_ids(unit: Unit, marks: Marks) -> frozenset[str]:
    """The matters in which they had a part: by now under the other name."""
    mine = ConcernPersonRow.select(ConcernPersonRow.concern_id).where(ConcernPersonRow.person_id == marks.alias)
    return unit(lambda repos, db: frozenset(str(i) for (i,) in Statement(mine).rows(db)))


def _job(row: dict[str, Any], whose: Whose, of_theirs: frozenset[str]) -> dict[str, Any]:
    """One to them that is worked on stays as it is until that is over: then it goes."""
    theirs = row["person_id"] == whose.person_id or row["lane"] in whose.lanes
    return {} if theirs else scrubbed_job(row, whose.marks, of_theirs)


def _fact(row: dict[str, Any], whose: Whose) -> dict[str, Any]:
    marks, body = whose.marks, json.loads(row["body"])
    theirs = row["conversation"] in whose.chats or any(
        (row["channel"], row["sender"]) == (i.channel, i.user_id) for i in marks.person.identities
    )
    if theirs:
        return skeleton(row, marks, own_chat=row["conversation"] in whose.chats)
    if body["kind"] == "prompt" and marks.is_me(row["person_id"]):
        body["text"] = marks.gone
    elif not _is_touched(row, marks):
        return {}
    changed = _generic({**row, "body": json.dumps(body, ensure_ascii=False)}, marks, marks.gentle)
    return {k: v for k, v in changed.items() if v != row[k]}


def _is_touched(row: dict[str, Any], marks: Marks) -> bool:
    """Most rows are nothing of theirs, and need not be taken apart."""
    return any(isinstance(value, str) and marks.finds(value) for value in row.values())


def _is_ours(row: dict[str, Any]) -> bool:
    """What an erasure keeps of itself until it is done."""
    return str(row.get("key", "")).startswith(UNDER_WAY)


def _generic(row: dict[str, Any], marks: Marks, text: Callable[[str], str]) -> dict[str, Any]:
    """The columns of a row that change. JSON is gone through value by value."""
    if _is_ours(row) or not _is_touched(row, marks):
        return {}
    after = {}
    for name, value in row.items():
        if isinstance(value, str):
            new = dump(marks.deep(json.loads(value), text)) if name in _JSON else text(value)
            after[name] = value if name in _JSON and json.loads(new) == json.loads(value) else new
    return {name: value for name, value in after.items() if value != row[name]}


def dump(value: Any) -> str:
    """JSON as the rest of the program writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# --- rows -------------------------------------------------------------------------------------------------------------


def _each(unit: Unit, model: type[Model], key: Field, change: Callable[[dict[str, Any]], dict[str, Any]]) -> int:
    """Put each row of a table through `change`, which returns the columns that are to be otherwise."""
    changed = 0
    for page in _pages(unit, model, key):
        changed += unit(partial(_rewrite, model, key, page, change))
    return changed


def _rewrite(
    model: type[Model],
    key: Field,
    rows: list[dict[str, Any]],
    change: Callable[[dict[str, Any]], dict[str, Any]],
    repos: StoreRepositories,
    db: Database,
) -> int:
    """What the bot has changed since the page was read is left for the next round."""
    changed = 0
    for row in rows:
        after = change(row)
        if after:
            columns = {getattr(model, name): value for name, value in after.items()}
            same = [getattr(model, name) == row[name] for name in ("body", "payload", "state") if name in row]
            changed += _write(db, model.update(columns).where(key == row[key.name], *same))
    return changed


def _pages(unit: Unit, model: type[Model], key: Field) -> Iterator[list[dict[str, Any]]]:
    """All rows, by their key, a page at a time; moments are numbers."""
    names = [field.name for field in model._meta.sorted_fields]
    query = model.select().order_by(key).limit(BATCH)
    first, later = Statement(query), Statement(query.where(key > given("after")))
    rows = unit(lambda repos, db: first.rows(db))
    while rows:
        page = [dict(zip(names, row, strict=True)) for row in rows]
        yield page
        last = page[-1][key.name]
        rows = unit(lambda repos, db: later.rows(db, after=last))  # noqa: B023 run at once


def _rows(db: Database, model: type[Model], *columns: Any) -> list[Row]:
    """Two columns, and where the third is a condition the rows of which it holds."""
    key, value, *which = columns
    query = model.select(key, value)
    return Statement(query.where(*which) if which else query).rows(db)


def _write(db: Database, query: Any) -> int:
    return Statement(query).write(db)
