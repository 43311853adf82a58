"""Actions of three stages for tests of crashes: what each sends to whom, and a brain that wants just these.

Each stage reaches a person of its own: 李四 hears that his matter is settled, 张三 is told something, 赵六 is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from core.brain.questions import (
    A,
    Evaluate,
    EvaluatorResult,
    Extract,
    Judge,
    Judgement,
    Question,
    Tendencies,
    Work,
    WorkStep,
)
from core.brain.rules import RuleBrain

FIRST = "con_20260316_001"
"""The matter with 李四 that is open when the chain begins."""
ASKS_LISI = "帮我问一下李四，发票什么时候能开"

THREE_STEPS = "李四那件不用问了，告诉张三改到下午，再问赵六来不来"
STOPS_HALF_WAY = "告诉张三改到下午，再催一下那件早就没了的，再问赵六来不来"
TOGETHER = "告诉张三改到下午，同时问赵六来不来"
ONE_OF_TWO = "告诉张三改到下午，同时再催一下那件早就没了的，然后问赵六来不来"
ASKS_FIRST = "先问过我再办：李四那件不用问了，告诉张三改到下午，再问赵六来不来"
LATER = "半小时后，李四那件不用问了，告诉张三改到下午，再问赵六来不来"
DEEP = "把手上的事理一遍，理好了发我"
DEEP_RESULT = "手上一件事：李四的发票，还没回。"

_TELL = {"people": ["p_zhangsan"], "text": "评审改到下午三点"}
_ASK = {"people": ["p_zhaoliu"], "title": "评审来不来", "goal": "知道他来不来"}
_WISH = EvaluatorResult(
    ok=True,
    primary_action_chain={1: ("cancel_concern",), 2: ("send_message",), 3: ("raise_concern",)},
    parameters={"cancel_concern": {"concern_ids": [FIRST]}, "send_message": _TELL, "raise_concern": _ASK},
)
_LATER = EvaluatorResult(
    ok=True,
    type="planned",
    when="2026-03-16T10:30:00+08:00",
    primary_action_chain={1: ("send_message",), 2: ("raise_concern",)},
    parameters={"send_message": _TELL, "raise_concern": _ASK},
)
_HALF = EvaluatorResult(
    ok=True,
    primary_action_chain={1: ("send_message",), 2: ("advance_concern",), 3: ("raise_concern",)},
    parameters={
        "send_message": _TELL,
        "advance_concern": {"concern_ids": ["con_20260301_001"]},
        "raise_concern": _ASK,
    },
)
_TOGETHER = EvaluatorResult(
    ok=True,
    primary_action_chain={1: ("send_message", "raise_concern")},
    parameters={"send_message": _TELL, "raise_concern": _ASK},
)
_ONE_OF_TWO = _HALF.model_copy(
    update={"primary_action_chain": {1: ("send_message", "advance_concern"), 2: ("raise_concern",)}}
)
WISHES: Mapping[str, EvaluatorResult] = {
    TOGETHER: _TOGETHER,
    ONE_OF_TWO: _ONE_OF_TWO,
    THREE_STEPS: _WISH,
    STOPS_HALF_WAY: _HALF,
    ASKS_FIRST: _WISH.model_copy(update={"need_confirm": True}),
    LATER: _LATER,
    DEEP: EvaluatorResult(
        ok=True, primary_action_chain={1: ("deep_task",)}, parameters={"deep_task": {"goal": "把手上的事理一遍"}}
    ),
}
DEEP_STEPS = (
    WorkStep(tool="check_concerns", parameters={"person": "p_lisi"}),
    WorkStep(tool="look_up_person", parameters={"person": "p_lisi"}),
    WorkStep(result=DEEP_RESULT),
)


class ChainBrain:
    """Reads the messages of this file as the actions that they are; everything else goes by the rules."""

    name = "scripted"

    def __init__(self) -> None:
        self._rules = RuleBrain()

    async def ask(self, question: Question[A]) -> A:
        """The wish behind a message, or the rules' answer."""
        if isinstance(question, Judge) and question.text in WISHES:
            return cast(A, Judgement(decision="raise"))
        if isinstance(question, Extract) and question.text in WISHES:
            return cast(A, Tendencies(tendencies=(question.text,)))
        if isinstance(question, Evaluate) and question.tendency in WISHES:
            return cast(A, WISHES[question.tendency])
        if isinstance(question, Work):
            return cast(A, DEEP_STEPS[len(question.done)])
        return await self._rules.ask(question)
