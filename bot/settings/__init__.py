"""The configuration, read and checked once (CONTRACT 3)."""

from bot.settings.baseline import load_baseline
from bot.settings.load import SAMPLE, Settings, build_settings, load_settings
from bot.settings.people import FeishuContact, people_of
from bot.settings.problems import explain, hint, nearest
from bot.settings.schema import PersonEntry

__all__ = [
    "SAMPLE",
    "FeishuContact",
    "PersonEntry",
    "Settings",
    "build_settings",
    "explain",
    "hint",
    "load_baseline",
    "load_settings",
    "nearest",
    "people_of",
]
