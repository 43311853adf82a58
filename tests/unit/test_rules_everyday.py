"""What people really answer to everyday questions, and what owners really order: each line once went wrong."""

from datetime import timedelta

import pytest

from core.brain.rules.replies.wishes import several_in
from core.brain.rules.words.polite import body
from tests.unit.pace import FAR, times_as_long
from tests.unit.rules_desk import (
    CONTACTS,
    MONDAY,
    REPORT,
    TESTING,
    assessed,
    attitude_of,
    composed,
    evaluated,
    first_words,
    judged,
    raised,
    tendencies,
)

WHO = ("得到张三关于「王总的合同谁在跟」的答复", "想请问王总的合同谁在跟？")
WHO_OF_SEVERAL = ("得到张三、李四各自关于「谁手里有投影仪」的答复", "想请问谁手里有投影仪？")
GOING = ("得到张三对「周五的团建去不去」的明确答复", "想请问周五的团建去不去？")
MEET = ("得到张三对「明天下午聊一下预算」的明确答复", "老板想约你明天下午聊一下预算，你看方便吗？")
WHERE_TO = ("得到张三关于「端午想去哪玩」的答复", "想请问端午想去哪玩？")
STEP = ("得到张三关于「合同到哪一步了」的答复", "想请问合同到哪一步了？")
DAYS = ("拿到张三关于「下周休假是从几号到几号」的具体时间", "想请问你下周休假是从几号到几号？")
TWO = ("拿到张三关于「bug修好没有，什么时候发版」的具体时间", "想请问 bug 修好没有，什么时候发版？")
PAPER = ("拿到张三的「合同」", "麻烦你把合同发一下。")


@pytest.mark.parametrize(
    ("matter", "reply"),
    [
        (WHO, "李四在跟"),
        (WHO, "我在跟"),
        (WHO_OF_SEVERAL, "不在我这"),
        (WHO_OF_SEVERAL, "我没有"),
        (GOING, "去"),
        (GOING, "肯定去的"),
        (GOING, "不想去"),
        (MEET, "三点以后都行"),
        (MEET, "四点吧"),
        (MEET, "明天下午有会"),
        (WHERE_TO, "海边"),
        (WHERE_TO, "都行"),
        (WHERE_TO, "听大家的"),
        (STEP, "法务在审"),
        (STEP, "等盖章"),
        (DAYS, "23到27"),
        (TWO, "修好了，周四发"),
    ],
)
def test_it_is_an_answer(matter: tuple[str, str], reply: str) -> None:
    assert assessed(reply, goal=matter[0], asked=matter[1]).goal_met


@pytest.mark.parametrize(
    ("matter", "reply"),
    [
        (WHO, "还在问"),
        (GOING, "不一定去"),
        (GOING, "应该去"),
        (GOING, "看情况"),
        (MEET, "后天可以"),
        (MEET, "四点可以吗"),
        (WHERE_TO, "没想好"),
        (STEP, "快了"),
        (STEP, "等会告诉你"),
        (TWO, "修好了"),
        (TWO, "周四发"),
        (PAPER, "法务说下周二"),
    ],
)
def test_it_is_none_yet(matter: tuple[str, str], reply: str) -> None:
    assert not assessed(reply, goal=matter[0], asked=matter[1]).goal_met


def test_another_day_than_the_one_asked_for_is_a_proposal() -> None:
    answer = assessed("后天可以", goal=MEET[0], asked=MEET[1])
    assert attitude_of(answer) == "question"
    assert answer.owner_update is not None
    assert "后天可以" in answer.owner_update


@pytest.mark.parametrize("reply", ["法务说下周二", "法务那边下周二出"])
def test_by_when_others_let_them_have_it_is_when_it_comes(reply: str) -> None:
    answer = assessed(reply, goal=PAPER[0], asked=PAPER[1])
    promise = answer.attitudes["p_zhang"]
    assert promise.attitude == "commitment"
    assert promise.promised_time is not None
    assert promise.promised_time.strftime("%m-%d") == "03-24"


