"""What the hub lifts from words, kept with the judgement; a model's signals are held to the same rules."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from core.brain.questions import A, Converse, Judge, Question
from core.brain.rules import RuleBrain
from core.concern.model import ConcernType, Status
from core.facts import Judged, Signal, SignalKind
from core.ids import PersonId
from tests.flow.office import START, Office

A_DAY = timedelta(days=1)
ZHANG = "ou_2"
WEDNESDAY = START.replace(day=18, hour=18, minute=0)


class Model(RuleBrain):
    """A mind that reads signals as it likes, and talks."""

    name = "model"

    def __init__(self) -> None:
        super().__init__()
        self.signals: tuple[dict[str, Any], ...] = ()
        self.answer = "嗯，听着呢。"
        self.noted: list[bool] = []

    async def ask(self, question: Question[A]) -> A:
        answer = await super().ask(question)
        if isinstance(question, Judge) and question.role != "delegate":
            return type(answer).model_validate({"decision": "converse", "signals": self.signals})
        if isinstance(question, Converse):
            self.noted.append(question.noted)
            return type(answer).model_validate({"text": self.answer})
        return answer


@pytest.fixture
def office() -> Iterator[Office]:
    made = Office()
    yield made
    made.close()


@pytest.fixture
def modelled() -> Iterator[Office]:
    made = Office(brain=Model())
    yield made
    made.close()


def judgements(office: Office) -> list[Judged]:
    """Of all facts, in order."""

    # A copy of a fact that is there already may have used up a number.
    def read(repos: Any) -> list[Judged]:
        found = (repos.facts.judged(number) for number in range(1, 50))
        return [judged for judged in found if judged is not None]

    return office.look(read)


def watched(office: Office) -> list[tuple[str, str]]:
    return office.look(lambda repos: [(w.watch_id, w.what) for w in repos.agenda.watches()])


def texts(office: Office, chat: str) -> list[str]:
    return [a.text for a in office.ledger if a.chat == chat]


def test_a_promise_is_kept_with_its_judgement_and_lifted_once(office: Office) -> None:
    office.say("p_owner", "我周三给客户答复")
    me = PersonId("p_owner")
    noted = Signal(kind=SignalKind.COMMITMENT, what="我周三给客户答复", person_id=me, when=WEDNESDAY)
    assert [(j.decision, j.signals) for j in judgements(office)] == [("watch", (noted,))]
    assert (office.concerns(), watched(office)) == ((), [("w1", "给客户答复")])
    office.advance(3 * A_DAY)
    assert [j.decision for j in judgements(office)] == ["watch", "watch", "raise"]
    assert judgements(office)[-1].signals == (noted,)
    (heartbeat,) = office.concerns()
    assert (heartbeat.type, heartbeat.initiator_id) == (ConcernType.HEARTBEAT, None)
    assert heartbeat.trigger == {"watch_id": "w1", "promise": "我周三给客户答复", "due": WEDNESDAY.isoformat()}
    lifted = office.look(lambda repos: [d for d in repos.agenda.recent(9) if d.what == "lifted"])
    assert [(d.why, d.concern_id, d.owner) for d in lifted] == [("我周三给客户答复", heartbeat.concern_id, me)]
    assert watched(office) == []


def test_a_trouble_in_an_open_matter_is_kept_with_it(office: Office) -> None:
    office.say("p_owner", "帮我问一下张三，v2.0 什么时候能提测")
    office.say("p_zhangsan", "卡在第三方回调，做不下去")
    (matter,) = office.concerns()
    (signal,) = judgements(office)[-1].signals
    assert (signal.kind, signal.concern_id) == (SignalKind.BLOCKER, matter.concern_id)
    assert [e.detail for e in matter.timeline if e.type == "signal"] == ["张三：卡在第三方回调，做不下去"]


def test_a_missed_expectation_is_an_absence(office: Office) -> None:
    office.say("p_owner", "张三今天下午三点前没发日报就告诉我")
    office.advance(timedelta(hours=6))
    (signal,) = judgements(office)[-1].signals
    assert (signal.kind, signal.what, signal.person_id) == (SignalKind.ABSENCE, "发日报", "p_zhangsan")


def test_an_edit_puts_the_question_anew(office: Office) -> None:
    message = office.say("p_owner", "支付接口连不通")
    office.edit("p_owner", message, "支付接口联不通")
    assert [t for t in texts(office, "1") if "要我跟进" in t][-1].startswith("要我跟进「支付接口联不通」吗？")
    office.say("p_owner", "好")
    assert "问谁" in texts(office, "1")[-1]


def test_while_another_question_waits_for_a_yes_a_trouble_is_not_asked_about(office: Office) -> None:
    office.say("p_owner", "跟李四说我同意赔他们五万")
    office.say("p_owner", "张三那边的支付接口连不通")
    assert texts(office, "1")[-1].startswith("「张三那边的支付接口连不通」我知道了")
    office.say("p_owner", "好")
    assert ("赔他们五万" in texts(office, "3")[-1], texts(office, ZHANG)) == (True, [])


def test_two_who_say_yes_late_start_nothing(office: Office) -> None:
    office.say("p_owner", "我担心张三那边周五上不了线")
    office.advance(timedelta(minutes=31))
    office.say("p_owner", "好")
    assert office.concerns() == ()
    assert texts(office, "1")[-1].startswith("要我跟进")


def test_the_question_stands_in_the_way_of_nothing_else(office: Office) -> None:
    office.say("p_owner", "我担心李四那边周五交不了货")
    office.say("p_owner", "张三的样品可能要延期")
    assert texts(office, "1")[-1].startswith("要我跟进「张三的样品可能要延期」吗？我去问张三。")
    office.say("p_owner", "帮我问一下王五，合同签了没")
    office.say("p_owner", "好的")  # to the last word that they had, whatever it was
    assert [c.title for c in office.concerns()] == ["合同签了没"]
    office.say("p_owner", "跟进吧")
    assert [(c.type, c.title) for c in reversed(office.concerns())] == [
        (ConcernType.DELEGATION, "合同签了没"),
        (ConcernType.FOLLOWUP, "张三的样品可能要延期"),
    ]


@pytest.mark.parametrize("text", ["好", "跟进一下吧", "嗯，帮我跟进", "要", "👍"])
def test_a_yes_in_words(office: Office, text: str) -> None:
    office.say("p_owner", "我担心张三那边周五上不了线")
    office.say("p_owner", text)
    assert [c.type for c in office.concerns()] == [ConcernType.FOLLOWUP]


@pytest.mark.parametrize("text", ["问赵七吧", "好，问赵七", "先放放", "那是老问题了", "不用，我自己盯着"])
def test_what_is_no_plain_yes_writes_to_nobody(office: Office, text: str) -> None:
    office.say("p_owner", "我担心张三那边周五上不了线")
    office.say("p_owner", text)
    assert office.concerns() == ()
    assert texts(office, ZHANG) == []


def test_what_a_model_reads_is_held_to_the_words(modelled: Office) -> None:
    model: Any = modelled.brain
    model = getattr(model, "_inner", model)
    model.signals = (
        {"kind": "commitment", "what": "我周三给客户答复", "when": "2026-03-25T09:00:00+08:00"},
        {"kind": "commitment", "what": "我替张三周四交方案", "when": "2026-03-19T18:00:00+08:00"},
        {"kind": "risk", "what": "预算要超支"},
    )
    model.answer = "好的，我记下了，周三我会提醒你。"
    modelled.say("p_owner", "我周三给客户答复")
    (judged,) = judgements(modelled)
    assert [(s.kind, s.when) for s in judged.signals] == [(SignalKind.COMMITMENT, WEDNESDAY)]
    assert (watched(modelled), model.noted) == ([("w1", "给客户答复")], [True])
    (said,) = texts(modelled, "1")
    assert said.startswith("好的，我记下了，周三我会提醒你。")
    assert "记下了，周三 18:00 我看看" in said


def test_a_model_without_signals_only_talks(modelled: Office) -> None:
    model: Any = modelled.brain
    model = getattr(model, "_inner", model)
    modelled.say("p_owner", "我周三给客户答复")
    assert (texts(modelled, "1"), watched(modelled), model.noted) == (["嗯，听着呢。"], [], [False])


def test_whoever_is_away_is_asked_when_they_are_back(office: Office) -> None:
    office.say("p_zhangsan", "我明天把合同发过去")
    office.say("p_zhangsan", "我休假到周五")
    office.advance(3 * A_DAY)
    assert not any("后来怎么样了" in t for t in texts(office, ZHANG))
    office.advance(4 * A_DAY)
    assert len([t for t in texts(office, ZHANG) if "后来怎么样了" in t]) == 1
    (heartbeat,) = (c for c in office.concerns() if c.type is ConcernType.HEARTBEAT)
    assert heartbeat.status is Status.WAITING_REPLY
