"""A word that somebody wants passed on, without the request to do so."""

from __future__ import annotations

import re

_PASS_ON = re.compile(
    r"^\s*(?:麻烦|请|劳驾)?你?(?:帮我|替我)?(?:转告|转达|告诉|告知|跟|和)(?:一下)?(?:老板|领导|他|她)(?:说|讲)?(?:一声|一下)?[，,：:\s]*"
    r"|^\s*(?:please |could you |can you )?(?:tell|let) (?:(?:the|my|your) boss|him|her|(?P<who>[A-Z]\w+))"
    r"(?: know)?(?: that)?[,:\s]+",
    re.IGNORECASE,
)


def passed_on(text: str, owner: str = "") -> str:
    """The word itself; a word for anybody but the owner (as they are called) keeps whom it is for."""
    asked = _PASS_ON.match(text)
    if asked is None or (asked["who"] and asked["who"].lower() not in owner.lower().split()):
        return text
    return text[asked.end() :].strip() or text
