"""A deep task: a goal that the model works on step by step, each step a question of its own. Plain values.

Its state is kept as a block from before the first step, so a crash costs at most the step that was being asked.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from core.action.meta_actions import REGISTRY, MetaActionInfo, available_meta_actions
from core.brain.questions import MetaActionBrief, ToolUse, Work, WorkStep
from core.context.text import texts_in, tokens
from core.people import Role

TITLE_CHARS = 40
RESULT_CHARS = 4_000
"""Characters that are kept of what one tool gave; the question carries all of them at each further step."""

Ending = Literal["done", "cut_off", "cancelled"]


class DeepTaskState(BaseModel):
    """What is known of a deep task. `errand` is the JSON of `core.hub.errand.Errand`."""

    model_config = ConfigDict(frozen=True)

    task_id: str
    goal: str
    errand: dict[str, Any]
    steps: int
    """How many tools it may take."""
    tokens: int = 120_000
    """How many tokens it may cost."""
    tokens_used: int = 0
    """How many it has cost, as the server counts them; by `cost_of` where it does not."""
    done: tuple[ToolUse, ...] = ()
    state: Literal["running", "done", "cut_off", "cancelled"] = "running"
    started_at: datetime
    expires_at: datetime
    """Running beyond this it is cut off."""

    @property
    def title(self) -> str:
        """The goal in a line for people."""
        return shortened(self.goal.split("\n", 1)[0], TITLE_CHARS)

    @property
    def steps_left(self) -> int:
        """With 0 the result must be given: all tools, or all tokens, are spent."""
        return max(0, self.steps - len(self.done)) if self.tokens_used < self.tokens else 0

    @property
    def found(self) -> tuple[str, ...]:
        """What the tools gave, without those that could not be taken."""
        return tuple(use.result for use in self.done if use.ok)


def taken(state: DeepTaskState, use: ToolUse, cost: int) -> DeepTaskState:
    """The state with one more step behind it, which cost so many tokens."""
    use = use.model_copy(update={"result": shortened(use.result, RESULT_CHARS)})
    return state.model_copy(update={"done": (*state.done, use), "tokens_used": state.tokens_used + cost})


def cost_of(question: Work, step: WorkStep) -> int:
    """What a step cost in tokens: an estimate from the texts that were read and written.

    It knows neither the frame of the prompt nor calls that failed: it stands in where nobody counts.
    """
    return sum(tokens(text) for text in texts_in((question, step)))


def ended(state: DeepTaskState, how: Ending) -> DeepTaskState:
    """The state when nothing more will be done for it."""
    return state.model_copy(update={"state": how})


def readers(role: Role) -> tuple[MetaActionBrief, ...]:
    """The tools of a task: what its owner's role may use, as far as it only reads."""
    return tuple(brief for brief in available_meta_actions(role) if only_reads(REGISTRY[brief.key].info))


def only_reads(info: MetaActionInfo) -> bool:
    """Nobody hears of it, and running it twice does no more than once."""
    return not info.outside_effect and info.idempotent and info.later != "must"


def shortened(text: str, most: int) -> str:
    """At most so many characters; what is longer ends in `…`."""
    text = text.strip()
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
