"""The shape of the house: what import-linter cannot see."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAX_ROOM_LINES = 400
MAX_FUNCTION_LINES = 60

CORE = sorted((ROOT / "core").rglob("*.py"))
BOT = sorted((ROOT / "bot").rglob("*.py"))
ROOMS = [*CORE, *BOT, *ROOT.glob("run.py")]

# Each as it is written at the end of a call: `datetime.now`, `dt.datetime.now`, `uuid.uuid4`, `uuid4`.
WALL_CLOCK = {
    "datetime.now", "datetime.utcnow", "datetime.today", "date.today",
    "time.time", "time.time_ns", "time.localtime", "time.gmtime",
}  # fmt: skip
OTHER_CLOCKS = {"time.monotonic", "time.monotonic_ns", "time.perf_counter", "time.perf_counter_ns", "time.sleep"}
CHANCE = {"uuid1", "uuid4", "uuid.uuid1", "uuid.uuid4", "os.urandom"}
CHANCE_MODULES = {"random", "secrets"}


def name_of(room: Path) -> str:
    return room.relative_to(ROOT).as_posix()


def tree_of(room: Path) -> ast.Module:
    return ast.parse(room.read_text(encoding="utf-8"), filename=str(room))


def dotted(node: ast.expr) -> str:
    """`a.b.c` as text; what does not begin with a name (a call, an index) is left out."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
    return ".".join(reversed(parts))


def imported_names(tree: ast.Module) -> dict[str, str]:
    """What a local name stands for: `from uuid import uuid4 as new` gives {"new": "uuid.uuid4"}."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update({alias.asname: alias.name for alias in node.names if alias.asname})
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return names


def mentions(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and full name of every dotted name read in a module: calls, and functions passed on uncalled."""
    names = imported_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
            head, _, rest = dotted(node).partition(".")
            full = names.get(head, head)
            yield node.lineno, f"{full}.{rest}" if rest else full


def mentioned(tree: ast.Module, forbidden: set[str]) -> list[str]:
    return [
        f"line {line}: {name}"
        for line, name in mentions(tree)
        if any(name == bad or name.endswith(f".{bad}") for bad in forbidden)
    ]


def imported_modules(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end, without the docstring."""
    assert function.end_lineno is not None
    lines = function.end_lineno - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is not None and first.end_lineno is not None:
        lines -= first.end_lineno - first.lineno + 1
    return lines


def test_there_are_rooms_to_look_at() -> None:
    assert CORE
    assert BOT


@pytest.mark.parametrize("room", ROOMS, ids=name_of)
def test_no_room_is_too_long(room: Path) -> None:
    lines = len(room.read_text(encoding="utf-8").splitlines())
    assert lines <= MAX_ROOM_LINES, f"{lines} lines: it is probably two rooms"


@pytest.mark.parametrize("room", ROOMS, ids=name_of)
def test_no_function_is_too_long(room: Path) -> None:
    long = [
        f"{node.name} (line {node.lineno}): {body_lines(node)} lines"
        for node in ast.walk(tree_of(room))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and body_lines(node) > MAX_FUNCTION_LINES
    ]
    assert not long


@pytest.mark.parametrize("room", ROOMS, ids=name_of)
def test_nothing_is_left_to_do(room: Path) -> None:
    left = [
        f"line {number}: {line.strip()}"
        for number, line in enumerate(room.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"\b(TODO|FIXME|XXX)\b", line)
    ]
    assert not left


@pytest.mark.parametrize("room", CORE, ids=name_of)
def test_core_reads_no_clock(room: Path) -> None:
    assert not mentioned(tree_of(room), WALL_CLOCK | OTHER_CLOCKS)


@pytest.mark.parametrize("room", CORE, ids=name_of)
def test_core_leaves_nothing_to_chance(room: Path) -> None:
    tree = tree_of(room)
    assert not mentioned(tree, CHANCE)
    assert not imported_modules(tree) & CHANCE_MODULES


@pytest.mark.parametrize("room", [room for room in BOT if name_of(room) != "bot/system.py"], ids=name_of)
def test_only_one_room_reads_the_wall_clock(room: Path) -> None:
    assert not mentioned(tree_of(room), WALL_CLOCK)


@pytest.mark.parametrize(
    "source",
    [
        "import datetime as dt\ndt.datetime.now()",
        "from datetime import datetime\nx = datetime.now(tz)",
        "from datetime import date as day\nday.today()",
        "import time\ntime.time()",
        "from time import time as seconds\nseconds()",
        "from datetime import datetime\nfield(default_factory=datetime.now)",
    ],
)
def test_the_clock_check_sees_a_clock(source: str) -> None:
    assert mentioned(ast.parse(source), WALL_CLOCK)


def test_the_clock_check_leaves_an_argument_alone() -> None:
    assert not mentioned(
        ast.parse("from datetime import time\ndef f(now): return now.time(), time(9), self.now()"), WALL_CLOCK
    )
