"""The menu of commands: by role, in the person's language, as roles change; and no menu is worth a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.commands.table import menu_of
from core.errors import PermanentDeliveryError
from core.people import Role
from tests.wire.botapi import BotApi, Fault
from tests.wire.botapi.harness import bot_api, channel_for
from tests.wire.house import bot

pytestmark = pytest.mark.wire

PEOPLE = {
    "owner": {"id": "p_owner", "name": "老板", "telegram": "1001"},
    "people": [
        {"id": "p_zhangsan", "name": "张三", "telegram": "2001", "working_hours": "00:00-24:00"},
        {"id": "p_mary", "name": "Mary", "telegram": "2002", "role": "member", "language": "en"},
        {"id": "p_away", "name": "王五", "telegram": "2009", "role": "admin"},
    ],
}


def names(server: BotApi, chat: int | None, language: str = "") -> tuple[str, ...]:
    return tuple(command["command"] for command in server.world.commands.get((chat, language), []))


def words(server: BotApi, chat: int | None, language: str = "") -> list[str]:
    return [command["description"] for command in server.world.commands.get((chat, language), [])]


async def test_each_role_has_its_menu_and_a_grant_changes_it(tmp_path: Path) -> None:
    async with bot_api() as server:
        for number in (1001, 2001, 2002):
            server.add_user(number, str(number))
        async with bot(server, tmp_path, people=PEOPLE) as it:
            await server.until(lambda: names(server, 2002) == menu_of(Role.MEMBER))
            await server.until(lambda: names(server, 1001) == menu_of(Role.OWNER))
            for language, word in (("", "我是谁"), ("zh", "我是谁"), ("en", "who I take you for")):
                assert names(server, None, language) == menu_of(Role.STRANGER) == ("start", "help", "whoami", "stop")
                assert word in words(server, None, language)
            assert "what I'm following up" in words(server, 2002)
            assert (2001, "") not in server.world.commands
            # Whoever never opened the chat has none to show a menu in; the others have theirs all the same.
            assert (2009, "") not in server.world.commands

            server.user_says(1001, "/grant 张三 admin")
            await server.until(lambda: names(server, 2001) == menu_of(Role.ADMIN))
            server.user_says(2002, "/lang zh")
            await server.until(lambda: "在跟进的事" in words(server, 2002))
            server.user_says(1001, "/grant 张三 delegate")
            await server.until(lambda: names(server, 2001) == ())
            sets = sum(method == "setMyCommands" for method, _ in server.calls)
            await it.idle()
            assert sets == sum(method == "setMyCommands" for method, _ in server.calls)


async def test_menus_that_cannot_be_set_hold_up_nothing(tmp_path: Path) -> None:
    async with bot_api() as server:
        server.add_user(1001, "老板")
        server.faults.append(Fault("status", "setMyCommands", times=99, status=500))
        async with bot(server, tmp_path, people=PEOPLE):
            server.user_says(1001, "/whoami")
            await server.until(lambda: any("你是老板" in sent.text for sent in server.sent))
        assert server.world.commands == {}


async def test_a_menu_is_set_and_taken_away_on_the_wire() -> None:
    async with bot_api() as server:
        server.add_user(1001, "老板")
        channel = channel_for(server)
        await channel.set_menu([("help", "这张单子")], chat="1001", language=None)
        assert server.world.commands == {(1001, ""): [{"command": "help", "description": "这张单子"}]}
        await channel.set_menu([], chat="1001", language=None)
        assert names(server, 1001) == ()
        with pytest.raises(PermanentDeliveryError):
            await channel.set_menu([("help", "x")], chat="77", language="en")
        await channel.close()
