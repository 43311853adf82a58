"""The promise guard: what an answer may not say without a deed behind it, and what only sounds like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.brain.rules import converse
from core.context.promises import clean_part, promises
from tests.unit.promise_cases import CAUGHT, CLEAN


@pytest.mark.parametrize("answer", CAUGHT)
def test_a_promise_or_a_claim_is_caught(answer: str) -> None:
    words = promises(answer)
    assert words is not None
    assert words.strip()


@pytest.mark.parametrize("answer", CLEAN)
def test_what_is_no_word_of_the_bot_s_own_passes(answer: str) -> None:
    assert promises(answer) is None


@pytest.mark.parametrize("language", ["zh", "en"])
def test_there_are_many_of_each_kind_in_both_languages(language: str) -> None:
    for cases in (CAUGHT, CLEAN):
        english = [c for c in cases if not any("\u3400" <= x <= "\u9fff" for x in c)]
        assert len(english if language == "en" else [c for c in cases if c not in english]) >= 55


def test_curly_apostrophes_are_apostrophes() -> None:
    assert promises("I’ll follow up with Wei.")
    assert promises("I won’t contact him.") is None


@pytest.mark.parametrize("quoted", ["「我会跟进。明天给你。」", "“I'll follow up. Tomorrow.”", '"I\'ll follow up"'])
def test_quotes_are_somebody_s_words_whatever_ends_in_them(quoted: str) -> None:
    assert promises(f"张三：{quoted}") is None
    assert promises(f"他的原话：{quoted}，没有别的。") is None


def test_whole_sentences_that_are_clean_are_kept_in_their_order() -> None:
    kept, first = clean_part("张三还没回。我会再催他。周四是 19 日。已经帮你设好提醒。好吗？")
    assert kept == "张三还没回。周四是 19 日。好吗？"
    assert first == "我会再催"


def test_nothing_is_kept_of_a_single_promise() -> None:
    assert clean_part("I'll ask Wei.")[0] == ""


def test_a_claim_that_something_stands_behind_is_kept() -> None:
    text = "张三还没回，我会再催他。已经取消了会议。"
    kept, first = clean_part(text, lambda claim: claim.family == "ask")
    assert kept == "张三还没回，我会再催他。"
    assert first == "已经取消"


@pytest.mark.parametrize(
    ("answer", "family"),
    [
        ("我会再催他。", "ask"),
        ("I'll follow up with Wei.", "ask"),
        ("I've asked Wei.", "ask"),
        ("明天早上9点提醒你。", "keep"),
        ("I'll remind you at nine.", "keep"),
        ("I've set a reminder.", "keep"),
        ("我已经通知张三了。", "other"),
        ("I've cancelled the meeting.", "other"),
        ("包在我身上！", "other"),
    ],
)
def test_a_claim_says_what_would_make_it_true(answer: str, family: str) -> None:
    seen: list[str] = []
    clean_part(answer, lambda claim: bool(seen.append(claim.family)))
    assert seen == [family]


@given(st.lists(st.sampled_from([*CAUGHT[:40], *CLEAN[:60], "\n", " "]), max_size=6))
def test_what_is_kept_makes_no_promise_and_nothing_is_added(pieces: list[str]) -> None:
    text = "\n".join(pieces)
    kept, first = clean_part(text)
    assert promises(kept) is None
    assert (first is None) == (kept == text.strip())
    left = iter(text)
    assert all(c in left for c in kept)


@pytest.mark.parametrize("table", [converse._ZH, converse._EN])
def test_the_rule_brain_s_own_answers_promise_nothing(table: dict[str, str]) -> None:
    for said in table.values():
        assert promises(said.format(persona="清海", owner="老板")) is None, said
