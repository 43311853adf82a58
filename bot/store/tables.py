"""The tables. Their indexes and constraints are in migrations/, which alone make and change them.

Whatever is searched for has a column; the whole value is the JSON in `body`, which keeps what a column does not, such
as the offset of a time. Models are bound to no database: a query is executed on the one that it is given.
"""

from __future__ import annotations

from peewee import (
    AutoField,
    BooleanField,
    CompositeKey,
    IntegerField,
    Model,
    TextField,
)

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


class PersonRow(Model):
    """A person."""

    person_id = WordField(primary_key=True)
    role = WordField()
    body = TextField()

    class Meta:
        table_name = "people"


class IdentityRow(Model):
    """Where a person is met; a channel's user is one person."""

    channel = WordField()
    user_id = WordField()
    person_id = WordField()

    class Meta:
        table_name = "identities"
        primary_key = CompositeKey("channel", "user_id")


class ConcernRow(Model):
    """A concern.

    `timeout_at` and `due_at` are the moments at which it really is to be taken up: empty once it is closed, not before
    the end of a pause. The model's own are in `body`.
    """

    concern_id = WordField(primary_key=True)
    version = IntegerField()
    status = WordField()
    is_open = BooleanField()
    priority = WordField()
    type = WordField()
    title = WordField()
    initiator_id = WordField(null=True)
    origin_channel = WordField(null=True)
    origin_message_id = WordField(null=True)
    created_at = MomentField()
    closed_at = MomentField(null=True)
    paused_until = MomentField(null=True)
    timeout_at = MomentField(null=True)
    due_at = MomentField(null=True)
    body = TextField()

    class Meta:
        table_name = "concerns"


class ConcernPersonRow(Model):
    """Who has to do with a concern, and as what. `closed_at` is the concern's, empty while it is open."""

    concern_id = WordField()
    person_id = WordField()
    role = WordField()
    closed_at = MomentField(null=True)

    class Meta:
        table_name = "concern_people"
        primary_key = CompositeKey("concern_id", "person_id", "role")


class AgendaRow(Model):
    """The agenda's reference to an open concern. `focus_at` is its place in the order (the smallest first);
    `waiting_since` when a point of it was first asked of its owner, `stuck_at` from when on it counts as stuck: both
    empty where there is no such moment."""

    concern_id = WordField(primary_key=True)
    owner = WordField(null=True)
    focus_at = MomentField()
    waiting_since = MomentField(null=True)
    stuck_at = MomentField(null=True)
    body = TextField()

    class Meta:
        table_name = "agenda_refs"


class ConcernTermRow(Model):
    """A word of an open concern's title and goal, by which an event finds it."""

    term = WordField()
    concern_id = WordField()

    class Meta:
        table_name = "concern_terms"
        primary_key = CompositeKey("term", "concern_id")


class DecisionRow(Model):
    """What was decided lately; `owner` is whose matter it was."""

    id = AutoField()
    at = MomentField()
    concern_id = WordField(null=True)
    owner = WordField(null=True)
    body = TextField()

    class Meta:
        table_name = "recent_decisions"


class DeedRow(Model):
    """Something that somebody did: `actor` (nobody: at the machine), to `person_id`, if it is about somebody."""

    id = AutoField()
    at = MomentField()
    actor = WordField(null=True)
    person_id = WordField(null=True)
    body = TextField()

    class Meta:
        table_name = "deeds"


class AgendaItemRow(Model):
    """An expectation or a watch item; `due_at` is when it falls due or lapses, empty once it is over."""

    item_id = WordField(primary_key=True)
    kind = WordField()
    owner = WordField()
    created_at = MomentField()
    due_at = MomentField(null=True)
    body = TextField()

    class Meta:
        table_name = "agenda_items"


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


class BlockRow(Model):
    """A block of the context workspace."""

    block_id = WordField(primary_key=True)
    owner = WordField()
    kind = WordField()
    created_at = MomentField()
    expires_at = MomentField()
    body = TextField()

    class Meta:
        table_name = "blocks"


class InviteRow(Model):
    """A one-time invite that was not redeemed yet."""

    digest = WordField(primary_key=True)
    person_id = WordField()
    created_at = MomentField()
    expires_at = MomentField()
    body = TextField()

    class Meta:
        table_name = "invites"


class WrongCodeRow(Model):
    """Somebody tried an invite code that opens nothing."""

    id = AutoField()
    channel = WordField()
    user_id = WordField()
    at = MomentField()

    class Meta:
        table_name = "wrong_codes"


class CallbackRow(Model):
    """What somebody is owed. `fired`: it has been taken up, and its message is on its way."""

    id = WordField(primary_key=True)
    chat_id = WordField()
    person_id = WordField()
    trigger_source = WordField()
    created_at = MomentField()
    due_at = MomentField()
    fired = BooleanField()
    body = TextField()

    class Meta:
        table_name = "callbacks"


class LeaseRow(Model):
    """What one process has until a moment on the database's clock: its own life (`process:…`), or a part to play."""

    name = WordField(primary_key=True)
    holder = WordField()
    until = MomentField()

    class Meta:
        table_name = "leases"


class BlockedChatRow(Model):
    """A chat that a channel wants nothing for until then."""

    channel = WordField()
    chat = WordField()
    until = MomentField()

    class Meta:
        table_name = "blocked_chats"
        primary_key = CompositeKey("channel", "chat")


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


TABLES: tuple[type[Model], ...] = (
    FactRow,
    PersonRow,
    IdentityRow,
    ConcernRow,
    ConcernPersonRow,
    AgendaRow,
    ConcernTermRow,
    DecisionRow,
    DeedRow,
    AgendaItemRow,
    JobRow,
    ReceiptRow,
    BlockRow,
    InviteRow,
    WrongCodeRow,
    CallbackRow,
    LeaseRow,
    BlockedChatRow,
    UsageRow,
    CounterRow,
    MetaRow,
)
