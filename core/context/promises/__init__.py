"""Does an answer promise or claim a deed? Where no action stands behind it, it may not be sent (RULES 6).

A sentence is read by its clauses. What counts is the bot's own word, in the first person or without a subject: that it
will do something for somebody, is doing it, or has done it. What others promised (said by them, or in quotes), offers
("要我去问吗", "if you like, I'll ask"), abilities ("我可以问") and refusals ("我不会联系他") do not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from core.context.promises import chinese, english
from core.patterns import lazy

Family = Literal["ask", "keep", "other"]
"""What it would take to make it true: an open matter follows people up by itself (`ask`), a schedule or an expectation
reminds and looks out (`keep`); anything else needs an action of this very turn.
"""


@dataclass(frozen=True)
class Claim:
    """A promise or a claim: which words, in which sentence, of which family."""

    words: str
    sentence: str
    family: Family


_SENTENCE_END = lazy(r"(?<=[。！？!?\n])|(?<=\.)(?=\s)")
_QUOTED = lazy(r"「[^」]*」|『[^』]*』|“[^”]*”|‘[^’]*’|\"[^\"]*\"|《[^》]*》")
_HAN = lazy(r"[\u3400-\u9fff]")
# "李四：…" is what 李四 said; "英文是：…" is a text, not a word of the bot's own.
_LABEL = lazy(
    r"^\s*(?!(?:结论|总结|结果|说明|备注|注意|提示|回答|答|接下来|下一步|安排|计划|好的?|行|ok|so|next|note|plan)\s*[:：])"
    r"[^,，。:：我\d]{1,8}[:：](?!\d)"
    r"|(?:写|译|翻译|[中英日]文|措辞|草稿|说|回|例如|比如)[^:：,，。我]{0,6}[:：](?!\d)"
    r"|\b(?:translation|draft|version|wording|could (?:read|say|write)|for example|e\.g\.|reads)[^:]{0,20}:",
    re.IGNORECASE,
)
_FAMILIES: tuple[tuple[re.Pattern[str], Family], ...] = (
    (lazy(rf"^(?:{chinese.ASK}|{english.ASK}|{english.ASKED})", re.IGNORECASE), "ask"),
    (lazy(rf"^(?:{chinese.KEEP}|{english.KEEP}|{english.KEPT})", re.IGNORECASE), "keep"),
)


def promises(text: str) -> str | None:
    """The first words in which an answer promises or claims a deed of the bot's own; None where there are none."""
    return clean_part(text)[1]


def clean_part(text: str, backed: Callable[[Claim], bool] = lambda _: False) -> tuple[str, str | None]:
    """The sentences of an answer that make no claim, or one that is `backed`; and the first claim that is not."""
    kept, first = [], None
    for sentence in _sentences(text):
        claim = claim_in(sentence)
        if claim is None or backed(claim):
            kept.append(sentence)
        else:
            first = first or claim.words
    return "".join(kept).strip(), first


def _sentences(text: str) -> list[str]:
    """The text in pieces that end where a sentence does; what is quoted is part of the sentence around it."""
    masked = _QUOTED.sub(lambda quote: "\u3000" * len(quote.group()), text)
    ends = [hit.start() for hit in _SENTENCE_END.finditer(masked) if hit.start()]
    return [text[a:b] for a, b in pairwise((0, *ends, len(text)))]


def claim_in(sentence: str) -> Claim | None:
    """What a sentence promises or claims, or None."""
    own = _QUOTED.sub("「」", sentence).replace("’", "'").strip()
    label = _LABEL.search(own)
    own = own[: label.start()] if label is not None else own
    found = chinese.claimed(own) if _HAN.search(own) else english.claimed(own)
    if found is None:
        return None
    words, deed = found
    family: Family = next((name for pattern, name in _FAMILIES if pattern.search(deed)), "other")
    return Claim(words.strip(), sentence.strip(), family)
