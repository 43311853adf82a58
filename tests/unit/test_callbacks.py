"""What is due, as a function of records and a moment; ids; and which remarks may be said."""

from datetime import datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.callbacks import USER_REMINDER, Callback, due_callbacks, record_id
from core.effects import COMMAND
from core.hub.turns.callback import REMARK_CHARS, fit_remark
from core.ids import ConversationId, PersonId

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
SECOND = timedelta(seconds=1)


def record(name: str, fire_at: datetime | None = None, created_at: datetime = NOW) -> Callback:
    return Callback(
        id=name,
        chat_id=ConversationId("telegram:1"),
        content=name,
        trigger_source=USER_REMINDER,
        created_at=created_at,
        fire_at=fire_at,
        person_id=PersonId("p_owner"),
    )


@pytest.mark.parametrize(
    ("fire_at", "due"),
    [
        (None, True),
        (NOW, True),
        (NOW - SECOND, True),
        (NOW + SECOND, False),
        (NOW.astimezone(tz=None), True),
        (datetime.fromisoformat("2026-03-16T02:00:01+00:00"), False),
    ],
)
def test_due_is_what_has_no_time_or_whose_time_has_come(fire_at: datetime | None, due: bool) -> None:
    assert bool(due_callbacks([record("a", fire_at)], NOW)) is due


def test_without_a_time_it_is_due_though_the_clock_was_set_back() -> None:
    assert due_callbacks([record("a", created_at=NOW + timedelta(hours=1))], NOW)


def test_they_come_in_the_order_in_which_they_fell_due() -> None:
    records = [
        record("b", NOW - 2 * SECOND),
        record("a", NOW - SECOND),
        record("c", None, NOW - SECOND),
        record("z", None, NOW - 3 * SECOND),
    ]
    for order in permutations(records):
        assert [r.id for r in due_callbacks(order, NOW)] == ["z", "b", "a", "c"]


@given(st.lists(st.one_of(st.none(), st.integers(-100, 100)), max_size=20), st.integers(-100, 100))
def test_a_later_moment_never_takes_one_away(seconds: list[int | None], later: int) -> None:
    records = [record(str(n), None if s is None else NOW + s * SECOND) for n, s in enumerate(seconds)]
    now, then = sorted((NOW, NOW + later * SECOND))
    before, after = due_callbacks(records, now), due_callbacks(records, then)
    assert {r.id for r in before} <= {r.id for r in after}
    assert all(r.fire_at is None or r.fire_at <= then for r in after)


def test_nothing_is_due_of_nothing() -> None:
    assert due_callbacks([], NOW) == ()


def test_an_id_is_its_cause_and_fits_a_button() -> None:
    cause = "remind:run:advance:timer:con_20260316_001:schedule:2026-03-16T10:00:00+08:00:0:1:0"
    assert record_id(cause) == record_id(cause) != record_id(cause + "0")
    assert len(f"{COMMAND}callbacks off {record_id(cause)}".encode()) <= 64


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("李四刚回了，说周五能签。", "李四刚回了，说周五能签。"),
        ("Li Si has just answered: he can sign on Friday.", "Li Si has just answered: he can sign on Friday."),
        ("", None),
        ("  \n ", None),
        ("我会继续跟进。", None),
        ("李四刚回了。我已经帮你约了他。", "李四刚回了。"),
        ("第一行\n第二行", "第一行 第二行"),
        ("\u200b\u200b", None),
        ("三点开会", None),
        ("长" * REMARK_CHARS, "长" * REMARK_CHARS),
        ("长" * (REMARK_CHARS + 1), None),
    ],
)
def test_a_remark_is_short_news_and_no_promise(said: str, kept: str | None) -> None:
    assert fit_remark(said, "提醒我三点开会，带上合同") == kept
