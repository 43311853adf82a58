"""The absence of somebody else, told by whoever may steer everything; and the brief that is asked for in words."""

import pytest

from core.brain.rules.owner.brief_wish import BriefWish, brief_wish
from core.brain.rules.signals.absences import absences_told
from tests.unit.rules_desk import CONTACTS, MONDAY


def told(text: str) -> list[tuple[tuple[str, ...], str, str]]:
    """Who is away, from when and until when; empty moments for one who is back or is away already."""
    found = absences_told(text, MONDAY, CONTACTS).told
    return [
        (
            t.people,
            t.absence.since.strftime("%d %H") if t.absence and t.absence.since else "",
            t.absence.until.strftime("%d %H") if t.absence else "",
        )
        for t in found
    ]


@pytest.mark.parametrize(
    ("text", "found", "rest"),
    [
        ("张三明天请假", [(("p_zhang",), "17 00", "18 09")], ""),
        ("张三说他明天请假", [(("p_zhang",), "17 00", "18 09")], ""),
        ("张三和李四明天都请假", [(("p_zhang", "p_li"), "17 00", "18 09")], ""),
        ("张三休假到周三，他的事先放放", [(("p_zhang",), "", "19 09")], ""),
        ("张三明天请假，别催他了", [(("p_zhang",), "", "18 09")], ""),
        ("张三请假了，周四回来，帮我问李四合同签了没", [(("p_zhang",), "", "19 09")], "帮我问李四合同签了没"),
        (
            "张三明天请假，李四周五出差",
            [(("p_zhang",), "17 00", "18 09"), (("p_li",), "20 00", "21 09")],
            "",
        ),
        ("Tom is on leave until Wednesday", [(("p_tom",), "", "19 09")], ""),
        ("Tom is off today. Ask Ana for the report", [(("p_tom",), "", "17 09")], "Ask Ana for the report"),
        ("Ana says she's away until Friday, don't chase her", [(("p_ana",), "", "21 09")], ""),
        ("张三回来了", [(("p_zhang",), "", "")], ""),
        ("张三明天不请假了", [(("p_zhang",), "", "")], ""),
        ("Tom is back", [(("p_tom",), "", "")], ""),
    ],
)
def test_an_absence_at_the_beginning_is_told(
    text: str, found: list[tuple[tuple[str, ...], str, str]], rest: str
) -> None:
    assert told(text) == found
    assert absences_told(text, MONDAY, CONTACTS).rest == rest


@pytest.mark.parametrize(
    "text",
    [
        "张三明天请假吗",
        "张三可能明天请假",
        "让张三明天请假",
        "告诉李四，张三明天请假",
        "如果张三明天请假，就问李四",
        "张三明天请假的话问李四",
        "张三说李四明天请假",
        "张三上周请假了",
        "张三明天开会",
        "小李明天请假",  # two are called so
        "问张三明天请不请假",
        "is Tom on leave until Wednesday?",
        "ask Tom if he is on leave",
    ],
)
def test_what_is_no_absence(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("每天早上给我一份简报", BriefWish()),
        ("每天早上八点半给我发简报", BriefWish(at="8:30")),
        ("早上的简报改到九点", BriefWish(at="9:00")),
        ("不用发简报了", BriefWish(off=True)),
        ("send me a brief every morning at 8:30", BriefWish(at="8:30")),
        ("stop the morning brief", BriefWish(off=True)),
        ("每天早上给我一份销售简报", None),
        ("让张三每天早上给我发一份简报", None),
        ("ask Tom for the brief", None),
        ("give me a brief about the contract", None),
        ("简报里有什么？", None),
    ],
)
def test_the_brief_asked_for_in_words(text: str, wish: BriefWish | None) -> None:
    assert brief_wish(text, MONDAY, CONTACTS, "p_owner") == wish
