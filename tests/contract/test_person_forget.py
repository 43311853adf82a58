"""Somebody is forgotten: none of their words is found in any byte, and the matters of the others go on."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.cli.person import THOUGHT_S, forget
from bot.runtime.breath import put
from bot.store.database.backup import back_up
from bot.store.database.lock import only_one
from bot.store.person.erasure import scrub
from bot.store.repositories.leases import LONGEST, PROCESS
from bot.store.tables import TABLES
from core.action.task import DeepTaskState
from core.agenda.model import RecentDecision
from core.brain.questions import ToolUse
from core.concern.model import CommStatus, Status
from core.errors import ConfigurationError
from core.facts import Event, FactKind
from core.hub.abilities.tasks import keep_task, kept_task
from core.hub.errand import Errand
from core.ids import ConversationId, PersonId
from core.jobs import Job, JobKind, JobState
from core.limits import DebounceLimits
from tests.contract.parlour import LISI, MEMBER, OWNER, ZHANGSAN, Parlour, settings_for

HOUR = timedelta(hours=1)
PLANTED = ("紫色河马", "蓝鲸诊所", "橙色风筝", "铁皮蜗牛", "银杏酒店", "玻璃章鱼", "zanzibar-77")
"""Words that 张三 says."""
MARKS = ("张三", "三哥", "p_zhangsan", ZHANGSAN, "Zhang San")


@pytest.fixture
async def parlour(store_url: str) -> AsyncIterator[Parlour]:
    it = Parlour(settings_for(store_url))
    await it.open()
    yield it
    await it.close()


async def talk(it: Parlour) -> None:
    """张三's words get into every corner."""
    await it.say(OWNER, "帮我问一下张三，接口文档什么时候能给")
    await it.advance(HOUR)
    await it.say(ZHANGSAN, "3月18日给你橙色风筝方案")
    await it.advance(HOUR)
    await it.say(OWNER, "帮我问一下张三李四，v2.0 什么时候能提测")
    await it.advance(HOUR)
    said = await it.say(ZHANGSAN, "后端卡在紫色河马那边的回调接口，我看看")
    await it.say(ZHANGSAN, "后端卡在紫色河马和铁皮蜗牛那边，我看看", kind=FactKind.EDIT, message_id=said)
    await it.say(ZHANGSAN, "转告老板我明天去蓝鲸诊所看牙")
    await it.say(ZHANGSAN, "要先买 zanzibar-77 吗？")
    await it.advance(HOUR)
    await it.say(OWNER, "张三今天说了什么")
    await it.say(OWNER, "张三那边怎么样了")
    await it.say(OWNER, "明天下午三点提醒我给三哥打电话")
    await it.say(OWNER, "张三每天下午五点前要发日报，没发就催他")
    await it.say(OWNER, "每周五下午四点问张三这周的进展")
    await it.say(OWNER, "让张三给供应商付五万块")
    await it.say(OWNER, "/invite 张三")
    await it.say(OWNER, "/person 张三")
    await it.say(MEMBER, "告诉张三明天的评审改到下午三点")
    await it.say(MEMBER, "帮我问一下李四，张三的接口能不能用")
    await it.say(ZHANGSAN, "银杏酒店那单我来", forwarded_from="李四")
    await it.say(LISI, "张三说接口可以用")
    await it.say(ZHANGSAN, "嗯，我看看玻璃章鱼")
    await it.happens(it.fact("", "张三 合并了 v2.0", kind=FactKind.EVENT, person_id="p_zhangsan", channel="http"))
    await it.advance(HOUR)


def stored(url: str) -> bytes:
    """Every byte of the database, or all texts of all rows."""
    if url.startswith("sqlite"):
        file = Path(url.removeprefix("sqlite:///"))
        return b"".join(path.read_bytes() for path in sorted(file.parent.glob(f"{file.name}*")))
    import psycopg

    with psycopg.connect(url) as db:
        tables = [table._meta.table_name for table in TABLES]
        return "\n".join(repr(db.execute(f"SELECT * FROM {name}").fetchall()) for name in tables).encode()


