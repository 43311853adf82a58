"""The time of a watch item is over (RULES 2): news that never came, or a promise whose day has gone by.

News: whoever wanted to know is told that there is none. A promise that nothing shows to be kept is lifted to a concern:
whoever made it is asked, once they may be written to; until then they may still say that it is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.agenda.absence import evidence, standing
from core.agenda.model import Verdict, WatchItem
from core.agenda.watch import awaited
from core.concern import promised
from core.concern.followup import opening as first_hour
from core.effects import Outgoing, Purpose, Send, Words
from core.facts import Fact, Signal, SignalKind, StoredFact
from core.hub.abilities.expecting import end_item, may_be_asked
from core.hub.acting.executor import Keep
from core.hub.commit import apply, commit
from core.hub.outcome import Outcome
from core.hub.services import Services, everybody, owner_day
from core.hub.simple_mode import TurnBrain
from core.hub.turns.happened import answers_of, happened, is_read_out, message_of
from core.ids import PersonId
from core.people import Person
from core.ports import Repositories


@dataclass(frozen=True)
class _Look:
    """What the judgement of one promise reads."""

    item: WatchItem
    person: Person
    people: Mapping[PersonId, Person]
    facts: tuple[Fact, ...]
    said_by_owner: tuple[Fact, ...]
    elsewhere: frozenset[tuple[str, str]]

    @property
    def what(self) -> str:
        """The deed, for `core.agenda.absence`."""
        return self.item.what

    @property
    def who(self) -> str:
        """By whom."""
        return self.person.name


class ExpiredTurn:
    """Judges watch items whose time is over."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def handle(self, stored: StoredFact, brain: TurnBrain) -> Outcome:
        """The outcome to commit; an item that was ended or moved meanwhile is let be."""
        watch_id = stored.fact.item_id or ""
        item, look = await self._services.store.run(lambda repos: self._look(repos, watch_id))
        if item is None:
            return Outcome("ignore", "it is not due any more")
        if item.kind == "news":
            return Outcome("watch", "nothing showed", lambda repos: self._over(repos, item))
        if look is None:
            return Outcome("ignore", "whoever promised it is gone", self._ending(item, "dropped"))
        shown = evidence(look, look.person, look.facts, look.said_by_owner)
        if shown is None and await self._is_read_out(look, brain):
            shown = "read out of what was said"
        if shown is not None:
            return Outcome("ignore", f"it was done: {shown[:200]}", self._ending(item, "resolved"))
        return self._missed(look, f"f{stored.fact_id}")

    # --- was it done? -------------------------------------------------------------------------------------------------

    def _look(self, repos: Repositories, watch_id: str) -> tuple[WatchItem | None, _Look | None]:
        item, now = repos.agenda.watch(watch_id), self._services.clock.now()
        if item is None or item.expires_at > now:
            return None, None
        people = everybody(repos)
        person = people.get(item.person_id) if item.person_id is not None else None
        if item.kind == "news" or person is None:
            return item, None
        owner = people.get(item.owner)
        own = happened(repos, person, item.created_at, now)
        # Events name a person where the source knows one; others are told by their words.
        found = [*own, *(e for e in happened(repos, None, item.created_at, now) if e.fact.person_id is None)]
        waits = owner is not None and owner.person_id != person.person_id
        said = happened(repos, owner, item.created_at, now) if waits else ()
        facts = tuple(f for f in standing(f.fact for f in found) if message_of(f)[1] != item.message_id)
        return item, _Look(item, person, people, facts, standing(f.fact for f in said), answers_of(repos, person))

    async def _is_read_out(self, look: _Look, brain: TurnBrain) -> bool:
        asked, owner = awaited(look.item, look.who), look.people.get(look.item.owner)
        return await is_read_out(self._services, brain, asked, look.person, owner, look.facts, look.elsewhere)

    # --- what follows -------------------------------------------------------------------------------------------------

    def _missed(self, look: _Look, cause: str) -> Outcome:
        """Lifted, unless they can't be asked at this hour, or are away: then it is looked at again when they can."""
        item, person = look.item, look.person
        due = item.promised or item.expires_at
        signal = Signal(kind=SignalKind.COMMITMENT, what=item.words, person_id=person.person_id, when=due)
        if not may_be_asked(person):
            return Outcome("watch", "they can't be asked", lambda repos: self._tell(repos, look, due)).lifting(signal)
        at = self._hour(look, cause)
        if at > self._services.clock.now():
            later = item.model_copy(update={"expires_at": at, "promised": due})
            return Outcome("watch", "not an hour to ask them", lambda repos: _move(repos, item, later))
        reason = "a promise past its date"
        return Outcome("raise", reason, lambda repos: self._lift(repos, look, cause)).lifting(signal)

    def _hour(self, look: _Look, cause: str) -> datetime:
        """When they may be written to about it."""
        setting, waits = self._services.setting(look.people), look.people.get(look.item.owner)
        concern = promised.ask(look.item, look.person, waits, promised.UNRAISED, setting, cause).concern
        return first_hour(concern, look.person, setting.now, setting)

    def _lift(self, repos: Repositories, look: _Look, cause: str) -> None:
        if not repos.agenda.take(look.item.watch_id):
            return
        setting, waits = self._services.setting(look.people), look.people.get(look.item.owner)
        concern_id = repos.concerns.next_id(owner_day(setting.now, repos.people.owner()))
        commit(repos, promised.ask(look.item, look.person, waits, concern_id, setting, cause), new=True)

    def _tell(self, repos: Repositories, look: _Look, due: datetime) -> None:
        """Who should know hears that it can't be asked after; of a promise of their own nobody need be told."""
        if not self._end(repos, look.item, "lifted") or look.item.owner == look.person.person_id:
            return
        values = {"name": look.who, "what": look.item.what, "due": due.isoformat()}
        words = Words(template="chat/promise_missed", values=values)
        self._say(repos, look.item, words, f"promise-missed:{look.item.watch_id}")

    def _over(self, repos: Repositories, item: WatchItem) -> None:
        if self._end(repos, item, "dropped"):
            words = Words(template="chat/watch_over", values={"what": item.what})
            self._say(repos, item, words, f"watch-over:{item.watch_id}")

    def _ending(self, item: WatchItem, what: Verdict) -> Keep:
        def keep(repos: Repositories) -> None:
            self._end(repos, item, what)

        return keep

    def _end(self, repos: Repositories, item: WatchItem, what: Verdict) -> bool:
        return end_item(repos, item, what, self._services.clock.now())

    def _say(self, repos: Repositories, item: WatchItem, words: Words, key: str) -> None:
        message = Outgoing(purpose=Purpose.NOTICE, to=item.owner, words=words)
        apply(repos, Send(key=key, due=self._services.clock.now(), message=message))


def _move(repos: Repositories, item: WatchItem, later: WatchItem) -> None:
    if repos.agenda.watch(item.watch_id) == item:
        repos.agenda.put_watch(later)
