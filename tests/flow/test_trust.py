"""Whose word counts, and who reads what: people who lost a role, groups where others read along, codes, long pauses."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from core.action.meta_actions import AdvanceConcernParameters
from core.action.model import ImmediateExecutableAction
from core.action.run import begun
from core.action.task import DeepTaskState
from core.agenda.model import Expectation, WatchItem
from core.concern.schedule import PlannedStep
from core.context.workspace import Block, BlockKind
from core.effects import Act
from core.facts import Fact, FactKind
from core.hub.abilities.concerns import advance_concern
from core.hub.abilities.tasks import keep_task, kept_task, queue_step
from core.hub.commit import apply
from core.hub.errand import Done, Errand, Scene
from core.ids import ConcernId, ConversationId, PersonId
from core.people import Role
from core.schedule import ScheduleTrigger
from tests.flow.chains import ChainBrain
from tests.flow.office import START, Office

GROUP = ConversationId("telegram:-100")
HOME = ConversationId("telegram:1")
WANG = PersonId("p_wang")


@pytest.fixture
def office() -> Iterator[Office]:
    house = Office(brain=ChainBrain())
    yield house
    house.close()


def has_role(office: Office, person_id: str, role: Role) -> None:
    def change(repos: Any) -> None:
        person = repos.people.get(PersonId(person_id))
        repos.people.save(person.model_copy(update={"role": role}))

    office.look(change)


def in_group(office: Office, sender: str, number: int, **fields: Any) -> None:
    given: dict[str, Any] = {
        "channel": "telegram",
        "event_id": f"g{number}",
        "kind": FactKind.MESSAGE,
        "occurred_at": office.clock.now(),
        "conversation": GROUP,
        "sender": sender,
        "message_id": f"g{number}",
        "group": True,
    }
    office.happens(Fact(**given | fields))


def read_in(office: Office, chat: str) -> list[str]:
    return [a.text for a in office.ledger if a.chat == chat]


# --- groups ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["/invite 张三", "给张三生成一个邀请", "邀请张三"])
def test_an_invite_asked_for_in_a_group_goes_to_whoever_asked_alone(office: Office, text: str) -> None:
    in_group(office, "1", 1, text=text)
    codes = office.look(lambda repos: repos.invites.pending(PersonId("p_zhangsan"), office.clock.now()))
    assert len(codes) == 1
    assert any("/start" in t or "24" in t or "邀请" in t for t in read_in(office, "1") + read_in(office, "ou_1"))
    assert not any("/start" in t for t in read_in(office, "-100"))


def test_a_button_in_a_group_is_nobodys_but_whose_it_is(office: Office) -> None:
    in_group(office, "1", 1, text="跟李四说我同意赔他们五万")
    (block,) = office.look(lambda repos: repos.blocks.of(PersonId("p_owner"), BlockKind.ACTIONS_NEED_CONFIRMATION))
    asked = next(a for a in office.ledger if a.chat == "-100")
    before = len(office.ledger)
    for number, sender in ((2, "5"), (3, "3"), (4, "777")):
        in_group(
            office, sender, number, kind=FactKind.BUTTON, button=f"yes:{block.block_id}", message_id=asked.message_id
        )
        in_group(office, sender, number + 10, text="可以")
    assert office.concerns() == ()
    assert not any(a.chat == "3" for a in office.ledger[before:])
    presses = [a for a in office.ledger[before:] if "过期" in a.text or "处理" in a.text]
    assert presses == []
    in_group(office, "1", 30, kind=FactKind.BUTTON, button=f"yes:{block.block_id}", message_id=asked.message_id)
    assert len(office.concerns()) == 1


def test_a_yes_in_a_group_does_not_confirm_what_was_asked_in_private(office: Office) -> None:
    office.say("p_owner", "跟李四说我同意赔他们五万", channel="telegram")
    in_group(office, "1", 1, text="可以")
    assert office.concerns() == ()
    office.say("p_owner", "可以", channel="telegram")
    assert len(office.concerns()) == 1


# --- somebody who lost a role ----------------------------------------------------------------------------------------


def test_a_yes_of_somebody_who_may_no_longer_start_anything_starts_nothing(office: Office) -> None:
    office.say("p_wang", "跟李四说我同意赔他们五万")
    (block,) = office.look(lambda repos: repos.blocks.of(WANG, BlockKind.ACTIONS_NEED_CONFIRMATION))
    has_role(office, "p_wang", Role.DELEGATE)
    office.press("p_wang", f"yes:{block.block_id}", "telegram", "m")
    office.say("p_wang", "可以")
    assert office.concerns() == ()
    assert not any(a.chat == "3" for a in office.ledger)


def expects(office: Office, owner: str, conversation: str) -> None:
    due = START + timedelta(hours=1)
    kept = Expectation(
        expectation_id="e1",
        owner=PersonId(owner),
        conversation=ConversationId(conversation),
        person_id=PersonId("p_lisi"),
        who="李四",
        what="发日报",
        words="李四十一点前发日报",
        due=ScheduleTrigger(kind="once", when=due.isoformat()),
        on_missed="both",
        created_at=START,
        since=START,
        next_due=due,
    )
    office.look(lambda repos: repos.agenda.put_expectation(kept))


@pytest.mark.parametrize("role", [Role.MEMBER, Role.DELEGATE])
def test_what_somebody_expected_is_asked_for_only_while_they_may(office: Office, role: Role) -> None:
    expects(office, "p_wang", "telegram:5")
    has_role(office, "p_wang", role)
    office.advance(timedelta(hours=2))
    may = role is Role.MEMBER
    assert bool(office.concerns()) is may
    assert any("日报" in t for t in read_in(office, "3")) is may
    assert any("日报" in t for t in read_in(office, "5")) is may


@pytest.mark.parametrize("role", [Role.MEMBER, Role.DELEGATE])
def test_what_happens_is_told_only_to_those_who_may_wait_for_it(office: Office, role: Role) -> None:
    item = WatchItem(
        watch_id="w1",
        owner=WANG,
        conversation=ConversationId("telegram:5"),
        what="发布完成",
        words="发布完成了告诉我",
        created_at=START,
        expires_at=START + timedelta(days=3),
    )
    office.look(lambda repos: repos.agenda.put_watch(item))
    has_role(office, "p_wang", role)
    office.happens(
        Fact(
            channel="gitlab",
            event_id="1",
            kind=FactKind.EVENT,
            occurred_at=office.clock.now(),
            conversation=ConversationId("gitlab:x"),
            text="v2 发布完成",
        )
    )
    assert any("发布完成" in t for t in read_in(office, "5")) is (role is Role.MEMBER)


def under_way(office: Office, person_id: str, chat: str) -> None:
    """A chain whose first stage is done and whose second one waits."""
    errand = Errand(
        person_id=PersonId(person_id),
        conversation=ConversationId(f"telegram:{chat}"),
        channel="telegram",
        channel_user_id=chat,
        cause="f1",
        words="告诉李四",
    )
    tell = PlannedStep(key="send_message", parameters={"people": ["p_lisi"], "text": "评审改到三点"})
    action = ImmediateExecutableAction(tendency="告诉李四", stages={2: (tell,)})
    run = begun(action, "run:f1:0", errand.model_dump(mode="json"), office.clock.now())
    far = office.clock.now() + timedelta(days=3650)

    def keep(repos: Any) -> None:
        repos.blocks.put(
            Block(
                block_id=run.run_id,
                kind=BlockKind.ACTION_STATES,
                owner=errand.person_id,
                conversation=errand.conversation,
                content=run.model_dump(mode="json"),
                created_at=office.clock.now(),
                expires_at=far,
            )
        )
        apply(
            repos,
            Act(key="act:1", due=office.clock.now(), run_id=run.run_id, stage=2, conversation=errand.conversation),
        )

    office.look(keep)


@pytest.mark.parametrize("role", [Role.MEMBER, Role.DELEGATE])
def test_a_further_stage_runs_only_while_they_may(office: Office, role: Role) -> None:
    under_way(office, "p_wang", "5")
    has_role(office, "p_wang", role)
    office.advance(timedelta(minutes=1))
    assert bool(office.concerns()) is (role is Role.MEMBER)
    assert any("评审" in t for t in read_in(office, "3")) is (role is Role.MEMBER)


# --- long pauses ------------------------------------------------------------------------------------------------------


def working_on(office: Office, message_id: str | None = None) -> None:
    """A deep task of the owner's, before its first step."""
    errand = Errand(
        person_id=PersonId("p_owner"),
        conversation=HOME,
        channel="telegram",
        channel_user_id="1",
        message_id=message_id,
        cause="f1",
        words="理一遍",
    )
    state = DeepTaskState(
        task_id="task:f1",
        goal="把手上的事理一遍",
        errand=errand.model_dump(mode="json"),
        steps=3,
        started_at=START,
        expires_at=START + timedelta(days=1),
    )

    def keep(repos: Any) -> None:
        keep_task(repos, state)
        queue_step(repos, state, START + timedelta(minutes=5))

    office.look(keep)


