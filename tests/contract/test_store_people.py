"""People are kept whole and found by their identities."""

import pytest

from bot.store import PeeweeStore
from core.errors import ConfigurationError
from core.ids import PersonId
from core.people import InteractionPolicy, Role
from tests.contract.store_samples import LI, OWNER, ZHANG, person


def test_a_person_comes_back_whole(store: PeeweeStore) -> None:
    zhang = person(ZHANG, "张三", ("feishu", "ou_zhang"), ("telegram", "2001")).model_copy(
        update={
            "aliases": ("三哥", "Zhang San"),
            "working_days": ("mon", "tue"),
            "interaction_policy": InteractionPolicy(preferred_channel="feishu", contact_allowed=False),
            "escalation_to": LI,
        }
    )
    store.run_now(lambda repos: repos.people.save(zhang))
    assert store.run_now(lambda repos: repos.people.get(ZHANG)) == zhang
    assert store.run_now(lambda repos: repos.people.by_identity("telegram", "2001")) == zhang


def test_nobody_is_none(store: PeeweeStore) -> None:
    assert store.run_now(lambda repos: repos.people.get(PersonId("p_nobody"))) is None
    assert store.run_now(lambda repos: repos.people.by_identity("telegram", "404")) is None
    assert store.run_now(lambda repos: repos.people.owner()) is None
    assert store.run_now(lambda repos: repos.people.all()) == ()


def test_the_owner_is_found_by_role(store: PeeweeStore) -> None:
    store.run_now(lambda repos: repos.people.save(person(ZHANG, "张三")))
    store.run_now(lambda repos: repos.people.save(person(OWNER, "老板", role=Role.OWNER)))
    owner = store.run_now(lambda repos: repos.people.owner())
    assert owner is not None
    assert owner.person_id == OWNER


def test_everybody_comes_by_person_id(store: PeeweeStore) -> None:
    for person_id in (ZHANG, OWNER, LI):
        store.run_now(lambda repos, p=person_id: repos.people.save(person(p, "某人")))
    everybody = store.run_now(lambda repos: repos.people.all())
    assert [p.person_id for p in everybody] == sorted([ZHANG, OWNER, LI])


def test_saving_again_replaces_words_and_identities(store: PeeweeStore) -> None:
    store.run_now(lambda repos: repos.people.save(person(ZHANG, "张三", ("telegram", "1"), ("feishu", "ou"))))
    store.run_now(lambda repos: repos.people.save(person(ZHANG, "张三丰", ("telegram", "2"), role=Role.MEMBER)))
    found = store.run_now(lambda repos: repos.people.by_identity("telegram", "2"))
    assert found is not None
    assert (found.name, found.role) == ("张三丰", Role.MEMBER)
    assert store.run_now(lambda repos: repos.people.by_identity("telegram", "1")) is None
    assert store.run_now(lambda repos: repos.people.by_identity("feishu", "ou")) is None


def test_an_identity_may_be_entered_twice_for_one_person(store: PeeweeStore) -> None:
    store.run_now(lambda repos: repos.people.save(person(ZHANG, "张三", ("telegram", "1"), ("telegram", "1"))))
    assert store.run_now(lambda repos: repos.people.by_identity("telegram", "1")) is not None


def test_an_identity_belongs_to_one_person(store: PeeweeStore) -> None:
    store.run_now(lambda repos: repos.people.save(person(ZHANG, "张三", ("telegram", "2001"))))
    with pytest.raises(ConfigurationError, match=r"telegram user 2001 .*p_lisi.*p_zhangsan"):
        store.run_now(lambda repos: repos.people.save(person(LI, "李四", ("telegram", "2001"))))
    assert store.run_now(lambda repos: repos.people.get(LI)) is None
