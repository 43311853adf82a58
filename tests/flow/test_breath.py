"""What somebody writes in several messages in one breath is one input; everything else is read as it came."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.store.repositories import StoreRepositories
from core.concern.model import Concern, Status
from core.facts import Fact, FactKind
from core.ids import ConversationId, PersonId
from core.limits import DebounceLimits
from tests.flow.office import START, Office

SECOND = timedelta(seconds=1)
BREATH = DebounceLimits()
ZHANG = PersonId("p_zhangsan")


@pytest.fixture
def office() -> Iterator[Office]:
    it = Office(debounce=BREATH)
    yield it
    it.close()


def texts(office: Office, who: str) -> list[str]:
    return [a.text for a in office.ledger if office.chat_of(a.chat).person_id == who]


def states(office: Office) -> list[tuple[str, str, str | None]]:
    """Of what people did: text, state, decision."""

    def read(repos: StoreRepositories) -> list[tuple[str, str, str | None]]:
        sql = (
            "SELECT text, state, decision FROM facts WHERE kind IN ('message', 'edit', 'recall', 'button') ORDER BY id"
        )
        return [tuple(row) for row in repos.facts._db.execute_sql(sql).fetchall()]

    return office.look(read)


def the_one(office: Office) -> Concern:
    (concern,) = office.concerns()
    return concern


def lines(concern: Concern) -> list[tuple[str, str | None, bool]]:
    """What 张三 said in it: text, message, withdrawn."""
    said = (e for e in concern.conversation_log if e.person_id == ZHANG and e.direction == "inbound")
    return [(e.text, e.message_id, e.withdrawn) for e in said]


def asked(office: Office) -> Concern:
    """张三 was asked, and the owner has heard so."""
    office.say("p_owner", "帮我问一下张三，v2.0 什么时候能提测")
    office.advance(2 * SECOND)
    assert len(texts(office, "p_zhangsan")) == 1
    return the_one(office)


def test_two_messages_are_one_request(office: Office) -> None:
    office.say("p_owner", "帮我问一下张三")
    office.advance(SECOND)
    office.say("p_owner", "v2.0 什么时候能提测")
    office.advance(1.9 * SECOND)
    assert office.ledger == []
    office.advance(0.1 * SECOND)
    assert "v2.0" in the_one(office).title
    assert len(texts(office, "p_zhangsan")) == len(texts(office, "p_owner")) == 1
    assert [(state, decision) for _, state, decision in states(office)] == [("handled", "raise")] * 2


def test_what_comes_later_is_read_for_itself(office: Office) -> None:
    office.say("p_owner", "帮我问一下张三，v2.0 什么时候能提测")
    office.advance(2 * SECOND)
    office.say("p_owner", "帮我问一下李四，周报写完了没有")
    office.advance(2 * SECOND)
    assert len(office.concerns()) == 2


def test_whoever_never_stops_is_read_all_the_same(office: Office) -> None:
    for number in range(8):
        office.say("p_owner", f"帮我问一下张三第{number}批样品什么时候到")
        office.advance(1.5 * SECOND)
    first = [text for text, state, _ in states(office) if state == "handled"]
    assert first == [f"帮我问一下张三第{number}批样品什么时候到" for number in range(7)]


def test_an_input_has_so_many_messages_at_most(office: Office) -> None:
    for number in range(BREATH.messages + 1):
        office.say("p_zhangsan", f"{number}")
    joined = [state for _, state, _ in states(office)].count("joined")
    assert joined in (0, BREATH.messages - 1)  # the one beyond ends the wait of those before
    office.advance(2 * SECOND)
    assert {state for _, state, _ in states(office)} == {"handled"}


@pytest.mark.parametrize("line", ["/concerns", "／concerns"])
def test_a_command_is_answered_at_once_after_what_came_before_it(office: Office, line: str) -> None:
    office.say("p_owner", "帮我问一下张三，v2.0 什么时候能提测")
    office.say("p_owner", line)
    acknowledged, listed = texts(office, "p_owner")
    assert "我来联系张三" in acknowledged
    assert "v2.0" in listed


def test_a_command_alone_waits_for_nothing(office: Office) -> None:
    office.say("p_owner", "/concerns")
    assert len(texts(office, "p_owner")) == 1


def test_a_message_that_quotes_another_one_is_an_input_of_its_own(office: Office) -> None:
    asked(office)
    question = next(a for a in office.ledger if a.chat == "ou_2")
    office.say("p_zhangsan", "转告老板我明天请假")
    office.say("p_zhangsan", "周四", channel="feishu", reply_to=question.message_id)
    office.say("p_zhangsan", "下午", channel="feishu")
    office.advance(2 * SECOND)
    assert [text for text, _, _ in lines(the_one(office))] == ["周四", "下午"]
    assert any("请假" in text for text in texts(office, "p_owner"))


def test_what_is_forwarded_is_an_input_of_its_own(office: Office) -> None:
    office.say("p_owner", "看看这个")
    office.happens(words("1", "帮我问一下张三v2.0什么时候能提测", forwarded_from="王五"))
    office.advance(2 * SECOND)
    assert office.concerns() == ()
    assert [state for _, state, _ in states(office)] == ["handled", "handled"]
    assert texts(office, "p_zhangsan") == []


def words(sender: str, text: str, *, chat: str | None = None, **more: object) -> Fact:
    """A message on Telegram."""
    return Fact(
        channel="telegram",
        event_id=f"w{sender}{text}",
        kind=FactKind.MESSAGE,
        occurred_at=START,
        conversation=ConversationId(f"telegram:{chat or sender}"),
        sender=sender,
        text=text,
        message_id=f"w{sender}{text}",
        group=chat is not None,
        **more,  # type: ignore[arg-type]
    )


def test_of_two_people_in_a_group_each_has_an_input_of_their_own(office: Office) -> None:
    for sender, text in (
        ("1", "帮我问一下张三"),
        ("5", "帮我问一下李四"),
        ("1", "v2.0 什么时候能提测"),
        ("5", "周报写完了没有"),
    ):
        office.happens(words(sender, text, chat="-100"))
        office.advance(0.5 * SECOND)
    office.advance(2 * SECOND)
    found = {(c.initiator_id, c.title, tuple(p.person_id for p in c.delegates)) for c in office.concerns()}
    assert {(who, people) for who, _, people in found} == {("p_owner", ("p_zhangsan",)), ("p_wang", ("p_lisi",))}
    assert {who for who, title, _ in found if "提测" in title} == {"p_owner"}


def test_an_answer_in_two_messages_is_two_lines_and_one_input(office: Office) -> None:
    asked(office)
    first = office.say("p_zhangsan", "周四")
    office.advance(SECOND)
    second = office.say("p_zhangsan", "下午三点能提测")
    office.advance(2 * SECOND)
    concern = the_one(office)
    assert lines(concern) == [("周四", first, False), ("下午三点能提测", second, False)]
    assert concern.status is Status.RESOLVED
    (report,) = [text for text in texts(office, "p_owner") if "[回流]" in text]
    assert "15:00" in report or "三点" in report


def test_the_second_message_of_an_answer_is_changed(office: Office) -> None:
    asked(office)
    first = office.say("p_zhangsan", "我看看")
    second = office.say("p_zhangsan", "大概这两天")
    office.advance(2 * SECOND)
    office.edit("p_zhangsan", second, "周五能提测")
    concern = the_one(office)
    assert lines(concern)[-2:] == [("我看看", first, False), ("周五能提测", second, False)]
    assert [said for said in lines(concern) if said[2]] == [("我看看", first, True), ("大概这两天", second, True)]
    assert concern.status is Status.RESOLVED


def test_the_second_message_of_an_answer_is_taken_back(office: Office) -> None:
    asked(office)
    first = office.say("p_zhangsan", "我看看")
    second = office.say("p_zhangsan", "大概这两天")
    office.advance(2 * SECOND)
    office.recall("p_zhangsan", second)
    assert [said for said in lines(the_one(office)) if not said[2]] == [("我看看", first, False)]
    office.recall("p_zhangsan", first)
    assert [said for said in lines(the_one(office)) if not said[2]] == []


def test_the_second_message_of_a_request_is_changed(office: Office) -> None:
    office.say("p_owner", "帮我问一下张三")
    second = office.say("p_owner", "v2.0 什么时候能提测")
    office.advance(2 * SECOND)
    office.edit("p_owner", second, "v3.0 什么时候能提测")
    concern = the_one(office)
    assert "v3.0" in concern.goal + concern.title
    assert "v3.0" in texts(office, "p_zhangsan")[-1]


def test_the_whole_of_a_request_is_taken_back_message_by_message(office: Office) -> None:
    first = office.say("p_owner", "帮我问一下张三，v2.0 什么时候能提测")
    second = office.say("p_owner", "急")
    office.advance(2 * SECOND)
    office.recall("p_owner", second)
    assert the_one(office).status.is_open
    before = len(texts(office, "p_owner"))
    office.recall("p_owner", first)
    assert len(texts(office, "p_owner")) == before + 1  # asked whether it is off


def test_what_was_written_at_other_times_is_no_one_breath_though_it_arrives_at_once(office: Office) -> None:
    for number, ago in enumerate((40, 20, 1)):
        office.say("p_owner", f"帮我问一下张三第{number}批样品什么时候到", ago=timedelta(minutes=ago))
    assert [state for _, state, _ in states(office)] == ["handled", "handled", "unhandled"]
    office.advance(2 * SECOND)
    assert [state for _, state, _ in states(office)] == ["handled"] * 3


def test_a_change_while_it_waits_comes_after_it(office: Office) -> None:
    message = office.say("p_owner", "帮我问一下张三，v2.0 什么时候能提测")
    office.edit("p_owner", message, "帮我问一下李四，v2.0 什么时候能提测")
    office.advance(2 * SECOND)
    assert [state for _, state, _ in states(office)] == ["handled", "handled"]
    assert any("v2.0" in text for text in texts(office, "p_lisi"))


def test_nobody_is_chased_over_words_that_are_still_unread(office: Office) -> None:
    asked(office)
    office.advance(timedelta(hours=4) - SECOND)
    assert len(texts(office, "p_zhangsan")) == 1
    office.say("p_zhangsan", "周四能提测")
    office.advance(timedelta(minutes=30))
    assert [text for text in texts(office, "p_zhangsan")[1:] if "提测" in text] == []
    assert the_one(office).status is Status.RESOLVED


@pytest.mark.parametrize("error", ["timeout", "malformed"])
def test_a_model_that_fails_leaves_it_together(office: Office, error: str) -> None:
    asked(office)
    office.brain.fail(error, 3)
    office.say("p_zhangsan", "周四")
    office.say("p_zhangsan", "下午三点能提测")
    office.advance(timedelta(minutes=20))
    assert [text for text, _, _ in lines(the_one(office))] == ["周四", "下午三点能提测"]
    assert {state for _, state, _ in states(office)} == {"handled"}


def test_a_restart_in_between_loses_nothing(office: Office) -> None:
    office.say("p_owner", "帮我问一下张三")
    office.restart()
    office.say("p_owner", "v2.0 什么时候能提测")
    office.restart()
    office.advance(2 * SECOND)
    assert "v2.0" in the_one(office).title


@pytest.mark.parametrize("points", range(1, 24, 2))
def test_killed_at_any_moment_it_is_one_input_all_the_same(office: Office, points: int) -> None:
    office.die_in(points)
    office.say("p_owner", "帮我问一下张三")
    office.say("p_owner", "v2.0 什么时候能提测")
    office.advance(2 * SECOND)
    office.say("p_zhangsan", "周四")
    office.say("p_zhangsan", "下午三点能提测")
    office.advance(2 * SECOND)
    office.advance(timedelta(minutes=1))
    assert [text for text, _, _ in lines(the_one(office))] == ["周四", "下午三点能提测"]
    assert {state for _, state, _ in states(office)} == {"handled"}
    keys = [a.key for a in office.ledger]
    assert len(keys) == len(set(keys))


DOINGS = st.lists(
    st.tuples(
        st.sampled_from(["p_owner", "p_wang", "p_zhangsan"]),
        st.sampled_from(["say", "say", "say", "command", "edit", "recall", "quote"]),
        st.sampled_from([0.0, 0.4, 1.9, 2.0, 2.5, 6.0]),
    ),
    min_size=1,
    max_size=12,
)


@given(DOINGS, st.integers(0, 40))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_comes_in_whatever_order_is_read_once_and_in_order(
    doings: list[tuple[str, str, float]], dies: int
) -> None:
    office = Office(debounce=BREATH)
    try:
        if dies:
            office.die_in(dies)
        said: dict[str, str] = {}
        for number, (who, what, then) in enumerate(doings):
            if what in ("edit", "recall") and who in said:
                office.edit(who, said[who], f"改{number}") if what == "edit" else office.recall(who, said[who])
            else:
                text = "/whoami" if what == "command" else f"话{number}"
                said[who] = office.say(who, text, reply_to="in0" if what == "quote" else None)
            office.advance(then * SECOND)
        office.advance(10 * SECOND)
        office.advance(timedelta(minutes=20))
        rows = office.look(
            lambda repos: repos.facts._db.execute_sql(
                "SELECT id, conversation, state, coalesce(part_of, id), handled_at FROM facts "
                "WHERE kind IN ('message', 'edit', 'recall') ORDER BY id"
            ).fetchall()
        )
        assert {row[2] for row in rows} == {"handled"}
        for chat in {row[1] for row in rows}:
            mine = [row for row in rows if row[1] == chat]
            assert [row[3] for row in mine] == sorted(row[3] for row in mine)
            assert [row[4] for row in mine] == sorted(row[4] for row in mine)
    finally:
        office.close()
