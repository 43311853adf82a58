"""The key by which a channel knows a repeated message."""

from __future__ import annotations

import hashlib

LONGEST = 50
"""Characters that Feishu's `uuid` may have."""


def repeat_key(key: str) -> str:
    """The key of one part of a message (`ChannelMessage.key`) as it goes over the wire: the same for ever, and short.

    It is a pure function of job and part, for these alone make the message's key. 160 bits of a digest, so no two
    messages share one.
    """
    return hashlib.sha256(key.encode()).hexdigest()[:40]