def test_a_task_whose_time_ran_out_while_the_process_was_down_is_told_of(office: Office) -> None:
    working_on(office)
    office.clock.set(START + timedelta(days=9))
    office.restart()
    assert any("把手上的事理一遍" in t for t in read_in(office, "1"))


@pytest.mark.parametrize("message_id", ["m1", "m2"])
def test_a_task_ends_with_the_message_that_asked_for_it(office: Office, message_id: str) -> None:
    working_on(office, "m1")
    office.happens(
        Fact(
            channel="telegram",
            event_id="r1",
            kind=FactKind.RECALL,
            occurred_at=office.clock.now(),
            conversation=HOME,
            sender="1",
            message_id=message_id,
        )
    )
    kept = office.look(lambda repos: kept_task(repos, "task:f1"))
    assert kept is not None
    assert kept.state == ("cancelled" if message_id == "m1" else "running")


# --- a flood of events ------------------------------------------------------------------------------------------------


def test_what_came_is_found_among_very_many_events(office: Office) -> None:
    expects(office, "p_owner", HOME)

    def flood(repos: Any) -> None:
        for n in range(450):
            text = "李四的日报发了" if n == 449 else f"build {n} passed"
            at = START + timedelta(seconds=n + 1)
            fact = Fact(
                channel="ci",
                event_id=str(n),
                kind=FactKind.EVENT,
                occurred_at=at,
                conversation=ConversationId("ci:x"),
                text=text,
            )
            repos.facts.handled(repos.facts.add(fact, at), "ignore", "", "", at)

    office.look(flood)
    office.advance(timedelta(hours=2))
    assert office.concerns() == ()
    assert read_in(office, "3") == []