def test_an_agreed_proposal_is_told_without_its_question() -> None:
    decided = assessed(
        (),
        goal="告知张三：明天的会改到下午三点，并得到确认",
        asked="老板让我转告你：明天的会改到下午三点。收到请回一声。",
        trigger="decision",
        decided="可以",
        known="能不能四点？",
    )
    assert decided.summary == "四点（老板同意了）"


@pytest.mark.parametrize(
    ("core", "several"),
    [
        ("修好没有，什么时候发版", True),
        ("谁负责，什么时候交", True),
        ("周五几点到，住哪个酒店", True),
        ("好了没，什么时候能好", False),
        ("合同签了没，什么时候能签", False),
        ("进度怎么样了，什么时候能提测", False),
        ("来不来，来的话几个人", False),
        ("什么时候能提测", False),
    ],
)
def test_questions_about_different_things_want_an_answer_each(core: str, several: bool) -> None:
    assert bool(several_in(f"拿到张三关于「{core}」的具体时间")) is several


def test_what_was_not_answered_of_several_is_asked_after() -> None:
    (message,) = assessed("修好了", goal=TWO[0], asked=TWO[1]).messages
    assert message.text == "谢谢，另外这一点也麻烦你说一下：什么时候发版"


# --- orders ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["别问张三了，直接问李四", "赶紧问张三", "直接去问问李四吧"])
def test_without_a_matter_nobody_is_asked_anything(order: str) -> None:
    assert "raise_concern" not in evaluated(order).parameters


@pytest.mark.parametrize(
    ("order", "title", "goal"),
    [
        ("让李四把上周的销售数据整理一份发我", "把上周的销售数据整理一份发我", "李四办好："),
        ("找一下李四，我手机没电了，让他十分钟后到楼下等我", "十分钟后到楼下等我", "李四办好："),
        ("催催张三，那个PPT怎么还没发我", "PPT", "拿到张三的「PPT」"),
        ("跟张三约个时间，下周聊聊绩效", "下周聊聊绩效", "拿到张三关于「下周聊聊绩效」的具体时间"),
        ("问下张三他下周休假是从几号到几号", "下周休假是从几号到几号", "拿到张三关于"),
        ("问张三要一下甲方的联系方式", "甲方的联系方式", "拿到张三的「甲方的联系方式」"),
    ],
)
def test_the_matter_is_what_is_wanted_of_them(order: str, title: str, goal: str) -> None:
    wish = raised(order)
    assert wish["title"] == title
    assert wish["goal"].startswith(goal)


def test_what_will_do_otherwise_is_theirs_to_hear() -> None:
    assert "明天中午前也可以" in raised("问问张三今天能不能把测试报告给我，不行的话明天中午前也可以")["message"]


@pytest.mark.parametrize("order", ["这个月的发票谁还没交？问问大家", "问张三要一下甲方的联系方式"])
def test_everybody_and_a_thing_are_nobodys_names(order: str) -> None:
    assert evaluated(order).unknown_people == ()


def test_whoever_is_spoken_to_through_the_bot_is_asked_after_a_yes() -> None:
    made = evaluated("张三，帮我看下服务器什么时候能迁移完")
    assert made.parameters["raise_concern"]["people"] == ["p_zhang"]
    assert made.need_confirm


@pytest.mark.parametrize("said", ["张三，他昨天请假了", "张三什么时候能回来", "张三、李四都不在"])
def test_whoever_is_spoken_of_is_not_spoken_to(said: str) -> None:
    assert not evaluated(said).need_confirm or "raise_concern" not in evaluated(said).parameters


@pytest.mark.parametrize(
    ("order", "what"),
    [
        ("让张三每周五下午五点前给我发周报，没发就催他", "给我发周报"),
        ("帮我盯一下张三的上线，有问题随时告诉我", "张三的上线"),
    ],
)
def test_what_is_kept_an_eye_on_is_named_without_the_order(order: str, what: str) -> None:
    made = evaluated(order).parameters
    assert (made.get("expect") or made["watch"])["what"] == what


@pytest.mark.parametrize("order", ["顺便问一下测试环境好了没有", "问一下客户合同签了没有", "也问一下供应商名单"])
def test_what_belongs_to_a_role_is_no_name(order: str) -> None:
    assert evaluated(order).unknown_people == ()


