"""An answer that is put off, hangs on something else or belongs to somebody else closes nothing."""

import pytest

from core.brain.questions import Assessment
from core.brain.rules.replies.put_off import gives_no_answer, is_hearsay, only_puts_off
from core.brain.rules.words.goal import Want, framed, wants
from tests.unit.rules_desk import assessed, attitude_of

WHEN = {"goal": "拿到老韩关于「屋面防水什么时候做完」的具体时间", "asked": "想请问屋面防水什么时候做完？"}
DRAFT = {"goal": "拿到小林关于「画册什么时候定稿」的具体时间", "asked": "想请问画册什么时候定稿？"}
SIGN = {"goal": "拿到法务关于「协议什么时候能签」的具体时间", "asked": "想请问协议什么时候能签？"}
WHY = {"goal": "得到陈工关于「支付接口为什么超时」的答复", "asked": "想请问支付接口为什么超时？"}
WHO = {"goal": "得到前台关于「谁接周末的夜班」的答复", "asked": "想请问谁接周末的夜班？"}
HOW_MANY = {"goal": "拿到销售部关于「本月签了多少单」的具体数字", "asked": "想请问本月签了多少单？"}
TWO = {
    "goal": "拿到张三关于「提测时间和上线时间分别是哪天」的具体时间",
    "asked": "想请问提测时间和上线时间分别是哪天？",
}


def replied(reply: str, matter: dict[str, str]) -> Assessment:
    return assessed(reply, **matter)


@pytest.mark.parametrize(
    ("matter", "reply"),
    [
        (WHEN, "周三下午给你个准信"),
        (WHEN, "材料周四到场，到了才能排"),
        (WHEN, "周五再定"),
        (WHEN, "周五开会议一下"),
        (WHEN, "监理说周五来验收"),
        (WHEN, "我下午去催一下，催完告诉你"),
        (WHEN, "原来是12号，下雨取消了"),
        (WHY, "在看日志，半小时后给你结论"),
        (WHY, "听运维说是机房割接"),
        (WHY, "问题已经转给平台组了"),
        (WHY, "写了报告，今天下班前发出来"),
        (WHO, "还在协调，晚上给你名单"),
        (WHO, "小梅明天请假，正在换人"),
        (HOW_MANY, "目标是30单"),
        (HOW_MANY, "比上个月多两单"),
        (HOW_MANY, "我这边5单，别人的不清楚"),
    ],
)
def test_what_is_no_answer_yet_leaves_the_goal_open(matter: dict[str, str], reply: str) -> None:
    assert not replied(reply, matter).goal_met


@pytest.mark.parametrize(
    ("matter", "reply"),
    [
        (WHEN, "25号之前做完"),
        (WHEN, "25号前一定做完"),
        (WHEN, "周五肯定做完"),
        (WHEN, "周五前搞定"),
        (DRAFT, "周五前能定稿"),
        (SIGN, "周五协议能签"),
        (WHEN, "上礼拜就做完了"),
        (WHY, "连接池打满了，昨晚扩容后恢复了"),
        (WHO, "小梅接"),
        (WHO, "我"),
        (HOW_MANY, "17单"),
        (TWO, "周四提测，下周一上线"),
        (TWO, "周四和下周一"),
    ],
)
def test_a_plain_answer_still_closes_it(matter: dict[str, str], reply: str) -> None:
    assert replied(reply, matter).goal_met


def test_the_part_that_is_missing_is_asked_after() -> None:
    answer = replied("周四提测", TWO)
    assert not answer.goal_met
    assert "上线时间" in answer.messages[0].text


def test_an_answer_promised_for_a_time_is_a_commitment_until_then() -> None:
    answer = replied("等我确认一下，周五上午答复你", WHEN)
    assert attitude_of(answer) == "commitment"
    assert answer.next_action is not None
    assert answer.next_action.when is not None


@pytest.mark.parametrize(
    "clause", ["晚点跟你说", "我去查一下", "还在排查", "让小孙找找", "i'll let you know", "call me"]
)
def test_clauses_that_give_no_answer(clause: str) -> None:
    assert gives_no_answer(clause)


@pytest.mark.parametrize("clause", ["周四提测", "连接池打满了", "已经告诉你了", "it starts on friday"])
def test_clauses_that_may_be_answers(clause: str) -> None:
    assert not gives_no_answer(clause)


@pytest.mark.parametrize(
    ("clause", "heard"), [("财务说月底打款", True), ("我说过周五", False), ("he says friday", True)]
)
def test_hearsay_is_what_somebody_else_says(clause: str, heard: bool) -> None:
    assert is_hearsay(clause) is heard


@pytest.mark.parametrize(
    ("goal", "frame", "topic"),
    [
        ("张三办好：周三前把合同发给李四", Want.DEED, "周三前把合同发给李四"),
        ("告知张三：明天停水，并得到确认", Want.CONFIRM, "明天停水"),
        ("A clear yes or no from Tom: whether it is signed", Want.YESNO, "whether it is signed"),
        ("设备故障原因", None, "设备故障原因"),
    ],
)
def test_the_sentence_around_a_topic_says_what_is_wanted(goal: str, frame: Want | None, topic: str) -> None:
    assert framed(goal) == (frame, topic)
    assert frame is None or frame in wants(goal)


def test_a_refusal_to_tell_is_a_refusal() -> None:
    assert attitude_of(replied("这个涉密，不方便说", WHY)) == "refused"


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("我看看", True),
        ("我在开会，晚点回", True),
        ("稍等", True),
        ("let me check", True),
        ("I'm busy, later", True),
        ("晚点发你报价", False),
        ("等财务那边回了再说", False),
        ("周四给", False),
        ("在改接口文档", False),
        ("let me check the contract with legal", False),
        ("", False),
    ],
)
def test_words_that_only_put_off_are_about_nothing_in_particular(text: str, alone: bool) -> None:
    assert only_puts_off(text) is alone
