"""The error tree. Each error says in one sentence what was wrong and, where there is one, the cure.

Whatever reaches a chat or a terminal is `str(error)`; traces stay in the log.

QinghaiError
├── ConfigurationError      wrong usage or configuration: exit status 2
│   └── StorageFailed       the database itself fails: what was under way is as if it had never begun
├── IllegalTransition       the concern's state machine refuses an event
├── StaleVersion            somebody else changed the row since it was read: read again, decide again
├── TakenOver               another process does this piece of work: leave it
├── BrainError              a brain gave no usable answer; what was asked is asked again later
│   ├── BrainTimeout
│   ├── BrainMalformed
│   └── BrainRefused
├── DeliveryError           a channel could not, or may not have, delivered
│   ├── TransientDeliveryError   nothing arrived; try again, not before `retry_after`
│   │   ├── Paced                nothing was tried: the chat's turn has not come
│   │   └── Unsettled            it may have arrived, and is sent once more all the same: the channel knows it again
│   ├── PermanentDeliveryError   nothing arrived, nor will it: blocked, gone, never started
│   └── UnknownDeliveryError     it may have arrived: never repeated blindly
└── PlanRefused             the planner cannot run a chain; a template says why
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum


class QinghaiError(Exception):
    """Root of all errors of this program."""


class ConfigurationError(QinghaiError):
    """A setting, file or argument is wrong; the message names the culprit and the cure."""


class StorageFailed(ConfigurationError):
    """The database itself fails: full, locked, gone. At the start that ends the program; later it is waited out."""


class IllegalTransition(QinghaiError):
    """An event that the state machine does not allow in this status. Nothing was changed."""

    def __init__(self, event: str, status: str) -> None:
        super().__init__(f"event {event!r} is not allowed in status {status!r}")
        self.event = event
        self.status = status


class StaleVersion(QinghaiError):
    """The row has a newer version than the one that was read."""


class TakenOver(QinghaiError):
    """Another process has taken this piece of work over, or has done it."""


class BrainError(QinghaiError):
    """A brain gave no usable answer."""


class BrainTimeout(BrainError):
    """No answer in time."""


class BrainMalformed(BrainError):
    """An answer that does not fit its schema, also after one repair."""


class BrainRefused(BrainError):
    """The model or its server declined to answer."""


class DeliveryError(QinghaiError):
    """A message was not, or perhaps not, delivered."""


class TransientDeliveryError(DeliveryError):
    """Nothing arrived; trying later may help. `retry_after` is the channel's own wish, if it had one.

    `outage`: the whole channel is out of reach, and nothing is said about the message or its chat.
    """

    def __init__(self, message: str, retry_after: timedelta | None = None, *, outage: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.outage = outage


class Paced(TransientDeliveryError):
    """Nothing was tried: the chat takes no more messages before `retry_after` is over."""


class Unsettled(TransientDeliveryError):
    """It may have arrived, and may be sent once more all the same, for the channel takes it once.

    `since` is the moment of the first attempt of which that is true.
    """

    def __init__(self, message: str, since: datetime) -> None:
        super().__init__(message, outage=True)
        self.since = since


class Shut(StrEnum):
    """Why a chat takes nothing from the bot, where the channel says so. First what can be mended most easily."""

    OUT_OF_RANGE = "out_of_range"
    NEVER_STARTED = "never_started"
    BLOCKED = "blocked"
    GONE = "gone"


class PermanentDeliveryError(DeliveryError):
    """Nothing arrived and nothing will on this channel.

    `migrated_to` is the chat's new id where the channel named one: then the same text may go there. `message_only`: the
    channel objects to this message, and nothing is said about the chat. `shut`: why the chat takes nothing.
    """

    def __init__(
        self,
        message: str,
        migrated_to: str | None = None,
        *,
        message_only: bool = False,
        shut: Shut | None = None,
    ) -> None:
        super().__init__(message)
        self.migrated_to = migrated_to
        self.message_only = message_only
        self.shut = shut


class UnknownDeliveryError(DeliveryError):
    """The request was written and no answer came: it may or may not have arrived."""


class PlanRefused(QinghaiError):
    """A chain of actions that cannot run. `problem` is a word of the templates, `detail` names the culprit."""

    def __init__(self, problem: str, detail: str = "") -> None:
        super().__init__(f"{problem}: {detail}" if detail else problem)
        self.problem = problem
        self.detail = detail
