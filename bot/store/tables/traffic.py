"""What comes in and goes out: facts, jobs, receipts, and the chats to which nothing may go out."""

from __future__ import annotations

from peewee import AutoField, BooleanField, CompositeKey, IntegerField, Model, TextField

from bot.store.columns import MomentField, WordField


class FactRow(Model):
    """The inbox. `state` is unhandled or handled; an unhandled one is taken up from `due_at` on, by `holder`. One that
    is `joined` was said in one breath with another, `part_of` it, and is handled with that.

    `text` is filled for what can be searched: messages, edits and events with words.
    """

    id = AutoField()
    channel = WordField()
    event_id = WordField()
    kind = WordField()
    conversation = WordField()
    sender = WordField()
    message_id = WordField(null=True)
    occurred_at = MomentField()
    received_at = MomentField()
    state = WordField(default="unhandled")
    due_at = MomentField()
    attempts = IntegerField(default=0)
    decision = WordField(null=True)
    reason = WordField(null=True)
    brain = WordField(null=True)
    milliseconds = IntegerField(null=True)
    signals = TextField(null=True)
    handled_at = MomentField(null=True)
    person_id = WordField(null=True)
    text = WordField(null=True)
    holder = WordField(null=True)
    part_of = IntegerField(null=True)
    body = TextField()

    class Meta:
        table_name = "facts"


class JobRow(Model):
    """Work to come, and what became of it. `progress` counts the parts that are out; `holder` is who works on it.

    `open_since`: since when the part that comes next may be out, as nobody knows what became of an attempt.
    """

    id = AutoField()
    key = WordField()
    kind = WordField()
    lane = WordField()
    due = MomentField()
    state = WordField()
    payload = TextField()
    concern_id = WordField(null=True)
    person_id = WordField(null=True)
    attempts = IntegerField(default=0)
    progress = IntegerField(default=0)
    reason = WordField(null=True)
    holder = WordField(null=True)
    open_since = MomentField(null=True)

    class Meta:
        table_name = "jobs"


class ReceiptRow(Model):
    """What was sent. Without `message_id` it is in doubt."""

    id = AutoField()
    job_key = WordField()
    part = IntegerField()
    conversation = WordField()
    message_id = WordField(null=True)
    purpose = WordField()
    person_id = WordField(null=True)
    concern_id = WordField(null=True)
    at = MomentField()
    counted = BooleanField()
    body = TextField()

    class Meta:
        table_name = "receipts"


class BlockedChatRow(Model):
    """A chat that a channel wants nothing for until then."""

    channel = WordField()
    chat = WordField()
    until = MomentField()

    class Meta:
        table_name = "blocked_chats"
        primary_key = CompositeKey("channel", "chat")
