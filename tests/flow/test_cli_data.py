"""`backup` and `person` as an operator types them: what is printed, and how they end."""

import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

import run

CONFIG = """
[owner]
id = "p_owner"
name = "老板"
telegram = "1001"

[[people]]
id = "p_zhangsan"
name = "张三"
telegram = "2001"
"""


@pytest.fixture(autouse=True)
def home(empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (empty_home / "qinghai.toml").write_text(CONFIG, encoding="utf-8")
    monkeypatch.setenv("QINGHAI_DATABASE_URL", "sqlite:///data/bot.db")
    return empty_home


def called(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    """Exit status, standard output, standard error; never with a trace."""
    try:
        status = run.main(argv)
    except SystemExit as end:
        status = int(end.code or 0)
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return status, out, err


@pytest.fixture
def people() -> None:
    """As after the first start."""
    from bot.app import _load_people
    from bot.cli.start import configured
    from bot.store import PeeweeStore

    settings = configured(None, quiet=True)
    store = PeeweeStore(settings.database_url, inline=True)
    store.run_now(lambda repos: _load_people(repos, settings.people))
    store.close()


@pytest.mark.usefixtures("people")
def test_backup(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    status, out, err = called(capsys, "backup", "copy.db")
    assert (status, err) == (0, "")
    assert out.startswith("copy.db: 0.")
    assert out.endswith(" MB, complete\n")
    assert stat.S_IMODE((home / "copy.db").stat().st_mode) == 0o600
    with closing(sqlite3.connect(home / "copy.db")) as db:
        assert db.execute("SELECT COUNT(*) FROM people").fetchone() == (2,)
    status, out, err = called(capsys, "backup", "copy.db")
    assert (status, out, err) == (2, "", "run.py: copy.db is there already: name a new file for the backup\n")


def test_backup_before_the_first_start(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    status, _, err = called(capsys, "backup", "copy.db")
    assert (status, err) == (2, "run.py: there is no database data/bot.db yet: check QINGHAI_DATABASE_URL\n")
    assert not (home / "data").exists()


@pytest.mark.usefixtures("people")
def test_person_export(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = called(capsys, "person", "export", "p_zhangsan")
    assert (status, err) == (0, "")
    assert json.loads(out)["person"]["name"] == "张三"


@pytest.mark.usefixtures("people")
def test_person_forget(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    status, out, err = called(capsys, "person", "forget", "p_zhangsan")
    assert (status, err) == (0, "")
    assert out.splitlines()[-2:] == [
        "p_zhangsan still stands in qinghai.toml: take the entry out, or the next start brings them back",
        "not within reach: their chats on the channels themselves, backups made before, logs kept elsewhere",
    ]
    assert "张三".encode() not in (home / "data" / "bot.db").read_bytes()
    status, _, err = called(capsys, "person", "forget", "p_zhangsan")
    assert (status, err) == (2, "run.py: nobody has the id 'p_zhangsan'; known are p_owner.\n")


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("person", "forget", "p_owner"), "p_owner is the owner, and the bot is theirs: make somebody else the owner"),
        (("person", "forget", "p_zhangsn"), "nobody has the id 'p_zhangsn'; did you mean 'p_zhangsan'?"),
        (("person", "export", "张三"), "nobody has the id '张三'; known are p_owner, p_zhangsan."),
        (("person",), "the following arguments are required: WHAT"),
        (("backup",), "the following arguments are required: FILE"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(
    capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], said: str
) -> None:
    status, out, err = called(capsys, *argv)
    assert (status, out) == (2, "")
    assert said in err.splitlines()[-1]
