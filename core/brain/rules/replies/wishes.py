"""The several things that one matter wants of a delegate: each question that was asked first, or added to it since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from core.brain.questions import Assess
from core.brain.rules.replies.reading import read
from core.brain.rules.replies.scene import Scene, scene_of, standing_of
from core.brain.rules.words.added import questions_added
from core.brain.rules.words.goal import Want, divided, framed
from core.brain.rules.words.polite import is_question
from core.brain.rules.words.text import CJK, any_of, clauses, fold, grams, squeezed
from core.patterns import lazy


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
    """What was asked first, then what was added, each as a turn of its own; of several questions in one, each."""
    goal = divided(q.goal)[0]
    parts, added = several_in(goal), questions_added(q.goal, standing_of(q)[0])
    first = () if parts else (Wish(q.model_copy(update={"goal": goal})),)
    return (*first, *(Wish(q.model_copy(update={"goal": one, "title": one}), f"{one}？") for one in (*parts, *added)))


# How or why it stands as it does is told by whatever is said of it.
_LOOSE = lazy(
    r"怎么|咋|如何|为什么|为啥|情况|进[度展]|原因|的话|如果|要是|\b(?:how (?:is|are|far)|why|status|progress|if)\b"
)
_PLAIN = any_of(
    r"""
    什么时候|啥时候?|什么|多少|是不是|有没有|能不能|会不会|可不可以|[几谁哪的了没吗呢么是有能会可不还到钱块个人]|\W
    \b(?:when|what|who|where|which|how|many|much|is|are|was|were|do|does|did|will|can|has|have|the|an?|it|they|he|she|to|of|be|and)\b
    """
)


_AND_EN = lazy(
    r",?\s+and\s+(?=(?:whether|if|when|who|what|where|how|which)\b)|,\s+(?=(?:whether|when|who|what|where|how)\b)"
)


@lru_cache(maxsize=256)
def several_in(goal: str) -> tuple[str, ...]:
    """The questions of a goal that holds several, each about something of its own (`修好没有，什么时候发版`); none where
    it is one, or an answer to one tells the other (`好了没，什么时候能好`).
    """
    kind, core = framed(goal)
    asked = clauses(core) if CJK.search(core) else [c.strip(" ,") for c in _AND_EN.split(core)]
    if kind not in _ASKING or len(asked) < 2 or not all(is_question(c) and not _LOOSE.search(fold(c)) for c in asked):
        return ()
    words = [set(squeezed(_PLAIN.sub("", fold(c)))) if CJK.search(c) else grams(_PLAIN.sub(" ", c)) for c in asked]
    apart = all(one and not one & other for n, one in enumerate(words) for other in words[n + 1 :])
    return tuple(asked) if apart else ()


_ASKING = (Want.TIME, Want.NUMBER, Want.YESNO, Want.INFO)


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
