"""What an expectation asks of the messages since the last look, and of a concern."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.channels.virtual import Delivered
from bot.rehearsal.expectations import judge_concern, judge_expect
from bot.rehearsal.steps import Expect

NOW = datetime(2026, 3, 16, 2, tzinfo=UTC)


def messages(*texts: str, channel: str = "telegram") -> list[Delivered]:
    return [Delivered(channel, "1", t, f"m{n}", NOW, n) for n, t in enumerate(texts, 1)]


def met(there: Sequence[Delivered], **expect: Any) -> bool:
    return judge_expect(Expect.model_validate({"to": "p", **expect}), there).problem is None


@pytest.mark.parametrize(
    ("there", "expect", "verdict"),
    [
        (["a"], {}, True),
        ([], {}, False),
        (["提测 周四"], {"contains": ["提测", "周四"]}, True),
        (["提测", "周四"], {"contains": ["提测", "周四"]}, False),
        (["a", "b"], {"contains": "a"}, True),
        (["a", "a"], {"contains": "a", "count": 1}, False),
        (["a", "b"], {"contains": "a", "count": 1}, True),
        (["a", "b"], {"count": 1}, False),
        ([], {"count": 0}, True),
        (["b"], {"contains": "a", "count": 0}, True),
        (["a"], {"contains": "a", "count": 0}, False),
        ([], {"lacks": "x"}, True),
        (["a"], {"lacks": "x"}, True),
        (["a", "x"], {"lacks": "x"}, False),
        ([], {"lacks": "x", "contains": "a"}, False),
        (["a", "x"], {"lacks": "x", "contains": "a"}, False),
        (["a"], {"lacks": ["y", "a"]}, False),
        (["周四 18:00"], {"matches": r"\d\d:00"}, True),
        (["周四"], {"matches": r"\d\d:00"}, False),
        (["a"], {"channel": "telegram"}, True),
        (["a"], {"channel": "feishu"}, False),
        ([], {"channel": "feishu", "lacks": "x"}, False),
    ],
)
def test_expect(there: list[str], expect: dict[str, Any], verdict: bool) -> None:
    assert met(messages(*there), **expect) is verdict


def test_what_fits_is_given_back_for_naming() -> None:
    verdict = judge_expect(Expect.model_validate({"to": "p", "contains": "a"}), messages("a1", "b", "a2"))
    assert [m.text for m in verdict.fitting] == ["a1", "a2"]


CONCERN = {
    "status": "resolved",
    "deadline": None,
    "people": [
        {"person_id": "p_owner", "display_name": "老板", "comm_status": "not_needed"},
        {"person_id": "p_zhangsan", "display_name": "张三", "comm_status": "done"},
    ],
    "next_action": {"what": "wait", "when": "2026-03-16T18:00:00+08:00"},
    "delegation": {"delegates": {"p_zhangsan": {"follow_ups": 2}}},
}


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "resolved"},
        {"deadline": None},
        {"nowhere": None},
        {"nowhere.at.all": None},
        {"people.1.comm_status": "done"},
        {"people.-1.comm_status": "done"},
        {"people.p_zhangsan.comm_status": "done"},
        {"people.张三.comm_status": "done"},
        {"delegation.delegates.p_zhangsan.follow_ups": 2},
        {"next_action.when": "2026-03-16T10:00:00+00:00"},
        {"next_action.when": datetime(2026, 3, 16, 10, tzinfo=UTC)},
    ],
)
def test_fields_of_a_concern_that_hold(fields: dict[str, Any]) -> None:
    assert judge_concern(fields, CONCERN) == []


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"status": "dropped"}, "status is 'resolved', not 'dropped'"),
        ({"people.7.comm_status": "done"}, "people.7.comm_status is None, not 'done'"),
        ({"people.p_lisi.comm_status": "done"}, "people.p_lisi.comm_status is None, not 'done'"),
        ({"next_action.when": "2026-03-16T11:00:00+08:00"}, "next_action.when is"),
        ({"status.deeper": 1}, "status.deeper is None, not 1"),
    ],
)
def test_fields_of_a_concern_that_do_not(fields: dict[str, Any], said: str) -> None:
    (problem,) = judge_concern(fields, CONCERN)
    assert problem.startswith(said)
