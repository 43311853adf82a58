"""`serve` and `console`: the two ways in which the bot lives."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.app import App, build_app
from bot.channels.console import NAME, ConsoleChannel
from bot.cli.console import Sandbox, play_pipe, play_terminal
from bot.cli.start import clock_of, file_beside, keep_clock
from bot.failpoints import failpoint_of
from bot.parts import close_brain, configured_brain, configured_channels, configured_inlet, load_libraries
from bot.render import JinjaRenderer
from bot.settings import Settings
from bot.store.database.connection import takes_several
from bot.store.database.lock import only_one
from bot.system import SystemIds
from core.errors import ConfigurationError
from core.people import Identity, InteractionPolicy, Person

if TYPE_CHECKING:
    from bot.web.server import Inlet

log = logging.getLogger("qinghai")

SANDBOX_DATABASE = "sqlite:///data/console.db"
"""Where channels are configured the sandbox keeps off their database: its people and its clock are not theirs."""


async def serve(settings: Settings) -> None:
    """All configured channels until SIGTERM or SIGINT. Raises `ConfigurationError`."""
    clock = clock_of(settings.database_url, settings.time_scale)
    if clock.ahead > timedelta(minutes=1):
        log.warning("the clock of this database is ahead by %s (moved in the console)", clock.ahead)
    channels = configured_channels(settings, clock, failpoint_of(os.environ))
    brain = configured_brain(settings)
    me = SystemIds().token() if takes_several(settings.database_url) else None
    app = await build_app(
        settings,
        clock=clock,
        ids=SystemIds(),
        brain=brain,
        channels=channels,
        failpoint=failpoint_of(os.environ),
        debounce=settings.limits.debounce,
        me=me,
    )
    try:
        await _need_owner(app, settings)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, app.stop)
        log.info("serving %s, brain %s%s", ", ".join(channels), brain.name, f", as process {me}" if me else "")
        async with _open(configured_inlet(settings, app.condition, app.emit, clock, channels.values())):
            await app.run()
        if settings.time_scale != 1:
            await keep_clock(app.store, clock)
    finally:
        await app.close()
        await asyncio.gather(*(channel.close() for channel in channels.values()), close_brain(brain))


@asynccontextmanager
async def _open(inlet: Inlet | None) -> AsyncIterator[None]:
    """The HTTP inlet answers meanwhile, to the end of the draining."""
    if inlet is not None:
        inlet.start()
        log.info("answering HTTP on port %d", inlet.port)
    try:
        yield
    finally:
        if inlet is not None:
            await inlet.stop()


async def _need_owner(app: App, settings: Settings) -> None:
    """A bot without an owner would be deaf to everybody."""
    owner = await app.store.run(lambda repos: repos.people.owner())
    if owner is None or not any(i.channel in settings.channels for i in owner.identities):
        channel = settings.channels[0]
        raise ConfigurationError(
            f"{settings.source}: nobody on {channel} is the owner; add [owner] with id, name and "
            f'{channel} = "your user id there".'
        )


async def console(settings: Settings) -> None:
    """Owner and delegates in one terminal, or from a pipe. Raises `ConfigurationError`."""
    settings = sandboxed(settings)
    clock = clock_of(settings.database_url, settings.time_scale)
    ids = SystemIds()
    channel = ConsoleChannel(clock, ids, _print, settings.persona.name)
    brain = configured_brain(settings)
    app = await build_app(settings, clock=clock, ids=ids, brain=brain, channels={NAME: channel}, inline=True)
    try:
        people = await app.store.run(lambda repos: repos.people.all())
        order = {p.person_id: n for n, p in enumerate(settings.people)}
        sandbox = Sandbox(
            app,
            channel,
            clock,
            JinjaRenderer(),
            tuple(sorted((p for p in people if p.user_id_on(NAME)), key=lambda p: order.get(p.person_id, len(order)))),
            persona=settings.persona.name,
            print_line=_print,
            keep_clock=lambda: keep_clock(app.store, clock),
        )
        if sys.stdin.isatty() and sys.stdout.isatty():
            await play_terminal(sandbox, file_beside(settings.database_url, ".history"))
        else:
            with _ended_by_interrupt():
                await play_pipe(sandbox, _print)
    finally:
        await app.close()
        await close_brain(brain)


@contextmanager
def _ended_by_interrupt() -> Iterator[None]:
    """^C ends the process at once: a thread that waits for input cannot be called back, and nothing can be lost."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def sandboxed(settings: Settings) -> Settings:
    """The settings for a console: everybody is met there and nowhere else."""
    changes: dict[str, object] = {"people": tuple(_on_console(p) for p in settings.people)}
    if settings.channels:
        changes["database_url"] = SANDBOX_DATABASE
    return settings.model_copy(update=changes)


def _on_console(person: Person) -> Person:
    chat = person.user_id_on(NAME) or str(person.person_id)
    policy: InteractionPolicy = person.interaction_policy.model_copy(update={"preferred_channel": NAME})
    return person.model_copy(
        update={"identities": (Identity(channel=NAME, user_id=chat),), "interaction_policy": policy}
    )


def _print(line: str) -> None:
    try:
        print(line, flush=True)
    except BrokenPipeError:
        # Whoever read has seen enough; what is under way ends as it would have.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(settings: Settings) -> None:
    """The bot on its channels; the console where none is configured. Raises `ConfigurationError`."""
    if settings.http.port and not settings.channels:
        raise ConfigurationError(
            f"{settings.source}: http.port is set, but no channel; set QINGHAI_TELEGRAM__TOKEN too, or leave it out."
        )
    if settings.channels:
        with only_one(settings.database_url):
            load_libraries(settings)
            asyncio.run(serve(settings))
    else:
        run_console(settings)


def run_console(settings: Settings) -> None:
    """The console alone. Raises `ConfigurationError`."""
    with only_one(sandboxed(settings).database_url):
        asyncio.run(console(settings))
