"""`run.py serve` as a process: how it ends, and what it must never tell."""

from __future__ import annotations

import signal
import stat
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from core.jobs import JobState
from tests.wire.botapi import BotApi, Fault
from tests.wire.botapi.harness import bot_api
from tests.wire.fake_openai import fails, fake_openai, stalls
from tests.wire.feishu_api import Fault as FeishuFault
from tests.wire.feishu_api import events as feishu_events
from tests.wire.feishu_api.harness import feishu_api
from tests.wire.house import ASK_BOTH, LISI, OWNER, PEOPLE, ZHANGSAN
from tests.wire.process import served

pytestmark = pytest.mark.wire

ANY_HOUR = {"working_hours": "00:00-24:00", "working_days": "daily"}
ALWAYS_THERE: dict[str, Any] = {
    "owner": PEOPLE["owner"],
    "people": [{**person, **ANY_HOUR} for person in PEOPLE["people"]],
}


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        running.add_user(LISI, "李四")
        yield running


async def test_sigterm_in_the_middle_of_work_ends_it_well_and_loses_nothing(server: BotApi, tmp_path: Path) -> None:
    talkers = [{"id": f"p_{n}", "name": f"成员{n}", "telegram": 3000 + n, "role": "member"} for n in range(40)]
    async with served(server, tmp_path, {"owner": PEOPLE["owner"], "people": talkers}) as it:
        await it.start()
        for n in range(40):
            server.user_says(3000 + n, "在吗")
        await server.until(lambda: len(server.sent) >= 5, 30)
        began = time.monotonic()
        assert await it.end(signal.SIGTERM) == 0
        assert time.monotonic() - began < 10
        await it.start()
        await it.worked_off(60)
        assert await it.end(signal.SIGINT) == 0
        assert it.look(lambda repos: repos.jobs.list((JobState.IN_DOUBT, JobState.DEAD), 1)) == ()
    assert sorted(sent.chat for sent in server.sent) == [3000 + n for n in range(40)]
    assert "Traceback" not in it.log.read_text(encoding="utf-8")


async def test_what_is_written_in_one_breath_is_one_request(server: BotApi, tmp_path: Path) -> None:
    async with served(server, tmp_path, ALWAYS_THERE, breath="2s") as it:
        await it.start()
        server.user_says(OWNER, "帮我问一下李四")
        began = time.monotonic()
        server.user_says(OWNER, "v2.0 什么时候能提测")
        await server.until(lambda: len(server.sent) >= 2, 30)
        assert time.monotonic() - began >= 2
        await it.worked_off(30)
        assert await it.end(signal.SIGTERM) == 0
    assert sorted(sent.chat for sent in server.sent) == sorted([OWNER, LISI])
    (question,) = (sent.text for sent in server.sent if sent.chat == LISI)
    assert "v2.0" in question


async def test_sigterm_waits_neither_for_a_model_nor_for_a_channel_that_hangs(server: BotApi, tmp_path: Path) -> None:
    async with fake_openai() as answers:
        answers.otherwise = stalls()
        environment = {
            "QINGHAI_MODEL__BASE_URL": answers.url,
            "QINGHAI_MODEL__API_KEY": "sk-x",
            "QINGHAI_MODEL__NAME": "m",
        }
        async with served(server, tmp_path, PEOPLE, **environment) as it:
            await it.start()
            server.faults.append(Fault("stall", chat=ZHANGSAN))
            server.user_says(ZHANGSAN, "/whoami")
            server.user_says(OWNER, "在吗")
            await server.until(lambda: server.faults[0].times == 0 and answers.requests, 30)
            began = time.monotonic()
            assert await it.end(signal.SIGTERM) == 0
            assert time.monotonic() - began < 10


async def test_secrets_reach_no_log_no_chat_and_no_database(server: BotApi, tmp_path: Path) -> None:
    key = "sk-planted-4711-key"
    async with fake_openai() as answers:
        # Some servers quote the key back.
        answers.otherwise = fails(401, "invalid_api_key", f"Incorrect API key provided: {key}")
        environment = {
            "QINGHAI_MODEL__BASE_URL": answers.url,
            "QINGHAI_MODEL__API_KEY": key,
            "QINGHAI_MODEL__NAME": "m",
            "QINGHAI_LOG_LEVEL": "DEBUG",
        }
        async with served(server, tmp_path, ALWAYS_THERE, **environment) as it:
            await it.start()
            server.faults += [Fault("drop", chat=OWNER), Fault("status", method="getUpdates", times=2)]
            server.user_says(OWNER, ASK_BOTH)
            server.user_says(OWNER, "在吗")
            await server.until(lambda: server.sent_to(ZHANGSAN) and server.sent_to(LISI), 60)
            server.user_says(ZHANGSAN, "周四能提测")
            await server.refuse()
            await server.until(lambda: "cannot be reached" in it.log.read_text(encoding="utf-8"), 60)
            await server.listen()
            server.user_says(OWNER, "还在吗")
            await server.until(lambda: len(server.sent_to(OWNER)) >= 2, 60)
            assert await it.end(signal.SIGTERM) == 0
    assert any(key in header for header in answers.keys)
    log = it.log.read_text(encoding="utf-8")
    assert "refused the key" in log
    told = "\n".join(sent.text for sent in server.sent)
    stored = b"".join(file.read_bytes() for file in it.database.parent.iterdir())
    assert b"p_zhangsan" in stored
    for secret in (server.token, server.token.partition(":")[2], key):
        assert secret not in log
        assert secret not in told
        assert secret.encode() not in stored
    assert stat.S_IMODE(it.database.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in it.database.parent.iterdir()} == {0o600}


async def test_secrets_of_feishu_reach_no_log_no_chat_and_no_database(server: BotApi, tmp_path: Path) -> None:
    """With both channels, the library's own talk included, through what makes libraries talk."""
    async with feishu_api() as feishu:
        environment = {
            "QINGHAI_FEISHU__APP_ID": feishu.app_id,
            "QINGHAI_FEISHU__APP_SECRET": feishu.app_secret,
            "QINGHAI_FEISHU__DOMAIN": feishu.domain,
            "QINGHAI_LOG_LEVEL": "DEBUG",
        }
        people = {"owner": {**PEOPLE["owner"], "feishu": "ou_owner"}, "people": ALWAYS_THERE["people"]}
        async with served(server, tmp_path, people, **environment) as it:
            await it.start()
            await feishu.until(lambda: feishu.connections, 60)
            feishu.faults.append(FeishuFault("code", code=99991400, msg="too many"))
            await feishu.push(feishu_events.message("ou_owner", "在吗"))
            await feishu.until(lambda: feishu.sent_to("ou_owner"), 60)
            feishu.revoke_tokens()
            feishu.break_connections()
            await feishu.until(lambda: feishu.connected_times > 1 and feishu.connections, 60)
            await feishu.push(feishu_events.message("ou_owner", "还在吗"))
            await feishu.until(lambda: len(feishu.sent_to("ou_owner")) > 1, 60)
            assert await it.end(signal.SIGTERM) == 0
    log = it.log.read_text(encoding="utf-8")
    assert "DEBUG" in log
    assert len(feishu.tokens) > 1
    told = "\n".join(sent.text for sent in feishu.sent)
    stored = b"".join(file.read_bytes() for file in it.database.parent.iterdir())
    for secret in (feishu.app_secret, "planted-ticket", *feishu.tokens, server.token):
        assert secret not in log
        assert secret not in told
        assert secret.encode() not in stored
