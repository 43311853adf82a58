"""The agent loop's judgement of one delegate's turn."""

from __future__ import annotations

import re
from datetime import time

from core.brain.questions import Assess, Assessment, AttitudeOf, MessageTo, Next
from core.brain.rules import phrases
from core.brain.rules.converse import WHO
from core.brain.rules.evidence import TELLS_LATER, satisfied
from core.brain.rules.goal import ORDER, framed
from core.brain.rules.pieces import left_open, pieces_of
from core.brain.rules.polite import third_person
from core.brain.rules.reading import Reading, Scene, missing, read
from core.brain.rules.reply import INJECTION, asks
from core.brain.rules.signs import APPROXIMATE, HEDGE, is_done, is_yes_alone
from core.brain.rules.text import any_of, clauses, fold, grams, made_of, sentences, shared, squeezed
from core.timetalk import has_definite_time, is_vague


def assess(q: Assess) -> Assessment:
    """By trigger: a reply is read, a time-out is followed up, a decision passed on, evidence weighed."""
    match q.trigger:
        case "decision":
            return _decided(q)
        case "evidence":
            return _evidence(q)
        case _ if q.new:
            return _replied(q)
        case "created":
            return Assessment(summary=_wait_summary(q), attitudes={})
        case _:
            return _silent(q)


def _standing(q: Assess) -> tuple[str, str | None]:
    for s in q.standings:
        if s.person_id == q.about:
            return s.name, s.pronoun
    return q.about, None


def _scene(q: Assess) -> Scene:
    asked = next((line.text for line in reversed(q.dialogue) if line.ours), q.title)
    hour, _, minute = q.end_of_work.partition(":")
    end = time(int(hour) % 24, int(minute or 0)) if int(hour) < 24 else time(23, 59)
    return Scene(q.goal, asked, q.now, end, q.known_names)


def _wait_summary(q: Assess) -> str:
    name, _ = _standing(q)
    return f"Waiting for {name}." if _en(q.initiator_language) else f"在等{name}的答复。"


def _en(language: str) -> bool:
    return language.startswith("en")


# --- a reply ------------------------------------------------------------------------------------------------------


def _replied(q: Assess) -> Assessment:
    scene = _scene(q)
    reading = read(q.new, scene)
    name, pronoun = _standing(q)
    met_before = _known_meets(q, scene)
    beside = reading.attitude in ("unrelated", "question") or is_yes_alone(fold(reading.words))
    rest = left_open(q.goal, f"{q.known or ''} {reading.words}", q.now) if reading.attitude == "answered" else ()
    met = (reading.met and not rest) or (met_before and beside and not reading.proposal)
    update = None if met else _for_owner(q, reading, met, name, pronoun)
    attitude = AttitudeOf(attitude=reading.attitude, promised_time=reading.promised, names_other=reading.names_other)
    return Assessment(
        goal_met=met,
        summary=_summary(q, reading, name),
        key_information=_key(q, reading, met),
        attitudes={q.about: attitude},
        messages=_ask_rest(q, rest) if rest and not update else _back_to(q, reading, scene, met, update),
        next_action=Next(what="", who=q.about, when=reading.promised)
        if reading.attitude in ("commitment", "away") and reading.promised
        else None,
        owner_update=update,
        needs_decision=update is not None and reading.attitude != "away",
    )


def _ask_rest(q: Assess, rest: tuple[str, ...]) -> tuple[MessageTo, ...]:
    title = (", " if _en(q.language) else "、").join(rest)
    return (MessageTo(to=q.about, text=phrases.say("ask_rest", q.language, title=title)),)


def _known_meets(q: Assess, scene: Scene) -> bool:
    return bool(q.known) and read((q.known or "",), scene).met


def _core(words: str) -> str:
    """The words without commands to the bot and without courtesies at either end, on one line."""
    kept = [c for s in sentences(words) if not INJECTION.search(fold(s)) for c in [s.strip()] if not _is_courtesy(c)]
    line = re.sub(r"\s+", " ", " ".join(kept) or words.strip())
    return re.sub(r"(?<=[。，！？；])\s+", "", line).rstrip("。.!！ ~～")


