"""Which of the open concerns a message is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.brain.questions import ConcernBrief
from core.brain.rules.names import masked
from core.brain.rules.text import fold, shared, without_quotes

_ALL = re.compile(
    r"都(?:别|不用|先|给我)|(?:全部|所有|全都|统统|一律|一概)|\ball of (?:it|them|that)|\beverything\b|"
    r"\ball (?:open|the)\b|\bboth\b|两个都|都(?:取消|停|不问|算)"
)
_OTHERS_STAY = re.compile(
    r"其他(?:的)?(?:照旧|继续|不变|不动|照常)|别的(?:照旧|继续)|the (?:others|rest) (?:stay|go on|continue)|"
    r"keep the (?:others|rest)"
)


def score(text: str, concern: ConcernBrief, quoted: str | None = None) -> int:
    """How much speaks for this concern: people named (2 each), words of title and goal, the quoted message."""
    named = len({i for m in masked(text, concern.people).found for i in m.ids})
    points = 2 * named + 2 * shared(text, concern.title) + shared(text, concern.goal)
    if quoted:
        points += 2 * shared(quoted, f"{concern.title} {concern.goal}") + len(masked(quoted, concern.people).found)
    return points


def concerns_meant(text: str, concerns: Sequence[ConcernBrief], quoted: str | None = None) -> tuple[str, ...]:
    """Ids of those for which most speaks; the only one if there is only one; empty where nothing tells."""
    own = without_quotes(text)
    points = {c.concern_id: score(own, c, quoted) for c in concerns}
    best = max(points.values(), default=0)
    if best:
        return tuple(i for i, p in points.items() if p == best)
    return tuple(points) if len(points) == 1 else ()


def cancel_targets(
    text: str, concerns: Sequence[ConcernBrief], quoted: str | None = None
) -> tuple[tuple[str, ...], bool]:
    """What is called off, and whether that must be asked first: several are open and none is named."""
    everything = tuple(c.concern_id for c in concerns)
    own = fold(text)
    if _ALL.search(own) and not _OTHERS_STAY.search(own):
        return everything, False
    meant = concerns_meant(text, concerns, quoted)
    if not meant:
        return everything, True
    return meant, len(meant) > 1
