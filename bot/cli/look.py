"""`concerns`, `concern`, `agenda`: a look at the database, also while the bot runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal, TypeVar

from bot.cli.start import clock_of
from bot.commands import agenda, views
from bot.commands.why import judgement_json
from bot.render import JinjaRenderer
from bot.settings import Settings
from bot.store import PeeweeStore
from bot.store.repositories import StoreRepositories

Form = Literal["text", "json"]
T = TypeVar("T")

ALL = 1_000_000


def show_concerns(settings: Settings, *, closed_too: bool, form: Form) -> None:
    """All open concerns (or all there are), newest first."""

    def as_json(repos: StoreRepositories, now: datetime) -> list[dict[str, Any]]:
        return [c.to_json() for c in repos.concerns.list(open_only=not closed_too, limit=ALL)]

    def as_text(repos: StoreRepositories, now: datetime) -> str:
        return views.concerns_text(repos, JinjaRenderer(), settings.locale, now, open_only=not closed_too)

    _show(settings, form, as_json, as_text)


def show_concern(settings: Settings, wanted: str, *, form: Form) -> None:
    """One concern whole. Raises `QinghaiError` when it is not there or not clear."""

    def as_json(repos: StoreRepositories, now: datetime) -> dict[str, Any]:
        found = views.the_concern(repos, now, wanted)
        return {**found.to_json(), "judgement": judgement_json(repos, found)}

    def as_text(repos: StoreRepositories, now: datetime) -> str:
        return views.concern_text(repos, JinjaRenderer(), settings.locale, now, wanted)

    _show(settings, form, as_json, as_text)


def show_agenda(settings: Settings, *, form: Form) -> None:
    """What matters now, in the owner's eyes."""

    def as_text(repos: StoreRepositories, now: datetime) -> str:
        return agenda.agenda_text(repos, JinjaRenderer(), settings.locale, now)

    _show(settings, form, agenda.agenda_json, as_text)


def _show(
    settings: Settings,
    form: Form,
    as_json: Callable[[StoreRepositories, datetime], Any],
    as_text: Callable[[StoreRepositories, datetime], str],
) -> None:
    now = clock_of(settings.database_url).now()
    store = PeeweeStore(settings.database_url, inline=True)
    try:
        if form == "json":
            found = store.run_now(lambda repos: as_json(repos, now))
            print(json.dumps(found, ensure_ascii=False, indent=2))
        else:
            print(store.run_now(lambda repos: as_text(repos, now)))
    finally:
        store.close()
