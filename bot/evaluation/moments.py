"""Whether a time that was read is the one of the label: by what it means, not by how it is written."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.evaluation.cases import When
from core.people import Person
from core.schedule import next_run, read_when

RUNS = 8
"""Rules that agree on so many runs are taken for the same: more than a week, so that each weekday counts."""

NEAR = timedelta(days=7)
"""A reminder of a deadline comes before it, but no earlier than this: the last working day before a holiday will do."""


def same_time(
    label: When | None,
    got: str | None,
    *,
    now: datetime,
    owner: Person,
    working_days: bool = False,
    reminds: bool = False,
) -> bool:
    """`got` is written as `EvaluatorResult.when`; None: no time was read, which is right for none and a vague one.

    `reminds`: what is done then is a reminder, and of a deadline one is reminded before it. Whether runs are left out
    on days that are not worked no label says: it holds for both sides.
    """
    if label is None or label.kind == "vague":
        return got is None
    if got is None:
        return False
    if label.kind == "recurrence":
        return _same_runs(label.value, got, now, owner, working_days)
    at = _instant(got, now)
    if at is None:
        return False
    if label.kind == "span":
        start, end = (datetime.fromisoformat(v) for v in label.value.split("/"))
        return start <= at <= end
    wanted = datetime.fromisoformat(label.value)
    if label.kind == "deadline" and reminds:
        return now < at <= wanted <= at + NEAR
    return at == wanted


def _instant(text: str, now: datetime) -> datetime | None:
    """The moment that is meant, None for a rule or a condition; without an offset it is wall clock of the owner."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=now.tzinfo)


def _same_runs(wanted: str, got: str, now: datetime, owner: Person, working_days: bool) -> bool:
    """Two conditions count as the same: their words are free. A rule without an hour agrees with one of any hour."""
    if wanted.startswith("EVENT=") or got.startswith("EVENT="):
        return wanted.startswith("EVENT=") and got.startswith("EVENT=")
    by_day = "BYHOUR" not in wanted and "DTSTART" not in wanted
    # The hour decides whether today's run is still to come: without one, today is left out.
    after = now.replace(hour=23, minute=59, second=59) if by_day else now
    runs = [_runs(rule, now, after, owner, working_days) for rule in (wanted, got)]
    if by_day:
        return bool(runs[0]) and [r.date() for r in runs[0]] == [r.date() for r in runs[1]]
    return bool(runs[0]) and runs[0] == runs[1]


def _runs(rule: str, now: datetime, after: datetime, owner: Person, working_days: bool) -> list[datetime]:
    """The next runs; none where the rule cannot be read."""
    try:
        trigger = read_when(rule, owner.timezone, now, working_days=working_days)
    except ValueError:
        return []
    found: list[datetime] = []
    while trigger.kind == "recurring" and len(found) < RUNS and (run := next_run(trigger, after, owner)) is not None:
        found.append(run.astimezone(now.tzinfo))
        after = run
    return found
