"""GitHub's webhooks: from a payload to an `Event`. Pure.

| X-GitHub-Event | kept |
| --- | --- |
| push | commits on a branch |
| pull_request | opened, reopened, merged, closed |
| issues | opened, reopened, closed (completed, or not planned) |
| workflow_run, check_suite | completed: failed, success, canceled |

The rest (edits, labels, tags, comments, what has only begun) moves nothing that anybody waits for.
"""

from __future__ import annotations

from typing import Any

from bot.web.reading import NO_COMMITS, accounts, at, headline, line, listed, needed, pushed, words
from core.facts import Event

SOURCE = "github"

_KEPT = frozenset({"opened", "reopened", "closed"})
_ENDS = {
    "failure": "failed",
    "timed_out": "failed",
    "startup_failure": "failed",
    "success": "success",
    "cancelled": "canceled",
}
_CLOSED = {"completed": "completed", "not_planned": "dropped", "duplicate": "dropped"}
"""What an issue was closed as."""


def read(kind: str, payload: dict[str, Any]) -> Event | str:
    """The event, or why it is not kept. `kind` is the header. Raises `Unreadable` where the payload does not fit it."""
    match kind:
        case "push":
            return _push(payload)
        case "pull_request":
            return _request(payload)
        case "issues":
            return _issue(payload)
        case "workflow_run" | "check_suite":
            return _run(kind, payload)
        case "ping":
            return "a ping; all is well"
    return f"{kind[:40]} is not looked at"


def _push(payload: dict[str, Any]) -> Event | str:
    branch, commits = pushed(payload)
    if not branch or not commits:
        return NO_COMMITS
    name, known = _sender(payload)
    return Event(
        source=SOURCE,
        kind="push",
        subject=commits[-1] or branch,
        project=_project(payload),
        branch=branch,
        actor=name or line(at(payload, "pusher", "name")),
        accounts=(*known, *accounts(("email", at(payload, "pusher", "email")))),
        text=words("\n".join(commits)),
        url=line(payload.get("compare")),
    )


def _request(payload: dict[str, Any]) -> Event | str:
    request, action = payload.get("pull_request"), line(payload.get("action"))
    if action not in _KEPT:
        return "a pull request that was only changed"
    author = at(request, "user", "login")
    return Event(
        source=SOURCE,
        kind="merge_request",
        action="merged" if action == "closed" and at(request, "merged") is True else action,
        subject=needed(payload, "pull_request", "title"),
        project=_project(payload),
        branch=line(at(request, "head", "ref")),
        target=line(at(request, "base", "ref")),
        actor=line(author) or _sender(payload)[0],
        accounts=accounts((SOURCE, author)) or _sender(payload)[1],
        text=words(at(request, "body")),
        url=line(at(request, "html_url")),
    )


def _issue(payload: dict[str, Any]) -> Event | str:
    issue, action = payload.get("issue"), line(payload.get("action"))
    if action not in _KEPT:
        return "an issue that was only changed"
    name, known = _worker(payload) if action == "closed" else _sender(payload)
    return Event(
        source=SOURCE,
        kind="issue",
        action=_CLOSED.get(line(at(issue, "state_reason")), action) if action == "closed" else action,
        subject=needed(payload, "issue", "title"),
        project=_project(payload),
        actor=name,
        accounts=known,
        text=words(at(issue, "body")),
        url=line(at(issue, "html_url")),
    )


def _run(kind: str, payload: dict[str, Any]) -> Event | str:
    run = payload.get(kind)
    action = _ENDS.get(line(at(run, "conclusion")))
    if line(payload.get("action")) != "completed" or action is None:
        return "checks that have not ended, or that say nothing"
    branch = line(at(run, "head_branch"))
    who = at(run, "actor", "login")
    return Event(
        source=SOURCE,
        kind="pipeline",
        action=action,
        subject=line(at(run, "name")) or line(at(run, "app", "name")) or branch or needed(payload, kind, "head_sha"),
        project=_project(payload),
        branch=branch,
        actor=line(who) or _sender(payload)[0],
        accounts=accounts((SOURCE, who)) or _sender(payload)[1],
        text=headline(at(run, "head_commit", "message")),
        url=line(at(run, "html_url")),
    )


def _worker(payload: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Whose work is done: the only one it was assigned to, else whoever said so."""
    assigned = listed(at(payload, "issue", "assignees"))
    return _who(assigned[0]) if len(assigned) == 1 else _sender(payload)


def _sender(payload: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    return _who(payload.get("sender"))


def _who(user: Any) -> tuple[str, tuple[str, ...]]:
    return line(at(user, "login")), accounts((SOURCE, at(user, "login")))


def _project(payload: dict[str, Any]) -> str:
    return needed(payload, "repository", "full_name")
