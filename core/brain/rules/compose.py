"""The words of one message to one delegate, from the goal and the initiator's words alone."""

from __future__ import annotations

import re

from core.brain.questions import Compose, Text
from core.brain.rules.owner.topic import asks, neutral
from core.brain.rules.words import phrases
from core.brain.rules.words.goal import ORDER, Want, framed, wants
from core.brain.rules.words.polite import body, by_when, third_person
from core.brain.rules.words.text import fold, grams, is_english

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
    title = third_person(q.title, q.initiator)
    match q.occasion:
        case "first_contact":
            return _first(q)
        case "follow_up":
            kind = framed(q.goal)[0]
            return phrases.follow_up(q.number, q.softer, q.language, kind, to=q.to, initiator=q.initiator, title=title)
        case "ask_back":
            return phrases.ask_back(_first_want(q), q.language)
        case "decision":
            return phrases.say("decided", q.language, initiator=q.initiator, decided=q.decided or "")
        case "correction":
            words = third_person(q.initiator_words[-1] if q.initiator_words else q.title, q.initiator)
            return _SAID[f"correction_{lang}"].format(words=words)
        case _:
            return _SAID[f"deadline_{lang}"].format(to=q.to, title=title)


def _first(q: Compose) -> str:
    """Asked, requested or passed on, as the frame of the goal says; then by when it is wanted."""
    kind, matter, rest = framed(q.goal)[0], *_matter(q)
    if is_english(matter) != q.language.startswith("en"):
        kind = None
    plain = third_person(matter.strip(" ,，。.;；!！"), q.initiator)
    if kind in (None, Want.INFO) and asks(rest) and not asks(matter):  # what it is about is the title, and stands there
        return body(rest.strip(" ,，。.;；"), q.language, q.initiator)
    if kind is Want.CONFIRM:
        return phrases.say("told", q.language, initiator=q.initiator, words=plain)
    if kind is Want.DEED:
        text = phrases.say("do", q.language, initiator=q.initiator, title=plain.removeprefix("请"))
    elif kind is Want.THING and not asks(matter):
        text = phrases.say("ask_thing_for", q.language, title=third_person(q.title, q.initiator))
    else:
        text = body(matter, q.language, q.initiator)
    more = by_when(rest, q.language, q.now, kind in (Want.DEED, Want.THING), q.initiator)
    gap = " " if q.language.startswith("en") and more else ""
    return f"{text}{gap}{more}"


def _matter(q: Compose) -> tuple[str, str]:
    """The matter in the initiator's words, and what stands behind it. Where their words begin with something else (an
    order to the bot, with the names of others), only a clause that asks about the same is theirs to repeat."""
    words = q.initiator_words[0].strip() if q.initiator_words else ""
    if neutral(words).startswith(q.title):
        cut = len(words) - (len(neutral(words)) - len(q.title))
        return words[:cut], words[cut:]
    for clause in [c.strip() for c in re.split(r"[，。；;]|,(?!(?<=\d,)\d{3}(?!\d))", words)][1:]:
        if asks(clause) and len(grams(clause) & grams(q.title)) >= 2 and not _ORDERS.search(fold(clause)):
            return clause, ""
    return q.title, ""


# A clause that is about whom to ask: it holds the names of others.
_ORDERS = re.compile(r"问|催|找|联系|通知|转告|告诉|跟|和|\b(?:ask|tell|from|with)\b")


def _first_want(q: Compose) -> Want:
    want = wants(q.goal, q.title)
    return next(w for w in ORDER if w in want)
