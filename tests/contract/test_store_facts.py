"""The inbox keeps each event once, gives them out in order, and remembers the dialogue."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from bot.store import PeeweeStore
from core.facts import Attachment, Fact, FactKind, Trigger
from core.ids import ConcernId, ConversationId, FactId, PersonId
from core.people import Person
from tests.contract.store_samples import (
    HOUR,
    LI,
    MINUTE,
    NOW,
    OWNER,
    OWNER_CHAT,
    TICK,
    ZHANG,
    fact,
    person,
    sent,
)

LI_CHAT = ConversationId("feishu:ou_li")


def add(store: PeeweeStore, *facts: Fact, at: datetime = NOW) -> list[FactId]:
    ids = [store.run_now(lambda repos, f=f: repos.facts.add(f, at)) for f in facts]
    return [fact_id for fact_id in ids if fact_id is not None]


def claim(store: PeeweeStore, now: datetime = NOW, *busy: str, limit: int = 10) -> list[str]:
    found = store.run_now(lambda repos: repos.facts.claim(now, limit, busy))
    return [stored.fact.event_id for stored in found]


def ready(store: PeeweeStore, now: datetime = NOW, *busy: str, limit: int = 10) -> list[str]:
    """What would be given; nothing stays taken."""
    found = claim(store, now, *busy, limit=limit)
    store.run_now(lambda repos: repos.facts.release(repos.me))
    return found


def handle(store: PeeweeStore, fact_id: FactId) -> None:
    store.run_now(lambda repos: repos.facts.handled(fact_id, "converse", "small talk", "rules", NOW))


def test_a_fact_comes_back_as_it_was(store: PeeweeStore) -> None:
    whole = fact(
        "1",
        occurred_at=datetime(2026, 3, 16, 4, 5, 6, 789, tzinfo=timezone(timedelta(hours=-3, minutes=-30))),
        sender_name="老板\0\u202e😀",
        text="帮我问一下\n「张三」\0",
        reply_to="m-0",
        button="yes",
        attachments=(Attachment(kind="voice", ref="AwACAgI"),),
        forwarded_from="王五",
        group=True,
        trigger=Trigger.DUE,
        concern_id=ConcernId("con_20260316_001"),
        person_id=PersonId("p_zhangsan"),
    )
    (fact_id,) = add(store, whole)
    stored = store.run_now(lambda repos: repos.facts.get(fact_id))
    assert stored is not None
    assert stored.fact == whole
    assert stored.fact.occurred_at.utcoffset() == timedelta(hours=-3, minutes=-30)
    assert (stored.fact_id, stored.attempts) == (fact_id, 0)


def test_events_from_outside_are_given_out_apart_so_that_a_flood_holds_up_nobody_who_chats(store: PeeweeStore) -> None:
    flood = [
        fact(f"e{n}", kind=FactKind.EVENT, channel="ci", conversation=ConversationId(f"ci:{n}")) for n in range(30)
    ]
    add(store, *flood)
    add(store, fact("said"), at=NOW + TICK)
    assert claim(store, NOW + TICK, limit=16) == ["said"]

    def events(limit: int) -> list[str]:
        found = store.run_now(lambda repos: repos.facts.claim(NOW + TICK, limit, events=True))
        return [stored.fact.event_id for stored in found]

    assert events(4) == ["e0", "e1", "e2", "e3"]
    assert events(2) == ["e4", "e5"]


def test_an_unknown_fact_is_none(store: PeeweeStore) -> None:
    assert store.run_now(lambda repos: repos.facts.get(FactId(99))) is None


def test_ids_grow_in_the_order_of_arrival(store: PeeweeStore) -> None:
    ids = add(store, *(fact(str(n)) for n in range(5)))
    assert ids == sorted(set(ids))


def test_the_same_event_is_stored_once(store: PeeweeStore) -> None:
    assert len(add(store, fact("1"), fact("1", text="other", message_id="m-9"))) == 1
    assert store.run_now(lambda repos: repos.facts.unhandled_count()) == 1


def test_the_same_event_id_on_another_channel_is_another_fact(store: PeeweeStore) -> None:
    assert len(add(store, fact("1"), fact("1", channel="feishu", conversation="feishu:ou"))) == 2


def test_a_message_that_comes_again_under_another_event_is_stored_once(store: PeeweeStore) -> None:
    assert len(add(store, fact("1", message_id="m"), fact("2", message_id="m"))) == 1


def test_an_edit_and_a_press_of_a_known_message_are_facts_of_their_own(store: PeeweeStore) -> None:
    edit, press = fact("2", message_id="m-1", kind=FactKind.EDIT), fact("3", message_id="m-1", kind=FactKind.BUTTON)
    again = fact("4", message_id="m-1", kind=FactKind.BUTTON)
    assert len(add(store, fact("1"), edit, press, again)) == 4


def test_facts_without_a_message_are_never_taken_for_one_another(store: PeeweeStore) -> None:
    assert len(add(store, fact("1", message_id=None), fact("2", message_id=None))) == 2


def test_the_message_that_an_edit_names_is_the_first_one(store: PeeweeStore) -> None:
    first, _ = add(store, fact("1"), fact("2", kind=FactKind.EDIT, message_id="m-1", text="edited"))
    found = store.run_now(lambda repos: repos.facts.by_message("telegram", "m-1", OWNER_CHAT))
    assert found is not None
    assert found.fact_id == first


@pytest.mark.parametrize(
    ("channel", "message", "chat"),
    [("feishu", "m-1", "telegram:1001"), ("telegram", "m-2", "telegram:1001"), ("telegram", "m-1", "telegram:2001")],
)
def test_a_message_is_looked_for_in_its_own_chat(store: PeeweeStore, channel: str, message: str, chat: str) -> None:
    add(store, fact("1"))
    assert store.run_now(lambda repos: repos.facts.by_message(channel, message, ConversationId(chat))) is None


def test_of_each_chat_the_oldest_is_ready(store: PeeweeStore) -> None:
    add(store, fact("1"), fact("2"), fact("3", conversation=LI_CHAT), fact("4", conversation=LI_CHAT))
    assert ready(store) == ["1", "3"]


def test_a_busy_chat_is_passed_over(store: PeeweeStore) -> None:
    add(store, fact("1"), fact("2", conversation=LI_CHAT), fact("3", conversation="feishu:ou_wang"))
    assert ready(store, NOW, OWNER_CHAT, "feishu:quiet", limit=1) == ["2"]
    assert ready(store, NOW, OWNER_CHAT, LI_CHAT, "feishu:ou_wang") == []


def test_no_more_are_ready_than_asked_for(store: PeeweeStore) -> None:
    add(store, *(fact(str(n), conversation=f"telegram:{n}") for n in range(5)))
    assert ready(store, limit=3) == ["0", "1", "2"]


def test_a_handled_fact_makes_way_for_the_next(store: PeeweeStore) -> None:
    first, _ = add(store, fact("1"), fact("2"))
    handle(store, first)
    assert ready(store) == ["2"]
    assert store.run_now(lambda repos: repos.facts.unhandled_count()) == 1


def test_a_deferred_fact_does_not_hold_up_the_next(store: PeeweeStore) -> None:
    first, second = add(store, fact("1"), fact("2"))
    store.run_now(lambda repos: repos.facts.defer(first, NOW + MINUTE, 2))
    assert ready(store) == ["2"]
    assert ready(store, NOW + MINUTE - TICK) == ["2"]
    assert ready(store, NOW + MINUTE) == ["1"]
    handle(store, second)
    deferred = store.run_now(lambda repos: repos.facts.claim(NOW + MINUTE, 1))
    assert [(stored.fact_id, stored.attempts) for stored in deferred] == [(first, 2)]


def test_of_several_chats_the_one_that_is_due_longest_comes_first(store: PeeweeStore) -> None:
    first, *_ = add(store, fact("1"), fact("2", conversation=LI_CHAT))
    store.run_now(lambda repos: repos.facts.defer(first, NOW + MINUTE, 1))
    assert ready(store, NOW + MINUTE) == ["2", "1"]


def test_the_inbox_knows_when_the_next_is_due(store: PeeweeStore) -> None:
    assert store.run_now(lambda repos: repos.facts.next_due()) is None
    first, second = add(store, fact("1"), fact("2"))
    store.run_now(lambda repos: repos.facts.defer(first, NOW + HOUR, 1))
    assert store.run_now(lambda repos: repos.facts.next_due()) == NOW
    handle(store, second)
    assert store.run_now(lambda repos: repos.facts.next_due()) == NOW + HOUR
    handle(store, first)
    assert store.run_now(lambda repos: repos.facts.next_due()) is None


def test_a_dialogue_joins_both_directions_in_time(store: PeeweeStore) -> None:
    store.run_now(lambda repos: repos.people.save(person(OWNER, "老板", ("telegram", "1001"))))
    add(store, fact("1", text="问张三", occurred_at=NOW - MINUTE))
    store.run_now(lambda repos: repos.receipts.add(sent("ack", text="好", at=NOW)))
    add(store, fact("2", text="问李四", kind=FactKind.EDIT), at=NOW + MINUTE)
    lines = store.run_now(lambda repos: repos.facts.dialogue(OWNER_CHAT, 10))
    assert [(line.who, line.text, line.ours) for line in lines] == [
        ("老板", "问张三", False),
        ("清海", "好", True),
        ("老板", "问李四", False),
    ]
    assert [line.at for line in lines] == [NOW - MINUTE, NOW, NOW]


def test_a_dialogue_keeps_the_last_lines(store: PeeweeStore) -> None:
    for n in range(4):
        add(store, fact(str(n), text=f"in {n}"), at=NOW + 2 * n * MINUTE)
        store.run_now(
            lambda repos, n=n: repos.receipts.add(sent(str(n), text=f"out {n}", at=NOW + (2 * n + 1) * MINUTE))
        )
    lines = store.run_now(lambda repos: repos.facts.dialogue(OWNER_CHAT, 3))
    assert [line.text for line in lines] == ["out 2", "in 3", "out 3"]
    assert store.run_now(lambda repos: repos.facts.dialogue(OWNER_CHAT, 1))[0].text == "out 3"


def test_a_dialogue_holds_no_other_chat_and_no_presses(store: PeeweeStore) -> None:
    add(store, fact("1", kind=FactKind.BUTTON), fact("2", kind=FactKind.RECALL), fact("3", conversation=LI_CHAT))
    store.run_now(lambda repos: repos.receipts.add(sent("1", channel="feishu", to=ZHANG)))
    assert store.run_now(lambda repos: repos.facts.dialogue(OWNER_CHAT, 10)) == ()


def test_who_speaks_is_told_as_well_as_it_is_known(store: PeeweeStore) -> None:
    add(store, fact("1", sender="7", sender_name="某人"), fact("2", sender="8"))
    lines = store.run_now(lambda repos: repos.facts.dialogue(OWNER_CHAT, 10))
    assert [line.who for line in lines] == ["某人", "8"]


def test_a_message_without_words_shows_what_came_with_it(store: PeeweeStore) -> None:
    files = (Attachment(kind="photo", ref="a"), Attachment(kind="document", name="v2.pdf", ref="b"))
    add(store, fact("1", text="", attachments=files))
    lines = store.run_now(lambda repos: repos.facts.dialogue(OWNER_CHAT, 10))
    assert [line.text for line in lines] == ["[photo] [v2.pdf]"]


def test_a_time_without_a_zone_is_refused(store: PeeweeStore) -> None:
    with pytest.raises(TypeError):
        store.run_now(lambda repos: repos.facts.add(fact("1"), NOW.replace(tzinfo=None)))


def test_moments_are_the_same_in_every_zone(store: PeeweeStore) -> None:
    add(store, fact("1"), at=NOW.astimezone(UTC))
    assert ready(store, NOW - TICK) == []
    assert ready(store, NOW) == ["1"]


# --- what was said and what happened ---

ZHANG_SAN = person(ZHANG, "张三", ("telegram", "2001"), ("feishu", "ou_zhang"))


def said(event_id: str, text: str, sender: str = "2001", **fields: Any) -> Fact:
    return fact(event_id, text=text, sender=sender, conversation=ConversationId(f"telegram:{sender}"), **fields)


def happened(event_id: str, text: str, **fields: Any) -> Fact:
    values: dict[str, Any] = {
        "channel": "gitlab",
        "sender": "",
        "conversation": ConversationId("gitlab:"),
        "message_id": None,
    }
    return fact(event_id, kind=FactKind.EVENT, text=text, **(values | fields))


def about(store: PeeweeStore, who: Person | None, since: datetime, until: datetime, limit: int = 10) -> list[str]:
    found = store.run_now(lambda repos: repos.facts.about(who, since, until, limit))
    return [stored.fact.event_id for stored in found]


def search(store: PeeweeStore, *words: str, limit: int = 10, **filters: Any) -> list[str]:
    found = store.run_now(lambda repos: repos.facts.search(words, limit, **filters))
    return [stored.fact.event_id for stored in found]


def test_what_is_about_a_person_comes_in_the_order_in_which_it_occurred(store: PeeweeStore) -> None:
    add(
        store,
        said("late", "日报", occurred_at=NOW + HOUR),
        fact("feishu", channel="feishu", sender="ou_zhang", conversation=LI_CHAT, occurred_at=NOW + MINUTE),
        happened("merge", "v2.0", person_id=ZHANG, occurred_at=NOW),
        said("before", "早", occurred_at=NOW - TICK),
        fact("owner"),
        happened("other", "v3.0", person_id=OWNER),
        happened("nobody", "v4.0"),
        said("press", "", kind=FactKind.BUTTON),
        fact("timer", kind=FactKind.TIMER, person_id=ZHANG, message_id=None),
    )
    assert about(store, ZHANG_SAN, NOW, NOW + 2 * HOUR) == ["merge", "feishu", "late"]
    assert about(store, ZHANG_SAN, NOW, NOW + HOUR) == ["merge", "feishu"]
    assert about(store, ZHANG_SAN, NOW, NOW + 2 * HOUR, limit=2) == ["merge", "feishu"]
    assert about(store, None, NOW, NOW + HOUR) == ["merge", "other", "nobody"]
    assert about(store, person(LI, "李四"), NOW, NOW + HOUR) == []


def test_a_message_that_was_recalled_says_nothing_about_a_person_and_an_edited_one_does(store: PeeweeStore) -> None:
    add(store, said("1", "日报发了"), said("2", "不对"), said("3", "好了"))
    add(store, said("4", "", kind=FactKind.RECALL, message_id="m-2"))
    add(store, said("5", "都好了", kind=FactKind.EDIT, message_id="m-3", occurred_at=NOW + HOUR))
    assert about(store, ZHANG_SAN, NOW, NOW + HOUR) == ["1", "3"]
    assert about(store, ZHANG_SAN, NOW, NOW + 2 * HOUR) == ["1", "3", "5"]


def test_words_are_looked_for_newest_first(store: PeeweeStore) -> None:
    add(store, said("1", "压测 OK 了"), fact("2", text="100%_"), happened("3", "压测通过", person_id=ZHANG))
    add(store, said("4", "no news"), said("5", "", kind=FactKind.BUTTON), said("6", ""))
    assert search(store, "压测") == ["3", "1"]
    assert search(store, "NEWS", "%_") == ["4", "2"]
    assert search(store, "0%0") == []
    assert search(store) == ["4", "3", "2", "1"]
    assert search(store, limit=2) == ["4", "3"]
    assert search(store, "telegram") == []


def test_what_is_found_can_be_of_somebody_or_not_theirs_and_since(store: PeeweeStore) -> None:
    add(store, said("1", "好"), fact("2", text="好"), happened("3", "好", person_id=ZHANG), happened("4", "好"))
    add(store, said("5", "好", occurred_at=NOW + HOUR))
    assert search(store, of=ZHANG_SAN) == ["5", "3", "1"]
    assert search(store, besides=ZHANG_SAN) == ["4", "3", "2"]
    assert search(store, since=NOW + HOUR) == ["5"]
    assert search(store, of=person(LI, "李四")) == []
    assert search(store, "好", besides=person(LI, "李四")) == ["5", "4", "3", "2", "1"]


def test_of_a_changed_message_its_last_form_is_found(store: PeeweeStore) -> None:
    add(store, said("1", "周四"), said("2", "周五", kind=FactKind.EDIT, message_id="m-1"), said("3", "周一"))
    add(
        store,
        said("4", "周六", kind=FactKind.EDIT, message_id="m-1"),
        said("5", "", kind=FactKind.RECALL, message_id="m-3"),
    )
    assert search(store) == ["4"]
    assert search(store, "周四", "周五", "周一") == []


def test_commands_are_not_found(store: PeeweeStore) -> None:
    first, _ = add(store, said("1", "/start 4711"), said("2", "4711"))
    assert search(store, "4711") == ["2", "1"]
    store.run_now(lambda repos: repos.facts.handled(first, "command", "/start", "", NOW))
    assert search(store, "4711") == ["2"]