_PUTS_OFF = any_of(
    r"""
    看看|看一?下|查一?下|问一?下|问问|想想|考虑|确认一?下|核实|在(?:忙|开会|路上|外面|看|弄|做|查|问)|开会|忙|晚点|稍后|稍等
    回头|等(?:一?下|会|等)|一会|待会|知道了|收到|尽快|抽空|有空|不知道|不清楚
    \b(?:let me|will|i'?ll) (?:see|check|look|think|ask)|\blater\b|\bbusy\b|\bin a meeting\b|\basap\b|\bon it\b
    \bworking on\b|\bnot sure\b|\bno idea\b|\bdon'?t know\b
    """
)
_COURTESIES = any_of(
    r"""
    你好|早上好|下午好|晚上好|谢谢老板|谢谢你?|多谢|辛苦了?|不好意思|抱歉
    hi|hello|hey|thankyou|thanks?|sorry|cheers|goodmorning
    """
)


def _is_courtesy(sentence: str) -> bool:
    return made_of(squeezed(sentence), _COURTESIES)


def _key(q: Assess, reading: Reading, met: bool) -> str | None:
    if reading.attitude in ("unrelated", "silent") or (reading.attitude in ("vague", "resistant") and not met):
        return q.known
    words = _core(reading.words)
    if reading.attitude == "commitment" and not met and is_yes_alone(squeezed(words)):
        return q.known
    if not words or (reading.attitude == "question" and not reading.proposal):
        return q.known
    # A question of theirs that was asked before is no part of the answer.
    known = q.known if q.known and not all(asks(one) for one in sentences(q.known)) else None
    if known and fold(words) not in fold(known) and reading.attitude == "answered" and not _replaces(q, known, words):
        return f"{known}；{words}" if not _en(q.language) else f"{known}; {words}"
    return words


def _replaces(q: Assess, known: str, words: str) -> bool:
    """The new words say the same thing anew: both hold a time or a number, or they take the old ones back."""
    if not pieces_of(q.goal) and has_definite_time(known, q.now) and has_definite_time(words, q.now):
        return True
    return bool(re.search(r"改|不是|更正|说错|\bnot\b|\bactually\b|\bcorrection\b|\bmoved\b", fold(words))) or (
        any(c.isdigit() for c in known) and any(c.isdigit() for c in words)
    )


def _summary(q: Assess, reading: Reading, name: str) -> str:
    words = _core(reading.words)
    return f"{name}: {words}" if _en(q.initiator_language) else f"{name}说：{words}"


def _for_owner(q: Assess, reading: Reading, met: bool, name: str, pronoun: str | None) -> str | None:
    """The point that only the initiator can settle, in their language; None where there is none."""
    key = _owner_key(q, reading, met)
    if key is None:
        return None
    language = q.initiator_language
    words = " ".join(reading.questions) if key == "owner_question" and reading.questions else _core(reading.words)
    values = phrases.pronoun(pronoun, language, name) | {"other": reading.names_other or "", "before": "", "plan": ""}
    if key == "owner_proposal":
        before, words = _halves(words)
        values |= {"before": _sentence(before, language), "plan": phrases.say(_plan_key(words), language)}
    if key == "owner_question":
        return phrases.say(key, language, who=name, words=f"{_bare(words)}{'?' if _en(language) else '？'}", **values)
    return phrases.say(key, language, who=name, words=_bare(words), **values)


def _bare(words: str) -> str:
    return words.strip().rstrip("。.？?！!，, ")


def _sentence(words: str, language: str) -> str:
    """Words as a sentence of their own, with the blank that English wants behind it."""
    return "" if not words else f"{_bare(words)}. " if _en(language) else f"{_bare(words)}。"


_TURNS = any_of(
    r"""
    要不(?!要|然|了|是)|不如|能不能|可不可以|(?<!不)建议|(?<!不)能(?:换|改|推|晚|先|等)
    \b(?:how about|what about|can we|could we|would|i(?:'d)? suggest|i propose|is it ok|shall we|what if|can i)\b
    """
)


def _halves(words: str) -> tuple[str, str]:
    """What stands before a proposal, and the proposal itself without the word that opens it."""
    hit = _TURNS.search(fold(words))
    if hit is None:
        return "", words
    opened = re.sub(r"^(?:要不然?|不如|建议)[,，\s]*", "", words[hit.start() :])
    return words[: hit.start()], re.sub(r"[?？]\s*(?=\S)", "，", opened)


