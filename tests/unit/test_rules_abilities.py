"""What is filled in for each ability: words that read well, the right people, and a yes where one is wanted."""

from typing import Any

import pytest

from core.brain.questions import ConcernBrief, Line
from tests.unit.rules_desk import LI, MONDAY, REPORT, TESTING, ZHANG, evaluated

PILLS = ConcernBrief(
    concern_id="s1", kind="schedule", title="吃药", goal="吃药", when="FREQ=DAILY;BYHOUR=21;BYMINUTE=0"
)
DAILY_REPORT = ConcernBrief(concern_id="e1", kind="expectation", title="发日报", goal="发日报", people=(LI,))


def filled(text: str, key: str, **more: Any) -> dict[str, Any]:
    result = evaluated(text, **more)
    assert list(result.parameters) == [key], (result.reason, result.parameters)
    return result.parameters[key]


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("下午四点提醒我给客户回电话", "给客户回电话"),
        ("30分钟后提醒我下班", "下班"),
        ("我三点钟要吃药 到点喊我", "吃药"),
        ("半小时后叫我 我眯一会儿", "时间到了（我眯一会儿）"),
        ("老婆生日是下个月6号，提前三天早上九点提醒我订花", "订花"),
        ("明天三点有个面试，提前半小时提醒我", "15:00有个面试"),
        ("remind me tomorrow to take my pills", "take your pills"),
        ("give me a nudge in 45 min, laundry", "laundry"),
    ],
)
def test_a_reminder_says_of_what(text: str, of: str) -> None:
    assert filled(text, "remind")["text"] == of


def test_a_reminder_of_somebody_else_is_for_them_and_without_remarks_on_them() -> None:
    assert filled("后天早上九点提醒张三带样品册，他老忘", "remind") == {"text": "带样品册", "people": ["p_zhang"]}
    assert filled("at 4pm remind Tom to lock up, he forgot last time", "remind")["text"] == "lock up"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("告诉张三明天的会改到三点", "明天的会改到三点"),
        ("跟李四说一声钥匙放前台了", "钥匙放前台了"),
        ("李四那边知会一声，下周一评审取消，改哪天另说，他不用回", "下周一评审取消，改哪天另说"),
        ("跟李四说声辛苦了", "辛苦了"),
        ("替我谢谢张三，昨天多亏他招待客人", "谢谢你，昨天多亏你招待客人"),
        ("让张三别等我了", "别等我了"),
        ("let Tom know he can start", "you can start"),
        ("tell Tom the gate code is 4411", "the gate code is 4411"),
        ("thank Tom for me for yesterday", "thank you for yesterday"),
    ],
)
def test_what_wants_no_answer_is_only_passed_on(text: str, said: str) -> None:
    assert filled(text, "send_message")["text"] == said


@pytest.mark.parametrize(
    "text",
    [
        "告诉张三把合同发我",
        "跟张三说服务器今晚十点重启，让他确认一下",
        "告诉张三明天几点开会，问他来不来",
        "告诉张三会取消了，很急",
        "tell Tom to move the truck",
        "tell Tom we close early and make sure he got it",
    ],
)
def test_a_question_a_deed_a_receipt_or_haste_is_followed_up(text: str) -> None:
    filled(text, "raise_concern")


def test_a_receipt_that_is_wanted_is_no_part_of_the_message() -> None:
    matter = filled("给张三发个消息：盘点提前到四点，让他回个收到", "raise_concern")
    assert (matter["message"], matter["goal"]) == ("盘点提前到四点", "告知张三：盘点提前到四点，并得到确认")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("告诉小李会取消了", "send_message"),
        ("跟张三说我们可以降三个点", "send_message"),
        ("通知所有人明天放假", "send_message"),
        ("明早九点告诉韩梅票寄了", "send_message"),
        ("每周一九点提醒小李交周报", "remind"),
    ],
)
def test_whoever_is_reached_by_whatever_is_confirmed_where_there_is_a_doubt(text: str, key: str) -> None:
    result = evaluated(text)
    assert (list(result.parameters), result.need_confirm) == ([key], True)


@pytest.mark.parametrize(
    ("text", "what", "missed", "person"),
    [
        ("张三说周五给压测报告，没给的话你催他", "给压测报告", "ask", "p_zhang"),
        ("李四答应周四把环境搭好，到点没好你就去催，顺便跟我说声", "把环境搭好", "both", "p_li"),
        ("张三月底前要把账关了，到时候没关告诉我，别去问他", "把账关了", "tell", "p_zhang"),
        ("Tom promised the logs tomorrow at noon. No logs, then push him", "the logs", "ask", "p_tom"),
        ("盯着张三周三下班前交方案，没交就问他", "交方案", "ask", "p_zhang"),
        ("Tom has to send the daily report by 17:30 every day", "send the daily report", "ask", "p_tom"),
    ],
)
def test_an_expectation_says_what_by_whom_and_what_else(text: str, what: str, missed: str, person: str) -> None:
    found = filled(text, "expect")
    assert (found["what"], found["on_missed"], found["person"]) == (what, missed, person)


