"""Waits between tries: they grow, they end, and what failed together does not come back together."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.runtime.runner import FAULT_RETRIES
from core.jobs import MODEL_RETRIES, SEND_RETRIES, RetryPolicy


def test_without_jitter_the_waits_are_exactly_those_of_the_rules() -> None:
    waits = [MODEL_RETRIES.after(n, f"k{n}") for n in range(1, 7)]
    assert waits == [timedelta(seconds=30), *(timedelta(minutes=n) for n in (2, 10, 30, 30, 30))]


@pytest.mark.parametrize("policy", [SEND_RETRIES, FAULT_RETRIES])
def test_jitter_makes_a_wait_longer_by_its_share_at_most_and_differs_by_job(policy: RetryPolicy) -> None:
    assert policy.jitter > 0
    for failures in range(1, len(policy.delays) + 1):
        if (policy.after(failures)) is None:
            continue
        delay = policy.delays[failures - 1]
        waits = [policy.after(failures, f"send:{n}") for n in range(200)]
        assert all(wait is not None and delay <= wait <= delay * (1 + policy.jitter) for wait in waits)
        assert len(set(waits)) > 150
        assert waits == [policy.after(failures, f"send:{n}") for n in range(200)]


def test_the_last_try_is_the_last() -> None:
    policy = RetryPolicy(delays=(timedelta(seconds=1),), most=3)
    assert [policy.after(n) for n in (1, 2, 3, 4)] == [timedelta(seconds=1)] * 2 + [None] * 2
