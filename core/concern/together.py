"""Several messages of a kind to one delegate that are due at once leave as one that lists them (RULES 4). Pure.

First contacts join first contacts, chases join chases.

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

ORDERED = ("concern/first_contact", "concern/relay")
"""The words of a first contact that somebody ordered: who is writing, for whom, and what."""

SEVERAL = "concern/several_first"


def parts_of(message: Outgoing) -> tuple[Outgoing, ...]:
    """The messages that this one says: its parts, or itself."""
    return message.also or (message,)


def may_share(concern: Concern, message: Outgoing) -> bool:
    """Whether a message may be one of several: of nothing critical, which goes out alone and at once, and no question
    with buttons or words of its own kind (about a standstill, about a promise).
    """
    plain = message.words.template in ORDERED and not message.buttons
    return (message.purpose in CHASING or plain) and concern.priority is not Priority.CRITICAL


def alike(one: Outgoing, other: Outgoing) -> bool:
    """Whether they may be said in one breath."""
    return (one.purpose is Purpose.FIRST_CONTACT) is (other.purpose is Purpose.FIRST_CONTACT)


def as_one(parts: Sequence[Outgoing], concerns: Mapping[ConcernId, Concern]) -> Outgoing:
    """One message for all parts; a single part is that part. `concerns` holds the concern of each."""
    if len(parts) == 1:
        return parts[0]
    first = parts[0].purpose is Purpose.FIRST_CONTACT
    # What wants an answer has a number, what is only passed on has none and comes after it.
    parts = sorted(parts, key=lambda p: p.words.values.get("relay") is not None) if first else parts
    made = _said if first else _item
    items = [made(concerns[p.concern_id], p) for p in parts if p.concern_id is not None]
    names = list(dict.fromkeys(i["initiator"] for i in items if i["initiator"]))
    values: dict[str, Any] = {"items": items, "initiators": names}
    if first:
        values["persona"] = parts[0].words.values.get("persona", "")
    return Outgoing(
        purpose=Purpose.FIRST_CONTACT if first else Purpose.FOLLOW_UP,
        to=parts[0].to,
        words=Words(template=SEVERAL if first else "concern/several", values=values),
        avoid_channel=next((p.avoid_channel for p in parts if p.avoid_channel), None),
        also=tuple(parts),
    )


def _said(_: Concern, part: Outgoing) -> dict[str, Any]:
    """What a first contact says, without who is writing."""
    values = part.words.values
    return {name: values.get(name) for name in ("title", "text", "initiator", "relay", "simple")}


def _item(concern: Concern, _: Outgoing) -> dict[str, Any]:
    initiator = concern.source.initiator
    deadline = concern.deadline if not concern.deadline_told else None
    return {
        "title": concern.title,
        "initiator": initiator.name if initiator else "",
        "deadline": deadline.isoformat() if deadline else None,
    }
