"""What somebody wants for themselves: /quiet holds reports, /lang sets the language, /bind connects another chat."""

from __future__ import annotations

from typing import Any

from bot.commands.moments import until
from bot.commands.request import Reply, Request, usage
from core.hub import inviting
from core.people import Language, Person

OFF = frozenset({"off", "stop", "no", "关", "关掉", "取消", "恢复"})
LANGUAGES: dict[str, Language] = {
    **dict.fromkeys(("zh", "zh-cn", "cn", "中文", "汉语", "chinese"), "zh-CN"),
    **dict.fromkeys(("en", "en-us", "english", "英文", "英语"), "en"),
}


def quiet(request: Request) -> Reply:
    """No mid-course reports until then; what answers the sender, results and critical matters come all the same."""
    me, words, now = request.sender, request.words.casefold(), request.now
    if not words:
        since = me.quiet_until if me.quiet_until is not None and me.quiet_until > now else None
        return Reply("commands/quiet", {"outcome": "state", "until": since.isoformat() if since else None})
    end = None if words in OFF else until(request.words, now)
    if end is None and words not in OFF:
        return usage(request, "moment")
    if end is not None and end <= now:
        return usage(request, "past")
    if end is not None and end - now > request.services.limits.report.quiet_at_most:
        return usage(request, "too_long")
    request.repos.people.save(me.model_copy(update={"quiet_until": end}))
    # What waits for an end that is another one now is looked at again.
    request.repos.queue.hasten(f"report:{me.person_id}", now)
    request.did("on" if end is not None else "off")
    return Reply("commands/quiet", {"outcome": "on" if end else "off", "until": end.isoformat() if end else None})


def lang(request: Request) -> Reply:
    """The language in which the bot writes to the sender, whatever the people file says."""
    wanted = LANGUAGES.get(request.words.casefold())
    if wanted is None:
        return usage(request, "language" if request.words else None)
    changed = request.sender.model_copy(update={"language": wanted, "speaks": wanted})
    request.repos.people.save(changed)
    request.did(wanted)
    return Reply("commands/lang")


def bind(request: Request) -> Reply:
    """A one-time code with which the sender connects another chat of theirs, on whatever channel."""
    if request.words:
        return usage(request)
    me = request.sender
    made = inviting.invite(request.repos, request.services, me, me, request.now)
    request.did()
    return Reply("commands/bind", {**_code(made.words.values), "channels": _channels(me)}, hidden=(made.code,))


def _code(values: dict[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name in ("link", "code", "until")}


def _channels(person: Person) -> list[str]:
    return list(dict.fromkeys(i.channel for i in person.identities))
