"""What every turn of the agent loop starts from: who it is about, the scene, and their words without frills."""

from __future__ import annotations

import re
from datetime import time

from core.brain.questions import Assess
from core.brain.rules.replies.reading import Scene
from core.brain.rules.replies.reply import INJECTION
from core.brain.rules.words.text import any_of, fold, made_of, sentences, squeezed


def standing_of(q: Assess) -> tuple[str, str | None]:
    for s in q.standings:
        if s.person_id == q.about:
            return s.name, s.pronoun
    return q.about, None


def scene_of(q: Assess) -> Scene:
    asked = next((line.text for line in reversed(q.dialogue) if line.ours), q.title)
    hour, _, minute = q.end_of_work.partition(":")
    end = time(int(hour) % 24, int(minute or 0)) if int(hour) < 24 else time(23, 59)
    return Scene(q.goal, asked, q.now, end, q.known_names)


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
