"""What somebody's words are held against, where they have very many open matters."""

from collections.abc import Iterator

import pytest

from bot.store import PeeweeStore
from core.concern.decision import Decision
from core.concern.model import Concern
from core.hub import known
from core.hub.commit import commit
from core.hub.known import Known
from core.ids import PersonId
from core.people import Role
from tests.contract.store_samples import LI, OWNER, ZHANG, concern, person

WANG = PersonId("p_wangwu")
PEOPLE = {p.person_id: p for p in (person(OWNER, "老板", role=Role.OWNER), person(ZHANG, "张三"), person(WANG, "王五"))}


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[PeeweeStore]:
    """Six matters of the owner: of four only two are read without being pointed to."""
    monkeypatch.setattr(known, "MOST_READ", 2)
    made = PeeweeStore("sqlite:///:memory:", inline=True)
    for number, who, what in (
        (1, LI, "合同"),
        (2, LI, "样机"),
        (3, ZHANG, "周报"),
        (4, ZHANG, "样机"),
        (5, ZHANG, "支付模块"),
        (6, WANG, "发票"),
    ):
        one = concern(number, who, title=what, goal=f"办好：{what}")
        one = one.model_copy(update={"source": one.source.model_copy(update={"detail": what})})
        made.run_now(lambda repos, c=one: commit(repos, Decision(c), new=True))
    yield made
    made.close()


def read(store: PeeweeStore, who: PersonId, text: str) -> list[str]:
    def work(repos: object) -> tuple[Concern, ...]:
        mine = Known(repos, PEOPLE, PEOPLE[who])  # type: ignore[arg-type]
        return mine.started(text) if who == OWNER else mine.asked(text)

    return [c.title for c in store.run_now(work)]


def test_of_very_many_those_in_front_are_read(store: PeeweeStore) -> None:
    assert read(store, OWNER, "在吗") == ["合同", "样机"]


def test_and_those_that_the_words_point_to(store: PeeweeStore) -> None:
    assert read(store, OWNER, "支付模块不用问了") == ["合同", "样机", "支付模块"]


def test_and_those_of_whoever_is_named(store: PeeweeStore) -> None:
    assert read(store, OWNER, "王五那边怎么样了") == ["合同", "样机", "发票"]


def test_a_delegate_s_words_point_as_well_but_only_to_what_they_are_asked(store: PeeweeStore) -> None:
    assert read(store, ZHANG, "好的") == ["样机", "支付模块"]
    assert read(store, ZHANG, "周报好了") == ["周报", "样机", "支付模块"]
    assert read(store, ZHANG, "合同好了") == ["样机", "支付模块"]
