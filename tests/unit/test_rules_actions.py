"""From words to actions: which goals a message holds, and what becomes of each."""

from datetime import datetime

import pytest

from core.brain.rules.words.goal import Want, wants
from tests.unit.rules_desk import ACTIONS, MONDAY, REPORT, TESTING, evaluated, raised, tendencies


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("帮我问张三提测时间，另外半小时后提醒我开会", 2),
        ("1问张三退货率 2问李四仓库还有多少空位", 2),
        ("帮我问一下张三李四，v2.0 什么时候能提测", 1),
        ("先问张三图纸版本，再决定要不要找李四", 1),
        ("先检查配置，再修复问题，最后告诉我结果", 1),
        ("10分钟后提醒我喝水，20分钟后提醒我开会，30分钟后提醒我下班", 3),
        ("remind me in 15 minutes to turn off the stove, and in 40 minutes to leave", 2),
        ("remind me at 5 to call Ann, at 6 to eat", 2),
        ("明天九点问李四接口好了没，下午三点告诉王五开会", 2),
        ("问张三提测时间；李四每天18:30前要发日报；下午三点提醒我开会；让李四打五万块给供应商", 4),
        ("问张三提测时间，另外盯着李四每天18:30前发日报", 2),
        ("明天下午三点有个面试，提前半小时提醒我", 1),
        ("每天早上8点提醒我吃药，晚上8点也提醒我一次", 1),
        ("remind Tom at 5 to call Ana Silva", 1),
        ("10分钟后提醒我喝水，20分钟后要开会", 1),
        ("张三那边怎么样了", 1),
        ("算了不用问了", 1),
        ("你觉得李四这人怎么样", 0),
        ("把这句翻译成英文：请张三明天来", 0),
        ("帮我写一封给张三的感谢信", 0),
        ("昨天跟李四吵了一架，心烦", 0),
        ("what does latency mean", 0),
    ],
)
def test_goals_not_steps(text: str, count: int) -> None:
    assert len(tendencies(text)) == count


def test_a_clock_without_a_day_is_of_the_day_said_first() -> None:
    assert [evaluated(t).when for t in tendencies("明天九点提醒我开会，十点提醒我打电话")] == [
        MONDAY.replace(day=17, hour=9).isoformat(),
        MONDAY.replace(day=17, hour=10).isoformat(),
    ]
    english = tendencies("tomorrow at 9 remind me to call Ann, at 10 remind me to eat")
    assert evaluated(english[1]).when == MONDAY.replace(day=17, hour=10).isoformat()


def test_each_of_two_people_with_a_question_of_their_own_is_a_goal_of_its_own() -> None:
    assert tendencies("问张三退货率是多少，再问李四仓库还有多少空位") == (
        "问张三退货率是多少",
        "问李四仓库还有多少空位",
    )


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("帮我问一下张三李四，v2.0 什么时候能提测", "v2.0 什么时候能提测"),
        ("帮我问一下张三，v2.0 什么时候能提测，今天下班前要", "v2.0 什么时候能提测"),
        ("问下张三合同签了没，签了告诉我一声", "合同签了没"),
        ("张三那边报名收齐了没 你去问声", "报名收齐了没"),
        ("让李四把报表发我", "报表"),
        ("催一下王五的周报", "周报"),
        ("could you ask Tom when the van is back?", "when the van is back?"),
    ],
)
def test_the_title_is_the_matter_without_its_frame(text: str, title: str) -> None:
    assert raised(text)["title"] == title


@pytest.mark.parametrize(
    "text", ["问下张三报价多少，别说是我问的", "问下张三报价多少，语气客气点", "问下张三报价多少，太高我就换人"]
)
def test_orders_to_the_bot_and_remarks_do_not_reach_the_delegate(text: str) -> None:
    assert raised(text)["message"] == "报价多少"


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("问张三什么时候能提测", Want.TIME),
        ("问张三还剩多少库存", Want.NUMBER),
        ("问张三周六能不能来", Want.YESNO),
        ("让张三把报表发我", Want.THING),
        ("告诉张三会议改到三点，让他回个收到", Want.CONFIRM),
        ("问张三样机为什么退回", Want.INFO),
        ("ask Tom when the van is back", Want.TIME),
        ("tell Tom the gate code changed and make sure he got it", Want.CONFIRM),
    ],
)
def test_the_goal_says_what_the_verdict_will_want(text: str, want: Want) -> None:
    assert want in wants(raised(text)["goal"])


@pytest.mark.parametrize(
    ("text", "priority"),
    [
        ("线上全挂了，马上叫张三处理一下", "critical"),
        ("赶紧问张三合同在哪", "high"),
        ("问张三合同在哪，今天下班前要", "high"),
        ("不急，有空的时候问问张三合同在哪", "low"),
        ("问张三合同在哪", "medium"),
        ("问张三这周哪天有空", "medium"),
        ("no rush, ask Tom where the contract is", "low"),
    ],
)
def test_priority_is_taken_from_the_words(text: str, priority: str) -> None:
    assert raised(text)["priority"] == priority


