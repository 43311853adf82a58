"""What every turn of the agent loop starts from: who it is about, the scene, and their words without frills; and what
comes of reading them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time

from core.brain.questions import Assess, AttitudeName
from core.brain.rules.replies.reply import INJECTION
from core.brain.rules.words.goal import Want, wants
from core.brain.rules.words.text import any_of, fold, made_of, sentences, squeezed
from core.timetalk import seen_from


@dataclass(frozen=True)
class Reading:
    """What the words amount to. `met`: what the goal wants of this delegate is there."""

    attitude: AttitudeName
    met: bool = False
    promised: datetime | None = None
    names_other: str | None = None
    questions: tuple[str, ...] = ()
    proposal: bool = False
    conditional: bool = False
    for_owner: bool = False
    commanded: bool = False
    words: str = ""


@dataclass(frozen=True)
class Scene:
    """What the words are read against."""

    goal: str
    asked: str
    now: datetime
    end_of_work: time
    names: tuple[str, ...] = ()
    asked_at: datetime | None = None
    """When the matter was put first; None: just now."""
    deadline: datetime | None = None

    def present(self, words: str) -> datetime:
        """The present from which words are read: to a question about a week a weekday is that week's."""
        return seen_from(words, self.asked, self.asked_at or self.now, self.now)

    @property
    def about(self) -> str:
        """Goal and question together."""
        return f"{self.goal} {self.asked}"

    @property
    def wants(self) -> frozenset[Want]:
        """What the goal wants."""
        return wants(self.goal, self.asked)

    @property
    def is_choice(self) -> bool:
        """Whether it is asked which it shall be."""
        return bool(_WHICH.search(fold(self.about)))


_WHICH = any_of(r"怎么选|如何选|选(?:哪|谁|什么)|[用要定挑买去]哪(?!里|儿|天)|哪[一几]?[个家种款套份本条版]|\bwhich\b")


def standing_of(q: Assess) -> tuple[str, str | None]:
    for s in q.standings:
        if s.person_id == q.about:
            return s.name, s.pronoun
    return q.about, None


def scene_of(q: Assess) -> Scene:
    asked = next((line.text for line in reversed(q.dialogue) if line.ours), q.title)
    asked_at = next((line.at for line in q.dialogue if line.ours), q.now)
    hour, _, minute = q.end_of_work.partition(":")
    end = time(int(hour) % 24, int(minute or 0)) if int(hour) < 24 else time(23, 59)
    return Scene(q.goal, asked, q.now, end, q.known_names, asked_at, q.deadline)


def wait_summary(q: Assess) -> str:
    name, _ = standing_of(q)
    return f"Waiting for {name}." if in_english(q.initiator_language) else f"在等{name}的答复。"


def in_english(language: str) -> bool:
    return language.startswith("en")


def core_words(words: str) -> str:
    """The words without commands to the bot and without courtesies at either end, on one line."""
    kept = [c for s in sentences(words) if not INJECTION.search(fold(s)) for c in [s.strip()] if not _is_courtesy(c)]
    line = re.sub(r"\s+", " ", " ".join(kept) or words.strip())
    return re.sub(r"(?<=[。，！？；])\s+", "", line).rstrip("。.!！ ~～")


_COURTESIES = any_of(
    r"""
    你好|早上好|下午好|晚上好|谢谢老板|谢谢你?|多谢|辛苦了?|不好意思|抱歉
    hi|hello|hey|thankyou|thanks?|sorry|cheers|goodmorning
    """
)


def _is_courtesy(sentence: str) -> bool:
    return made_of(squeezed(sentence), _COURTESIES)
