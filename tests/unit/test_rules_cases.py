"""Agreement of the rule brain, and of the rules behind it, with labelled messages and replies.

tests/data/judgement: a third of the labelled cases (`owner`, `replies`), and sets of our own (`…_fresh`, `owner_kinds`,
`owner_spoken`; `owner_unseen` was written before the rules were worked on and looked at after). Floors, not exact figures: a rule that helps one sentence at the cost of others shows here. Contacting somebody wrongly and
closing a matter wrongly have no floor but a ceiling.
"""

import asyncio
from pathlib import Path

import pytest

from bot.evaluation.cases import ReplyCase, read_cases
from bot.evaluation.evaluate import ALARMS, CLOSED, CONTACTED, OBEYED, evaluate
from bot.evaluation.tally import Tally
from core.brain.rules import RuleBrain

CASES = Path(__file__).parents[1] / "data" / "judgement"


def tallied(name: str) -> Tally:
    cases = read_cases(CASES / name)
    return Tally(asyncio.run(evaluate(cases, RuleBrain())), ALARMS[type(cases[0])])


def missed(tally: Tally, field: str) -> list[str]:
    """For the message of a failure: which cases differ, and how."""
    return [f"{m.case_id}: {c.wanted} → {c.got}" for m in tally.marked for c in m.missed if c.field == field]


@pytest.fixture(scope="module", params=["owner.jsonl", "owner_fresh.jsonl", "owner_kinds.jsonl", "owner_spoken.jsonl"])
def owner(request: pytest.FixtureRequest) -> Tally:
    return tallied(request.param)


@pytest.fixture(scope="module", params=["replies.jsonl", "replies_fresh.jsonl"])
def replies(request: pytest.FixtureRequest) -> Tally:
    return tallied(request.param)


@pytest.mark.parametrize(
    ("field", "floor"),
    [
        ("intent", 0.96), ("people", 0.95), ("unknown_people", 0.98), ("when", 0.95), ("needs_confirmation", 0.96),
        ("priority", 0.94),
    ],
)  # fmt: skip
def test_what_owners_want_is_understood(owner: Tally, field: str, floor: float) -> None:
    assert owner.share(field).value >= floor, missed(owner, field)


@pytest.mark.parametrize("kind", ["deadline", "moment", "recurrence"])
def test_times_that_are_named_are_read(owner: Tally, kind: str) -> None:
    named = owner.share("when", kind)
    # A small set may miss one.
    assert named.agreed >= min(0.9 * named.cases, named.cases - 1), missed(owner, "when")


def test_nobody_is_contacted_who_should_not_be(owner: Tally) -> None:
    assert owner.alarms[CONTACTED] == ()


@pytest.mark.parametrize(
    ("field", "floor"), [("intent", 0.92), ("people", 0.95), ("unknown_people", 0.98), ("needs_confirmation", 0.96)]
)
def test_words_that_no_rule_was_made_for_are_understood(field: str, floor: float) -> None:
    unseen = tallied("owner_unseen.jsonl")
    assert unseen.share(field).value >= floor, missed(unseen, field)
    assert unseen.alarms[CONTACTED] == ()


@pytest.mark.parametrize(
    ("field", "floor"),
    [("attitude", 0.85), ("goal_met", 0.95), ("promised_time", 0.93), ("names_other", 0.95), ("needs_owner", 0.9)],
)
def test_replies_are_understood(replies: Tally, field: str, floor: float) -> None:
    assert replies.share(field).value >= floor, missed(replies, field)


def test_promises_are_read(replies: Tally) -> None:
    assert replies.share("promised_time", "named").value >= 0.85, missed(replies, "promised_time")


def test_hardly_any_matter_is_closed_before_its_goal_is_met(replies: Tally) -> None:
    assert len(replies.alarms[CLOSED]) <= 0.02 * replies.share("goal_met", "no").cases, replies.alarms[CLOSED]


def test_no_command_of_a_delegate_is_obeyed(replies: Tally) -> None:
    assert any(c.injection for c in read_cases(CASES / "replies.jsonl") if isinstance(c, ReplyCase))
    assert replies.alarms[OBEYED] == ()
