"""A promise or a claim in an English sentence."""

from __future__ import annotations

import re

from core.brain.rules.words.text import any_of
from core.context.promises.reading import without_reported
from core.patterns import lazy

# What a deed is, by what would make it true (see `Family`).
ASK = (
    r"ask|contact|check (?:with|in with|on)|follow(?:ed|ing)? up|chas(?:e|ed|ing)|reach(?:ed|ing)? out"
    r"|ping|nudg(?:e|ed|ing)|get (?:a )?hold of|find out|found out|look(?:ed|ing)? into|stay(?:ed)? on"
    r"|keep (?:on at|after|chasing|asking)|push(?:ed|ing)?|confirm(?:ed|ing)? (?:with|that with|it with)"
)
KEEP = (
    r"remind|keep (?:an eye|track|watch|tabs)|watch|monitor|set (?:a|an|up|that|it|your|the|one)"
    r"|note (?:that|it|this)|ma(?:ke|de) a note|noted (?:that|it|this)|alert you|wake you|track"
)
_OTHER = (
    r"have (?:him|her|them|[A-Z]\w+) |loop (?:you|him|her|them|[A-Z]\w+) in|tell|told"
    r"|let (?:you|him|her|them|[A-Z]\w+) know|inform|notif(?:y|ied)|messag|text|email|mail"
    r"|writ(?:e|ten) to|wrote to|send|sent|forward"
    r"|pass(?:ed|ing)? (?:it|that|this|on|along|the)|call(?! it)|phone|arrang|schedul|book(?!s)|handl"
    r"|tak(?:e|en|ing) care|took care|sort(?:ed)?|get back|come back to you"
    r"|updat|make sure|made sure|see to|report back|cancel|mov(?:e|ed) (?:it|that|the)|add(?:ed)? (?:it"
    r"|that|this|the|a|him|her|them)|do (?:it|that|this|so)\b|done (?:it|that|this|so)\b"
    r"|get (?:it|that|this|right|on|him|her|them|[A-Z]\w+) (?:to|done|on|sorted)|get on (?:it|that|this)"
    r"|get right on|deal with|work on|put (?:it|that|this|you)|order|pay|transfer|chang(?:e|ed) (?:it|that"
    r"|the)|keep (?:you|him|her|them) (?:posted|updated|in the loop)|speak (?:to|with)|spoken (?:to|with)"
    r"|spoke (?:to|with)|talk(?:ed)? to"
)
ASKED = (
    r"asked|contacted|checked (?:with|in with|on)|followed up|chased|reached out|pinged|nudged"
    r"|asking|contacting|checking (?:with|in)|following up|chasing|reaching out|looking into"
)
KEPT = r"reminded|reminding|set (?:a|an|up|that|it|your|the)|made a note|noted"
_DEED = rf"(?:{ASK}|{KEEP}|{_OTHER})"
_MEANWHILE = (
    r"(?:\s+(?:just|now|already|also|then|go|go ahead and|be sure to|definitely|certainly|personally"
    r"|quickly|gladly|happily|try to|be|still|and|right away|again|always|immediately|gently))*"
)
_WILL = lazy(
    rf"\b(?:i'?ll|i will|i shall|i'?m going to|i am going to|i'?m about to|we'?ll|we will"
    rf"|let me)\b(?! know)(?:{_MEANWHILE}|[^,.;:]{{0,40}}?\band)\s+(?P<deed>{_DEED})(?:e?d|ing|s)?",
    re.IGNORECASE,
)
_DONE = lazy(
    rf"(?:\b(?:i'?ve|i have|we'?ve|we have|i(?: just| already| also)?)|^\s*(?:just|already))\b{_MEANWHILE}\s+"
    rf"(?P<deed>{ASKED}|{KEPT}|told(?! you)|informed|notified|messaged|texted|emailed|written to|wrote to"
    r"|sent|forwarded|passed|called|phoned|arranged|scheduled|booked|handled|taken care|took care|sorted|updated"
    r"|cancell?ed|moved|added|put|done (?:it|that|this|so)|let (?:him|her|them|[A-Z]\w+) know|spoken|spoke|talked to"
    r"|ordered|paid|changed)",
    re.IGNORECASE,
)
_DOING = lazy(
    rf"\b(?:i'?m|i am|we'?re)\b{_MEANWHILE}\s+"
    r"(?P<deed>asking|contacting|checking (?:with|in)|following up|chasing|reaching out|reminding|telling|messaging"
    r"|sending|calling|arranging|scheduling|booking|handling|taking care|sorting|looking into|working on|on it"
    r"|on the case|setting (?:a|it|up|that))",
    re.IGNORECASE,
)
_PLEDGE = any_of(
    r"""
    ^\s*(?:sure(?: thing)?|ok(?:ay)?|great|right|got it|no problem|of course)?[,.!]?\s*(?:on it|will do)\b
    ^\s*(?:asking|messaging|contacting|calling|reminding|telling|checking with)\b.{1,30}\b(?:now|right away)\b
    \b(?:reminder|alarm|message|note|meeting)(?: is| has been|'s)? (?:now )?(?:set|sent|scheduled|booked|delivered)\b
    \byou'?ll hear (?:back )?from me\b|\bconsider it (?:done|handled)\b|\bleave (?:it|that|this) (?:with|to) me\b
    \bi'?m on (?:it|the case)\b|\bi promise\b|\bi'?ve got (?:it|this) (?:covered|handled)\b
    """,
    re.IGNORECASE,
)
_NOT = lazy(
    r"\b(?:won'?t|will not|can'?t|cannot|can not|haven'?t|have not|didn'?t|did not|don'?t|do not|never|not"
    r"|unable|nothing|wouldn'?t|hasn'?t)\b",
    re.IGNORECASE,
)
_OFFER = lazy(
    r"\b(?:can|could|shall|should|would|may|might|want me|like me|do you want|happy to|able to|usually"
    r"|normally|generally|by default|whenever)\b|\?\s*$",
    re.IGNORECASE,
)
_IF_YOU = lazy(
    r"\b(?:if (?:you|needed|need be|necessary|that helps|so)|should you|once you|when(?:ever)? you"
    r"|unless you|as soon as you (?:say|tell|confirm)"
    r"|(?:just |please )?(?:say (?:so|the word|it|which|who)|tell me|let me know|give me|confirm|reply"
    r"|press|name|ask me|send me|write)\b.{0,60}\band (?:then )?(?:i|we)\b|want me to|would you like)",
    re.IGNORECASE,
)
_SAID = lazy(
    r"\b(?:said|says|say|wrote|writes|replied|replies|told (?:me|you|us)|tells|promised|promises|answered"
    r"|texted|answers|according to|quote|mentioned)\b(?! (?:so|the word)\b)|^\s*[A-Z]\w+(?: [A-Z]\w+)?:\s",
)
_STILL_TO_SAY = lazy(r"\b(?:what(?:ever)?|whether|if|when|until|once|as soon as|after) \S+(?: \S+)?\s*$", re.IGNORECASE)
_I_SAID = lazy(
    r"\b(?:i|i'?ve|i have|you)(?: just| already)? (?:said|say|wrote|promised|mentioned|replied|answered)\b",
    re.IGNORECASE,
)
_CLAUSES = lazy(r"[,;:—]+|\s-\s|\bbut\b")


def claimed(own: str) -> tuple[str, str] | None:
    """The words that promise or claim, and the deed; None where there are none. `own` is without quotes."""
    if not _I_SAID.search(own):
        own = without_reported(own, _SAID, lambda before: bool(_STILL_TO_SAY.search(before)))
    if _IF_YOU.search(own):
        return None
    for clause in _CLAUSES.split(own):
        pledge = _PLEDGE.search(clause.strip())
        if pledge is not None and not _NOT.search(clause) and "?" not in clause:
            return pledge.group(), "do it"
        for pattern in (_WILL, _DONE, _DOING):
            hit = pattern.search(clause)
            if hit is not None and not _NOT.search(hit.group()) and not _OFFER.search(clause):
                return hit.group(), hit.group("deed")
    return None
