"""What the menus of very many people cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from bot.commands.table import menu_of
from bot.runtime.menus import Menus
from bot.store import PeeweeStore
from bot.system import VirtualClock
from core.ids import PersonId
from core.people import Identity, Person, Role


class Counting:
    """A renderer that counts what it is asked for."""

    def __init__(self) -> None:
        self.asked: Counter[tuple[str, str]] = Counter()

    def render(self, template: str, language: str, *, now: datetime, timezone: str, **values: Any) -> str:
        self.asked[language, values["name"]] += 1
        return f"{language} {values['name']}"


class Shown:
    """A channel that keeps the menus it was given."""

    name = "telegram"

    def __init__(self) -> None:
        self.menus: dict[str | None, tuple[tuple[str, str], ...]] = {}

    async def set_menu(self, entries: Sequence[tuple[str, str]], *, chat: str | None, language: str | None) -> None:
        self.menus[chat] = tuple(entries)


async def test_a_menu_is_worded_once_for_all_who_have_it() -> None:
    store, channel, renderer = PeeweeStore("sqlite:///:memory:", inline=True), Shown(), Counting()
    for n in range(30):
        person = Person(
            person_id=PersonId(f"p_{n}"),
            name=f"成员{n}",
            role=Role.MEMBER,
            language="en" if n % 2 else "zh-CN",
            identities=(Identity(channel="telegram", user_id=str(n)),),
        )
        store.run_now(lambda repos, one=person: repos.people.save(one))  # type: ignore[misc]
    clock = VirtualClock(datetime(2026, 3, 16, 10, tzinfo=UTC))
    await Menus(store, channel, renderer, clock, "zh-CN").look()
    store.close()
    assert channel.menus["7"] == tuple((name, f"en {name}") for name in menu_of(Role.MEMBER))
    assert channel.menus["8"] == tuple((name, f"zh-CN {name}") for name in menu_of(Role.MEMBER))
    assert max(renderer.asked.values()) <= 2  # of a stranger's menu, and of a member's
