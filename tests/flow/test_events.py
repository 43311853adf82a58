"""Events that bear on a matter: what is kept with the judgement, and whose matters are looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from core.concern.model import Concern
from core.facts import Event, Fact, FactKind, Judged, Signal, SignalKind
from core.ids import ConversationId, FactId, PersonId
from tests.flow.office import Office

ZHANG = PersonId("p_zhangsan")


@pytest.fixture
def office() -> Iterator[Office]:
    made = Office()
    yield made
    made.close()


def happens(office: Office, subject: str, action: str = "merged", *, event_id: str = "d1", text: str = "") -> Event:
    """Something of 张三's at the source."""
    event = Event(
        source="gitlab",
        kind="merge_request",
        action=action,
        subject=subject,
        text=text,
        actor="Zhang San",
        accounts=("gitlab:zhangsan",),
    )
    fact = Fact(
        channel="gitlab",
        event_id=event_id,
        kind=FactKind.EVENT,
        occurred_at=office.clock.now(),
        conversation=ConversationId("gitlab:shop"),
        person_id=ZHANG,
        text=event.line,
        event=event,
    )
    office.happens(fact)
    return event


def judged(office: Office) -> Judged:
    """The last judgement."""

    def read(repos: Any) -> Judged:
        found = [repos.facts.judged(FactId(number)) for number in range(1, 50)]
        return [j for j in found if j is not None][-1]

    return office.look(read)


def matter(office: Office) -> Concern:
    office.say("p_owner", "让张三把 v2.0 提测")
    return office.concerns()[0]


@pytest.mark.parametrize(
    ("action", "kinds"),
    [
        ("merged", [SignalKind.EVIDENCE]),
        ("opened", [SignalKind.EVIDENCE]),
        ("failed", [SignalKind.EVIDENCE, SignalKind.BLOCKER]),
    ],
)
def test_what_it_tells_is_kept_with_its_judgement(office: Office, action: str, kinds: list[SignalKind]) -> None:
    concern_id = matter(office).concern_id
    event = happens(office, "v2.0 提测", action)
    told = judged(office)
    assert told.decision == "supplement"
    assert told.signals == tuple(
        Signal(kind=kind, what=event.line, person_id=ZHANG, concern_id=concern_id) for kind in kinds
    )


def test_what_bears_on_nothing_tells_nothing(office: Office) -> None:
    matter(office)
    happens(office, "换了首页的图", "failed")
    assert (judged(office).decision, judged(office).signals) == ("ignore", ())


def test_who_did_it_at_the_source_is_not_kept_in_the_matter(office: Office) -> None:
    matter(office)
    happens(office, "v2.0 提测", "opened")
    (shown,) = office.concerns()[0].evidence
    assert (shown.about, shown.event.actor, shown.event.accounts) == (ZHANG, "", ())
    assert shown.event.subject == "v2.0 提测"


def test_a_word_at_the_end_of_a_long_text_finds_the_matters_of_the_person(office: Office) -> None:
    matter(office)
    happens(office, "整理", "opened", text=" ".join(f"module{n}" for n in range(99)) + " 顺便准备提测")
    assert judged(office).decision == "supplement"