def _plan_key(words: str) -> str:
    return "stopgap" if re.search(r"先|临时|暂时|过渡|for now|temporar|until|in the meantime", fold(words)) else "plan"


def _owner_key(q: Assess, reading: Reading, met: bool) -> str | None:
    if reading.attitude == "away":
        return "owner_away"
    if reading.attitude == "refused":
        return "owner_points" if reading.names_other else "owner_refused"
    if reading.proposal:
        return "owner_proposal"
    if reading.conditional and not met:
        return "owner_condition"
    if _asks_who(reading):
        return None
    if reading.questions and reading.attitude in ("question", "answered") and _answer_from_matter(q, reading) is None:
        return "owner_question"
    if reading.for_owner and not met:
        return "owner_self" if reading.attitude == "resistant" else "owner_said"
    return None


def _asks_who(reading: Reading) -> bool:
    """All that they want to know is who is writing: the bot says that itself."""
    asked = reading.questions if reading.attitude == "question" else ()
    return bool(asked) and all(WHO.search(fold(one)) for one in asked)


def _answer_from_matter(q: Assess, reading: Reading) -> str | None:
    """A delegate's question that the initiator's own words answer: a version, a deadline, a place named there."""
    asked = " ".join(reading.questions)
    own = fold(asked)
    for sentence in [c for w in reversed(q.initiator_words) for c in clauses(w)]:
        said = fold(sentence)
        if re.search(r"版本|version|哪个版", own) and re.search(r"v?\d+(?:\.\d+)+", said):
            return sentence
        if re.search(r"什么时候|啥时候|哪天|几号|几点|最晚|截止|when|deadline|by when", own) and (
            re.search(r"前|之前|by\b|before|\d|周|今天|明天", said)
        ):
            return sentence
        if len(grams(asked) & grams(sentence)) >= 2 and len(grams(sentence) - grams(asked) - grams(q.title)) >= 1:
            return sentence
    return None


def _back_to(q: Assess, reading: Reading, scene: Scene, met: bool, update: str | None) -> tuple[MessageTo, ...]:
    """An answer to their question, or one ask-back where their answer falls short. Never a mere acknowledgement."""
    if _asks_who(reading):
        return (MessageTo(to=q.about, text=phrases.say("who", q.language, initiator=q.initiator, title=q.title)),)
    if reading.attitude == "question" and not reading.proposal:
        known = _answer_from_matter(q, reading)
        if known:
            return (MessageTo(to=q.about, text=phrases.say("answer", q.language, initiator=q.initiator, words=known)),)
        return ()
    if met or update or not _falls_short(reading, scene):
        return ()
    lacking = missing(reading.words, scene) or scene.wants
    want = next(w for w in ORDER if w in lacking)
    return (MessageTo(to=q.about, text=phrases.ask_back(want, q.language)),)


def _falls_short(reading: Reading, scene: Scene) -> bool:
    """An answer, but not a full one ("大概这两天"); one who only puts off ("我看看", "在开会") has not answered yet."""
    if reading.attitude != "vague":
        return reading.attitude == "answered"
    own = fold(reading.words)
    if _PUTS_OFF.search(own) or TELLS_LATER.search(own):
        return False
    return is_vague(reading.words, scene.now) or bool(APPROXIMATE.search(own) or HEDGE.search(own))


# --- the other triggers -------------------------------------------------------------------------------------------


def _silent(q: Assess) -> Assessment:
    """A time-out: what they said last stands; one more follow-up."""
    standing = next((s for s in q.standings if s.person_id == q.about), None)
    name, _ = _standing(q)
    number = (standing.follow_ups if standing else 0) + 1
    softer = bool(standing and standing.attitude == "resistant")
    kind, title = framed(q.goal)[0], third_person(q.title, q.initiator)
    text = phrases.follow_up(number, softer, q.language, kind, to=name, initiator=q.initiator, title=title)
    attitude = standing.attitude if standing and standing.attitude in ("vague", "resistant") else "silent"
    return Assessment(
        summary=_wait_summary(q),
        key_information=q.known,
        attitudes={q.about: AttitudeOf.model_validate({"attitude": attitude})},
        messages=(MessageTo(to=q.about, text=text),),
    )


