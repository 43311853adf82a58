"""A desk for the tests of the rule brain: people, a Monday morning, and short ways to put each question."""

import asyncio
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from core.action.meta_actions import available_meta_actions
from core.brain.questions import (
    A,
    Assess,
    Assessment,
    Compose,
    ConcernBrief,
    DelegateStanding,
    Evaluate,
    EvaluatorResult,
    Extract,
    Judge,
    Judgement,
    Line,
    PersonBrief,
    Question,
)
from core.brain.rules import RuleBrain
from core.people import Role

MONDAY = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


def person(person_id: str, name: str, *aliases: str) -> PersonBrief:
    return PersonBrief(person_id=person_id, name=name, aliases=aliases)


ZHANG = person("p_zhang", "张三", "三哥", "Zhang San")
LI = person("p_li", "李四")
WANG = person("p_wang", "王五", "老王")
NA = person("p_na", "李娜", "小李")
MING = person("p_ming", "李明", "小李")
TOM = person("p_tom", "Tom Reed", "Tom")
ANA = person("p_ana", "Ana Silva")
CONTACTS = (ZHANG, LI, WANG, NA, MING, TOM, ANA)

ACTIONS = available_meta_actions(Role.OWNER)
TESTING = ConcernBrief(
    concern_id="c1", title="v2.0 什么时候能提测", goal="拿到张三关于「v2.0 什么时候能提测」的具体时间", people=(ZHANG,)
)
REPORT = ConcernBrief(concern_id="c2", title="周报交了没有", goal="得到李四对「周报交了没有」的明确答复", people=(LI,))


def ask(question: Question[A]) -> A:
    """The rule brain's answer; it never really waits."""
    return asyncio.run(RuleBrain().ask(question))


def judged(text: str, role: Any = "owner", **more: Any) -> Judgement:
    return ask(Judge(text=text, role=role, now=MONDAY, **more))


def tendencies(text: str, **more: Any) -> tuple[str, ...]:
    return ask(Extract(text=text, now=MONDAY, contacts=CONTACTS, **more)).tendencies


def evaluated(text: str, **more: Any) -> EvaluatorResult:
    values: dict[str, Any] = {"contacts": CONTACTS, "available_meta_actions": ACTIONS, "sender_id": "p_owner"} | more
    return ask(Evaluate(tendency=text, text=text, now=MONDAY, **values))


def raised(text: str, **more: Any) -> dict[str, Any]:
    """The parameters of the concern that the text raises."""
    return evaluated(text, **more).parameters["raise_concern"]


def first_words(order: str, **more: Any) -> str:
    """What 张三 reads first about an order; of another message about it with `occasion`."""
    wish = raised(order)
    values: dict[str, Any] = {
        "occasion": "first_contact",
        "title": wish["title"],
        "goal": wish["goal"],
        "initiator_words": (wish["message"],),
        "deadline": wish.get("deadline"),
    } | more
    return composed(**values)


def composed(**values: Any) -> str:
    """The words of one message to 张三."""
    return ask(
        Compose.model_validate({"language": "zh-CN", "now": MONDAY, "to": "张三", "initiator": "老板"} | values)
    ).text


def assessed(reply: str | tuple[str, ...], *, goal: str, asked: str, **more: Any) -> Assessment:
    """What a reply of 张三 to `asked` amounts to."""
    values: dict[str, Any] = {
        "trigger": "reply",
        "title": goal,
        "priority": "medium",
        "initiator": "老板",
        "initiator_words": (),
        "standings": (DelegateStanding(person_id="p_zhang", name="张三", pronoun="他", comm_status="waiting_reply"),),
        "dialogue": (Line(who="清海", text=asked, at=MONDAY - timedelta(hours=1), ours=True),),
        "new": (reply,) if isinstance(reply, str) else reply,
        "known_names": ("李四", "王五", "老王"),
    } | more
    return ask(Assess(now=MONDAY, goal=goal, about="p_zhang", **values))


def attitude_of(answer: Assessment) -> str:
    return answer.attitudes["p_zhang"].attitude