def test_a_strange_press_in_a_group_leaves_the_buttons_where_they_are(office: Office) -> None:
    in_group(office, "1", 1, text="跟李四说我同意赔他们五万")
    asked = next(a for a in office.ledger if a.chat == "-100")
    settled: list[str] = []

    class Marking(type(office.channels["telegram"])):  # type: ignore[misc]
        async def settle_button(self, fact: Fact, note: str | None) -> None:
            settled.append(fact.sender)

    office.channels["telegram"].__class__ = Marking
    for number, sender in ((2, "5"), (3, "777"), (4, "1")):
        press = Fact(
            channel="telegram",
            event_id=f"p{number}",
            kind=FactKind.BUTTON,
            occurred_at=office.clock.now(),
            conversation=GROUP,
            sender=sender,
            message_id=asked.message_id,
            button="edit:x",
            group=True,
        )
        asyncio.run(emitted(office, press))
    assert settled == ["1"]


async def emitted(office: Office, press: Fact) -> None:
    await office.app.emit(press)
    await asyncio.sleep(0)


# --- which chat a message belongs to ----------------------------------------------------------------------------------


def test_a_message_of_the_same_number_in_another_chat_is_another_message(office: Office) -> None:
    """Telegram counts the messages of a supergroup by themselves."""
    in_group(office, "1", 1, text="帮我问一下李四，合同签了没有", message_id="57")
    assert len(office.concerns()) == 1
    fact = Fact(
        channel="telegram",
        event_id="r1",
        kind=FactKind.RECALL,
        occurred_at=office.clock.now(),
        conversation=HOME,
        sender="1",
        message_id="57",
    )
    before = len(office.ledger)
    office.happens(fact)
    assert office.concerns()[0].decision is None
    assert office.ledger[before:] == []
    in_group(office, "1", 2, kind=FactKind.RECALL, message_id="57")
    assert office.concerns()[0].decision is not None


