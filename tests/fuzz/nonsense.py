"""Nonsense from a seed: values that nobody expects, payloads in which something was changed, JSON of any shape."""

from __future__ import annotations

import random
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

Place = tuple[str | int, ...]

CONTROL = "\x00\x01\x07\x08\x0b\x1b\x7f\x85\u2028\u2029\ufffe\uffff"
BIDI = "\u202a\u202e\u2066\u2069\u200e\u200f\u061c"
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\u3164\U000e0041\ufe0f"
HALVES = "\ud800\udbff\udc00\udfff"
DIGITS = "²³¹①❷⑽１２３٠١٢๓४፩Ⅷ½〇"
PILES = ("e" + "\u0301" * 40, "👨‍👩‍👧‍👦" * 3, "🇨🇳" * 9, "ﷺ", "\U0001f1e8", "각" * 5, "क्षि")
LONG = 4096
"""Characters of the longest message that a person can write on Telegram."""
LONGEST = 20_000
"""64 KB, as they may come on Feishu."""
MARKUP = (
    "<b>粗</b>", "&amp;", "[x](tg://user?id=1)", "**", "__", "```", "<at user_id=\"all\"></at>", "{{ 7*7 }}", "{% raw %}",
    "%s %d {0} {name}", "'; DROP TABLE facts; --", "\\", "\"", "$(id)", "../../etc/passwd", "@all", "@_user_1", "@_all",
)  # fmt: skip
ODD = (*CONTROL, *BIDI, *UNSEEN, *HALVES, *DIGITS, *PILES, *MARKUP)

NUMBERS: tuple[Any, ...] = (
    0, -1, 1, 7, -7, 2**31, -(2**31) - 1, 2**53, 2**63 - 1, 2**63, -(2**63) - 1, 10**18, 10**30, -(10**30), 10**400,
    0.5, -0.0, 1e300, -1e300, 253402300799, -62135596800, 4102444800, 1773626400,
)  # fmt: skip
WORDLESS: tuple[Any, ...] = (None, True, False, [], {}, "", " ", "\n", "0", "-1", "null", "NaN", [[]], [{}], {"": None})
ARGUMENTS = (
    "", "1", "001", "0", "-1", "²", "①", "１", "٣", "9" * 30, "9" * 5000, "con_20260316_001", "con_20260316_²", "e1", "w1",
    "e²", "s1", "all", "所有", "张三", "张三 99999999999h", "1 2h", "1 ²h", "1 -5h", "1 9e9d", "off", "8:30", "25:99", "８：３０",
    "zh", "en", "xx", "张三 owner", "张三 ²", "李四 admin", "1 高", "1 critical", "1 张三 李四", "page", "0 0", "1 99", "x²",
    "2h", "99999999d", "1e400h", "\u202e1", "c0de-XYZ_1", "\u200b", "..", "%00", "🇨🇳",
)  # fmt: skip
COMMANDS = (
    "start help whoami concerns concern agenda drop nudge pause resume priority reassign pending expectations watch unwatch "
    "unschedule brief quiet lang sent resend people person invite bind schedules callbacks jobs status usage grant audit stop "
    "nothing_like_it 帮助"
).split()
VERBS = (
    "yes no edit pick which decide now off again stop later follow keep drop concern job confirm deny cmd act task watch call"
).split()