# --- by when, and how soon ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("今天下班前让张三把合同发我", "麻烦你把合同发一下。希望今天 18:00 前能拿到。"),
        ("周五前帮我问一下张三预算批了没", "想请问预算批了没？希望周五 18:00 前有答复。"),
        ("帮我问一下张三预算批了没，周五前要", "想请问预算批了没？希望周五前有答复。"),
        ("告诉张三，客户下周来，让他准备一下会议室", "客户下周来，让你准备一下会议室。"),
    ],
)
def test_a_deadline_that_was_said_first_is_told_too(order: str, words: str) -> None:
    assert first_words(order) == words


@pytest.mark.parametrize("yes", ["好", "ok", "没问题"])
@pytest.mark.parametrize("goal", ["拿到张三的「合同」", "张三办好：把合同寄出"])
def test_a_yes_to_a_request_with_a_deadline_holds_until_then(yes: str, goal: str) -> None:
    due = MONDAY + timedelta(days=2, hours=2)
    promise = assessed(yes, goal=goal, asked="麻烦你把合同发一下。", deadline=due).attitudes["p_zhang"]
    assert (promise.attitude, promise.promised_time) == ("commitment", due)


def test_the_yes_is_no_part_of_what_was_answered() -> None:
    answer = assessed("发了", goal=PAPER[0], asked=PAPER[1], known="好")
    assert answer.key_information == "发了"


@pytest.mark.parametrize("words", ["先别催她了", "先别催", "先别追了"])
def test_not_to_chase_for_now_is_no_end_of_the_matter(words: str) -> None:
    judgement = judged(words, concerns=(REPORT,))
    assert judgement.decision != "cancel"


# --- English --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "I wish Tom would finish the report",
        "I wish Tom a happy birthday",
        "we wish Tom the best",
        "I hope Tom gets better soon",
    ],
)
def test_a_wish_reaches_nobody(said: str) -> None:
    assert judged(said).decision == "converse"


def test_without_a_matter_nobody_is_asked_in_english_either() -> None:
    assert "raise_concern" not in evaluated("don't ask Ana, ask Tom directly").parameters


@pytest.mark.parametrize(
    ("order", "title"),
    [
        ("chase Tom for the slides", "send the slides"),
        ("set up a time with Tom next week to talk budget", "talk budget next week"),
        ("schedule a call tomorrow with Tom about the launch", "the launch tomorrow"),
        ("Tell Tom the call moved to 3pm and ask him to confirm", "the call moved to 3pm"),
    ],
)
def test_what_is_wanted_in_english(order: str, title: str) -> None:
    assert raised(order)["title"] == title


def test_who_is_spoken_to_in_english_is_asked_after_a_yes() -> None:
    made = evaluated("Tom, could you send me the numbers?")
    assert made.parameters["raise_concern"]["people"] == ["p_tom"]
    assert made.need_confirm


def test_they_are_you_to_whom_it_is_put() -> None:
    assert body("whether they can make it?", "en", "Grace") == "Grace would like to know whether you can make it."


def test_all_questions_are_in_the_goal_however_short_the_title() -> None:
    wish = raised("ask Tom who is handling the refund, and when it goes out")
    assert "when it goes out" in wish["goal"]
    assert several_in(wish["goal"]) == ("who is handling the refund", "when it goes out")


@pytest.mark.parametrize("reply", ["ok", "sure", "will do"])
def test_a_yes_to_a_request_in_english_is_an_answer(reply: str) -> None:
    asked = "Grace asks you to send the signed contract. It is needed by Wednesday noon."
    matter = TESTING.model_copy(update={"goal": "Done by Tom: send the signed contract", "asked": asked})
    assert judged(reply, role="delegate", concerns=(matter,)).decision == "supplement"


# --- more of both ---------------------------------------------------------------------------------------------------

FIXED = ("拿到张三关于「上线时间定了吗」的具体时间", "想请问上线时间定了吗？")
EITHER = ("得到张三关于「报价是含税的还是不含税的」的答复", "想请问报价是含税的还是不含税的？")
WHY = ("得到张三关于「为什么昨天没打卡」的答复", "想请问为什么昨天没打卡？")


