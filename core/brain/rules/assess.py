"""The agent loop's judgement of one delegate's turn."""

from __future__ import annotations

import re
from dataclasses import replace

from core.brain.questions import Assess, Assessment, AttitudeOf, MessageTo, Next
from core.brain.rules.replies.afterwords import ONE_ANSWER, afterword
from core.brain.rules.replies.for_owner import answer_from_matter, asks_who, for_owner
from core.brain.rules.replies.other_turns import decided_turn
from core.brain.rules.replies.pieces import left_open, pieces_of
from core.brain.rules.replies.put_off import PUTS_OFF
from core.brain.rules.replies.reading import missing, read
from core.brain.rules.replies.reply import asks
from core.brain.rules.replies.scene import Reading, Scene, core_words, in_english, standing_of, wait_summary
from core.brain.rules.replies.shown import evidence_turn
from core.brain.rules.replies.told_time import TELLS_LATER
from core.brain.rules.replies.wishes import Wish, besides, is_known, still_open, wishes_of, with_only
from core.brain.rules.words import phrases
from core.brain.rules.words.goal import ORDER, Want, framed
from core.brain.rules.words.polite import third_person
from core.brain.rules.words.signs import APPROXIMATE, HEDGE, is_yes_alone
from core.brain.rules.words.text import fold, sentences, squeezed
from core.spacing import put
from core.timetalk import TimeKind, has_definite_time, is_vague, parse


def assess(q: Assess) -> Assessment:
    """By trigger: a reply is read, a time-out is followed up, a decision passed on, evidence weighed."""
    match q.trigger:
        case "decision":
            return decided_turn(q)
        case "evidence":
            shown = evidence_turn(q)
            return shown if not shown.goal_met or not still_open(wishes_of(q)[1:]) else Assessment()
        case _ if q.new:
            return _replied(q)
        case "created":
            return Assessment(summary=wait_summary(q), attitudes={})
        case _:
            return _silent(q)


# --- a reply ------------------------------------------------------------------------------------------------------


def _replied(q: Assess) -> Assessment:
    wishes = wishes_of(q)
    return _to_several(q, wishes) if len(wishes) > 1 else _to_one(wishes[0])


def _to_several(q: Assess, wishes: tuple[Wish, ...]) -> Assessment:
    """What answers one of them leaves the others open: those are asked after."""
    answers = [(wish, _to_one(wish)) for wish in wishes]
    if (done := [wish for wish, answer in answers if answer.goal_met]) and (rest := besides(q.new, done)):
        answers = [(wish, _to_one(wish if wish in done else with_only(wish, rest))) for wish in wishes]
    met = [answer for _, answer in answers if answer.goal_met]
    unmet = still_open(tuple(wish for wish, answer in answers if not answer.goal_met))
    if not met:
        return next((answer for wish, answer in answers if wish in unmet), answers[0][1])
    said = core_words("\n".join(q.new))
    key = _joined(q, said) if q.known and fold(said) not in fold(q.known) else said
    return met[0].model_copy(
        update={
            "goal_met": not unmet,
            "summary": _summary(q, key, standing_of(q)[0]),
            "key_information": key,
            "messages": _ask_rest(q, tuple(wish.turn.title for wish in unmet)) if unmet else (),
        }
    )


def _to_one(wish: Wish) -> Assessment:
    wish = replace(wish, turn=_with_what_it_goes_on(wish.turn))
    q, scene = wish.turn, wish.scene
    reading = read(q.new, scene)
    name, pronoun = standing_of(q)
    met_before = is_known(wish)
    beside = reading.attitude in ("unrelated", "question") or is_yes_alone(fold(reading.words))
    rest = left_open(q.goal, f"{q.known or ''} {reading.words}", q.now) if reading.attitude == "answered" else ()
    met = (reading.met and not rest) or (met_before and beside and not reading.proposal)
    update = None if met else for_owner(q, reading, met, name, pronoun)
    attitude = AttitudeOf(attitude=reading.attitude, promised_time=reading.promised, names_other=reading.names_other)
    return Assessment(
        goal_met=met,
        summary=_summary(q, core_words(reading.words), name),
        key_information=_key(q, reading, met),
        attitudes={q.about: attitude},
        messages=_ask_rest(q, rest) if rest and not update else _back_to(q, reading, scene, met, update),
        next_action=Next(what="", who=q.about, when=reading.promised)
        if reading.attitude in ("commitment", "away") and reading.promised
        else None,
        owner_update=update,
        needs_decision=update is not None and reading.attitude != "away" and not reading.conditional,
    )


def _with_what_it_goes_on(q: Assess) -> Assess:
    """With the message before, where the new one only finishes, corrects or takes back what that said: one answer."""
    said = [line for line in q.dialogue if not line.ours]
    if tuple(line.text for line in said[-len(q.new) :]) == q.new:
        said = said[: -len(q.new)]
    after = afterword(said[-1].text, q.new[0], q.now) if said and q.known else None
    if after is None or (after.kind == "completes" and q.now - said[-1].at > ONE_ANSWER):
        return q
    of_that_alone = squeezed(core_words(said[-1].text))[:4] == squeezed(q.known or "")[:4]
    return q.model_copy(update={"new": (said[-1].text, *q.new), "known": None if of_that_alone else q.known})


