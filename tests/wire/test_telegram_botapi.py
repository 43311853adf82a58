"""The Bot API server of these tests keeps to the protocol, or what is proved with it is worth little."""

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.wire.botapi import BotApi, most_in_a_window, too_fast
from tests.wire.botapi.harness import bot_api
from tests.wire.botapi.state import Sent

pytestmark = pytest.mark.wire


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        yield running


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(trust_env=False) as made:
        yield made


async def call(client: httpx.AsyncClient, server: BotApi, method: str, **params: Any) -> dict[str, Any]:
    answer = await client.post(f"{server.base_url}{server.token}/{method}", json=params)
    body: dict[str, Any] = answer.json()
    assert body["ok"] == (answer.status_code == 200)
    assert body.get("error_code", 200) == answer.status_code
    return body


@pytest.mark.parametrize(
    ("method", "params", "description"),
    [
        ("sendMessage", {"chat_id": 2001, "text": ""}, "message text is empty"),
        ("sendMessage", {"chat_id": 2001, "text": " \n"}, "message text is empty"),
        ("sendMessage", {"chat_id": 2001, "text": "👍" * 2049}, "message is too long"),
        ("sendMessage", {"chat_id": 2001, "text": "<b>x", "parse_mode": "HTML"}, "can't parse entities"),
        ("sendMessage", {"chat_id": 2001, "text": "a < b", "parse_mode": "HTML"}, "can't parse entities"),
        ("sendMessage", {"chat_id": 2001, "text": "<x>y</x>", "parse_mode": "HTML"}, "can't parse entities"),
        ("sendMessage", {"chat_id": 4711, "text": "x"}, "chat not found"),
        ("sendMessage", {"text": "x"}, "chat_id is empty"),
        (
            "sendMessage",
            {"chat_id": 2001, "text": "x", "reply_parameters": {"message_id": 99}},
            "message to be replied",
        ),
        ("sendPhoto", {"chat_id": 2001, "photo": "p", "caption": "字" * 1025}, "caption is too long"),
        ("sendPhoto", {"chat_id": 2001}, "no photo"),
        ("editMessageText", {"chat_id": 2001, "message_id": 99, "text": "x"}, "message to edit not found"),
        ("answerCallbackQuery", {"callback_query_id": "1"}, "query is too old"),
    ],
)
async def test_what_the_real_server_refuses_is_refused(
    client: httpx.AsyncClient, server: BotApi, method: str, params: dict[str, Any], description: str
) -> None:
    body = await call(client, server, method, **params)
    assert body["error_code"] == 400
    assert description in body["description"]
    assert server.sent == []


@pytest.mark.parametrize("data", ["", "字" * 22])
async def test_button_data_is_from_1_to_64_bytes(client: httpx.AsyncClient, server: BotApi, data: str) -> None:
    markup = {"inline_keyboard": [[{"text": "x", "callback_data": data}]]}
    body = await call(client, server, "sendMessage", chat_id=2001, text="x", reply_markup=markup)
    assert "BUTTON_DATA_INVALID" in body["description"]


async def test_the_limit_counts_the_text_without_its_tags(client: httpx.AsyncClient, server: BotApi) -> None:
    text = "<b>" + "&lt;" * 2048 + "👍" * 1024 + "</b>"
    assert (await call(client, server, "sendMessage", chat_id=2001, text=text, parse_mode="HTML"))["ok"]
    assert server.sent[0].entities == [{"type": "bold", "offset": 0, "length": 4096}]


async def test_updates_stay_until_a_higher_offset_is_asked_for(client: httpx.AsyncClient, server: BotApi) -> None:
    for text in "一二三":
        server.user_says(1001, text)
    first = (await call(client, server, "getUpdates", limit=2))["result"]
    assert [u["message"]["text"] for u in first] == ["一", "二"]
    assert (await call(client, server, "getUpdates", limit=2))["result"] == first
    rest = (await call(client, server, "getUpdates", offset=first[0]["update_id"] + 1))["result"]
    assert [u["message"]["text"] for u in rest] == ["二", "三"]
    assert (await call(client, server, "getUpdates", offset=rest[-1]["update_id"] + 1))["result"] == []
    assert server.world.delivered[first[1]["update_id"]] == 3