@pytest.mark.parametrize(
    ("matter", "reply", "met"),
    [
        (FIXED, "定了", False),
        (FIXED, "定了，下周三", True),
        (EITHER, "含", True),
        (EITHER, "不含", True),
        (EITHER, "我问问", False),
        (WHY, "忘了", True),
        (WHY, "睡过了", True),
        (WHY, "不知道", False),
    ],
)
def test_a_word_may_be_all_of_an_answer_or_none(matter: tuple[str, str], reply: str, met: bool) -> None:
    assert assessed(reply, goal=matter[0], asked=matter[1]).goal_met is met


def test_that_it_is_fixed_is_asked_back_for_when() -> None:
    (message,) = assessed("定了", goal=FIXED[0], asked=FIXED[1]).messages
    assert message.text == "具体是哪一天呢？"


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("帮我跟张三确认一下，明天九点的车，别迟到", "老板让我转告你：明天九点的车，别迟到。收到请回一声。"),
        ("问一下张三那个报价是含税的还是不含税的", "想请问报价是含税的还是不含税的？"),
        ("让张三和李四下班前各自把工时填了", "麻烦你下班前把工时填了。"),
        ("问张三要李四的身份证复印件", "麻烦你把李四的身份证复印件给老板。"),
    ],
)
def test_the_words_fit_what_is_wanted(order: str, words: str) -> None:
    assert first_words(order) == words


def test_a_thing_of_theirs_is_asked_for_after_a_yes() -> None:
    made = evaluated("张三这周的工作安排发我一份")
    assert made.parameters["raise_concern"]["people"] == ["p_zhang"]
    assert made.need_confirm


def test_a_condition_stays_whole_in_a_reminder() -> None:
    made = evaluated("如果张三今天没交报告，明早九点提醒我")
    assert made.parameters["remind"]["text"].startswith("如果张三")
    assert "没交报告" in made.parameters["remind"]["text"]


@pytest.mark.parametrize(
    ("order", "title"),
    [
        ("Could you get the Q1 numbers from Ana by Friday?", "the Q1 numbers"),
        ("I need to know from Ana by tomorrow noon if the client signed", "whether the client signed"),
        ("ask Tom for the invoice, it is urgent", "send the invoice"),
        ("ask Tom for his opinion on the design", "his opinion on the design"),
    ],
)
def test_by_when_is_no_matter(order: str, title: str) -> None:
    assert raised(order)["title"] == title


@pytest.mark.parametrize("order", ["还是问李四吧", "actually ask Tom", "要不直接问张三"])
def test_somebody_else_for_nothing_is_asked_nothing(order: str) -> None:
    assert "raise_concern" not in evaluated(order).parameters


@pytest.mark.parametrize("order", ["还是问李四吧", "算了，问李四", "actually ask 李四"])
def test_somebody_else_takes_the_place_of_who_was_asked(order: str) -> None:
    made = evaluated(order, concerns=(TESTING,))
    assert made.parameters["update_concern"]["add_people"] == ["p_li"]
    assert made.parameters["update_concern"]["remove_people"] == ["p_zhang"]


def test_the_verb_of_the_question_is_a_yes() -> None:
    asked = "Grace would like to know whether you got the new laptop."
    assert assessed("got it", goal="A clear yes or no from Tom: whether they got the new laptop", asked=asked).goal_met


@pytest.mark.parametrize(
    ("order", "title"),
    [
        ("帮我催下张三和李四的周报，王五的不用", "周报"),
        ("帮我跟张三李四分别约半小时，今天下午", "今天下午聊半小时"),
        ("跟张三约一下时间，明天过一下方案", "明天过一下方案"),
    ],
)
def test_who_is_not_meant_and_what_the_bot_is_to_do_stay_here(order: str, title: str) -> None:
    assert raised(order)["title"] == title


def test_an_apology_is_passed_on_with_what_it_is_for() -> None:
    assert evaluated("跟李四道个歉，昨天我语气重了").parameters["send_message"]["text"] == "抱歉，昨天我语气重了"


