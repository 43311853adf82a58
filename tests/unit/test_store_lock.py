"""An SQLite file has one working process; its outages are told once."""

from __future__ import annotations

import logging
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bot.store import PeeweeStore
from bot.store.database.lock import only_one
from bot.store.database.outage import QUIET_S, Outage
from core.errors import ConfigurationError, StorageFailed


def test_a_second_process_on_a_file_is_refused_and_whoever_looks_is_not(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'bot.db'}"
    with only_one(url):
        with pytest.raises(ConfigurationError, match="another serve or console"), only_one(url):
            pass
        store = PeeweeStore(url, inline=True)
        assert store.run_now(lambda repos: repos.facts.unhandled_count()) == 0
        store.close()
        with only_one(f"sqlite:///{tmp_path / 'other.db'}"):
            pass
    with only_one(url):
        pass
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "new" / "bot.db.lock").stat().st_mode) == 0o600


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'bot.db'}"
    hold = "import sys, time\nfrom bot.store.database.lock import only_one\nwith only_one(sys.argv[1]):\n print(1, flush=True)\n time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", hold, url], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"1\n"
        with pytest.raises(ConfigurationError), only_one(url):
            pass
        process.kill()
        process.wait()
        with only_one(url):
            pass


@pytest.mark.parametrize("url", ["sqlite:///:memory:", "postgresql://postgres@127.0.0.1:5432/test"])
def test_what_no_other_process_can_see_or_a_server_minds_is_not_locked(url: str) -> None:
    with only_one(url), only_one(url):
        pass


def test_an_outage_is_told_once_and_so_is_its_end(caplog: pytest.LogCaptureFixture) -> None:
    now = 100.0
    outage = Outage(lambda: now)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            outage.failed(StorageFailed("full"))
            outage.well()
        assert [record.levelname for record in caplog.records] == ["ERROR"]
        now += QUIET_S
        outage.well()
        outage.well()
        assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
        outage.failed(StorageFailed("full"))
        assert len(caplog.records) == 3


def test_the_store_tells_of_its_own_outages(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "bot.db"
    store = PeeweeStore(f"sqlite:///{file}", inline=True)
    other = PeeweeStore(f"sqlite:///{file}", inline=True)
    store._db.execute_sql("PRAGMA busy_timeout = 1")

    def inside(_: object) -> None:
        for _ in range(3):
            with pytest.raises(StorageFailed, match="locked"):
                store.run_now(lambda repos: repos.meta.set("a", "1"))

    other.run_now(inside)
    store.run_now(lambda repos: repos.meta.set("a", "1"))
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    store.close()
    other.close()
