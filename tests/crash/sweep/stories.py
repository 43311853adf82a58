"""What happens in the office: stories of one starter and two delegates each, so that none of them touches another.

A story is what people do at which minute. Together they come to every failpoint of the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from core.brain.questions import EvaluatorResult, WorkStep
from tests.crash.sweep.mind import Fails, Says, Wish, Works

START = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
OWNER = 1001
DAY = 24 * 60
BOT = "qinghai_test_bot"
MOVED = 100_000
STRANGER = 50_000
HANGS = "a request that hangs"
"""Takes seconds, so it is played alone."""
BLOCKED = "blocked"
BAD_LINE = "a bad line"
MOVES = "a group that moves"
"""There are platforms on which none does."""
NAMES = "张伟 王芳 李娜 刘洋 陈静 杨帆 赵磊 黄敏 周杰 吴倩 徐强 孙丽 马超 朱琳 胡军 郭靖 何平 林涛 罗兰 梁勇 宋佳 郑爽 谢娜 韩磊 唐嫣 冯刚 于谦 董洁 程浩 曹颖 袁泉 邓超 许晴 傅明 沈腾 曾黎 彭博 吕燕 苏梅 卢伟 蒋欣 蔡明 贾玲 丁海 魏晨 薛佳 叶青 阎肃 余男 潘虹 杜江 戴军 夏雨 钟楚 汪涵 田雨 任泉 姜武 范明 方芳 莫言 冰心 乔羽 石磊 孔亮 陶然".split()


class Town(Protocol):
    """What people can do."""

    def says(self, user: int, text: str, *, chat: int | None = None) -> None:
        """Write to the bot."""

    def edits(self, user: int, text: str) -> None:
        """Change one's last message."""

    def presses(self, user: int, label: str, *, or_says: str) -> None:
        """Press the last button of that label; who has not seen one says it in words."""

    def goes_wrong(self, kind: str, chat: int, **more: Any) -> None:
        """Until the clock moves on: the next message into that chat meets a fault."""

    def blocks(self, user: int) -> None:
        """The bot may not write there any more."""

    def moves(self, group: int, new_id: int) -> None:
        """The group becomes another chat."""

    def group(self, chat: int) -> None:
        """There is a group with the bot in it."""


@dataclass(frozen=True)
class Cast:
    """Who plays a story: numbers of their chats and names."""

    story: Story
    me: int
    a: int
    b: int
    names: tuple[str, str, str]

    @property
    def first(self) -> str:
        """The name of one delegate."""
        return self.names[1]

    @property
    def second(self) -> str:
        """The name of the other."""
        return self.names[2]


Act = tuple[int, Callable[[Town, Cast], object]]
"""At which minute somebody does something."""


def no_wishes(_: Cast) -> Mapping[str, Wish]:
    """The rules understand all of it."""
    return {}


@dataclass(frozen=True)
class Story:
    """`wishes`: sentences that the rules do not read, and what is to be made of them."""

    name: str
    acts: tuple[Act, ...]
    wishes: Callable[[Cast], Mapping[str, Wish]] = no_wishes
    role: str = "member"


def at(minute: int) -> datetime:
    """The moment."""
    return START + timedelta(minutes=minute)


def _tell(c: Cast, who: str, text: str) -> dict[str, Any]:
    return {"people": [f"p_{who}{c.me}"], "text": text}


def _chain(c: Cast) -> Mapping[str, Wish]:
    ask = {"people": [f"p_b{c.me}"], "title": f"评审来不来（{c.me}）", "goal": "知道来不来"}
    stages: dict[int, tuple[str, ...]] = {1: ("send_message",), 2: ("raise_concern",), 3: ("look_up_person",)}
    parameters = {
        "send_message": _tell(c, "a", f"评审改到下午三点（{c.me}）"),
        "raise_concern": ask,
        "look_up_person": {"person": f"p_b{c.me}"},
    }
    wish = EvaluatorResult(ok=True, primary_action_chain=stages, parameters=parameters)
    return {f"评审的事安排一下（{c.me}）": wish}


def _deep(c: Cast) -> Mapping[str, Wish]:
    steps = (
        WorkStep(tool="look_up_person", parameters={"person": f"p_a{c.me}"}),
        WorkStep(tool="check_concerns", parameters={"person": f"p_b{c.me}"}),
        WorkStep(result=f"理好了（{c.me}）：手上没有别的事。"),
    )
    return {f"把手上的事理一遍（{c.me}）": Works(steps)}


