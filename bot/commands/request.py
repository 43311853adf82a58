"""What a command is given and what it gives back, and the few repositories that it reads beyond `core.ports`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeVar
from zoneinfo import ZoneInfo

from bot.commands.house import Account, Health, House, Leases
from bot.commands.parse import PRESS, Call
from bot.commands.queue import JobChanges, Queue, ReceiptSearch
from core.concern.decision import Setting
from core.concern.model import Concern
from core.deeds import Deed
from core.effects import Button, Words
from core.facts import FactKind
from core.hub.services import Services
from core.hub.turn import Turn
from core.ids import ConcernId, PersonId
from core.people import INSPECTORS, Person
from core.ports import ConcernRepository, Repositories

T = TypeVar("T")

BUTTONS_A_ROW = 4
"""Of short labels."""

LONGEST_DATA = 64
"""Bytes that a button may carry (Telegram's limit)."""

ButtonRow = tuple[Button, ...]


class ConcernSearch(ConcernRepository, Protocol):
    """Concerns with the filters that pages of them need; all that are given must hold."""

    def list(
        self,
        *,
        open_only: bool,
        limit: int,
        offset: int = 0,
        status: str | None = None,
        type: str | None = None,
        person: PersonId | None = None,
        initiator: PersonId | None = None,
        text: str | None = None,
    ) -> tuple[Concern, ...]:
        """Newest first."""
        ...

    def count(
        self,
        *,
        open_only: bool,
        status: str | None = None,
        type: str | None = None,
        person: PersonId | None = None,
        initiator: PersonId | None = None,
        text: str | None = None,
    ) -> int:
        """How many there are."""
        ...


class CommandRepositories(Repositories, Protocol):
    """The repositories of one transaction."""

    @property
    def concerns(self) -> ConcernSearch: ...
    @property
    def jobs(self) -> JobChanges: ...
    @property
    def queue(self) -> Queue: ...
    @property
    def receipts(self) -> ReceiptSearch: ...
    @property
    def health(self) -> Health: ...
    @property
    def leases(self) -> Leases: ...
    @property
    def usage(self) -> Account: ...
    @property
    def me(self) -> str:
        """The name of this process."""
        ...


class CommandStore(Protocol):
    """The unit of work over them."""

    async def run(self, work: Callable[[CommandRepositories], T], *, at: str = "read") -> T:
        """One transaction around `work`."""
        ...


@dataclass(frozen=True)
class Reply:
    """The answer to a command."""

    template: str
    values: dict[str, Any] = field(default_factory=dict)
    buttons: tuple[ButtonRow, ...] = ()
    hidden: tuple[str, ...] = ()
    """Words that are not kept once they are out."""


@dataclass(frozen=True)
class Request:
    """One call by somebody who is known, inside the transaction that answers it."""

    call: Call
    turn: Turn
    repos: CommandRepositories
    services: Services
    house: House

    @property
    def sender(self) -> Person:
        """Who gave the command: their role and relation decide, whatever the text says."""
        return self.turn.sender

    @property
    def words(self) -> str:
        """What stands after the command's name."""
        return self.call.words

    @property
    def now(self) -> datetime:
        """The present on the sender's clock."""
        return self.services.clock.now().astimezone(ZoneInfo(self.sender.timezone))

    @property
    def viewer(self) -> PersonId | None:
        """Whose concerns the sender may see: None is everybody's, else only those that they started."""
        return None if self.sender.role in INSPECTORS else self.sender.person_id

    def did(
        self, outcome: str = "", *, person: PersonId | None = None, concern: ConcernId | None = None, what: str = ""
    ) -> None:
        """Write down that the sender did this: for /audit."""
        pressed = self.turn.fact.kind is FactKind.BUTTON
        deed = Deed(
            at=self.now,
            by=self.sender.person_id,
            how="button" if pressed else "command",
            what=what or self.call.name,
            person_id=person,
            concern_id=concern,
            outcome=outcome,
        )
        self.repos.deeds.add(deed)

    def setting(self) -> Setting:
        """The setting of a decision made now."""
        return self.services.setting(self.turn.people)


def usage(request: Request, problem: str | None = None) -> Reply:
    """How the command is written; `problem` is a word of the template for what was wrong."""
    return Reply("commands/usage", {"name": request.call.name, "problem": problem})


def press(line: str, label: Words) -> ButtonRow:
    """A button that gives the command of `line`; none where the line is too long for a button."""
    data = PRESS + line
    return (Button(label=label, data=data),) if len(data.encode()) <= LONGEST_DATA else ()
