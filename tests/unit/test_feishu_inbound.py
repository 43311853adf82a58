"""From recorded-style events of Feishu to facts."""

import contextlib
import json
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.channels.feishu.inbound import completed, to_fact
from core.facts import FactKind

PAYLOADS = sorted((Path(__file__).parents[1] / "data" / "feishu").glob("*.json"))
NOW = datetime(2026, 3, 16, 2, 5, tzinfo=UTC)
BOT = "ou_bot"


def load(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def case(name: str) -> dict[str, Any]:
    return load(next(path for path in PAYLOADS if path.stem == name))["event"]


@pytest.mark.parametrize("path", PAYLOADS, ids=lambda path: path.stem)
def test_an_event_becomes_the_fact_that_its_file_tells(path: Path) -> None:
    fact = to_fact(load(path)["event"], BOT, NOW)
    told = fact and fact.model_dump(mode="json", exclude_defaults=True)
    if told and "attachments" in told:
        told["attachments"] = [{k: v for k, v in a.items() if v is not None} for a in told["attachments"]]
    assert told == load(path)["fact"]


def test_there_are_payloads_of_every_kind() -> None:
    facts = [load(path)["fact"] for path in PAYLOADS]
    assert {fact["kind"] for fact in facts if fact} == {"message", "edit", "recall", "button"}
    kinds = {a["kind"] for fact in facts if fact for a in fact.get("attachments", [])}
    assert kinds == {"photo", "voice", "video", "document", "sticker", "location", "contact", "other"}
    assert sum(fact is None for fact in facts) >= 10


def test_one_message_is_one_fact_under_whatever_event_id_it_comes() -> None:
    event, again = case("text"), case("text")
    again["header"]["event_id"] = "another"
    one, two = to_fact(event, BOT, NOW), to_fact(again, BOT, NOW)
    assert one is not None
    assert two is not None
    assert one.event_id == two.event_id


@pytest.mark.parametrize("name", ["group_named", "group_command", "post_in_group", "group_not_named"])
def test_in_groups_nothing_is_heard_while_the_bot_does_not_know_itself(name: str) -> None:
    assert to_fact(case(name), None, NOW) is None


def test_a_mention_with_a_longer_number_is_another_one() -> None:
    event = case("text")
    event["event"]["message"]["content"] = json.dumps({"text": "@_user_1 @_user_10 @_user_2"})
    event["event"]["message"]["mentions"] = [
        {"key": "@_user_1", "id": {"open_id": "ou_a"}, "name": "甲"},
        {"key": "@_user_10", "id": {"open_id": "ou_b"}, "name": "乙"},
    ]
    fact = to_fact(event, BOT, NOW)
    assert fact is not None
    assert fact.text == "甲 乙 @_user_2"


def test_a_recall_is_completed_from_the_message_that_it_takes_back() -> None:
    message = to_fact(case("group_named"), BOT, NOW)
    recall = to_fact(case("recalled"), BOT, NOW)
    assert message is not None
    assert recall is not None
    whole = completed(recall, message)
    assert (whole.kind, whole.sender, whole.conversation, whole.group) == (
        FactKind.RECALL, "ou_zhangsan", "feishu:oc_team", True,
    )  # fmt: skip
    assert whole.message_id == recall.message_id


def test_nothing_but_known_errors_comes_out_of_broken_events() -> None:
    """Each part of each payload taken away or replaced, one at a time."""
    known = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, StopIteration, OSError)
    for path in PAYLOADS:
        event = load(path)["event"]
        for place in places(event):
            for other in (None, 7, "x", [], {}, -(10**18)):
                broken = deepcopy(event)
                *way, last = place
                inner: Any = broken
                for step in way:
                    inner = inner[step]
                inner[last] = other
                with contextlib.suppress(known):
                    to_fact(broken, BOT, NOW)


def places(node: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every way into it."""
    steps = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    found = []
    for step, inner in steps:
        found += [(*way, step), *places(inner, (*way, step))]
    return found


@pytest.mark.parametrize(
    ("name", "way", "value"),
    [
        ("text", ("event", "sender", "sender_id", "open_id"), None),
        ("text", ("event", "message", "message_id"), "om_\ud800"),
        ("text", ("event", "message", "parent_id"), {"id": "om_1"}),
        ("recalled", ("event", "message_id"), "\ud800"),
        ("press", ("event", "operator", "open_id"), 7),
        ("press", ("event", "context", "open_message_id"), None),
        ("menu", ("header", "event_id"), "\ud800"),
    ],
)
def test_what_has_no_id_is_not_read(name: str, way: tuple[str, ...], value: Any) -> None:
    event = case(name)
    inner = event
    for step in way[:-1]:
        inner = inner[step]
    inner[way[-1]] = value
    with pytest.raises((TypeError, ValueError)):
        to_fact(event, BOT, NOW)


def test_a_name_holds_nothing_that_no_database_takes() -> None:
    event = case("menu")
    event["event"]["operator"]["operator_name"] = "张\ud800三"
    fact = to_fact(event, BOT, NOW)
    assert fact is not None
    assert fact.sender_name == "张\ufffd三"
