"""How an evaluation is shown: agreement, the table of what was taken for what, the misses; or JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.evaluation.marks import Marked
from bot.evaluation.tally import Share, Tally

_INDENT, _NAME = "  ", 24


def show(tally: Tally, file: str, brain: str, *, misses: bool) -> str:
    """All of it as text."""
    lines = [f"{file}: {len(tally.marked)} cases, brain {brain}", *_fields(tally), *_alarms(tally), *_failed(tally)]
    lines += ["", *_confusion(tally)]
    if misses:
        lines += ["", *(line for m in tally.marked for line in _misses(m))]
    return "\n".join(lines).rstrip() + "\n"


def _fields(tally: Tally) -> Iterator[str]:
    for field in tally.fields:
        yield _row(field, tally.share(field))
        labels = tally.labels(field)
        if len(labels) > 1:
            yield from (_row(_INDENT + label, tally.share(field, label)) for label in labels)


def _row(name: str, share: Share) -> str:
    return f"{_INDENT}{name:<{_NAME}}{f'{share.agreed}/{share.cases}':>9}{share.value:>9.1%}"


def _alarms(tally: Tally) -> Iterator[str]:
    for name, cases in tally.alarms.items():
        ids = ", ".join(case_id for case_id, _ in cases)
        yield f"{_INDENT}{name}: {len(cases)}" + (f" ({ids})" if ids else "")


def _failed(tally: Tally) -> Iterator[str]:
    if tally.failed:
        ids = ", ".join(m.case_id for m in tally.failed)
        yield f"{_INDENT}no usable answer: {len(tally.failed)} ({ids})"


def _confusion(tally: Tally) -> Iterator[str]:
    """A row a label, a column for everything that something was read as."""
    table = tally.confusion
    read = [*table, *sorted({got for row in table.values() for got in row} - set(table))]
    yield f"{_INDENT}{'labelled / read as':<{_NAME}}" + "".join(f"{name[:10]:>11}" for name in read)
    for label, row in table.items():
        yield f"{_INDENT}{label:<{_NAME}}" + "".join(f"{row.get(name) or '.':>11}" for name in read)


def _misses(marked: Marked) -> Iterator[str]:
    if not marked.missed and not marked.alarms and marked.failure is None:
        return
    note = f"   ({marked.note})" if marked.note else ""
    yield f"{marked.case_id}  {' ⏎ '.join(marked.text.splitlines())}{note}"
    if marked.failure is not None:
        yield f"{_INDENT * 2}no usable answer: {marked.failure}"
        return
    yield from (f"{_INDENT * 2}{c.field}: {c.wanted} → {c.got}" for c in marked.missed)
    yield from (f"{_INDENT * 2}! {name}: {what}" for name, what in marked.alarms)


def as_json(tally: Tally, file: str, brain: str, *, misses: bool) -> dict[str, Any]:
    """The same as one JSON object."""
    shown: dict[str, Any] = {
        "file": file,
        "brain": brain,
        "cases": len(tally.marked),
        "failed": [{"id": m.case_id, "why": m.failure} for m in tally.failed],
        "fields": {
            field: {
                **tally.share(field).as_json(),
                "labels": {label: tally.share(field, label).as_json() for label in tally.labels(field)},
            }
            for field in tally.fields
        },
        "alarms": {
            name: {"count": len(cases), "cases": [{"id": case_id, "what": what} for case_id, what in cases]}
            for name, cases in tally.alarms.items()
        },
        "confusion": {label: dict(row) for label, row in tally.confusion.items()},
    }
    if misses:
        shown["misses"] = [_json_miss(m) for m in tally.marked if m.missed or m.alarms or m.failure is not None]
    return shown


def _json_miss(marked: Marked) -> dict[str, Any]:
    return {
        "id": marked.case_id,
        "text": marked.text,
        "note": marked.note,
        "fields": {c.field: {"wanted": c.wanted, "got": c.got} for c in marked.missed},
        "alarms": dict(marked.alarms),
        "failure": marked.failure,
    }
