"""A turn without a reply: a decision of the initiator is passed on."""

from __future__ import annotations

import re

from core.brain.questions import Assess, Assessment, AttitudeOf, MessageTo
from core.brain.rules.replies.evidence import satisfied
from core.brain.rules.replies.for_owner import bare, halves
from core.brain.rules.replies.reading import read
from core.brain.rules.replies.reply import hands_back
from core.brain.rules.replies.scene import Scene, core_words, in_english, scene_of
from core.brain.rules.words import phrases
from core.brain.rules.words.text import clauses, fold
from core.patterns import lazy

_WAIT = lazy(r"再等|先等|等等|等.{1,10}(?:再|后)|\bwait\b|继续问|再问|问清楚|重新|换(?:人|个)|问[^,。]{1,4}$|\bask\b")
_ACCEPT = lazy(
    r"同意|接受|可以|批准|通过|就(?:按|这|用|那)|按(?:他|她|这|那)|好(?:的|吧)?|行|没问题|赶|\b(?:yes|ok(?:ay)?|"
    r"accept|agree|approve|fine|go ahead|sure|works)\b"
)
_REJECT = lazy(r"不(?:同意|接受|行|可以|批|用|要)|驳回|\b(?:no|reject|not|don'?t)\b")


def decided_turn(q: Assess) -> Assessment:
    """Pass the decision on; the goal is met when what they had said plus the decision settles it."""
    decided = (q.decided or "").strip()
    text = phrases.say("decided", q.language, initiator=q.initiator, decided=decided)
    scene = scene_of(q)
    before = "\n".join(line.text for line in q.dialogue if not line.ours) or (q.known or "")
    own = fold(decided)
    accepted = bool(_ACCEPT.search(own)) and not _REJECT.search(own) and not _WAIT.search(own)
    told = read((decided,), scene).met and not _WAIT.search(own)
    if scene.is_choice and hands_back(before) and not _WAIT.search(own) and not _REJECT.search(own):
        return _chosen(q, before, decided, text)
    settled = accepted and (told or _proposal_meets(before, scene))
    key = _agreed(q, before, decided) if settled else q.known
    return Assessment(
        goal_met=settled,
        summary=_agreement(q, key or "") if settled else _word_of(q, decided),
        key_information=key,
        attitudes={q.about: AttitudeOf(attitude="answered")} if settled else {},
        messages=(MessageTo(to=q.about, text=text),) if decided else (),
    )


def _chosen(q: Assess, before: str, decided: str, text: str) -> Assessment:
    """They were asked which, and put it back: the decision is the answer."""
    return Assessment(
        goal_met=True,
        summary=_word_of(q, decided),
        key_information=_agreed(q, before, decided),
        attitudes={q.about: AttitudeOf(attitude="answered")},
        messages=(MessageTo(to=q.about, text=text),),
    )


def _word_of(q: Assess, decided: str) -> str:
    return f"{q.initiator}: {decided}" if in_english(q.initiator_language) else f"{q.initiator}决定：{decided}"


def _agreement(q: Assess, proposed: str) -> str:
    """What is settled now: the proposal itself, and that it was accepted."""
    plan = re.sub(r"(?:行吗|可以吗|好吗|行不行|可不可以|吗|呢)$", "", bare(halves(proposed)[1]))
    plan = re.sub(r"^(?:能不能|可不可以|能否|可否|要不|不如)", "", plan)
    if in_english(q.initiator_language):
        plan = _OPENS_PROPOSAL.sub("", plan).strip()
        return f"{plan} ({q.initiator} agreed)"
    return f"{plan}（{q.initiator}同意了）"


_OPENS_PROPOSAL = lazy(
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
    last = core_words(before.splitlines()[-1]) if before else ""
    return last or (q.known or decided)
