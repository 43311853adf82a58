"""The owner or an admin tells that somebody else is away, or back: it holds for all that is open with them.

What is said is kept with the person as their own word would be; the last word counts. Members tell it to no effect:
what is asked of somebody by others is none of theirs.
"""

from __future__ import annotations

from dataclasses import replace

from core.brain.rules.signals.absences import Absences, ToldAway, absences_told
from core.concern.away import reference
from core.facts import FactKind
from core.hub import absent
from core.hub.commit import apply
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.hub.turn import Turn
from core.ids import PersonId
from core.people import INSPECTORS
from core.ports import Repositories


class OthersAway:
    """Looks for absences of others at the beginning of what somebody says who may steer everything."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def told(self, turn: Turn) -> Absences | None:
        """The absences that the words tell; None where they tell of none, or of a return that nobody waits for."""
        if turn.sender.role not in INSPECTORS or turn.fact.forwarded_from is not None:
            return None
        found = absences_told(turn.text, self._services.when_said(turn.fact, turn.sender), turn.contacts)
        told = tuple(t for t in found.told if t.absence is not None or any(_is_away(turn, p) for p in t.people))
        return replace(found, told=told) if told else None

    def alone(self, told: Absences | None) -> Outcome | None:
        """The outcome of words that tell nothing else."""
        return Outcome("converse", "tells that somebody is away or back") if told and not told.rest else None

    @staticmethod
    def without(turn: Turn, told: Absences | None) -> Turn:
        """The turn with what is said beside the absences: a day of return is no day of the order behind it."""
        if told is None:
            return turn
        fact = turn.fact.model_copy(update={"text": told.rest})
        return replace(turn, stored=turn.stored.model_copy(update={"fact": fact, "parts": ()}))

    def beside(self, turn: Turn, told: Absences | None, outcome: Outcome) -> Outcome:
        """The outcome, with what is told of others kept and answered; an edit or a recall takes that back."""
        ref = reference(turn.fact.channel, turn.fact.message_id)
        changed = turn.fact.kind in (FactKind.EDIT, FactKind.RECALL) and ref is not None
        unsaid = [p.person_id for p in turn.people.values() if changed and p.away_said == ref]
        if told is None and not unsaid:
            return outcome

        def keep(repos: Repositories) -> None:
            for person_id in unsaid:
                absent.is_back(repos, self._services, person_id)
            for n, one in enumerate(told.told if told is not None else ()):
                self._keep(repos, turn, one, ref, n)

        if told is not None and outcome.decision == "converse":
            return replace(outcome, keep=keep)  # nothing else is to be answered
        return outcome.and_then(keep)

    def _keep(self, repos: Repositories, turn: Turn, one: ToldAway, ref: str | None, n: int) -> None:
        now, me, gone = self._services.clock.now(), turn.sender.person_id, one.absence
        ids = [PersonId(p) for p in one.people]
        held = 0
        for person_id in ids:
            if gone is None:
                absent.is_back(repos, self._services, person_id)
                continue
            absent.goes(repos, self._services, person_id, gone.until, since=gone.since, said=ref, told=(me,))
            held += absent.waiting_elsewhere(repos, person_id, me, self._services.setting(turn.people))
        said = turn.reply(
            now,
            "chat/away_noted",
            part=f"away{n}",
            names=[turn.people[p].name for p in ids if p in turn.people],
            since=gone.since.isoformat() if gone and gone.since else None,
            from_morning=gone is not None and gone.since is not None and gone.since.hour == 0,
            until=gone.until.isoformat() if gone else None,
            held=held,
        )
        apply(repos, said)


def _is_away(turn: Turn, person_id: str) -> bool:
    person = turn.people.get(PersonId(person_id))
    return person is not None and person.away_until is not None
