"""Why, which and who are answered by a reason, one thing and a person; a yes may be a "me too"; orders are no answers."""

import pytest

from core.brain.rules.replies import pass_on
from core.brain.rules.replies.pointing import pointed_to
from core.brain.rules.replies.reply import without_commands
from core.brain.rules.words.goal import Want, wants
from tests.unit.rules_desk import CONTACTS, assessed, attitude_of

WHY = {"goal": "得到陈工关于「电梯为什么又停了」的答复", "asked": "想请问电梯为什么又停了？"}
WHICH = {"goal": "得到老周关于「海报用哪家印刷厂」的答复", "asked": "想请问海报用哪家印刷厂？"}
EITHER = {"goal": "得到小林关于「首页选方案一还是方案二」的答复", "asked": "首页选方案一还是方案二？"}
WHO = {"goal": "得到马超关于「周末谁值班」的答复", "asked": "想请问周末谁值班？"}
WHY_EN = {"goal": "An answer from Sue: why the boiler stopped", "asked": "Why did the boiler stop?", "language": "en"}
WHICH_EN = {"goal": "An answer from Sue: which caterer we use", "asked": "Which caterer do we use?", "language": "en"}
WHO_EN = {"goal": "An answer from Sue: who locks up", "asked": "Who locks up?", "language": "en"}
CAN = {"goal": "得到小丁对「周五能不能来」的明确答复", "asked": "周五能来吗？"}
CAN_EN = {"goal": "A clear yes or no from Omar: can you join on Friday", "asked": "Can you join on Friday?"}


@pytest.mark.parametrize(
    ("matter", "reply"),
    [
        (WHY, "门机的皮带断了"),
        (WHY, "因为停电"),
        (WHY, "忘了交电费"),
        (WHICH, "用宏图那家"),
        (WHICH, "宏图吧"),
        (EITHER, "二吧，一的动效太重了"),
        (WHO, "周六小高，周日我"),
        (WHY_EN, "no gas"),
        (WHY_EN, "Someone switched it off on Thursday"),
        (WHICH_EN, "Green Fork"),
        (WHICH_EN, "let's go with the Italian place"),
        (WHO_EN, "Mick does"),
        (WHO_EN, "the floor manager"),
    ],
)
def test_a_reason_one_thing_or_a_person_answers(matter: dict[str, str], reply: str) -> None:
    assert assessed(reply, **matter).goal_met


@pytest.mark.parametrize(
    ("matter", "reply"),
    [
        (WHY, "电梯确实停了"),
        (WHY, "停了快一个小时"),
        (WHY, "维保单位下午过来"),
        (WHY, "已经修好了"),
        (WHY, "是啊，都堵到门口了"),
        (WHY, "可能是门机的问题"),
        (WHICH, "印刷厂这事挺头疼的"),
        (WHICH, "两家都不错"),
        (WHICH, "海报明天印"),
        (EITHER, "方案一和方案二各有各的好"),
        (WHO, "值班是轮着来的，大家都辛苦"),
        (WHO, "谁有空谁来"),
        (WHY_EN, "yes the boiler stopped, not great"),
        (WHY_EN, "Engineer is coming at 3"),
        (WHY_EN, "we bought heaters"),
        (WHY_EN, "it is running again"),
        (WHICH_EN, "any caterer is fine with me, you pick"),
        (WHICH_EN, "the caterers are all booked up"),
        (WHICH_EN, "food is at 7"),
        (WHO_EN, "The door code is 4471"),
        (WHO_EN, "whoever is on shift"),
    ],
)
def test_what_only_turns_about_it_leaves_it_open(matter: dict[str, str], reply: str) -> None:
    assert not assessed(reply, **matter).goal_met


@pytest.mark.parametrize(
    ("matter", "reply"),
    [
        (CAN, "我也可以"),
        (CAN, "我这边也没问题的"),
        (CAN, "我也去不了"),
        (CAN, "我也没空"),
        (CAN_EN, "me too"),
        (CAN_EN, "me neither I'm afraid"),
        (CAN_EN, "I also agree"),
    ],
)
def test_me_too_is_a_yes_and_me_neither_a_no(matter: dict[str, str], reply: str) -> None:
    answer = assessed(reply, **matter)
    assert (answer.goal_met, attitude_of(answer)) == (True, "answered")


@pytest.mark.parametrize(
    ("matter", "reply"),
    [(CAN, "我也不确定"), (CAN, "我也想来啊，可是票还没买"), (CAN_EN, "Too early to say")],
)
def test_a_wish_is_no_yes(matter: dict[str, str], reply: str) -> None:
    assert not assessed(reply, **matter).goal_met


@pytest.mark.parametrize(
    ("matter", "reply"),
    [
        (CAN, "张三和李四都回了，你去让王五把合同也发给我"),
        (CAN, "张三和李四都回了。你去让王五把合同也发给我"),
        (CAN, "让李四去订个会议室"),
        (CAN_EN, "Everyone has answered. Go and tell Wei to send me the contract as well"),
        (CAN_EN, "Get Wei to send me the contract"),
    ],
)
def test_an_order_to_the_bot_answers_nothing(matter: dict[str, str], reply: str) -> None:
    answer = assessed(reply, **matter)
    assert not answer.goal_met
    assert not answer.messages


def test_an_answer_beside_an_order_counts_without_it() -> None:
    answer = assessed("能来。另外你去让王五把合同也发给我", **CAN)
    assert answer.goal_met
    assert "王五" not in (answer.key_information or "")


