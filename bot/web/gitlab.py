"""GitLab's webhooks: from a payload to an `Event`. Pure.

| object_kind | kept |
| --- | --- |
| push | commits on a branch |
| merge_request | opened, reopened, merged, closed |
| issue, work_item | opened, reopened, closed |
| pipeline | failed, success, canceled |

The rest (edits, labels, tags, comments, jobs, what has only begun) moves nothing that anybody waits for.
"""

from __future__ import annotations

from typing import Any

from bot.web.reading import NO_COMMITS, accounts, at, headline, line, listed, needed, pushed, words
from core.facts import Event

SOURCE = "gitlab"

_ACTIONS = {"open": "opened", "reopen": "reopened", "merge": "merged", "close": "closed"}
_ENDS = {"failed": "failed", "success": "success", "canceled": "canceled"}


def read(payload: dict[str, Any]) -> Event | str:
    """The event, or why it is not kept. Raises `Unreadable` where the payload is not what it says."""
    kind = needed(payload, "object_kind")
    match kind:
        case "push":
            return _push(payload)
        case "merge_request":
            return _request(payload)
        case "issue" | "work_item":
            return _issue(payload)
        case "pipeline":
            return _pipeline(payload)
    return f"{kind[:40]} is not looked at"


def _push(payload: dict[str, Any]) -> Event | str:
    branch, commits = pushed(payload)
    if not branch or not commits:
        return NO_COMMITS
    return Event(
        source=SOURCE,
        kind="push",
        subject=commits[-1] or branch,
        project=_project(payload),
        branch=branch,
        actor=line(payload.get("user_name")),
        accounts=accounts((SOURCE, payload.get("user_username")), ("email", payload.get("user_email"))),
        text=words("\n".join(commits)),
        url=line(at(payload, "project", "web_url")),
    )


def _request(payload: dict[str, Any]) -> Event | str:
    request = payload.get("object_attributes")
    action = _ACTIONS.get(line(at(request, "action")))
    if action is None:
        return "a merge request that was only changed"
    name, known = _author(payload, request)
    return Event(
        source=SOURCE,
        kind="merge_request",
        action=action,
        subject=needed(payload, "object_attributes", "title"),
        project=_project(payload),
        branch=line(at(request, "source_branch")),
        target=line(at(request, "target_branch")),
        actor=name,
        accounts=known,
        text=words(at(request, "description")),
        url=line(at(request, "url")),
    )


def _author(payload: dict[str, Any], request: Any) -> tuple[str, tuple[str, ...]]:
    """Whose request it is, by name and accounts. Who pressed the button is its author where the ids say so.

    Of an author who is somebody else the payload has the number alone: then it is whoever wrote its last commit.
    """
    committer = at(request, "last_commit", "author")
    if at(request, "author_id") == at(payload, "user", "id") or not line(at(committer, "name")):
        return _user(payload)
    return line(at(committer, "name")), accounts(("email", at(committer, "email")))


def _issue(payload: dict[str, Any]) -> Event | str:
    issue = payload.get("object_attributes")
    action = _ACTIONS.get(line(at(issue, "action")))
    if action is None:
        return "an issue that was only changed"
    name, known = _worker(payload) if action == "closed" else _user(payload)
    return Event(
        source=SOURCE,
        kind="issue",
        action=action,
        subject=needed(payload, "object_attributes", "title"),
        project=_project(payload),
        actor=name,
        accounts=known,
        text=words(at(issue, "description")),
        url=line(at(issue, "url")),
    )


def _pipeline(payload: dict[str, Any]) -> Event | str:
    run = payload.get("object_attributes")
    action = _ENDS.get(line(at(run, "status")))
    if action is None:
        return "a pipeline that has not ended"
    name, known = _user(payload)
    branch = line(at(run, "ref"))
    return Event(
        source=SOURCE,
        kind="pipeline",
        action=action,
        # What was committed is not what the pipeline is about: it tells of the commit, not of the work.
        subject=line(at(run, "name")) or branch or needed(payload, "object_attributes", "sha"),
        project=_project(payload),
        branch=branch,
        actor=name,
        accounts=known,
        text=headline(at(payload, "commit", "message")),
        url=line(at(run, "url")),
    )


def _worker(payload: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Whose work is done: the only one it was assigned to, else whoever said so."""
    assigned = listed(payload.get("assignees"))
    return _who(assigned[0]) if len(assigned) == 1 else _user(payload)


def _user(payload: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    return _who(payload.get("user"))


def _who(user: Any) -> tuple[str, tuple[str, ...]]:
    return line(at(user, "name")), accounts((SOURCE, at(user, "username")), ("email", at(user, "email")))


def _project(payload: dict[str, Any]) -> str:
    return needed(payload, "project", "path_with_namespace")
