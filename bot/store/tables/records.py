"""What is known: people, concerns, the agenda, deeds, blocks, invites, callbacks."""

from __future__ import annotations

from peewee import AutoField, BooleanField, CompositeKey, IntegerField, Model, TextField

from bot.store.columns import MomentField, WordField


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


class ConcernTermRow(Model):
    """A word of an open concern's title and goal, by which an event finds it."""

    term = WordField()
    concern_id = WordField()

    class Meta:
        table_name = "concern_terms"
        primary_key = CompositeKey("term", "concern_id")


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
