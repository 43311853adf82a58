"""The application. Whatever goes wrong is answered with one sentence in JSON."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from bot.web.exposition import CONTENT_TYPE, exposed
from bot.web.house import House
from bot.web.refusal import NOTHING_HERE, Refused
from core.errors import StorageFailed

_SENTENCES = {404: NOTHING_HERE, 405: "{path} takes {allowed}"}


def routes_of(house: House, more: Sequence[Route] = ()) -> Starlette:
    """The application in front of `house`, with `more` that takes something in."""

    async def healthz(_: Request) -> Response:
        return PlainTextResponse("alive\n")

    async def readyz(_: Request) -> Response:
        problems = await house.problems()
        lines = problems or ["ready"]
        return PlainTextResponse("".join(f"{line}\n" for line in lines), status_code=503 if problems else 200)

    async def metrics(_: Request) -> Response:
        try:
            gauges = await house.gauges()
        except StorageFailed:  # what was counted is known without the database; /readyz says what is wrong
            gauges = ()
        return Response(exposed(gauges), media_type=CONTENT_TYPE)

    return Starlette(
        routes=[Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics), *more],
        exception_handlers={HTTPException: _not_here, Refused: _refused, Exception: _failed},
    )


async def _failed(_: Request, error: Exception) -> Response:
    """A fault of ours; the server logs it."""
    return JSONResponse({"error": "something went wrong here"}, status_code=500)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return JSONResponse(error.body, status_code=error.status, headers=error.headers)


async def _not_here(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    allowed = ", ".join(sorted(headers.get("Allow", "").split(", ")))
    sentence = _SENTENCES.get(error.status_code)
    said = sentence.format(path=request.url.path, allowed=allowed) if sentence else error.detail
    return JSONResponse({"error": said}, status_code=error.status_code, headers=headers)
