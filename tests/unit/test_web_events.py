"""GitLab's and GitHub's payloads, written down by their documentation: what becomes an event, whose, and in which words."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.web import github, gitlab
from bot.web.reading import Unreadable
from bot.web.wording import said
from core.brain.questions import AwaitedEvent, MatchEvent
from core.brain.rules.match_event import match_event
from core.facts import Event
from core.ids import PersonId
from core.people import Person, who_did

NOW = datetime(2026, 3, 16, 2, 5, tzinfo=UTC)
WEBHOOKS = Path(__file__).parents[1] / "data/webhooks"
GITHUB_EVENTS = {
    "issue": "issues",
    "pull": "pull_request",
    "workflow": "workflow_run",
    "check": "check_suite",
    "tag": "push",
}


def payload(name: str) -> dict[str, Any]:
    return dict(json.loads((WEBHOOKS / f"{name}.json").read_text(encoding="utf-8")))


def read(name: str, changed: dict[str, Any] | None = None) -> Event | str:
    body = changed if changed is not None else payload(name)
    if name.startswith("gitlab/"):
        return gitlab.read(body)
    kind = name.removeprefix("github/").split("_")[0]
    return github.read(GITHUB_EVENTS.get(kind, kind), body)


def event(name: str, changed: dict[str, Any] | None = None) -> Event:
    found = read(name, changed)
    assert isinstance(found, Event)
    return found


LINES = {
    "gitlab/push": "GitLab shop/web：推送「v2.0 前端收尾」（feature/v2.0，张三）",
    "gitlab/merge_request_opened": "GitLab shop/web：合并请求「v2.0 提测」新建（feature/v2.0 → main，张三）",
    "gitlab/merge_request_merged": "GitLab shop/web：合并请求「v2.0 提测」已合并（feature/v2.0 → main，张三）",
    "gitlab/merge_request_closed": "GitLab shop/web：合并请求「v2.0 提测」已关闭，没有合并（feature/v2.0 → main，张三）",
    "gitlab/issue_closed": "GitLab shop/web：议题「登录页双击报错」已结束（张三）",
    "gitlab/pipeline_failed": "GitLab shop/web：流水线「部署预发环境」失败（main，张三）",
    "github/push": "GitHub shop-org/web：推送「Finish the v2.0 front end」（feature/v2.0，zs-dev）",
    "github/pull_request_opened": "GitHub shop-org/web：合并请求「v2.0 ready for testing」新建（feature/v2.0 → main，zs-dev）",
    "github/pull_request_merged": "GitHub shop-org/web：合并请求「v2.0 ready for testing」已合并（feature/v2.0 → main，zs-dev）",
    "github/pull_request_closed": "GitHub shop-org/web：合并请求「v2.0 ready for testing」已关闭，没有合并（feature/v2.0 → main，zs-dev）",
    "github/issue_closed": "GitHub shop-org/web：议题「Double click on the login page fails」已完成（zs-dev）",
    "github/issue_not_planned": "GitHub shop-org/web：议题「Double click on the login page fails」已关闭，不再处理（lead-wang）",
    "github/workflow_run_failed": "GitHub shop-org/web：流水线「Deploy staging」失败（main，zs-dev）",
    "github/check_suite_success": "GitHub shop-org/web：流水线「Build Bot」成功（main，zs-dev）",
}
IGNORED = {
    "gitlab/branch_deleted": "a push without commits on a branch",
    "gitlab/merge_request_updated": "a merge request that was only changed",
    "gitlab/pipeline_running": "a pipeline that has not ended",
    "gitlab/note": "note is not looked at",
    "github/tag": "a push without commits on a branch",
    "github/pull_request_labeled": "a pull request that was only changed",
    "github/workflow_run_requested": "checks that have not ended, or that say nothing",
    "github/ping": "a ping; all is well",
}


def test_every_payload_is_told_of_here() -> None:
    assert {f"{f.parent.name}/{f.stem}" for f in WEBHOOKS.glob("*/*.json")} == LINES.keys() | IGNORED.keys()


@pytest.mark.parametrize("name", sorted(LINES))
def test_an_event_says_in_a_line_what_happened_where_and_who_did_it(name: str) -> None:
    assert said(event(name), "zh-CN") == LINES[name]


@pytest.mark.parametrize("name", sorted(IGNORED))
def test_what_nobody_waits_for_is_ignored_with_a_reason(name: str) -> None:
    assert read(name) == IGNORED[name]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("gitlab/push", 'GitLab shop/web: push "v2.0 前端收尾" (feature/v2.0, 张三)'),
        ("github/pull_request_merged", 'GitHub shop-org/web: merge request "v2.0 ready for testing" merged (feature/v2.0 → main, zs-dev)'),
        ("github/issue_closed", 'GitHub shop-org/web: issue "Double click on the login page fails" completed (zs-dev)'),
        ("github/workflow_run_failed", 'GitHub shop-org/web: pipeline "Deploy staging" failed (main, zs-dev)'),
    ],
)  # fmt: skip
def test_in_english_too(name: str, line: str) -> None:
    assert said(event(name), "en") == line


def test_words_of_a_post_follow_its_line_where_they_were_written_to_be_read() -> None:
    told = Event(source="jenkins", kind="deploy", subject="v2.0", action="success", text="十分钟前上线")
    assert said(told, "zh-CN", with_text=True) == "jenkins：deploy「v2.0」成功\n十分钟前上线"
    assert said(told, "zh-CN") == "jenkins：deploy「v2.0」成功"


# --- whose it is ------------------------------------------------------------------------------------------------------

ZHANGSAN = Person(
    person_id=PersonId("p_zhangsan"), name="张三", accounts=("gitlab:zhangsan", "email:zhangsan@example.com")
)
LEAD = Person(
    person_id=PersonId("p_wang"), name="王工", aliases=("老王",), accounts=("gitlab:wang.lead", "github:lead-wang")
)
OCTO = Person(person_id=PersonId("p_octo"), name="Octo", accounts=("github:zs-dev",))


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("gitlab/push", ZHANGSAN),
        ("gitlab/merge_request_opened", ZHANGSAN),
        # Merged by somebody else: it is the author's.
        ("gitlab/merge_request_merged", ZHANGSAN),
        ("github/pull_request_merged", OCTO),
        # Closed by whoever looked after it: it was the assignee's.
        ("gitlab/issue_closed", ZHANGSAN),
        ("github/issue_closed", OCTO),
        ("github/issue_not_planned", LEAD),
        ("gitlab/pipeline_failed", ZHANGSAN),
        ("github/workflow_run_failed", OCTO),
    ],
)
def test_an_event_is_that_of_whoever_did_the_work(name: str, who: Person) -> None:
    assert who_did(event(name), [LEAD, ZHANGSAN, OCTO]) == who


def test_without_an_account_the_whole_name_counts_and_one_that_two_have_is_nobodys() -> None:
    merged = event("gitlab/merge_request_merged")
    plain = Person(person_id=PersonId("p_1"), name="张三")
    assert who_did(merged, [plain, LEAD]) == plain
    assert who_did(merged, [plain, Person(person_id=PersonId("p_2"), name="小张", aliases=("张三",))]) is None
    assert who_did(merged, [Person(person_id=PersonId("p_3"), name="张三丰")]) is None
    assert who_did(Event(source="x", kind="y", subject="z"), [plain]) is None
    assert who_did(Event(source="x", kind="y", subject="z", actor="P_1"), [plain]) == plain


def test_the_first_account_that_anybody_has_counts_and_one_that_two_have_is_nobodys() -> None:
    known = ("gitlab:nobody", "gitlab:ZhangSan", "github:zs-dev")
    told = Event(source="x", kind="y", subject="z", actor="Octo", accounts=known)
    assert who_did(told, [LEAD, OCTO, ZHANGSAN]) == ZHANGSAN
    twin = Person(person_id=PersonId("p_twin"), name="章三", accounts=("gitlab:zhangsan",))
    assert who_did(told, [LEAD, OCTO, ZHANGSAN, twin]) is None


def test_whoever_merged_their_own_request_is_known_by_their_account() -> None:
    own = payload("gitlab/merge_request_merged")
    own["user"] = payload("gitlab/merge_request_opened")["user"]
    assert event("gitlab/merge_request_merged", own).accounts == ("gitlab:zhangsan",)


def test_an_address_that_hides_somebody_is_nobodys_account() -> None:
    assert event("github/push").accounts == ("github:zs-dev",)


# --- what others may write --------------------------------------------------------------------------------------------


def test_what_cannot_be_seen_is_taken_out_and_what_is_long_is_cut() -> None:
    body = payload("gitlab/merge_request_merged")
    body["object_attributes"]["title"] = "v2.0\u200b 提\u202e测\x00\n已\ud800合并" + "长" * 5000
    body["object_attributes"]["description"] = "x" * 300_000
    found = event("gitlab/merge_request_merged", body)
    assert found.subject.startswith("v2.0 提测 已合并长")
    assert len(found.subject) == 500
    assert len(found.text) == 4000


@pytest.mark.parametrize("name", ["gitlab/merge_request_merged", "github/pull_request_merged", "github/issue_closed", "gitlab/pipeline_failed"])  # fmt: skip
def test_any_part_may_be_missing_or_of_another_kind(name: str) -> None:
    """Then it is told what is missing; nothing else goes wrong."""

    whole = payload(name)
    for path in paths(whole):
        for wrong in (None, 7, [], {}, "", ["x"], {"x": 1}):
            assert told_or_named(name, spoilt(whole, path, wrong))


def paths(value: Any, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if not isinstance(value, dict):
        return [above]
    return ([above] if above else []) + [p for key in value for p in paths(value[key], (*above, key))]


def spoilt(value: Any, path: tuple[str, ...], wrong: Any) -> Any:
    return {**value, path[0]: spoilt(value[path[0]], path[1:], wrong)} if path else wrong


def told_or_named(name: str, body: dict[str, Any]) -> bool:
    try:
        found = read(name, body)
    except Unreadable as error:
        return str(error).endswith("is missing")
    return isinstance(found, str) or bool(found.subject)


# --- and what the rules read in it ------------------------------------------------------------------------------------


def shows(name: str, what: str, who: str = "") -> bool:
    awaited = (AwaitedEvent(item_id="e1", what=what, who=who, kind="condition"),)
    return bool(
        match_event(
            MatchEvent(text=said(event(name), "zh-CN"), who="", happened=True, now=NOW, awaited=awaited)
        ).item_ids
    )


@pytest.mark.parametrize(
    ("name", "what", "met"),
    [
        ("gitlab/merge_request_merged", "v2.0 提测", True),
        ("gitlab/merge_request_opened", "v2.0 提测", False),
        ("gitlab/merge_request_closed", "v2.0 提测", False),
        ("gitlab/issue_closed", "登录页双击报错修好", True),
        ("gitlab/pipeline_failed", "部署预发环境", False),
        ("gitlab/pipeline_failed", "部署预发环境失败", True),
        ("github/issue_not_planned", "login page double click", False),
    ],
)
def test_the_rules_tell_what_ended_well_from_what_only_began_or_failed(name: str, what: str, met: bool) -> None:
    assert shows(name, what) is met
