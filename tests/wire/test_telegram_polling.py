"""Taking updates in: nothing is acknowledged before it is stored, and nothing holds the rest up."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from bot.channels.telegram.inbound import ALLOWED_UPDATES
from bot.channels.telegram.polling import CONFLICT_PAUSE, FIRST_PAUSE, LONGEST_PAUSE
from bot.system import VirtualClock
from core.errors import ConfigurationError, TransientDeliveryError
from core.facts import FactKind
from tests.sampling import WHOLE
from tests.wire.botapi import BotApi, Fault
from tests.wire.botapi.harness import Inbox, Pauses, bot_api, channel_for
from tests.wire.loopback import live

pytestmark = pytest.mark.wire

MANY = 5000 if WHOLE else 700


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        yield running


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


def polls(server: BotApi) -> list[dict[str, object]]:
    return [params for method, params in server.calls if method == "getUpdates"]


async def test_what_people_do_comes_in_as_facts_in_its_order(server: BotApi, inbox: Inbox) -> None:
    async with live(channel_for(server), inbox.emit):
        asked = server.user_says(1001, "帮我问一下张三")
        server.user_says(2001, "收到", reply_to=None)
        server.user_edits(1001, asked, "帮我问一下张三李四")
        await server.until(lambda: len(inbox.facts) == 3)
    assert [(fact.kind, fact.conversation, fact.text) for fact in inbox.facts] == [
        (FactKind.MESSAGE, "telegram:1001", "帮我问一下张三"),
        (FactKind.MESSAGE, "telegram:2001", "收到"),
        (FactKind.EDIT, "telegram:1001", "帮我问一下张三李四"),
    ]
    assert inbox.facts[0].message_id == inbox.facts[2].message_id == str(asked)
    assert inbox.facts[0].sender_name == "老板"


async def test_an_update_is_confirmed_only_after_it_was_stored(server: BotApi, inbox: Inbox) -> None:
    inbox.gate.clear()
    async with live(channel_for(server), inbox.emit):
        server.user_says(1001, "一")
        server.user_says(1001, "二")
        await server.until(lambda: inbox.entered == 1)
        assert len(server.world.updates) == 2
        inbox.gate.set()
        await server.until(lambda: not server.world.updates)
    assert inbox.texts == ["一", "二"]
    assert polls(server)[0].get("offset") is None


async def test_killed_while_it_stores_it_gets_the_same_update_again(server: BotApi, inbox: Inbox) -> None:
    inbox.gate.clear()
    server.user_says(1001, "别丢")
    async with live(channel_for(server), inbox.emit):
        await server.until(lambda: inbox.entered == 1)
    assert inbox.facts == []
    inbox.gate.set()
    async with live(channel_for(server), inbox.emit):
        await server.until(lambda: inbox.facts != [])
    assert inbox.texts == ["别丢"]
    assert inbox.copies == 0


async def test_killed_five_times_in_a_backlog_it_loses_nothing(server: BotApi, inbox: Inbox) -> None:
    for number in range(MANY):
        server.user_says(1000 + number % 7, f"消息 {number}")
    for kill in range(1, 6):
        async with live(channel_for(server), inbox.emit):
            await server.until(lambda reached=kill * MANY // 7: len(inbox.facts) >= reached)
    async with live(channel_for(server), inbox.emit):
        await server.until(lambda: not server.world.updates, timeout=60)
    assert inbox.texts == [f"消息 {number}" for number in range(MANY)]
    assert inbox.copies <= 5 * 100


async def test_while_nothing_can_be_stored_nothing_is_confirmed_or_overtaken(
    server: BotApi, inbox: Inbox, caplog: pytest.LogCaptureFixture
) -> None:
    pauses = Pauses()
    channel = channel_for(server, sleep=pauses)
    inbox.trouble = OSError("disk full")
    async with live(channel, inbox.emit):
        server.user_says(1001, "一")
        server.user_says(1001, "二")
        await server.until(lambda: len(pauses.taken) >= 9)
        assert "could not be stored" in channel.status
        assert channel.trouble == "storage"
        assert not channel.ready
        assert len(server.world.updates) == 2
        inbox.trouble = None
        await server.until(lambda: not server.world.updates)
        assert channel.ready
    assert inbox.texts == ["一", "二"]
    assert pauses.taken[:9] == [1, 2, 4, 8, 16, 32, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE]
    assert caplog.text.count("could not be stored") == 1


async def test_an_update_that_cannot_be_read_is_set_aside(
    server: BotApi, inbox: Inbox, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "这一句不进日志"
    number = server.push("message", {"message_id": 1, "from": {"id": "?"}, "text": secret})
    server.push("message", {"chat": None})
    server.user_says(1001, "后面的照常")
    async with live(channel_for(server), inbox.emit):
        await server.until(lambda: not server.world.updates)
        await server.until(lambda: inbox.texts == ["后面的照常"])
    assert f"update {number} is set aside" in caplog.text
    assert secret not in caplog.text
    assert len(polls(server)) < 6


async def test_what_has_no_number_is_passed_over_with_what_comes_after_it(server: BotApi, inbox: Inbox) -> None:
    pauses = Pauses()
    channel = channel_for(server, sleep=pauses)
    for broken in ({"message": {}}, {"update_id": "7"}, {"update_id": True}, {"update_id": 10**30}, {"update_id": -5}):
        server.push_raw(broken, numbered=False)
    async with live(channel, inbox.emit):
        await server.until(lambda: len(pauses.taken) >= 9)
        assert channel.trouble == "fault"
        assert "no number" in channel.status
        server.user_says(1001, "后面的照常")
        await server.until(lambda: not server.world.updates)
        await server.until(lambda: channel.ready)
    assert inbox.texts == ["后面的照常"]
    assert set(pauses.taken) == {FIRST_PAUSE}  # nobody who writes behind them waits for long


async def test_only_what_is_understood_is_asked_for_and_each_time(server: BotApi, inbox: Inbox) -> None:
    server.world.allowed = ["poll"]
    async with live(channel_for(server), inbox.emit):
        await server.until(lambda: len(polls(server)) == 1)
        server.user_says(1001, "在吗")
        server.push("my_chat_member", {})
        await server.until(lambda: len(polls(server)) == 2)
    assert inbox.texts == ["在吗"]
    assert all(params["allowed_updates"] == list(ALLOWED_UPDATES) for params in polls(server))


async def test_a_webhook_from_before_is_taken_away_and_what_waits_is_kept(server: BotApi, inbox: Inbox) -> None:
    server.world.webhook = "https://example.com/hook"
    server.user_says(1001, "之前说的")
    async with live(channel_for(server), inbox.emit):
        await server.until(lambda: inbox.texts == ["之前说的"])
    assert server.world.webhook == ""


async def test_two_pollers_are_said_once_and_the_one_that_stays_goes_on(
    server: BotApi, inbox: Inbox, caplog: pytest.LogCaptureFixture
) -> None:
    pauses = Pauses()
    channel = channel_for(server, sleep=pauses)
    async with live(channel, inbox.emit):
        await server.until(lambda: polls(server) != [])
        other = channel_for(server, sleep=Pauses())
        async with live(other, inbox.emit):
            await server.until(lambda: server.conflicts > 6)
            await server.until(lambda: "another process" in channel.status and channel.trouble == "another")
        assert set(pauses.taken) == {CONFLICT_PAUSE}
        server.user_says(1001, "还在吗")
        await server.until(lambda: inbox.texts == ["还在吗"])
        await server.until(lambda: channel.ready)
    said = [record for record in caplog.records if "another process polls" in record.getMessage()]
    assert len(said) == 2, "one for each of the two"
    assert not any(record.exc_info for record in said)


async def test_a_wrong_token_is_a_configuration_error_that_names_the_setting(server: BotApi, inbox: Inbox) -> None:
    channel = channel_for(server)
    server.token = "7000000001:another"
    with pytest.raises(ConfigurationError, match="QINGHAI_TELEGRAM__TOKEN") as told:
        await channel.run(inbox.emit)
    assert "test-token" not in str(told.value)
    with pytest.raises(ConfigurationError):
        await channel.check()
    await channel.close()


async def test_a_token_that_worked_is_given_up_only_after_several_refusals(server: BotApi, inbox: Inbox) -> None:
    channel = channel_for(server, sleep=Pauses())
    async with live(channel, inbox.emit) as task:
        await server.until(lambda: channel.ready and polls(server) != [])
        server.faults.append(Fault("error", "getUpdates", times=2, status=401, description="Unauthorized"))
        server.user_says(1001, "一")
        server.user_says(1001, "二")
        await server.until(lambda: inbox.texts == ["一", "二"])
        await server.until(lambda: channel.ready)
        server.faults.append(Fault("error", "getUpdates", times=99, status=401, description="Unauthorized"))
        server.user_says(1001, "三")
        with pytest.raises(ConfigurationError):
            await task
        assert "token" in channel.status
        assert channel.trouble == "token"


async def test_check_tells_the_bots_name_or_what_is_wrong(server: BotApi) -> None:
    channel = channel_for(server)
    assert await channel.check() == server.world.username
    await server.refuse()
    with pytest.raises(TransientDeliveryError):
        await channel.check()
    await channel.close()


@pytest.mark.parametrize("at_start", [True, False])
async def test_a_server_that_is_away_is_asked_again_at_growing_pauses(
    server: BotApi, inbox: Inbox, at_start: bool
) -> None:
    pauses = Pauses()
    channel = channel_for(server, sleep=pauses)
    if at_start:
        await server.refuse()
    async with live(channel, inbox.emit):
        if not at_start:
            await server.until(lambda: channel.ready)
            await server.refuse()
        await server.until(lambda: "cannot be reached" in channel.status)
        assert channel.trouble == "down"
        await server.until(lambda: LONGEST_PAUSE in pauses.taken)
        assert not channel.ready
        await server.listen()
        server.user_says(1001, "回来了")
        await server.until(lambda: inbox.texts == ["回来了"])
        assert channel.username == server.world.username
        assert channel.invite_link("a1") == f"https://t.me/{server.world.username}?start=a1"
    assert sorted(pauses.taken) == pauses.taken


@pytest.mark.parametrize(
    "fault",
    [
        Fault("status", "getUpdates", times=3, status=502),
        Fault("status", "getUpdates", times=3, status=500),
        Fault("drop", "getUpdates", times=3),
        Fault("status", "getUpdates", times=3, status=200),
        Fault("status", "getMe", times=2, status=504),
        Fault("drop", "deleteWebhook", times=2),
    ],
    ids=lambda fault: f"{fault.method} {fault.kind} {fault.status}",
)
async def test_faults_on_the_way_lose_nothing(server: BotApi, inbox: Inbox, fault: Fault) -> None:
    server.faults.append(fault)
    server.user_says(1001, "一")
    async with live(channel_for(server, sleep=Pauses()), inbox.emit):
        await server.until(lambda: not server.world.updates)
    assert fault.times == 0
    assert inbox.texts == ["一"]


async def test_a_wish_to_wait_is_honoured_while_polling(server: BotApi, inbox: Inbox) -> None:
    pauses = Pauses()
    server.faults.append(Fault("retry_after", "getUpdates", seconds=90))
    server.user_says(1001, "一")
    async with live(channel_for(server, sleep=pauses), inbox.emit):
        await server.until(lambda: inbox.texts == ["一"])
    assert pauses.taken == [90]


async def test_a_poll_that_hangs_is_given_up(server: BotApi, inbox: Inbox) -> None:
    server.faults.append(Fault("stall", "getUpdates"))
    server.user_says(1001, "一")
    channel = channel_for(server, poll=timedelta(seconds=0), sleep=Pauses(), patience=timedelta(seconds=0.2))
    async with live(channel, inbox.emit):
        await server.until(lambda: inbox.texts == ["一"])


async def test_a_clock_that_runs_apart_gives_its_own_time(server: BotApi, inbox: Inbox) -> None:
    clock = VirtualClock(datetime(2030, 1, 1, tzinfo=UTC))
    server.world.now = lambda: datetime(2026, 3, 16, 2, 0, tzinfo=UTC).timestamp()
    server.user_says(1001, "一")
    async with live(channel_for(server, clock=clock), inbox.emit):
        await server.until(lambda: len(inbox.facts) == 1)
    server.user_says(1001, "二")
    async with live(channel_for(server, clock=clock, arrival_time=True), inbox.emit):
        await server.until(lambda: len(inbox.facts) == 2)
    assert [fact.occurred_at.year for fact in inbox.facts] == [2026, 2030]


async def test_no_log_at_any_level_holds_the_token(
    server: BotApi, inbox: Inbox, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secret = server.token.partition(":")[2]
    channel = channel_for(server, sleep=Pauses())
    server.faults += [Fault("status", "getUpdates", status=502), Fault("drop", "getUpdates"), Fault("garbage", "getMe")]
    async with live(channel, inbox.emit):
        server.user_says(1001, "一")
        await server.until(lambda: inbox.texts == ["一"])
        await server.refuse()
        await server.until(lambda: not channel.ready)
        await asyncio.sleep(0)
    assert "trying again" in caplog.text
    assert secret not in caplog.text


async def test_after_an_outage_of_weeks_it_still_polls(server: BotApi) -> None:
    inbox = Inbox()
    channel = channel_for(server, sleep=Pauses())
    channel._poller._failures = 100_000
    await server.refuse()
    async with live(channel, inbox.emit):
        await server.until(lambda: channel._poller._failures > 100_003)
        await server.listen()
        server.user_says(1001, "在吗")
        await server.until(lambda: inbox.texts == ["在吗"])
