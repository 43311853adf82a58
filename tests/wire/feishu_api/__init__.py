"""An open API server of Feishu on loopback, from the documentation: messages with their keys, contacts, long connection.

Its ledger (`FeishuApi.sent`) is what tests believe: what was accepted, also where the bot never heard of it.
"""

from tests.wire.feishu_api.rates import too_fast
from tests.wire.feishu_api.server import Fault, FeishuApi, Sent

__all__ = ["Fault", "FeishuApi", "Sent", "too_fast"]
