"""The composition root: everything is put together here, once, and nowhere else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial

from bot.brain.budget import tokens_spent
from bot.commands import Commands
from bot.condition import Condition
from bot.failpoints import Failpoint, no_failpoint
from bot.render import JinjaRenderer
from bot.runtime.breath import AT_ONCE
from bot.runtime.clockwatch import ClockWatch
from bot.runtime.directory import Directory, KnowsPeople
from bot.runtime.menus import Menus, ShowsMenus, nudge_all
from bot.runtime.presence import Alone, OneOfMany, Presence
from bot.runtime.pruning import Pruning
from bot.runtime.runner import Runner
from bot.runtime.runtime import Runtime, end_tasks
from bot.runtime.scans import Look, Scans
from bot.sending.deliver import Deliveries
from bot.sending.sender import Sender
from bot.sending.words import Voice
from bot.settings import Settings, load_baseline
from bot.store.archive import ChannelArchive
from bot.store.database.listener import Listener
from bot.store.repositories import StoreRepositories
from bot.store.retention import Retention
from bot.store.unit import PeeweeStore
from core.brain.port import Brain
from core.brain.rules import RuleBrain
from core.facts import Fact
from core.hub.acting.action_scheduler import ActionScheduler
from core.hub.acting.executor import ActionExecutor
from core.hub.hub import CognitiveHub
from core.hub.loop import AgentLoop
from core.hub.scanning.agenda import AgendaScheduler
from core.hub.scanning.callbacks import CallbackScheduler
from core.hub.scanning.concerns import ConcernScheduler
from core.hub.services import Services
from core.hub.tasks import DeepTasks
from core.hub.turn import pressed_by_another
from core.limits import DebounceLimits
from core.people import Person, updated
from core.ports import Channel, Clock, Consulting, Ids, Inviting

log = logging.getLogger(__name__)


class App:
    """The bot. `accept`, `settle` and `next_due` drive it by hand; `run` lets it go."""

    def __init__(
        self,
        store: PeeweeStore,
        runtime: Runtime,
        channels: Mapping[str, Channel],
        brain: Brain,
        condition: Condition,
        sender: Sender,
        directories: Sequence[Directory] = (),
        menus: Sequence[Menus] = (),
    ) -> None:
        self.condition = condition
        self.store = store
        self.runtime = runtime
        self.channels = channels
        self.brain = brain
        self._sender = sender
        self._directories = directories
        self._menus = menus
        self._failed: BaseException | None = None
        self._turn = asyncio.Event()

    async def accept(self, fact: Fact) -> bool:
        """Store a fact; true when it is new."""
        return await self.runtime.accept(fact)

    async def settle(self) -> None:
        """Run everything that is due now until nothing is left."""
        await self.runtime.settle()

    async def next_due(self) -> datetime | None:
        """The next moment at which anything falls due."""
        return await self.runtime.next_due()

    async def run(self) -> None:
        """Work until `stop`, and take events in from all channels while this process is the one that does.

        A channel that ends for good ends the run. Raises what the channel raised.
        """
        listening = asyncio.create_task(self._listen())
        try:
            await self.runtime.run(self._turned)
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
        if self._failed is not None:
            raise self._failed

    def _turned(self) -> None:
        if not self.runtime.speaks:
            self._sender.lost_touch()
        self._turn.set()

    async def _listen(self) -> None:
        inlets: list[asyncio.Task[None]] = []
        try:
            while True:
                self._turn.clear()
                if not self.runtime.speaks:
                    await end_tasks(inlets)
                    inlets = []
                elif not inlets:
                    looked = await asyncio.gather(*(directory.first() for directory in self._directories))
                    inlets = [asyncio.create_task(self._inlet(channel)) for channel in self.channels.values()]
                    for directory, well in zip(self._directories, looked, strict=True):
                        inlets.append(asyncio.create_task(directory.keep(well)))
                    inlets += [asyncio.create_task(menus.keep()) for menus in self._menus]
                await self._turn.wait()
        finally:
            await end_tasks(inlets)

    async def _inlet(self, channel: Channel) -> None:
        try:
            await channel.run(self.emit)
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self._failed = error
            self.runtime.stop()

    async def emit(self, fact: Fact) -> bool:
        """What a channel or the HTTP inlet hands in: stored when this returns; true when it is new."""
        new = await self.runtime.accept(fact)
        if fact.button is not None:
            channel = self.channels.get(fact.channel)
            # A press by somebody else must not take the buttons from whom they are for.
            if channel is not None and not await self.store.run(lambda repos: pressed_by_another(repos, fact)):
                self.runtime.aside(channel.settle_button(fact, None))
        return new

    def stop(self) -> None:
        """Take nothing new; what runs is finished or handed back."""
        self.runtime.stop()

    async def close(self) -> None:
        """Close the store; channels are closed by whoever made them."""
        self.store.close()


async def build_app(
    settings: Settings,
    *,
    clock: Clock,
    ids: Ids,
    brain: Brain,
    channels: Mapping[str, Channel],
    database_url: str | None = None,
    inline: bool = False,
    failpoint: Failpoint = no_failpoint,
    me: str | None = None,
    debounce: DebounceLimits = AT_ONCE,
) -> App:
    """Open the store, load the people, clear up after a crash, and wire the rooms. Raises `ConfigurationError`.

    `me` is the name of this process where others work on the same database beside it; None: it is the only one.
    `debounce` is how long a message waits for more of its sender's.
    `failpoint` is called at the named places of `bot/failpoints.py`: tests make the process die there.
    """
    url = database_url or settings.database_url
    store = PeeweeStore(url, inline=inline, persona=settings.persona.name, me=me or "only", failpoint=failpoint)
    try:
        services = _services(settings, store, clock, ids, brain, channels)
        sender = Sender(store, channels, clock, failpoint)
        voice = Voice(JinjaRenderer(), settings.locale, settings.timezone)
        deliveries = Deliveries(services, sender, voice, frozenset(channels))
        tasks = DeepTasks(services, lambda words, reader: voice.to(reader, clock.now()).text(words), spent=tokens_spent)
        executor = ActionExecutor(services)
        loop = AgentLoop(services, ActionScheduler(services, executor))
        runner = Runner(services, store, loop, deliveries, tasks, executor)
        condition = Condition(store, channels, clock, settings.model.name if services.has_model else None)
        shown = [channel for channel in channels.values() if isinstance(channel, ShowsMenus)]
        menus = [Menus(store, channel, JinjaRenderer(), clock, settings.locale) for channel in shown]
        commands = Commands(services, store, condition, partial(nudge_all, menus))
        pruning = Pruning(store, clock, Retention(settings.retention.facts, settings.retention.concerns))
        scans = (Scans(store, _looks(services)).scan, pruning.scan, condition.scanned)
        presence: Presence = OneOfMany(store, runner.release) if me else Alone()
        place = presence, Listener(url, me) if me else None
        sender.only_while(lambda: presence.speaks)
        runtime = Runtime(store, CognitiveHub(services), runner, scans, clock, commands.handle, *place, debounce)
        for name, channel in channels.items():
            if isinstance(channel, Consulting):
                channel.consult(ChannelArchive(store, name))
        wanted = settings.feishu_contacts
        finding = [channel for channel in channels.values() if isinstance(channel, KnowsPeople)] if wanted else []
        directories = [Directory(store, channel, wanted) for channel in finding]
        await store.run(lambda repos: _load_people(repos, settings.people), at="people")
        if me is None:
            await store.run(runner.clear_up, at="clear_up")
            await store.run(ClockWatch(store, clock).start, at="clock")
    except BaseException:
        store.close()
        raise
    return App(store, runtime, channels, brain, condition, sender, directories, menus)


def _services(
    settings: Settings, store: PeeweeStore, clock: Clock, ids: Ids, brain: Brain, channels: Mapping[str, Channel]
) -> Services:
    return Services(
        store=store,
        brain=brain,
        simple_brain=RuleBrain(),
        clock=clock,
        ids=ids,
        limits=settings.limits,
        persona=settings.persona.name,
        baseline=load_baseline(),
        invite_link=lambda code: _invite_link(channels, code),
    )


def _looks(services: Services) -> tuple[Look, ...]:
    """Everything that looks for what has fallen due, in the order in which it looks."""
    concerns, agenda = ConcernScheduler(services), AgendaScheduler(services)
    return (
        concerns.scan_timeouts,
        concerns.scan_due_concerns,
        concerns.scan_schedules,
        agenda.scan_expectations,
        agenda.scan_watches,
        agenda.scan_stuck,
        agenda.scan_briefs,
        CallbackScheduler(services).scan_callbacks,
    )


def _invite_link(channels: Mapping[str, Channel], code: str) -> str | None:
    """The link of the first channel that has one for an invite."""
    links = (channel.invite_link(code) for channel in channels.values() if isinstance(channel, Inviting))
    return next((link for link in links if link is not None), None)


def _load_people(repos: StoreRepositories, people: tuple[Person, ...]) -> None:
    """A file entry updates the person with the same id; what they brought themselves (`/stop`, an invite) stays.

    A chat that the file gives to somebody is theirs, whoever had it before.
    """
    given = {(i.channel, i.user_id): p.person_id for p in people for i in p.identities}
    for known in repos.people.all():
        left = tuple(
            i for i in known.identities if given.get((i.channel, i.user_id), known.person_id) == known.person_id
        )
        if left != known.identities:
            repos.people.save(known.model_copy(update={"identities": left}))
    for entry in people:
        stored = repos.people.get(entry.person_id)
        person = updated(entry, stored) if stored is not None else entry
        if person != stored:
            repos.people.save(person)
