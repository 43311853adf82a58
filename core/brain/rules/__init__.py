"""The brain that needs no model: every question answered by words, in Chinese and plain English. Where a rule belongs:

A file a question: `judge`, `extract`, `evaluate`, `assess`, `match`, `match_event`, `compose`, `converse`, `work`. What
they read with stands in rooms:

- `owner/`: what a starter's message is after; `intent` and `wishes` hold the words, `asked` whom they reach, `mood`
  whether they only speak of it, `apart` what goes its own way beside an order.
- `evaluating/`: how a goal is done, a file a family of abilities; `times/`: when.
- `waiting/`: an answer to what waits for a yes or a word, told apart from a new order; `amending/`: a change to it.
- `replies/`: what a delegate says; `reading` holds it against the goal, `reply` how they take it, `told_*` whether they
  told what was asked.
- `talking/`: what the conversation can say of open matters.
- `words/`: shared: text, names, signs, what a goal wants, risk, urgency, polite phrases.
"""

from core.brain.rules.brain import RuleBrain

__all__ = ["RuleBrain"]
