"""What platforms bring, read piece by piece."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.channels.given import moment, number, token, told, words

NOW = datetime(2026, 3, 16, 2, 5, tzinfo=UTC)


@pytest.mark.parametrize("value", [None, True, "5", 5.0, [5], {}, 2**53, -(2**53), 10**400])
def test_what_is_no_whole_number_is_no_id(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        number(value)


@pytest.mark.parametrize("value", [None, 5, "", " ", "a b", "\ud800", "a\0", "ou_\u202e", "张三", "x" * 513, ["x"]])
def test_what_holds_more_than_letters_and_signs_is_no_id(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        token(value)


def test_ids_are_taken_as_they_are() -> None:
    assert (number(-1001987654321), token("om_x:-_=1")) == (-1001987654321, "om_x:-_=1")


def test_words_lose_what_no_database_takes() -> None:
    assert words("a\ud800\0b") == "a\ufffd\ufffdb"
    with pytest.raises(TypeError):
        words({"text": "x"})


def test_nothing_happened_before_there_were_chats_or_long_after_now() -> None:
    assert moment((NOW - timedelta(days=900)).timestamp(), NOW) == NOW - timedelta(days=900)
    assert moment((NOW + timedelta(hours=1)).timestamp(), NOW) == NOW + timedelta(hours=1)
    assert moment(253402300799, NOW) == NOW
    for seconds in (-62135596800, 0, 1e300):
        with pytest.raises((ValueError, OverflowError)):
            moment(seconds, NOW)


def test_the_log_names_an_id_and_nothing_that_somebody_wrote() -> None:
    assert [told(v) for v in (7, "ev_1", "一句话", True, None)] == ["7", "ev_1", *["without an id"] * 3]