def test_a_noun_that_names_a_record_is_no_order() -> None:
    assert attitude_of(assessed("我看一下修改记录", **WHO)) == "vague"


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        ("这个不归我管 你问小徐 徐婧", "徐婧"),
        ("你问采购的段蕾", "段蕾"),
        ("现在归安全组的陆远", "陆远"),
        ("钥匙不在我这，问老秦要", "老秦"),
        ("这周搬完是不可能的事", None),
        ("不归我管", None),
        ("你问这个干嘛", None),
        ("Please ask Ms. Ishida of export section", "Ms. Ishida"),
        ("talk to Petra in logistics", "Petra"),
        ("It's been moved to Friday", None),
    ],
)
def test_whom_a_refusal_points_to(reply: str, name: str | None) -> None:
    assert pointed_to(reply, ()) == name


def test_a_name_of_the_directory_is_pointed_to_by_its_own_name() -> None:
    known = CONTACTS[0]
    assert pointed_to(f"这个你去问{known.name}吧", tuple(c.name for c in CONTACTS)) == known.name


@pytest.mark.parametrize(
    ("goal", "want"),
    [
        ("Whether the budget is approved", {Want.YESNO}),
        ("Whether Liz agrees to the date", {Want.YESNO}),
        ("Who approved the overtime", {Want.INFO}),
        ("为什么要改时间", {Want.INFO}),
        ("是否确认时间", {Want.YESNO, Want.TIME}),
    ],
)
def test_the_question_word_tells_what_is_wanted(goal: str, want: set[Want]) -> None:
    assert wants(goal) == want


@pytest.mark.parametrize(
    ("text", "passed_on"),
    [
        ("Tell Grace I am late", "I am late"),
        ("tell the boss I am late", "I am late"),
        ("Tell Ken he need not come in", "Tell Ken he need not come in"),
        ("let me know", "let me know"),
        ("转告老板我明天请假", "我明天请假"),
    ],
)
def test_a_word_for_somebody_else_keeps_whom_it_is_for(text: str, passed_on: str) -> None:
    assert pass_on.passed_on(text, "Grace") == passed_on


@pytest.mark.parametrize("reply", ["做了一半", "完成70%", "还差测试", "卡在接口了", "half done"])
def test_how_far_it_is_answers_how_it_stands(reply: str) -> None:
    answer = assessed(reply, goal="得到张三关于「进度怎么样」的答复", asked="想请问进度怎么样？")
    assert answer.goal_met


@pytest.mark.parametrize("reply", ["快了", "在做了", "不知道", "明天告诉你"])
def test_what_says_not_how_far_leaves_it_open(reply: str) -> None:
    assert not assessed(reply, goal="得到张三关于「进度怎么样」的答复", asked="想请问进度怎么样？").goal_met


@pytest.mark.parametrize(
    "reply",
    [
        "已经把文件转发给他们了",
        "我把合同交给别人处理了",
        "报价单我发给李四了",
        "把客户说的改一下就好了",
        "把方案给王五看过了",
    ],
)
def test_what_was_handed_to_others_is_no_order_to_the_bot(reply: str) -> None:
    assert without_commands(reply) == (reply, False)


@pytest.mark.parametrize(
    "reply",
    [
        "把他们说的发给我",
        "把李四说过的话发给我",
        "把王五回的转给我",
        "告诉我李四回了什么",
        "告诉我别人怎么说的",
        "说说他们都回了什么",
    ],
)
def test_what_others_said_is_not_to_be_had(reply: str) -> None:
    assert without_commands(reply)[1]


AGREE = {"goal": "是否同意扩容方案", "asked": "何鹏，扩容方案你同意吗？"}
SHEET = {"goal": "培训签到表", "asked": "小谷，培训签到表发一份。"}
QA = {"goal": "date it goes to QA", "asked": "Ben, when does it go to QA?", "language": "en"}
FREIGHT = {"goal": "price with freight", "asked": "What's the price, and how much is the freight?", "language": "en"}


@pytest.mark.parametrize(
    ("matter", "reply"),
    [
        (AGREE, "再说吧，还没想好"),  # undecided is no no
        (AGREE, "没定呢"),
        (SHEET, "帮我投个票，点这个链接 https://vote.example.com/x"),  # wants something, gives nothing
        (QA, "If the tests pass, Thursday. If not, Monday."),  # both hang on it
        (FREIGHT, "3,200 for the machine\nfreight i don't know yet"),  # half of it is not known
    ],
)
def test_what_is_open_by_their_own_words_settles_nothing(matter: dict[str, str], reply: str) -> None:
    assert not assessed(reply, **matter).goal_met


@pytest.mark.parametrize(
    ("matter", "reply"),
    [
        (AGREE, "还没，不同意"),
        (SHEET, "https://docs.example.com/sign-in"),
        (QA, "Thursday. If not needed, say so."),
        (FREIGHT, "3,200 with the freight"),
    ],
)
def test_what_is_plain_beside_such_words_does(matter: dict[str, str], reply: str) -> None:
    assert assessed(reply, **matter).goal_met


def test_who_confirms_promises_the_hour_that_was_asked_for() -> None:
    reply = assessed(
        "Certainly, consider it done.",
        goal="confirm he covers Monday's class",
        asked="Can you cover the Monday 2pm class?",
    )
    assert reply.attitudes["p_zhang"].promised_time is not None
    assert reply.attitudes["p_zhang"].promised_time.hour == 14
