"""Invites on a real database: one use, few tries, no trace of a code, and whoever came in stays in."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import chain
from pathlib import Path

import pytest

from bot.app import _load_people
from bot.store import PeeweeStore
from bot.system import SystemIds, VirtualClock
from core.brain.rules import RuleBrain
from core.concern.model import CommStatus
from core.facts import Fact, FactKind
from core.hub.inviting import digest_of, invite, may_invite, redeem
from core.hub.services import Services
from core.ids import ConversationId, PersonId
from core.limits import Limits
from core.people import Identity, Person, Role
from tests.flow.office import START, Office

OWNER = Person(person_id=PersonId("p_owner"), name="老板", role=Role.OWNER)
ZHANG = Person(person_id=PersonId("p_zhangsan"), name="张三")
LI = Person(person_id=PersonId("p_lisi"), name="李四", identities=(Identity(channel="telegram", user_id="2002"),))
HOUR = timedelta(hours=1)


class Door:
    """A store with three people, and users who come with codes."""

    def __init__(self, url: str = "sqlite:///:memory:") -> None:
        self.store = PeeweeStore(url, inline=True)
        self.clock = VirtualClock(START)
        self.services = Services(
            store=self.store,
            brain=RuleBrain(),
            simple_brain=RuleBrain(),
            clock=self.clock,
            ids=SystemIds(),
            limits=Limits(),
        )
        for person in (OWNER, ZHANG, LI):
            self.store.run_now(lambda repos, p=person: repos.people.save(p))

    def code(self, person: Person = ZHANG) -> str:
        now = self.clock.now()
        return self.store.run_now(lambda repos: invite(repos, self.services, person, OWNER, now)).code

    def tries(self, user: str, code: str) -> str:
        fact = Fact(
            channel="telegram",
            event_id=f"{user}{code}",
            kind=FactKind.MESSAGE,
            occurred_at=self.clock.now(),
            conversation=ConversationId(f"telegram:{user}"),
            sender=user,
        )
        now = self.clock.now()
        return self.store.run_now(lambda repos: redeem(repos, self.services, fact, code, now)).outcome

    def users_of(self, person: Person) -> list[str]:
        found = self.store.run_now(lambda repos: repos.people.get(person.person_id))
        return [i.user_id for i in found.identities] if found else []


@pytest.fixture
def door() -> Iterator[Door]:
    door = Door()
    yield door
    door.store.close()


# --- codes ---


def test_a_code_has_sixty_bits_and_is_kept_as_a_digest(door: Door) -> None:
    code = door.code()
    (kept,) = door.store.run_now(lambda repos: repos.invites.pending(ZHANG.person_id, START))
    assert len(code) * 6 >= 60
    assert kept.digest == digest_of(code)
    assert code not in kept.model_dump_json()
    assert len({door.code() for _ in range(50)}) == 50


def test_a_code_is_used_once(door: Door) -> None:
    code = door.code()
    assert [door.tries(user, code) for user in ("7", "8")] == ["joined", "wrong"]
    assert (door.users_of(ZHANG), door.users_of(LI)) == (["7"], ["2002"])


def test_of_four_invites_the_oldest_is_worthless(door: Door) -> None:
    codes = [door.code() for _ in range(3)]
    door.clock.advance(HOUR)
    codes.append(door.code())
    assert len(door.store.run_now(lambda repos: repos.invites.pending(ZHANG.person_id, door.clock.now()))) == 3
    assert sum(door.tries(str(n), code) == "joined" for n, code in enumerate(codes, 20)) == 3
    assert door.tries("30", codes[-1]) == "wrong"


def test_a_code_lapses_after_a_day(door: Door) -> None:
    code = door.code()
    door.clock.advance(24 * HOUR)
    assert door.tries("7", code) == "wrong"


def test_somebody_else_cannot_use_it_and_it_stays_good(door: Door) -> None:
    code = door.code()
    assert door.tries("2002", code) == "taken"
    assert (door.users_of(ZHANG), door.users_of(LI)) == ([], ["2002"])
    assert door.tries("7", code) == "joined"


def test_ones_own_invite_changes_nothing_but_is_used_up(door: Door) -> None:
    code = door.code(LI)
    assert door.tries("2002", code) == "joined"
    assert door.users_of(LI) == ["2002"]
    assert door.tries("9", code) == "wrong"


def test_a_second_chat_goes_in_front_of_the_first(door: Door) -> None:
    assert door.tries("3003", door.code(LI)) == "joined"
    assert door.users_of(LI) == ["3003", "2002"]


# --- brute force ---


def test_five_wrong_codes_lock_a_user_for_an_hour(door: Door) -> None:
    code = door.code()
    assert [door.tries("7", f"wrong{n}") for n in range(5)] == ["wrong"] * 5
    assert door.tries("7", code) == "locked"
    assert door.tries("8", "wrong") == "wrong"
    door.clock.advance(HOUR)
    assert door.tries("7", code) == "locked"
    door.clock.advance(timedelta(microseconds=1))
    assert door.tries("7", code) == "joined"


def test_a_user_tries_no_more_than_a_few_codes_a_day(door: Door) -> None:
    outcomes = []
    for n in range(24 * 12):
        outcomes.append(door.tries("7", f"guess{n}"))
        door.clock.advance(timedelta(minutes=5))
    assert outcomes.count("wrong") <= 5 + 24
    assert outcomes.count("joined") == 0


def test_somebody_known_has_no_more_tries_than_a_stranger(door: Door) -> None:
    code = door.code()
    outcomes = [door.tries("2002", f"wrong{n}") for n in range(5)]
    assert outcomes == ["wrong"] * 5
    assert door.tries("2002", code) == "locked"


def test_of_many_who_come_at_once_one_gets_in(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'door.db'}"
    doors = [Door(url) for _ in range(4)]
    code = doors[0].code()
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda n: doors[n].tries(str(50 + n), code), range(4)))
    assert sorted(outcomes) == ["joined", "wrong", "wrong", "wrong"]
    assert len(doors[0].users_of(ZHANG)) == 1
    for door in doors:
        door.store.close()


def test_of_many_invites_made_at_once_three_are_good(tmp_path: Path) -> None:
    doors = several_doors(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        codes = list(chain(*pool.map(lambda door: [door.code() for _ in range(6)], doors)))
    pending = doors[0].store.run_now(lambda repos: repos.invites.pending(ZHANG.person_id, START))
    assert len(pending) == 3
    assert {i.digest for i in pending} <= {digest_of(code) for code in codes}
    closed(doors)


def test_nobody_has_more_tries_for_trying_at_once(tmp_path: Path) -> None:
    """Through several processes, as fast as they can; the right code comes last."""
    doors = several_doors(tmp_path)
    code = doors[0].code()
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(chain(*pool.map(lambda d: [d.tries("7", f"guess{n}") for n in range(10)], doors)))
    assert (outcomes.count("wrong"), outcomes.count("locked")) == (5, 35)
    assert doors[0].tries("7", code) == "locked"
    closed(doors)


def several_doors(folder: Path) -> list[Door]:
    """Processes on one database."""
    return [Door(f"sqlite:///{folder / 'door.db'}") for _ in range(4)]


def closed(doors: list[Door]) -> None:
    for door in doors:
        door.store.close()


# --- who may ---


@pytest.mark.parametrize("inviter", list(Role))
@pytest.mark.parametrize("invited", list(Role))
def test_nobody_hands_out_more_authority_than_their_own(inviter: Role, invited: Role) -> None:
    by, person = OWNER.model_copy(update={"role": inviter}), ZHANG.model_copy(update={"role": invited})
    allowed = inviter is Role.OWNER or (inviter is Role.ADMIN and invited is not Role.OWNER)
    assert may_invite(by, person) is allowed


# --- the people file after an invite ---


def test_who_came_in_by_an_invite_stays_in_after_a_start(door: Door) -> None:
    door.tries("3003", door.code(LI))
    moved = LI.model_copy(update={"name": "李四四", "identities": (Identity(channel="telegram", user_id="2099"),)})
    door.store.run_now(lambda repos: _load_people(repos, (OWNER, ZHANG, moved)))
    assert door.users_of(LI) == ["3003", "2099"]
    door.store.run_now(lambda repos: _load_people(repos, (OWNER, ZHANG, moved)))
    assert door.users_of(LI) == ["3003", "2099"]


def test_a_chat_that_the_file_gives_to_somebody_is_theirs(door: Door) -> None:
    door.tries("3003", door.code(LI))
    given = ZHANG.model_copy(update={"identities": (Identity(channel="telegram", user_id="3003"),)})
    door.store.run_now(lambda repos: _load_people(repos, (OWNER, given, LI)))
    assert (door.users_of(ZHANG), door.users_of(LI)) == (["3003"], ["2002"])


# --- the whole bot ---


def start(office: Office, user: str, code: str) -> None:
    office.happens(
        Fact(
            channel="telegram",
            event_id=f"start{user}{code}",
            kind=FactKind.MESSAGE,
            occurred_at=office.clock.now(),
            conversation=ConversationId(f"telegram:{user}"),
            sender=user,
            message_id=f"start{user}{code}",
            text=f"/start {code}",
        )
    )


def arrived(office: Office, chat: str) -> list[str]:
    return [a.text for a in office.ledger if a.chat == chat]


def test_no_row_keeps_a_code_that_went_out() -> None:
    office = Office()
    office._ids = SystemIds()  # type: ignore[assignment]
    office.restart()
    office.say("p_owner", "/invite 李四")
    (said,) = arrived(office, "1")
    code = said.rpartition("start=")[2]
    assert len(code) == 16
    rows = office.look(lambda repos: repr(list(sqlite_rows(office))))
    assert "•••" in rows
    assert code not in rows
    start(office, "77", code)
    assert any("李四" in text for text in arrived(office, "77"))
    office.close()


def sqlite_rows(office: Office) -> Iterator[tuple[object, ...]]:
    with sqlite3.connect(office._url.removeprefix("sqlite:///")) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            yield from db.execute(f"SELECT * FROM {table}").fetchall()


@pytest.mark.parametrize("point", range(1, 9))
def test_a_process_that_dies_while_somebody_comes_in_lets_them_in_once(point: int) -> None:
    office = Office()
    office.channels["telegram"].fail(forbidden("3"))
    office.say("p_owner", "帮我问一下张三和李四，v2.0 什么时候能提测")
    code = arrived(office, "1")[-1].rpartition("start=")[2]
    office.die_in(point)
    start(office, "77", code)
    office.advance(timedelta(minutes=1))
    (concern,) = office.concerns()
    entry = concern.person(PersonId("p_lisi"))
    assert entry is not None
    assert entry.comm_status is CommStatus.WAITING_REPLY
    assert sum("想请问" in text for text in arrived(office, "77")) == 1
    assert sum("连上了" in text for text in arrived(office, "1")) <= 1
    assert office.look(lambda repos: repos.people.by_identity("telegram", "77")).person_id == "p_lisi"
    office.close()


def forbidden(chat: str):  # type: ignore[no-untyped-def]
    from bot.channels.virtual import Fault

    return Fault("forbidden", chat=chat)
