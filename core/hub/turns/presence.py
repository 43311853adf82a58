"""What a delegate's words say of their being away or back; it holds for all that is open with them."""

from __future__ import annotations

from collections.abc import Sequence

from core.brain.rules.replies.away import Absence, absence, is_back, says_only_back
from core.brain.rules.replies.pass_on import passed_on
from core.concern.away import reference
from core.concern.model import Concern
from core.facts import FactKind, Signal, SignalKind
from core.hub import absent
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.turn import Turn
from core.ids import PersonId
from core.people import Person
from core.ports import Repositories


class Presence:
    """Looks for an absence in what somebody says, and keeps it together with what else their words bring about."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def after(
        self,
        turn: Turn,
        outcome: Outcome,
        heard: Sequence[Concern],
        *,
        told: Sequence[PersonId] = (),
    ) -> Outcome:
        """The outcome with their absence, or their return, kept too. The initiators of `heard` learn of it there,
        `told` have read it; everybody else who waits for them gets a line.
        """
        found, fact, me = self._absence(turn), turn.fact, turn.sender
        ref = reference(fact.channel, fact.message_id)
        unsaid = fact.kind in (FactKind.EDIT, FactKind.RECALL) and ref is not None and me.away_said == ref
        if found is None:
            over = unsaid or (me.away_until is not None and _is_said(turn) and is_back(turn.text))
            return (
                outcome.and_then(lambda repos: absent.is_back(repos, self._services, me.person_id)) if over else outcome
            )

        def keep(repos: Repositories) -> None:
            if unsaid:
                absent.is_back(repos, self._services, me.person_id)
            read_there = absent.readers(heard, self._services.setting(turn.people))
            absent.goes(
                repos,
                self._services,
                me.person_id,
                found.until,
                since=found.since,
                said=ref,
                told=(*read_there, *told),
            )

        signal = Signal(kind=SignalKind.ABSENCE, what=turn.text, person_id=me.person_id, when=found.until)
        return outcome.and_then(keep).lifting(signal)

    def is_all_that(self, turn: Turn) -> bool:
        """Whether the words say that they come or go, and are about no single matter."""
        return self._absence(turn) is not None or (_is_said(turn) and says_only_back(turn.text))

    def waiting(self, repos: Repositories, turn: Turn, reader: Person) -> int:
        """How many matters of the reader wait for them now that they go; 0 where the words say nothing of the kind."""
        if self._absence(turn) is None:
            return 0
        setting = self._services.setting(turn.people)
        return absent.waiting_elsewhere(repos, turn.sender.person_id, reader.person_id, setting)

    def _absence(self, turn: Turn) -> Absence | None:
        if not _is_said(turn):
            return None
        others = [n for p in turn.people.values() if p.person_id != turn.sender.person_id for n in (p.name, *p.aliases)]
        when = self._services.when_said(turn.fact, turn.sender)
        return absence(passed_on(turn.text, " ".join(others)), when, others)


def _is_said(turn: Turn) -> bool:
    """Their own words, and not ones that they pass on or take back."""
    return turn.fact.forwarded_from is None and turn.fact.kind in (FactKind.MESSAGE, FactKind.EDIT)
