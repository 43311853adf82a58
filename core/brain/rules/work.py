"""A deep task needs a model: without one the honest result says so, and hands over what was found before."""

from __future__ import annotations

from core.brain.questions import Work, WorkStep

_ZH = "这件事要靠模型一步步想，现在没有模型可用，我做不完。"
_ZH_FOUND = "这件事要靠模型一步步想，现在没有模型可用，我做不完。目前查到的："
_EN = "This needs a model to think it through, and there is none right now, so I can't finish it."
_EN_FOUND = "This needs a model to think it through, and there is none right now. What I have found so far:"


def work(q: Work) -> WorkStep:
    """No tool is taken: the task ends here."""
    found = [f"· {use.result}" for use in q.done if use.ok]
    if q.language.startswith("en"):
        first = _EN_FOUND if found else _EN
    else:
        first = _ZH_FOUND if found else _ZH
    return WorkStep(result="\n".join([first, *found]))
