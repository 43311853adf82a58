"""Telegram, on python-telegram-bot's transport, with a poll loop that loses nothing."""

from bot.channels.telegram.channel import RATES, TelegramChannel
from bot.channels.telegram.inbound import to_fact
from bot.channels.telegram.webhook import Webhook

__all__ = ["RATES", "TelegramChannel", "Webhook", "to_fact"]