def found(url: str, *words: str) -> list[str]:
    content = stored(url)
    return [word for word in words if word.encode() in content]


async def test_no_word_of_theirs_is_left_in_any_byte(
    parlour: Parlour, store_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await talk(parlour)
    assert found(store_url, *PLANTED, *MARKS) == [*PLANTED, *MARKS]
    forgets(parlour, "p_zhangsan", pause=no_pause)
    assert found(store_url, *PLANTED, *MARKS) == []
    told = capsys.readouterr().out
    assert "p_zhangsan still stands in qinghai.toml" in told
    assert "not within reach" in told
    assert "still found" not in told
    if store_url.startswith("sqlite"):
        back_up(store_url, tmp_path / "after.db")
        assert [w for w in (*PLANTED, *MARKS) if w.encode() in (tmp_path / "after.db").read_bytes()] == []


def forgets(parlour: Parlour, who: str, pause: Callable[[float], None]) -> None:
    forget(parlour.settings, who, clock=parlour.clock, pause=pause)


def no_pause(seconds: float) -> None:
    raise AssertionError("nobody is at work: there is nothing to wait for")


async def test_the_matters_of_the_others_go_on(parlour: Parlour, caplog: pytest.LogCaptureFixture) -> None:
    await talk(parlour)
    before = {c.concern_id: c for c in parlour.app.store.run_now(lambda r: r.concerns.list(open_only=True, limit=99))}
    forgets(parlour, "p_zhangsan", pause=no_pause)
    heard, theirs = len(parlour.heard(OWNER)), len(parlour.heard(ZHANGSAN))
    with caplog.at_level(logging.WARNING):
        await parlour.advance(2 * HOUR)
        shared = next(c for c in before.values() if len(c.delegates) == 2)
        now = parlour.app.store.run_now(lambda r: r.concerns.get(shared.concern_id))
        assert now is not None
        assert (now.title, now.goal) == (shared.title, shared.goal.replace("张三", "（已删除）"))
        assert [p.display_name for p in now.people] == ["老板", "（已删除）", "李四"]
        await parlour.say(LISI, "v2.0 周四能提测")
        await parlour.advance(2 * HOUR)
        assert any("周四" in text and "[回流]" in text for text in parlour.heard(OWNER)[heard:])
        await parlour.advance(5 * 24 * HOUR)
    assert parlour.heard(ZHANGSAN)[theirs:] == []
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR or "failed" in r.getMessage()] == []
    assert parlour.app.store.run_now(lambda r: r.jobs.list((JobState.DEAD, JobState.IN_DOUBT), 10)) == ()


async def test_who_is_asked_beside_others_is_let_go(parlour: Parlour) -> None:
    await parlour.say(OWNER, "帮我问一下张三李四，v2.0 什么时候能提测")
    await parlour.advance(HOUR)
    theirs = len(parlour.heard(ZHANGSAN))
    forgets(parlour, "p_zhangsan", pause=no_pause)
    await parlour.advance(HOUR)
    (now,) = parlour.app.store.run_now(lambda r: r.concerns.list(open_only=True, limit=9))
    assert [p.comm_status for p in now.delegates] == [CommStatus.NOT_NEEDED, CommStatus.WAITING_REPLY]
    assert parlour.heard(OWNER)[-1] == f"「{now.title}」：其中一位的资料已按要求删除，不再联系。李四照旧。"
    await parlour.say(LISI, "周四能提测")
    assert "李四：周四能提测" in parlour.heard(OWNER)[-1]
    assert len(parlour.heard(ZHANGSAN)) == theirs


async def test_a_schedule_asks_the_others_from_now_on_and_ends_where_there_are_none(parlour: Parlour) -> None:
    await parlour.say(OWNER, "每周五下午四点问张三李四这周的进展")
    await parlour.say(OWNER, "每周五下午五点问张三这周的风险")
    forgets(parlour, "p_zhangsan", pause=no_pause)
    assert parlour.app.store.run_now(lambda r: r.concerns.count(open_only=True)) == 1
    await parlour.advance(5 * 24 * HOUR)
    assert any("这周的进展" in text for text in parlour.heard(LISI))
    assert parlour.heard(ZHANGSAN) == []
    assert sum("资料已按要求删除" in text for text in parlour.heard(OWNER)) == 1


