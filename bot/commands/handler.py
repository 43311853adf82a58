"""Slash commands, the same on every channel: parse, authorise, answer, and close the fact in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.commands.house import House
from bot.commands.invite import brings_code, redeemed
from bot.commands.parse import Call, parse
from bot.commands.personal import to_stranger
from bot.commands.request import CommandRepositories, CommandStore, Reply, Request
from bot.commands.table import COMMANDS
from core.effects import Words
from core.facts import StoredFact
from core.hub.commit import apply
from core.hub.flood import flooded
from core.hub.services import Services
from core.hub.turn import pressed_by_another, read_turn
from core.people import Role

ON_MENUS = frozenset({"grant", "lang", "start"})
"""After these a person's menu may be another one: their role, their language, a chat that is theirs."""


class Commands:
    """Handles the facts that are commands; the hub handles all others."""

    def __init__(
        self, services: Services, store: CommandStore, house: House, changed: Callable[[], None] = lambda: None
    ) -> None:
        """`changed` is called when somebody may have more, fewer or other commands than before."""
        self._services = services
        self._store = store
        self._house = house
        self._changed = changed

    async def handle(self, stored: StoredFact) -> bool:
        """True when the fact was a command: it is answered and closed then. False, and nothing is changed, when not.

        Raises `StaleVersion` when a concern was changed by somebody else meanwhile; nothing was changed then either.
        """
        call = parse(stored.fact)
        if call is None:
            return False
        handled = await self._store.run(lambda repos: self._answer(repos, stored, call), at="command")
        if call.name in ON_MENUS:
            self._changed()
        return handled

    def _answer(self, repos: CommandRepositories, stored: StoredFact, call: Call) -> bool:
        fact, now = stored.fact, self._services.clock.now()
        sender = repos.people.by_identity(fact.channel, fact.sender)
        flood = flooded(repos, stored, sender, self._services)
        if flood is not None:
            flood.keep(repos)
            repos.facts.handled(stored.fact_id, flood.decision, flood.reason, "", now)
            return True
        if brings_code(call, fact) and redeemed(call, stored, repos, self._services):
            repos.facts.handled(stored.fact_id, "command", f"/{call.name}", "", now)
            return True
        if pressed_by_another(repos, fact):
            repos.facts.handled(stored.fact_id, "ignore", "somebody else's button", "", now)
            return True
        if sender is None or sender.role is Role.STRANGER:
            send = to_stranger(call, fact, repos, self._services)
            if send is None:
                return False
            apply(repos, send)
        else:
            self._run(Request(call, read_turn(repos, stored, sender), repos, self._services, self._house))
        repos.facts.handled(stored.fact_id, "command", f"/{call.name}", "", now)
        return True

    def _run(self, request: Request) -> None:
        command = COMMANDS.get(request.call.name)
        reply: Reply | None = Reply("commands/unknown", {"name": request.call.name})
        if command is not None and command.allowed(request):
            reply = command.run(request)
        if reply is not None:
            words = Words(template=reply.template, values=reply.values)
            send = request.turn.saying(request.now, words, part="command", buttons=reply.buttons)
            changes: dict[str, Any] = {"hidden": reply.hidden}
            if reply.hidden and request.turn.fact.group:  # all who read there could use the code
                changes["conversation"] = None
            send = send.model_copy(update={"message": send.message.model_copy(update=changes)})
            apply(request.repos, send)