def test_a_deadline_is_when_the_answer_is_wanted() -> None:
    due = raised("帮我问一下张三，合同签了没，今天下班前要")["deadline"]
    assert datetime.fromisoformat(due) == MONDAY.replace(hour=18)


@pytest.mark.parametrize(
    "text", ["问张三合同签了没，今天早上八点前要", "ask Tom when the van is back, I need it by 9 this morning"]
)
def test_a_deadline_that_has_gone_by_is_given_to_whoever_refuses_it(text: str) -> None:
    assert datetime.fromisoformat(raised(text)["deadline"]) < MONDAY


@pytest.mark.parametrize("text", ["跟张三说昨天之前的都作废", "问张三昨天早上那份报表发了没"])
def test_a_past_day_that_is_spoken_of_is_no_deadline(text: str) -> None:
    assert "deadline" not in next(iter(evaluated(text).parameters.values()))


def test_a_date_inside_the_question_is_no_deadline() -> None:
    assert "deadline" not in raised("问张三充电桩年底前能不能装上")


def test_nothing_to_ask_is_refused_as_unclear() -> None:
    assert evaluated("帮我问一下张三").refusal == "unclear"


def test_nobody_to_ask_is_refused_as_unclear() -> None:
    assert evaluated("帮我问一下合同签了没").refusal == "unclear"


def test_the_same_question_to_the_same_person_is_put_again_and_left_to_the_ability() -> None:
    assert "raise_concern" in evaluated("帮我问下张三 v2.0 什么时候能提测", concerns=(TESTING,)).parameters
    again = evaluated("再问下张三 v2.0 什么时候能提测", concerns=(TESTING,))
    assert again.parameters == {"advance_concern": {"concern_ids": ["c1"]}}
    assert evaluated("问下李四 v2.0 什么时候能提测", concerns=(TESTING,)).ok


@pytest.mark.parametrize(
    "text",
    [
        "转账3000给王五，让李四操作",
        "叫李四把尾款十二万打给田老板",
        "跟张三说我们同意降价",
        "让李四付三千",
        "让张三转给供应商5000",
    ],
)
def test_money_and_commitments_are_confirmed_first(text: str) -> None:
    assert evaluated(text).need_confirm


@pytest.mark.parametrize("text", ["让李四打三个电话", "让李四打10086"])
def test_a_number_that_is_no_sum_is_not(text: str) -> None:
    assert not evaluated(text).need_confirm


def test_a_question_about_money_is_not() -> None:
    assert not evaluated("问李四尾款什么时候能付").need_confirm


@pytest.mark.parametrize(
    "text", ["先检查配置，再修复问题，最后告诉我结果", "first find the bug, then fix it and tell me"]
)
def test_what_no_ability_covers_is_refused_with_a_reason(text: str) -> None:
    result = evaluated(text)
    assert (result.refusal, bool(result.reason)) == ("no_ability", True)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("半小时后提醒我开会", "remind"),
        ("跟李四说钥匙放前台了", "send_message"),
        ("每天早上九点告诉我还有什么没办完", "schedule"),
        ("张三每天六点前要发日报，没发就催他", "expect"),
        ("留意一下客户那边有没有消息", "watch"),
        ("张三几点上班", "look_up_person"),
        ("给张三发个邀请", "invite_person"),
        ("谁提到过压测", "look_up_facts"),
        ("把这周的进展理一遍给我", "deep_task"),
    ],
)
def test_an_ability_that_is_not_available_is_refused_whatever_it_is(text: str, key: str) -> None:
    assert list(evaluated(text).parameters) == [key]
    rest = tuple(m for m in ACTIONS if m.key != key)
    assert evaluated(text, available_meta_actions=rest).refusal == "no_ability"


def test_an_ability_that_the_caller_lacks_is_no_ability() -> None:
    result = evaluated("帮我问张三合同签了没", available_meta_actions=ACTIONS[1:])
    assert result.refusal == "no_ability"


def test_talk_is_refused_as_no_action() -> None:
    assert evaluated("你觉得这个方案怎么样").refusal == "no_action"


def test_a_cancel_and_a_look_name_their_concerns() -> None:
    cancel = evaluated("张三那个先停", concerns=(TESTING, REPORT))
    assert cancel.parameters == {"cancel_concern": {"concern_ids": ["c1"]}}
    look = evaluated("李四回了没", concerns=(TESTING, REPORT))
    assert look.parameters == {"check_concerns": {"person": "p_li", "concern_ids": ["c2"]}}
    assert evaluated("进展如何", concerns=(TESTING, REPORT)).parameters == {"check_concerns": {}}


def test_each_key_of_the_chain_has_its_parameters() -> None:
    result = evaluated("帮我问张三合同签了没")
    keys = [key for stage in result.primary_action_chain.values() for key in stage]
    assert keys == list(result.parameters) == ["raise_concern"]
    assert result.type == "immediate"
