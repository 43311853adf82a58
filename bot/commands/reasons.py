"""Why a job is not done, in a word of the templates: what rows and errors say is for engineers."""

from __future__ import annotations

_SIGNS = (
    ("slow", ("takes no more messages", "wants fewer", "too many messages")),
    ("cut_off", ("the program ended", "the process died")),
    ("no_answer", ("may have arrived", "no answer came")),
    ("token", ("refused the bot's token",)),
    ("down", ("cannot be reached", "for now")),
    ("refused", ("refused the message", "does not take messages")),
    ("nowhere", ("no channel leads there",)),
    ("model", ("the model", "task was neither a tool")),
)


def reason_word(reason: str | None) -> str | None:
    """One of `slow`, `cut_off`, `no_answer`, `token`, `down`, `refused`, `nowhere`, `model`; else `fault`, ours."""
    if not reason:
        return None
    return next((word for word, signs in _SIGNS if any(sign in reason for sign in signs)), "fault")
