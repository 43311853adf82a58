"""Which open matters an event bears on, and whose part of it: what can be told by words, people and names of branches."""

from typing import Any

import pytest

from core.concern.matching import Fit, best_fitting, fit, leading, part_shown, terms_in, terms_of
from core.concern.model import CommStatus, Concern, ConcernType, Relay, Status
from core.facts import Event
from tests.contract.store_samples import LI, NOW, ZHANG, concern


def event(subject: str, **more: Any) -> Event:
    return Event(source="gitlab", kind="merge_request", action="merged", subject=subject, **more)


def matter(number: int, title: str, *asked: Any, detail: str = "", **more: Any) -> Concern:
    one = concern(number, *asked, title=title, goal=f"张三办好：{title}", **more)
    people = tuple(p.model_copy(update={"comm_status": CommStatus.WAITING_REPLY}) for p in one.people)
    source = one.source.model_copy(update={"detail": detail or title})
    return one.model_copy(update={"source": source, "people": people})


PAYMENT = matter(1, "v2.0 支付模块提测", ZHANG)
LOGIN = matter(2, "v2.0 登录页提测", LI)


@pytest.mark.parametrize(
    ("happened", "how"),
    [
        (event("v2.0 支付模块提测"), Fit.CLEAR),
        (event("支付模块 v2.0 已提测"), Fit.CLEAR),
        (event("v2.0 文档"), Fit.SPEAKS),
        (event("支付模块提测"), Fit.SPEAKS),
        (event("修错别字", text="顺便看了支付"), Fit.SPEAKS),
        (event("修错别字"), Fit.NOT),
    ],
)
def test_how_well_an_event_fits_a_matter(happened: Event, how: Fit) -> None:
    assert fit(happened, PAYMENT) is how


@pytest.mark.parametrize(
    ("detail", "more", "how"),
    [
        ("看 feature/pay 这个分支", {"branch": "feature/pay"}, Fit.NAMED),
        ("看 FEATURE/Pay 这个分支", {"branch": "feature/pay"}, Fit.NAMED),
        ("看 feature/payment 这个分支", {"branch": "feature/pay"}, Fit.NOT),
        ("shop/web 的事", {"project": "shop/web"}, Fit.NAMED),
        ("合到 main 上", {"branch": "main"}, Fit.NOT),
    ],
)
def test_a_project_or_a_branch_that_the_matter_names(detail: str, more: dict[str, str], how: Fit) -> None:
    assert fit(event("改了些东西", **more), matter(1, "登录报错", detail=detail)) is how


@pytest.mark.parametrize(
    "changes",
    [
        {"status": Status.RESOLVED},
        {"type": ConcernType.SCHEDULE},
        {"relay": Relay.TOLD},
    ],
)
def test_what_no_event_can_meet(changes: dict[str, Any]) -> None:
    assert fit(event("v2.0 支付模块提测"), PAYMENT.model_copy(update=changes)) is Fit.NOT


def test_the_matter_of_the_person_goes_before_another_that_fits_as_well() -> None:
    both = (matter(1, "支付模块提测", ZHANG), matter(2, "支付模块提测", LI))
    assert best_fitting(event("支付模块提测"), LI, both) == both[1:]
    assert best_fitting(event("支付模块提测"), None, both) == both


def test_a_matter_that_is_clearly_meant_goes_before_one_of_the_person_that_has_a_word_of_it() -> None:
    assert best_fitting(event("v2.0 支付模块提测"), LI, (PAYMENT, LOGIN)) == (PAYMENT,)


def test_a_word_in_common_is_not_enough_without_the_person() -> None:
    assert best_fitting(event("v2.0 文档"), None, (PAYMENT, LOGIN)) == ()
    assert best_fitting(event("v2.0 文档"), ZHANG, (PAYMENT, LOGIN)) == (PAYMENT,)


def test_whose_part_it_is() -> None:
    two = matter(1, "提测", ZHANG, LI)
    assert part_shown(two, LI) == LI
    assert part_shown(two, None) is None
    done = tuple(p.model_copy(update={"comm_status": CommStatus.DONE}) if p.person_id == LI else p for p in two.people)
    assert part_shown(two.model_copy(update={"people": done}), None) == ZHANG


def test_words_of_an_event_and_of_a_matter_are_cut_alike() -> None:
    happened = event("支付", branch="feature/v2.0-payment", project="shop/pay")
    assert {"v2.0", "payment", "shop", "pay", "支付"} <= set(terms_in(happened))
    assert set(terms_in(event("v2.0 支付模块提测"))) == terms_of(PAYMENT)
    assert terms_of(PAYMENT.model_copy(update={"status": Status.DROPPED, "closed_at": NOW})) == frozenset()


def test_the_head_line_leads_before_the_rest_and_there_is_an_end_to_it() -> None:
    terms = leading("v2.0 支付", " ".join(f"word{n}" for n in range(99)))
    assert terms[:2] == ("v2.0", "支付")
    assert len(terms) == 40