# --- words that were kept for a time ----------------------------------------------------------------------------------


def test_words_kept_for_a_time_are_their_senders_though_that_chat_is_no_longer_theirs(office: Office) -> None:
    office.say("p_owner", "每天上午十点半告诉我还有什么没办完", channel="telegram")

    def moved(repos: Any) -> None:
        owner = repos.people.get(PersonId("p_owner"))
        left = tuple(i for i in owner.identities if i.channel != "telegram")
        repos.people.save(owner.model_copy(update={"identities": left}))

    office.look(moved)
    before = len(office.ledger)
    office.advance(timedelta(hours=1))
    assert any("没有" in a.text for a in office.ledger[before:])


# --- a message is one occasion ----------------------------------------------------------------------------------------


def test_a_condition_is_not_met_again_by_an_edit_of_the_same_words(office: Office) -> None:
    office.say("p_owner", "每次李四说客户来了，就告诉张三去接一下", channel="telegram")
    (kept,) = office.concerns()
    assert kept.trigger is not None
    assert kept.trigger["kind"] == "event"
    message = office.say("p_lisi", "客户来了")
    told = sum("接" in a.text for a in office.ledger if a.chat in ("2", "ou_2"))
    assert told == 1
    office.edit("p_lisi", message, "客户来了！")
    office.advance(timedelta(minutes=1))
    assert sum("接" in a.text for a in office.ledger if a.chat in ("2", "ou_2")) == 1


# --- a schedule -------------------------------------------------------------------------------------------------------


def test_words_for_a_schedule_are_not_said_to_have_changed_it(office: Office) -> None:
    office.say("p_owner", "明天上午九点提醒我开会", channel="telegram")
    (kept,) = office.concerns()
    said = office.look(lambda repos: advanced(repos, office, kept.concern_id))
    assert said.problem is not None
    assert said.problem.template == "chat/schedule_unchanged"
    assert office.concerns() == (kept,)


def advanced(repos: Any, office: Office, concern_id: ConcernId) -> Done:
    errand = Errand(
        person_id=PersonId("p_owner"),
        conversation=HOME,
        channel="telegram",
        channel_user_id="1",
        cause="f9",
        words="带上电脑",
    )
    people = {p.person_id: p for p in repos.people.all()}
    scene = Scene(repos, office.app.runtime._hub._services, people, errand, "k", now=office.clock.now())
    return advance_concern(scene, AdvanceConcernParameters(concern_ids=(concern_id,), message="带上电脑"))


def test_taking_back_the_order_asks_about_what_its_schedule_has_raised(office: Office) -> None:
    message = office.say("p_owner", "半小时后问一下李四合同签了没有", channel="telegram")
    office.advance(timedelta(hours=1))
    raised = office.concerns()[0]
    assert [p.person_id for p in raised.delegates] == ["p_lisi"]
    office.happens(
        Fact(
            channel="telegram",
            event_id="r1",
            kind=FactKind.RECALL,
            occurred_at=office.clock.now(),
            conversation=HOME,
            sender="1",
            message_id=message,
        )
    )
    assert office.concerns()[0].decision is not None
