"""Several chases of one delegate that are due at once leave as one message that lists them (RULES 4). Pure.

The whole is an envelope: it belongs to no concern, its parts do. Each part keeps its own words for its own concern's
log, so that nobody reads there what another matter is about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.concern.model import Concern, Priority
from core.concern.points import CHASING
from core.effects import Outgoing, Purpose, Words
from core.ids import ConcernId


def parts_of(message: Outgoing) -> tuple[Outgoing, ...]:
    """The messages that this one says: its parts, or itself."""
    return message.also or (message,)


def may_share(concern: Concern, message: Outgoing) -> bool:
    """Whether a message may be one of several: a chase, and of nothing critical, which goes out alone and at once."""
    return message.purpose in CHASING and concern.priority is not Priority.CRITICAL


def as_one(parts: Sequence[Outgoing], concerns: Mapping[ConcernId, Concern]) -> Outgoing:
    """One message for all parts; a single part is that part. `concerns` holds the concern of each."""
    if len(parts) == 1:
        return parts[0]
    items = [_item(concerns[p.concern_id]) for p in parts if p.concern_id is not None]
    names = list(dict.fromkeys(i["initiator"] for i in items if i["initiator"]))
    return Outgoing(
        purpose=Purpose.FOLLOW_UP,
        to=parts[0].to,
        words=Words(template="concern/several", values={"items": items, "initiators": names}),
        avoid_channel=next((p.avoid_channel for p in parts if p.avoid_channel), None),
        also=tuple(parts),
    )


def _item(concern: Concern) -> dict[str, Any]:
    initiator = concern.source.initiator
    deadline = concern.deadline if not concern.deadline_told else None
    return {
        "title": concern.title,
        "initiator": initiator.name if initiator else "",
        "deadline": deadline.isoformat() if deadline else None,
    }
