"""One JSON line in, one JSON line out: the form in which parsers of time are compared."""

from datetime import UTC, datetime
from typing import Any

from .model import TimeExpr
from .parse import parse
from .zones import said_zone


def answer_line(line: dict[str, Any]) -> dict[str, Any]:
    """The answer to ``{"id", "text", "lang", "reference_time"}``: ``{"id", "found": [...]}``.

    Each found item has kind, start, end, grain, duration_s, rrule, either; instants are ISO 8601 in the zone of
    ``reference_time``, and without a zone where that has none. ``lang`` may be missing. Raises ``KeyError`` or
    ``ValueError`` where the text or the reference time is missing or malformed.
    """
    now = datetime.fromisoformat(line["reference_time"])
    naive = now.tzinfo is None
    lang, text = line.get("lang"), line["text"]
    if not isinstance(text, str):
        raise ValueError("text is not a string")
    if naive and (said := said_zone(text, UTC)):
        # Where the reference stands in no zone, a clock stays as it is said.
        text = said.text
    exprs = parse(text, now.replace(tzinfo=UTC) if naive else now, lang if lang in ("zh", "en") else None)
    return {"id": line.get("id"), "found": [as_json(e, naive) for e in exprs]}


def as_json(expr: TimeExpr, naive: bool = False) -> dict[str, Any]:
    """One expression as plain data; ``naive`` leaves out the zone."""

    return {
        "kind": str(expr.kind),
        "text": expr.text,
        "start": _iso(expr.start, naive),
        "end": _iso(expr.end, naive),
        "grain": expr.grain,
        "duration_s": expr.duration.total_seconds() if expr.duration is not None else None,
        "rrule": expr.rrule,
        "either": expr.either,
    }


def _iso(at: datetime | None, naive: bool) -> str | None:
    if at is None:
        return None
    return (at.replace(tzinfo=None) if naive else at).isoformat()
