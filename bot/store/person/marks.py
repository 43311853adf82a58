"""By what somebody is recognised in stored text: ids, chats, names, and runs of their own words.

Two ways of taking them out. What others wrote, and what is still to be read by somebody (`gentle`), loses exactly the
pieces; what the bot wrote and is over (`thorough`, `whole`) goes altogether when it names or quotes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.ids import conversation_id
from core.people import Person

LONG, SHORT = 10, 4
"""Characters in a row that are a quotation, in anybody's text and in the bot's own."""
LATIN = 2
"""A Chinese character says as much as so many Latin ones."""

Runs = tuple[tuple[int, frozenset[tuple[str, ...]]], ...]
"""Sets of runs of characters, each set with its length."""

_KEPT_KEYS = frozenset({"kind", "type", "status", "purpose", "template", "comm_status", "priority", "trigger_source"})
"""Words of the program: nobody's name, whatever somebody is called."""
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_CHATS = frozenset({"user_id", "channel_user_id", "sender", "chat"})


@dataclass(frozen=True)
class Marks:
    """Everything that is looked for, and what stands there afterwards."""

    person: Person
    alias: str
    """The id that stands for theirs: `gone_1`."""
    gone: str
    """What stands for their names and words."""
    names: re.Pattern[str]
    ids: re.Pattern[str]
    long: Runs = ()
    short: Runs = ()

    def with_words(self, theirs: Iterable[str], others: Iterable[str]) -> Marks:
        """The same with what they said; what `others` wrote by themselves too is nobody's."""
        mine = list(theirs)
        sets = [_runs(mine, LONG), _runs(mine, SHORT)]
        for text in others:
            for runs in sets:
                for length, some in runs.items():
                    some.difference_update(_windows(text, length))
        long, short = (tuple((n, frozenset(some)) for n, some in runs.items() if some) for runs in sets)
        return replace(self, long=long, short=short)

    def is_me(self, value: Any) -> bool:
        """Whether an id is theirs."""
        return value in (self.person.person_id, self.alias)

    def finds(self, text: str) -> bool:
        """Whether a text names them, or has a long run of their words."""
        return self._names(text) or bool(self.ids.search(text)) or _shares(text, self.long)

    def gentle(self, text: str) -> str:
        """The text without their names, ids and long runs of their words."""
        text = self.names.sub(lambda found: found.group() if found.group("other") else self.gone, text)
        return self._without_runs(self.ids.sub(self._other_id, text))

    def thorough(self, text: str) -> str:
        """For what the bot noted in a matter of theirs: all of it goes when it names or quotes them."""
        if self._names(text) or _shares(text, self.short):
            return self.gone
        return self.gentle(text)

    def whole(self, text: str) -> str:
        """For what the bot said elsewhere: all of it goes when it names them or has a long run of their words."""
        return self.gone if self._names(text) or _shares(text, self.long) else self.gentle(text)

    def deep(self, value: Any, text: Callable[[str], str], key: str = "") -> Any:
        """A JSON value with every text in it, keys too, gone through."""
        if isinstance(value, dict):
            where = value.get("channel")
            chat = self.person.user_id_on(where) if isinstance(where, str) else None
            return {self.ids.sub(self._other_id, k): self._part(k, v, chat, text) for k, v in value.items()}
        if isinstance(value, list):
            return [self.deep(v, text, key) for v in value]
        if not isinstance(value, str) or key in _KEPT_KEYS:
            return value
        return text(value)

    def _part(self, key: str, value: Any, chat: str | None, text: Callable[[str], str]) -> Any:
        is_theirs = chat is not None and key in _CHATS and value == chat
        return self.alias if is_theirs else self.deep(value, text, key)

    def _names(self, text: str) -> bool:
        return any(not found.group("other") for found in self.names.finditer(text))

    def _other_id(self, found: re.Match[str]) -> str:
        text = found.group()
        if text == self.person.person_id:
            return self.alias
        return f"{text.partition(':')[0]}:{self.alias}" if ":" in text else self.alias

    def _without_runs(self, text: str) -> str:
        if not _shares(text, self.long):
            return text
        covered = bytearray(len(text))
        for length, runs in self.long:
            for start, run in enumerate(_windows(text, length)):
                if run in runs:
                    covered[start : start + length] = b"\1" * length
        parts, before = [], 0
        for here, character in zip(covered, text, strict=True):
            if not here:
                parts.append(character)
            elif not before:
                parts.append(self.gone)
            before = here
        return "".join(parts)


def marks_of(person: Person, everybody: Iterable[Person], alias: str, gone: str) -> Marks:
    """The marks of one person. A name that somebody else has too is none; one inside another's name is left there."""
    others = {name for p in everybody if p.person_id != person.person_id for name in (p.name, *p.aliases)}
    theirs = {name for name in (person.name, *person.aliases) if name not in others and _is_telling(name)}
    around = {name for name in others if any(mine.lower() in name.lower() for mine in theirs)}
    ids = [re.escape(person.person_id)]
    for identity in person.identities:
        ids.append(re.escape(conversation_id(identity.channel, identity.user_id)))
        # A short number may be anything: a year, a price.
        if len(identity.user_id) > 5:
            ids.append(re.escape(identity.user_id))
    for account in person.accounts:
        ids.append(re.escape(account))
        name = account.partition(":")[2]
        if len(name) > 5:
            ids.append(re.escape(name))
    return Marks(person, alias, gone, _any_of(theirs, around), re.compile(rf"(?<!\w)(?:{'|'.join(ids)})(?!\w)"))


def _is_telling(name: str) -> bool:
    return len(name) >= LATIN


def _any_of(names: Iterable[str], around: Iterable[str]) -> re.Pattern[str]:
    """Names as whole words; the longest first, so that what is around a name wins over it."""
    mine, other = (sorted(map(_word, some), key=len, reverse=True) for some in (names, around))
    nothing = r"(?!)"
    return re.compile(f"(?P<other>{'|'.join(other) or nothing})|(?:{'|'.join(mine) or nothing})", re.IGNORECASE)


def _word(name: str) -> str:
    before = r"(?<![A-Za-z0-9])" if name[0].isascii() else ""
    after = r"(?![A-Za-z0-9])" if name[-1].isascii() else ""
    return before + re.escape(name) + after


def _windows(text: str, length: int) -> Iterable[tuple[str, ...]]:
    """All runs of so many characters, in small letters; as tuples, which Python makes fastest."""
    low = text.casefold()
    # A few letters grow when they are made small; places must stay the same.
    low = low if len(low) == len(text) else text
    return zip(*(low[start:] for start in range(length)), strict=False)


def _runs(theirs: Sequence[str], size: int) -> dict[int, set[tuple[str, ...]]]:
    """By length: runs of `size` characters with a Chinese one among them, and longer ones without."""
    found = {}
    for length in (size, size * LATIN):
        runs = {run for text in theirs for run in _windows(text, length)}
        found[length] = {run for run in runs if bool(_CJK.search("".join(run))) is (length == size)}
    return found


def _shares(text: str, runs: Runs) -> bool:
    return any(not some.isdisjoint(_windows(text, length)) for length, some in runs)
