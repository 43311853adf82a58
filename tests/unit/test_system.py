"""The clocks and the identifiers."""

from datetime import UTC, datetime, timedelta

from bot.system import SequenceIds, SystemClock, SystemIds, VirtualClock

MONDAY = datetime(2026, 3, 16, 2, tzinfo=UTC)


def test_the_wall_clock_is_aware_and_can_be_ahead() -> None:
    assert SystemClock().now().tzinfo is not None
    ahead = SystemClock(ahead=timedelta(hours=4)).ahead
    assert abs(ahead - timedelta(hours=4)) < timedelta(seconds=30)


def test_a_jump_goes_forward_only() -> None:
    clock = SystemClock()
    target = clock.now() + timedelta(days=2)
    clock.set(target)
    assert target <= clock.now() < target + timedelta(minutes=1)
    clock.set(target - timedelta(days=1))
    assert clock.now() >= target


def test_a_scaled_clock_runs_ahead_of_the_wall() -> None:
    clock = SystemClock(scale=1e8)
    first = clock.now()
    assert clock.now() > first
    assert clock.ahead > timedelta(seconds=1)
    assert abs(SystemClock().ahead) < timedelta(seconds=1)


def test_a_virtual_clock_stands_still_until_it_is_moved() -> None:
    clock = VirtualClock(MONDAY)
    assert clock.now() == MONDAY
    clock.advance(timedelta(hours=1))
    clock.set(MONDAY + timedelta(hours=3))
    clock.set(MONDAY)
    assert clock.now() == MONDAY + timedelta(hours=3)


def test_tokens_are_short_url_safe_and_all_different() -> None:
    tokens = {SystemIds().token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(t) <= 16 and t.replace("-", "").replace("_", "").isalnum() for t in tokens)


def test_a_sequence_is_the_same_in_every_run() -> None:
    assert [SequenceIds().token(), SequenceIds().token()] == ["t0001", "t0001"]
    ids = SequenceIds()
    assert [ids.token(), ids.token()] == ["t0001", "t0002"]
