"""People who are named by an address on a channel: looked up there, and looked up again each day."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Protocol, runtime_checkable

from bot.settings.people import FeishuContact
from bot.store.repositories import StoreRepositories
from bot.store.unit import PeeweeStore
from core.errors import QinghaiError
from core.ids import PersonId
from core.people import Identity, Person

log = logging.getLogger(__name__)

EVERY = timedelta(days=1)
AGAIN = timedelta(minutes=1)
"""After a failure."""
PATIENCE_S = 10.0
"""The first look at the start: nobody is heard before, so that whoever is named in the first message is known."""


@runtime_checkable
class KnowsPeople(Protocol):
    """A channel that knows people by other marks than the ids of its events."""

    @property
    def name(self) -> str: ...

    async def find(self, wanted: Iterable[FeishuContact]) -> Mapping[PersonId, str]:
        """The user ids of those who are known there. Raises a `QinghaiError`."""
        ...


class Directory:
    """Keeps the user ids of people whom the file names by an address."""

    def __init__(
        self,
        store: PeeweeStore,
        channel: KnowsPeople,
        wanted: Sequence[FeishuContact],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store = store
        self._channel = channel
        self._wanted = tuple(wanted)
        self._sleep = sleep
        self._told: str | None = None

    async def first(self) -> bool:
        """Look once, not for long; whether it went well."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self.look()
        except TimeoutError:
            log.warning("people on %s were not looked up yet: no answer", self._channel.name)
            return False

    async def keep(self, well: bool) -> None:
        """Look again and again until cancelled; `well`: the last look was."""
        while True:
            await self._sleep((EVERY if well else AGAIN).total_seconds())
            well = await self.look()

    async def look(self) -> bool:
        """Look everybody up and keep what was found. What is known of others stays as it was."""
        try:
            found = await self._channel.find(self._wanted)
            await self._store.run(lambda repos: self._keep(repos, found), at="people")
        except QinghaiError as error:
            if str(error) != self._told:
                log.warning("people on %s cannot be looked up: %s", self._channel.name, error)
            self._told = str(error)
            return False
        self._told = None
        missing = [str(contact.person_id) for contact in self._wanted if contact.person_id not in found]
        if missing:
            log.warning("%s does not know %s: check the address, or the app's range", self._channel.name, missing)
        return True

    def _keep(self, repos: StoreRepositories, found: Mapping[PersonId, str]) -> None:
        for person_id, user_id in found.items():
            person = repos.people.get(person_id)
            taken = repos.people.by_identity(self._channel.name, user_id)
            if person is None or (taken is not None and taken.person_id != person_id):
                continue  # whom the file or an invite gives that id has it
            known = met_at(person, self._channel.name, user_id)
            if known != person:
                repos.people.save(known)


def met_at(person: Person, channel: str, user_id: str) -> Person:
    """The person with this one id on a channel, marked as one that no file entry takes away.

    It stands where the file has another id of theirs for that channel, else behind their other channels: which they are
    tried in is the order of the file.
    """
    here = Identity(channel=channel, user_id=user_id, invited=True)
    others = [i for i in person.identities if i.channel != channel or not i.invited]
    placed = [here if i.channel == channel else i for i in others]
    if here not in placed:
        placed.append(here)
    return person.model_copy(update={"identities": tuple(dict.fromkeys(placed))})
