"""Did anything arrive faster than it may?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.wire.botapi.state import Sent


def most_in_a_window(times: Iterable[float], period: float) -> int:
    """The largest number of moments in any half-open window of `period` seconds."""
    ordered = sorted(times)
    most, first = 0, 0
    for last, moment in enumerate(ordered):
        while ordered[first] <= moment - period:
            first += 1
        most = max(most, last - first + 1)
    return most


def too_fast(sent: Sequence[Sent]) -> list[str]:
    """What breaks Telegram's limits: 1 a second in a chat, 20 a minute in a group, 30 a second in all."""
    broken = []
    for chat in {message.chat for message in sent}:
        times = [message.at for message in sent if message.chat == chat]
        if (most := most_in_a_window(times, 1)) > 1:
            broken.append(f"chat {chat}: {most} in a second")
        if chat < 0 and (most := most_in_a_window(times, 60)) > 20:
            broken.append(f"group {chat}: {most} in a minute")
    if (most := most_in_a_window((message.at for message in sent), 1)) > 30:
        broken.append(f"overall: {most} in a second")
    return broken
