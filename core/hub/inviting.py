"""Invites: a one-time code with which somebody connects their chat as a person of the directory.

Only a digest of the code is kept, so whoever reads the database cannot use it. A code brings in nobody who is somebody
else already, and nobody is invited to be the owner but by the owner.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Literal

from core.concern.model import CommStatus, Concern, Status
from core.concern.notices import NoticeKind
from core.concern.reaching import reached
from core.effects import Outgoing, Purpose, Send, Words
from core.facts import Fact
from core.hub.commit import apply, commit
from core.hub.errand import Scene, answer
from core.hub.services import Services, everybody
from core.ids import PersonId
from core.people import INSPECTORS, Identity, Invite, Person, Role
from core.ports import Repositories

TRIES_COUNT_FOR = timedelta(days=1)
"""How long a wrong code is held against a user."""

ASKED_LATELY = timedelta(days=3)
"""A matter that was let go this long ago, as nobody could be reached, is called to mind when they come."""


@dataclass(frozen=True)
class Invitation:
    """A fresh invite: the code is in nobody's hands but the reader's."""

    code: str
    words: Words


@dataclass(frozen=True)
class Redeemed:
    """What became of a code. `person`: who came in, or, where the code was `taken`, who the sender is already."""

    outcome: Literal["joined", "wrong", "locked", "taken"]
    person: Person | None = None
    invite: Invite | None = None


def may_invite(inviter: Person, person: Person) -> bool:
    """Whoever redeems an invite speaks with that person's authority, so nobody may hand out more than their own."""
    return inviter.role in INSPECTORS and (person.role is not Role.OWNER or inviter.role is Role.OWNER)


def invite(repos: Repositories, services: Services, person: Person, by: Person, now: datetime) -> Invitation:
    """A new invite for `person`; of those that wait the oldest make room for it."""
    limits, code = services.limits.invite, services.ids.token()
    waiting = repos.invites.pending(person.person_id, now)
    for oldest in waiting[: max(0, len(waiting) + 1 - limits.pending)]:
        repos.invites.drop(oldest.digest)
    repos.invites.add(
        Invite(
            digest=digest_of(code),
            person_id=person.person_id,
            created_by=by.person_id,
            created_at=now,
            expires_at=now + limits.expiry,
        )
    )
    values: dict[str, Any] = {
        "name": person.name,
        "link": services.invite_link(code),
        "code": code,
        "until": (now + limits.expiry).isoformat(),
    }
    return Invitation(code, Words(template="chat/invited", values=values))


def digest_of(code: str) -> str:
    """What is kept of a code."""
    return sha256(code.encode()).hexdigest()


def redeem(repos: Repositories, services: Services, fact: Fact, code: str, now: datetime) -> Redeemed:
    """Connect the sender's chat as the person whom the code is for. A wrong code is counted; too many lock the user."""
    known = repos.people.by_identity(fact.channel, fact.sender)
    if _is_locked(repos, services, fact, now):
        return Redeemed("locked", known)
    found = repos.invites.take(digest_of(code), now)
    person = repos.people.get(found.person_id) if found is not None else None
    by = repos.people.get(found.created_by) if found is not None else None
    if found is None or person is None or by is None or not may_invite(by, person):
        repos.invites.failed(fact.channel, fact.sender, now)
        return Redeemed("wrong", known)
    if known is not None and known.person_id != person.person_id:
        repos.invites.add(found)
        return Redeemed("taken", known)
    return Redeemed("joined", _connected(repos, person, fact, own=found.created_by == person.person_id), found)


def _is_locked(repos: Repositories, services: Services, fact: Fact, now: datetime) -> bool:
    limits, who = services.limits.invite, (fact.channel, fact.sender)
    if repos.invites.failures(*who, now - limits.lock) == 0:
        return False
    return repos.invites.failures(*who, now - TRIES_COUNT_FOR) >= limits.tries


def _connected(repos: Repositories, person: Person, fact: Fact, *, own: bool) -> Person:
    """With the sender's chat in front: it is where they can be met for certain. One that they connected themselves
    (`own`) is one more, behind those that work already.
    """
    here = Identity(channel=fact.channel, user_id=fact.sender, invited=True)
    others = tuple(i for i in person.identities if (i.channel, i.user_id) != (here.channel, here.user_id))
    policy = person.interaction_policy.model_copy(update={"contact_allowed": True})
    identities = (*others, here) if own else (here, *others)
    person = person.model_copy(update={"identities": identities, "interaction_policy": policy})
    repos.people.save(person)
    return person


