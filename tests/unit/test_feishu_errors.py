"""What errors of Feishu say about a message, and when its token is renewed."""

import asyncio
from datetime import timedelta

import pytest

from bot.channels.feishu.errors import NoAnswer, NotWritten, Refused, delivery_error
from bot.channels.feishu.tokens import Tokens
from core.errors import PermanentDeliveryError, TransientDeliveryError, UnknownDeliveryError


@pytest.mark.parametrize("code", [99991400, 11232, 230020])
def test_too_much_is_a_definite_no_with_a_wait(code: int) -> None:
    told = delivery_error(Refused(code, "frequency limit", 400))
    assert isinstance(told, TransientDeliveryError)
    assert (told.retry_after, told.outage) == (timedelta(seconds=1), False)
    asked = delivery_error(Refused(code, "", 429, timedelta(seconds=30)))
    assert isinstance(asked, TransientDeliveryError)
    assert asked.retry_after == timedelta(seconds=30)


@pytest.mark.parametrize("code", [230002, 230013, 230029, 230053, 99992361])
def test_who_cannot_be_written_to_is_a_permanent_failure_of_the_chat(code: int) -> None:
    told = delivery_error(Refused(code, "no", 400))
    assert isinstance(told, PermanentDeliveryError)
    assert not told.message_only


@pytest.mark.parametrize(
    ("code", "why"), [(230013, "out_of_range"), (230029, "gone"), (230053, "blocked"), (230002, None)]
)
def test_why_is_told_apart_for_whoever_waits(code: int, why: str | None) -> None:
    told = delivery_error(Refused(code, "no", 400))
    assert isinstance(told, PermanentDeliveryError)
    assert told.shut == why


@pytest.mark.parametrize(
    ("code", "said"), [(230013, "not in the app's range"), (230029, "left the company"), (230002, "not in the group")]
)
def test_why_somebody_cannot_be_written_to_is_told_by_the_code(code: int, said: str) -> None:
    assert said in str(delivery_error(Refused(code, "no", 400)))
    assert str(code) in str(delivery_error(Refused(code, "no", 400)))


def test_a_wrong_parameter_is_told_by_its_words() -> None:
    receiver = delivery_error(Refused(230001, "invalid receive_id", 400))
    content = delivery_error(Refused(230001, "content is not valid json, see https://open.feishu.cn/x", 400))
    assert isinstance(receiver, PermanentDeliveryError)
    assert isinstance(content, PermanentDeliveryError)
    assert (receiver.message_only, content.message_only) == (False, True)
    assert "http" not in str(content)


@pytest.mark.parametrize("code", [230025, 230022, 230099, 4711])
def test_any_other_refusal_is_about_the_message_alone(code: int) -> None:
    told = delivery_error(Refused(code, "no", 400))
    assert isinstance(told, PermanentDeliveryError)
    assert told.message_only


@pytest.mark.parametrize(
    "error", [NoAnswer("ReadTimeout"), Refused(1, "", 502), Refused(230049, "sending", 400), OSError()]
)
def test_what_may_have_arrived_is_unknown(error: Exception) -> None:
    assert isinstance(delivery_error(error), UnknownDeliveryError)


@pytest.mark.parametrize(
    "error", [NotWritten("x"), *(Refused(c, "", 400) for c in (10014, 99991663, 99991672, 230006))]
)
def test_where_the_app_is_not_let_in_every_message_waits(error: Exception) -> None:
    told = delivery_error(error)
    assert isinstance(told, TransientDeliveryError)
    assert told.outage


class Issuer:
    """Gives tokens that last two hours, on a clock of the test's."""

    def __init__(self) -> None:
        self.now = 0.0
        self.given: list[float] = []
        self.in_flight = self.most_in_flight = 0
        self.fails = False

    async def fetch(self) -> tuple[str, float]:
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        await asyncio.sleep(0)
        self.in_flight -= 1
        if self.fails:
            raise ConnectionError
        self.given.append(self.now)
        return f"t{len(self.given)}", 7200.0


async def test_over_a_day_a_good_token_is_always_there_and_one_renewal_at_a_time() -> None:
    issuer = Issuer()
    tokens = Tokens(issuer.fetch, lambda: issuer.now)
    while issuer.now < 24 * 3600:
        answers = await asyncio.gather(*(tokens.get() for _ in range(20)))
        newest = f"t{len(issuer.given)}"
        assert newest in answers
        assert 7200 - (issuer.now - issuer.given[-1]) >= 10 * 60
        issuer.now += 60
    assert issuer.most_in_flight == 1
    assert len(issuer.given) <= 15


async def test_the_old_token_serves_while_no_new_one_is_to_be_had() -> None:
    issuer = Issuer()
    tokens = Tokens(issuer.fetch, lambda: issuer.now)
    assert await tokens.get() == "t1"
    issuer.now, issuer.fails = 7200 - 600.0, True
    assert await tokens.get() == "t1"
    issuer.now = 7200.0
    with pytest.raises(ConnectionError):
        await tokens.get()


async def test_a_token_that_is_not_taken_any_more_is_fetched_anew_once() -> None:
    issuer = Issuer()
    tokens = Tokens(issuer.fetch, lambda: issuer.now)
    old = await tokens.get()
    tokens.forget(old)
    assert set(await asyncio.gather(*(tokens.get() for _ in range(5)))) == {"t2"}
    tokens.forget(old)
    assert await tokens.get() == "t2"