def test_the_verb_alone_answers_whether() -> None:
    asked = "想请问你上次说的那个方案还算数吗？"
    assert assessed("算", goal="得到张三对「上次说的那个方案还算数吗」的明确答复", asked=asked).goal_met


@pytest.mark.parametrize("order", ["那就问李四吧", "那问李四吧"])
def test_a_mere_then_is_no_matter(order: str) -> None:
    assert "raise_concern" not in evaluated(order).parameters


WEEKLY = ("拿到张三关于「周报什么时候交」的具体时间", "想请问周报什么时候交？")


@pytest.mark.parametrize("reply", ["我今天请假，明天回", "今天休假，周三回", "出差了，下周一回"])
def test_when_they_are_back_is_not_when_it_comes(reply: str) -> None:
    answer = assessed(reply, goal=WEEKLY[0], asked=WEEKLY[1])
    assert (answer.goal_met, attitude_of(answer)) == (False, "away")


@pytest.mark.parametrize(
    "reply", ["周五，顺便问下老板团建定了没", "周五，对了那个方案批了吗", "Friday, by the way is lunch on?"]
)
def test_a_question_by_the_way_takes_nothing_from_an_answer(reply: str) -> None:
    assert assessed(reply, goal=WEEKLY[0], asked=WEEKLY[1]).goal_met


def test_each_matter_may_be_changed_in_a_clause_of_its_own() -> None:
    words = "张三那个今天要，李四那个不急"
    judgement = judged(words, concerns=(TESTING, REPORT), contacts=CONTACTS)
    assert judgement.decision != "converse"
    assert tendencies(words, concerns=(TESTING, REPORT)) == ("张三那个今天要", "李四那个不急")


@pytest.mark.parametrize("words", ["再催一下", "再催催", "再问一下"])
def test_once_more_is_about_the_only_one_that_is_open(words: str) -> None:
    assert evaluated(words, concerns=(TESTING,)).parameters["advance_concern"]["concern_ids"] == ["c1"]


PLAN = ("拿到张三关于「方案什么时候能给」的具体时间", "想请问方案什么时候能给？")
SIGNED = ("得到张三对「合同签了没」的明确答复", "想请问合同签了没？")
LACKING = ("拿到张三关于「现场还缺几个人」的具体数字", "想请问现场还缺几个人？")
ROOM = ("张三办好：把会议室订了", "麻烦你把会议室订了。")


@pytest.mark.parametrize(
    ("matter", "reply", "attitude", "met"),
    [
        (PLAN, "我问下李四", "vague", False),
        (PLAN, "我去问李四", "vague", False),
        (PLAN, "你去问李四", "refused", False),
        (PLAN, "周三给初稿，周五给终稿", "answered", True),
        (PLAN, "材料周四到场", "vague", False),
        (PLAN, "昨天就发群里了", "answered", True),
        (PLAN, "不给", "refused", False),
        (SIGNED, "签啦", "answered", True),
        (SIGNED, "明天签", "answered", True),
        (SIGNED, "在签", "answered", True),
        (SIGNED, "签完了发你", "answered", False),
        (LACKING, "不缺", "answered", True),
        (LACKING, "够了", "answered", True),
        (ROOM, "明天订", "commitment", False),
    ],
)
def test_the_very_word_of_the_question_tells(matter: tuple[str, str], reply: str, attitude: str, met: bool) -> None:
    answer = assessed(reply, goal=matter[0], asked=matter[1])
    assert (attitude_of(answer), answer.goal_met) == (attitude, met)


def test_who_asks_who_writes_is_told() -> None:
    (message,) = assessed("你谁啊", goal=PLAN[0], asked=PLAN[1]).messages
    assert "自动助手" in message.text


@pytest.mark.parametrize(
    "said",
    [
        "我不想问张三",
        "没必要问李四",
        "本来想问问张三的，算了",
        "你怎么又去问李四了",
        "谁让你问王五的",
        "还好我没告诉张三",
        "李四问我为什么没告诉王五",
        "让李四知道就麻烦了",
        "上午已经通知张三了",
        "我打算下周找李四聊聊涨薪的事",
        "Somebody ought to tell Tom",
        "I'm afraid to tell Ana",
        "I'd love to have Tom on the team",
    ],
)
def test_whom_one_would_not_or_did_ask_is_not_asked(said: str) -> None:
    made = [evaluated(one) for one in tendencies(said)]
    assert not any({"raise_concern", "send_message", "remind"} & set(one.parameters) for one in made)