async def test_a_long_poll_ends_with_the_first_news(client: httpx.AsyncClient, server: BotApi) -> None:
    poll = asyncio.create_task(call(client, server, "getUpdates", timeout=5))
    await server.until(lambda: server.calls)
    server.user_says(1001, "一")
    async with asyncio.timeout(2):
        assert len((await poll)["result"]) == 1


async def test_of_two_polls_the_earlier_ends_in_a_conflict(client: httpx.AsyncClient, server: BotApi) -> None:
    earlier = asyncio.create_task(call(client, server, "getUpdates", timeout=5))
    await server.until(lambda: server.calls)
    later = asyncio.create_task(call(client, server, "getUpdates", timeout=5))
    assert (await earlier)["error_code"] == 409
    server.user_says(1001, "一")
    assert len((await later)["result"]) == 1


async def test_the_kinds_of_updates_asked_for_are_remembered(client: httpx.AsyncClient, server: BotApi) -> None:
    await call(client, server, "getUpdates", allowed_updates=["callback_query"])
    await call(client, server, "getUpdates")
    server.user_says(1001, "nobody hears this")
    assert (await call(client, server, "getUpdates"))["result"] == []


async def test_a_foreign_token_is_refused(client: httpx.AsyncClient, server: BotApi) -> None:
    for token, status in (("1:x", 401), ("nonsense", 404)):
        assert (await client.get(f"{server.base_url}{token}/getMe")).status_code == status
    assert (await client.get(f"{server.base_url}{server.token}/getMe")).json()["result"]["is_bot"] is True
    assert (await call(client, server, "noSuchMethod"))["error_code"] == 404


async def test_a_message_can_be_edited_and_its_press_answered_once(client: httpx.AsyncClient, server: BotApi) -> None:
    markup = {"inline_keyboard": [[{"text": "好", "callback_data": "ok"}]]}
    sent = (await call(client, server, "sendMessage", chat_id=2001, text="x", reply_markup=markup))["result"]
    press = server.user_presses(2001, sent["message_id"], "好")
    assert (await call(client, server, "answerCallbackQuery", callback_query_id=press))["ok"]
    assert not (await call(client, server, "answerCallbackQuery", callback_query_id=press))["ok"]
    where = {"chat_id": 2001, "message_id": sent["message_id"]}
    assert (await call(client, server, "editMessageReplyMarkup", **where))["ok"]
    again = await call(client, server, "editMessageReplyMarkup", **where)
    assert "not modified" in again["description"]
    assert (await call(client, server, "editMessageText", **where, text="y"))["result"]["text"] == "y"
    with pytest.raises(LookupError):
        server.user_presses(2001, sent["message_id"], "好")


def test_windows_are_half_open() -> None:
    assert most_in_a_window([0, 1, 2], 1) == 1
    assert most_in_a_window([0, 0.999, 1], 1) == 2

    def at(chat: int, *times: float) -> list[Sent]:
        return [Sent(chat, n, "sendMessage", "x", time) for n, time in enumerate(times)]

    assert too_fast(at(1, 0, 1, 2) + at(2, 0.5)) == []
    assert too_fast(at(1, 0, 0.9)) == ["chat 1: 2 in a second"]
    assert too_fast(at(-1, *range(0, 42, 2))) == ["group -1: 21 in a minute"]
    assert too_fast([sent for chat in range(1, 32) for sent in at(chat, 0)]) == ["overall: 31 in a second"]


async def test_it_runs_by_itself_and_is_played_from_outside(client: httpx.AsyncClient) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.wire.botapi", "--token", "9:t", stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(30):
            base_url = (await process.stdout.readline()).decode().strip()
        control = base_url.removesuffix("bot") + "control"
        said = await client.post(control, json={"do": "user_says", "user_id": 5, "text": "hi"})
        assert said.json() == 1
        assert len((await client.post(f"{base_url}9:t/getUpdates")).json()["result"]) == 1
        await client.post(f"{base_url}9:t/sendMessage", json={"chat_id": 6, "text": "yo"})
        ledger = (await client.post(control, json={"do": "sent"})).json()
        assert [(sent["chat"], sent["text"]) for sent in ledger] == [(6, "yo")]
        assert (await client.post(control, json={"do": "stop"})).status_code == 400
        process.terminate()
        async with asyncio.timeout(10):
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
