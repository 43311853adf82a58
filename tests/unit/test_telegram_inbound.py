"""From recorded-style updates to facts."""

import json
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.telegram import to_fact
from bot.channels.telegram.addressing import BotName, without_name

PAYLOADS = sorted((Path(__file__).parents[1] / "data" / "telegram").glob("*.json"))
NOW = datetime(2026, 3, 16, 2, 5, tzinfo=UTC)
BOT = ("qinghai_bot", 7000000001)


def load(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", PAYLOADS, ids=lambda path: path.stem)
def test_an_update_becomes_the_fact_that_its_file_tells(path: Path) -> None:
    case = load(path)
    fact = to_fact(case["update"], *BOT, NOW)
    told = fact and fact.model_dump(mode="json", exclude_defaults=True)
    if told:
        told = {**told, "attachments": [_bare(a) for a in told["attachments"]]} if "attachments" in told else told
    assert told == case["fact"]


def _bare(attachment: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in attachment.items() if value is not None}


def test_there_are_payloads_of_every_kind() -> None:
    facts = [load(path)["fact"] for path in PAYLOADS]
    assert {fact["kind"] for fact in facts if fact} == {"message", "edit", "button"}
    kinds = {a["kind"] for fact in facts if fact for a in fact.get("attachments", [])}
    assert kinds == {"photo", "voice", "audio", "video", "document", "sticker", "location", "contact", "other"}
    assert sum(fact is None for fact in facts) >= 10


@pytest.mark.parametrize("path", [p for p in PAYLOADS if load(p)["fact"]], ids=lambda path: path.stem)
def test_every_fact_can_be_written_as_utf8_without_nul(path: Path) -> None:
    fact = to_fact(load(path)["update"], *BOT, NOW)
    assert fact is not None
    assert "\0" not in fact.model_dump_json().encode("utf-8").decode("utf-8")


def test_an_update_without_a_chat_is_an_error_of_a_known_kind() -> None:
    with pytest.raises(KeyError):
        to_fact({"update_id": 1, "message": {"message_id": 1, "from": {"id": 1}, "text": "x"}}, *BOT, NOW)


def test_nothing_but_known_errors_comes_out_of_broken_updates() -> None:
    """Each part of each payload taken away or replaced, one at a time."""
    tried = 0
    for path in PAYLOADS:
        update = load(path)["update"]
        for place in _places(update):
            for broken in (_without(update, place), *(_replaced(update, place, v) for v in (None, 7, "x", [], {}))):
                tried += 1
                try:
                    to_fact(broken, *BOT, NOW)
                except (KeyError, TypeError, ValueError, AttributeError, OverflowError, OSError):
                    continue
    assert tried > 2000


Place = tuple[str | int, ...]


def _places(value: Any, here: Place = ()) -> list[Place]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, inner in items for place in ((*here, key), *_places(inner, (*here, key)))]


def _holder(update: dict[str, Any], place: Place) -> tuple[Any, Any]:
    copy = deepcopy(update)
    inner: Any = copy
    for key in place[:-1]:
        inner = inner[key]
    return copy, inner


def _without(update: dict[str, Any], place: Place) -> dict[str, Any]:
    copy, inner = _holder(update, place)
    del inner[place[-1]]
    return copy


def _replaced(update: dict[str, Any], place: Place, value: Any) -> dict[str, Any]:
    copy, inner = _holder(update, place)
    inner[place[-1]] = value
    return copy


@given(before=st.text(max_size=20), after=st.text(max_size=20))
def test_the_name_is_found_behind_any_text_and_nothing_else_is_lost(before: str, after: str) -> None:
    name = "@qinghai_bot"
    entity = {"type": "mention", "offset": len(before.encode("utf-16-le")) // 2, "length": len(name)}
    named, rest = without_name(f"{before}{name}{after}", [entity], BotName(*BOT))
    assert named
    assert name not in rest or name in before + after
    assert [c for c in before + after if c.isalnum()] == [c for c in rest if c.isalnum()]


def test_a_message_of_the_running_second_happened_now() -> None:
    date = 1_773_626_400
    update = {
        "update_id": 1,
        "message": {
            "message_id": 5,
            "date": date,
            "chat": {"id": 2001, "type": "private"},
            "from": {"id": 2001, "is_bot": False, "first_name": "张三"},
            "text": "周四",
        },
    }
    second = datetime.fromtimestamp(date, UTC)
    for late, expected in ((0.4, 0.4), (0.0, 0.0), (1.0, 0.0), (60.0, 0.0), (-5.0, 0.0)):
        fact = to_fact(update, "bot", 1, second + timedelta(seconds=late))
        assert fact is not None
        assert fact.occurred_at == second + timedelta(seconds=expected)


@pytest.mark.parametrize(
    ("chat", "sender"),
    [
        ({"id": 1001, "type": "private"}, 2001),
        ({"id": 2001, "type": "group"}, 2001),
        ({"id": "2001", "type": "private"}, 2001),
        ({"id": 2001, "type": "private"}, True),
        ({"id": 2**60, "type": "private"}, 2**60),
    ],
)
def test_a_chat_that_is_not_its_senders_is_not_answered(chat: dict[str, Any], sender: Any) -> None:
    user = {"id": sender, "is_bot": False, "first_name": "x"}
    message = {"message_id": 5, "date": 1_773_626_400, "chat": chat, "from": user, "text": "@bot 在吗"}
    message["entities"] = [{"type": "mention", "offset": 0, "length": 4}]
    press = {"id": "1", "from": user, "message": {**message, "date": 0}, "data": "yes:b1"}
    for update in ({"update_id": 1, "message": message}, {"update_id": 1, "callback_query": press}):
        with pytest.raises((TypeError, ValueError)):
            to_fact(update, "bot", 1, NOW)
