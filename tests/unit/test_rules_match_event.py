"""Which words show that an awaited thing has come, and which do not."""

from __future__ import annotations

from datetime import datetime

import pytest

from core.brain.questions import AwaitedEvent, MatchEvent
from core.brain.rules.match_event import answer_awaited, has_come, is_bare_done, match_event, shows, topic_of

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")


def matched(
    text: str, what: str, *, who: str = "", by: str = "", kind: str = "condition", happened: bool = False
) -> bool:
    item = AwaitedEvent.model_validate({"item_id": "x", "what": what, "who": who, "kind": kind})
    return match_event(MatchEvent(text=text, who=by, happened=happened, now=NOW, awaited=(item,))).item_ids == ("x",)


@pytest.mark.parametrize(
    ("what", "who", "topic"),
    [
        ("发日报", "", {"日报"}),
        ("每天按时把日报发给我", "", {"日报"}),
        ("张三交周报", "张三", {"周报"}),
        ("把测试报告发到群里", "", {"测试报告"}),
        ("要发日报", "", {"日报"}),
        ("报价", "", {"报价"}),
        ("开发票", "", {"开发票"}),
        ("发票", "", {"发票"}),
        ("发发票", "", {"发票"}),
        ("部署完之后", "", {"部署"}),
        ("货到了", "", {"货"}),
        ("客户那边有没有新消息", "", {"客户"}),
        ("张三那边有没有动静", "张三", set()),
        ("v2.0 提测", "", {"v2.0", "提测"}),
        ("send the daily report", "", {"report"}),
        ("any news from the client", "", {"client"}),
        ("the deploy is done", "", {"deploy"}),
    ],
)
def test_the_topic_is_what_is_left_without_names_and_frames(what: str, who: str, topic: set[str]) -> None:
    assert topic_of(what, who) == topic


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("日报发了", "发日报"),
        ("日报已发群里", "发日报"),
        ("今天日报：1. 修了登录 2. 压测没跑完，明天继续", "发日报"),
        ("日报\n1. 修了登录问题\n2. 压测没跑完", "发日报"),
        ("周报在附件里", "交周报"),
        ("报告发群里了", "发压测报告"),
        ("部署好了", "部署完"),
        ("v2.0 昨晚就部署完了", "部署完"),
        ("货已经到了", "货到了"),
        ("机器没再报错", "机器没再报错"),
        ("daily report attached", "send the daily report"),
        ("I've sent the report", "send the daily report"),
        ("Daily report: login fixed, tomorrow the load test.", "send the daily report"),
        ("deploy is done", "the deploy is done"),
    ],
)
def test_a_plain_statement_shows_it(text: str, what: str) -> None:
    assert shows(text, what)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("日报晚点发", "发日报"),
        ("日报还没写", "发日报"),
        ("日报忘了", "发日报"),
        ("日报：没写", "发日报"),
        ("今天的日报能晚点交吗", "发日报"),
        ("日报模板在哪？", "发日报"),
        ("日报我明天补", "发日报"),
        ("日报不归我写", "发日报"),
        ("日报应该发了吧", "发日报"),
        ("听小李说日报要改版", "发日报"),
        ("周报发了", "发日报"),
        ("在部署了", "部署完"),
        ("还没部署完", "部署完"),
        ("下午部署完", "部署完"),
        ("快部署完了", "部署完"),
        ("部署失败了", "部署完"),
        ("货还没到", "货到了"),
        ("货明天到", "货到了"),
        ("will send the daily report tonight", "send the daily report"),
        ("The report isn't ready", "send the daily report"),
        ("Which report do you mean?", "send the daily report"),
        ("The deploy isn't done yet", "the deploy is done"),
        ("deploying now", "the deploy is done"),
        ("the deploy failed", "the deploy is done"),
    ],
)
def test_what_is_denied_put_off_doubted_or_asked_does_not(text: str, what: str) -> None:
    assert not shows(text, what)


