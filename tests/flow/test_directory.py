"""People whom the file names by an address: their user id is looked up, kept, and looked up again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta

import pytest

from bot.app import _load_people
from bot.runtime import directory
from bot.runtime.directory import AGAIN, EVERY, Directory
from bot.settings import build_settings
from bot.settings.people import FeishuContact
from bot.store import PeeweeStore
from core.errors import TransientDeliveryError
from core.ids import PersonId
from core.people import Person

FILE = build_settings(
    {
        "owner": {"id": "p_owner", "name": "老板", "feishu": "ou_owner"},
        "people": [
            {"id": "p_zs", "name": "张三", "telegram": "2001", "feishu_email": "zs@x.cn"},
            {"id": "p_ls", "name": "李四", "feishu": "on_lisi"},
        ],
    },
    "the test",
)


class Feishu:
    """Knows whom the test says."""

    name = "feishu"

    def __init__(self, found: dict[str, str] | None) -> None:
        self.found = found
        self.asked = 0

    async def find(self, wanted: Iterable[FeishuContact]) -> Mapping[PersonId, str]:
        self.asked += 1
        if self.found is None:
            raise TransientDeliveryError("away")
        return {PersonId(key): user_id for key, user_id in self.found.items()}


@pytest.fixture
def store() -> Iterator[PeeweeStore]:
    it = PeeweeStore("sqlite:///:memory:", inline=True)
    it.run_now(lambda repos: _load_people(repos, FILE.people))
    yield it
    it.close()


def person(store: PeeweeStore, person_id: str) -> Person:
    found = store.run_now(lambda repos: repos.people.get(PersonId(person_id)))
    assert found is not None
    return found


def made(store: PeeweeStore, feishu: Feishu) -> Directory:
    return Directory(store, feishu, FILE.feishu_contacts)


def test_who_is_named_by_address_or_by_another_id_is_looked_up() -> None:
    assert [(c.person_id, c.user_id, c.email) for c in FILE.feishu_contacts] == [
        ("p_zs", None, "zs@x.cn"),
        ("p_ls", "on_lisi", None),
    ]


async def test_what_was_found_is_kept_also_when_the_file_is_read_again(store: PeeweeStore) -> None:
    assert await made(store, Feishu({"p_zs": "ou_zs", "p_ls": "ou_ls"})).first()
    store.run_now(lambda repos: _load_people(repos, FILE.people))
    for _ in range(2):
        assert person(store, "p_zs").user_id_on("feishu") == "ou_zs"
        await made(store, Feishu({"p_zs": "ou_zs", "p_ls": "ou_ls"})).look()
    assert person(store, "p_zs").channels() == ("telegram", "feishu")
    assert (person(store, "p_zs").user_id_on("feishu"), person(store, "p_ls").user_id_on("feishu")) == (
        "ou_zs",
        "ou_ls",
    )
    assert store.run_now(lambda repos: repos.people.by_identity("feishu", "ou_ls")) == person(store, "p_ls")


async def test_a_new_id_takes_the_place_of_the_old_one(store: PeeweeStore) -> None:
    feishu = Feishu({"p_zs": "ou_zs"})
    await made(store, feishu).look()
    feishu.found = {"p_zs": "ou_new"}
    await made(store, feishu).look()
    assert [i.user_id for i in person(store, "p_zs").identities] == ["2001", "ou_new"]


async def test_an_id_that_is_somebody_else_s_stays_theirs(store: PeeweeStore) -> None:
    await made(store, Feishu({"p_zs": "ou_owner"})).look()
    assert person(store, "p_zs").user_id_on("feishu") is None
    assert person(store, "p_owner").user_id_on("feishu") == "ou_owner"


async def test_a_failure_leaves_everybody_as_they_were(store: PeeweeStore) -> None:
    feishu = Feishu({"p_zs": "ou_zs"})
    it = made(store, feishu)
    await it.look()
    feishu.found = None
    assert not await it.look()
    feishu.found = {}
    assert await it.look()
    assert person(store, "p_zs").user_id_on("feishu") == "ou_zs"


async def test_it_looks_again_each_day_and_soon_after_a_failure(store: PeeweeStore) -> None:
    feishu, waits = Feishu(None), list[float]()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            feishu.found = {}
        if len(waits) == 5:
            await asyncio.Event().wait()

    keeping = asyncio.create_task(Directory(store, feishu, FILE.feishu_contacts, sleep).keep(False))
    while len(waits) < 5:
        await asyncio.sleep(0)
    keeping.cancel()
    assert [timedelta(seconds=s) for s in waits] == [AGAIN, AGAIN, AGAIN, EVERY, EVERY]


async def test_the_first_look_does_not_hold_up_the_start(store: PeeweeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "PATIENCE_S", 0.01)

    class Hangs(Feishu):
        async def find(self, wanted: Iterable[FeishuContact]) -> Mapping[PersonId, str]:
            await asyncio.Event().wait()
            raise AssertionError

    assert not await made(store, Hangs({})).first()
