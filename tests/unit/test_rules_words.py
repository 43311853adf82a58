"""The rule brain's own words: the first contact, follow-ups, decisions, talk; and the matching of replies."""

from typing import Any

import pytest

from core.brain.questions import Compose, ConcernBrief, Converse, MatchReply
from core.brain.rules.words.text import CJK
from tests.unit.rules_desk import MONDAY, REPORT, TESTING, ask


def composed(occasion: Any, title: str, language: str = "zh-CN", **more: Any) -> str:
    values: dict[str, Any] = {"goal": title, "initiator": "老板", "initiator_words": (title,)} | more
    return ask(Compose(occasion=occasion, language=language, now=MONDAY, to="张三", title=title, **values)).text


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("v2.0 什么时候能提测", "想请问 v2.0 什么时候能提测？"),
        ("合同签了没", "想请问合同签了没？"),
        ("把报表发我", "麻烦你把报表发给老板。"),
        ("周报", "想了解一下：周报。"),
        ("他周六能不能来", "想请问你周六能不能来？"),
        ("明天下午把合同发给客户", "麻烦你明天下午把合同发给客户。"),
        ("API 文档", "想了解一下：API 文档。"),
        ("when the van is back", "老板 would like to know when the van is back."),
        ("whether he is back", "老板 would like to know whether you are back."),
    ],
)
def test_the_first_contact_puts_the_matter_politely(title: str, text: str) -> None:
    assert composed("first_contact", title, "zh-CN" if CJK.search(title) else "en") == text


@pytest.mark.parametrize(
    ("title", "rest", "language", "goal", "text"),
    [
        ("when the van is back", "", "zh-CN", "{}", "Grace 想问你一件事，原话是：「when the van is back」"),
        ("车什么时候回来", "，周四前要", "en", "{}", 'This is what Grace would like to know, word for word: "车什么时候回来，周四前要"'),
        ("is the van back", ", I need it by 5pm", "zh-CN", "{}", "Grace 想问你一件事，原话是：「is the van back, I need it by 5pm」"),
        ("pay 500", "", "zh-CN", "Done by Tom: {}", "Grace 想请你办件事，原话是：「pay 500」"),
        ("付五百", "", "en", "请张三办好：{}", 'This is what Grace asks of you, word for word: "付五百"'),
        ("the van is back", "", "zh-CN", "Let Tom know and get it confirmed: {}", "Grace 让我转告你一句话，原话是：「the van is back」。收到请回一声。"),
    ],
)  # fmt: skip
def test_words_in_another_language_than_the_reader_s_are_quoted(
    title: str, rest: str, language: str, goal: str, text: str
) -> None:
    said = {"goal": goal.format(title), "initiator": "Grace", "initiator_words": (title + rest,)}
    assert composed("first_contact", title, language, **said) == text


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("goal", ["{}", "Done by Tom: {}", "Let Tom know and get it confirmed: {}"])
@pytest.mark.parametrize(("title", "language"), [("the van is back", "zh-CN"), ("车回来了", "en")])
def test_a_follow_up_quotes_the_title(title: str, language: str, goal: str, number: int) -> None:
    text = composed("follow_up", title, language, goal=goal.format(title), number=number)
    assert ("「{}」" if language == "zh-CN" else '"{}"').format(title) in text


@pytest.mark.parametrize(
    ("title", "goal", "language", "text"),
    [
        ("会议改到周三", "告知张三：会议改到周三，并得到确认", "zh-CN", "老板让我转告你：会议改到周三。收到请回一声。"),
        (
            "the van is back",
            "Let Tom know and get it confirmed: the van is back",
            "en",
            '老板 asked me to tell you: the van is back. Please reply "got it".',
        ),
    ],
)
def test_a_message_is_passed_on_and_not_asked(title: str, goal: str, language: str, text: str) -> None:
    assert composed("first_contact", title, language, goal=goal) == text


def test_what_stands_behind_the_question_is_a_sentence_of_its_own() -> None:
    text = composed("first_contact", "合同签了没", initiator_words=("合同签了没，今天下班前要",))
    assert text == "想请问合同签了没？希望今天下班前有答复。"


