"""Commands about the caller: /start, /help, /whoami, /stop; and what a stranger may have of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.commands.parse import Call
from bot.commands.request import CommandRepositories, Reply, Request
from core.effects import Outgoing, Purpose, Send, Words
from core.facts import Fact
from core.hub.inviting import contact_again
from core.hub.services import Services, owner_day
from core.hub.turns.delegate import DelegateTurn
from core.people import Person, Role

STRANGERS_MAY = ("start", "help", "whoami")


def start(request: Request) -> Reply:
    """A greeting; somebody who had stopped contact, or could not be reached, hears from the bot again."""
    person = request.sender
    stopped = not person.interaction_policy.contact_allowed
    if stopped:
        policy = person.interaction_policy.model_copy(update={"contact_allowed": True})
        person = person.model_copy(update={"interaction_policy": policy})
        request.repos.people.save(person)
        request.did("again")
    contact_again(request.repos, request.services, person, request.turn.cause)
    return Reply("commands/start", greeting(person, request.services, resumed=stopped))


def greeting(person: Person, services: Services, *, resumed: bool) -> dict[str, Any]:
    """The values of the greeting."""
    return {"name": person.name, "role": person.role.value, "persona": services.persona, "resumed": resumed}


def help_of(request: Request, names: Sequence[str]) -> Reply:
    """The commands that the sender may use, a line each."""
    return Reply("commands/help", {"names": list(names), "role": request.sender.role.value})


def whoami(request: Request) -> Reply:
    """Who the bot takes the sender for."""
    person = request.sender
    values = {
        "name": person.name,
        "role": person.role.value,
        "identities": [{"channel": i.channel, "user_id": i.user_id} for i in person.identities],
        "zone": person.timezone,
        "hours": person.working_hours,
        "stopped": not person.interaction_policy.contact_allowed,
        "quiet": person.quiet_until.isoformat() if person.quiet_until and person.quiet_until > request.now else None,
    }
    return Reply("commands/whoami", values)


def stop(request: Request) -> None:
    """No more messages to the sender: the same as saying so in words, acknowledgement included."""
    DelegateTurn(request.services).stop(request.turn).keep(request.repos)
    request.did()


def may_stop(request: Request) -> bool:
    """Delegates may, and whoever else is being asked something."""
    return request.sender.role is Role.DELEGATE or bool(request.turn.asked)


def to_stranger(call: Call, fact: Fact, repos: CommandRepositories, services: Services) -> Send | None:
    """The answer to somebody unknown who brings no code; None where the hub's one polite line is the answer.

    The same command is answered once a day in a chat: the key says so.
    """
    if call.name not in STRANGERS_MAY or fact.group:
        return None
    now = services.clock.now()
    values = {
        "command": call.name,
        "persona": services.persona,
        "channel": fact.channel,
        "user_id": fact.sender,
    }
    message = Outgoing(
        purpose=Purpose.REPLY,
        conversation=fact.conversation,
        words=Words(template="commands/stranger", values=values),
        answers=True,
    )
    day = owner_day(now, repos.people.owner())
    return Send(key=f"command:{fact.conversation}:{call.name}:{day}", due=now, message=message)
