"""The words of one message to one delegate, from the goal and the initiator's words alone."""

from __future__ import annotations

import re

from core.brain.questions import Compose, Text
from core.brain.rules.owner.titles import asks, neutral, title_of
from core.brain.rules.words import phrases
from core.brain.rules.words.added import Added, additions_to
from core.brain.rules.words.goal import ORDER, Want, divided, framed, is_paper, wants
from core.brain.rules.words.polite import body, by_when, third_person
from core.brain.rules.words.text import CJK, fold, grams, is_english
from core.patterns import lazy
from core.spacing import put
from core.timetalk import TimeKind, parse, say_exactly, say_moment

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
            return put(_SAID[f"correction_{lang}"], words=words)
        case _:
            return put(_SAID[f"deadline_{lang}"], to=q.to, title=title)


def _first(q: Compose) -> str:
    """Asked, requested or passed on, as the frame of the goal says; then by when it is wanted."""
    kind, matter, rest = framed(q.goal)[0], *_matter(q)
    if _is_foreign(f"{matter}{rest}", q.language):
        return _as_said(q, kind, matter, rest)
    matter = _TO_EACH.sub("", matter)
    plain = third_person(matter.strip(" ,，。.;；!！"), q.initiator)
    if kind in (None, Want.INFO) and asks(rest) and not asks(matter):  # what it is about is the title, and stands there
        return body(rest.strip(" ,，。.;；"), q.language, q.initiator)
    if kind is Want.CONFIRM:
        return phrases.say("told", q.language, initiator=q.initiator, words=plain)
    if kind is Want.DEED:
        text = phrases.say("do", q.language, initiator=q.initiator, title=plain.removeprefix("请"))
    elif kind is Want.THING and not asks(matter) and not _NO_THING.search(fold(q.title)):
        key = (
            "ask_object_for"
            if _around(_words_of(q), q.title) is not None and not is_paper(q.title)
            else "ask_thing_for"
        )
        text = phrases.say(key, q.language, title=third_person(q.title, q.initiator), initiator=q.initiator)
    elif kind in (Want.YESNO, Want.TIME) and not asks(matter) and _MEET.search(fold(plain)):
        key = "meet" if kind is Want.YESNO else "meet_when"
        text = phrases.say(key, q.language, initiator=q.initiator, what=plain)
    else:
        text = body(matter, q.language, q.initiator)
    more = by_when(rest, q.language, q.now, kind in (Want.DEED, Want.THING), q.initiator)
    added = [_added(q, one) for one in additions_to(q.goal, q.to)]
    return _in_a_row(q, text, more or _due(q, text, kind in (Want.DEED, Want.THING)), *added)


def _due(q: Compose, text: str, to_hand_over: bool) -> str:
    """By when it is wanted, where that was said before whom to ask and stands in no words of theirs."""
    if q.deadline is None or divided(q.goal)[1]:
        return ""
    due = q.deadline.astimezone(q.now.tzinfo)
    if any((t.end or t.start or due).date() == due.date() for t in parse(text, q.now)):
        return ""
    when = phrases.say("before", q.language, when=say_moment(due, q.now, q.language))
    return phrases.say(f"by_when_{'thing' if to_hand_over else 'answer'}", q.language, when=when)


# Nobody can send it: a sentence, an order, a wish.
_NO_THING = lazy(r"[,，。;；?？!！]|(?<!但|总)是|别(?!人)|还(?!款)|[不没](?!锈|干胶)|[吧呢啦]$")
# Said of several, read by one.
_TO_EACH = lazy(r"各自(?=把|去|要|给|[一-龥]{2})|分别(?=把|去|给)")


def _in_a_row(q: Compose, *pieces: str) -> str:
    return (" " if q.language.startswith("en") else "").join(p for p in pieces if p)