@pytest.mark.parametrize(
    ("order", "title"),
    [
        ("请李四帮忙订两间房", "订两间房"),
        ("让李四去趟银行", "去趟银行"),
        ("问张三去不去上海", "去不去上海"),
    ],
)
def test_no_word_is_cut_in_two(order: str, title: str) -> None:
    assert raised(order)["title"] == title


@pytest.mark.parametrize(
    ("order", "text"),
    [
        ("下午三点半的会改到四点，告诉李四", "下午三点半的会改到四点"),
        ("The 3pm meeting is moved to 4pm, tell Tom", "The 3pm meeting is moved to 4pm"),
    ],
)
def test_a_time_that_something_is_moved_to_is_what_they_are_to_hear(order: str, text: str) -> None:
    made = evaluated(order)
    assert made.when is None
    assert made.parameters["send_message"]["text"] == text


def test_two_prices_are_two_questions() -> None:
    assert several_in("拿到张三关于「场地多少钱，餐饮多少钱」的具体数字") == ("场地多少钱", "餐饮多少钱")


@pytest.mark.parametrize("piece", ["早就", "刚刚", "都刚刚", "刚刚已经", "早就tomorrow ", "要开会", "我周五下午三点"])
def test_no_row_of_small_words_is_read_in_every_way(piece: str) -> None:
    def read(text: str) -> None:
        for goal, asked in (PLAN, SIGNED, LACKING, WHY, MEET):
            assessed(text, goal=goal, asked=asked)
        judged(text, concerns=(TESTING, REPORT))

    assert times_as_long(read, piece * 30) < FAR


@pytest.mark.parametrize(
    ("order", "people"),
    [
        ("问张三李四的报告交了没", ["p_zhang"]),
        ("问张三李四在不在", ["p_zhang"]),
        ("问张三李四来不来", ["p_zhang", "p_li"]),
        ("催一下张三李四的周报", ["p_zhang", "p_li"]),
        ("帮我问一下张三李四，v2.0 什么时候能提测", ["p_zhang", "p_li"]),
    ],
)
def test_whom_a_question_is_about_is_not_asked(order: str, people: list[str]) -> None:
    assert raised(order)["people"] == people


def test_who_is_looked_for_hears_it_of_themselves() -> None:
    told = evaluated("告诉张三李四找他").parameters["send_message"]
    assert (told["people"], told["text"]) == (["p_zhang"], "李四找你")


def test_the_figures_of_a_list_replace_nothing() -> None:
    answer = assessed("3.下周五", goal="得到张三关于「三件事」的答复", asked="三件事怎么样了？", known="1.开了 2.没寄")
    assert answer.key_information is not None
    assert "1.开了 2.没寄" in answer.key_information


def test_what_the_owner_wants_to_see_is_asked_for_after_a_yes() -> None:
    made = evaluated("这周五之前我要看到张三的述职报告")
    assert made.parameters["raise_concern"]["people"] == ["p_zhang"]
    assert made.need_confirm
    assert "raise_concern" not in evaluated("昨天我看到张三的报告了").parameters


def test_what_is_no_thing_is_not_asked_to_be_sent() -> None:
    words = composed(occasion="first_contact", title="别迟到", goal="拿到张三的「别迟到」", initiator_words=("别迟到",))
    assert "发一下" not in words


@pytest.mark.parametrize("reply", ["It's fixed", "all set", "yes, it is scheduled"])
def test_in_english_too_that_it_is_fixed_tells_no_time(reply: str) -> None:
    assert (
        attitude_of(assessed(reply, goal="A definite date or time from Tom: when the launch is", asked="When?"))
        == "answered"
    )
    assert not assessed(reply, goal="A definite date or time from Tom: when the launch is", asked="When?").goal_met
