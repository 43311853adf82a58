"""Messages to pass on and things to be done: what the delegate reads, and what their yes amounts to."""

from datetime import datetime

import pytest

from tests.unit.rules_desk import assessed, attitude_of, first_words, raised

DEED = {"goal": "张三办好：周三前把合同发给李四", "asked": "麻烦你周三前把合同发给李四。"}
TOLD = {"goal": "告知张三：明天的会改到四点，并得到确认", "asked": "老板让我转告你：明天的会改到四点。收到请回一声。"}


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("让张三周三前把合同发给李四", "麻烦你周三前把合同发给李四。"),
        ("帮我盯一下张三，让他今天把 v2.0 提测", "麻烦你今天把 v2.0 提测。"),
        ("告诉张三明天的会改到下午四点，让他回个收到", "老板让我转告你：明天的会改到下午四点。收到请回一声。"),
        ("跟张三要一下上周的测试报告", "麻烦你把上周的测试报告发一下。"),
        ("问一下张三合同改好了没有，今天下午四点前要", "想请问合同改好了没有？希望今天下午四点前有答复。"),
        ("帮我问下张三，合同签了没，很急", "想请问合同签了没？比较急，麻烦尽快。"),
        ("帮我问一下张三，下周的培训他去不去", "想请问下周的培训你去不去？"),
        # A thing that is handed over, whatever stands before or behind it.
        ("让张三今天下班前把报价单发我", "麻烦你把报价单发一下。希望今天下班前能拿到。"),
        ("让张三把报价单发我，今天下班前要", "麻烦你把报价单发一下。希望今天下班前能拿到。"),
        ("让张三测试报告今天给我", "麻烦你把测试报告发一下。希望今天能拿到。"),
        ("让张三周五前发我一份周报", "麻烦你把周报发一下。希望周五前能拿到。"),
        ("让张三把车钥匙给我", "麻烦你把车钥匙给老板。"),
        # A deed, though a paper stands in it or nothing tells that it is one.
        ("让张三准备一下下周一的会议材料", "麻烦你准备一下下周一的会议材料。"),
        ("让张三通知供应商明天送货改到下午", "麻烦你通知供应商明天送货改到下午。"),
        ("让张三六点前下班去接一下客户", "麻烦你六点前下班去接一下客户。"),
        ("让张三查一下上个月的电费是多少", "麻烦你查一下上个月的电费是多少。"),
        # What is to be done if the answer is no, and a second question of the same.
        ("问一下张三报销单交了没，没交的话让他今天交", "想请问报销单交了没？没交的话请今天交。"),
        ("问张三合同签了没，要是还没签就让他抓紧", "想请问合同签了没？要是还没签就请抓紧。"),
        ("问张三周五团建他来不来，来的话带不带家属", "想请问周五团建你来不来，来的话带不带家属？"),
    ],
)
def test_the_first_words_to_a_delegate(order: str, words: str) -> None:
    assert first_words(order) == words


@pytest.mark.parametrize(
    ("order", "title"),
    [
        ("让张三今天下班前把报价单发我", "报价单"),
        ("让张三测试报告今天给我", "测试报告"),
        ("让张三周五前发我一份周报", "周报"),
        ("让张三准备材料明天给我", "准备材料明天给我"),
        ("Have Tom send me the quotation by end of day", "send the quotation"),
        ("Please get Tom to book the big room for Thursday 3pm", "book the big room for Thursday 3pm"),
        ("ask Tom if the expense report is in, and if not have him file it today", "whether the expense report is in"),
    ],
)
def test_a_title_names_the_thing_and_not_whom_it_is_for(order: str, title: str) -> None:
    assert raised(order)["title"] == title


def test_a_message_is_passed_on_again_and_a_deed_asked_after() -> None:
    assert "收到请回一声" in first_words("告诉张三明天的会改到下午四点，让他确认一下", occasion="follow_up", number=1)
    assert "办得怎么样了" in first_words("让张三周三前把合同发给李四", occasion="follow_up", number=1)


@pytest.mark.parametrize("reply", ["收到", "好的", "知道了", "谢谢告知", "👍"])
def test_a_receipt_meets_a_message_passed_on(reply: str) -> None:
    assert assessed(reply, **TOLD).goal_met


@pytest.mark.parametrize("reply", ["几点？", "没看懂", "我看看时间"])
def test_what_is_no_receipt_does_not(reply: str) -> None:
    assert not assessed(reply, **TOLD).goal_met


@pytest.mark.parametrize("reply", ["好", "行，没问题", "收到"])
def test_a_yes_to_a_deed_is_a_commitment_to_its_date(reply: str) -> None:
    answer = assessed(reply, **DEED)
    assert not answer.goal_met
    assert attitude_of(answer) == "commitment"
    when = answer.next_action.when if answer.next_action else None
    assert isinstance(when, datetime)
    assert when.weekday() == 2
    assert answer.key_information is None


def test_a_deed_is_met_when_it_is_done() -> None:
    assert assessed("已经发给李四了", **DEED).goal_met


def test_who_cannot_do_it_refuses_though_they_name_a_day() -> None:
    answer = assessed("周三我要出去听课，发不了", **DEED)
    assert attitude_of(answer) == "refused"


def test_they_are_told_who_writes_without_bothering_the_owner() -> None:
    answer = assessed("你是机器人吗", **DEED)
    assert answer.owner_update is None
    assert "自动助手" in answer.messages[0].text


@pytest.mark.parametrize(
    ("text", "priority"),
    [("马上问一下张三服务器恢复没有，不然客户要投诉了", "critical"), ("马上问一下张三吃饭没有", "high")],
)
def test_at_once_with_a_reason_is_critical(text: str, priority: str) -> None:
    assert raised(text)["priority"] == priority
