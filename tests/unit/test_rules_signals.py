"""What words tell beside what they ask for: promises in passing, risks, blockers; and many that are none."""

from datetime import datetime, time

import pytest

from core.brain.answers import SignalOf
from core.brain.rules.signals.lifting import MOST, clamped, signals_of, tells_own_deed, tells_trouble
from core.brain.rules.signals.promises import deed_of, is_deed_done, is_promise_alone, promises_in
from tests.unit.pace import FAR, times_as_long
from tests.unit.rules_desk import CONTACTS, MONDAY, TESTING, judged

WEDNESDAY = MONDAY.replace(day=18, hour=18)


def promise(text: str, end_of_work: time = time(18, 0)) -> tuple[str, datetime | None] | None:
    """The deed and the moment of the one promise in a text."""
    found = [s for s in signals_of(text, MONDAY, end_of_work) if s.kind == "commitment"]
    return (deed_of(found[0].what, MONDAY), found[0].when) if found else None


@pytest.mark.parametrize(
    ("text", "deed", "day", "hour"),
    [
        ("我周三给客户答复", "给客户答复", 18, 18),
        ("周三我给客户答复", "给客户答复", 18, 18),
        ("我明天把合同发过去", "把合同发过去", 17, 18),
        ("好的，我周五前把报价发给客户", "把报价发给客户", 20, 18),
        ("我们周四下班前提交标书", "提交标书", 19, 18),
        ("我答应了客户周三给答复", "给答复", 18, 18),
        ("放心，我今天下班前把方案改好", "把方案改好", 16, 18),
        ("那我明天上午跟客户打个电话", "跟客户打个电话", 17, 12),
        ("明天我来处理退款", "处理退款", 17, 18),
        ("I'll send the client the quote on Wednesday", "send the client the quote", 18, 18),
        ("On Friday I'll get back to the vendor", "get back to the vendor", 20, 18),
        ("We'll submit the bid by Thursday", "submit the bid", 19, 18),
        ("OK, I will have the draft ready by tomorrow noon", "have the draft ready", 17, 12),
        ("I'm going to pay the deposit tomorrow", "pay the deposit", 17, 18),
        ("I'll finish the report tomorrow", "finish the report", 17, 18),
    ],
)
def test_who_speaks_will_do_it_on_a_day(text: str, deed: str, day: int, hour: int) -> None:
    assert promise(text) == (deed, MONDAY.replace(day=day, hour=hour))


def test_a_day_ends_with_work() -> None:
    assert promise("我周三给客户答复", time(17, 0)) == ("给客户答复", WEDNESDAY.replace(hour=17))


@pytest.mark.parametrize(
    "text",
    [
        # orders to the bot
        "明天提醒我给客户答复",
        "帮我周三给客户答复",
        "周三给客户答复",
        "Remind me to send the quote on Wednesday",
        "You'll send it on Wednesday",
        # questions
        "我周三给客户答复吗？",
        "我周三是不是要给客户答复",
        "Shall I send it on Wednesday?",
        # wishes and hedges
        "我想周三给客户答复",
        "我希望周三能给客户答复",
        "我打算周三给客户答复",
        "我争取周三给客户答复",
        "我可能周三给客户答复",
        "I'd like to send the quote on Wednesday",
        "I'll try to send it on Wednesday",
        "I might send it on Wednesday",
        "I hope I'll send it on Wednesday",
        # others
        "张三周三给客户答复",
        "我让张三周三给客户答复",
        "客户周三给我答复",
        "Zhang San will send it on Wednesday",
        # over
        "我周三给客户答复了",
        "我昨天把合同发过去了",
        "我上周三给客户发了报价",
        "I sent the quote on Wednesday",
        # conditions and negations
        "如果价格谈拢，我周三给客户答复",
        "价格谈拢的话我周三给客户答复",
        "我周三不给客户答复",
        "我周三没法给客户答复",
        "I won't send it on Wednesday",
        "I'll send it on Wednesday if legal agrees",
        "I'll send it on Wednesday unless legal objects",
        # no definite day
        "我尽快给客户答复",
        "我下周给客户答复",
        "我回头给客户答复",
        "I'll send it soon",
        "I'll send it next week",
        # again and again
        "我每周三给客户发周报",
        # nothing that is owed to anybody
        "我周三去上海",
        "我明天请假",
        "我周三开会",
        "我明天给儿子过生日",
        "我明天发工资",
        "I'll be in Shanghai on Wednesday",
        # the words of somebody else
        "「张三：我周三给客户答复」",
        "他说「我周三给客户答复」",
    ],
)
def test_what_is_no_promise(text: str) -> None:
    assert promise(text) is None


@pytest.mark.parametrize(
    ("text", "kind", "what"),
    [
        ("我担心周五上不了线", "risk", "周五上不了线"),
        ("可能来不及", "risk", "可能来不及"),
        ("v2.0 可能要延期", "risk", "v2.0 可能要延期"),
        ("张三那边恐怕赶不上周五的上线", "risk", "张三那边恐怕赶不上周五的上线"),
        ("合同有法律风险", "risk", "合同有法律风险"),
        ("The release might slip", "risk", "The release might slip"),
        ("v2.0 is at risk", "risk", "v2.0 is at risk"),
        ("I'm worried the launch won't be ready by Friday", "risk", "the launch won't be ready by Friday"),
        ("支付接口联不通", "blocker", "支付接口联不通"),
        ("环境挂了，做不下去", "blocker", "环境挂了，做不下去"),
        ("卡在第三方回调", "blocker", "卡在第三方回调"),
        ("还在等沙箱", "blocker", "还在等沙箱"),
        ("今天开了个会，测试环境挂了", "blocker", "测试环境挂了"),
        ("We're blocked by the sandbox", "blocker", "We're blocked by the sandbox"),
        ("stuck on the third-party callback", "blocker", "stuck on the third-party callback"),
        ("I can't proceed until legal signs off", "blocker", "I can't proceed until legal signs off"),
        ("The staging server is down", "blocker", "The staging server is down"),
    ],
)
def test_risks_and_blockers(text: str, kind: str, what: str) -> None:
    assert [(s.kind, s.what) for s in signals_of(text, MONDAY)] == [(kind, what)]