def _added(q: Compose, more: Added) -> str:
    """What was added before anything went out is part of the request."""
    if more.question:
        if _is_foreign(more.question, q.language):
            return phrases.say("asked_said", q.language, initiator=q.initiator, words=more.question)
        return phrases.say("besides", q.language, more=body(more.question, q.language, q.initiator))
    if not more.rest:
        return ""
    if q.deadline is not None and any(t.kind is TimeKind.deadline for t in parse(more.rest, q.now)):
        # It may be read on another day than it was said on.
        when = say_exactly(q.deadline.astimezone(q.now.tzinfo), q.now.date(), q.language)
        return phrases.say("by_when_answer", q.language, when=phrases.say("before", q.language, when=when))
    return by_when(more.rest, q.language, q.now, False, q.initiator)


def _as_said(q: Compose, kind: Want | None, matter: str, rest: str) -> str:
    """Their words as they stand, in a frame that says what is wanted."""
    if kind is Want.CONFIRM:
        frame = "told_said"
    else:
        frame = "do_said" if kind is Want.DEED or (kind is Want.THING and not asks(matter)) else "asked_said"
    return phrases.say(frame, q.language, initiator=q.initiator, words=f"{matter}{rest}".strip(" ,，。.;；"))


# They are wanted for something that both do.
_MEET = lazy(
    r"聊|谈|见(?:个|一)?面|碰(?:个|一下)?(?:头|面)?|吃(?:个|顿)?饭|开个?会|喝(?:个|杯)|沟通|一起|当面|\b(?:meet|talk|chat|lunch|dinner|coffee|call)\b"
)


def _is_foreign(words: str, language: str) -> bool:
    """Words in another language than the reader's: rules cannot translate, so they are quoted, and nothing is built
    around them that would mix the two."""
    return bool(CJK.search(words)) if language.startswith("en") else is_english(words)


def _words_of(q: Compose) -> str:
    return q.initiator_words[0].strip() if q.initiator_words else ""


def _matter(q: Compose) -> tuple[str, str]:
    """The matter in the initiator's words, and what stands behind it. Where their words begin with something else (an
    order to the bot, with the names of others), only a clause that asks about the same is theirs to repeat."""
    words = _words_of(q)
    if neutral(words).startswith(q.title):
        cut = len(words) - (len(neutral(words)) - len(q.title))
        return words[:cut], words[cut:]
    if (around := _around(words, q.title)) is not None:
        return q.title, around
    for clause in [c.strip() for c in re.split(r"[，。；;]|,(?!(?<=\d,)\d{3}(?!\d))", words)][1:]:
        if asks(clause) and len(grams(clause) & grams(q.title)) >= 2 and not _ORDERS.search(fold(clause)):
            return clause, ""
    return q.title, ""


def _around(words: str, title: str) -> str | None:
    """What words say beside a thing that is to be handed over, by when above all; None where it is no such matter."""
    parts = [words, *([cut[0]] if (cut := re.split(r"(?<=[，,])", words, maxsplit=1))[1:] else [])]
    head = next((p for p in parts if p.strip(" ，,") != title and title_of(p.strip(" ，,")) == title), None)
    if head is None:
        return None
    before, _, behind = head.partition(title if title in head else title.partition(" ")[2])
    said = behind if is_english(words) or not before else _HANDS.sub("", before)
    return f"{said.strip(' ，,')}{'，' if said.strip(' ，,') and words[len(head) :] else ''}{words[len(head) :]}"


_HANDS = re.compile(r"(?:把|将|(?:发|给|交|传|寄|送|拿)(?:给|过来|一下)?我(?:一份|一下|[一两]?[份个张下])?)$")
# A clause that is about whom to ask: it holds the names of others.
_ORDERS = re.compile(r"问|催|找|联系|通知|转告|告诉|跟|和|\b(?:ask|tell|from|with)\b")


def _first_want(q: Compose) -> Want:
    want = wants(q.goal, q.title)
    return next(w for w in ORDER if w in want)
