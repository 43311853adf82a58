"""Cutting texts, and what they look like on Telegram."""

import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.channels.telegram.markup import TEXT_LIMIT, keyboard, to_html
from bot.channels.text import is_blank, split, utf8_bytes, utf16_units
from core.ports import ChannelButton
from tests.sampling import WHOLE

MANY = 10_000 if WHOLE else 300

SNIPPETS = [
    "帮我问一下张三。", "v2.0 什么时候能提测？", "Yes, on Thursday. ", "word ", "\n", "\n\n", "\r\n", " ", "\t", "　",
    "a", "é", "e\u0301", "👍🏽", "👨‍👩‍👧‍👦", "🇨🇳", "🇩🇪", "1️⃣", "한글", "각", "क्षि", "\u200b", "𠮷", "<b>&amp;</b>", "a" * 500, "字" * 700,
    "🙂" * 300, " " * 300, "\n" * 50, "。", "……", "”",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(SNIPPETS) | st.text(max_size=200), max_size=60).map("".join)


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@settings(max_examples=MANY)
@given(TEXTS, st.sampled_from([8, 40, 257, TEXT_LIMIT]))
def test_any_text_rejoins_exactly_from_parts_that_fit(text: str, limit: int) -> None:
    parts = split(text, limit)
    assert "".join(parts) == text
    assert all(0 < units(part) <= limit for part in parts)
    for part in parts[:-1]:
        part.encode("utf-16-le")  # no half of a pair


@settings(max_examples=MANY)
@given(TEXTS)
def test_no_part_is_blank_unless_the_text_is_blank_for_pages(text: str) -> None:
    parts = split(text, 1000)
    runs = re.findall(r"(?:\s|[\u200b-\u200f\u2060\ufeff\u00ad])+", text)
    if not is_blank(text) and max(map(units, runs), default=0) < 800:
        assert not any(is_blank(part) for part in parts)


@settings(max_examples=MANY)
@given(
    st.lists(st.sampled_from(["e\u0301", "👍🏽", "👨‍👩‍👧‍👦", "🇨🇳", "1️⃣", "한", "क्षि", "𠮷", "字", "\r\n"]), max_size=200)
)
def test_no_character_as_a_reader_sees_it_is_torn(characters: list[str]) -> None:
    text = "".join(characters)
    ends = {0}
    for character in characters:
        ends.add(max(ends) + len(character))
    at = 0
    for part in split(text, 64):
        at += len(part)
        assert at in ends


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("一二三四五六七八。\n\n九十\n十一。十二 十三", "一二三四五六七八。\n\n"),
        ("一二三四五六七八\n九十。十一 十二十三", "一二三四五六七八\n"),
        ("一二三四五六七八。九十 十一十二", "一二三四五六七八。"),
        ("One two. Three four", "One two. "),
        ("“一二三四五。”六七八九十十一十二", "“一二三四五。”"),
        ("onetwothree four", "onetwothree "),
        ("一二三四五六七八九十十一十二", "一二三四五六七八九十十一"),
        ("v2.0.1.3.5.7.9.11", "v2.0.1.3.5.7"),
    ],
)
def test_the_cut_falls_where_a_reader_would_pause(text: str, first: str) -> None:
    assert split(text, 12)[0] == first


def test_an_early_paragraph_does_not_make_a_tiny_part() -> None:
    assert len(split("a\n\n" + "字" * 4000 + "。" + "字" * 3000, TEXT_LIMIT)) == 2


def test_white_space_at_the_end_does_not_become_a_message_of_its_own() -> None:
    parts = split("字" * 4090 + "\n" * 20, TEXT_LIMIT)
    assert len(parts) == 2
    assert parts[1].strip()


def test_a_short_text_is_one_part_and_an_empty_one_is_none() -> None:
    assert split("好", TEXT_LIMIT) == ["好"]
    assert split("", TEXT_LIMIT) == []


def test_a_limit_in_bytes_is_kept_in_bytes() -> None:
    text = "清海，你好。hello 👋 " * 50
    parts = split(text, 100, utf8_bytes)
    assert "".join(parts) == text
    assert max(len(part.encode()) for part in parts) <= 100


def test_pages_of_accents_on_one_letter_are_cut_all_the_same() -> None:
    text = "z" + "\u0301" * 10_000
    parts = split(text, TEXT_LIMIT)
    assert "".join(parts) == text
    assert len(parts) == 3


@given(st.characters(codec="utf-8"))
def test_a_character_costs_what_its_encoding_costs(char: str) -> None:
    assert utf16_units(char) == len(char.encode("utf-16-le")) // 2
    assert utf8_bytes(char) == len(char.encode("utf-8"))


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("<>&\"'/b[]")))
def test_whatever_is_written_reads_the_same_on_telegram(text: str) -> None:
    shown = to_html(text)
    assert html.unescape(re.sub(r"</?b>", "", shown)) == html.unescape(text.replace("&", "&amp;").replace("<", "&lt;"))
    assert set(re.findall(r"<[^>]*>", shown)) <= {"<b>", "</b>"}


def test_only_a_heading_is_bold() -> None:
    assert to_html("[回流] v2.0 <提测>\n结果：[好]") == "<b>[回流] v2.0 &lt;提测&gt;</b>\n结果：[好]"
    assert to_html("好\n[回流]") == "好\n[回流]"


def test_buttons_become_rows() -> None:
    rows = (
        (ChannelButton(label="确认", data="a"), ChannelButton(label="取消", data="b")),
        (ChannelButton(label="x", data="c"),),
    )
    assert keyboard(rows) == {
        "inline_keyboard": [
            [{"text": "确认", "callback_data": "a"}, {"text": "取消", "callback_data": "b"}],
            [{"text": "x", "callback_data": "c"}],
        ]
    }
    assert keyboard(()) is None
