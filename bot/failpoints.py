"""Failpoints: named places at which a test lets the process die. Without `QINGHAI_FAILPOINT` nothing ever happens.

`QINGHAI_FAILPOINT=receipt.before_commit:3` kills the process (SIGKILL, nothing is cleaned up) when it comes to that
place for the third time. Each unit of work of the store has two, `NAME.before_commit` and `NAME.after_commit`; a
message that is handed to a channel has `send.before_request` and `send.after_request`, and so have the requests that
acknowledge updates (`acknowledge`), answer a press (`answer_press`) and take buttons off (`take_off_buttons`).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping

VARIABLE = "QINGHAI_FAILPOINT"

Failpoint = Callable[[str], None]
"""Called with the name of the place; it returns, or the process is gone."""


def no_failpoint(name: str) -> None:
    """Nothing fails on purpose."""


def failpoint_of(environment: Mapping[str, str]) -> Failpoint:
    """What the environment asks for; nothing, as a rule."""
    name, _, times = environment.get(VARIABLE, "").partition(":")
    if not name:
        return no_failpoint
    left = int(times or 1)

    def die(here: str) -> None:
        nonlocal left
        if here != name:
            return
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return die
