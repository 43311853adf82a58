"""Sums over marked cases: agreement a field and a label, which was taken for which, and what should never happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.evaluation.marks import Check, Marked

CONFUSED = ("intent", "attitude")
"""The fields whose labels can be taken for one another."""


@dataclass(frozen=True)
class Share:
    """So many of so many agree."""

    agreed: int
    cases: int

    @property
    def value(self) -> float:
        """Between 0 and 1; 1 where there was nothing to agree on."""
        return self.agreed / self.cases if self.cases else 1.0

    def as_json(self) -> dict[str, Any]:
        """For `--json`."""
        return {"agreed": self.agreed, "cases": self.cases, "share": round(self.value, 4)}


@dataclass(frozen=True)
class Tally:
    """What is known of one file."""

    marked: tuple[Marked, ...]
    alarm_names: tuple[str, ...]

    @property
    def failed(self) -> tuple[Marked, ...]:
        """The cases to which the brain gave no usable answer."""
        return tuple(m for m in self.marked if m.failure is not None)

    @property
    def fields(self) -> tuple[str, ...]:
        """In the order in which they are checked."""
        return tuple(dict.fromkeys(c.field for m in self.marked for c in m.checks))

    def share(self, field: str, label: str | None = None) -> Share:
        """The agreement on a field, or on the cases of one label of it."""
        checks = [c for c in self._checks(field) if label in (None, c.label)]
        return Share(sum(c.ok for c in checks), len(checks))

    def labels(self, field: str) -> tuple[str, ...]:
        """The labels of a field, the most frequent first."""
        return tuple(label for label, _ in Counter(c.label for c in self._checks(field)).most_common())

    @property
    def confusion(self) -> Mapping[str, Mapping[str, int]]:
        """label → what it was read as → how often, for the field that has such a table."""
        field = next((f for f in self.fields if f in CONFUSED), None)
        table: dict[str, Counter[str]] = {}
        for c in self._checks(field) if field else ():
            table.setdefault(c.wanted, Counter())[c.got] += 1
        return {label: table[label] for label in (self.labels(field) if field else ())}

    @property
    def alarms(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """What should never happen: its name → the ids of the cases, and what happened there."""
        return {
            name: tuple((m.case_id, what) for m in self.marked for n, what in m.alarms if n == name)
            for name in self.alarm_names
        }

    def _checks(self, field: str) -> list[Check]:
        return [c for m in self.marked for c in m.checks if c.field == field]
