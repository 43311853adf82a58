"""The words of one message to one delegate, from the goal and the initiator's words alone."""

from __future__ import annotations

import re

from core.brain.questions import Compose, Text
from core.brain.rules import phrases
from core.brain.rules.goal import ORDER, Want, wants
from core.brain.rules.polite import body, third_person
from core.brain.rules.text import is_english

_SAID = {
    "correction_zh": "更正一下：{words}",
    "correction_en": "A correction: {words}",
    "deadline_zh": "{to}你好，「{title}」快到时间了，方便的话现在告诉我一声进展。",
    "deadline_en": 'Hi {to}, the time for "{title}" is nearly up. Could you tell me where it stands?',
}


def compose(q: Compose) -> Text:
    """By occasion; in the delegate's language, the question itself as the initiator put it."""
    return Text(text=_words(q, "en" if q.language.startswith("en") else "zh"))


def _words(q: Compose, lang: str) -> str:
    match q.occasion:
        case "first_contact":
            matter = body(_matter(q), q.language, q.initiator)
            return phrases.say("told", q.language, initiator=q.initiator, words=_told(q)) if _is_told(q) else matter
        case "follow_up":
            return phrases.follow_up(q.number, q.softer, q.language, to=q.to, initiator=q.initiator, title=q.title)
        case "ask_back":
            return phrases.ask_back(_first_want(q), q.language)
        case "decision":
            return phrases.say("decided", q.language, initiator=q.initiator, decided=q.decided or "")
        case "correction":
            words = third_person(q.initiator_words[-1] if q.initiator_words else q.title, q.initiator)
            return _SAID[f"correction_{lang}"].format(words=words)
        case _:
            return _SAID[f"deadline_{lang}"].format(to=q.to, title=q.title)


def _matter(q: Compose) -> str:
    """The initiator's words where they are the matter itself (the title is then their beginning), else the title."""
    words = q.initiator_words[0].strip() if q.initiator_words else ""
    return words if words.startswith(q.title) else q.title


def _is_told(q: Compose) -> bool:
    """Something is to be passed on, not asked."""
    return bool(re.match(r"告知|Let .{1,80} know\b", q.goal)) and is_english(_matter(q)) == q.language.startswith("en")


def _told(q: Compose) -> str:
    return third_person(_matter(q).strip(" ,，。.;；!！"), q.initiator)


def _first_want(q: Compose) -> Want:
    want = wants(q.goal, q.title)
    return next(w for w in ORDER if w in want)