@pytest.mark.parametrize(
    ("text", "what", "is_it"),
    [
        ("merge_request: v2.0 提测", "v2.0 提测", True),
        ("pipeline: 部署 成功", "部署完", True),
        ("pipeline: 部署 失败", "部署完", False),
        ("pipeline: 部署 失败", "部署失败", True),
        ("pipeline: deploy started", "the deploy is done", False),
        ("pipeline: deploy succeeded", "the deploy is done", True),
        ("push: readme", "the deploy is done", False),
    ],
)
def test_an_event_happened_unless_it_tells_of_a_failure_or_a_beginning(text: str, what: str, is_it: bool) -> None:
    assert shows(text, what, happened=True) is is_it


@pytest.mark.parametrize(
    ("text", "what", "is_it"),
    [
        ("客户刚来电话，说价格可以谈", "客户那边有没有消息", True),
        ("客户那边还没消息", "客户那边有没有消息", False),
        ("客户来消息了吗？", "客户那边有没有消息", False),
        ("又来了一个差评", "有没有差评", True),
        ("今天没有差评", "有没有差评", False),
        ("The client called, they want a discount", "any news from the client", True),
        ("No news from the client so far", "any news from the client", False),
        ("There were no complaints today", "complaints", False),
        ("Two complaints came in", "complaints", True),
    ],
)
def test_of_a_watched_thing_any_statement_is_news(text: str, what: str, is_it: bool) -> None:
    assert matched(text, what, by="李四", kind="watch") is is_it


def test_a_watch_over_a_person_takes_whatever_they_say_but_no_courtesy() -> None:
    assert matched("明天我请假", "张三那边有没有消息", who="张三", by="张三", kind="watch")
    assert not matched("谢谢", "张三那边有没有消息", who="张三", by="张三", kind="watch")
    assert not matched("明天我请假", "张三那边有没有消息", who="张三", by="李四", kind="watch")


def test_the_person_must_fit() -> None:
    assert matched("部署完了", "部署完", who="张三", by="张三")
    assert not matched("部署完了", "部署完", who="张三", by="李四")
    assert not matched("张三部署完了", "部署完", who="张三", by="李四"), "hearsay"
    assert matched("pipeline: 张三 部署 成功", "部署完", who="张三", happened=True)
    assert not matched("pipeline: 部署 成功", "部署完", who="张三", happened=True)


@pytest.mark.parametrize(
    ("what", "about"),
    [
        ("张三回了", set()),
        ("张三有答复", set()),
        ("等张三回复提测时间", {"提测时间"}),
        ("Wei gets back", set()),
        ("部署完", None),
        ("张三同意了", None),
    ],
)
def test_a_mere_answer_is_told_from_what_must_be_said(what: str, about: set[str] | None) -> None:
    named = what.replace("等", "").replace("张三", "").replace("Wei", "")
    assert answer_awaited(named) == about


def test_an_answer_is_any_statement_and_consent_is_a_yes() -> None:
    assert matched("周四下午", "张三回了", who="张三", by="张三")
    assert matched("可以，没意见", "张三同意了", who="张三", by="张三")
    assert not matched("我再想想", "张三同意了", who="张三", by="张三")
    assert not matched("不行", "张三同意了", who="张三", by="张三")


def test_a_bare_done_counts_for_the_one_thing_that_is_expected() -> None:
    assert is_bare_done("发了")
    assert is_bare_done("已经发给你了")
    assert is_bare_done("Done, just sent it.") or is_bare_done("Sent it")
    assert not is_bare_done("发票发了")
    assert matched("发了", "发日报", who="张三", by="张三", kind="expectation")
    assert not matched("发了", "发日报", who="张三", by="张三"), "a condition wants to hear of what"


def test_several_that_are_awaited_are_told_apart() -> None:
    items = tuple(
        AwaitedEvent(item_id=i, what=w, kind="condition")
        for i, w in (("a", "部署完"), ("b", "合同签了"), ("c", "货到了"))
    )
    q = MatchEvent(text="部署完了，货也到了", who="张三", now=NOW, awaited=items)
    assert match_event(q).item_ids == ("a", "c")


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("张三的日报我收到了", True),
        ("张三日报发给我了", True),
        ("张三的日报还没收到", False),
        ("张三的日报收到了吗？", False),
        ("李四的日报收到了", False),
        ("日报收到了", False),
        ("张三每天 18:30 前要发日报", False),
    ],
)
def test_whoever_waits_may_say_that_it_came(text: str, is_it: bool) -> None:
    assert has_come(text, "发日报", "张三") is is_it
