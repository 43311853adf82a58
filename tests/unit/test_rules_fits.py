"""Which of several open matters words are for that name none of them: what was asked just now, or what they fit."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from core.brain.questions import ConcernBrief, Match, MatchReply
from core.brain.rules.fits import goes_on
from core.brain.rules.match import match
from core.brain.rules.replies.evidence import satisfied
from core.brain.rules.replies.pieces import left_open
from core.brain.rules.replies.reply import asks
from core.brain.rules.words.goal import Want
from core.brain.rules.words.signs import is_done
from core.concern.matching import just_asked
from core.concern.model import Concern, LogEntry
from core.concern.verdict import _counts_out
from tests.contract.store_samples import LI, NOW, concern

FILE = ConcernBrief(concern_id="file", title="报价单", goal="拿到李四的「报价单」")
DONE = ConcernBrief(concern_id="done", title="客户的合同签了没", goal="得到李四对「客户的合同签了没」的明确答复")
WHEN = ConcernBrief(concern_id="when", title="v2.0什么时候能提测", goal="拿到李四关于「v2.0什么时候能提测」的具体时间")
WHY = ConcernBrief(concern_id="why", title="服务器为什么挂了", goal="得到李四关于「服务器为什么挂了」的答复")
PICK = ConcernBrief(concern_id="pick", title="年会想吃火锅还是烤肉", goal="得到李四关于「年会想吃火锅还是烤肉」的答复")
TOLD = ConcernBrief(concern_id="told", title="周会取消", goal="告知李四：周会取消，并得到确认")
EN_FILE = ConcernBrief(concern_id="file", title="send the quotation", goal="Done by Lisa: send the quotation")
EN_DONE = ConcernBrief(
    concern_id="done",
    title="whether the client signed the contract",
    goal="A clear yes or no from Lisa: whether the client signed the contract",
)
EN_WHEN = ConcernBrief(
    concern_id="when", title="when v2 will be ready", goal="A definite date or time from Lisa: when v2 will be ready"
)
EN_WHY = ConcernBrief(
    concern_id="why", title="why the server is down", goal="An answer from Lisa: why the server is down"
)


def placed(text: str, just: str, *candidates: ConcernBrief) -> Match:
    return match(MatchReply(text=text, now=NOW, candidates=candidates, just_asked=just))


@pytest.mark.parametrize(
    ("text", "just", "candidates", "where"),
    [
        ("好的，晚点发", "file", (DONE, WHEN, FILE), "file"),
        ("都行", "pick", (WHEN, PICK), "pick"),
        ("正在查，半小时内给结论", "why", (WHEN, WHY), "why"),
        ("收到", "file", (TOLD, FILE), "file"),
        ("收到", "", (TOLD, FILE), "told"),
        # The kind of answer that another one wants, or its words.
        ("周四能提", "why", (WHEN, WHY), "when"),
        ("发你邮箱了", "why", (FILE, WHY), "file"),
        ("合同昨天签了", "why", (DONE, WHY), "done"),
        # A time may be when the thing comes, or the answer to when.
        ("周五", "file", (WHEN, FILE), "unclear"),
        ("will do, later today", "file", (EN_DONE, EN_WHEN, EN_FILE), "file"),
        ("looking into it, will have an answer in half an hour", "why", (EN_WHEN, EN_WHY), "why"),
        ("Thursday", "why", (EN_WHEN, EN_WHY), "when"),
        ("Friday", "file", (EN_WHEN, EN_FILE), "unclear"),
    ],
)
def test_words_that_name_nothing(text: str, just: str, candidates: tuple[ConcernBrief, ...], where: str) -> None:
    found = placed(text, just, *candidates)
    assert ("unclear" if found.unclear else found.concern_ids) == ("unclear" if where == "unclear" else (where,))


def test_without_a_latest_one_a_put_off_answers_no_question() -> None:
    """A yes that only opens a promise would close whatever asks for a yes."""
    assert placed("好的，晚点发", "", DONE, WHEN).concern_ids != ("done",)


@pytest.mark.parametrize(
    ("text", "over", "still", "goes"),
    [
        ("发了，你看下", FILE, (DONE,), True),
        ("发了，你看下", FILE, (DONE, EN_FILE), False),
        ("发了，合同也签了", FILE, (DONE,), False),
        ("发了", WHEN, (DONE,), False),
        ("sent, have a look", EN_FILE, (EN_DONE,), True),
    ],
)
def test_done_said_once_more(text: str, over: ConcernBrief, still: tuple[ConcernBrief, ...], goes: bool) -> None:
    assert goes_on(text, over, still) is goes


def asked_at(number: int, *ago: float, said: float | None = None) -> Concern:
    """A matter that 李四 was written to about so many minutes before; `said`: and wrote back."""
    lines = [("outbound", minutes) for minutes in ago] + ([("inbound", said)] if said is not None else [])
    log = tuple(
        LogEntry(
            ts=NOW - timedelta(minutes=minutes),
            direction=direction,
            person_id=LI,
            person_name="李四",
            channel="feishu",
            text="…",
        )
        for direction, minutes in lines
    )
    return concern(number, LI).model_copy(update={"conversation_log": log})


@pytest.mark.parametrize(
    ("matters", "last"),
    [
        ((asked_at(1, 120), asked_at(2, 5)), 2),
        ((asked_at(1, 120, 3), asked_at(2, 60)), 1),
        ((asked_at(1, 15), asked_at(2, 4)), 2),
        ((asked_at(1, 2), asked_at(2, 0)), None),
        ((asked_at(1, 15), asked_at(2, 8)), None),
        ((asked_at(1, 120), asked_at(2, 11)), None),
        ((asked_at(1, 120, said=2), asked_at(2, 5)), None),
        ((asked_at(1, 5), asked_at(2, 5), asked_at(3, 300)), None),
        ((asked_at(1, 5),), None),
    ],
)
def test_what_stands_out_as_asked_just_now(matters: tuple[Concern, ...], last: int | None) -> None:
    found = just_asked(matters, LI, NOW, None)
    assert (found.concern_id if found else None) == (matters[last - 1].concern_id if last else None)


def test_a_word_of_theirs_since_in_whatever_matter_makes_it_nothing() -> None:
    matters = (asked_at(1, 120), asked_at(2, 5))
    assert just_asked(matters, LI, NOW, NOW - timedelta(minutes=3)) is None
    assert just_asked(matters, LI, NOW, NOW - timedelta(minutes=30)) == matters[1]
    assert just_asked(matters, LI, NOW - timedelta(minutes=6), None) is None


@pytest.mark.parametrize(
    ("question", "reply", "answered"),
    [
        ("客户的合同签了没", "好的", False),
        ("客户的合同签了没", "好的，晚点发", False),
        ("报销单交了吗", "没问题", False),
        ("客户的合同签了没", "嗯", True),
        ("客户的合同签了没", "签了", True),
        ("周会六点线上行不行", "好的", True),
        ("whether the client has signed", "ok", False),
        ("whether the client has signed", "yes", True),
    ],
)
def test_to_agree_tells_nothing_of_what_has_been(question: str, reply: str, answered: bool) -> None:
    assert satisfied(Want.YESNO, reply, datetime.fromisoformat(NOW.isoformat()), question) is answered


@pytest.mark.parametrize(
    ("goal", "reply", "left"),
    [
        ("得到张三对「报价单和合同都发客户了没」的明确答复", "报价单发了", ("合同",)),
        ("得到张三对「报价单和合同都发客户了没」的明确答复", "都发了", ()),
        ("得到张三对「报价单和合同都发客户了没」的明确答复", "还没", ()),
        ("得到张三对「周六和周日能不能来」的明确答复", "周六能来", ()),
        (
            "A clear yes or no from Omar: whether the invoice and the contract went out",
            "the invoice did",
            ("the contract",),
        ),
    ],
)
def test_one_of_two_is_not_both(goal: str, reply: str, left: tuple[str, ...]) -> None:
    assert left_open(goal, reply, NOW) == left


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("我周六有事", True),
        ("去不了", True),
        ("I can't", True),
        ("我可以", False),
        ("我周六有事，周日可以", False),
        ("I can", False),
        ("李工知道", False),
    ],
)
def test_one_who_counts_themselves_out(text: str, out: bool) -> None:
    assert _counts_out((text,)) is out


@pytest.mark.parametrize(
    ("text", "done"),
    [("fixed and deployed", True), ("all sorted", True), ("booked", True), ("not fixed yet", False)],
)
def test_deeds_that_are_told_by_their_verb(text: str, done: bool) -> None:
    assert is_done(text) is done


@pytest.mark.parametrize(
    ("text", "asking"),
    [
        ("周四可能来不及，周五行不", True),
        ("换成周五可以不", True),
        ("周四还是周五", True),
        ("回了，说价格还是高", False),
        ("价格还是有点贵", False),
    ],
)
def test_what_asks_and_what_only_sounds_like_it(text: str, asking: bool) -> None:
    assert asks(text) is asking
