"""The several things that one matter wants of a delegate: what was asked first, and each question added to it since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.brain.questions import Assess
from core.brain.rules.replies.reading import read
from core.brain.rules.replies.scene import Scene, scene_of, standing_of
from core.brain.rules.words.added import additions_to
from core.brain.rules.words.goal import divided
from core.brain.rules.words.text import clauses


@dataclass(frozen=True)
class Wish:
    """A turn that is about one of them. `asked` is how an added question was put: the last line may be about another."""

    turn: Assess
    asked: str | None = None

    @property
    def scene(self) -> Scene:
        """What the words are read against."""
        scene = scene_of(self.turn)
        return scene if self.asked is None else replace(scene, asked=self.asked)


def wishes_of(q: Assess) -> tuple[Wish, ...]:
    """What was asked first, then what was added, each as a turn of its own."""
    first = Wish(q.model_copy(update={"goal": divided(q.goal)[0]}))
    questions = (more.question for more in additions_to(q.goal, standing_of(q)[0]) if more.question)
    return (first, *(Wish(q.model_copy(update={"goal": one, "title": one}), f"{one}？") for one in questions))


def still_open(wishes: tuple[Wish, ...]) -> tuple[Wish, ...]:
    """Those that nothing known answers."""
    return tuple(wish for wish in wishes if not is_known(wish))


def besides(new: Sequence[str], met: Sequence[Wish]) -> str:
    """What they said beside the clauses that answer these: it may answer another."""
    said = (clause for text in new for clause in clauses(text))
    return "，".join(c for c in said if not any(read((c,), wish.scene).met for wish in met))


def with_only(wish: Wish, words: str) -> Wish:
    """The wish as though they had said these words and nothing before them."""
    ours = tuple(line for line in wish.turn.dialogue if line.ours)
    return replace(wish, turn=wish.turn.model_copy(update={"new": (words,), "dialogue": ours}))


def is_known(wish: Wish) -> bool:
    """Whether what they had said before answers it."""
    return bool(wish.turn.known) and read((wish.turn.known or "",), wish.scene).met