async def test_a_matter_that_was_theirs_alone_ends(parlour: Parlour) -> None:
    await parlour.say(OWNER, "帮我问一下张三，接口文档什么时候能给")
    await parlour.advance(HOUR)
    forgets(parlour, "p_zhangsan", pause=no_pause)
    await parlour.advance(HOUR)
    (concern,) = parlour.app.store.run_now(lambda r: r.concerns.list(open_only=False, limit=9))
    assert concern.status is Status.DROPPED
    assert parlour.heard(OWNER)[-1].endswith("其中一位的资料已按要求删除，不再联系。没有别人可问，这件事就到这里。")
    assert parlour.app.store.run_now(lambda r: r.agenda.refs()) == ()


async def test_what_was_expected_of_them_ends_and_whose_it_is_hears_of_it(parlour: Parlour) -> None:
    await parlour.say(OWNER, "留意一下张三有没有提到延期")
    await parlour.say(OWNER, "张三每天下午五点前要发日报，没发就催他")
    await parlour.say(MEMBER, "李四每天下午五点前要发周报，没发告诉我")
    await parlour.say(ZHANGSAN, "你好")
    items = parlour.app.store.run_now(lambda r: (r.agenda.expectations(), r.agenda.watches()))
    assert [len(some) for some in items] == [2, 1]
    heard, others = len(parlour.heard(OWNER)), len(parlour.heard(MEMBER))
    forgets(parlour, "p_zhangsan", pause=no_pause)
    await parlour.advance(HOUR)
    told = parlour.heard(OWNER)[heard:]
    assert len(told) == 2
    assert all("资料已按要求删除，这件事不再盯了" in text and "张三" not in text for text in told)
    assert "日报" in told[0]
    assert "延期" in told[1]
    assert parlour.heard(MEMBER)[others:] == []
    (left,) = parlour.app.store.run_now(lambda r: r.agenda.expectations())
    assert left.who == "李四"


