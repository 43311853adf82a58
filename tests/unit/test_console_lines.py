"""What a line of the console is, and what the channel prints and takes."""

from datetime import UTC, datetime

import pytest

from bot.channels.console import ConsoleChannel, Directive, Nobody, Speech, find_person, read_line
from bot.settings import build_settings
from bot.system import SequenceIds, VirtualClock
from core.facts import FactKind
from core.people import Person
from core.ports import ChannelButton, ChannelMessage

PEOPLE = build_settings({}, "sample").people
OWNER, ZHANGSAN, LISI = PEOPLE
YES = ((ChannelButton(label="确认", data="y"), ChannelButton(label="取消", data="n")),)


def speech(line: str, last: Person = ZHANGSAN) -> tuple[str, str]:
    read = read_line(line, PEOPLE, last)
    assert isinstance(read, Speech)
    return read.speaker.name, read.text


@pytest.mark.parametrize(
    ("line", "spoken"),
    [
        ("老板: 帮我问一下张三", ("老板", "帮我问一下张三")),
        ("老板：帮我问一下张三", ("老板", "帮我问一下张三")),
        ("owner: ask 张三", ("老板", "ask 张三")),
        ("Owner:ask", ("老板", "ask")),
        ("李四: 周四", ("李四", "周四")),
        ("li si: Thursday", ("李四", "Thursday")),
        ("p_lisi: 周四", ("李四", "周四")),
        ("周四能提测", ("张三", "周四能提测")),
        ("  周四能提测  ", ("张三", "周四能提测")),
        ("/stop", ("张三", "/stop")),
        ("老板: /concerns", ("老板", "/concerns")),
        ("/priority con_1 high: now", ("张三", "/priority con_1 high: now")),
        ("时间：周四", ("张三", "时间：周四")),
        ("见 https://example.com/a", ("张三", "见 https://example.com/a")),
        ("12:30 可以", ("张三", "12:30 可以")),
        ("李四: 时间: 周四", ("李四", "时间: 周四")),
    ],
)
def test_who_says_what(line: str, spoken: tuple[str, str]) -> None:
    assert speech(line) == spoken


@pytest.mark.parametrize("line", ["", "   ", "张三:", "张三：  "])
def test_nothing_said(line: str) -> None:
    assert read_line(line, PEOPLE, OWNER) is None


@pytest.mark.parametrize(
    ("line", "directive"),
    [
        ("!advance 4h", Directive("advance", "4h")),
        ("！advance 4h", Directive("advance", "4h")),
        ("! Press 确认", Directive("press", "确认")),
        ("!quit", Directive("quit", "")),
        ("!", Directive("", "")),
    ],
)
def test_directives(line: str, directive: Directive) -> None:
    assert read_line(line, PEOPLE, OWNER) == directive


def test_an_unknown_speaker_is_taken_for_a_slip() -> None:
    assert read_line("王五: 你好", PEOPLE, OWNER) == Nobody("王五", "你好")


def test_the_owner_is_the_owner_by_whatever_name() -> None:
    boss = OWNER.model_copy(update={"name": "王总", "aliases": ()})
    assert find_person("老板", (ZHANGSAN, boss)) == boss
    assert find_person("owner", (ZHANGSAN, boss)) == boss


def channel(printed: list[str]) -> ConsoleChannel:
    here = ConsoleChannel(VirtualClock(datetime(2026, 3, 16, 2, tzinfo=UTC)), SequenceIds(), printed.append, "清海")
    here.meet(PEOPLE)
    return here


async def test_a_message_is_printed_with_its_recipient_and_buttons() -> None:
    printed: list[str] = []
    await channel(printed).send(ChannelMessage(key="k", chat="zhangsan", text="在吗\n急", buttons=YES))
    assert printed == ["清海 → 张三: 在吗", "    急", "    [确认] [取消]"]


async def test_a_line_becomes_a_fact_in_the_speaker_s_chat() -> None:
    fact = channel([]).said(Speech(LISI, "周四"))
    assert (fact.kind, fact.channel, fact.conversation) == (FactKind.MESSAGE, "console", "console:lisi")
    assert (fact.sender, fact.text) == ("lisi", "周四")
    assert fact.message_id


@pytest.mark.parametrize("label", ["确认", "[确认]", "确"])
async def test_a_press_finds_the_latest_button_and_only_once(label: str) -> None:
    here = channel([])
    receipt = await here.send(ChannelMessage(key="k", chat="owner", text="可以吗", buttons=YES))
    fact = here.pressed(label)
    assert fact is not None
    assert (fact.kind, fact.button, fact.message_id, fact.sender) == (FactKind.BUTTON, "y", receipt.message_id, "owner")
    await here.settle_button(fact, None)
    assert here.pressed(label) is None


async def test_an_exact_label_wins_over_a_later_one_that_begins_so() -> None:
    here = channel([])
    longer = ((ChannelButton(label="确认并发送", data="z"),),)
    await here.send(ChannelMessage(key="k", chat="owner", text="一", buttons=YES))
    await here.send(ChannelMessage(key="l", chat="owner", text="二", buttons=longer))
    fact = here.pressed("确认")
    assert fact is not None
    assert fact.button == "y"
    assert here.labels() == ("确认并发送", "确认", "取消")


def test_nothing_to_press() -> None:
    assert channel([]).pressed("确认") is None
    assert channel([]).pressed("") is None