def test_somebody_outside_the_directory_is_only_waited_for() -> None:
    found = filled("供应商周四发货，没发告诉我", "expect")
    assert (found["who"], found["on_missed"], found.get("person")) == ("供应商", "tell", None)


def test_a_rule_for_an_event_asks_each_time() -> None:
    result = evaluated("差评超过24小时没回复的，找李四问怎么回事")
    assert result.when == "EVENT=差评超过24小时没回复"
    assert result.parameters["raise_concern"]["title"] == "差评超过24小时没回复，怎么回事"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("留意一下客户那边有没有消息", "客户那边有没有消息"),
        ("watch out for anything about the recall", "anything about the recall"),
    ],
)
def test_what_has_no_date_is_looked_out_for(text: str, what: str) -> None:
    assert filled(text, "watch")["what"] == what


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("留意张三有没有说延期，最多到今天六点", "张三有没有说延期"),
        ("帮我盯着张三的动静，盯到今天六点为止", "张三的动静"),
        ("keep an eye on Tom's messages until 6pm today", "Tom's messages"),
    ],
)
def test_a_time_may_end_the_looking_out(text: str, what: str) -> None:
    found = filled(text, "watch")
    assert (found["what"], found["until"]) == (what, "2026-03-16T18:00:00+08:00")


@pytest.mark.parametrize("text", ["过5分钟再提醒我", "remind me again in 5 minutes", "snooze 5 minutes"])
def test_the_reminder_that_came_last_comes_again(text: str) -> None:
    sent = Line(who="清海", text="提醒你：喝水", at=MONDAY, ours=True)
    result = evaluated(text, recent=(sent,))
    assert (result.parameters["remind"]["text"], result.when) == ("喝水", MONDAY.replace(minute=5).isoformat())


def test_with_words_of_its_own_it_is_a_new_one() -> None:
    sent = Line(who="清海", text="提醒你：喝水", at=MONDAY, ours=True)
    assert evaluated("过5分钟再提醒我吃药", recent=(sent,)).parameters["remind"]["text"] == "吃药"


@pytest.mark.parametrize("text", ["改问李四", "换李四吧", "合同那个换李四"])
def test_what_goes_over_to_somebody_is_what_they_are_not_asked_yet(text: str) -> None:
    contract = TESTING.model_copy(update={"concern_id": "c3", "title": "合同签了没有", "goal": "合同签了没有"})
    found = filled(text, "update_concern", concerns=(REPORT, contract))
    assert (found["concern_ids"], found["add_people"], found["remove_people"]) == (["c3"], ["p_li"], ["p_zhang"])


def test_nothing_of_the_order_to_ask_somebody_else_is_a_question() -> None:
    for text in ("ask Tom instead", "换老王吧"):
        result = evaluated(text, concerns=(TESTING, REPORT))
        assert (result.refusal, result.missing) == ("unclear", "which")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("找李四要周报", "把周报发给我"),
        ("问李四要不要来", "要不要来"),
        ("ask Tom if the hall is free", "whether the hall is free"),
    ],
)
def test_what_is_wanted_of_them_reads_as_it_is_meant(text: str, message: str) -> None:
    assert filled(text, "raise_concern")["message"] == message


@pytest.mark.parametrize("text", ["两个都催一下", "催一下他们", "chase both"])
def test_all_that_is_open_is_asked_again_and_nobody_else(text: str) -> None:
    assert filled(text, "advance_concern", concerns=(TESTING, REPORT)) == {"concern_ids": ["c1", "c2"]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tell Tom dinner is at seven tonight", "dinner is at seven tonight"),
        ("tell Tom the van leaves at 6pm", "the van leaves at 6pm"),
    ],
)
def test_a_time_in_what_is_told_is_no_time_of_the_telling(text: str, said: str) -> None:
    assert (filled(text, "send_message")["text"], evaluated(text).when) == (said, None)


def test_a_time_beside_whom_to_tell_is() -> None:
    assert evaluated("tell Tom at seven tonight dinner is ready").when == MONDAY.replace(hour=19).isoformat()


