"""Finding people on Feishu: by mail address, telephone or another id to the open_id by which events name them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any

from bot.channels.feishu.api import Api
from bot.channels.feishu.errors import NO_SCOPE, Refused
from bot.channels.feishu.ids import receive_id_type
from bot.settings.people import FeishuContact
from core.errors import ConfigurationError
from core.ids import PersonId

Json = dict[str, Any]

_AT_ONCE = 50
"""Addresses that the server looks up in one request."""

_NO_SCOPE = (
    "the app may not look people up: give it contact:user.id:readonly (and contact:contact.base:readonly for ids other "
    "than open_id), and a contact range with everybody in it, in the developer console"
)


async def find(api: Api, wanted: Iterable[FeishuContact]) -> dict[PersonId, str]:
    """The open_id of each person who is known there.

    Raises `ConfigurationError` when the app may not look, and what `Api.call` raises.
    """
    people = tuple(wanted)
    mails = tuple(dict.fromkeys(p.email for p in people if p.email))
    mobiles = tuple(dict.fromkeys(p.mobile for p in people if p.mobile))
    try:
        at = {address: open_id async for address, open_id in _by_address(api, mails, mobiles)}
        found = {}
        for person in people:
            by_id = await _by_id(api, person.user_id) if person.user_id else None
            open_id = by_id or at.get(person.email or "") or at.get(person.mobile or "")
            if open_id is not None:
                found[person.person_id] = open_id
    except Refused as error:
        if error.code in NO_SCOPE:
            raise ConfigurationError(_NO_SCOPE) from None
        raise
    return found


async def _by_address(api: Api, mails: Sequence[str], mobiles: Sequence[str]) -> AsyncIterator[tuple[str, str]]:
    for some_mails, some_mobiles in _batches(mails, mobiles):
        answer = await api.call(
            "POST",
            "/open-apis/contact/v3/users/batch_get_id",
            {"emails": some_mails, "mobiles": some_mobiles},
            queries=[("user_id_type", "open_id")],
        )
        for entry in answer.get("user_list") or ():
            if entry.get("user_id"):
                for address in _meant(entry, some_mails, some_mobiles):
                    yield address, str(entry["user_id"])


async def _by_id(api: Api, address: str) -> str | None:
    try:
        answer = await api.call(
            "GET",
            f"/open-apis/contact/v3/users/{address}",
            queries=[("user_id_type", receive_id_type(address))],
        )
    except Refused as error:
        if error.code in NO_SCOPE:
            raise
        return None  # there is no such person, or not in the app's range
    return str(answer["user"]["open_id"])


def _batches(mails: Sequence[str], mobiles: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    for start in range(0, max(len(mails), len(mobiles)), _AT_ONCE):
        yield list(mails[start : start + _AT_ONCE]), list(mobiles[start : start + _AT_ONCE])


def _meant(entry: Json, mails: Sequence[str], mobiles: Sequence[str]) -> Iterator[str]:
    """Whom of those asked for an answer is about; numbers may come back with their country."""
    yield from (mail for mail in mails if mail.lower() == str(entry.get("email", "")).lower())
    number = str(entry.get("mobile", "")).lstrip("+")
    yield from (mobile for mobile in mobiles if number and mobile.lstrip("+") in (number, number.removeprefix("86")))