def contact_again(repos: Repositories, services: Services, person: Person, cause: str) -> tuple[Concern, ...]:
    """Open matters in which they were out of reach go on with them; which these are."""
    setting = services.setting(everybody(repos))
    missed = [
        c for c in repos.concerns.open_by_delegate(person.person_id) if _status(c, person) is CommStatus.UNREACHABLE
    ]
    return tuple(commit(repos, reached(c, person, setting, cause)) for c in missed)


def tell_inviter(
    repos: Repositories, person: Person, found: Invite, channel: str, matters: tuple[Concern, ...], now: datetime
) -> None:
    """Whoever made the invite hears that it was used, and what goes on because of it."""
    if found.created_by == person.person_id:
        return
    values = {
        "name": person.name,
        "channel": channel,
        "titles": [c.title for c in matters],
        "dropped": _let_go(repos, person, found.created_by, now),
    }
    message = Outgoing(
        purpose=Purpose.NOTICE, to=found.created_by, words=Words(template="chat/connected", values=values)
    )
    apply(repos, Send(key=f"connected:{found.digest}", due=now, message=message))


def _let_go(repos: Repositories, person: Person, initiator: PersonId, now: datetime) -> str | None:
    """The title of the initiator's last matter that was dropped because this person could not be reached."""
    last = repos.concerns.last_closed_by_delegate(person.person_id)
    if last is None or last.closed_at is None or now - last.closed_at > ASKED_LATELY:
        return None
    missed = last.status is Status.DROPPED and _status(last, person) is CommStatus.UNREACHABLE
    return last.title if missed and last.initiator_id == initiator else None


def _status(concern: Concern, person: Person) -> CommStatus | None:
    entry = concern.person(person.person_id)
    return entry.comm_status if entry is not None else None


def with_invites(
    repos: Repositories, services: Services, report: Outgoing, concern: Concern, reader: Person, now: datetime
) -> Outgoing:
    """A report that tells of people out of reach, with a link to hand on to each of them (RULES 5)."""
    if services.invite_link("") is None:
        return report
    told = [n.person_id for n in concern.reports.waiting if n.kind is NoticeKind.UNREACHABLE and n.person_id]
    made = _invitations(repos, services, concern, told, reader, now)
    words = report.words.model_copy(update={"lines": (*report.words.lines, *(m.words for m in made))})
    return report.model_copy(update={"words": words, "hidden": tuple(m.code for m in made)})


def offer(scene: Scene, concern: Concern) -> None:
    """Beside the word that there is no way to somebody: an invite to hand on to them."""
    everyone = [p.person_id for p in concern.delegates]
    made = _invitations(scene.repos, scene.services, concern, everyone, scene.sender, scene.now)
    if made:
        first, *others = (m.words for m in made)
        words = first.model_copy(update={"lines": tuple(others)})
        hand_over(scene, words, tuple(m.code for m in made), key=f"invite:{concern.concern_id}")


def hand_over(scene: Scene, words: Words, codes: tuple[str, ...], *, key: str) -> None:
    """Say it to whose errand it is, and to nobody else: whoever reads a code can use it. The codes are not kept."""
    send = answer(scene.errand, scene.now, words, key=key)
    # What was planned before may have been asked for in a group.
    alone = not scene.errand.group and scene.errand.schedule_id is None
    where = send.message.conversation if alone else None
    message = send.message.model_copy(update={"hidden": codes, "conversation": where})
    apply(scene.repos, send.model_copy(update={"message": message}))


def _invitations(
    repos: Repositories, services: Services, concern: Concern, people: Iterable[PersonId], by: Person, now: datetime
) -> list[Invitation]:
    """For each of these people who is out of reach in the concern and may be invited by `by`."""
    found = (repos.people.get(person_id) for person_id in dict.fromkeys(people))
    lost = [p for p in found if p is not None and _status(concern, p) is CommStatus.UNREACHABLE and may_invite(by, p)]
    return [invite(repos, services, person, by, now) for person in lost]
