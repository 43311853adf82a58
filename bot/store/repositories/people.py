"""People and the identities by which they are recognised."""

from __future__ import annotations

from functools import lru_cache

from peewee import Database

from bot.store.statement import Statement, given, insertion
from bot.store.tables import IdentityRow, PersonRow
from core.errors import ConfigurationError
from core.ids import PersonId
from core.people import Identity, Person, Role

_ALL = Statement(PersonRow.select(PersonRow.body).order_by(PersonRow.person_id))
_GET = Statement(PersonRow.select(PersonRow.body).where(PersonRow.person_id == given("person_id")))
_OWNER = Statement(PersonRow.select(PersonRow.body).where(PersonRow.role == Role.OWNER).order_by(PersonRow.person_id))
_BY_IDENTITY = Statement(
    PersonRow.select(PersonRow.body)
    .join(IdentityRow, on=(IdentityRow.person_id == PersonRow.person_id))
    .where((IdentityRow.channel == given("channel")) & (IdentityRow.user_id == given("user_id")))
)
_SAVE = Statement(
    insertion(PersonRow).on_conflict(conflict_target=[PersonRow.person_id], preserve=[PersonRow.role, PersonRow.body])
)
_FORGET_IDENTITIES = Statement(IdentityRow.delete().where(IdentityRow.person_id == given("person_id")))
_IDENTIFY = Statement(insertion(IdentityRow).on_conflict(action="NOTHING"))


class PeopleTable:
    """`core.ports.PeopleRepository`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def get(self, person_id: PersonId) -> Person | None:
        """The person, or None."""
        return _person(_GET.value(self._db, person_id=person_id))

    def by_identity(self, channel: str, user_id: str) -> Person | None:
        """Who it is that a channel calls so."""
        return _person(_BY_IDENTITY.value(self._db, channel=channel, user_id=user_id))

    def all(self) -> tuple[Person, ...]:
        """Everybody, by person id."""
        return tuple(_read(body) for (body,) in _ALL.rows(self._db))

    def owner(self) -> Person | None:
        """The owner; the first by person id, should there be several."""
        return _person(_OWNER.value(self._db))

    def save(self, person: Person) -> None:
        """Add or replace. Raises `ConfigurationError` when one of the identities is somebody else's."""
        _SAVE.write(self._db, person_id=person.person_id, role=person.role, body=person.model_dump_json())
        _FORGET_IDENTITIES.write(self._db, person_id=person.person_id)
        for identity in dict.fromkeys(person.identities):
            self._identify(person, identity)

    def _identify(self, person: Person, identity: Identity) -> None:
        here = {"channel": identity.channel, "user_id": identity.user_id}
        if not _IDENTIFY.write(self._db, person_id=person.person_id, **here):
            other = self.by_identity(**here)
            raise ConfigurationError(
                f"{identity.channel} user {identity.user_id} cannot be {person.person_id}: "
                f"that is {other.person_id if other else 'somebody else'} already; take it from one of the two"
            )


def _person(body: str | None) -> Person | None:
    return None if body is None else _read(body)


@lru_cache(maxsize=4096)
def _read(body: str) -> Person:
    """People change seldom and are read with every message: the same text is the same (frozen) person."""
    return Person.model_validate_json(body)
