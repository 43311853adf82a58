"""What the hub keeps about an action that waits, and how it tells several of them apart."""

from datetime import datetime, timedelta

import pytest

from core.brain.questions import EvaluatorResult
from core.brain.rules.amending.whole import risks, says_go
from core.context.workspace import Block, BlockKind, companion_id, hint_about, hint_lapsed, hint_of, hinted
from core.hub.acting.which_action import told_apart
from core.ids import ConversationId, PersonId

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")


def block(block_id: str, summary: str) -> Block:
    return Block(
        block_id=block_id,
        kind=BlockKind.ACTIONS_NEED_CONFIRMATION,
        owner=PersonId("p_owner"),
        conversation=ConversationId("telegram:1001"),
        content={},
        summary=summary,
        created_at=NOW,
        expires_at=NOW + timedelta(minutes=30),
    )


MONEY, WORD = block("b1", "让张三把尾款三万打给供应商"), block("b2", "告诉李四我们同意降价")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("尾款那件可以", (MONEY,)),
        ("降价那个先不发", (WORD,)),
        ("可以", (MONEY, WORD)),
        ("两件都办", (MONEY, WORD)),
        ("尾款可以，降价也可以", (MONEY, WORD)),
    ],
)
def test_several_are_told_apart_by_their_words(text: str, meant: tuple[Block, ...]) -> None:
    assert told_apart(text, (MONEY, WORD)) == meant


def test_one_alone_is_meant_whatever_is_said() -> None:
    assert told_apart("好", (WORD,)) == (WORD,)


def test_the_hint_goes_with_its_action_and_outlives_it() -> None:
    waiting = hint_about(MONEY, "awaiting", NOW)
    over = hint_lapsed(MONEY, NOW + timedelta(hours=1), denied=True)
    assert waiting.block_id == over.block_id == companion_id("b1")
    assert (waiting.kind, waiting.expires_at) == (BlockKind.COMMUNICATION, MONEY.expires_at)
    assert (hint_of(over).about, hint_of(over).denied, over.expires_at) == ("b1", True, NOW + timedelta(hours=1))
    assert hinted((MONEY, waiting, over), "lapsed") == (over,)


@pytest.mark.parametrize(
    "text", ["改成两万，打吧", "去掉罚款那句，就发了", "make it 9 and send it", "that's good to go"]
)
def test_a_change_may_say_to_go_ahead(text: str) -> None:
    assert says_go(text)


@pytest.mark.parametrize("text", ["改成两万", "五点半吧", "send it to Ella instead", "换成李四吧"])
def test_a_mere_change_does_not(text: str) -> None:
    assert not says_go(text)


def test_money_is_a_risk_only_where_it_reaches_somebody() -> None:
    reaches = EvaluatorResult(parameters={"send_message": {"people": ["p"], "text": "把尾款三万打给供应商"}})
    reminder = EvaluatorResult(parameters={"schedule": {"text": "把尾款三万打给供应商"}})
    assert risks(reaches, "告诉张三打款")
    assert not risks(reminder, "到时候打款")
