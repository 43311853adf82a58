"""Storage: all repositories, and one transaction around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from core.ports.records import (
    AgendaRepository,
    BlockRepository,
    CallbackRepository,
    ConcernRepository,
    DeedRepository,
    InviteRepository,
    PeopleRepository,
)
from core.ports.traffic import FactRepository, JobRepository, ReceiptRepository

T = TypeVar("T")


class Repositories(Protocol):
    """All of them, inside one transaction."""

    @property
    def facts(self) -> FactRepository: ...
    @property
    def people(self) -> PeopleRepository: ...
    @property
    def concerns(self) -> ConcernRepository: ...
    @property
    def agenda(self) -> AgendaRepository: ...
    @property
    def jobs(self) -> JobRepository: ...
    @property
    def receipts(self) -> ReceiptRepository: ...
    @property
    def blocks(self) -> BlockRepository: ...
    @property
    def callbacks(self) -> CallbackRepository: ...
    @property
    def invites(self) -> InviteRepository: ...
    @property
    def deeds(self) -> DeedRepository: ...


class Store(Protocol):
    """The unit of work."""

    async def run(self, work: Callable[[Repositories], T], *, at: str = "read") -> T:
        """One transaction around `work`: all of it is kept, or nothing. `at` names the place, for tests of crashes."""
        ...
