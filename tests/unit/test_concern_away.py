"""A delegate is away: nothing is started towards them before they are back, save what is critical (RULES 4)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.concern import away, merging, opening
from core.concern.changes import with_comm, with_state
from core.concern.followup import hours, next_follow_up
from core.concern.followup import opening as first_moment
from core.concern.holding import hold_until
from core.concern.model import Attitude, CommStatus, Concern, DelegateState, Priority, Relay
from core.concern.planning import plan
from core.effects import BOT_STARTED, TO_DELEGATES, Hasten, Outgoing, Purpose, Send, Words
from core.ids import PersonId
from core.limits import Limits
from core.people import Person, updated
from tests.unit.concern_desk import LI, MONDAY, ZHANG, people, proposal, setting

H = timedelta(hours=1)
THURSDAY = MONDAY.replace(hour=9) + timedelta(days=3)
GONE = {"away_until": THURSDAY}


def directory(**changes: object) -> dict[PersonId, Person]:
    return people(zhangsan=GONE | changes)


def concern(priority: Priority = Priority.MEDIUM, **more: object) -> Concern:
    return opening.open_concern(proposal(people()[ZHANG], priority=priority, **more), setting()).concern


def message(purpose: Purpose) -> Outgoing:
    return Outgoing(purpose=purpose, to=ZHANG, words=Words(text="x"))


def test_away_is_from_then_until_then() -> None:
    tomorrow = MONDAY + timedelta(days=1)
    there = people()[ZHANG]
    gone = there.model_copy(update=GONE)
    later = gone.model_copy(update={"away_from": tomorrow})
    assert there.back_after(MONDAY) is None
    assert gone.back_after(MONDAY) == THURSDAY
    assert gone.back_after(THURSDAY) is None
    assert (later.back_after(MONDAY), later.back_after(tomorrow)) == (None, THURSDAY)


def test_an_entry_of_the_people_file_leaves_an_absence_as_it_is() -> None:
    there = people()[ZHANG]
    gone = there.model_copy(update=GONE | {"away_said": "feishu:m1", "away_from": MONDAY})
    assert updated(there, gone) == gone


@pytest.mark.parametrize("purpose", sorted(TO_DELEGATES))
def test_what_the_bot_starts_waits_for_their_return_and_what_answers_them_does_not(purpose: Purpose) -> None:
    until = THURSDAY if purpose in BOT_STARTED else None
    assert hold_until(concern(), message(purpose), (), setting(MONDAY, directory())) == until


def test_what_is_critical_and_what_the_initiator_wants_out_now_reach_them() -> None:
    now = setting(MONDAY, directory())
    assert hold_until(concern(Priority.CRITICAL), message(Purpose.FOLLOW_UP), (), now) is None
    assert hold_until(concern().model_copy(update={"any_hour": True}), message(Purpose.FIRST_CONTACT), (), now) is None


@given(
    at=st.integers(min_value=0, max_value=24 * 14),
    since=st.none() | st.integers(min_value=0, max_value=24 * 7),
    length=st.integers(min_value=1, max_value=24 * 7),
    priority=st.sampled_from([Priority.HIGH, Priority.MEDIUM, Priority.LOW]),
)
def test_no_first_moment_lies_within_an_absence(at: int, since: int | None, length: int, priority: Priority) -> None:
    start = MONDAY + (since or 0) * H
    person = people()[ZHANG].model_copy(
        update={"away_until": start + length * H, "away_from": start if since is not None else None}
    )
    moment, matter, where = MONDAY + at * H, concern(priority), setting()
    ready = first_moment(matter, person, moment, where)
    assert ready >= moment
    assert person.back_after(ready) is None
    assert ready == hours(matter, person, ready, where)


@pytest.mark.parametrize("follow_ups", [0, 3])
def test_an_interval_that_ends_while_they_are_away_ends_with_it_and_the_last_one_runs_from_there(
    follow_ups: int,
) -> None:
    state = DelegateState(last_outbound=MONDAY, follow_ups=follow_ups)
    coming = next_follow_up(state, Priority.MEDIUM, directory()[ZHANG], setting())
    limit = THURSDAY + Limits().followup.medium[-1]
    assert coming.at == (THURSDAY if follow_ups == 0 else limit)
    assert coming.exhausted is (follow_ups == 3)


def test_what_waits_for_them_is_named_and_goes_on_when_they_return() -> None:
    asked = with_state(with_comm(concern(), ZHANG, CommStatus.WAITING_REPLY), ZHANG, last_outbound=MONDAY)
    said = with_state(asked, ZHANG, attitude=Attitude.AWAY, not_before=THURSDAY, promised=True)
    waiting = plan(said, setting(MONDAY, directory()))
    assert waiting.next_action is not None
    assert (waiting.next_action.what, waiting.next_action.when) == ("张三回来后再问", THURSDAY)
    assert list(away.spoken(asked, said)) == [(ZHANG, THURSDAY)]
    back = away.returned(waiting, ZHANG, setting())
    assert back.concern.timeout_at == MONDAY + 4 * H
    assert [e for e in back.effects if isinstance(e, Hasten)]


@pytest.mark.parametrize(
    ("changed", "waits"),
    [({}, True), ({"priority": Priority.CRITICAL}, False), ({"people": ()}, False)],
)
def test_a_matter_waits_while_they_owe_an_answer(changed: dict[str, object], waits: bool) -> None:
    assert away.waits_for(concern().model_copy(update=changed), ZHANG) is waits
    assert not away.waits_for(with_comm(concern(), ZHANG, CommStatus.DONE), ZHANG)


# --- the same asked a second time ---


def again(deadline: datetime | None = None, priority: Priority = Priority.MEDIUM, *added: str) -> merging.Again:
    return merging.Again("问张三 v2.0 提测时间", added, priority, deadline)


BOTH = opening.open_concern(proposal(people()[ZHANG], people()[LI]), setting()).concern


@pytest.mark.parametrize(
    ("matter", "named", "said", "taken"),
    [
        (concern(), {ZHANG}, again(), True),
        (concern(), {ZHANG}, again(THURSDAY), True),
        (BOTH, {ZHANG}, again(), True),
        (BOTH, {ZHANG}, again(THURSDAY), False),
        (BOTH, {ZHANG}, again(None, Priority.HIGH), False),
        (BOTH, {ZHANG}, again(None, Priority.MEDIUM, "只要后端的"), False),
        (BOTH, {ZHANG, LI}, again(THURSDAY), True),
        (with_comm(BOTH, LI, CommStatus.DONE), {ZHANG, LI}, again(THURSDAY), True),
        (with_comm(BOTH, LI, CommStatus.DONE), {ZHANG}, again(THURSDAY), True),
        (with_comm(BOTH, LI, CommStatus.REPLIED), {ZHANG}, again(THURSDAY), False),
        (with_comm(BOTH, LI, CommStatus.NOT_NEEDED), {ZHANG}, again(THURSDAY), True),
        (concern(relay=Relay.TOLD), {ZHANG}, again(), False),
        (concern().model_copy(update={"trigger": {"schedule_id": "con_1"}}), {ZHANG}, again(), False),
        (concern().model_copy(update={"paused_until": THURSDAY}), {ZHANG}, again(), False),
    ],
)
def test_it_is_taken_in_where_nobody_else_is_touched(
    matter: Concern, named: set[PersonId], said: merging.Again, taken: bool
) -> None:
    assert merging.may_take_in(matter, named, said, setting()) is taken


def test_who_has_answered_hears_nothing_of_it() -> None:
    answered = with_state(with_comm(BOTH, LI, CommStatus.DONE), LI, last_outbound=MONDAY)
    asked = with_state(answered, ZHANG, last_outbound=MONDAY)
    done = merging.take_in(asked, again(None, Priority.MEDIUM, "只要后端的"), [ZHANG], setting(), "f2", None)
    told = [e.message.to for e in done.effects if isinstance(e, Send) and e.message.purpose is Purpose.CORRECTION]
    assert told == [ZHANG]
    assert [p.comm_status for p in done.concern.delegates if p.person_id == LI] == [CommStatus.DONE]


def test_a_calmer_second_word_does_not_slow_it_down() -> None:
    urgent = concern(Priority.HIGH)
    done = merging.take_in(urgent, again(None, Priority.LOW), [ZHANG], setting(), "f2", None).concern
    assert done.priority is Priority.HIGH
