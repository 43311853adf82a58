"""Questions back about an action: yes or no, who is meant, and what is still missing. Each keeps what it asks about.

An action that waits for a yes is a block with a communication block beside it, which the conversation reads. A goal
that lacks something is an intention: the sender's next words may bring it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core.action.model import EvaluatorResult, PendingConfirmation, RefusedTendency
from core.brain.rules.amending.slots import keys_of, people_of
from core.brain.rules.words.text import is_english
from core.concern.schedule import PlannedStep, deed
from core.context.workspace import Block, BlockKind, FollowUp, Intention, follow_up_of, hint_about
from core.effects import Button, Expire, Send, Words
from core.hub.acting.executor import Keep
from core.hub.commit import apply
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.hub.turn import Turn
from core.ids import PersonId
from core.ports import Repositories
from core.schedule import WhenError, read_when

Rows = tuple[tuple[Button, ...], ...]


class Asking:
    """Puts the questions. What they ask about is kept in the transaction in which they are queued."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def confirmation(self, waiting: PendingConfirmation, turn: Turn, words: str, n: int, brain: TurnBrain) -> Keep:
        """Keep the action and ask: who is meant, or yes or no."""
        result = waiting.result
        if result.unknown_people and not people_of(result) and not result.ambiguous:
            return self._nobody(waiting, turn, words, n, brain)
        content = {"tendency": waiting.tendency, "words": words, "result": result.model_dump(mode="json")}
        return self._put(content, turn, n, brain)

    def follow_up(self, wish: FollowUp, turn: Turn, brain: TurnBrain) -> Keep:
        """Ask whether a trouble is to be followed up; by the same way as an action that waits for a yes."""
        result = EvaluatorResult(
            ok=True,
            need_confirm=True,
            primary_action_chain={1: (wish.key,)},
            parameters={wish.key: wish.parameters},
            reason="a trouble that was voiced",
        )
        tendency = f'follow up on "{wish.what}"' if is_english(wish.what) else f"跟进「{wish.what}」"
        content = {
            "tendency": tendency,
            "words": turn.text,
            "result": result.model_dump(mode="json"),
            "follow_up": wish.model_dump(mode="json"),
        }
        return self._put(content, turn, 0, brain)

    def _put(self, content: dict[str, Any], turn: Turn, n: int, brain: TurnBrain) -> Keep:
        now = self._services.clock.now()
        block = Block(
            block_id=self._services.ids.token(),
            kind=BlockKind.ACTIONS_NEED_CONFIRMATION,
            owner=turn.sender.person_id,
            conversation=turn.fact.conversation,
            message_id=turn.origin,
            content=content,
            summary=content["tendency"],
            created_at=now,
            expires_at=now + self._services.limits.confirm.expiry,
        )
        said = self.question(block, turn, n, brain)

        def keep(repos: Repositories) -> None:
            repos.blocks.add(block)
            repos.blocks.put(hint_about(block, "awaiting", now))
            apply(repos, said)
            apply(repos, Expire(key=f"expire:{block.block_id}", due=block.expires_at, block_id=block.block_id))

        return keep

    def whom(self, block: Block, asked: FollowUp, turn: Turn) -> Keep:
        """A yes to a question that names nobody: whom to ask is asked back, and the rest is kept."""
        words = str(block.content["words"])
        intention = Intention(tendency=block.summary, words=words, missing="who", result=block.content["result"])
        now = self._services.clock.now()
        said = turn.reply(now, "chat/follow_up_whom", part="whom", what=asked.what)
        kept = self._intention(intention, turn, 0)

        def keep(repos: Repositories) -> None:
            repos.blocks.put(kept)
            apply(repos, said)

        return keep

    def question(self, block: Block, turn: Turn, n: int, brain: TurnBrain) -> Send:
        """The question about an action that waits; an answer that quotes it is for this one."""
        template, values = _words(block, turn, self._services)
        return turn.reply(
            self._services.clock.now(),
            template,
            part=f"confirm{n}",
            buttons=choices_of(block, turn),
            block_id=block.block_id,
            lines=brain.note(),
            **values,
        )

    def _nobody(self, waiting: PendingConfirmation, turn: Turn, words: str, n: int, brain: TurnBrain) -> Keep:
        """Nobody is left whom a yes could reach: another name is asked for."""
        result = waiting.result
        intention = Intention(
            tendency=waiting.tendency, words=words, missing="who", result=result.model_dump(mode="json")
        )
        names = list(result.unknown_people)
        said = turn.reply(
            self._services.clock.now(), "chat/unknown_people", part=f"unknown{n}", names=names, lines=brain.note()
        )
        kept = self._intention(intention, turn, n)

        def keep(repos: Repositories) -> None:
            repos.blocks.put(kept)
            apply(repos, said)

        return keep

    def missing(self, refused: RefusedTendency, turn: Turn, words: str, n: int, brain: TurnBrain) -> Keep:
        """Keep the goal and ask for exactly what it lacks; a time that has gone by is asked for anew."""
        past = refused.kind == "past"
        what = "when" if past else refused.missing
        intention = Intention.model_validate(
            {"tendency": refused.tendency, "words": words, "missing": what, "past": past}
        )
        said = turn.reply(
            self._services.clock.now(),
            "chat/missing",
            part=f"missing{n}",
            missing="past" if past else what,
            tendency=refused.tendency,
            lines=brain.note(),
        )
        kept = self._intention(intention, turn, n)

        def keep(repos: Repositories) -> None:
            repos.blocks.put(kept)
            apply(repos, said)

        return keep

    def _intention(self, intention: Intention, turn: Turn, n: int) -> Block:
        now = self._services.clock.now()
        return Block(
            block_id=f"intention:{turn.cause}:{n}",
            kind=BlockKind.PENDING_ACTION_INTENTIONS,
            owner=turn.sender.person_id,
            conversation=turn.fact.conversation,
            message_id=turn.origin,
            content=intention.model_dump(mode="json"),
            summary=intention.tendency,
            created_at=now,
            expires_at=_until(now, self._services),
        )


