"""What makes patterns fast changes nothing of what they find."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

import core.brain.rules  # noqa: F401  # its patterns are looked at
from core.patterns import _guarded, _Lazy, beginning, lazy
from core.timetalk.en import EN
from core.timetalk.lexing import Tongue
from core.timetalk.numerals import plain
from core.timetalk.zh import ZH

DATA = Path(__file__).parents[1] / "data"
TONGUES = {"zh": ZH, "en": EN}


def texts(*files: str) -> list[str]:
    lines = (line for file in files for line in (DATA / file).read_text(encoding="utf-8").splitlines())
    return [json.loads(line)["text"] for line in lines]


@pytest.mark.parametrize("lang", TONGUES)
def test_a_rule_that_reads_something_is_among_those_which_its_first_characters_name(lang: str) -> None:
    tongue, read = TONGUES[lang], 0
    for text in map(plain, texts(f"time/chat_{lang}.jsonl")[::4]):
        for place in range(len(text)):
            named = tongue.beginning(text[place : place + 3])
            for rule in tongue.rules:
                if (hit := rule[0].match(text, place)) and hit.end() > place:
                    read += 1
                    assert rule in named, (text[place:], rule[0].pattern)
    assert read > 100


@pytest.mark.parametrize(
    ("lang", "few", "most"), [("zh", "的合同", 0), ("zh", "qwq", 0), ("en", "的", 0), ("en", "—", 0), ("en", "you", 4)]
)
def test_most_places_of_a_text_are_passed_over_without_trying_a_rule(lang: str, few: str, most: int) -> None:
    assert len(TONGUES[lang].beginning(few)) <= most


def test_the_rules_that_begin_with_the_same_stay_in_their_order() -> None:
    rules = [(lazy(source), lambda m, c: None) for source in ("b?c", "[^c]x", "(?:ab|cd)e", r"\d+", "(?<!a)c.")]
    tongue = Tongue(rules, lazy(" "), lazy("-"))
    assert [rule[0].pattern for rule in tongue.beginning("cd")] == ["b?c", "(?:ab|cd)e", "(?<!a)c."]


@pytest.mark.parametrize(
    ("source", "may", "may_not"),
    [
        ("abcd", ("abc", "ab", "a"), ("abd", "b")),
        (r"(?:to|till)\s+\d", ("to ", "til", "t"), ("too", "tal")),
        (r"(?:the\s+)?(?:may|june?)", ("the", "may", "jun"), ("thx", "jul")),
        (r"\d{1,2}(?:st|th)", ("3st", "12t", "1"), ("3rd", "th")),
        (r"(?<![a-z])x(?=y)", ("x", "xz"), ("y",)),
        (r"[^a-c]+b", ("db", "dd"), ("ab",)),
        (r"(?>ab|a)c*+d", ("abd", "ad", "acc"), ("b",)),
        (r"(?P<q>a)(?P=q)?(?i:B)", ("ab", "aa", "a"), ("b",)),
        (r"(?:ab){3,}", ("aba", "ab"), ("abb",)),
        (r"", ("a", ""), ()),
    ],
)
def test_what_a_pattern_begins_with(source: str, may: tuple[str, ...], may_not: tuple[str, ...]) -> None:
    begins = beginning(source, 3)
    assert all(begins.match(few) for few in may)
    assert not any(begins.match(few) for few in may_not)


def patterns() -> list[_Lazy]:
    found = {
        id(value): value
        for name, module in sys.modules.items()
        if name.startswith("core.")
        for value in vars(module).values()
        if isinstance(value, _Lazy)
    }
    return list(found.values())


def test_a_pattern_finds_the_same_whether_or_not_places_are_passed_over() -> None:
    said = texts("judgement/owner_fresh.jsonl", "judgement/owner_kinds.jsonl")[::20]
    guarded = 0
    for pattern in patterns():
        before, after = pattern.pattern, _guarded(pattern.pattern, pattern.flags_given)
        if after == before:
            continue
        guarded += 1
        old, new = re.compile(before, pattern.flags_given), re.compile(after, pattern.flags_given)
        assert new.groupindex == old.groupindex
        for text in said:
            for variant in (text, text.lower()):
                found = [(m.span(), m.groups()) for m in new.finditer(variant)]
                assert found == [(m.span(), m.groups()) for m in old.finditer(variant)], before
                assert bool(new.match(variant)) == bool(old.match(variant))
    assert guarded > 150


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"a|\|b|[|)]c|d", "xx|b)c"),
        (r"[]|]a|\]b|(?:c|d)e", "]a|a]bde"),
        (r"x*|ab|cd", "abcd"),
        (r"(?P<n>a)b|(?:c|(?P<m>d))e|\d+|[^x]y", "ab de 12 zy xy"),
        (r"(?=a)|b|c|d", "abcd"),
        (r"a-b|[a-]c|-d|\^e", "a-b-c-d^e"),
    ],
)
def test_alternatives_are_taken_apart_where_the_engine_does(source: str, text: str) -> None:
    found = [m.span() for m in re.finditer(_guarded(source, 0), text)]
    assert found == [m.span() for m in re.finditer(source, text)]


def test_places_where_nothing_can_begin_are_passed_over() -> None:
    assert _guarded(r"(?:ab|cd)e|fg|\d+", 0) == r"(?=[\dacf])(?:(?:ab|cd)e|fg|\d+)"
