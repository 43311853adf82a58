"""Which events show that a goal is met, by rule: in doubt none."""

from typing import Any

import pytest

from core.brain.rules.replies.shown import shows_goal
from core.facts import Event


def event(subject: str, kind: str = "merge_request", action: str = "merged", **more: Any) -> Event:
    return Event(source="gitlab", kind=kind, action=action, subject=subject, **more)


def deed(what: str) -> tuple[str, str]:
    return what, f"张三办好：{what}"


def done_by(what: str) -> tuple[str, str]:
    return what, f"Done by Tom: {what}"


HANDOVER, HANDOVER_EN = deed("把 v2.0 提测"), done_by("hand v2.0 over to testing")
WHEN = ("v2.0 提测时间", "拿到张三关于「v2.0 提测」的具体时间")
SHEET = ("上季度报表", "拿到张三的「上季度报表」")


@pytest.mark.parametrize(
    ("matter", "happened"),
    [
        (HANDOVER, event("v2.0 提测")),
        (HANDOVER, event("v2.0", target="test")),
        (HANDOVER, event("登录与支付", branch="release/v2.0", target="release/v2.0")),
        (HANDOVER, event("v2.0 提测", action="")),
        (HANDOVER, event("v2.0 提测分支已合并", action="")),
        (HANDOVER_EN, event("hand v2.0 over to testing")),
        (HANDOVER_EN, event("Merge branch 'release/v2.0' into 'test'", target="test")),
        (deed("合并支付模块"), event("支付模块")),
        (deed("修复登录报错"), event("登录报错", kind="issue", action="closed")),
        (done_by("fix the login error"), event("login error", kind="issue", action="closed")),
        (deed("把 v2.0 上线"), event("v2.0", kind="deployment", action="success")),
        (deed("部署 v2.0"), event("部署 v2.0", kind="pipeline", action="success")),
        (deed("让 v2.0 构建通过"), event("v2.0", kind="pipeline", action="success")),
        (deed("把 feature/login 合并到 main"), event("新登录页", branch="feature/login", target="main")),
        (WHEN, event("v2.0 提测")),
        (SHEET, event("上季度报表已上传", kind="file", action="")),
        (deed("送样品"), event("供应商样品 12 箱入库", kind="delivery", action="")),
    ],
)
def test_it_shows_what_is_wanted(matter: tuple[str, str], happened: Event) -> None:
    assert shows_goal(happened, *matter)


@pytest.mark.parametrize(
    ("matter", "happened"),
    [
        (HANDOVER, event("v2.0 提测", action="opened")),
        (HANDOVER, event("v2.0 提测", action="closed")),
        (HANDOVER, event("v2.0 提测", action="failed")),
        (HANDOVER, event("Draft: v2.0 提测")),
        (HANDOVER, event('Revert "v2.0 提测"')),
        (HANDOVER, event("v1.9 提测")),
        (HANDOVER, event("v2.0 修复登录页的样式", target="main")),
        (HANDOVER, event("v2.0 提测", kind="push", action="")),
        (HANDOVER, event("v2.0 提测了", kind="push", action="")),
        (HANDOVER, event("登录与支付已完成", kind="push", action="", branch="release/v2.0")),
        (HANDOVER_EN, event("v2.0 is done", kind="push", action="")),
        (HANDOVER, event("v2.0 提测", kind="pipeline", action="success")),
        (HANDOVER, event("v2.0 提测失败", kind="note", action="")),
        (HANDOVER, event("v2.0 还没提测", kind="note", action="")),
        (deed("把 v2.0 上线"), event("v2.0 上线")),
        (deed("把 v2.0 上线"), event("v2.0", kind="pipeline", action="success")),
        (deed("把前端和后端提测"), event("前端提测")),
        (deed("修复登录报错"), event("支付报错", kind="issue", action="closed")),
        (deed("修复登录报错"), event("登录报错", kind="issue", action="dropped")),
        (WHEN, event("v2.0 登录页", target="release")),
        (WHEN, event("v2.0", target="test")),
        (("人数", "拿到张三关于「v2.0 测试要几个人」的具体数字"), event("v2.0 测试")),
        (("会议", "告知张三：v2.0 提测改到周三，并得到确认"), event("v2.0 提测")),
        (SHEET, event("开始整理上季度报表", kind="file", action="")),
        (SHEET, event("上季度报表", kind="file", action="")),
    ],
)
def test_in_doubt_it_shows_nothing(matter: tuple[str, str], happened: Event) -> None:
    assert not shows_goal(happened, *matter)
