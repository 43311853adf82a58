"""How messages look on Feishu, and that each part of a text fits whatever it becomes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.channels.feishu.cards import LINE_BYTES, PART_LIMIT, card, message_body, settled, wire_bytes
from bot.channels.feishu.ids import is_group, is_message, receive_id_type
from bot.channels.keys import LONGEST, repeat_key
from bot.channels.text import clean, split
from core.ports import ChannelButton
from tests.sampling import WHOLE

MANY = 10_000 if WHOLE else 40
BUTTONS = ((ChannelButton(label="确认", data="confirm:b1"), ChannelButton(label="取消", data="deny:b1")),) * 5
PIECES = st.sampled_from(
    ["张三说周四", "\n", "\n\n", '<at user_id="all"></at>', "**x**", '"\\', "👍🏽", "\t", "\x01", "。", " "]
)
TEXTS = st.lists(st.tuples(st.one_of(PIECES, st.text(max_size=20)), st.integers(1, 600)), min_size=1, max_size=6)


@settings(max_examples=MANY, deadline=None)
@given(TEXTS)
def test_parts_rejoin_exactly_and_each_fits_as_text_and_as_card(pieces: list[tuple[str, int]]) -> None:
    text = clean("".join(piece * times for piece, times in pieces))
    parts = split(text, PART_LIMIT, wire_bytes, LINE_BYTES)
    assert "".join(parts) == text
    for part in parts:
        for buttons in ((), BUTTONS):
            body = {"receive_id": "ou_" + "a" * 32, **message_body(part, buttons, "ou_x"), "uuid": "u" * 50}
            assert len(json.dumps(body, ensure_ascii=False).encode()) <= 30_000


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("v2.0 周四能提测 a < b & c", "text"),
        ('<at user_id="all">所有人</at>', "post"),
        ("看 [这里](https://example.com)", "post"),
        ("**重要**", "post"),
        ("<b>x</b>\n第二行", "post"),
    ],
)
def test_words_are_shown_as_they_stand(text: str, kind: str) -> None:
    body = message_body(text, (), "ou_x")
    assert body["msg_type"] == kind
    content = json.loads(body["content"])
    lines = content["zh_cn"]["content"] if kind == "post" else [[{"tag": "text", "text": content["text"]}]]
    assert {part["tag"] for line in lines for part in line} == {"text"}
    assert "\n".join("".join(part["text"] for part in line) for line in lines) == text


def test_a_card_shows_its_heading_and_its_words_as_plain_text_and_may_be_changed() -> None:
    made = card("[回流] v2.0\n结果：**周四**", BUTTONS[:1], "oc_team")
    assert made["header"]["title"] == {"tag": "plain_text", "content": "[回流] v2.0"}
    assert made["elements"][0] == {"tag": "div", "text": {"tag": "plain_text", "content": "结果：**周四**"}}
    first = made["elements"][1]["actions"][0]
    assert (first["text"]["content"], first["value"]) == ("确认", {"data": "confirm:b1", "chat": "oc_team"})
    assert made["config"]["update_multi"] is True


def test_a_settled_card_has_the_same_words_and_nothing_to_press() -> None:
    before, after = card("[x] 标题\n确认吗？", BUTTONS, "ou_x"), json.loads(settled("[x] 标题\n确认吗？"))
    assert after["header"] == before["header"]
    assert after["elements"] == before["elements"][:1]
    assert after["config"]["update_multi"] is True


@pytest.mark.parametrize(
    ("chat", "kind"),
    [("ou_1", "open_id"), ("on_1", "union_id"), ("oc_1", "chat_id"), ("zs@x.cn", "email"), ("4a7c", "user_id")],
)
def test_an_id_tells_what_it_is(chat: str, kind: str) -> None:
    assert receive_id_type(chat) == kind
    assert is_group(chat) is (kind == "chat_id")


def test_only_ids_of_feishu_can_be_quoted() -> None:
    assert is_message("om_1")
    assert not is_message("4711")
    assert not is_message(None)


@given(st.text(max_size=300))
def test_the_uuid_is_short_and_the_same_for_ever(key: str) -> None:
    assert len(repeat_key(key)) <= LONGEST
    assert repeat_key(key) == repeat_key(key)
