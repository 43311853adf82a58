"""The server by itself, for programs that run beside it: prints its base URL, then serves until it is told to end.

`POST /control` with `{"do": VERB, ...arguments}` plays users and reads the ledger. Verbs: `add_user`, `add_group`,
`user_says`, `user_edits`, `user_presses`, and `sent` (from the message numbered `since` on).
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import signal

from aiohttp import web

from tests.wire.botapi import BotApi, World

VERBS = ("add_user", "add_group", "user_says", "user_edits", "user_presses")


def control(server: BotApi) -> web.Application:
    """The routes under `/control`."""

    async def handle(request: web.Request) -> web.Response:
        arguments = await request.json()
        verb = arguments.pop("do")
        if verb == "sent":
            since = int(arguments.get("since", 0))
            return web.json_response([dataclasses.asdict(sent) for sent in server.sent[since:]])
        if verb not in VERBS:
            return web.json_response({"error": f"unknown verb {verb!r}"}, status=400)
        outcome = getattr(server, verb)(**arguments)
        return web.json_response(outcome if isinstance(outcome, int | str) else None)

    app = web.Application()
    app.router.add_post("", handle)
    return app


async def serve(port: int, token: str) -> None:
    """Until SIGTERM or SIGINT."""
    server = BotApi(token, world=World(open_chats=True))
    await server.start(port, control=control(server))
    print(server.base_url, flush=True)
    done = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, done.set)
    await done.wait()
    await server.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.wire.botapi", description="A Bot API server on loopback.")
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--token", default="7000000001:test-token")
    options = parser.parse_args()
    asyncio.run(serve(options.port, options.token))
