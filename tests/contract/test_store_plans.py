"""No query that is asked all the time reads a table from end to end: what is over only grows."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from peewee import ModelInsert

from bot.store import PeeweeStore, repositories
from bot.store.repositories.jobs import ALL_KINDS, _claimable_of
from bot.store.repositories.receipts import _to_person
from bot.store.statement import Statement, _Place
from core.effects import BOT_STARTED
from core.jobs import JobKind

SMALL = {
    "agenda._WATCHES": "what is over is deleted",
    "blocked._SWEEP": "what is over is deleted",
    "callbacks._ALL": "what is over is deleted",
    "concerns._SCHEDULES": "along the index of open ones",
    "deeds._LATEST": "along its rows, up to a limit",
    "facts._COUNT": "along the index of unhandled ones",
    "health._FACTS": "along the index of unhandled ones",
    "invites._CLEAR_LAPSED": "what is over is deleted",
    "leases._LIVING": "a few rows",
    "leases._NOW": "PostgreSQL alone is asked, for its clock",
    "leases._SWEEP": "a few rows",
    "people._OWNER": "everybody is read all the time anyway",
}
ALONG = ("jobs_taken", "jobs_failed", "jobs_failing", "facts_taken", "callbacks_due", "receipts_in_doubt", "recent_decisions_at", "concerns_awaiting", "sqlite_autoindex_people_1",
         "sqlite_autoindex_agenda_refs_1", "agenda_refs_focus")  # fmt: skip
"""Indexes of which all is read: few rows, or in their order up to a limit."""


def statements() -> Iterator[tuple[str, Statement]]:
    """Every statement that is compiled once, by module and name."""
    for module in pkgutil.iter_modules(repositories.__path__):
        found = vars(importlib.import_module(f"{repositories.__name__}.{module.name}"))
        yield from ((f"{module.name}.{name}", made) for name, made in found.items() if isinstance(made, Statement))
    yield "jobs claim", _claimable_of(ALL_KINDS)
    yield "jobs claim of kinds", _claimable_of(frozenset({JobKind.DELIVER, JobKind.REPORT}))
    yield "receipts to a person", _to_person(BOT_STARTED)


def plan(store: PeeweeStore, statement: Statement) -> list[str]:
    """How SQLite goes about it, step by step."""
    sql, places, _ = statement._compile(store._db)
    values = [None if isinstance(place, _Place) else place for place in places]
    steps = store.run_now(lambda repos: store._db.execute_sql(f"EXPLAIN QUERY PLAN {sql}", values).fetchall())
    return [str(step[-1]) for step in steps]


QUERIES = {name: made for name, made in statements() if not isinstance(made._query, ModelInsert)}


@pytest.mark.parametrize("name", sorted(set(QUERIES) - set(SMALL)))
def test_a_query_finds_its_rows_by_an_index(name: str) -> None:
    store = PeeweeStore("sqlite:///:memory:", inline=True)
    try:
        steps = plan(store, QUERIES[name])
    finally:
        store.close()
    scans = [s for s in steps if s.startswith("SCAN") and not any(f"INDEX {index}" in s for index in ALONG)]
    assert scans == []


OPEN_ONES_ONLY = {
    "concerns._OPEN_BY_INITIATOR": "concerns_initiator (initiator_id=? AND is_open=?)",
    "concerns._ANOTHER_OPEN": "concerns_initiator (initiator_id=? AND is_open=?)",
    "concerns._SCHEDULES_OF": "concerns_initiator (initiator_id=? AND is_open=?)",
    "concerns._AWAITING": "concerns_awaiting",
    "concerns._AWAITING_OF": "concerns_initiator (initiator_id=? AND is_open=?)",
    "concerns._OPEN_BY_DELEGATE": "concern_people_person (person_id=? AND role=? AND closed_at=?)",
    "concerns._NEWEST_BY_DELEGATE": "concern_people_person (person_id=? AND role=? AND closed_at=?)",
    "concerns._ONE_AFTER": "concerns_initiator (initiator_id=? AND is_open=?)",
    "concerns._IN_FRONT": "agenda_refs_owner (owner=?)",
    "terms._HOLDING": "sqlite_autoindex_concern_terms_1 (term=?)",
    "terms._BEYOND": "sqlite_autoindex_concern_terms_1 (term=?)",
    "terms._OF_SEVERAL": "concern_terms_concern (concern_id=?)",
    "terms._TERMS": "concern_terms_concern (concern_id=?)",
    "concerns._LAST_CLOSED_BY_DELEGATE": "concern_people_person (person_id=? AND role=? AND closed_at>?)",
    "focus._FOCUS": "agenda_refs_focus",
    "focus._FOCUS_OF": "agenda_refs_owner (owner=?)",
    "focus._ASKED": "agenda_refs_waiting (owner=? AND waiting_since>?)",
    "focus._STUCK": "agenda_refs_stuck (stuck_at<?)",
    "focus._RECENT_OF": "recent_decisions_owner (owner=?)",
    "facts._READY": "facts_unhandled_lane (conversation=? AND id<?)",
    "facts._BUSY": "facts_unhandled_lane (conversation=? AND id>?)",
    "facts._DELIVERING": "facts_unhandled_lane (conversation=? AND id>?)",
    "jobs._WAITING": "jobs_concern (concern_id=? AND state=?)",
    "jobs._PENDING_TO": "jobs_person (person_id=?)",
}
"""What grows with a person's, or a chat's, history is not walked through to find the little that is open."""


@pytest.mark.parametrize("name", sorted(n for n in QUERIES if n.startswith("focus.")))
def test_the_agenda_is_never_sorted(name: str) -> None:
    store = PeeweeStore("sqlite:///:memory:", inline=True)
    try:
        assert not [step for step in plan(store, QUERIES[name]) if "TEMP B-TREE" in step]
    finally:
        store.close()


@pytest.mark.parametrize("name", sorted(OPEN_ONES_ONLY))
def test_what_is_open_is_found_without_what_is_over(name: str) -> None:
    store = PeeweeStore("sqlite:///:memory:", inline=True)
    try:
        assert any(OPEN_ONES_ONLY[name] in step for step in plan(store, QUERIES[name]))
    finally:
        store.close()
