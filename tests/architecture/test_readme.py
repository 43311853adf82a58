"""README tells the truth: the state diagram is the table's, and what it names is there."""

import asyncio
import re
from pathlib import Path

import pytest
import yaml

from bot.commands.table import COMMANDS
from bot.evaluation.cases import read_cases
from bot.rehearsal.brains import Play
from bot.rehearsal.player import play
from bot.rehearsal.scenario import read_scenario
from bot.rehearsal.show import show
from core.concern.machine import mermaid

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DIALOGUE = re.compile(r"(<!-- dialogue (\S+): .*? -->\n).*?(\n?<!-- /dialogue -->)", re.DOTALL)
DIAGRAM = re.compile(r"(<!-- state diagram: .*? -->\n).*?(\n<!-- /state diagram -->)", re.DOTALL)


def dialogue(file: str) -> str:
    """A rehearsal as `run.py rehearse` prints it, without its headings."""
    scenario = read_scenario(ROOT / file)
    printed = show(asyncio.run(play(scenario, Play(scenario.brain))))
    lines = [line.rstrip() for line in printed.splitlines()]
    first = next(n for n, line in enumerate(lines) if line.startswith("──")) + 1
    last = next(n for n, line in enumerate(lines) if line.startswith(("✓", "✗")))
    return "\n".join(lines[first:last]).strip("\n")


def filled(text: str) -> str:
    """The text with each of its generated parts as it should be."""
    text = DIAGRAM.sub(lambda m: f"{m[1]}```mermaid\n{mermaid().strip()}\n```{m[2]}", text)
    return DIALOGUE.sub(lambda m: f"{m[1]}```text\n{dialogue(m[2])}\n```{m[3]}", text)


def test_the_diagram_and_the_dialogues_are_what_the_product_does() -> None:
    assert (len(DIAGRAM.findall(README)), len(DIALOGUE.findall(README))) == (1, 4)
    assert filled(README) == README, "make readme"


PEOPLE = {
    "zh-CN": {"p_zhang": "张三", "p_li": "李四", "p_wang": "王五"},
    "en": {"p_tom": "Tom", "p_mary": "Mary", "p_wei": "Wei"},
}
COMES_TO = (
    "我来联系张三|ask Tom",
    "已经转告李四|Mary has been told",
    "10:30 提醒你|10:30 I'll remind you",
    "每周五 16:00 问李四|every Friday at 16:00 I.ll ask Mary",
    "等到「部署完」就提醒你|as soon as I hear .the deployment is done. I'll remind you",
    "每天 17:00 看一次|every day at 17:00",
    "我留意着|look out for",
    "记下了|Noted",
    "要我跟进|Shall I follow up",
    "李四这边没有在跟进的事|Nothing is open with Mary",
    "工作时间 09:00-18:00|Works 09:00-18:00",
    "张三|no message from Mary",
    "李四的邀请|invite for Mary",
    "记下了：张三|leave Tom alone until",
    "也问王五|ask Mary about",
    "改成加急|is urgent now",
    "不再跟了|is off",
)
"""What the owner reads of each of them, in either language."""


TODAY = {"now": "2026-03-16T10:00:00+08:00", "timezone": "Asia/Shanghai", "brain": "rules"}


def phrases(column: int) -> list[str]:
    """What README says that one can say, in the order in which it stands there."""
    rows = README.split("| 说 | say | then |")[1].split("\n\n")[0].splitlines()[2:]
    return [phrase for row in rows for phrase in row.split(" | ")[column].strip("| ").split(" / ")]


@pytest.mark.parametrize(("column", "language"), [(0, "zh-CN"), (1, "en")])
def test_what_one_can_say_is_read_by_rules_alone(column: int, language: str, tmp_path: Path) -> None:
    owner = {"id": "p_owner", "name": "Grace", "role": "owner", "telegram": "1", "language": language}
    others = [{"id": i, "name": name, "telegram": i[2:]} for i, name in PEOPLE[language].items()]
    for n, (phrase, wanted) in enumerate(zip(phrases(column), COMES_TO, strict=True)):
        # What the first one raises is open while the others are said: some change it or ask after it.
        said = [phrase] if n == 0 else [phrases(column)[0], phrase]
        steps = [{"say": {"who": "p_owner", "text": text}} for text in said]
        scenario = {**TODAY, "title": phrase, "locale": language, "people": [owner, *others], "steps": steps}
        file = tmp_path / f"{n}.yaml"
        file.write_text(yaml.safe_dump(scenario, allow_unicode=True), encoding="utf-8")
        read = read_scenario(file)
        told = [line.text for line in asyncio.run(play(read, Play(read.brain))).lines if line.to == owner["name"]]
        assert re.search(wanted, told[-1]), (phrase, told[-1])


def test_labelled_cases_that_are_named_can_be_read() -> None:
    text = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {file for glob in re.findall(r"tests/data/judgement/[\w*]+\.jsonl", text) for file in ROOT.glob(glob)}
    assert named
    assert all(read_cases(file) for file in named)


def test_every_command_that_is_named_exists() -> None:
    named = set(re.findall(r"`(/[a-z]+)", README))
    assert named
    assert named <= {f"/{name}" for name in COMMANDS}


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z-]+)`", README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    assert named
    assert named <= targets


def test_every_file_that_is_named_exists() -> None:
    text = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {n for n in re.findall(r"`((?:core|bot|tests|templates|data|docs)/[\w/.-]+)`", text) if "NAME" not in n}
    missing = sorted(n for n in named if not (ROOT / n).exists())
    assert named
    assert not missing


if __name__ == "__main__":
    (ROOT / "README.md").write_text(filled(README), encoding="utf-8")
