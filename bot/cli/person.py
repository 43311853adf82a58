"""`person export` and `person forget`: what is kept of somebody, and an end to it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from peewee import Database

from bot.cli.start import clock_of
from bot.render import JinjaRenderer
from bot.settings import Settings, hint
from bot.store.database.lock import is_worked_on
from bot.store.person.desk import Desk
from bot.store.person.erasure import (
    UNDER_WAY,
    Whose,
    end_what_waits,
    in_hand,
    remains,
    scrub,
    their_words,
    thinking,
)
from bot.store.person.export import exported
from bot.store.person.marks import Marks, marks_of
from bot.store.repositories import StoreRepositories
from bot.store.repositories.counters import next_number
from core.concern.decision import Setting
from core.deeds import Deed
from core.errors import ConfigurationError
from core.hub.forgetting import let_go
from core.hub.services import everybody
from core.ids import PersonId
from core.people import Person, Role
from core.ports import Clock

ROUNDS = 10
"""What was on its way when it began may write once more; then it is looked through again."""
PAUSE_S = 1.0
THOUGHT_S = 600
"""Seconds after which a bot ends whatever it is at (`bot.runtime.runner.HANGS_S`)."""


def export(settings: Settings, wanted: str) -> None:
    """All that is kept of a person, as JSON. Raises `ConfigurationError` where nobody has this id."""
    with Desk(settings.database_url, settings.persona.name) as desk:
        now = clock_of(settings.database_url).now()

        def look(repos: StoreRepositories, db: Database) -> dict[str, Any]:
            marks = _marks(repos, _person(repos, wanted), "", "")
            _write_down(repos, "export", wanted, now)  # it is kept of them as well
            return exported(db, marks)

        found = desk.unit(look)
    print(json.dumps(found, ensure_ascii=False, indent=2))


def forget(
    settings: Settings, wanted: str, *, clock: Clock | None = None, pause: Callable[[float], None] = time.sleep
) -> None:
    """Erase a person, and say what became of it. Raises `ConfigurationError` for the owner and for an unknown id.

    `clock` and `pause` are for tests.
    """
    with Desk(settings.database_url, settings.persona.name) as desk:
        if not _goes_on(desk, wanted):
            person = desk.unit(lambda repos, db: _person(repos, wanted))
            now = (clock or clock_of(settings.database_url)).now()
            _erase(desk, settings, person, now, pause)
        trouble = desk.compact()
        desk.unit(lambda repos, db: repos.meta.drop(_under_way(wanted)))
        if not desk.truncate_log() and trouble is None:
            trouble = "the log beside the database is still read: run this once more in a moment"
    _tell(settings, wanted, trouble)


def _goes_on(desk: Desk, wanted: str) -> bool:
    """Whether the rows are done already and only what comes after was cut off."""

    def look(repos: StoreRepositories, db: Database) -> bool:
        return repos.people.get(PersonId(wanted)) is None and repos.meta.get(_under_way(wanted)) is not None

    return desk.unit(look)


def _erase(desk: Desk, settings: Settings, person: Person, now: datetime, pause: Callable[[float], None]) -> None:
    if person.role is Role.OWNER:
        raise ConfigurationError(
            f"{person.person_id} is the owner, and the bot is theirs: make somebody else the owner first, "
            "or take the whole database away"
        )
    gone = JinjaRenderer().render("chat/deleted", settings.locale, now=now, timezone=settings.timezone).strip()

    def begin(repos: StoreRepositories, db: Database) -> tuple[Whose, int]:
        setting = Setting(now=now, people=everybody(repos), limits=settings.limits, persona=settings.persona.name)
        alias = repos.meta.get(_under_way(person.person_id)) or f"gone_{next_number(db, 'gone')}"
        repos.meta.set(_under_way(person.person_id), alias)
        ended = let_go(repos, person.person_id, setting, alias)
        whose = Whose(_marks(repos, person, alias, gone))
        end_what_waits(repos, db, whose)
        return Whose(whose.marks.with_words(*their_words(db, whose))), ended

    whose, ended = desk.unit(begin)
    print(f"{person.person_id}: {ended} open matters end or go on without them")
    changed, left, waited = scrub(desk.unit, whose), list[str](), _wait_for_thoughts(desk, settings, pause)
    for _ in range(ROUNDS):
        changed += scrub(desk.unit, whose) if waited else 0
        waited = True
        busy = desk.unit(lambda repos, db: in_hand(db, whose))
        left = remains(desk.unit, whose)
        if not busy and not left:
            break
        pause(PAUSE_S)
    else:
        print(f"still found in {', '.join(left) or 'jobs'}, where the bot is at work: run this once more in a moment")
    print(f"{person.person_id}: {changed} rows changed or taken out")
    desk.unit(lambda repos, db: _write_down(repos, "forget", whose.marks.alias, now))


def _write_down(repos: StoreRepositories, what: str, person_id: str, now: datetime) -> None:
    """For /audit; of somebody who is gone under the id that stands for theirs."""
    repos.deeds.add(Deed(at=now, by=None, how="shell", what=what, person_id=PersonId(person_id)))


def _wait_for_thoughts(desk: Desk, settings: Settings, pause: Callable[[float], None]) -> bool:
    """A bot that thinks has read what stood there before: what it writes then is looked through too. False where nobody
    thinks; a bot that died with something in its hands writes nothing more.
    """
    alive = desk.unit(lambda repos, db: bool(repos.leases.living())) or is_worked_on(settings.database_url)
    left = desk.unit(lambda repos, db: thinking(db)) if alive else frozenset()
    if not left:
        return False
    print(f"the bot is thinking about something: waiting until it has, {THOUGHT_S // 60} minutes at most")
    for _ in range(THOUGHT_S):
        pause(PAUSE_S)
        left &= desk.unit(lambda repos, db: thinking(db))
        if not left:
            break
    return True


def _tell(settings: Settings, wanted: str, trouble: str | None) -> None:
    if trouble:
        print(trouble)
    if any(p.person_id == wanted for p in settings.people) and not settings.sample:
        print(f"{wanted} still stands in {settings.source}: take the entry out, or the next start brings them back")
    print("not within reach: their chats on the channels themselves, backups made before, logs kept elsewhere")


def _under_way(person_id: str) -> str:
    return f"{UNDER_WAY}{person_id}"


def _marks(repos: StoreRepositories, person: Person, alias: str, gone: str) -> Marks:
    return marks_of(person, repos.people.all(), alias, gone)


def _person(repos: StoreRepositories, wanted: str) -> Person:
    person = repos.people.get(PersonId(wanted))
    if person is None:
        known = [str(p.person_id) for p in repos.people.all()]
        raise ConfigurationError(f"nobody has the id {wanted!r}; {hint(wanted, known)}")
    return person
