"""What holds for every test: no network, a hypothesis profile, and when a service may be missing.

A test without a mark reaches no network at all. One marked wire, npm, postgres or crash reaches loopback.
"""

import ipaddress
import logging
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

NODE_MODULES = Path(__file__).parent.parent / ".node" / "node_modules"
LOOPBACK_MARKS = ("wire", "npm", "postgres", "crash")
DEFAULT_POSTGRES_URL = "postgresql://postgres@127.0.0.1:5432/test"

settings.register_profile("test", deadline=None, max_examples=100)
settings.register_profile("ci", deadline=None, max_examples=100, derandomize=True, print_blob=True)
settings.register_profile("sweep", deadline=None, max_examples=2000)
settings.load_profile("sweep" if os.environ.get("QINGHAI_SWEEP") else "ci" if os.environ.get("CI") else "test")


class NetworkForbidden(Exception):
    """A test reached for the network. No OSError, so that code under test does not take it for a failed connection."""


def _is_loopback(address: Any) -> bool:
    host = address[0]
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def _no_network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails the test that connects where it may not, even when the code under test swallows the exception."""
    loopback = any(request.node.get_closest_marker(mark) for mark in LOOPBACK_MARKS)
    attempts: list[str] = []

    def guarded(connect: Any) -> Any:
        def call(sock: socket.socket, address: Any) -> Any:
            local = sock.family == getattr(socket, "AF_UNIX", None)
            if local or (loopback and _is_loopback(address)):
                return connect(sock, address)
            attempts.append(repr(address))
            raise NetworkForbidden(f"a test connected to {address!r}")

        return call

    monkeypatch.setattr(socket.socket, "connect", guarded(socket.socket.connect))
    monkeypatch.setattr(socket.socket, "connect_ex", guarded(socket.socket.connect_ex))
    yield
    if attempts:
        where = "only loopback is open here" if loopback else "mark the test wire, npm, postgres or crash"
        pytest.fail(f"connected to {', '.join(attempts)}: {where}", pytrace=False)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("npm") and not NODE_MODULES.is_dir():
        if os.environ.get("QINGHAI_TEST_NPM"):
            pytest.fail("the npm servers are missing: make node", pytrace=False)
        pytest.skip("the npm servers are missing: make node")


@pytest.fixture(scope="session")
def postgres_url() -> str:
    """The URL of a PostgreSQL for tests marked postgres: QINGHAI_TEST_POSTGRES if it is a URL, else the default.

    Where none answers the test is skipped, unless QINGHAI_TEST_POSTGRES or CI asks for one: then it fails.
    """
    import psycopg

    wanted = os.environ.get("QINGHAI_TEST_POSTGRES", "")
    url = wanted if "://" in wanted else DEFAULT_POSTGRES_URL
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.OperationalError as error:
        if wanted or os.environ.get("CI"):
            pytest.fail(f"PostgreSQL does not answer: {error}", pytrace=False)
        pytest.skip("no PostgreSQL here")
    return url


@pytest.fixture
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder, an environment without settings, and the log as it was afterwards: for commands of run.py."""
    monkeypatch.chdir(tmp_path)
    for name in [n for n in os.environ if n.startswith("QINGHAI_")]:
        monkeypatch.delenv(name)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield tmp_path
    root.handlers[:] = handlers
    root.setLevel(level)
