"""The words of one message to one delegate, from the goal and the initiator's words alone."""

from __future__ import annotations

from core.brain.questions import Compose, Text
from core.brain.rules import phrases
from core.brain.rules.goal import ORDER, Want, wants
from core.brain.rules.polite import body, third_person

_SAID = {"correction_zh": "更正一下：{words}", "correction_en": "A correction: {words}", "deadline_zh": "{to}您好，「{title}」快到时间了，方便的话现在告诉我一声进展。", "deadline_en": "Hi {to}, the time for \"{title}\" is nearly up. Could you tell me where it stands?"}


def compose(q: Compose) -> Text:
    """By occasion; in the delegate's language, the question itself as the initiator put it."""
    lang = "en" if q.language.startswith("en") else "zh"
    match q.occasion:
        case "first_contact":
            text = body(q.title, q.language, q.initiator)
        case "follow_up":
            text = phrases.follow_up(q.number, q.softer, q.language, to=q.to, initiator=q.initiator, title=q.title)
        case "ask_back":
            text = phrases.ask_back(_first_want(q), q.language)
        case "decision":
            text = phrases.say("decided", q.language, initiator=q.initiator, decided=q.decided or "")
        case "correction":
            words = third_person(q.initiator_words[-1] if q.initiator_words else q.title, q.initiator)
            text = _SAID[f"correction_{lang}"].format(words=words)
        case "deadline_check":
            text = _SAID[f"deadline_{lang}"].format(to=q.to, title=q.title)
    return Text(text=text)


def _first_want(q: Compose) -> Want:
    want = wants(q.goal, q.title)
    return next(w for w in ORDER if w in want)
