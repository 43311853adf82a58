"""All that is kept of somebody comes out, and nothing that another one said."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from bot.cli.person import export, forget
from bot.store.person.desk import Desk
from bot.store.person.erasure import remains
from bot.store.person.marks import marks_of
from bot.store.repositories import StoreRepositories
from core.errors import ConfigurationError
from core.ids import PersonId
from tests.contract.parlour import LISI, MEMBER, OWNER, ZHANGSAN, Parlour, settings_for

HOUR = timedelta(hours=1)


@pytest.fixture
async def parlour(store_url: str) -> AsyncIterator[Parlour]:
    it = Parlour(settings_for(store_url))
    await it.open()
    await it.say(OWNER, "帮我问一下张三李四，v2.0 什么时候能提测")
    await it.advance(HOUR)
    await it.say(ZHANGSAN, "后端卡在紫色河马那边，我看看")
    await it.say(LISI, "前端等青铜海豚，我看看")
    await it.say(MEMBER, "半小时后提醒我看合同")
    await it.say(MEMBER, "帮我问一下李四，合同什么时候能签")
    await it.say(OWNER, "张三每天下午五点前要发日报，没发就催他")
    await it.say(OWNER, "/invite 张三")
    await it.say(OWNER, "李四说张三爱喝茶")
    await it.advance(HOUR / 4)
    yield it
    await it.close()


def exported(it: Parlour, capsys: pytest.CaptureFixture[str], who: str) -> dict[str, Any]:
    capsys.readouterr()
    export(it.settings, who)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


async def test_what_a_delegate_said_and_was_sent(parlour: Parlour, capsys: pytest.CaptureFixture[str]) -> None:
    found = exported(parlour, capsys, "p_zhangsan")
    assert found["person"]["name"] == "张三"
    assert [f["text"] for f in found["facts"]] == ["后端卡在紫色河马那边，我看看"]
    assert found["facts"][0]["received_at"] == "2026-03-16T03:00:00+00:00"
    assert [m["body"]["text"] for m in found["messages"]] == parlour.heard(ZHANGSAN)
    assert [j["state"] for j in found["jobs"]] == ["done"] * len(found["jobs"])
    (concern,) = found["concerns"]
    assert [line["direction"] for line in concern["conversation_log"]] == ["outbound", "inbound"]
    assert [p["display_name"] for p in concern["people"]] == ["张三"]
    assert [item["what"] for item in found["agenda_items"]] == ["发日报"]
    assert len(found["invites"]) == 1


async def test_an_initiator_has_their_matters_whole(parlour: Parlour, capsys: pytest.CaptureFixture[str]) -> None:
    found = exported(parlour, capsys, "p_member")
    asked = [c for c in found["concerns"] if c["type"] == "delegation"]
    assert [p["display_name"] for p in asked[0]["people"]] == ["小周", "李四"]
    assert any("看合同" in c["title"] for c in found["concerns"])
    assert "半小时后提醒我看合同" in json.dumps(found["facts"], ensure_ascii=False)
    assert {"raised"} <= {d["body"]["what"] for d in found["decisions"]}


async def test_the_brief_that_they_want_comes_out_and_goes_with_them(
    parlour: Parlour, capsys: pytest.CaptureFixture[str]
) -> None:
    await parlour.say(MEMBER, "/brief 8:30")
    (kept,) = exported(parlour, capsys, "p_member")["agenda_items"]
    assert (kept["kind"], kept["body"]["at"]) == ("brief", "08:30")
    assert [i["kind"] for i in exported(parlour, capsys, "p_owner")["agenda_items"]] == ["expectation"]
    forget(parlour.settings, "p_member", clock=parlour.clock)
    assert parlour.app.store.run_now(lambda repos: repos.agenda.brief(PersonId("p_member"))) is None


async def test_what_others_said_is_theirs(parlour: Parlour, capsys: pytest.CaptureFixture[str]) -> None:
    found = exported(parlour, capsys, "p_zhangsan")
    text = json.dumps(found, ensure_ascii=False)
    assert "青铜海豚" not in text
    assert "爱喝茶" not in text
    assert "没发就催他" not in text, "how the owner put it, and what they want done about it"
    assert {place["table"] for place in found["named_elsewhere"]} >= {"facts", "receipts", "jobs"}


@pytest.mark.parametrize("who", ["p_zhangsan", "p_lisi", "p_member", "p_owner"])
async def test_it_is_complete(parlour: Parlour, capsys: pytest.CaptureFixture[str], who: str) -> None:
    """Each row in which they are found is in it, or its place is."""
    found = exported(parlour, capsys, who)
    tables = {row["table"] for row in found["named_elsewhere"]}
    parts = {"facts": ("facts", "facts_about"), "receipts": ("messages",), "jobs": ("jobs",), "concerns": ("concerns",),
             "blocks": ("blocks",), "agenda_items": ("agenda_items",), "callbacks": ("callbacks",),
             "recent_decisions": ("decisions",), "deeds": ("deeds",), "people": ("person",)}  # fmt: skip
    for table in in_tables(parlour, who):
        assert table in tables or any(found[part] for part in parts[table]), table


def in_tables(it: Parlour, who: str) -> list[str]:
    from bot.store.person.erasure import Whose

    def marks(repos: StoreRepositories, db: object) -> Whose:
        person = repos.people.get(PersonId(who))
        assert person is not None
        return Whose(marks_of(person, repos.people.all(), "", ""))

    with Desk(it.settings.database_url, "清海") as desk:
        return remains(desk.unit, desk.unit(marks))


async def test_nobody_is_refused_with_the_nearest(parlour: Parlour) -> None:
    with pytest.raises(ConfigurationError, match=r"nobody has the id 'p_lisy'; did you mean 'p_lisi'\?"):
        export(parlour.settings, "p_lisy")


async def test_who_did_what_comes_out_and_stays_without_them(
    parlour: Parlour, capsys: pytest.CaptureFixture[str]
) -> None:
    await parlour.say(OWNER, "/grant 张三 member")
    found = exported(parlour, capsys, "p_zhangsan")
    assert [(d["actor"], d["person_id"], d["body"]["what"]) for d in found["deeds"]] == [
        ("p_owner", "p_zhangsan", "invite"),
        ("p_owner", "p_zhangsan", "grant"),
        (None, "p_zhangsan", "export"),
    ]
    forget(parlour.settings, "p_zhangsan", clock=parlour.clock)
    kept = parlour.app.store.run_now(lambda repos: repos.deeds.latest(9))
    assert [(d.by, d.how, d.what, d.person_id) for d in kept] == [
        (None, "shell", "forget", "gone_1"),
        (None, "shell", "export", "gone_1"),
        ("p_owner", "command", "grant", "gone_1"),
        ("p_owner", "command", "invite", "gone_1"),
    ]
    await parlour.say(OWNER, "/audit")
    assert "服务器上 删除了资料 已删除的人" in parlour.heard(OWNER)[-1]
