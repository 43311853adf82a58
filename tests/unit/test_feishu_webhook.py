"""Events as HTTP requests: what is ours is opened, all else refused."""

import json
from typing import Any

import pytest

from bot.channels.feishu.webhook import WINDOW_S, NotOurs, Secrets, Webhook, opened
from tests.wire.feishu_api.events import TOKEN
from tests.wire.feishu_api.posts import BOTH, NOW, encrypted, signed

EVENT = {"schema": "2.0", "header": {"event_id": "e1", "event_type": "x", "token": TOKEN}, "event": {}}
TRIAL = {"type": "url_verification", "challenge": "c1", "token": TOKEN}


@pytest.mark.parametrize("names", [str, str.lower, str.upper])
def test_an_encrypted_and_signed_event_is_opened_however_its_headers_are_written(names: Any) -> None:
    body = encrypted(EVENT)
    assert opened(signed(body, names=names), body, BOTH, NOW) == EVENT


def test_the_trial_of_the_address_is_answered_without_a_signature() -> None:
    assert opened({}, encrypted(TRIAL), BOTH, NOW)["challenge"] == "c1"
    assert opened({}, json.dumps(TRIAL).encode(), Secrets(verification_token=TOKEN), NOW)["challenge"] == "c1"


def test_with_a_token_alone_the_token_is_the_proof() -> None:
    assert opened({}, json.dumps(EVENT).encode(), Secrets(verification_token=TOKEN), NOW) == EVENT


BODY = encrypted(EVENT)
WRONG_TOKEN = {**EVENT, "header": {**EVENT["header"], "token": "other"}}
STRANGERS = {
    "no signature": ({}, BODY, BOTH),
    "signed with another key": (signed(BODY, key="other"), BODY, BOTH),
    "another body": (signed(encrypted(TRIAL)), BODY, BOTH),
    "replayed": (signed(BODY, at=NOW - WINDOW_S - 1), BODY, BOTH),
    "from the future": (signed(BODY, at=NOW + WINDOW_S + 1), BODY, BOTH),
    "a time that is none": ({**signed(BODY), "X-Lark-Request-Timestamp": "now"}, BODY, BOTH),
    "a signature that is no ASCII": ({**signed(BODY), "X-Lark-Signature": "é"}, BODY, BOTH),
    "plain where all is encrypted": (signed(json.dumps(EVENT).encode()), json.dumps(EVENT).encode(), BOTH),
    "a plain trial where all is encrypted": ({}, json.dumps(TRIAL).encode(), BOTH),
    "encrypted with another key": (signed(encrypted(EVENT, "k")), encrypted(EVENT, "k"), BOTH),
    "wrong token inside": (signed(encrypted(WRONG_TOKEN)), encrypted(WRONG_TOKEN), BOTH),
    "wrong token": ({}, json.dumps(WRONG_TOKEN).encode(), Secrets(verification_token=TOKEN)),
    "no token": ({}, json.dumps({"event": {}}).encode(), Secrets(verification_token=TOKEN)),
    "a token that is no text": ({}, json.dumps({"token": ["verify"]}).encode(), Secrets(verification_token=TOKEN)),
    "nothing to know it by": ({}, json.dumps(EVENT).encode(), Secrets()),
    "not base64": (signed(b'{"encrypt": "%"}'), b'{"encrypt": "%"}', BOTH),
    "too short": (signed(b'{"encrypt": "aaaa"}'), b'{"encrypt": "aaaa"}', BOTH),
    "no JSON": ({}, b"x", BOTH),
    "without a bottom": ({}, b"[" * 100_000, BOTH),
    "no object": ({}, b"[]", BOTH),
}


@pytest.mark.parametrize("name", STRANGERS)
async def test_what_is_not_ours_is_refused_and_stores_nothing(name: str) -> None:
    headers, body, secrets = STRANGERS[name]
    with pytest.raises(NotOurs):
        opened(headers, body, secrets, NOW)
    taken: list[Any] = []

    async def take(event: Any) -> None:
        taken.append(event)

    status, answer = await Webhook(secrets, lambda: NOW).handle(headers, body, take)
    assert (status, answer, taken) == (403, {"error": "refused"}, [])


async def test_an_event_is_answered_with_what_its_taker_says_and_not_when_it_could_not_be_stored() -> None:
    webhook, body = Webhook(BOTH, lambda: NOW), encrypted(EVENT)

    async def toast(event: Any) -> Any:
        return {"toast": event["header"]["event_id"]}

    async def fails(event: Any) -> Any:
        raise RuntimeError("secret words of the database")

    assert await webhook.handle(signed(body), body, toast) == (200, {"toast": "e1"})
    assert await webhook.handle(signed(body), body, fails) == (503, {"error": "not stored"})
    assert await webhook.handle({}, encrypted(TRIAL), fails) == (200, {"challenge": "c1"})
