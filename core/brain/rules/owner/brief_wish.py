"""Somebody wants the morning brief, at another hour, or no more of it: `/brief` sets it, and the answer says how."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.brain.questions import PersonBrief
from core.brain.rules.owner.asked import reach
from core.brain.rules.words.text import any_of, fold
from core.patterns import lazy
from core.timetalk import parse


@dataclass(frozen=True)
class BriefWish:
    """`at`: the hour of a morning as `H:MM`; None where none is named. `off`: no more of it."""

    at: str | None = None
    off: bool = False


# The brief itself, not one about something ("销售简报"), nor a word of somebody's trade ("brief the team").
_BRIEF = any_of(
    r"""
    (?<=[份个的我发天上早间报送])(?:简报|早报|晨报)|^(?:早上的?|每日|每天的?|晨间)?(?:简报|早报|晨报)|(?:要|来|看|停|关|取消|不用|发)(?:每日|每天的?|早上的?)?(?:简报|早报|晨报)
    \b(?:a|the|my|your|daily|morning) (?:daily |morning )*brief(?:ing)?\b(?! (?:note|case|period|moment|about|on|for the|call|chat|meeting))
    """
)
_WISH = any_of(
    r"""
    给我|发我|我要|我想要|来[一份个]|每[天日个]|每个?工作日|早上|改|换|调|停|关|取消|不用|不要|别|想看|开
    \b(?:send|give|get|want|need|have|every|each|daily|move|change|stop|cancel|no more|turn off|start|switch)\b
    """
)
_OFF = lazy(r"停|关(?!于)|取消|不用|不要|别|\b(?:stop|cancel|no more|turn off|don'?t|end)\b")
_LATEST = 12


def brief_wish(text: str, now: datetime, people: Sequence[PersonBrief], self_id: str = "") -> BriefWish | None:
    """What is wished of the brief; None where it is not spoken of, or somebody is to be reached."""
    own = fold(text)
    if not (_BRIEF.search(own) and _WISH.search(own)) or re.search(r"[?？吗]\s*$", own):
        return None
    if reach(text, people, self_id).anybody:
        return None
    if _OFF.search(own):
        return BriefWish(off=True)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    times = [t.start for t in parse(_EVERY.sub("", text), midnight) if t.grain == "minute" and t.start is not None]
    at = next((f"{t.hour}:{t.minute:02}" for t in times if t.hour < _LATEST), None)
    return BriefWish(at=at)


_EVERY = lazy(r"每[天日]|每个?工作日|\b(?:every|each) (?:morning|day|weekday)\b|\bdaily\b", re.IGNORECASE)