_WAIT = re.compile(
    r"再等|先等|等等|等.{1,10}(?:再|后)|\bwait\b|继续问|再问|问清楚|重新|换(?:人|个)|问[^,。]{1,4}$|\bask\b"
)
_ACCEPT = re.compile(
    r"同意|接受|可以|批准|通过|就(?:按|这|用|那)|按(?:他|她|这|那)|好(?:的|吧)?|行|没问题|赶|\b(?:yes|ok(?:ay)?|"
    r"accept|agree|approve|fine|go ahead|sure|works)\b"
)
_REJECT = re.compile(r"不(?:同意|接受|行|可以|批|用|要)|驳回|\b(?:no|reject|not|don'?t)\b")


def _decided(q: Assess) -> Assessment:
    """Pass the decision on; the goal is met when what they had said plus the decision settles it."""
    decided = (q.decided or "").strip()
    text = phrases.say("decided", q.language, initiator=q.initiator, decided=decided)
    scene = _scene(q)
    before = "\n".join(line.text for line in q.dialogue if not line.ours) or (q.known or "")
    own = fold(decided)
    accepted = bool(_ACCEPT.search(own)) and not _REJECT.search(own) and not _WAIT.search(own)
    told = read((decided,), scene).met and not _WAIT.search(own)
    settled = accepted and (told or _proposal_meets(before, scene))
    key = _agreed(q, before, decided) if settled else q.known
    return Assessment(
        goal_met=settled,
        summary=_agreement(q, key or "") if settled else _word_of(q, decided),
        key_information=key,
        attitudes={q.about: AttitudeOf(attitude="answered")} if settled else {},
        messages=(MessageTo(to=q.about, text=text),) if decided else (),
    )


def _word_of(q: Assess, decided: str) -> str:
    return f"{q.initiator}: {decided}" if _en(q.initiator_language) else f"{q.initiator}决定：{decided}"


def _agreement(q: Assess, proposed: str) -> str:
    """What is settled now: the proposal itself, and that it was accepted."""
    plan = re.sub(r"(?:行吗|可以吗|好吗|吗|呢)$", "", _bare(_halves(proposed)[1]))
    if _en(q.initiator_language):
        plan = _OPENS_PROPOSAL.sub("", plan).strip()
        return f"{plan} ({q.initiator} agreed)"
    return f"{plan}（{q.initiator}同意了）"


_OPENS_PROPOSAL = re.compile(
    r"\b(?:how about|what about|what if|(?:can|could|may|shall|should) (?:we|i)|would it be ok(?:ay)? if|i(?:'d)? suggest|"
    r"is it ok(?:ay)? if)\b",
    re.IGNORECASE,
)


def _proposal_meets(before: str, scene: Scene) -> bool:
    """What was proposed holds what the goal wants, once it is taken as settled."""
    plain = re.sub(r"要不|不如|建议|吗|呢|[?？]|能不能|可不可以", "", before)
    plain = _OPENS_PROPOSAL.sub("", plain)
    return bool(plain.strip()) and all(
        any(satisfied(w, p, scene.now, scene.about) for p in [*clauses(plain), plain]) for w in scene.wants
    )


def _agreed(q: Assess, before: str, decided: str) -> str:
    last = _core(before.splitlines()[-1]) if before else ""
    return last or (q.known or decided)


_COMPLETES = re.compile(
    r"合并|已(?!建|开|创)|完成|通过|成功|(?:上线|提测|发布)了|\bmerge[d_]?|\bclosed\b|\bpassed\b|\breleased\b|\bdeployed\b|\bsuccess"
)


def _evidence(q: Assess) -> Assessment:
    """Met when an event completes something and is about what the goal is about."""
    for text in q.evidence:
        own = fold(text)
        about = shared(text, f"{q.title} {q.goal}")
        completes = is_done(own) or _COMPLETES.search(own)
        if about and completes:
            return Assessment(
                goal_met=True,
                summary=text,
                key_information=q.known or text,
                attitudes={q.about: AttitudeOf(attitude="answered")},
            )
    return Assessment(summary=q.evidence[-1] if q.evidence else None, key_information=q.known)
