"""Matters that stand still because of a fault of the bot's own: asked about once, and a push takes them up again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from core.brain.questions import A, Assess, Compose, Question
from core.brain.rules import RuleBrain
from core.concern.decision import Setting
from core.concern.heartbeat import asks_about
from core.concern.model import ConcernType, Priority, Status
from core.concern.opening import Proposal, open_concern
from core.hub.commit import commit
from core.ids import ConcernId, PersonId
from core.limits import Limits
from core.ports import Repositories
from tests.flow.office import START, Arrived, Office

A_DAY = timedelta(days=1)
A_MINUTE = timedelta(minutes=1)
"""What falls due in the matter at the same moment is taken up first."""
FIRST = "con_20260316_001"


class Broken(RuleBrain):
    """A fault of our own, and no failure of a model: what was asked is tried a few times, and then it is dead."""

    breaks: tuple[type, ...] = (Assess,)

    async def ask(self, question: Question[A]) -> A:
        if isinstance(question, self.breaks):
            raise KeyError("a fault")
        return await super().ask(question)


@pytest.fixture
def office() -> Iterator[Office]:
    made = Office(brain=Broken())
    yield made
    made.close()


def asked(office: Office, chat: str = "1") -> list[Arrived]:
    return [a for a in office.ledger if a.chat == chat and "没动静" in a.text]


def dead(office: Office, *orders: str) -> None:
    """Each order was answered, and the work on the answer died."""
    for order in orders:
        office.say("p_owner", order)
    office.say("p_zhangsan", "周五能给")
    office.advance(timedelta(hours=2))


def test_a_push_takes_up_what_died_and_the_question_is_not_asked_again(office: Office) -> None:
    dead(office, "帮我问一下张三，v2.0 什么时候能提测")
    office.advance(3 * A_DAY)
    question = asked(office)[-1]
    assert (len(asked(office)), question.at) == (1, START + 3 * A_DAY + A_MINUTE)
    office.advance(A_DAY)
    office.brain._inner.breaks = ()  # type: ignore[attr-defined]
    office.press("p_owner", f"cmd:nudge {FIRST}", "telegram", question.message_id)
    texts = [a.text for a in office.ledger if a.chat == "1"]
    assert any("重新接着办" in t for t in texts)
    assert any("[回流]" in t and "周五" in t for t in texts)
    office.advance(9 * A_DAY)
    assert len(asked(office)) == 1
    assert all(not c.status.is_open for c in office.concerns())


def test_what_was_never_written_to_anybody_is_taken_up_too(office: Office) -> None:
    broken = office.brain._inner
    broken.breaks = (Compose,)  # type: ignore[attr-defined]
    office.say("p_owner", "帮我问一下张三，v2.0 什么时候能提测")
    office.advance(3 * A_DAY + timedelta(hours=1))
    assert [a for a in office.ledger if a.chat != "1"] == []
    broken.breaks = ()  # type: ignore[attr-defined]
    office.press("p_owner", f"cmd:nudge {FIRST}", "telegram", asked(office)[0].message_id)
    assert ["提测" in a.text for a in office.ledger if a.chat != "1"] == [True]


def test_words_that_quote_the_question_are_about_the_matter_itself(office: Office) -> None:
    dead(office, "帮我问一下张三，v2.0 什么时候能提测")
    office.say("p_owner", "帮我问一下李四，年会场地定在哪里")
    office.advance(3 * A_DAY)
    office.say("p_owner", "放下吧，不用问了", reply_to=asked(office)[0].message_id)
    by_title = {c.title: c.status for c in office.concerns() if asks_about(c) is None}
    assert by_title["v2.0 什么时候能提测"] is Status.DROPPED
    assert by_title["年会场地定在哪里"].is_open


def test_a_strangers_press_and_a_members_steer_nothing(office: Office) -> None:
    dead(office, "帮我问一下张三，v2.0 什么时候能提测")
    office.advance(3 * A_DAY)
    for who in ("p_wang", "p_zhangsan"):
        for data in (f"wait:{FIRST}", f"cmd:drop {FIRST}", f"cmd:nudge {FIRST}"):
            office.press(who, data, "telegram", "in99")
    concern = next(c for c in office.concerns() if c.concern_id == FIRST)
    assert concern.status.is_open
    assert not [e for e in concern.timeline if e.type in ("left_alone", "nudged")]


def test_a_long_downtime_is_followed_by_no_avalanche() -> None:
    office = Office(brain=Broken())
    things = ["v2.0 什么时候能提测", "年会场地定在哪里", "合同什么时候能签", "发票什么时候能开", "客户名单有多少人"]
    things += ["培训定在哪天", "服务器什么时候能到货", "预算一共多少钱"]
    dead(office, *(f"帮我问一下张三，{thing}" for thing in things))
    for concern in office.concerns():
        office.say("p_zhangsan", f"{concern.title}：周五给")
    office.advance(timedelta(hours=2))
    stuck = [c for c in office.concerns() if c.status.is_open]
    assert len(stuck) == 8
    office.jump(datetime.fromisoformat("2026-03-30T10:00:00+08:00"))
    # That the bot was down is no standstill: it takes up what fell due, and a day later nothing has come of it.
    office.advance(timedelta(hours=5))
    assert asked(office) == []
    office.advance(A_DAY - timedelta(hours=4))
    assert len(asked(office)) == 5
    office.advance(timedelta(hours=7))
    assert len(asked(office)) == 5
    office.advance(A_DAY)
    office.advance(A_DAY)
    assert len(asked(office)) == len({a.text for a in asked(office)}) == 8
    office.close()


def test_to_look_for_what_stands_still_moves_nothing(office: Office) -> None:
    dead(office, "帮我问一下张三，v2.0 什么时候能提测")
    moved = office.look(lambda repos: repos.agenda.focus(9))[0].moved_at
    office.advance(START + 3 * A_DAY - office.clock.now())
    # The look is over, and what it found has yet to be judged.
    (ref,) = office.look(lambda repos: repos.agenda.focus(9))
    assert office.look(lambda repos: repos.agenda.stuck(office.clock.now(), 9)) == ()
    assert (ref.stuck_at, ref.moved_at, asked(office)) == (office.clock.now(), moved, [])
    office.advance(A_MINUTE)
    assert len(asked(office)) == 1


def test_of_two_that_become_stuck_within_a_minute_one_waits_for_its_turn() -> None:
    office = Office(brain=Broken(), limits={"heartbeat": {"daily_limit": 1}})
    orders = ("帮我问一下张三，v2.0 什么时候能提测", "帮我问一下李四，年会场地定在哪里")
    for who, order, answer in zip(("p_zhangsan", "p_lisi"), orders, ("周五能给", "在三楼"), strict=True):
        office.say("p_owner", order)
        office.say(who, answer)
        office.advance(timedelta(seconds=30))
    office.advance(3 * A_DAY + timedelta(hours=5))
    assert len(asked(office)) == 1
    office.advance(A_DAY)
    assert len(asked(office)) == 2
    office.close()


def test_what_else_was_decided_that_day_counts_for_no_question() -> None:
    office = Office(brain=Broken(), limits={"heartbeat": {"daily_limit": 1}})
    dead(office, "帮我问一下张三，v2.0 什么时候能提测")
    office.advance(3 * A_DAY - timedelta(hours=6))
    office.say("p_owner", "帮我问一下李四，年会场地定在哪里")
    office.say("p_owner", "年会场地不用问了")
    office.advance(timedelta(hours=6))
    lately = office.look(lambda repos: [d.what for d in repos.agenda.recent(9) if d.at > office.clock.now() - A_DAY])
    assert {"raised", "dropped"} <= set(lately)
    assert len(asked(office)) == 1
    office.close()


def test_a_message_that_has_yet_to_leave_is_no_standstill() -> None:
    office = Office()
    office.jump(datetime.fromisoformat("2026-03-20T19:00:00+08:00"))
    office.say("p_owner", "帮我问一下张三，v2.0 什么时候能提测")
    # Down over its morning, and up again at night: it leaves the next morning.
    office.jump(datetime.fromisoformat("2026-03-24T23:00:00+08:00"))
    office.advance(timedelta(hours=20))
    assert ["提测" in a.text for a in office.ledger if a.chat != "1"] == [True, True]
    assert asked(office) == []
    office.close()


# --- matters that nobody started ---------------------------------------------------------------------------------------


def of_nobody(priority: Priority) -> Office:
    """The bot asks 张三 after something by itself."""
    office = Office()
    people = office.people

    def open_it(repos: Repositories) -> None:
        proposal = Proposal(
            concern_id=ConcernId("con_20260316_001"),
            type=ConcernType.HEARTBEAT,
            title="合同盖章",
            goal="张三办好：合同盖章",
            words="我今天把合同盖章",
            initiator=None,
            channel="",
            channel_user_id="",
            conversation=None,
            origin_message_id=None,
            delegates=(people[PersonId("p_zhangsan")],),
            priority=priority,
        )
        commit(repos, open_concern(proposal, Setting(office.clock.now(), people, Limits())), new=True)

    office.look(open_it)
    office.advance(timedelta(hours=1))
    return office


def test_the_owner_hears_of_it_by_name_and_decides_by_button() -> None:
    office = of_nobody(Priority.HIGH)
    office.say("p_zhangsan", "这事不归我")
    office.advance(timedelta(minutes=31))
    told = [a for a in office.ledger if a.chat == "1"]
    assert all("合同盖章" in a.text for a in told)
    assert "不归我" in told[-1].text
    point = office.concerns()[0].decision
    assert point is not None
    office.press("p_wang", f"choice:{point.decision_id}:drop", "telegram", told[-1].message_id)
    assert office.concerns()[0].status.is_open
    office.press("p_owner", f"choice:{point.decision_id}:drop", "telegram", told[-1].message_id)
    assert office.concerns()[0].status is Status.DROPPED
    office.close()


def test_what_is_low_comes_to_its_end_without_a_word_to_the_owner() -> None:
    office = of_nobody(Priority.LOW)
    office.say("p_zhangsan", "这事不归我")
    office.advance(9 * A_DAY)
    assert office.concerns()[0].status is Status.DROPPED
    assert [a for a in office.ledger if a.chat == "1"] == []
    office.close()


@pytest.mark.parametrize(("priority", "told"), [(Priority.LOW, False), (Priority.HIGH, True)])
def test_what_is_low_has_no_line_in_the_brief(priority: Priority, told: bool) -> None:
    office = of_nobody(priority)
    office.say("p_owner", "/brief 8:30")
    office.say("p_zhangsan", "明天下午三点前盖好")
    office.advance(datetime.fromisoformat("2026-03-17T08:31:00+08:00") - office.clock.now())
    assert ["合同盖章" in a.text for a in office.ledger if a.text.startswith("早上好")] == [True] * told
    office.close()
