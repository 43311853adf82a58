"""Our own labelled messages (`owner_fresh.jsonl`) as far as they say more than intent, people and time: which ability is
taken, which open matter is meant, and how many goals there are."""

from typing import Any

import pytest

from tests.unit.owner_cases import Read, cases, read


@pytest.fixture(scope="module")
def messages() -> list[tuple[dict[str, Any], Read]]:
    return [(case, read(case)) for case in cases("owner_fresh.jsonl")]


def test_the_ability_that_is_wanted_is_taken(messages: list[tuple[dict[str, Any], Read]]) -> None:
    doable = [(c, r) for c, r in messages if c["action"] and r.results]
    wrong = [f"{c['text']}: {c['action']} → {r.action}" for c, r in doable if r.action != c["action"]]
    assert len(wrong) <= 0.03 * len(doable), wrong


def test_every_ability_is_met(messages: list[tuple[dict[str, Any], Read]]) -> None:
    met = {r.action for _, r in messages}
    assert len(met & {c["action"] for c, _ in messages}) >= 15  # fourteen abilities, and refusals


def test_what_is_changed_or_called_off_is_what_is_meant(messages: list[tuple[dict[str, Any], Read]]) -> None:
    aimed = [(c, r) for c, r in messages if c.get("targets") and r.results]
    for case, found in aimed:
        ids = [i for x in found.results for v in x.parameters.values() for i in v.get("concern_ids", ())]
        assert ids == case["targets"], case["text"]


def test_a_message_with_two_goals_is_two(messages: list[tuple[dict[str, Any], Read]]) -> None:
    counted = [(c, r) for c, r in messages if c.get("goals")]
    assert counted
    assert all(len(r.tendencies) == c["goals"] for c, r in counted)


def test_nobody_is_contacted_who_should_not_be(messages: list[tuple[dict[str, Any], Read]]) -> None:
    for case, found in messages:
        if case["intent"] != "amend":
            assert found.contacted <= set(case["people"]), case["text"]
