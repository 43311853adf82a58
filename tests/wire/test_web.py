"""The HTTP inlet on a real socket: health, readiness, metrics, and what it refuses."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.metrics import FACTS, JUDGEMENTS
from bot.web.house import Gauge
from bot.web.server import Inlet, listen
from core.errors import ConfigurationError, StorageFailed

pytestmark = pytest.mark.wire


class House:
    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.numbers: Sequence[Gauge] = (Gauge("qinghai_jobs_due", "Jobs whose time has come", 3),)
        self.failure: Exception | None = None
        self.waiting = asyncio.Event()
        self.go = asyncio.Event()
        self.go.set()

    async def problems(self) -> list[str]:
        self.waiting.set()
        await self.go.wait()
        return self.wrong

    async def gauges(self) -> Sequence[Gauge]:
        if self.failure is not None:
            raise self.failure
        return self.numbers


@asynccontextmanager
async def inlet(house: House) -> AsyncIterator[tuple[Inlet, httpx.AsyncClient]]:
    made = Inlet("127.0.0.1", 0, house)
    made.start()
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{made.port}", trust_env=False) as client:
            yield made, client
    finally:
        house.go.set()
        await made.stop()


async def test_alive_and_ready() -> None:
    async with inlet(House()) as (_, client):
        alive, ready = await client.get("/healthz"), await client.get("/readyz")
    assert (alive.status_code, alive.text) == (200, "alive\n")
    assert (ready.status_code, ready.text) == (200, "ready\n")
    assert "server" not in alive.headers


async def test_what_is_wrong_is_told_in_a_line_each_and_it_is_still_alive() -> None:
    house = House()
    house.wrong = ["database: gone", "scheduler: no scan for 60 s"]
    async with inlet(house) as (_, client):
        ready, alive = await client.get("/readyz"), await client.get("/healthz")
    assert (ready.status_code, ready.text) == (503, "database: gone\nscheduler: no scan for 60 s\n")
    assert alive.status_code == 200


def samples(page: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


async def test_metrics_hold_counts_times_and_numbers_of_now() -> None:
    channel = 'a "quoted"\nchannel'
    FACTS.count(channel, "message")
    FACTS.count(channel, "message")
    JUDGEMENTS.took(1.5, "of this test", "rules")
    JUDGEMENTS.took(0.5, "of this test", "rules")
    async with inlet(House()) as (_, client):
        answer = await client.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found = samples(answer.text)
    assert found["qinghai_facts_total", (("channel", channel), ("kind", "message"))] == 2
    labels = (("brain", "rules"), ("decision", "of this test"))
    assert found["qinghai_judgement_seconds_count", labels] == 2
    assert found["qinghai_judgement_seconds_sum", labels] == 2.0
    assert found["qinghai_jobs_due", ()] == 3
    assert found["process_resident_memory_bytes", ()] > 0


async def test_without_its_database_the_counts_are_still_told() -> None:
    house = House()
    house.failure = StorageFailed("database x: gone")
    async with inlet(house) as (_, client):
        answer = await client.get("/metrics")
    assert answer.status_code == 200
    assert "qinghai_facts" in answer.text
    assert "qinghai_jobs_due" not in answer.text


@pytest.mark.parametrize(
    ("method", "path", "status", "sentence"),
    [
        ("GET", "/", 404, "there is nothing at /"),
        ("GET", "/metrics/{x}", 404, "there is nothing at /metrics/{x}"),
        ("POST", "/facts", 404, "there is nothing at /facts"),
        ("POST", "/healthz", 405, "/healthz takes GET, HEAD"),
        ("DELETE", "/metrics", 405, "/metrics takes GET, HEAD"),
    ],
)
async def test_anything_else_is_refused_with_one_sentence(method: str, path: str, status: int, sentence: str) -> None:
    async with inlet(House()) as (_, client):
        answer = await client.request(method, path, content=b"x" if method == "POST" else None)
    assert (answer.status_code, answer.json()) == (status, {"error": sentence})


async def test_a_fault_of_ours_is_a_sentence_without_its_particulars(caplog: pytest.LogCaptureFixture) -> None:
    house = House()
    house.failure = RuntimeError("planted words")
    with caplog.at_level(logging.ERROR):
        async with inlet(house) as (_, client):
            answer = await client.get("/metrics")
    assert (answer.status_code, answer.json()) == (500, {"error": "something went wrong here"})
    assert any(record.exc_info for record in caplog.records)


async def test_stopping_answers_what_was_asked_and_then_listens_no_more() -> None:
    house = House()
    house.go.clear()
    async with inlet(house) as (made, client):
        asked = asyncio.create_task(client.get("/readyz"))
        await house.waiting.wait()
        stopping = asyncio.create_task(made.stop())
        with pytest.raises(httpx.TransportError):
            await _knock(f"http://127.0.0.1:{made.port}/healthz")
        house.go.set()
        assert (await asked).status_code == 200
        await stopping
        with pytest.raises(httpx.ConnectError):
            await client.get("/healthz")


async def _knock(url: str) -> None:
    """Until nobody opens."""
    while True:
        async with httpx.AsyncClient(trust_env=False) as late:
            await late.get(url)


async def test_signals_stay_with_the_bot() -> None:
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    async with inlet(House()) as (_, client):
        await client.get("/healthz")
        assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before


def test_a_port_that_is_taken_is_named_with_the_cure() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigurationError, match=f"http.port = {port} on 127.0.0.1.*QINGHAI_HTTP__PORT"):
            Inlet("127.0.0.1", port, _house())


@pytest.mark.parametrize("host", ["203.0.113.7", "a..b", ""])
def test_a_host_that_is_not_here_is_named(host: str) -> None:
    if host == "":
        listen(host, 0).close()  # every address of this machine
        return
    with pytest.raises(ConfigurationError, match=r"QINGHAI_HTTP__HOST"):
        listen(host, 0)


def _house() -> House:
    return House()
