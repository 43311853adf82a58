"""What is ordered and answered in everyday words: what the delegate reads, and whether the answer settles the matter."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.flow.office import Office

ZHANG, LI = "p_zhangsan", "p_lisi"


def read_by(office: Office, who: str) -> list[str]:
    """What somebody was sent."""
    return [a.text for a in office.ledger if office.chat_of(a.chat).person_id == who]


def played(order: str, *answers: str) -> tuple[list[str], list[str]]:
    """What 张三 and the owner read when the one answers the other's order so."""
    office = Office()
    office.say("p_owner", order)
    for answer in answers:
        office.say(ZHANG, answer)
        office.advance(timedelta(minutes=1))
    found = read_by(office, ZHANG), read_by(office, "p_owner")
    office.close()
    return found


@pytest.mark.parametrize(
    ("order", "read"),
    [
        # One of two is asked for: a question, whatever noun ends it.
        ("问下张三，年会想吃火锅还是烤肉", "想请问年会想吃火锅还是烤肉？"),
        ("问张三用 A 方案还是 B 方案，今天下班前回我", "想请问用 A 方案还是 B 方案？希望今天下班前有答复。"),
        # By when they should answer is for them to know.
        ("问下张三，周会改到四点行不行，今天内回我", "想请问周会改到四点行不行？希望今天内有答复。"),
        # What is to be told is asked for, not "done".
        ("让张三报一下昨天的进度", "麻烦你报一下昨天的进度。"),
        # Papers are handed over, however long their names.
        ("让张三把测试报告和上线清单发给我", "麻烦你把测试报告和上线清单发一下。"),
        # Something that both do is proposed.
        ("帮我约张三明天下午聊一下绩效", "老板想约你明天下午聊一下绩效，你看方便吗？"),
        ("问下张三现在什么情况", "想请问现在什么情况？"),
        # Their own signs stay as they were typed.
        ("跟张三说辛苦了，今天早点下班", "辛苦了，今天早点下班"),
        ("跟張三說聲辛苦了，謝謝您", "辛苦了，謝謝您"),
    ],
)
def test_what_is_put_to_them_is_what_one_would_say(order: str, read: str) -> None:
    told, _ = played(order)
    assert [read in text for text in told] == [True]


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("问下张三，年会想吃火锅还是烤肉", "那就火锅"),
        ("问张三用 A 方案还是 B 方案", "用 B 吧，A 太贵"),
        ("问一下张三，评审周四还是周五", "周五吧"),
        ("让张三报一下昨天的进度", "昨天把支付回调调通了，今天联调"),
        ("让张三汇报一下项目进展", "前端完了，后端在联调，估计下周三能好"),
        ("帮我约张三明天下午聊一下绩效", "明天下午三点后都行"),
        ("问张三，新来的实习生坐哪", "坐我旁边那个空位"),
        ("问一下张三谁周六能值班", "我周六不行"),
    ],
)
def test_what_answers_it_settles_it(order: str, answer: str) -> None:
    told, heard = played(order, answer)
    assert len(told) == 1  # nothing is asked back
    assert heard[-1].startswith("[回流]")


@pytest.mark.parametrize(
    ("order", "answer", "back"),
    [
        ("问下张三，年会想吃火锅还是烤肉", "火锅和烤肉我再问问大家", None),
        ("帮我约张三明天下午聊一下绩效", "周五下午可以", None),
        ("让张三汇报一下项目进展", "在弄了", None),
        ("问张三，合同什么时候能签", "估计周五", "能定在周五吗？"),
        ("让张三把测试报告和上线清单发给我", "测试报告在群里", "谢谢，另外上线清单也麻烦发一下。"),
    ],
)
def test_what_does_not_answer_it_leaves_it_open(order: str, answer: str, back: str | None) -> None:
    told, heard = played(order, answer)
    assert told[1:] == ([back] if back else [])
    assert not any(text.startswith("[回流]") for text in heard)


def test_a_hedged_day_is_asked_for_in_the_language_of_whoever_said_it() -> None:
    office = Office()
    office.say("p_owner", "/lang en")
    office.say("p_owner", "Ask 李四 when the contract can be signed")
    office.say(LI, "probably Friday")
    assert "能定在" in read_by(office, LI)[-1] or "Is Friday definite?" in read_by(office, LI)[-1]
    office.close()


