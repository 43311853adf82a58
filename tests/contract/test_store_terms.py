"""Open matters are found by their words; what is read for a fact has an end, whatever the store holds."""

from bot.store import PeeweeStore
from bot.store.repositories import terms as table
from core.concern.decision import Decision
from core.concern.matching import leading
from core.concern.model import Concern, Status
from core.hub.commit import commit
from tests.contract.store_samples import HOUR, LI, NOW, OWNER, ZHANG, concern
from tests.contract.test_store_concerns import change, ids, keep


def speaking(store: PeeweeStore, text: str, limit: int = 9) -> list[int]:
    return ids(store.run_now(lambda repos: repos.concerns.speaking_of(leading(text), limit)))


def about(number: int, what: str) -> Concern:
    return concern(number, title=what, goal=f"张三办好：{what}")


def test_open_matters_are_found_by_their_words(store: PeeweeStore) -> None:
    keep(store, about(1, "v2.0 支付模块提测"), about(2, "登录页改版"))
    assert speaking(store, "支付模块合并了") == [1]
    assert speaking(store, "登录页好了") == [2]
    assert speaking(store, "食堂的菜单") == []


def test_the_words_follow_the_matter(store: PeeweeStore) -> None:
    first = about(1, "v2.0 支付模块")
    keep(store, first)
    changed = change(store, first, title="登录页", goal="张三办好：登录页")
    assert (speaking(store, "支付模块"), speaking(store, "登录页")) == ([], [1])
    change(store, changed, status=Status.RESOLVED, closed_at=NOW)
    assert speaking(store, "登录页") == []
    held = store.run_now(lambda repos: table._TERMS.rows(store._db, concern_id=first.concern_id))
    assert held == []


def test_those_with_the_most_words_go_first(store: PeeweeStore) -> None:
    keep(store, about(1, "v2.0 文档"), about(2, "v2.0 支付"), about(3, "v2.0 登录"), about(4, "支付对账"))
    assert speaking(store, "v2.0 支付")[0] == 2
    assert set(speaking(store, "v2.0 支付")) == {1, 2, 3, 4}


def test_the_rarest_words_lead_where_there_are_too_many(store: PeeweeStore) -> None:
    keep(store, *(about(n, "v2.0 文档") for n in range(1, 9)), about(9, "支付对账"))
    assert speaking(store, "v2.0 支付", limit=4) == [9]
    assert len(speaking(store, "v2.0", limit=4)) == 4


def test_the_words_of_many_candidates_are_all_weighed(store: PeeweeStore) -> None:
    last = 2 * table._AT_ONCE + 1
    keep(store, *(about(n, "v2.0 文档") for n in range(1, last)), about(last, "v2.0 支付"))
    assert speaking(store, "v2.0 支付", limit=last) == [last, *range(1, last)]


def test_a_word_that_very_many_hold_leads_nowhere(store: PeeweeStore) -> None:
    many = table.COMMON + 1
    keep(store, *(about(n, "v2.0 提测") for n in range(1, many)), about(many, "v2.0 支付"))
    assert speaking(store, "v2.0") == []
    assert speaking(store, "v2.0 支付") == [many]


def test_of_very_many_that_ask_somebody_the_newest_are_read(store: PeeweeStore) -> None:
    keep(store, *(concern(n, ZHANG if n % 2 else LI) for n in range(1, 9)))
    assert ids(store.run_now(lambda repos: repos.concerns.open_by_delegate(ZHANG, 2))) == [5, 7]
    assert ids(store.run_now(lambda repos: repos.concerns.open_by_delegate(ZHANG, 9))) == [1, 3, 5, 7]


def test_of_very_many_that_somebody_started_those_in_front_are_read(store: PeeweeStore) -> None:
    early, late = concern(1), concern(2)
    urgent = concern(3, deadline=NOW + HOUR)
    for each in (early, late, urgent):
        store.run_now(lambda repos, c=each: commit(repos, Decision(c), new=True))
    assert ids(store.run_now(lambda repos: repos.concerns.open_by_initiator(OWNER, 3))) == [1, 2, 3]
    assert ids(store.run_now(lambda repos: repos.concerns.open_by_initiator(OWNER, 2))) == [1, 3]
