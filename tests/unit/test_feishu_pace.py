"""What Feishu allows one app, on a clock that only moves when somebody waits."""

from itertools import pairwise

from bot.channels.feishu.channel import RATES
from bot.channels.rate import Pace

CHATS = 150


async def sent_at(chats: list[str]) -> list[float]:
    now = [0.0]

    async def sleep(seconds: float) -> None:
        now[0] += seconds

    pace = Pace(RATES, monotonic=lambda: now[0], sleep=sleep)
    times = []
    for chat in chats:
        async with pace.turn(chat, group=chat.startswith("oc_")):
            times.append(now[0])
    return times


def closest(times: list[float], apart: int) -> float:
    """The shortest time in which one more than `apart` were sent."""
    return min(later - earlier for earlier, later in zip(times, times[apart:], strict=False))


async def test_a_person_and_a_group_get_five_in_a_second() -> None:
    for chat in ("ou_zhangsan", "oc_team"):
        times = await sent_at([chat] * 23)
        assert closest(times, 5) >= 1.0
        assert times[4] == times[0]


async def test_all_together_get_fifty_in_a_second_and_a_thousand_in_a_minute() -> None:
    times = await sent_at([f"ou_{number % CHATS}" for number in range(2500)])
    assert closest(times, 50) >= 1.0
    assert closest(times, 1000) >= 60.0
    assert all(later >= earlier for earlier, later in pairwise(times))
    assert times[-1] < 130.0
