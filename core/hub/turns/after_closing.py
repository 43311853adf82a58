"""What a delegate says once their matter is over: it goes on with the answer that closed it, or is something new."""

from __future__ import annotations

from datetime import datetime

from core.brain.questions import Judgement
from core.brain.rules.fits import goes_on
from core.brain.rules.match import speaks_of_what_is_over
from core.brain.rules.replies.afterwords import ONE_ANSWER, afterword, as_one, joined
from core.brain.rules.words.text import shared
from core.concern import inbound
from core.concern.model import Concern
from core.facts import FactKind
from core.hub.services import Services
from core.hub.turn import Turn
from core.hub.views import delegate_brief

_LAST_WORDS = 4
"""So many of their messages are looked at for what the answer is that they go on with."""


def amends_of(turn: Turn, closed: Concern, services: Services, *, at_once: bool = False) -> inbound.Amends | None:
    """What the words make of the answer that closed a matter. `at_once`: only where that was said just before, as
    something else is open with them.
    """
    if turn.fact.kind is not FactKind.MESSAGE or closed.relay is not None:
        return None
    said = [e for e in closed.dialogue_with(turn.sender.person_id) if e.direction == "inbound" and not e.withdrawn]
    if not said or (turn.quoted is not None and turn.quoted_concern != closed):
        return None
    now = services.when_said(turn.fact, turn.sender)
    before = as_one([e.text for e in said[-_LAST_WORDS:]], now).words[-1]
    after = afterword(before, turn.text, now)
    soon = now - said[-1].ts <= ONE_ANSWER and not _said_since(turn, said[-1].ts)
    if after is None or not (soon or (after.kind == "corrects" and not at_once)):
        return None
    match after.kind:
        case "takes_back":
            return inbound.Amends(after.kind, "")
        case "corrects":
            return inbound.Amends(after.kind, after.words)
        case _:
            return inbound.Amends(after.kind, joined(before, after))


def is_late(turn: Turn, asked: tuple[Concern, ...], closed: Concern, services: Services) -> bool:
    """Whether unquoted words are about what is over, and about nothing that is open with them."""
    if turn.quoted is not None or turn.fact.kind is not FactKind.MESSAGE:
        return False
    me, now = turn.sender.person_id, services.local_now(turn.sender)
    still = tuple(delegate_brief(c, me) for c in asked)
    over = delegate_brief(closed, me)
    return speaks_of_what_is_over(turn.text, now, over, still) or (
        _said_just_now(turn, closed) and goes_on(turn.text, over, still)
    )


def is_news(turn: Turn, judgement: Judgement, closed: Concern) -> bool:
    """Whether they tell of a trouble or promise something, and it is not about the matter that is over."""
    return bool(judgement.signals) and not shared(turn.text, f"{closed.title} {closed.source.detail}")


def _said_just_now(turn: Turn, closed: Concern) -> bool:
    """Whether the last that they said was for this matter, moments ago."""
    said = [e.ts for e in closed.dialogue_with(turn.sender.person_id) if e.direction == "inbound"]
    return bool(said) and turn.fact.occurred_at - said[-1] <= ONE_ANSWER and not _said_since(turn, said[-1])


def _said_since(turn: Turn, at: datetime) -> bool:
    """Whether they have answered in another matter since then: then it is that which the words go on with."""
    me = turn.sender.person_id
    return any(e.ts > at for c in turn.asked for e in c.dialogue_with(me) if e.direction == "inbound")
