"""The state machine: every row of the table in RULES 3, and that nothing else is allowed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.concern.changes import logged
from core.concern.machine import TABLE, Event, mermaid, started, transition
from core.concern.model import Concern, LogEntry, Status
from core.concern.opening import open_concern
from core.errors import IllegalTransition
from tests.unit.concern_desk import MONDAY, ZHANG, people, proposal, setting

LATER = MONDAY + timedelta(hours=1)
OPEN = ("pending", "in_progress", "waiting_reply", "escalated")

ROWS = [
    (("pending", "waiting_reply", "escalated"), Event.STARTED, "in_progress"),
    (("in_progress",), Event.CONTACTED, "waiting_reply"),
    (("in_progress",), Event.FOLLOWED_UP, "waiting_reply"),
    (("in_progress",), Event.ASKED_INITIATOR, "waiting_reply"),
    (("in_progress",), Event.WAITED, "waiting_reply"),
    (("in_progress",), Event.RUN_DONE, "pending"),
    (("in_progress",), Event.ESCALATED, "escalated"),
    (("in_progress", "escalated"), Event.RESOLVED, "resolved"),
    (OPEN, Event.DROPPED, "dropped"),
]
LEGAL = {(Status(source), event): Status(target) for sources, event, target in ROWS for source in sources}


def concern_in(status: Status) -> Concern:
    concern = open_concern(proposal(people()[ZHANG]), setting()).concern
    return concern.model_copy(update={"status": status})


def test_a_raised_concern_is_pending() -> None:
    assert open_concern(proposal(people()[ZHANG]), setting()).concern.status is Status.PENDING


@pytest.mark.parametrize(("status", "event"), LEGAL)
def test_a_legal_event_moves_the_concern_and_writes_the_timeline(status: Status, event: Event) -> None:
    before = concern_in(status)
    after = transition(before, event, LATER, "因为")
    assert after.status is LEGAL[status, event]
    assert after.timeline[:-1] == before.timeline
    assert (after.timeline[-1].ts, after.timeline[-1].type, after.timeline[-1].detail) == (LATER, event, "因为")
    assert after.closed_at == (None if after.status.is_open else LATER)


@given(status=st.sampled_from(list(Status)), event=st.sampled_from(list(Event)))
def test_any_other_pair_is_refused_and_changes_nothing(status: Status, event: Event) -> None:
    before = concern_in(status)
    untouched = before.model_dump_json()
    if (status, event) in LEGAL:
        transition(before, event, LATER)
    else:
        with pytest.raises(IllegalTransition, match=f"{event}.*{status}"):
            transition(before, event, LATER)
    assert before.model_dump_json() == untouched


def test_the_table_has_the_rows_of_the_rules_and_no_more() -> None:
    assert {(source, event): target for event, rules in TABLE.items() for source, target in rules.items()} == LEGAL


@pytest.mark.parametrize("status", [Status.RESOLVED, Status.DROPPED])
def test_what_is_closed_stays_closed(status: Status) -> None:
    for event in Event:
        with pytest.raises(IllegalTransition):
            transition(concern_in(status), event, LATER)


def test_work_that_is_under_way_is_not_begun_again() -> None:
    concern = concern_in(Status.IN_PROGRESS)
    assert started(concern, LATER) is concern
    assert started(concern_in(Status.PENDING), LATER).status is Status.IN_PROGRESS


def test_the_diagram_has_an_arrow_for_every_legal_pair() -> None:
    lines = mermaid().splitlines()
    assert lines[0] == "stateDiagram-v2"
    assert "    [*] --> pending: raised" in lines
    for (source, event), target in LEGAL.items():
        arrow = next(line for line in lines if line.startswith(f"    {source} --> {target}: "))
        assert event in arrow.partition(": ")[2].split(", ")
    assert sum(" --> " in line for line in lines) == len({(s, t) for (s, _), t in LEGAL.items()}) + 3


@given(st.permutations(range(6)))
def test_the_conversation_log_is_in_the_order_of_time_however_it_arrives(order: list[int]) -> None:
    concern = concern_in(Status.WAITING_REPLY)
    for minute in order:
        entry = LogEntry(
            person_name="张三",
            person_id=ZHANG,
            direction="inbound",
            text=str(minute),
            channel="feishu",
            ts=MONDAY + timedelta(minutes=minute),
        )
        concern = logged(concern, entry)
    assert [e.text for e in concern.conversation_log] == [str(n) for n in range(6)]


def test_the_json_form_has_the_fields_of_the_concern_document() -> None:
    concern = open_concern(proposal(people()[ZHANG]), setting()).concern
    form = concern.to_json()
    wanted = (
        "concern_id type status priority title goal source people timeline conversation_log next_action delegation"
    ).split()
    assert list(form)[: len(wanted)] == wanted
    assert form["source"]["initiator"]["channel_user_id"] == "1001"
    assert [p["role_in_concern"] for p in form["people"]] == ["发起者", "当事人"]
    assert form["people"][1]["comm_status"] == "to_contact"
    assert form["timeline"][0]["type"] == "discovered"
    assert form["timeline"][0]["ts"].endswith("+08:00")
    assert form["next_action"]["what"] == "联系张三"
    assert "trigger" not in form
    assert "executions" not in form