def _ask_rest(q: Assess, rest: tuple[str, ...]) -> tuple[MessageTo, ...]:
    title = (", " if in_english(q.language) else "、").join(third_person(one, q.initiator) for one in rest)
    key = "ask_rest_thing" if framed(q.goal)[0] is Want.THING else "ask_rest"
    return (MessageTo(to=q.about, text=phrases.say(key, q.language, title=title)),)


def _key(q: Assess, reading: Reading, met: bool) -> str | None:
    if reading.attitude in ("unrelated", "silent") or (reading.attitude in ("vague", "resistant") and not met):
        return q.known
    words = core_words(reading.words)
    if reading.attitude == "commitment" and not met and is_yes_alone(squeezed(words)):
        return q.known
    if not words or (reading.attitude == "question" and not reading.proposal):
        return q.known
    # A question of theirs that was asked before is no part of the answer, nor a yes to the asking.
    empty = not q.known or is_yes_alone(squeezed(q.known)) or all(asks(one) for one in sentences(q.known))
    known = None if empty else q.known
    if known and fold(words) not in fold(known) and reading.attitude == "answered" and not _replaces(q, known, words):
        return _joined(q, words)
    return words


def _joined(q: Assess, words: str) -> str:
    return f"{q.known}; {words}" if in_english(q.language) else f"{q.known}；{words}"


# "1.开了 2.没寄": a list, and no numbers.
_COUNTED = re.compile(r"(?:^|(?<=[\s,，。;；]))\d{1,2}[.、)）](?!\d)")


def _replaces(q: Assess, known: str, words: str) -> bool:
    """The new words say the same thing anew: both hold a time or a number, or they take the old ones back."""
    if not pieces_of(q.goal) and has_definite_time(known, q.now) and has_definite_time(words, q.now):
        return True
    return bool(re.search(r"改|不是|更正|说错|\bnot\b|\bactually\b|\bcorrection\b|\bmoved\b", fold(words))) or (
        any(c.isdigit() for c in _COUNTED.sub(" ", known)) and any(c.isdigit() for c in _COUNTED.sub(" ", words))
    )


def _summary(q: Assess, words: str, name: str) -> str:
    return f"{name}: {words}" if in_english(q.initiator_language) else put("{name}说：{words}", name=name, words=words)


def _back_to(q: Assess, reading: Reading, scene: Scene, met: bool, update: str | None) -> tuple[MessageTo, ...]:
    """An answer to their question, or one ask-back where their answer falls short. Never a mere acknowledgement."""
    if asks_who(reading):
        return (MessageTo(to=q.about, text=phrases.say("who", q.language, initiator=q.initiator, title=q.title)),)
    if reading.attitude == "question" and not reading.proposal:
        known = answer_from_matter(q, reading)
        if known:
            return (MessageTo(to=q.about, text=phrases.say("answer", q.language, initiator=q.initiator, words=known)),)
        return ()
    if met or update or not _falls_short(reading, scene):
        return ()
    lacking = missing(reading.words, scene) or scene.wants
    want = next(w for w in ORDER if w in lacking)
    return (MessageTo(to=q.about, text=_hedged(q, reading) or phrases.ask_back(want, q.language)),)


def _hedged(q: Assess, reading: Reading) -> str | None:
    """`估计周五`: the day is there, what is missing is that it stands."""
    times = [t for t in parse(reading.words, q.now) if t.kind in (TimeKind.moment, TimeKind.span, TimeKind.deadline)]
    if len(times) != 1 or not HEDGE.search(fold(reading.words)) or is_vague(reading.words, q.now):
        return None
    return phrases.say("ask_time_sure", q.language, when=times[0].text)


def _falls_short(reading: Reading, scene: Scene) -> bool:
    """An answer, but not a full one ("大概这两天"); one who only puts off ("我看看", "在开会") has not answered yet."""
    if reading.attitude != "vague":
        return reading.attitude == "answered"
    own = fold(reading.words)
    if PUTS_OFF.search(own) or TELLS_LATER.search(own):
        return False
    return is_vague(reading.words, scene.now) or bool(APPROXIMATE.search(own) or HEDGE.search(own))


# --- the other triggers -------------------------------------------------------------------------------------------


def _silent(q: Assess) -> Assessment:
    """A time-out: what they said last stands; one more follow-up."""
    standing = next((s for s in q.standings if s.person_id == q.about), None)
    name, _ = standing_of(q)
    number = (standing.follow_ups if standing else 0) + 1
    softer = bool(standing and standing.attitude == "resistant")
    q = next((wish.turn for wish in still_open(wishes_of(q))), q)
    kind, title = framed(q.goal)[0], third_person(q.title, q.initiator)
    text = phrases.follow_up(
        number,
        softer,
        q.language,
        kind,
        q.priority in ("critical", "high"),
        to=name,
        initiator=q.initiator,
        title=title,
    )
    attitude = standing.attitude if standing and standing.attitude in ("vague", "resistant") else "silent"
    return Assessment(
        summary=wait_summary(q),
        key_information=q.known,
        attitudes={q.about: AttitudeOf.model_validate({"attitude": attitude})},
        messages=(MessageTo(to=q.about, text=text),),
    )
