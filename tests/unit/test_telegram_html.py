"""Every text that leaves for Telegram is escaped by one function, and arrives as it was written."""

from __future__ import annotations

import ast
from contextlib import suppress
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast

import pytest
from telegram.error import BadRequest

from bot.channels.rate import Pace
from bot.channels.telegram.api import Api
from bot.channels.telegram.channel import RATES
from bot.channels.telegram.markup import to_html
from bot.channels.telegram.outbound import TelegramOutbox
from bot.render import JinjaRenderer
from core.ports import ChannelButton, ChannelMessage

CHANNEL = Path(__file__).parents[2] / "bot" / "channels" / "telegram"
MOMENT = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
HOSTILE = [
    "<b>",
    "</b>",
    "&",
    "&lt;b&gt;",
    "_*[",
    "`x`",
    "</a href='x'>",
    "<script>",
    "[回流] <i>",
    "a < b > c",
    "**x**",
    "\\",
]


class Reader(HTMLParser):
    """What a reader of Telegram sees of a text in HTML, and which tags were in it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.tags = "", set[str]()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not attrs


def seen(words: dict[str, Any], field: str) -> str:
    """The text or caption of a request as it is shown."""
    if words.get("parse_mode") is None:
        return str(words[field])
    assert words["parse_mode"] == "HTML"
    reader = Reader()
    reader.feed(str(words[field]))
    reader.close()
    assert reader.tags <= {"b"}
    return reader.text


class Wire:
    """Takes requests instead of Telegram, and refuses those of some methods."""

    def __init__(self, *refused: str) -> None:
        self.refused, self.calls = refused, list[tuple[str, dict[str, Any]]]()

    async def call(self, method: str, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        self.calls.append((method, data))
        if method in self.refused or (data.get("parse_mode") and "HTML" in self.refused):
            raise BadRequest("can't parse entities: refused")
        return {"message_id": len(self.calls)}


async def sent(message: ChannelMessage, *refused: str) -> list[tuple[str, dict[str, Any]]]:
    async def no_pause(_: float) -> None:
        return None

    wire = Wire(*refused)
    for request in TelegramOutbox(cast(Api, wire), Pace(RATES), no_pause).requests(message):
        with suppress(BadRequest):  # of a file that stands alone
            await request()
    return wire.calls


PHOTO, STICKER, PLACE = ("photo", "f1"), ("sticker", "f2"), ("location", "1:2")


@pytest.mark.parametrize("refused", [(), ("HTML",), ("sendPhoto",)], ids=str)
@pytest.mark.parametrize("attachments", [(), (PHOTO,), (STICKER,), (PLACE, PHOTO)], ids=len)
@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_words_arrive_as_they_are(
    name: str, attachments: tuple[tuple[str, str], ...], refused: tuple[str, ...]
) -> None:
    text = JinjaRenderer().render(
        "concern/introduction", "zh-CN", now=MOMENT, timezone="UTC", persona=name, initiator=name, title=name
    )
    button = ChannelButton(label=name, data="x")
    calls = await sent(
        ChannelMessage(key="k", chat="1", text=text, attachments=attachments, buttons=((button,),)), *refused
    )
    shown = [seen(data, field) for _, data in calls for field in ("text", "caption") if field in data]
    assert shown
    assert set(shown) == {text}
    assert name in text
    labels = [data["reply_markup"]["inline_keyboard"][0][0]["text"] for _, data in calls if data.get("reply_markup")]
    assert set(labels) == {name}


def test_no_text_is_marked_up_but_by_the_one_function() -> None:
    """Wherever a request says that its text is HTML, that text is what `to_html` gave."""
    found = 0
    for path in CHANNEL.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Dict) and "parse_mode" in (keys := [getattr(k, "value", None) for k in node.keys]):
                found += 1
                given = [v for k, v in zip(keys, node.values, strict=True) if k in ("text", "caption")]
                assert [getattr(getattr(v, "func", None), "id", None) for v in given] == [to_html.__name__], path.name
        mentions = path.read_text(encoding="utf-8").count('"parse_mode"')
        assert mentions == 0 or path.name == "outbound.py"
    assert found == (CHANNEL / "outbound.py").read_text(encoding="utf-8").count('"parse_mode"') == 2
