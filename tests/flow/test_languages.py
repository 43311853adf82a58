"""Everybody reads their own language from first to last, whatever the one who asks speaks.

Names are never translated, and words of somebody else stand as they were said: in quotes, or behind a colon.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from bot.rehearsal.brains import Play
from bot.rehearsal.player import play
from bot.rehearsal.scenario import Scenario, read_scenario

FOLDER = Path(__file__).parents[1] / "scenarios" / "languages"
QUOTED = re.compile(r"「[^」]*」|\"[^\"\n]*\"")
SAID = re.compile(r"(?:：|: )[^\n]*")
OURS = re.compile(r"\b(?:Qinghai|Telegram|Asia/Shanghai|ID|e\d|w\d|zh|en|v\d[\d.]*|h|off)\b|清海|/[a-z]+")
LATIN, HAN = re.compile(r"[A-Za-z]{2,}"), re.compile(r"[\u3400-\u9fff]")


def foreign(text: str, language: str, names: tuple[str, ...]) -> list[str]:
    """Words of another language for which nobody but the bot can be to blame."""
    own = SAID.sub("", QUOTED.sub("", text))
    for name in names:
        own = own.replace(name, "")
    return (HAN if language == "en" else LATIN).findall(OURS.sub("", own))


def names_in(scenario: Scenario) -> tuple[str, ...]:
    return tuple(sorted((n for p in scenario.people for n in (p.name, *p.aliases)), key=len, reverse=True))


@pytest.mark.parametrize("name", ["zh-owner-en-delegate", "en-owner-zh-delegate"])
def test_nobody_reads_a_foreign_word_of_the_bots(name: str) -> None:
    scenario = read_scenario(FOLDER / f"{name}.yaml")
    outcome = asyncio.run(play(scenario, Play(scenario.brain)))
    languages = {p.name: p.language or scenario.locale for p in scenario.people}
    read = [line for line in outcome.lines if line.who is None and line.to is not None]
    # Lists have titles of matters in them, which are somebody's words and stand in no quotes.
    listed = re.compile(r"^(?:Open \(|在办的|在跟进的|\d{3} |Good morning|早上好)")
    found = {
        line.text: words
        for line in read
        if not listed.match(line.text) and (words := foreign(line.text, languages[line.to or ""], names_in(scenario)))
    }
    assert not found
    assert len([line for line in read if languages[line.to or ""] == "en"]) > 15
    assert len([line for line in read if languages[line.to or ""] != "en"]) > 15
    labels = {(languages[line.to or ""], label) for line in read for row in line.buttons for label in row}
    assert not [label for language, label in labels if foreign(label, language, names_in(scenario))]


def test_what_would_be_a_foreign_word_is_found() -> None:
    assert foreign("Grace would like to know.希望周四有答复。", "zh-CN", ("Grace",)) == ["would", "like", "to", "know"]
    assert foreign("An answer 周四 would help.", "en", ()) == ["周", "四"]
    assert not foreign("受 Grace 委托，关于「when it goes」：\nGrace 说：when", "zh-CN", ("Grace",))
