"""What came of a case: each field as labelled and as read, and what should never happen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One field of one case. `label` is the group in which it is counted; `wanted` and `got` are for people to read."""

    field: str
    label: str
    wanted: str
    got: str
    ok: bool


@dataclass(frozen=True)
class Marked:
    """One case. `failure` says why the brain gave no answer; then every field counts as missed."""

    case_id: str
    text: str
    note: str
    checks: tuple[Check, ...]
    alarms: tuple[tuple[str, str], ...] = ()
    """What should never happen: its name, and what happened."""
    failure: str | None = None

    @property
    def missed(self) -> tuple[Check, ...]:
        """The fields that differ from their labels."""
        return tuple(c for c in self.checks if not c.ok)


def check(field: str, wanted: str, got: str, *, label: str | None = None, ok: bool | None = None) -> Check:
    """A field; it agrees where both read alike, unless `ok` says better."""
    return Check(field, wanted if label is None else label, wanted, got, wanted == got if ok is None else ok)


def yes_no(value: bool) -> str:
    """How a truth value reads."""
    return "yes" if value else "no"


def named(values: Iterable[str]) -> str:
    """How a set of names reads: in order, `none` where there is none."""
    return ", ".join(sorted(values)) or "none"


def how_many(values: Iterable[str]) -> str:
    """The group of a set of names: none, one or several."""
    return {0: "none", 1: "one"}.get(len(set(values)), "several")
