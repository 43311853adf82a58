"""By when something comes, of all that was said: the time that they promise, confirm, or are back at."""

from __future__ import annotations

from datetime import datetime

from core.brain.rules.replies.away import Absence, absence
from core.brain.rules.replies.pass_on import passed_on
from core.brain.rules.replies.scene import Reading, Scene
from core.brain.rules.words.goal import Want, core_of
from core.brain.rules.words.signs import is_yes_alone
from core.brain.rules.words.text import fold
from core.timetalk import TimeKind, deadline, parse, promised


def promise(text: str, first: Reading, scene: Scene) -> datetime | None:
    """The time that comes with words of this kind; None where there is none, or it hangs on something."""
    if first.attitude == "away":
        gone = told_absence(text, scene)
        return gone.until if gone is not None else _back(text, scene.now)
    if first.conditional:
        return None
    if first.attitude == "commitment" and first.met:
        # Who confirms, confirms the time that was asked for, as exactly as it was named.
        return (
            _hour_asked_for(scene)
            or deadline(scene.goal, scene.now)
            or deadline(scene.asked, scene.now)
            or time_asked_for(scene)
            or promised(text, scene.present(text), end_of_work=scene.end_of_work)
        )
    if first.attitude == "commitment" and is_yes_alone(fold(text)):
        return time_asked_for(scene) or its_deadline(scene)
    if first.attitude == "commitment" and Want.DEED in scene.wants:
        said = promised(text, scene.present(text), end_of_work=scene.end_of_work)
        return said or deadline(scene.goal, scene.now) or deadline(scene.asked, scene.now)
    if first.attitude == "commitment" or (first.attitude == "answered" and Want.TIME in scene.wants):
        return promised(text, scene.present(text), end_of_work=scene.end_of_work)
    return None


def _back(text: str, now: datetime) -> datetime | None:
    """When they are back: the morning of the last day that they name."""
    days = [t.start or t.end for t in parse(text, now) if t.start or t.end]
    return days[-1].replace(hour=9, minute=0, second=0, microsecond=0) if days and days[-1] else None


def time_asked_for(scene: Scene) -> datetime | None:
    """The time by which the deed was asked for, still to come: a bare "好" to it promises that time."""
    found = [
        deadline(core_of(scene.goal), scene.now),
        promised(core_of(scene.goal), scene.now, end_of_work=scene.end_of_work),
    ]
    return next((at for at in found if at is not None and at > scene.now), None)


def its_deadline(scene: Scene) -> datetime | None:
    """Who takes a request on that has a deadline takes it on until then."""
    return scene.deadline if scene.deadline is not None and scene.deadline > scene.now else None


def _hour_asked_for(scene: Scene) -> datetime | None:
    """The one hour that the question names, still to come."""
    hours = {t.start for t in parse(scene.asked, scene.now) if t.kind is TimeKind.moment and t.grain == "minute"}
    return hour if len(hours) == 1 and (hour := hours.pop()) is not None and hour > scene.now else None


def told_absence(text: str, scene: Scene) -> Absence | None:
    """The absence of whoever speaks."""
    return absence(passed_on(text, " ".join(scene.names)), scene.now, scene.names)
