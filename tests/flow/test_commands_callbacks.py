"""/callbacks: what waits to be delivered, for whom, and calling it off."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from core.callbacks import TASK_COMPLETION, USER_REMINDER, Callback, job_key, record_id
from core.effects import Outgoing, Purpose, Send, Words
from core.hub.commit import apply
from core.ids import ConversationId, PersonId
from tests.flow.command_world import ADMIN, MEMBER, NOON, OWNER, World


def keep(world: World, name: str, **fields: Any) -> Callback:
    values: dict[str, Any] = {
        "id": record_id(name),
        "chat_id": ConversationId("telegram:1001"),
        "content": name,
        "trigger_source": USER_REMINDER,
        "created_at": NOON,
        "person_id": PersonId("p_owner"),
    }
    record = Callback(**(values | fields))
    world.store.run_now(lambda repos: repos.callbacks.add(record))
    return record


def waiting(world: World) -> list[str]:
    return [r.content for r in world.store.run_now(lambda repos: repos.callbacks.list())]


def leaves(world: World, record: Callback, *, sending: bool) -> None:
    """Its message is queued, or with the channel."""
    message = Outgoing(purpose=Purpose.CALLBACK, to=record.person_id, words=Words(text="x"), callback_id=record.id)

    def queue(repos: Any) -> None:
        apply(repos, Send(key=job_key(record.id), due=world.clock.now(), message=message))
        if sending:
            repos.jobs.claim(world.clock.now(), 1)
            repos.jobs.sending(job_key(record.id))

    world.store.run_now(queue)


async def test_what_waits_is_listed_with_whose_it_is_and_when(world: World) -> None:
    keep(world, "三点开会", fire_at=NOON + timedelta(hours=3))
    member = PersonId("p_member")
    keep(world, "张三：周四。\n李四：周五。", trigger_source=TASK_COMPLETION, title="理一遍进展", person_id=member)
    said = await world.answer(OWNER, "/callbacks")
    assert [line for line in said.text.splitlines() if line] == [
        "还没送到的 2 条：",
        "查的结果（给小周）：理一遍进展",
        "   今天 12:00",
        "提醒：三点开会",
        "   今天 15:00",
    ]
    assert said.labels == ["不用了：理一遍进展", "不用了：三点开会"]
    mine = await world.answer(ADMIN, "/callbacks")
    assert "提醒（给老板）" in mine.text


async def test_nothing_waits(world: World) -> None:
    assert "没有" in (await world.answer(OWNER, "/callbacks")).text


async def test_members_have_no_such_command(world: World) -> None:
    keep(world, "三点开会")
    assert "三点" not in (await world.answer(MEMBER, "/callbacks")).text
    assert "不发了" not in (await world.answer(MEMBER, f"/callbacks off {record_id('三点开会')}")).text
    assert waiting(world) == ["三点开会"]


async def test_a_button_calls_one_off_once(world: World) -> None:
    keep(world, "三点开会")
    keep(world, "四点开会")
    data = (await world.answer(OWNER, "/callbacks")).data
    assert (await world.press(OWNER, data[0])).text in ("好的，「三点开会」不发了。", "好的，「四点开会」不发了。")
    assert len(waiting(world)) == 1
    assert "没有找到" in (await world.press(OWNER, data[0])).text


async def test_words_call_off_the_one_that_they_fit(world: World) -> None:
    keep(world, "三点开会")
    keep(world, "四点开会")
    assert "好几条" in (await world.answer(OWNER, "/callbacks off 开会")).text
    assert "没有找到" in (await world.answer(OWNER, "/callbacks off 五点")).text
    assert "没有找到" in (await world.answer(OWNER, "/callbacks off")).text
    assert (await world.answer(OWNER, "/callbacks 不发 三点")).text == "好的，「三点开会」不发了。"
    assert waiting(world) == ["四点开会"]


async def test_its_message_goes_with_it(world: World) -> None:
    record = keep(world, "三点开会")
    leaves(world, record, sending=False)
    said = await world.say(OWNER, f"/callbacks off {record.id}")
    assert [s.text for s in said] == ["好的，「三点开会」不发了。"]


async def test_one_that_is_being_sent_is_out_and_that_is_said(world: World) -> None:
    record = keep(world, "三点开会")
    leaves(world, record, sending=True)
    for line, says in (("/callbacks", "正在发"), (f"/callbacks off {record.id}", "收不回来")):
        stored = world.fact(ADMIN, line)
        assert await world.commands.handle(stored)
        (said,) = world.sent()
        assert says in said.text
    assert waiting(world) == ["三点开会"]


async def test_whose_it_was_hears_who_called_it_off(world: World) -> None:
    keep(world, "三点开会", person_id=PersonId("p_member"), chat_id=ConversationId("telegram:1003"))
    said = await world.say(OWNER, "/callbacks off 三点")
    assert {(s.to, s.text) for s in said} == {
        ("p_owner", "好的，「三点开会」不发了。"),
        ("p_member", "老板取消了要发给你的「三点开会」。"),
    }


async def test_many_come_in_pages(world: World) -> None:
    for n in range(10):
        keep(world, f"第{n}件", created_at=NOON + timedelta(minutes=n))
    first = await world.answer(OWNER, "/callbacks")
    assert "第 1/2 页" in first.text
    second = await world.press(OWNER, first.data[-1])
    assert "第9件" in second.text
    assert "第0件" not in second.text
