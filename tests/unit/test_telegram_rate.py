"""The pace of sending, on a clock that only moves when somebody sleeps."""

import asyncio
import heapq
import random
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.rate import Pace, Rate, Rates, Window
from core.errors import Paced, TransientDeliveryError

RATES = Rates(chat=Rate(1, 1.0), group=Rate(20, 60.0), overall=Rate(30, 1.0))


class Time:
    """Sleepers are woken in the order of their times; the clock jumps from one to the next."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = 0

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self._count += 1
        waker: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now + seconds, self._count, waker))
        await waker

    async def run(self, *tasks: asyncio.Task[None]) -> None:
        """Until all are done."""
        while not all(task.done() for task in tasks):
            for _ in range(20):
                await asyncio.sleep(0)
            if self._sleepers and not all(task.done() for task in tasks):
                at, _, waker = heapq.heappop(self._sleepers)
                self.now = max(self.now, at)
                if not waker.done():
                    waker.set_result(None)
        for task in tasks:
            task.result()


def busiest(times: list[float], period: float) -> int:
    return max(sum(start <= t < start + period for t in times) for start in times)


class Wire:
    """Requests of which each arrives somewhere between its start and its answer."""

    def __init__(self, seed: int, latency: float) -> None:
        self.time = Time()
        self.pace = Pace(RATES, monotonic=self.time.monotonic, sleep=self.time.sleep, patience=1e9)
        self.arrivals: list[tuple[str, float]] = []
        self._random = random.Random(seed)
        self._latency = latency

    async def send(self, chat: str) -> None:
        async with self.pace.turn(chat, group=chat.startswith("-")):
            there = self._random.uniform(0, self._latency)
            back = self._random.uniform(0, self._latency)
            await self.time.sleep(there)
            self.arrivals.append((chat, self.time.now))
            await self.time.sleep(back)

    def of(self, chat: str) -> list[float]:
        return [at for name, at in self.arrivals if name == chat]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("latency", [0.0, 0.05, 0.8])
async def test_no_window_over_there_ever_holds_more_than_the_limit(seed: int, latency: float) -> None:
    wire = Wire(seed, latency)
    chats = [str(n) for n in range(1, 60)] * 2 + ["-7"] * 25
    random.Random(seed).shuffle(chats)
    await wire.time.run(*(asyncio.create_task(wire.send(chat)) for chat in chats))
    assert len(wire.arrivals) == len(chats)
    assert busiest([at for _, at in wire.arrivals], 1.0) <= 30
    assert max(busiest(wire.of(chat), 1.0) for chat in set(chats)) == 1
    assert busiest(wire.of("-7"), 60.0) <= 20


async def test_as_much_goes_through_as_the_limit_allows() -> None:
    wire = Wire(0, 0.0)
    await wire.time.run(*(asyncio.create_task(wire.send(str(n))) for n in range(300)))
    assert wire.arrivals[-1][1] - wire.arrivals[0][1] == pytest.approx(9.0)


async def test_a_chat_keeps_its_order_and_holds_up_nobody() -> None:
    wire = Wire(0, 0.0)
    order: list[int] = []

    async def numbered(number: int) -> None:
        await wire.send("5")
        order.append(number)

    talkative = [asyncio.create_task(numbered(n)) for n in range(50)]
    await asyncio.sleep(0)
    await wire.time.run(*talkative, asyncio.create_task(wire.send("6")))
    assert order == list(range(50))
    assert wire.of("6") == [1000.0]


async def test_a_blocked_chat_is_refused_with_the_time_to_wait_and_others_are_not() -> None:
    time = Time()
    pace = Pace(RATES, monotonic=time.monotonic, sleep=time.sleep)
    async with pace.turn("5"):
        pace.block("5", 30)
    time.now += 10
    with pytest.raises(TransientDeliveryError) as refused:
        async with pace.turn("5"):
            pytest.fail("sent")
    assert refused.value.retry_after == timedelta(seconds=20)
    async with pace.turn("6"):
        pass
    time.now += 20
    async with pace.turn("5"):
        pass
    assert time.now == 1030.0


async def test_what_was_sent_before_the_start_still_counts() -> None:
    wire = Wire(0, 0.0)
    for ago in (59.0, 30.0, 0.2):
        for _ in range(6):
            wire.pace.remember("-7", ago, group=True)
    wire.pace.remember("5", 0.4)
    wire.pace.remember("6", -5.0)  # of a clock that was set back since
    before = [wire.time.now - ago for ago in (59.0, 30.0, 0.2) for _ in range(6)]
    tasks = [asyncio.create_task(wire.send(chat)) for chat in ["-7"] * 6 + ["5", "6"]]
    await wire.time.run(*tasks)
    assert busiest(sorted(before + wire.of("-7")), 60.0) <= 20
    assert wire.of("5") == [pytest.approx(1000.6)]
    assert wire.of("6") == [pytest.approx(1001.0)]


async def test_a_pause_takes_no_turn_and_refuses_a_long_wait() -> None:
    time = Time()
    pace = Pace(RATES, monotonic=time.monotonic, sleep=time.sleep)
    pace.remember("5", 0.0)
    await time.run(*(asyncio.create_task(pace.pause("5")) for _ in range(3)))
    assert time.now == 1001.0
    pace.block("5", 30)
    with pytest.raises(Paced):
        await pace.pause("5")


async def test_a_request_that_fails_gives_its_turn_back() -> None:
    time = Time()
    pace = Pace(RATES, monotonic=time.monotonic, sleep=time.sleep)
    with pytest.raises(ValueError, match="broken"):
        async with pace.turn("5"):
            raise ValueError("broken")
    time.now += 1
    async with pace.turn("5"):
        pass
    assert time.now == 1001.0


async def test_requests_that_hang_do_not_hold_up_other_chats_for_ever() -> None:
    wire = Wire(0, 0.0)

    async def hang(chat: str) -> None:
        async with wire.pace.turn(chat):
            await wire.time.sleep(500)

    stuck = [asyncio.create_task(hang(str(n))) for n in range(30)]
    other = asyncio.create_task(wire.send("99"))
    await wire.time.run(other)
    assert wire.of("99")[0] <= 1007.0
    await wire.time.run(*stuck)


async def test_chats_with_nothing_to_remember_are_forgotten() -> None:
    time = Time()
    pace = Pace(RATES, monotonic=time.monotonic, sleep=time.sleep)
    for number in range(2500):
        async with pace.turn(str(number)):
            pass
        time.now += 0.1
    assert len(pace._chats) <= 1000


@given(st.lists(st.tuples(st.floats(0, 3), st.floats(0, 3)), max_size=40), st.integers(1, 5))
def test_a_window_lets_in_no_more_than_its_limit_whenever_requests_arrive(
    steps: list[tuple[float, float]], limit: int
) -> None:
    """Each request starts as early as it may and arrives at its end, or at its start: both are within it."""
    window, now, spans = Window(Rate(limit, 1.0)), 0.0, []
    for gap, length in steps:
        now += gap
        now = max(now, window.free_at(now))
        number = window.start(now)
        window.end(number, now + length)
        spans.append((now, now + length))
        now += length
    for arrival in (0, 1):
        times = [span[arrival] for span in spans]
        # Half-open windows, with room for what the last bit of a float does to a sum.
        assert all(sum(start <= t < start + 1 - 1e-9 for t in times) <= limit for start in times)


async def test_a_rate_over_a_longer_time_holds_beside_the_one_over_a_short_one() -> None:
    now, waited = [0.0], []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        now[0] += seconds

    rates = Rates(chat=Rate(1000, 1.0), group=None, overall=Rate(50, 1.0), sustained=Rate(100, 60.0))
    pace = Pace(rates, monotonic=lambda: now[0], sleep=sleep)
    sent = []
    for number in range(250):
        async with pace.turn(f"ou_{number}"):
            sent.append(now[0])
    assert all(later - earlier >= 60.0 for earlier, later in zip(sent, sent[100:], strict=False))
    assert all(later - earlier >= 1.0 for earlier, later in zip(sent, sent[50:], strict=False))
    assert sum(waited) >= 120.0
