"""What an error of Feishu says about the message that met it: not delivered, never to be, or perhaps.

| met | means |
| --- | --- |
| connection refused, no name, no TLS | nothing was written: transient, and the channel is out of reach |
| 429 and the codes for too much | refused for now: transient, with the server's own wish |
| the app's key, its scopes or its bot switched off | refused, whatever the message: transient, out of reach |
| no such person, gone, not in the bot's range, not in the group | refused for good: permanent |
| any other refusal | permanent, and about this message alone |
| 5xx; written, and then no answer or nonsense; still being sent | perhaps delivered: unknown, and safe to repeat |
"""

from __future__ import annotations

from datetime import timedelta

from core.errors import DeliveryError, PermanentDeliveryError, Shut, TransientDeliveryError, UnknownDeliveryError

TOO_MUCH = frozenset({99991400, 11232, 230020, 11233, 230073, 1000004, 1000005})
INVALID_TOKEN = frozenset({99991661, 99991663, 99991664, 99991668, 99991671, 99991677})
BAD_APP = frozenset({10003, 10012, 10014, 10015})
"""The app's id or secret is wrong."""
NO_SCOPE = frozenset({99991672, 99991679, 230027, 40004, 40013, 41050})
SWITCHED_OFF = frozenset({230006, 99991662, 99991673, 99991401})
"""No bot any more, the app disabled, or its address not allowed."""
STILL_SENDING = frozenset({230049})
NO_CHAT = frozenset({
    230002,  # the bot is not in the group
    230013,  # the person is not in the bot's range
    230018,  # silenced in the group
    230029,  # the person has left
    230034,  # no such id
    230035,  # may not write there
    230038,  # another company's
    230045, 232009,  # the group is gone
    230053,  # the person stopped the bot
    99992351, 99992352, 99992353, 99992354, 99992360, 99992361, 99992364,  # no such id, or another app's
})  # fmt: skip
"""Codes that hold for whatever else is sent there."""

WHY = {
    230002: "the bot is not in the group",
    230013: "they are not in the app's range; add them in the developer console",
    230018: "nobody but its managers may write in the group",
    230029: "they have left the company",
    230045: "the group is gone",
    232009: "the group is gone",
    230053: "they want nothing from the bot any more",
}
"""What those codes say, where it can be said better than the answer does."""

SHUT = {230013: Shut.OUT_OF_RANGE, 230029: Shut.GONE, 230053: Shut.BLOCKED}
"""Those of them that the initiator of a matter is told."""

_INVALID = 230001
_ABOUT_RECEIVER = ("receive_id", "open_id", "user_id", "union_id", "email", "chat_id", "not exist")
"""What the words of a 230001 say where it is the receiver that is wrong."""


class Refused(Exception):
    """An answer with a code other than 0."""

    def __init__(self, code: int, said: str, status: int = 200, wait: timedelta | None = None) -> None:
        super().__init__(f"{code}: {said}")
        self.code = code
        self.said = said
        self.status = status
        self.wait = wait


class NotWritten(Exception):
    """Nobody is there: nothing was written."""


class NoAnswer(Exception):
    """The request was written; what became of it is not known."""


def delivery_error(error: Exception) -> DeliveryError:
    """What `error`, met while sending, says about the message."""
    match error:
        case DeliveryError():
            return error
        case NotWritten():
            return TransientDeliveryError(f"Feishu cannot be reached ({error})", outage=True)
        case NoAnswer():
            return UnknownDeliveryError(f"no answer from Feishu ({error}); the message may have arrived")
        case Refused():
            return _refusal(error)
        case _:
            return UnknownDeliveryError(f"something failed ({type(error).__name__}); the message may have arrived")


def _refusal(error: Refused) -> DeliveryError:
    if error.status == 429 or error.code in TOO_MUCH:
        return TransientDeliveryError("Feishu wants fewer messages", retry_after=error.wait or timedelta(seconds=1))
    if error.status >= 500 or error.code in STILL_SENDING:
        return UnknownDeliveryError(f"Feishu failed ({error.code}); the message may have arrived")
    if error.code in INVALID_TOKEN | BAD_APP | NO_SCOPE | SWITCHED_OFF:
        return TransientDeliveryError(f"Feishu does not let the app in ({error.code})", outage=True)
    said = _one_line(error.said)
    said = WHY.get(error.code, said)
    about_chat = error.code in NO_CHAT or (error.code == _INVALID and _speaks_of_receiver(said))
    refused = f"Feishu refused the message: {said} ({error.code})"
    return PermanentDeliveryError(refused, message_only=not about_chat, shut=SHUT.get(error.code))


def _speaks_of_receiver(said: str) -> bool:
    return any(sign in said.lower() for sign in _ABOUT_RECEIVER)


def _one_line(said: str) -> str:
    """Without the addresses of help pages that stand in some."""
    return " ".join(word for word in said.split() if "http" not in word)[:200]
