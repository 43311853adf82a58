"""A Bot API server on loopback, from the protocol's documentation: polling with its offsets, sending with its checks.

Its ledger (`BotApi.sent`) is what tests believe: what was accepted, also where the bot never heard of it.
`python -m tests.wire.botapi --port 0 --token T` starts one by itself and prints its base URL.
"""

from tests.wire.botapi.rates import most_in_a_window, too_fast
from tests.wire.botapi.server import BotApi, Fault
from tests.wire.botapi.state import BOT_ID, Sent, User, World

__all__ = ["BOT_ID", "BotApi", "Fault", "Sent", "User", "World", "most_in_a_window", "too_fast"]
