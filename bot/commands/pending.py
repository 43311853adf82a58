"""The command /pending: the sender's own actions that wait for a yes, and goals that wait for a detail."""

from __future__ import annotations

from bot.commands.request import Reply, Request, usage
from core.context.workspace import Block, BlockKind, Intention
from core.effects import Button, Words
from core.hub.acting.asking import choices_of

SHOWN = 8
"""The latest, of each kind; how many more there are is said."""


def pending(request: Request) -> Reply:
    """What waits for a word of the sender, until when, with the buttons to say it."""
    if request.words:
        return usage(request)
    blocks = [b for b in request.turn.pending if b.expires_at > request.now]
    all_actions = [b for b in blocks if b.kind is BlockKind.ACTIONS_NEED_CONFIRMATION]
    all_goals = [b for b in blocks if b.kind is BlockKind.PENDING_ACTION_INTENTIONS]
    actions, goals = all_actions[-SHOWN:], all_goals[-SHOWN:]
    values = {
        "actions_left": len(all_actions) - len(actions),
        "goals_left": len(all_goals) - len(goals),
        "actions": [{"summary": b.summary, "until": b.expires_at.isoformat()} for b in actions],
        "goals": [{"summary": b.summary, "until": b.expires_at.isoformat(), "missing": _missing(b)} for b in goals],
    }
    rows = [row for n, b in enumerate(actions, 1) for row in _buttons(request, b, n if len(actions) > 1 else 0)]
    return Reply("commands/pending", values, tuple(rows))


def _missing(block: Block) -> str | None:
    intention = Intention.model_validate(block.content)
    return "past" if intention.past else intention.missing


def _buttons(request: Request, block: Block, number: int) -> list[tuple[Button, ...]]:
    """The buttons of one action; of several each says the number of its action."""
    rows = choices_of(block, request.turn)
    return [tuple(_numbered(b, number) for b in row) for row in rows] if number else list(rows)


def _numbered(button: Button, number: int) -> Button:
    verb = button.data.partition(":")[0]
    if button.label.text is not None:
        return button.model_copy(update={"label": Words(text=f"{number}. {button.label.text}")})
    label = Words(template="buttons/numbered", values={"number": number, "verb": verb})
    return button.model_copy(update={"label": label})
