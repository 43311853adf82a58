"""The command /usage: what the model was asked and what it cost, today, in a week, and for which matters."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bot.commands.house import Spending
from bot.commands.lookup import handle_of
from bot.commands.request import Reply, Request, usage
from core.hub.services import owner_date, owner_day

WEEK = timedelta(days=6)
"""Today and the six days before it."""

SHOWN = 5


def spending(request: Request) -> Reply:
    """Calls, tokens and failures; the dearest matters of the week by title."""
    if request.words:
        return usage(request)
    today = owner_date(request.services.clock.now(), request.repos.people.owner())
    week = (today - WEEK).isoformat()
    values = {
        "model": request.house.model,
        "today": _numbers(request.repos.usage.since(today.isoformat())),
        "week": _numbers(request.repos.usage.since(week)),
        "top": _matters(request, week),
    }
    return Reply("commands/spending", values)


def _matters(request: Request, since: str) -> list[dict[str, Any]]:
    day = owner_day(request.services.clock.now(), request.repos.people.owner())
    lines = []
    for concern_id, spent in request.repos.usage.top(since, SHOWN):
        concern = request.repos.concerns.get(concern_id)
        if concern is not None:  # one that was pruned has no title any more
            lines.append({"handle": handle_of(concern, day), "title": concern.title, **_numbers(spent)})
    return lines


def _numbers(spent: Spending) -> dict[str, Any]:
    return {
        "calls": spent.calls,
        "failures": spent.failures,
        "tokens_in": spent.tokens_in,
        "tokens_out": spent.tokens_out,
        "seconds": spent.milliseconds / 1000,
    }
