"""The console's loop with a bot that only notes what it is told."""

from datetime import datetime, timedelta

import pytest

from bot.channels.console import ConsoleChannel
from bot.cli.console import Sandbox
from bot.render import JinjaRenderer
from bot.settings import build_settings
from bot.system import SequenceIds, SystemClock
from core.facts import Fact, FactKind
from core.ports import ChannelButton, ChannelMessage

PEOPLE = build_settings({}, "sample").people
YES = ((ChannelButton(label="确认", data="y"),),)


class NotingBot:
    """Notes facts, and when it was let run; has work due after each of `waits`."""

    def __init__(self, clock: SystemClock, *waits: timedelta) -> None:
        self.clock = clock
        self.facts: list[Fact] = []
        self.ran: list[datetime] = []
        self._due = [clock.now() + w for w in waits]

    async def accept(self, fact: Fact) -> bool:
        self.facts.append(fact)
        return True

    async def settle(self) -> None:
        self.ran.append(self.clock.now())
        self._due = [d for d in self._due if d > self.clock.now()]

    async def next_due(self) -> datetime | None:
        return min(self._due, default=None)


class Stage:
    """A sandbox with all its parts at hand."""

    def __init__(self, *waits: timedelta) -> None:
        self.printed: list[str] = []
        self.kept = 0
        self.clock = SystemClock()
        self.began = self.clock.now()
        self.bot = NotingBot(self.clock, *waits)
        self.channel = ConsoleChannel(self.clock, SequenceIds(), self.printed.append, "清海")
        self.sandbox = Sandbox(
            self.bot, self.channel, self.clock, JinjaRenderer(), PEOPLE,
            persona="清海", print_line=self.printed.append, keep_clock=self._keep,
        )  # fmt: skip

    async def _keep(self) -> None:
        self.kept += 1

    async def take(self, *lines: str) -> str:
        """What was printed after these lines."""
        self.printed.clear()
        for line in lines:
            await self.sandbox.take(line)
        return "\n".join(self.printed)


async def test_lines_become_facts_of_their_speakers() -> None:
    stage = Stage()
    await stage.take("帮我问张三", "张三: 周四", "/help", "")
    assert [(f.sender, f.text) for f in stage.bot.facts] == [
        ("owner", "帮我问张三"),
        ("zhangsan", "周四"),
        ("zhangsan", "/help"),
    ]
    assert len(stage.bot.ran) == 3


async def test_advance_runs_each_piece_at_its_own_time_and_keeps_the_clock() -> None:
    stage = Stage(timedelta(hours=1), timedelta(hours=3), timedelta(hours=5))
    await stage.take("!advance 4h")
    hours = [round((at - stage.began).total_seconds() / 3600, 2) for at in stage.bot.ran]
    assert hours == [1, 3, 4]
    assert timedelta(0) <= stage.clock.now() - stage.began - timedelta(hours=4) < timedelta(minutes=1)
    assert stage.kept == 1


async def test_until_is_in_the_owner_s_zone() -> None:
    stage = Stage()
    day = (stage.began + timedelta(days=2)).date()
    printed = await stage.take(f"!until {day}T09:00")
    assert "09:00" in printed
    assert stage.clock.now() - datetime.fromisoformat(f"{day}T09:00+08:00") < timedelta(minutes=1)


async def test_a_press_reaches_the_bot_once() -> None:
    stage = Stage()
    await stage.channel.send(ChannelMessage(key="k", chat="owner", text="可以吗", buttons=YES))
    printed = await stage.take("!press 确认", "!press 确认")
    assert [(f.kind, f.button, f.sender) for f in stage.bot.facts] == [(FactKind.BUTTON, "y", "owner")]
    assert "确认" in printed


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("!advnce 4h", "!advance"),
        ("!", "!help"),
        ("!advance", "4h"),
        ("!advance soon", "4h"),
        ("!advance 99999999999d", "4h"),
        ("!advance -4h", "4h"),
        ("!until tomorrow", "2026-03-17T09:00"),
        ("!until 2020-01-01", "过去"),
        ("!until 9999-12-31T23:59:59+00:00", "366"),
        ("!advance 1000d", "366"),
        ("!press 好的", "好的"),
        ("!press", "按钮"),
        ("王五: 你好", "王五"),
    ],
)
async def test_bad_input_gets_one_kind_sentence_and_does_nothing(line: str, part: str) -> None:
    stage = Stage()
    printed = await stage.take(line)
    assert part in printed
    assert "Traceback" not in printed
    assert stage.bot.facts == []


async def test_people_and_help_are_listed_and_quit_ends() -> None:
    stage = Stage()
    printed = await stage.take("!people")
    assert [p.name for p in PEOPLE if p.name not in printed] == []
    printed = await stage.take("!help")
    assert [w for w in stage.sandbox.words if w.startswith("!") and w not in printed] == []
    assert not stage.sandbox.ended
    await stage.take("!quit")
    assert stage.sandbox.ended


def test_the_prompt_shows_time_and_speaker_and_the_greeting_who_is_here() -> None:
    stage = Stage()
    assert stage.sandbox.prompt.endswith(" 老板> ")
    stage.sandbox.greet()
    assert "张三" in "\n".join(stage.printed)


async def test_on_the_way_each_message_stands_under_its_own_time() -> None:
    stage = Stage(timedelta(hours=1), timedelta(hours=3))
    settle = stage.bot.settle

    async def say() -> None:
        await settle()
        if stage.clock.now() - stage.began < timedelta(hours=3, minutes=30):
            await stage.channel.send(ChannelMessage(key="k", chat="owner", text="有进展了"))

    stage.bot.settle = say  # type: ignore[method-assign]
    lines = (await stage.take("!advance 4h")).splitlines()
    assert [line.startswith("──") for line in lines] == [True, False, True, False, True]


async def test_bytes_of_another_encoding_and_control_characters_are_no_words() -> None:
    stage = Stage()
    await stage.take("\udcff\udcfe", "\x1b[31m周四\udcff能提测\x00")
    assert [f.text for f in stage.bot.facts] == ["[31m周四能提测"]
    assert "\x1b" not in await stage.take("!press \x1b[2J确认")


async def test_a_press_of_nothing_says_how() -> None:
    assert "!press 确认" in await Stage().take("!press")
