"""The menus of commands that a channel shows beside its chats: by role, each in its person's language.

A menu is a convenience: what somebody may do is checked with every command, so a menu that could not be set, or is an
old one, harms nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import cache
from typing import Protocol, runtime_checkable

from bot.commands.table import menu_of
from bot.store.unit import PeeweeStore
from core.errors import QinghaiError
from core.people import STARTERS, Language, Role
from core.ports import Clock, Renderer

log = logging.getLogger(__name__)

LOOKED_AT_S = 300.0
"""Another process may have changed somebody's role."""
PATIENCE_S = 60.0
LANGUAGES: tuple[Language, ...] = ("zh-CN", "en")

Entries = tuple[tuple[str, str], ...]
"""Commands, each with what it is for in a few words."""


@runtime_checkable
class ShowsMenus(Protocol):
    """A channel with menus of commands."""

    @property
    def name(self) -> str: ...

    async def set_menu(self, entries: Sequence[tuple[str, str]], *, chat: str | None, language: str | None) -> None:
        """The menu of a person's own chat; with `chat` None of all others, for those whose device speaks `language`
        (None: any). Without entries the chat has no menu of its own any more. Raises a `QinghaiError`.
        """
        ...


class Menus:
    """Keeps the menus of one channel as people's roles are."""

    def __init__(
        self, store: PeeweeStore, channel: ShowsMenus, renderer: Renderer, clock: Clock, locale: Language
    ) -> None:
        self._store = store
        self._channel = channel
        self._renderer = renderer
        self._clock = clock
        self._locale = locale
        self._shown: dict[tuple[str | None, str | None], Entries] = {}
        """By chat and language, what the channel has."""
        self._changed = asyncio.Event()
        self._told = False

    def nudge(self) -> None:
        """Somebody's role, language or chat may be another one."""
        self._changed.set()

    async def keep(self) -> None:
        """Set what is to be set, again and again, until cancelled."""
        while True:
            self._changed.clear()
            await self.look()
            try:
                async with asyncio.timeout(LOOKED_AT_S):
                    await self._changed.wait()
            except TimeoutError:
                pass

    async def look(self) -> None:
        """Set the menus that are not as they should be."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._set(await self._wanted())
            self._told = False
        except (QinghaiError, TimeoutError) as error:
            self._tell(error)

    async def _wanted(self) -> dict[tuple[str | None, str | None], Entries]:
        people = await self._store.run(lambda repos: repos.people.all())
        menu = cache(self._menu)  # of very many people there are few
        wanted: dict[tuple[str | None, str | None], Entries] = {(None, None): menu(Role.STRANGER, self._locale)}
        for language in LANGUAGES:
            wanted[None, language[:2]] = menu(Role.STRANGER, language)
        for person in people:
            for identity in person.identities:
                if identity.channel == self._channel.name and person.role in STARTERS:
                    wanted[identity.user_id, None] = menu(person.role, person.language)
        return wanted

    async def _set(self, wanted: dict[tuple[str | None, str | None], Entries]) -> None:
        gone = {place: () for place in self._shown if place not in wanted}
        for place, entries in {**wanted, **gone}.items():
            if self._shown.get(place) == entries:
                continue
            chat, language = place
            try:
                await self._channel.set_menu(entries, chat=chat, language=language)
            except QinghaiError as error:  # somebody who never opened the chat has none to show it in
                self._tell(error)
                continue
            self._shown.pop(place, None)
            if entries:
                self._shown[place] = entries

    def _menu(self, role: Role, language: Language) -> Entries:
        return tuple((name, self._purpose(name, language)) for name in menu_of(role))

    def _purpose(self, name: str, language: Language) -> str:
        now = self._clock.now()
        return self._renderer.render("commands/purpose", language, now=now, timezone="UTC", name=name).strip()

    def _tell(self, error: Exception) -> None:
        """Once, until all goes well again."""
        if not self._told:
            log.info("a menu on %s could not be set: %s", self._channel.name, error)
        self._told = True


def nudge_all(menus: Sequence[Menus]) -> None:
    """Somebody's menu may be another one, on any channel."""
    for one in menus:
        one.nudge()