def _until(now: datetime, services: Services) -> datetime:
    return now + services.limits.confirm.remembered


def intentions(turn: Turn) -> tuple[Block, ...]:
    """The goals of this chat that lack something, oldest first."""
    here = turn.fact.conversation
    return tuple(b for b in turn.pending if b.kind is BlockKind.PENDING_ACTION_INTENTIONS and b.conversation == here)


def is_next(turn: Turn, asked: Block) -> bool:
    """Whether the question that `asked` stands for was put here, and the sender has said nothing since."""
    return asked.conversation == turn.fact.conversation and not any(
        not line.ours and line.at > asked.created_at for line in turn.recent
    )


def choices_of(block: Block, turn: Turn) -> Rows:
    """The buttons of an action that waits: who is meant, where that is open, else yes, no, and a change."""
    if follow_up_of(block) is not None:
        yes = Button(label=Words(template="buttons/follow_up"), data=f"yes:{block.block_id}")
        return ((yes, Button(label=Words(template="buttons/no_need"), data=f"no:{block.block_id}")),)
    no = Button(label=Words(template="buttons/cancel"), data=f"no:{block.block_id}")
    result = EvaluatorResult.model_validate(block.content["result"])
    if result.ambiguous:
        asked = result.ambiguous[0]
        names = _told_apart(turn, asked.candidates, asked.name)
        return (
            *((Button(label=Words(text=name), data=f"pick:{block.block_id}:{i}"),) for i, name in enumerate(names)),
            (no,),
        )
    yes = Button(label=Words(template="buttons/confirm"), data=f"yes:{block.block_id}")
    edit = Button(label=Words(template="buttons/edit"), data=f"edit:{block.block_id}")
    return ((yes, no, edit),)


def _words(block: Block, turn: Turn, services: Services) -> tuple[str, dict[str, Any]]:
    result = EvaluatorResult.model_validate(block.content["result"])
    unknown = list(result.unknown_people)
    if result.ambiguous:
        called, fits = result.ambiguous[0].name, result.ambiguous[0].candidates
        only = _told_apart(turn, fits, called)[0] if len(fits) == 1 else None
        return "chat/which_person", {"name": called, "unknown": unknown, "only": only}
    names = [turn.people[PersonId(p)].name for p in people_of(result) if p in turn.people]
    if (asked := follow_up_of(block)) is not None:
        return "chat/follow_up", {"what": asked.what, "title": asked.title, "names": names}
    return "chat/confirm", {
        "tendency": block.summary,
        "names": names,
        "unknown": unknown,
        "trigger": _trigger(result, turn, services),
        "deeds": _deeds(result, block.summary, turn),
    }


# What others read is shown word for word: a yes is to that, not to the order as it was put.
_SHOWN = frozenset({"raise_concern", "send_message", "remind"})


def _deeds(result: EvaluatorResult, tendency: str, turn: Turn) -> list[dict[str, Any]]:
    """The steps in the words they would go out in; none where some of them are no such words."""
    keys = keys_of(result)
    if not _SHOWN.issuperset(keys):
        return []
    steps = [PlannedStep(key=key, parameters=result.parameters.get(key, {})) for key in keys]
    read = (next((step.parameters[k] for k in ("text", "message") if step.parameters.get(k)), None) for step in steps)
    shown = [deed(step, turn.people, tendency) for step in steps]
    return [d if words is None else {**d, "text": words} for d, words in zip(shown, read, strict=True)]


def _trigger(result: EvaluatorResult, turn: Turn, services: Services) -> dict[str, Any] | None:
    """When a planned one will run, for the sender to see; what cannot be read is refused after the yes."""
    if result.type != "planned" or not result.when:
        return None
    now, days = services.clock.now(), result.working_days
    try:
        return read_when(result.when, turn.sender.timezone, now, working_days=days).model_dump(mode="json")
    except WhenError:
        return None


def _told_apart(turn: Turn, person_ids: Sequence[str], said: str) -> list[str]:
    """The names of those who are called `said`, with other aliases where the names alone are the same."""
    found = [turn.people.get(PersonId(p)) for p in person_ids]
    names = [p.name if p is not None else "" for p in found]
    labels: list[str] = []
    for person, name in zip(found, names, strict=True):
        others = [a for a in person.aliases if a not in (name, said)] if person is not None else []
        labels.append(" · ".join([name, *others]) if names.count(name) > 1 else name)
    return labels