CONTRACT = "帮我问一下张三，合同什么时候能签"


@pytest.mark.parametrize(
    ("order", "read"),
    [
        # By when it is wanted is told to them, without their own name in it.
        ("再问一下张三合同什么时候能签，今天下班前要", "合同什么时候能签，今天下班前要"),
        ("催一下张三，今天下班前要", "今天下班前要"),
        ("张三那件今天下班前要", "今天下班前要"),
        ("今天下班前要", "今天下班前要"),
        ("让张三今天下班前给个答复", "今天下班前给个答复"),
    ],
)
def test_what_is_open_and_is_wanted_sooner_is_told_to_whoever_is_asked(order: str, read: str) -> None:
    office = Office()
    office.say("p_owner", CONTRACT)
    office.say("p_owner", order)
    assert read_by(office, ZHANG)[1:] == [f"关于「合同什么时候能签」，老板补充一句：{read}"]
    assert read_by(office, "p_owner")[-1] == "好的，「合同什么时候能签」期限改到今天 18:00。"
    assert len(office.concerns()) == 1
    office.close()


@pytest.mark.parametrize("question", ["合同要签几份", "合同明天能签吗"])
def test_another_question_about_the_same_thing_is_put_to_them(question: str) -> None:
    office = Office()
    office.say("p_owner", CONTRACT)
    office.say("p_owner", f"帮我再问下张三，{question}")
    assert question in read_by(office, ZHANG)[-1]
    office.close()


def test_one_more_person_is_asked_what_was_just_ordered() -> None:
    office = Office()
    office.say("p_owner", "帮我问一下李四，合同什么时候能签")
    office.say("p_owner", "帮我问一下王五，发票什么时候能开")
    office.say("p_owner", "加上张三，也问问他")
    assert read_by(office, ZHANG)[-1].endswith("想请问发票什么时候能开？")
    assert len(office.concerns()) == 2
    office.close()


@pytest.mark.parametrize(
    ("words", "over"),
    [
        ("那件事不用问了", True),
        ("我上午说的那件事算了", True),
        ("刚才让你问张三的那件事不用了", True),
        ("合同的事不用问了", True),
        # Called by what it is about, and it is about something else.
        ("v2.0 提测那件事不用问了", False),
        ("年会场地的事不用问了", False),
        ("The venue thing, no need to ask", False),
    ],
)
def test_what_is_called_by_another_name_is_not_called_off_unasked(words: str, *, over: bool) -> None:
    office = Office()
    office.say("p_owner", CONTRACT)
    office.say("p_owner", words)
    assert [c.status.is_open for c in office.concerns()] == [not over]
    assert len(read_by(office, ZHANG)) == (2 if over else 1)
    assert read_by(office, "p_owner")[-1].startswith("没找到你说的这件事") is not over
    office.close()


def test_a_word_for_somebody_else_is_no_answer() -> None:
    told, heard = played(CONTRACT, "转告李四：老板说明天不用来了")
    assert len(told) == 1
    assert not any(text.startswith("[回流]") for text in heard)


def deadlines(order: str) -> dict[str, bool]:
    """By when something is wanted of 张三 and of 李四: whether there is a time."""
    office = Office()
    office.say("p_owner", order)
    found = {p.person_id: c.deadline is not None for c in office.concerns() for p in c.delegates}
    office.close()
    return found


@pytest.mark.parametrize(
    ("order", "of_zhang", "of_li"),
    [
        ("帮我问下张三周报写完没，顺便让李四周五前把合同发我", False, True),
        ("让李四周五前把合同发我，顺便问下张三周报写完没", False, True),
        ("周五前让张三把周报发我，让李四把合同发我", True, True),
        ("问张三周报写完没，问李四合同签了没，周五前要", True, True),
    ],
)
def test_by_when_holds_for_those_of_whom_it_was_said(order: str, *, of_zhang: bool, of_li: bool) -> None:
    assert deadlines(order) == {ZHANG: of_zhang, LI: of_li}


def test_a_time_beside_a_mere_yes_is_what_they_are_told() -> None:
    office = Office()
    office.say("p_owner", "那就下周一，跟李四说一声")
    assert read_by(office, LI)[-1].endswith("老板让我转告你：那就下周一")
    office.close()