@pytest.mark.parametrize(
    "text",
    [
        "不会延期的",
        "没有风险",
        "会有风险吗？",
        "这个方案哪里有风险",
        "别担心，来得及",
        "我不担心来不及",
        "如果周三拿不到合同就来不及了",
        "上次差点来不及",
        "我卡在路上了",
        "堵车，可能来不及开会",
        "接口已经修好了",
        "不卡了，已经通了",
        "环境挂了吗",
        "翻译一下：项目有风险",
        "留意一下李四有没有提到风险",
        "我怕热",
        "It's not blocked any more",
        "I'm stuck in traffic",
        "I'm stuck in this meeting",
        "Is the release at risk?",
        "I'm afraid I can't",
        "No risk at all",
        "The server was down last week",
        "Don't worry, we won't be late",
        "If the server is down, call me",
    ],
)
def test_what_is_no_trouble(text: str) -> None:
    assert signals_of(text, MONDAY) == ()


@pytest.mark.parametrize(
    "text", ["我周三给客户答复", "给客户答复了", "我明天把合同发过去", "I'll submit the bid by Thursday"]
)
def test_what_somebody_does_themselves_orders_nothing(text: str) -> None:
    assert tells_own_deed(text, MONDAY)
    assert judged(text, contacts=CONTACTS).decision == "converse"


@pytest.mark.parametrize(
    "text",
    ["我周三给客户答复，到时候提醒我", "把合同发给李四", "问李四答复了没有", "把这个给李四就行了", "帮我给客户答复"],
)
def test_an_order_beside_it_stays_one(text: str) -> None:
    assert not tells_own_deed(text, MONDAY)


def test_a_name_in_a_trouble_is_no_order_to_ask() -> None:
    judgement = judged("张三那边可能要延期", contacts=CONTACTS)
    assert (judgement.decision, [s.kind for s in judgement.signals]) == ("converse", ["risk"])
    assert not tells_trouble("张三那边可能要延期，问一下他")


def test_an_answer_in_an_open_matter_is_judged_as_ever() -> None:
    asked = judged("卡在第三方回调", role="delegate", concerns=(TESTING,))
    assert (asked.decision, [s.kind for s in asked.signals]) == ("supplement", ["blocker"])
    assert judged("好的", role="delegate", concerns=(TESTING,)).signals == ()


# --- what a brain says is held to the words --------------------------------------------------------------------------


def said(kind: str, what: str, when: datetime | None = None) -> SignalOf:
    return SignalOf.model_validate({"kind": kind, "what": what, "when": when})


def test_only_words_of_the_message_stand() -> None:
    told = (said("risk", "预算不够"), said("risk", "人手不够"))
    assert clamped(told, "这周人手不够。", MONDAY) == (told[1],)


def test_each_once_and_not_many() -> None:
    text = "甲不够，乙不够，丙不够，丁不够"
    told = [said("risk", f"{c}不够") for c in "甲甲乙丙丁"]
    assert [s.what for s in clamped(told, text, MONDAY)] == ["甲不够", "乙不够", "丙不够"]
    assert MOST == 3


def test_the_day_is_what_the_words_promise() -> None:
    text, wrong = "我周三给客户答复", MONDAY.replace(day=25)
    assert clamped((said("commitment", text, wrong),), text, MONDAY)[0].when == WEDNESDAY
    assert clamped((said("commitment", text),), text, MONDAY, time(17, 0))[0].when == WEDNESDAY.replace(hour=17)


@pytest.mark.parametrize("text", ["我周三可能给客户答复", "我下周给客户答复", "我昨天给客户答复了"])
def test_a_day_that_the_words_leave_open_is_none(text: str) -> None:
    assert clamped((said("commitment", text, WEDNESDAY),), text, MONDAY) == ()


def test_a_day_known_from_elsewhere_must_be_to_come() -> None:
    text = "评审那天我给客户答复"
    assert clamped((said("commitment", text, WEDNESDAY),), text, MONDAY)[0].when == WEDNESDAY
    assert clamped((said("commitment", text, MONDAY),), text, MONDAY) == ()
    assert clamped((said("commitment", text),), text, MONDAY) == ()


@pytest.mark.parametrize("piece", ["周五下午三点", "我周五", "by Friday ", "ok, ", "by  tomorrow  "])
def test_a_row_of_times_is_read_in_a_moment(piece: str) -> None:
    """Two ways to read each of them would be a thousand million ways to read thirty."""

    def read(text: str) -> None:
        promises_in(text, MONDAY)
        is_promise_alone(text, MONDAY)
        is_deed_done(text, MONDAY)

    for start in ("", "我", "I will "):
        assert times_as_long(read, start + piece * 60) < FAR
