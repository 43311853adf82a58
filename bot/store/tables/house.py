"""What the runtime keeps for itself: leases, usage, counters, odds and ends."""

from __future__ import annotations

from peewee import CompositeKey, IntegerField, Model

from bot.store.columns import MomentField, WordField


class LeaseRow(Model):
    """What one process has until a moment on the database's clock: its own life (`process:…`), or a part to play."""

    name = WordField(primary_key=True)
    holder = WordField()
    until = MomentField()

    class Meta:
        table_name = "leases"


class UsageRow(Model):
    """What the model was asked in a day of the owner's (YYYY-MM-DD) for a concern (empty: for none)."""

    day = WordField()
    concern_id = WordField()
    calls = IntegerField()
    failures = IntegerField()
    tokens_in = IntegerField()
    tokens_out = IntegerField()
    milliseconds = IntegerField()

    class Meta:
        table_name = "model_usage"
        primary_key = CompositeKey("day", "concern_id")


class CounterRow(Model):
    """Numbers that only grow."""

    name = WordField(primary_key=True)
    value = IntegerField()

    class Meta:
        table_name = "counters"


class MetaRow(Model):
    """Odds and ends of the runtime, by name."""

    key = WordField(primary_key=True)
    value = WordField()

    class Meta:
        table_name = "meta"
