"""One-time invites by the digest of their code, and the wrong codes that were tried."""

from __future__ import annotations

from datetime import datetime, timedelta

from peewee import Database, fn

from bot.store.statement import Statement, given, insertion
from bot.store.tables import InviteRow, WrongCodeRow
from core.ids import PersonId
from core.people import Invite

KEPT = timedelta(days=1)
"""How long a wrong try is remembered."""

_THE_ONE = InviteRow.digest == given("digest")

_ADD = Statement(insertion(InviteRow))
_CLEAR_LAPSED = Statement(InviteRow.delete().where(InviteRow.expires_at <= given("now")))
_PENDING = Statement(
    InviteRow.select(InviteRow.body)
    .where((InviteRow.person_id == given("person_id")) & (InviteRow.expires_at > given("now")))
    .order_by(InviteRow.created_at, InviteRow.digest)
)
_TAKE = Statement(InviteRow.delete().where(_THE_ONE & (InviteRow.expires_at > given("now"))).returning(InviteRow.body))
_DROP = Statement(InviteRow.delete().where(_THE_ONE))
_FAILED = Statement(insertion(WrongCodeRow))
_FORGET_FAILURES = Statement(WrongCodeRow.delete().where(WrongCodeRow.at < given("before")))
_FAILURES = Statement(
    WrongCodeRow.select(fn.COUNT(WrongCodeRow.id)).where(
        (WrongCodeRow.channel == given("channel"))
        & (WrongCodeRow.user_id == given("user_id"))
        & (WrongCodeRow.at >= given("since"))
    )
)


class InviteTable:
    """`core.ports.InviteRepository`. A used or lapsed invite leaves no trace."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, invite: Invite) -> None:
        """Keep a new one."""
        _CLEAR_LAPSED.write(self._db, now=invite.created_at)
        _ADD.write(
            self._db,
            digest=invite.digest,
            person_id=invite.person_id,
            created_at=invite.created_at,
            expires_at=invite.expires_at,
            body=invite.model_dump_json(),
        )

    def pending(self, person_id: PersonId, now: datetime) -> tuple[Invite, ...]:
        """Those of a person that can still be redeemed, oldest first."""
        rows = _PENDING.rows(self._db, person_id=person_id, now=now)
        return tuple(Invite.model_validate_json(body) for (body,) in rows)

    def take(self, digest: str, now: datetime) -> Invite | None:
        """Redeem it: the invite, once; None when there is none, or it was used or has lapsed."""
        body = _TAKE.value(self._db, digest=digest, now=now)
        return None if body is None else Invite.model_validate_json(body)

    def drop(self, digest: str) -> None:
        """Make it worthless."""
        _DROP.write(self._db, digest=digest)

    def failed(self, channel: str, user_id: str, now: datetime) -> None:
        """A wrong code was tried."""
        _FORGET_FAILURES.write(self._db, before=now - KEPT)
        _FAILED.write(self._db, channel=channel, user_id=user_id, at=now)

    def failures(self, channel: str, user_id: str, since: datetime) -> int:
        """How many wrong codes this user has tried since then."""
        return int(_FAILURES.value(self._db, channel=channel, user_id=user_id, since=since))