def _list(c: Cast) -> Mapping[str, Wish]:
    items = "".join(f"第{n}条（{c.me}）：这一项已经核对👍，没有问题。" for n in range(460))
    return {f"把清单念一遍（{c.me}）": Says(items)}


def _bad_days(c: Cast) -> Mapping[str, Wish]:
    """The model is away for a while; a fault of our own passes, another does not."""
    return {
        f"合同甲{c.me}": Fails(at(60), asked=("assess",)),
        f"合同乙{c.me}": Fails(at(100 * DAY), ours=True, asked=("assess",)),
        f"天气甲{c.me}": Fails(at(11), ours=True),
        f"天气乙{c.me}": Fails(at(100 * DAY), ours=True),
    }


def told(text: str, who: str = "me") -> Callable[[Town, Cast], object]:
    """Somebody of the cast writes; `{a}` and `{b}` are names, `{n}` tells this story's matters from others'."""
    return lambda t, c: t.says(getattr(c, who), text.format(a=c.first, b=c.second, n=c.me))


def in_group(text: str) -> Callable[[Town, Cast], object]:
    """The starter writes in the group of this story."""
    return lambda t, c: t.says(c.me, text.format(a=c.first, b=c.second, n=c.me, bot=BOT), chat=-c.me)


def pressed(label: str, words: str, who: str = "me") -> Callable[[Town, Cast], object]:
    """Somebody presses a button."""
    return lambda t, c: t.presses(getattr(c, who), label, or_says=words)


def both(*doings: Callable[[Town, Cast], object]) -> Callable[[Town, Cast], object]:
    """At the same time."""
    return lambda t, c: [do(t, c) for do in doings]