def test_a_list_that_is_wanted_is_nobody() -> None:
    assert evaluated("have Tom send me the sample list").unknown_people == ()
    assert evaluated("email the customer list that we close on Friday").unknown_people == ("customer list",)


def test_an_order_to_ask_with_a_way_out_is_no_standing_look_out() -> None:
    assert filled("先问张三有没有空，要是没空就算了", "raise_concern")["message"] == "有没有空"


def test_how_it_stands_is_no_thing_to_hand_over() -> None:
    matter = filled("问李四进度", "raise_concern")
    assert (matter["message"], matter["goal"]) == ("进度怎么样", "得到李四关于「进度怎么样」的答复")


def test_what_somebody_must_see_to_is_a_deed() -> None:
    assert filled("make sure Tom sends me the numbers by Friday", "raise_concern")["goal"].startswith("Done by Tom")


@pytest.mark.parametrize("text", ["张三方案交了吗", "has Tom sent the report?"])
def test_whether_it_is_done_is_looked_up_with_nothing_open(text: str) -> None:
    assert filled(text, "check_concerns")["person"]


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("提测那个改成急的", {"priority": "high"}),
        ("提测那个不急了", {"priority": "low"}),
        ("提测那件别找张三了，换李四", {"add_people": ["p_li"], "remove_people": ["p_zhang"]}),
        ("提测那个再加上王五", {"add_people": ["p_wang"]}),
        ("提测那个期限放到周五", {"deadline": "2026-03-20T18:00:00+08:00"}),
        ("提测那个期限改到昨天下午五点", {"deadline": "2026-03-15T17:00:00+08:00"}),
    ],
)
def test_a_change_changes_what_it_names(text: str, change: dict[str, Any]) -> None:
    found = filled(text, "update_concern", concerns=(TESTING, REPORT))
    assert found == {"concern_ids": ["c1"], "words": text} | change


def test_a_schedule_is_moved_by_its_rule() -> None:
    found = filled("吃药的提醒改到晚上八点", "update_concern", concerns=(PILLS, TESTING))
    assert (found["concern_ids"], found["when"]) == (["s1"], "FREQ=DAILY;BYHOUR=20;BYMINUTE=0")


def test_the_same_people_are_asked_again_or_told_more() -> None:
    assert filled("催一下张三", "advance_concern", concerns=(TESTING,)) == {"concern_ids": ["c1"]}
    more = filled("跟张三说提测要带上测试报告", "advance_concern", concerns=(TESTING,))
    assert more == {"concern_ids": ["c1"], "message": "提测要带上测试报告"}
    slower = filled("跟张三说提测不急", "update_concern", concerns=(TESTING,))
    assert slower["priority"] == "low"
    joined = filled("也问问李四", "update_concern", concerns=(TESTING,))
    assert joined["add_people"] == ["p_li"]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("算了不用问了", ["c1"]),
        ("不用每天提醒我吃药了", ["s1"]),
        ("别盯着日报了", ["e1"]),
        ("取消吃药提醒", ["s1"]),
    ],
)
def test_what_is_called_off_is_of_the_kind_that_the_words_say(text: str, ids: list[str]) -> None:
    open_ones = (TESTING, PILLS, DAILY_REPORT)
    assert filled(text, "cancel_concern", concerns=open_ones) == {"concern_ids": ids}


@pytest.mark.parametrize(
    ("text", "detail"), [("张三怎么说的，原话发我看看", "words"), ("还差谁没回", "waiting"), ("进展如何", None)]
)
def test_a_look_says_how_closely(text: str, detail: str | None) -> None:
    assert filled(text, "check_concerns", concerns=(TESTING, REPORT)).get("detail") == detail


def test_look_ups_name_whom_and_what() -> None:
    assert filled("张三几点上班", "look_up_person") == {"person": ZHANG.person_id}
    assert filled("invite Tom", "invite_person") == {"person": "p_tom"}
    assert filled("谁提到过压测", "look_up_facts") == {"words": "压测"}
    assert filled("张三上周说过什么", "look_up_facts")["person"] == ZHANG.person_id
    assert evaluated("小李几点上班").ambiguous


@pytest.mark.parametrize(
    "text",
    [
        "李四告诉我他明天请假",
        "我昨天问过张三了",
        "我自己去问张三",
        "我让李四去办了",
        "Tom asked me to call him tomorrow",
        "I'll tell Tom myself",
        "should I tell Tom about it?",
        "don't tell Tom anything",
        "你觉得要不要通知大家",
    ],
)
def test_what_is_told_of_contacts_contacts_nobody(text: str) -> None:
    assert evaluated(text).refusal == "no_action"
