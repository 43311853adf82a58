"""All commands in one table: name, who may, what runs. What somebody may not use does not exist for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.commands.access import audit, grant
from bot.commands.agenda import agenda
from bot.commands.brief import brief
from bot.commands.callbacks import callbacks
from bot.commands.doubts import resend, sent
from bot.commands.invite import invite, person
from bot.commands.jobs import jobs
from bot.commands.look import concern, concerns, people, which
from bot.commands.lookup import find_concerns
from bot.commands.pending import pending
from bot.commands.personal import help_of, may_stop, start, stop, whoami
from bot.commands.request import Reply, Request, usage
from bot.commands.schedules import schedules, unschedule
from bot.commands.status import status
from bot.commands.steering import drop, nudge, pause, priority, reassign, resume
from bot.commands.usage import spending
from bot.commands.watching import expectations, unwatch, watch
from bot.commands.wishes import bind, lang, quiet
from core.concern.model import Concern
from core.people import INSPECTORS, STARTERS, Role

EVERYBODY = frozenset(Role) - {Role.STRANGER}
OWNER = frozenset({Role.OWNER})

Run = Callable[[Request], Reply | None]
"""Does it and gives the answer; None where what it did brings an answer of its own."""

OnConcern = Callable[[Request, Concern, str], Reply | None]
"""The same for a command on one concern; the text is what stands behind the concern's name."""


@dataclass(frozen=True)
class Command:
    """One entry. `also` lets somebody in whom the role alone does not."""

    name: str
    who: frozenset[Role]
    run: Run
    also: Callable[[Request], bool] | None = None

    def allowed(self, request: Request) -> bool:
        """Whether it exists for this sender."""
        return request.sender.role in self.who or (self.also is not None and self.also(request))


def on_concern(run: OnConcern, *, argument: bool = False) -> Run:
    """A command whose first word, or words, name a concern; with `argument` more may follow them."""

    def resolve(request: Request) -> Reply | None:
        if not request.words:
            return usage(request)
        for wanted, rest in _splits(request.words, argument):
            found = find_concerns(request.repos, wanted, request.now, request.viewer)
            if len(found) == 1:
                return run(request, found[0], rest)
            if found:
                return which(request, found, rest)
        return usage(request, "no_concern")

    return resolve


def _splits(words: str, argument: bool) -> list[tuple[str, str]]:
    """Where the concern's name may end: the whole first, then ever fewer words."""
    if not argument:
        return [(words, "")]
    pieces = words.split(" ")
    return [(" ".join(pieces[:n]), " ".join(pieces[n:])) for n in range(len(pieces), 0, -1)]


def _help(request: Request) -> Reply:
    return help_of(request, [c.name for c in TABLE if c.allowed(request)])


TABLE: tuple[Command, ...] = (
    Command("concerns", STARTERS, concerns),
    Command("concern", STARTERS, on_concern(concern)),
    Command("agenda", STARTERS, agenda),
    Command("pending", STARTERS, pending),
    Command("drop", STARTERS, on_concern(drop)),
    Command("nudge", STARTERS, on_concern(nudge)),
    Command("pause", STARTERS, on_concern(pause, argument=True)),
    Command("resume", STARTERS, on_concern(resume)),
    Command("priority", STARTERS, on_concern(priority, argument=True)),
    Command("reassign", STARTERS, on_concern(reassign, argument=True)),
    Command("expectations", STARTERS, expectations),
    Command("watch", STARTERS, watch),
    Command("unwatch", STARTERS, unwatch),
    Command("schedules", INSPECTORS, schedules),
    Command("unschedule", STARTERS, unschedule),
    Command("callbacks", INSPECTORS, callbacks),
    Command("brief", STARTERS, brief),
    Command("quiet", STARTERS, quiet),
    Command("lang", STARTERS, lang),
    Command("people", INSPECTORS, people),
    Command("person", INSPECTORS, person),
    Command("invite", INSPECTORS, invite),
    Command("bind", INSPECTORS, bind),
    Command("grant", OWNER, grant),
    Command("audit", OWNER, audit),
    Command("jobs", INSPECTORS, jobs),
    Command("sent", STARTERS, sent),
    Command("resend", STARTERS, resend),
    Command("status", INSPECTORS, status),
    Command("usage", INSPECTORS, spending),
    Command("stop", frozenset(), stop, also=may_stop),
    Command("start", EVERYBODY, start),
    Command("whoami", EVERYBODY, whoami),
    Command("help", EVERYBODY, _help),
)


def menu_of(role: Role) -> tuple[str, ...]:
    """The commands that a channel's menu offers to somebody of this role, in their order."""
    if role not in STARTERS:  # strangers as well: what they have no use for yet is answered kindly
        return ("start", "help", "whoami", "stop")
    return tuple(c.name for c in TABLE if role in c.who)


COMMANDS = {command.name: command for command in TABLE}
