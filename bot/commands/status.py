"""The command /status: is the bot well? Channels, processes, what waits, the database."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bot.commands.request import Reply, Request, usage
from core.jobs import QueueSection

SHORT = 6
"""Characters of a process's name that tell it from the others."""


def status(request: Request) -> Reply:
    """How everything is, as this process sees it."""
    if request.words:
        return usage(request)
    house, health = request.house, request.repos.health
    queue, (kind, _) = health.queue(request.now), health.database()
    late = (request.now - queue.oldest_due).total_seconds() if queue.oldest_due is not None else 0
    values = {
        "version": house.version,
        "uptime": max(0.0, (request.now - house.started_at).total_seconds()),
        "model": house.model,
        **_processes(request),
        "pending": queue.pending,
        "due": queue.due,
        "late": late,
        "failing": request.repos.queue.count(QueueSection.FAILING),
        "dead": queue.dead,
        "in_doubt": queue.in_doubt,
        "facts": max(0, queue.facts - 1),  # this command is one of them
        "database": kind,
        "megabytes": f"{health.size() / 1_000_000:.1f}",
    }
    return Reply("commands/status", values)


def _processes(request: Request) -> dict[str, Any]:
    """Who lives, who speaks, and, where that is this process, how its channels are."""
    leases = request.repos.leases
    living, speaker = sorted(leases.living()), leases.speaker()
    ours = speaker is None or speaker == request.repos.me
    channels = [{"name": c.name, "ready": c.ready, "trouble": c.trouble} for c in request.house.channels()]
    return {
        "processes": [name[:SHORT] for name in living],
        "speaker": speaker[:SHORT] if speaker and len(living) > 1 else None,
        "ours": ours,
        "channels": channels,
        "clocks": [
            {"name": name[:SHORT], "off": abs(off.total_seconds()), "ahead": off > timedelta()}
            for name, off in leases.clocks().items()
        ],
    }
