"""Somebody says that they are away, or that they are back: kept with the person, for all that is open with them.

The moments of their matters are planned anew in the same transaction. Each initiator hears of an absence once: where it
was said in a matter of theirs through that matter, else in a line of their own, never in words meant for another.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from core.concern import away
from core.concern.changes import report_recipient
from core.concern.decision import Setting
from core.concern.model import Concern
from core.hub.commit import commit
from core.hub.services import Services, everybody
from core.ids import PersonId
from core.ports import Repositories


def goes(
    repos: Repositories,
    services: Services,
    person_id: PersonId,
    until: datetime,
    *,
    since: datetime | None = None,
    said: str | None = None,
    told: Iterable[PersonId | None] = (),
) -> bool:
    """They are away until then (`since`: from then on). `told` hear of it by another way. False where it was known."""
    person = repos.people.get(person_id)
    if person is None or (person.away_until, person.away_from) == (until, since):
        return False
    changed = {"away_until": until, "away_from": since, "away_said": said}
    repos.people.save(person.model_copy(update=changed))
    setting, heard = services.setting(everybody(repos)), {person_id, *told}
    for concern in repos.concerns.open_by_delegate(person_id):
        reader = report_recipient(concern, setting)
        tells = reader is not None and reader.person_id not in heard and away.waits_for(concern, person_id)
        commit(repos, away.planned(concern, person_id, setting, tells=tells))
        if tells and reader is not None:
            heard.add(reader.person_id)
    return True


def is_back(repos: Repositories, services: Services, person_id: PersonId) -> None:
    """They are back, or their word that they go does not count any more: what waited for that waits no longer."""
    person = repos.people.get(person_id)
    if person is None or person.away_until is None:
        return
    there = dict.fromkeys(("away_until", "away_from", "away_said"))
    repos.people.save(person.model_copy(update=there))
    setting = services.setting(everybody(repos))
    for concern in repos.concerns.open_by_delegate(person_id):
        commit(repos, away.returned(concern, person_id, setting))


def readers(concerns: Iterable[Concern], setting: Setting) -> set[PersonId]:
    """Whom reports of these matters go to."""
    found = (report_recipient(c, setting) for c in concerns)
    return {p.person_id for p in found if p is not None}


def waiting_elsewhere(
    repos: Repositories, person_id: PersonId, reader: PersonId, setting: Setting, *, besides: Concern | None = None
) -> int:
    """How many other matters of this reader wait for that person."""
    matters = [
        c for c in repos.concerns.open_by_delegate(person_id) if besides is None or c.concern_id != besides.concern_id
    ]
    return sum(away.waits_for(c, person_id) and readers([c], setting) == {reader} for c in matters)
