"""Slash commands: parse, authorise, answer; and the same look for the command line."""

from bot.commands.agenda import agenda_text
from bot.commands.handler import Commands
from bot.commands.views import concern_text, concerns_text, the_concern

__all__ = ["Commands", "agenda_text", "concern_text", "concerns_text", "the_concern"]
