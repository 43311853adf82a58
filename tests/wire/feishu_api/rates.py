"""Did anything arrive faster than it may?"""

from __future__ import annotations

from collections.abc import Sequence

from tests.wire.botapi.rates import most_in_a_window
from tests.wire.feishu_api.server import Asked


def too_fast(asked: Sequence[Asked]) -> list[str]:
    """What breaks Feishu's limits: 5 a second to a person or a group, 50 a second and 1,000 a minute in all."""
    broken = []
    for chat in {one.chat for one in asked}:
        if (most := most_in_a_window((one.at for one in asked if one.chat == chat), 1)) > 5:
            broken.append(f"chat {chat}: {most} in a second")
    for period, limit in ((1, 50), (60, 1000)):
        if (most := most_in_a_window((one.at for one in asked), period)) > limit:
            broken.append(f"overall: {most} in {period} s")
    return broken