class Nonsense:
    """One source of it: the same seed gives the same."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)

    def one(self, some: Sequence[Any]) -> Any:
        """Any of them."""
        return self.random.choice(some)

    def happens(self, probability: float) -> bool:
        """With this probability."""
        return self.random.random() < probability

    # --- words --------------------------------------------------------------------------------------------------------

    def text(self, earnest: Sequence[str]) -> str:
        """What somebody may write: earnest, spoilt, a command with whatever behind it, or no words at all."""
        kind = self.random.random()
        if kind < 0.35:
            return str(self.one(earnest))
        if kind < 0.6:
            return self.spoilt(self.one(earnest))
        if kind < 0.85:
            return f"{self.one('/／')}{self.one(COMMANDS)} {self.one(ARGUMENTS)}"
        return self.garbage()

    def garbage(self) -> str:
        """Without any sense; once in a while as long as a message can be."""
        piece = "".join(self.one(ODD) for _ in range(self.random.randint(1, 12)))
        if self.happens(0.02):
            long = LONGEST if self.happens(0.04) else LONG
            return (piece + "周五帮我问一下 x") * (long // (len(piece) + 10))
        return piece

    def spoilt(self, text: str) -> str:
        """With something put in, taken out, doubled or turned round."""
        for _ in range(self.random.randint(1, 3)):
            at = self.random.randint(0, len(text))
            match self.random.randrange(5):
                case 0 | 1:
                    text = text[:at] + self.one(ODD) + text[at:]
                case 2:
                    text = text[:at]
                case 3:
                    text = text[at:] + text[:at]
                case _:
                    text = text[:at] + text
        return text

    def pressed(self, shown: Sequence[str]) -> str:
        """The data of a button: one that was shown, one that was forged after it, or anything."""
        if shown and self.happens(0.4):
            return str(self.one(shown))
        if shown and self.happens(0.6):
            head, _, _ = str(self.one(shown)).rpartition(":")
            return f"{head}:{self.one((*ARGUMENTS[:24], self.garbage()))}"
        if self.happens(0.5):
            parts = [self.one(ARGUMENTS[:24]) for _ in range(self.random.randint(0, 3))]
            return ":".join([self.one(VERBS), *parts])
        return f"cmd:{self.one(COMMANDS)} {self.one(ARGUMENTS[:24])}"

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, depth: int = 3) -> Any:
        """JSON of any shape."""
        kind = self.random.randrange(6)
        if kind == 0 or (depth == 0 and kind > 3):
            return self.one(NUMBERS)
        if kind == 1:
            return deepcopy(self.one(WORDLESS))
        if kind in (2, 3):
            return self.garbage()
        size = self.random.randint(0, 4)
        if kind == 4:
            return [self.value(depth - 1) for _ in range(size)]
        keys = ("id", "text", "message", "from", "chat", "type", "data", "event", "value", self.one(ODD))
        return {self.one(keys): self.value(depth - 1) for _ in range(size)}

    def nested(self, depth: int) -> Any:
        """One thing in another in another."""
        made: Any = self.one(("x", 1, None))
        for _ in range(depth):
            made = [made] if self.happens(0.5) else {self.one(("message", "a", "reply_to_message")): made}
        return made

    def mutated(self, payload: Any, others: Sequence[Any] = (), *, at_most: int = 3) -> Any:
        """A copy in which up to so many places were changed."""
        made = deepcopy(payload)
        for _ in range(self.random.randint(1, at_most)):
            found = places(made)
            if found:
                self._change(made, self.one(found), others)
        return made

    def _change(self, payload: Any, place: Place, others: Sequence[Any]) -> None:
        *way, last = place
        holder = at(payload, way)
        old = holder[last]
        match self.random.randrange(9):
            case 0:
                del holder[last]
            case 1:
                holder[last] = self.value()
            case 2:
                holder[last] = deepcopy(self.one(WORDLESS))
            case 3:
                holder[last] = self.one(NUMBERS)
            case 4:
                holder[last] = str(old) if not isinstance(old, str) else self._unquoted(old)
            case 5:
                holder[last] = self.spoilt(old) if isinstance(old, str) else [old, deepcopy(old)]
            case 6 if others:
                other = self.one(others)
                holder[last] = deepcopy(at(other, self.one(places(other) or [()])))
            case 7:
                holder[last] = self.nested(self.random.choice((3, 30, 120)))
            case _ if isinstance(holder, dict):
                holder[self.garbage()] = old
            case _:
                holder.append(old)

    def _unquoted(self, word: str) -> Any:
        return int(word) if word.isdecimal() and len(word) < 40 else [word]


def places(value: Any, here: Place = ()) -> list[Place]:
    """The way to each value inside."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, inner in items for place in ((*here, key), *places(inner, (*here, key)))]


def at(value: Any, way: Sequence[str | int]) -> Any:
    """What lies there."""
    for key in way:
        value = value[key]
    return value
