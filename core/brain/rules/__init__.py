"""The brain that needs no model: every question answered by words, in Chinese and plain English. Where a rule belongs:

- What a starter's message is after: `judge`, `extract`; `intent` and `wishes` hold the words, `asked` whom they reach,
  `mood` whether they only speak of it.
- How it is done: `evaluate` and `evaluating/`; when: `when`, `recurring`, `conditions`, `retiming`.
- An answer to what waits for a yes: `pending`; a change to it: `amend` and `amend_*`; which one is meant: `picking`.
- What a delegate says: `judge_delegate`, `match`; `assess` with `reading` (against the goal), `reply` (how they take
  it), `told_*` (whether they told what was asked), `put_off`, `pointing`.
- What happened elsewhere: `match_event`. What is said: `converse`, `converse_matters`, `compose`, `polite`, `phrases`.
- Shared: `text`, `names`, `signs`, `goal` (what a goal wants), `topic`, `targets`, `risk`, `urgency`.
"""

from core.brain.rules.brain import RuleBrain

__all__ = ["RuleBrain"]
