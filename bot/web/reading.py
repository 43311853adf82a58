"""Reads what somebody else wrote: pieces of it as text that can be seen whole, on one line, not longer than wanted."""

from __future__ import annotations

from typing import Any

from core.context.text import visible

LINE = 500
"""Characters of what stands on one line: a title, a name, a branch."""
WORDS = 4_000
"""Characters of what may be longer: a description."""
UNREADABLE = 20_000
"""More than that of one text is not even looked at."""


NO_COMMITS = "a push without commits on a branch"
"""Why a push is not kept."""


class Unreadable(ValueError):
    """A payload without something that every payload of its kind has; its words name it."""


def line(value: Any, most: int = LINE) -> str:
    """A text on one line, without what cannot be seen; empty where it is no text."""
    return " ".join(visible(value[:UNREADABLE]).split())[:most].rstrip() if isinstance(value, str) else ""


def words(value: Any, most: int = WORDS) -> str:
    """The same with its line breaks."""
    return visible(value[:UNREADABLE]).strip()[:most].rstrip() if isinstance(value, str) else ""


def at(payload: Any, *path: str) -> Any:
    """What lies under these keys; None where anything on the way is missing or no object."""
    for key in path:
        if not isinstance(payload, dict):
            return None
        payload = payload.get(key)
    return payload


def needed(payload: Any, *path: str) -> str:
    """A line that must be there. Raises `Unreadable`."""
    found = line(at(payload, *path))
    if not found:
        raise Unreadable(f"{'.'.join(path)} is missing")
    return found


def branch_of(ref: Any) -> str:
    """`refs/heads/main` as `main`; empty for a tag, or no reference."""
    name = line(ref)
    return name.removeprefix("refs/heads/") if name.startswith("refs/heads/") else ""


def headline(message: Any) -> str:
    """The first line of a commit message."""
    return line(words(message).partition("\n")[0])


def pushed(payload: dict[str, Any]) -> tuple[str, list[str]]:
    """The branch of a push and the headlines of its commits, the newest last; empty where there are none."""
    return branch_of(payload.get("ref")), [headline(at(c, "message")) for c in listed(payload.get("commits"))]


def listed(value: Any) -> list[Any]:
    """A list, or an empty one."""
    return value if isinstance(value, list) else []


def accounts(*pairs: tuple[str, Any]) -> tuple[str, ...]:
    """`gitlab:zhangsan` of source and name, small letters, without the empty ones. A mail address has an @."""
    found = ((source, line(name).lower()) for source, name in pairs)
    return tuple(dict.fromkeys(f"{source}:{name}" for source, name in found if name and _is_one(source, name)))


def _is_one(source: str, name: str) -> bool:
    return source != "email" or ("@" in name and not name.endswith("@users.noreply.github.com"))
