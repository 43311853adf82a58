"""Facts posted from outside: who may, what is stored, what is refused and in which words."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from bot.metrics import POSTS
from bot.web import body as reading
from bot.web.posts import Secrets
from core.errors import StorageFailed
from core.facts import FactKind
from tests.wire.inlet import (
    ALL,
    BEARER,
    GITHUB,
    NOW,
    TOKEN,
    Kept,
    body,
    fact,
    from_github,
    from_gitlab,
    head,
    inlet,
    payload,
    raw,
)

pytestmark = pytest.mark.wire
KIB = 1024


# --- anything with the token ------------------------------------------------------------------------------------------


async def test_a_fact_is_stored_once_and_said_to_be() -> None:
    kept = Kept()
    post = fact(
        person="张三", text="十分钟前", data={"project": "shop/web", "branch": "main", "action": "success", "n": 1}
    )
    async with inlet(kept) as client:
        first = await client.post("/facts", json=post, headers=BEARER)
        again = await client.post("/facts", json=post, headers=BEARER)
        other = await client.post("/facts", json=fact(source="gitea", text=None), headers=BEARER)
    assert [(a.status_code, a.json()) for a in (first, again, other)] == [
        (202, {"status": "new"}),
        (200, {"status": "seen"}),
        (202, {"status": "new"}),
    ]
    stored = kept.facts[0]
    assert (stored.channel, stored.event_id, stored.kind) == ("jenkins", "d-1", FactKind.EVENT)
    assert (stored.conversation, stored.sender, stored.occurred_at) == ("jenkins:shop/web", "", NOW)
    assert stored.text == "jenkins shop/web：deploy「v2.0 上线」成功（main，张三）\n十分钟前"
    assert stored.event is not None
    assert (stored.event.actor, stored.event.branch, stored.event.text) == ("张三", "main", "十分钟前")
    assert kept.facts[1].conversation == "gitea:deploy"


async def test_it_is_answered_when_it_is_stored_and_not_before() -> None:
    kept = Kept()
    kept.gate.clear()
    async with inlet(kept) as client:
        posting = asyncio.create_task(client.post("/facts", json=fact(), headers=BEARER))
        await asyncio.sleep(0.1)
        assert not posting.done()
        kept.gate.set()
        assert (await posting).status_code == 202


async def test_what_cannot_be_stored_is_to_be_posted_again() -> None:
    kept = Kept(trouble=StorageFailed("database x: full"))
    async with inlet(kept) as client:
        answer = await client.post("/facts", json=fact(), headers=BEARER)
        kept.trouble = None
        again = await client.post("/facts", json=fact(), headers=BEARER)
    assert (answer.status_code, answer.headers["retry-after"], again.status_code) == (503, "30", 202)
    assert "database" not in answer.text


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("2026-03-16T09:00:00+08:00", "2026-03-16T09:00:00+08:00"),
        ("2026-03-16T01:30:00Z", "2026-03-16T09:30:00+08:00"),
        ("2030-01-01T00:00:00+08:00", "2026-03-16T10:00:00+08:00"),
    ],
)
async def test_when_it_happened_is_believed_but_not_in_the_time_to_come(said: str, stored: str) -> None:
    kept = Kept()
    async with inlet(kept) as client:
        await client.post("/facts", json=fact(occurred_at=said), headers=BEARER)
    assert kept.facts[0].occurred_at.astimezone(NOW.tzinfo).isoformat() == stored


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"id": ""}, "id"),
    ({"id": "\u200b"}, "id"),
    ({"id": 7}, "id"),
    ({"id": "x" * 201}, "id"),
    ({"id": None}, "id"),
    ({"source": "telegram"}, "source"),
    ({"source": "Console"}, "source"),
    ({"source": "timer"}, "source"),
    ({"source": "callback"}, "source"),
    ({"source": "feishu\u200b"}, "source"),
    ({"source": "a:b"}, "source"),
    ({"source": "x" * 41}, "source"),
    ({"kind": ["deploy"]}, "kind"),
    ({"subject": "长" * 501}, "subject"),
    ({"person": {"id": 1}}, "person"),
    ({"text": "x" * 10_001}, "text"),
    ({"occurred_at": "yesterday"}, "occurred_at"),
    ({"occurred_at": "2026-03-16T10:00:00"}, "occurred_at"),
    ({"occurred_at": "0001-01-01T00:00:00+14:00"}, "occurred_at"),
    ({"data": "x"}, "data"),
    ({"data": {"branch": 1}}, "data.branch"),
    ({"data": {"action": "x" * 41}}, "data.action"),
    ({"persn": "张三"}, "persn"),
]


async def test_a_field_that_will_not_do_is_named() -> None:
    kept = Kept()
    async with inlet(kept) as client:
        for change, field in WRONG:
            answer = await client.post("/facts", json=fact(**change), headers=BEARER)
            assert (answer.status_code, answer.json()["field"]) == (422, field), change
            assert answer.json()["error"].startswith(f"{field}: ")
            assert ("moment" in answer.json()["error"]) is (field == "occurred_at" and "0001" not in str(change)), (
                change
            )
            assert len(answer.text) < 300
    assert kept.facts == []


async def test_what_cannot_be_seen_does_not_get_in() -> None:
    kept = Kept()
    post = (
        body(fact(subject="v2.0\u202e 上\u0000线\n了", text="a\u200bb\nc"))[:-1] + rb', "person": "\ud800\u5f20\u4e09"}'
    )
    async with inlet(kept) as client:
        answer = await client.post("/facts", content=post, headers={**BEARER, "Content-Type": "application/json"})
    assert answer.status_code == 202
    assert kept.facts[0].text == "jenkins：deploy「v2.0 上线 了」（张三）\nab\nc"


DEEP = b'{"data":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
GARBAGE = {
    "not UTF-8": (b'{"id": "\xff"}', "not UTF-8"),
    "no JSON": (b"id=1&source=x", "not JSON"),
    "nothing": (b"", "not JSON"),
    "cut off": (body(fact())[:-5], "not JSON"),
    "a list": (b"[1, 2]", "no object"),
    "a word": (b'"x"', "no object"),
    "too deep": (DEEP, "nested too deep"),
    "a name twice": (b'{"id": "a", "id": "b"}', "a name stands twice"),
    "no number": (b'{"id": NaN}', "NaN is no number"),
    "a huge number": (b'{"id": ' + b"9" * 100_000 + b"}", "not JSON"),
    "a mark before": ("\ufeff{}".encode(), "not JSON"),
}


@pytest.mark.parametrize("route", ["/facts", "/facts/gitlab", "/facts/github"])
async def test_garbage_is_refused_in_a_sentence(route: str) -> None:
    kept = Kept()
    async with inlet(kept) as client:
        for content, part in GARBAGE.values():
            headers = {**BEARER, **from_gitlab(), **from_github(content, "push")}
            answer = await client.post(route, content=content, headers=headers)
            assert answer.status_code == 400, part
            assert part in answer.json()["error"]
            assert len(answer.text) < 200
    assert kept.facts == []


async def test_what_says_that_it_is_no_json_is_not_read() -> None:
    async with inlet(Kept()) as client:
        for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
            answer = await client.post("/facts", content=body(fact()), headers={**BEARER, "Content-Type": kind})
            assert answer.status_code == 415
            assert "application/json" in answer.json()["error"]


# --- who may ----------------------------------------------------------------------------------------------------------


STRANGERS: tuple[dict[str, str], ...] = (
    {},
    {"Authorization": "Bearer"},
    {"Authorization": f"Bearer {TOKEN}x"},
    {"Authorization": f"Bearer {TOKEN[:-1]}"},
    {"Authorization": f"Basic {TOKEN}"},
    {"Authorization": TOKEN},
    {"X-Gitlab-Token": TOKEN},
)


async def test_without_the_token_nothing_is_stored_nor_looked_at(caplog: pytest.LogCaptureFixture) -> None:
    kept = Kept()
    before = POSTS.values.get(("/facts", "unauthorized"), 0)
    async with inlet(kept) as client:
        for headers in STRANGERS:
            for content in (body(fact()), b"{"):
                answer = await client.post("/facts", content=content, headers=headers)
                assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
                assert TOKEN not in answer.text
    assert kept.facts == []
    assert TOKEN not in caplog.text
    assert POSTS.values["/facts", "unauthorized"] == before + 2 * len(STRANGERS)


@pytest.mark.parametrize(
    ("route", "variable"),
    [
        ("/facts", "QINGHAI_HTTP__TOKEN"),
        ("/facts/gitlab", "QINGHAI_HTTP__GITLAB_TOKEN"),
        ("/facts/github", "QINGHAI_HTTP__GITHUB_SECRET"),
    ],
)
async def test_a_route_without_a_secret_is_off_and_says_how_to_switch_it_on(route: str, variable: str) -> None:
    kept = Kept()
    content = body(fact())
    headers = {**BEARER, **from_gitlab(token=""), **from_github(content, "push", secret="")}
    async with inlet(kept, Secrets(None, "", None)) as client:
        answer = await client.post(route, content=content, headers=headers)
    assert answer.status_code == 404
    assert variable in answer.json()["error"]
    assert kept.facts == []


async def test_only_posts_are_taken() -> None:
    async with inlet(Kept()) as client:
        answer = await client.get("/facts", headers=BEARER)
    assert (answer.status_code, answer.json()) == (405, {"error": "/facts takes POST"})


# --- how long it may be -----------------------------------------------------------------------------------------------


async def test_as_long_as_it_may_be_and_a_byte_longer() -> None:
    kept = Kept()
    frame = len(body(fact(data={"log": ""})))
    async with inlet(kept) as client:
        for over, status in ((0, 202), (1, 413)):
            content = body(fact(data={"log": "x" * (256 * KIB - frame + over)}))
            answer = await client.post(
                "/facts", content=content, headers={**BEARER, "Content-Type": "application/json"}
            )
            assert answer.status_code == status
    assert len(kept.facts) == 1


@pytest.mark.parametrize("route", ["/facts", "/facts/gitlab", "/facts/github"])
async def test_300_kib_are_too_much_on_every_route_also_in_pieces(route: str) -> None:
    content = body(fact(text="x" * 300 * KIB))
    headers = {**BEARER, **from_gitlab(), **from_github(content, "push")}

    async def pieces() -> Any:
        for at in range(0, len(content), 8 * KIB):
            yield content[at : at + 8 * KIB]

    kept = Kept()
    async with inlet(kept) as client:
        whole = await client.post(route, content=content, headers=headers)
        chunked = await client.post(route, content=pieces(), headers=headers)
        assert (await client.get("/healthz")).status_code == 200
    assert (whole.status_code, chunked.status_code) == (413, 413)
    assert "256 KiB" in whole.json()["error"]
    assert kept.facts == []


AUTH = f"Bearer {TOKEN}"
CHUNK = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (head("/facts", Authorization=AUTH, Content_Type="application/json", Content_Length="999999999999"), b"413"),
        (head("/facts", Authorization=AUTH, Content_Type="application/json", Content_Length="-5") + b"x", b"400"),
        (head("/facts", Authorization=AUTH, Content_Type="application/json", Content_Length="2", Transfer_Encoding="chunked") + CHUNK * 5, b"4"),
        (head("/facts", Authorization=AUTH, Content_Type="application/json", Content_Length="2") + body(fact()), b"400"),
        (head("/facts", Authorization=AUTH, Content_Type="application/json", Transfer_Encoding="chunked") + CHUNK * 20, b"413"),
    ],
    ids=["more than there is", "less than nothing", "two lengths", "less than comes", "without end"],
)  # fmt: skip
async def test_a_length_that_lies_does_no_harm(request_: bytes, status: bytes) -> None:
    kept = Kept()
    async with inlet(kept) as client:
        answer = await raw(client, request_)
        assert answer.startswith(b"HTTP/1.1 " + status)
        assert (await client.get("/healthz")).status_code == 200
    assert kept.facts == []


async def test_a_body_that_does_not_come_is_not_waited_for_and_one_that_breaks_off_is_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(reading, "PATIENCE_S", 0.1)
    kept = Kept()
    began = head("/facts", Authorization=AUTH, Content_Type="application/json", Content_Length="100") + b'{"id":'
    with caplog.at_level(logging.ERROR):
        async with inlet(kept) as client:
            assert (await raw(client, began)).startswith(b"HTTP/1.1 408")
            _, writer = await asyncio.open_connection(client.base_url.host, client.base_url.port)
            writer.write(began)
            await writer.drain()
            writer.transport.abort()
            assert (await client.get("/healthz")).status_code == 200
    assert kept.facts == []
    assert caplog.records == []


# --- GitLab and GitHub ------------------------------------------------------------------------------------------------


async def test_gitlab_posts_and_its_retries_are_the_same_fact() -> None:
    kept = Kept()
    merged = payload("gitlab/merge_request_merged")
    async with inlet(kept) as client:
        first = await client.post("/facts/gitlab", content=merged, headers=from_gitlab())
        retried = await client.post("/facts/gitlab", content=merged, headers=from_gitlab())
        another = await client.post("/facts/gitlab", content=merged, headers=from_gitlab("g-2"))
    assert [a.status_code for a in (first, retried, another)] == [202, 200, 202]
    stored = kept.facts[0]
    assert (stored.channel, stored.event_id, stored.conversation) == ("gitlab", "delivery:g-1", "gitlab:shop/web")
    assert stored.text == "GitLab shop/web：合并请求「v2.0 提测」已合并（feature/v2.0 → main，张三）"
    assert stored.event is not None
    assert (stored.event.action, stored.event.project, stored.event.branch) == ("merged", "shop/web", "feature/v2.0")


async def test_of_an_older_gitlab_the_body_tells_deliveries_apart() -> None:
    """Its X-Gitlab-Event-UUID is also that of whatever one event sets off."""
    kept = Kept()
    headers = {**from_gitlab(None), "X-Gitlab-Event-UUID": "u-1"}
    merged, failed = payload("gitlab/merge_request_merged"), payload("gitlab/pipeline_failed")
    as_long = merged.replace(b"v2.0", b"v2.1")
    async with inlet(kept) as client:
        for content, status in ((merged, 202), (failed, 202), (as_long, 202), (merged, 200)):
            answer = await client.post("/facts/gitlab", content=content, headers=headers)
            assert answer.status_code == status
    assert len(kept.facts) == 3


async def test_a_wrong_gitlab_token_is_refused() -> None:
    kept = Kept()
    async with inlet(kept) as client:
        for token in ("", "planted-gitla", "planted-gitlabb", GITHUB, TOKEN, "\u00e9"):
            headers = {key: value.encode("latin-1") for key, value in from_gitlab(token=token).items()}
            answer = await client.post("/facts/gitlab", content=payload("gitlab/push"), headers=headers)
            assert answer.status_code == 401, token
    assert kept.facts == []


GITHUB_POSTS = {
    "push": "push",
    "pull_request_opened": "pull_request",
    "pull_request_merged": "pull_request",
    "issue_closed": "issues",
    "workflow_run_failed": "workflow_run",
}


async def test_github_posts_and_a_redelivery_is_the_same_fact() -> None:
    kept = Kept()
    async with inlet(kept) as client:
        for name, kind in GITHUB_POSTS.items():
            content = payload(f"github/{name}")
            headers = from_github(content, kind, delivery=name)
            first, again = [await client.post("/facts/github", content=content, headers=headers) for _ in range(2)]
            assert (first.status_code, again.status_code) == (202, 200), name
    assert [f.event_id for f in kept.facts] == [f"delivery:{name}" for name in GITHUB_POSTS]
    assert {f.conversation for f in kept.facts} == {"github:shop-org/web"}


async def test_a_wrong_github_signature_is_refused() -> None:
    kept = Kept()
    content = payload("github/push")
    right = from_github(content, "push")["X-Hub-Signature-256"]
    wrong = ("", right.replace("sha256", "sha1"), right[7:], right.upper(), right[:-1], "sha256=" + "0" * 64)
    posts = [(content, {**from_github(content, "push"), "X-Hub-Signature-256": signature}) for signature in wrong]
    posts += [(content + b" ", from_github(content, "push")), (content, from_github(content, "push", secret="x"))]
    posts += [(content, {"Content-Type": "application/json", "X-GitHub-Event": "push"})]
    async with inlet(kept) as client:
        for posted, headers in posts:
            answer = await client.post("/facts/github", content=posted, headers=headers)
            assert answer.status_code == 401, headers
            assert GITHUB not in answer.text
    assert kept.facts == []


async def test_a_ping_and_what_is_not_looked_at_are_acknowledged_and_not_stored() -> None:
    kept = Kept()
    ping, note, odd = payload("github/ping"), payload("gitlab/note"), b'{"action": "created"}'
    async with inlet(kept) as client:
        answers = [
            await client.post("/facts/github", content=ping, headers=from_github(ping, "ping")),
            await client.post("/facts/gitlab", content=note, headers=from_gitlab()),
            await client.post("/facts/github", content=odd, headers=from_github(odd, "sponsorship")),
        ]
    assert [a.status_code for a in answers] == [202, 202, 202]
    assert [a.json()["status"] for a in answers] == ["ignored"] * 3
    assert answers[2].json()["reason"] == "sponsorship is not looked at"
    assert kept.facts == []


async def test_a_payload_that_is_not_what_it_says_names_what_is_missing() -> None:
    content = b'{"object_kind": "merge_request", "object_attributes": {"action": "merge"}}'
    async with inlet(Kept(), ALL) as client:
        answer = await client.post("/facts/gitlab", content=content, headers=from_gitlab())
    assert (answer.status_code, answer.json()) == (422, {"error": "object_attributes.title is missing"})