async def test_what_the_others_are_told_names_nobody_from_the_first_moment(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot goes on meanwhile: it may leave before the rest is looked through."""
    await parlour.say(OWNER, "留意一下张三有没有提到延期")
    heard = len(parlour.heard(OWNER))
    sent: list[str] = []

    def look_first(*args: Any) -> int:
        waiting = parlour.app.store.run_now(lambda r: r.jobs.list((JobState.PENDING,), 99))
        sent.extend(job.payload for job in waiting if job.person_id == "p_owner")
        return scrub(*args)

    monkeypatch.setattr("bot.cli.person.scrub", look_first)
    forgets(parlour, "p_zhangsan", pause=no_pause)
    await parlour.advance(HOUR)
    assert parlour.heard(OWNER)[heard:] == [
        "「（已删除）有没有提到延期」：相关那位的资料已按要求删除，这件事不再盯了。"
    ]
    assert sent
    assert not any("张三" in payload for payload in sent)


async def test_a_task_of_another_about_them_goes_on_without_their_words(parlour: Parlour, store_url: str) -> None:
    await parlour.say(ZHANGSAN, "紫色河马的接口周四能给出来")
    now = parlour.clock.now()
    used = ToolUse(tool="look_up_facts", parameters={"person": "p_zhangsan"}, result="张三：紫色河马的接口周四能给出来")

    def task(who: str, chat: str) -> DeepTaskState:
        errand = Errand(
            person_id=PersonId(who),
            conversation=ConversationId(f"telegram:{chat}"),
            channel="telegram",
            channel_user_id=chat,
            cause=who,
            words="理一遍张三的进展",
        )
        return DeepTaskState(
            task_id=f"task:{who}",
            goal="理一遍张三的进展",
            errand=errand.model_dump(mode="json"),
            steps=8,
            done=(used,),
            started_at=now,
            expires_at=now + 24 * HOUR,
        )

    for state in (task("p_owner", OWNER), task("p_zhangsan", ZHANGSAN)):
        parlour.app.store.run_now(lambda r, s=state: keep_task(r, s))
    forgets(parlour, "p_zhangsan", pause=no_pause)
    kept, theirs = (
        parlour.app.store.run_now(lambda r, w=who: kept_task(r, f"task:{w}")) for who in ("p_owner", "p_zhangsan")
    )
    assert theirs is None
    assert kept is not None
    assert (kept.state, len(kept.done), kept.goal) == ("running", 1, "理一遍（已删除）的进展")
    assert found(store_url, "紫色河马", *MARKS) == []


async def test_what_they_had_asked_for_ends_and_whom_it_reached_is_told(parlour: Parlour) -> None:
    await parlour.say(MEMBER, "帮我问一下李四，河马合同什么时候能签")
    await parlour.say(MEMBER, "每周五下午四点问李四这周的进展")
    await parlour.say(MEMBER, "半小时后提醒我看河马合同")
    heard = len(parlour.heard(MEMBER))
    forgets(parlour, "p_member", pause=no_pause)
    await parlour.advance(7 * 24 * HOUR)
    assert parlour.heard(MEMBER)[heard:] == []
    assert parlour.heard(LISI)[-1].endswith("这件事已经了结，不用再回复了，谢谢。")
    assert parlour.app.store.run_now(lambda r: r.concerns.count(open_only=True)) == 0
    assert parlour.app.store.run_now(lambda r: r.callbacks.list()) == ()


async def test_an_event_that_is_brought_again_brings_no_word_back(parlour: Parlour, store_url: str) -> None:
    secret = parlour.fact(ZHANGSAN, "紫色河马", message_id="m77")
    assert await parlour.happens(secret)
    forgets(parlour, "p_zhangsan", pause=no_pause)
    assert not await parlour.happens(secret)
    assert found(store_url, "紫色河马") == []


async def test_what_they_have_just_written_in_one_breath_is_read_by_nobody_any_more(
    parlour: Parlour, store_url: str
) -> None:
    store = parlour.app.store
    for said in (parlour.fact(ZHANGSAN, "紫色河马"), parlour.fact(ZHANGSAN, "橙色刺猬")):
        store.run_now(lambda repos, fact=said: put(repos, fact, parlour.clock.now(), DebounceLimits()))  # type: ignore[misc]
    forgets(parlour, "p_zhangsan", pause=no_pause)
    assert found(store_url, "紫色河马", "橙色刺猬") == []
    states = store.run_now(lambda repos: store._db.execute_sql("SELECT DISTINCT state FROM facts").fetchall())
    assert list(states) == [("handled",)]


async def test_what_webhooks_called_them_goes_too(parlour: Parlour, store_url: str) -> None:
    pushed = Event(source="gitlab", kind="push", subject="v2.0", actor="Zhang San", accounts=("gitlab:zs-backend",))
    event = {
        "kind": FactKind.EVENT,
        "channel": "gitlab",
        "conversation": ConversationId("gitlab:shop/web"),
        "sender": "",
    }
    assert await parlour.happens(parlour.fact("", "GitLab shop/web：推送「v2.0」（Zhang San）", event=pushed, **event))
    assert found(store_url, "zs-backend") != []
    forgets(parlour, "p_zhangsan", pause=no_pause)
    assert found(store_url, "zs-backend", *MARKS) == []


async def test_who_was_forgotten_is_a_stranger(parlour: Parlour) -> None:
    forgets(parlour, "p_zhangsan", pause=no_pause)
    await parlour.say(ZHANGSAN, "在吗")
    assert "我只为认识的人工作" in parlour.heard(ZHANGSAN)[-1]


async def test_one_that_was_cut_off_is_done_again(
    parlour: Parlour, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talk(parlour)
    for place in (
        "bot.store.person.erasure._each",
        "bot.store.person.erasure._fact",
        "bot.store.person.desk.Desk.compact",
    ):
        with monkeypatch.context() as cut:
            cut.setattr(place, interrupted)
            with pytest.raises(KeyboardInterrupt):
                forgets(parlour, "p_zhangsan", pause=no_pause)
    forgets(parlour, "p_zhangsan", pause=no_pause)
    assert found(store_url, *PLANTED, *MARKS) == []


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


async def test_a_message_on_its_way_is_waited_for(parlour: Parlour, store_url: str) -> None:
    await parlour.say(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
    with_a_channel(parlour)
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        parlour.app.store.run_now(lambda r: r.jobs.done("first"))

    forgets(parlour, "p_zhangsan", pause=wait)
    assert len(waited) == 1
    assert found(store_url, *MARKS) == []


async def test_what_a_model_makes_of_it_meanwhile_is_looked_through_too(
    parlour: Parlour, store_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await parlour.say(OWNER, "帮我问一下张三李四，v2.0 什么时候能提测")
    await parlour.say(ZHANGSAN, "紫色河马那边周四能好")
    store, now = parlour.app.store, parlour.clock.now()
    thought = Job(key="thought", kind=JobKind.ADVANCE, lane="concern:x", due=now, payload="{}")
    store.run_now(lambda r: r.jobs.add(thought))
    assert [c.job.key for c in store.run_now(lambda r: r.jobs.claim(now, 1))] == ["thought"]
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 2:
            said = RecentDecision(at=now, what="resolved", why="张三说紫色河马那边周四能好")
            store.run_now(lambda r: (r.agenda.record(said), r.jobs.done("thought")))

    with living(parlour, store_url):
        forgets(parlour, "p_zhangsan", pause=wait)
    assert len(waited) == 2
    assert found(store_url, "紫色河马", *MARKS) == []
    assert "the bot is thinking" in capsys.readouterr().out


@pytest.mark.parametrize("alive", [True, False])
async def test_a_thought_without_an_end_is_waited_for_while_anybody_lives_and_not_for_ever(
    parlour: Parlour, store_url: str, alive: bool
) -> None:
    store, now = parlour.app.store, parlour.clock.now()
    store.run_now(lambda r: r.facts.add(parlour.fact(OWNER, "还在吗"), now))
    assert store.run_now(lambda r: len(r.facts.claim(now, 1))) == 1
    waited: list[float] = []
    with living(parlour, store_url) if alive else nullcontext():
        forgets(parlour, "p_zhangsan", pause=waited.append)
    assert len(waited) == (THOUGHT_S if alive else 0)


@contextmanager
def living(parlour: Parlour, store_url: str) -> Iterator[None]:
    """A bot works on the database."""
    if store_url.startswith("sqlite"):
        with only_one(store_url):
            yield
    else:
        parlour.app.store.run_now(lambda r: r.leases.renew(f"{PROCESS}only", "only", LONGEST))
        yield


def with_a_channel(parlour: Parlour) -> None:
    from core.effects import Outgoing, Purpose, Send, Words
    from core.hub.commit import delivery
    from core.ids import PersonId

    message = Outgoing(purpose=Purpose.NOTICE, to=PersonId("p_zhangsan"), words=Words(text="张三你好"))
    now = parlour.clock.now()
    store = parlour.app.store
    store.run_now(lambda r: r.jobs.add(delivery(Send(key="first", due=now, message=message))))
    store.run_now(lambda r: r.jobs.claim(now, 1))
    assert store.run_now(lambda r: r.jobs.sending("first"))


async def test_the_owner_and_nobody_are_refused(parlour: Parlour) -> None:
    with pytest.raises(ConfigurationError, match=r"p_owner is the owner.*make somebody else the owner first"):
        forgets(parlour, "p_owner", no_pause)
    with pytest.raises(ConfigurationError, match=r"nobody has the id 'p_zhangsn'; did you mean 'p_zhangsan'\?"):
        forgets(parlour, "p_zhangsn", no_pause)


async def test_freed_pages_hold_nothing_either(parlour: Parlour, store_url: str) -> None:
    """The bot's own connection does not overwrite what it deletes: the file is written anew."""
    if not store_url.startswith("sqlite"):
        pytest.skip("the pages of a PostgreSQL are its own")
    await talk(parlour)
    forgets(parlour, "p_zhangsan", pause=no_pause)
    with closing(sqlite3.connect(store_url.removeprefix("sqlite:///"))) as db:
        assert db.execute("PRAGMA freelist_count").fetchone() == (0,)