def test_an_english_reader_gets_the_question_as_it_was_put() -> None:
    assert "v2.0 什么时候能提测" in composed("first_contact", "v2.0 什么时候能提测", "en")


@pytest.mark.parametrize("language", ["zh-CN", "en"])
@pytest.mark.parametrize(
    "occasion", ["first_contact", "follow_up", "ask_back", "decision", "correction", "deadline_check"]
)
def test_every_occasion_has_words_in_both_languages(occasion: str, language: str) -> None:
    assert composed(occasion, "v2.0 什么时候能提测", language, decided="按周五", number=2).strip()


def test_a_decision_is_passed_on_in_the_words_of_the_initiator() -> None:
    assert composed("decision", "v2.0 提测", decided="按周五推进") == "老板的意思是：按周五推进"


def test_a_correction_tells_the_latest_words() -> None:
    assert composed("correction", "合同签了没", initiator_words=("合同签了没", "是采购合同")) == "更正一下：是采购合同"


def test_follow_ups_differ_and_soften() -> None:
    texts = {
        composed("follow_up", "合同", number=n, softer=s) for n, s in ((1, False), (2, False), (3, False), (2, True))
    }
    assert len(texts) == 4


def said(text: str, role: str = "owner", language: str = "zh-CN", **more: Any) -> str:
    return ask(Converse(text=text, role=role, language=language, now=MONDAY, **more)).text


def test_it_says_what_it_is_and_what_it_can_do() -> None:
    assert "清海" in said("你是谁")
    assert "问" in said("你能做什么")
    assert "assistant" in said("who are you", language="en")


def test_it_says_plainly_what_the_simple_mode_cannot() -> None:
    assert "简单模式" in said("为什么天是蓝的")
    assert "simple mode" in said("why is the sky blue", language="en")


def test_where_things_stand_is_answered_from_the_concerns() -> None:
    text = said("进展怎么样", concerns=(TESTING.model_copy(update={"standing": "在等张三的答复"}), REPORT))
    assert TESTING.title in text
    assert "在等张三的答复" in text
    assert said("进展怎么样") == "现在没有正在跟进的事。"


def test_a_delegate_hears_nothing_of_the_concerns() -> None:
    assert TESTING.title not in said("进展怎么样", role="delegate", concerns=(TESTING,))


def matched(text: str, *candidates: ConcernBrief) -> tuple[tuple[str, ...], bool]:
    answer = ask(MatchReply(text=text, now=MONDAY, candidates=candidates))
    return answer.concern_ids, answer.unclear


OTHER_DATE = ConcernBrief(concern_id="c3", title="合同什么时候能签", goal="拿到关于「合同什么时候能签」的具体时间")


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("周报交了", ("c2",)),
        ("周四能提测", ("c1",)),
        ("周四下午", ("c1",)),
        ("提测周四，周报已经交了", ("c1", "c2")),
    ],
)
def test_a_reply_finds_its_matter_by_its_words_or_its_kind(text: str, ids: tuple[str, ...]) -> None:
    assert matched(text, TESTING, REPORT) == (ids, False)


@pytest.mark.parametrize("text", ["周四", "好"])
def test_a_reply_that_fits_several_is_unclear(text: str) -> None:
    assert matched(text, TESTING, OTHER_DATE) == (("c1", "c3"), True)


def test_the_only_candidate_needs_no_words() -> None:
    assert matched("好", TESTING) == (("c1",), False)


@pytest.mark.parametrize("text", ["got it", "收到", "好的，知道了"])
def test_a_bare_receipt_answers_the_message_that_was_passed_on(text: str) -> None:
    told = ConcernBrief(
        concern_id="c9", title="会改到下午四点", goal="告知张三：会改到下午四点，并得到确认", asked="老板让我转告你"
    )
    when = ConcernBrief(
        concern_id="c1", title="v2.0 什么时候能提测", goal="拿到张三关于「v2.0 什么时候能提测」的具体时间"
    )
    answer = ask(MatchReply(text=text, now=MONDAY, candidates=(when, told)))
    assert (answer.concern_ids, answer.unclear) == (("c9",), False)
