"""The store: one database, its tables, and one unit of work at a time."""

from bot.store.unit import PeeweeStore

__all__ = ["PeeweeStore"]