STORIES: tuple[Story, ...] = (
    Story(
        "asks two",
        (
            (0, told("帮我问一下{a}{b}，v{n} 什么时候能提测")),
            (40, told("前端部分周四能提测", "a")),
            (45, lambda t, c: t.edits(c.a, "前端部分周四能提测")),
            (90, told("后端周五提测", "b")),
        ),
    ),
    Story(
        "edits an order",
        (
            (0, told("帮我问一下{a}，v{n} 什么时候能提测")),
            (10, lambda t, c: t.edits(c.me, f"帮我问一下{c.first}，w{c.me} 什么时候能提测")),
            (50, told("周四能提测", "a")),
        ),
    ),
    Story("relays", ((0, told("告诉{a}明天的评审改到下午三点")), (10, told("收到", "a")))),
    Story(
        "reminders",
        (
            (0, told("半小时后提醒我给妈妈打电话")),
            (5, told("一小时后提醒我交电费")),
            (10, told("四十分钟后提醒我交水费")),
            (20, told("交水费不用提醒了")),
        ),
    ),
    Story("schedule", ((0, told("每天下午三点提醒我喝水")), (10, told("每天下午四点问{a}今天的进展")))),
    Story(
        "money",
        (
            (0, told("让{a}把尾款三万打给供应商")),
            (10, pressed("确认", "确认")),
            (60, told("三万已经付了", "a")),
        ),
    ),
    Story("a yes that lapses", ((0, told("让{a}把尾款三万打给供应商")),)),
    Story("a chain", ((0, told("评审的事安排一下（{n}）")), (10, pressed("确认", "确认")), (50, told("来", "b"))), _chain, role="admin"),
    Story("deep task", ((0, told("把手上的事理一遍（{n}）")),), _deep, role="admin"),
    Story("a long list", ((0, told("把清单念一遍（{n}）")), (20, told("把清单念一遍（{n}）"))), _list),
    Story(
        "decides",
        (
            (0, told("帮我问一下{a}，v{n} 什么时候能提测")),
            (20, told("这事不归我，找{b}", "a")),
            (40, lambda t, c: t.presses(c.me, f"问{c.second}", or_says=f"问{c.second}")),
            (90, told("周五能提测", "b")),
        ),
    ),
    Story("silence", ((0, told("帮我问一下{a}，v{n} 什么时候能提测")),)),
    Story(
        "held back",
        (
            (0, told("帮我问一下{a}，合同{n} 什么时候能签")),
            (3, told("帮我问一下{a}，发票{n} 什么时候能开")),
            (20, told("算了，发票{n} 不用问了")),
        ),
    ),
    Story(BLOCKED, ((0, both(lambda t, c: t.blocks(c.a), told("帮我问一下{a}，v{n} 什么时候能提测"))),)),
    Story(
        BAD_LINE,
        (
            (0, both(lambda t, c: t.goes_wrong("retry_after", c.a, seconds=100), told("告诉{a}评审改到三点"))),
            (1, told("帮我问一下{a}，v{n} 什么时候能提测")),
            (10, both(lambda t, c: t.goes_wrong("drop", c.a, phase="after"), told("告诉{a}评审改到四点"))),
            (20, both(lambda t, c: t.goes_wrong("status", c.b, status=502), told("告诉{b}评审改到五点"))),
            (30, told("周四能提测", "a")),
        ),
    ),
    Story(
        MOVES,
        (
            (0, both(lambda t, c: t.group(-c.me), in_group("@{bot} 帮我问一下{a}，v{n} 什么时候能提测"))),
            (20, both(in_group("@{bot} 帮我问一下{b}，w{n} 什么时候能提测"), lambda t, c: t.moves(-c.me, -c.me - MOVED))),
            (30, told("周四能提测", "a")),
        ),
    ),
    Story("commands", ((0, told("/concerns")), (5, told("/schedules")), (10, told("/help")))),
    Story(
        "bad days",
        (
            (0, told("帮我问一下{a}，合同甲{n} 什么时候能签")),
            (5, told("帮我问一下{b}，合同乙{n} 什么时候能签")),
            (10, both(told("天气甲{n}"), told("周四能签", "a"))),
            (15, both(told("天气乙{n}"), told("周五能签", "b"))),
        ),
        _bad_days,
    ),
    Story(
        "awaits",
        (
            (0, told("{a}每天下午五点前要发日报，没发就催他")),
            (5, told("留意一下有没有人提到机房{n}")),
        ),
    ),
    Story(
        HANGS,
        ((0, both(lambda t, c: t.goes_wrong("stall", c.a, phase="after"), told("告诉{a}评审改到三点"))),),
    ),
    Story("a stranger", ((0, lambda t, c: t.says(c.me + STRANGER, "你好")),)),
    Story(
        "notices",
        (
            (0, both(told("/brief 8:30"), told("我今天下午四点给客户{n}答复"))),
            (5, both(told("帮我问一下{a}，{n}号报价单什么时候能给"), told("帮我问一下{a}，{n}号合同什么时候能签"))),
            (240, told("告诉{a}明天的评审改到下午三点")),  # for ten minutes after it both chases wait, and leave as one
            (270, told("报价单周四给，合同周五签", "a")),
        ),
    ),
)  # fmt: skip
_CHAT = re.compile(r"\d{4,6}")
_NUMBERS = {story.name: number for number, story in enumerate(STORIES)}


def story_of(text: object) -> str:
    """Whose story a chat, a person's id or a lane belongs to; empty: nobody's."""
    found = _CHAT.search(str(text))
    number = int(found[0]) % STRANGER if found else 0
    number = (number - MOVED if number > MOVED else number) // 10 - 300
    return STORIES[number].name if 0 <= number < len(STORIES) else ""


def stories(names: tuple[str, ...]) -> tuple[Cast, ...]:
    """Each with people of its own."""
    return tuple(_cast(STORIES[_NUMBERS[name]]) for name in names)


def _cast(story: Story) -> Cast:
    number = _NUMBERS[story.name]
    me = 3000 + 10 * number
    first, second, third = NAMES[3 * number : 3 * number + 3]
    return Cast(story, me, me + 1, me + 2, (first, second, third))


def office(casts: tuple[Cast, ...], platform: str) -> dict[str, Any]:
    """The configuration: an owner, and the people of the stories, who are there day and night."""
    called = "ou_{}" if platform == "feishu" else "{}"
    always = {"working_hours": "00:00-24:00", "working_days": "daily", "quiet_hours": ""}
    people = []
    for c in casts:
        who = (
            ("me", c.me, c.names[0], c.story.role),
            ("a", c.a, c.first, "delegate"),
            ("b", c.b, c.second, "delegate"),
        )
        people += [
            {"id": f"p_{key}{c.me}", "name": name, platform: called.format(chat), "role": role, **always}
            for key, chat, name, role in who
        ]
    return {"owner": {"id": "p_owner", "name": "老板", platform: called.format(OWNER), **always}, "people": people}
