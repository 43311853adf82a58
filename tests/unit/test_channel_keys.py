"""The key under which a channel knows repeats."""

from hypothesis import given
from hypothesis import strategies as st

from bot.channels.keys import LONGEST, repeat_key

KEYS = st.tuples(st.text(max_size=200), st.integers(0, 99)).map(lambda cause: f"{cause[0]}#{cause[1]}")


@given(KEYS)
def test_a_key_is_short_plain_and_the_same_for_ever(key: str) -> None:
    assert repeat_key(key) == repeat_key(key)
    assert 0 < len(repeat_key(key)) <= LONGEST
    assert repeat_key(key).isascii()
    assert repeat_key(key).isalnum()


def test_a_key_does_not_change_with_a_new_release() -> None:
    """What was sent by the release before must be known by the one after it."""
    assert repeat_key("first:con_20260316_001:p_zhangsan#0") == "1135c1748a3570f8b73713589947832daf8dc90d"


@given(st.lists(KEYS, unique=True, max_size=50))
def test_no_two_messages_share_a_key(keys: list[str]) -> None:
    assert len({repeat_key(key) for key in keys}) == len(keys)
