"""Invites: /invite makes one, `/start CODE` redeems it; and /person, a card of somebody in the directory."""

from __future__ import annotations

from typing import Any

from bot.commands.lookup import find_person
from bot.commands.parse import Call
from bot.commands.personal import greeting
from bot.commands.request import CommandRepositories, Reply, Request, usage
from core.deeds import Deed
from core.effects import Outgoing, Purpose, Send, Words
from core.facts import Fact, StoredFact
from core.hub import inviting
from core.hub.abilities.knowledge import person_card
from core.hub.commit import apply
from core.hub.inviting import Redeemed
from core.hub.services import Services, owner_day
from core.people import Role


def person(request: Request) -> Reply:
    """What is known of somebody, and how they can be reached now."""
    if not request.words:
        return usage(request)
    found = find_person(request.turn.people.values(), request.words)
    if found is None:
        return usage(request, "no_person")
    return Reply("chat/person_card", person_card(request.repos, found, request.sender, request.now))


def invite(request: Request) -> Reply:
    """A one-time way in for somebody, to hand on."""
    if not request.words:
        return usage(request)
    found = find_person(request.turn.people.values(), request.words)
    if found is None:
        return usage(request, "no_person")
    if not inviting.may_invite(request.sender, found):
        return Reply("chat/may_not_invite", {"name": found.name})
    made = inviting.invite(request.repos, request.services, found, request.sender, request.now)
    request.did(person=found.person_id)
    assert made.words.template is not None
    return Reply(made.words.template, made.words.values, hidden=(made.code,))


def brings_code(call: Call, fact: Fact) -> bool:
    """Whether a command is an attempt to redeem an invite. In a group, where all see it, it is none."""
    return call.name == "start" and bool(call.words) and not fact.group


def redeemed(call: Call, stored: StoredFact, repos: CommandRepositories, services: Services) -> bool:
    """Redeem the code of `/start CODE` and answer. False: somebody known brought no code, and is greeted as ever."""
    fact, now, cause = stored.fact, services.clock.now(), f"f{stored.fact_id}"
    done = inviting.redeem(repos, services, fact, call.words, now)
    if done.outcome in ("wrong", "locked") and done.person is not None and done.person.role is not Role.STRANGER:
        return False
    if done.outcome != "joined" or done.person is None or done.invite is None:
        apply(repos, _refusal(done, stored, repos, services))
        return True
    words = Words(template="commands/start", values=greeting(done.person, services, resumed=False))
    apply(repos, _answer(f"command:{cause}", done, words, fact, services))
    came = Deed(at=now, by=done.person.person_id, how="command", what="start", outcome=fact.channel)
    repos.deeds.add(came)
    matters = inviting.contact_again(repos, services, done.person, cause)
    inviting.tell_inviter(repos, done.person, done.invite, fact.channel, matters, now)
    return True


def _refusal(done: Redeemed, stored: StoredFact, repos: CommandRepositories, services: Services) -> Send:
    """Why the code does not help. Of a lock they are told once."""
    fact, now = stored.fact, services.clock.now()
    key = f"command:f{stored.fact_id}"
    if done.outcome == "locked":
        tried = repos.invites.failures(fact.channel, fact.sender, now - inviting.TRIES_COUNT_FOR)
        key = f"locked:{fact.conversation}:{owner_day(now, repos.people.owner())}:{tried}"
    values: dict[str, Any] = {
        "outcome": done.outcome,
        "name": done.person.name if done.person else None,
        "span": services.limits.invite.lock.total_seconds(),
    }
    return _answer(key, done, Words(template="commands/redeem", values=values), fact, services)


def _answer(key: str, done: Redeemed, words: Words, fact: Fact, services: Services) -> Send:
    message = Outgoing(
        purpose=Purpose.REPLY,
        to=done.person.person_id if done.person else None,
        conversation=fact.conversation,
        words=words,
        answers=True,
    )
    return Send(key=key, due=services.clock.now(), message=message)
