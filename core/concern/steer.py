"""What the initiator does to a concern under way; each returns a `Decision` and does nothing to a closed concern."""

from __future__ import annotations

from core.concern.additions import taken_back
from core.concern.amending import add_words, amend, recalled
from core.concern.changing import add, hurry, swap
from core.concern.closing import cancel
from core.concern.deciding import choose, decide, swap_wanted
from core.concern.escalation import reassign
from core.concern.merging import take_in
from core.concern.pacing import nudge, pause, resume, set_priority, wait
from core.concern.releasing import release

__all__ = [
    "add",
    "add_words",
    "amend",
    "cancel",
    "choose",
    "decide",
    "hurry",
    "nudge",
    "pause",
    "reassign",
    "recalled",
    "release",
    "resume",
    "set_priority",
    "swap",
    "swap_wanted",
    "take_in",
    "taken_back",
    "wait",
]
