"""What a purpose gets to see of a person, and in which order their channels are tried (RULES 1 and 4)."""

import pytest

from core.ids import PersonId
from core.people import (
    Identity,
    InteractionPolicy,
    Person,
    build_person_context_slice,
    resolve_person_context,
    updated,
)

ZHANG = Person(
    person_id=PersonId("p_zhangsan"),
    name="张三",
    aliases=("三哥",),
    pronoun="他",
    identities=tuple(Identity(channel=c, user_id=f"{c}-1") for c in ("feishu", "telegram", "console")),
    escalation_to=PersonId("p_lisi"),
)


def test_the_whole_of_a_person_is_found_by_id() -> None:
    people = {ZHANG.person_id: ZHANG}
    assert resolve_person_context(ZHANG.person_id, people) is ZHANG
    assert resolve_person_context(PersonId("p_nobody"), people) is None


def test_no_slice_holds_where_a_person_can_be_met_or_who_is_above_them() -> None:
    for purpose in ("concern", "directory", "delegate"):
        shown = build_person_context_slice(ZHANG, purpose).model_dump_json()  # type: ignore[arg-type]
        assert "张三" in shown
        assert "telegram-1" not in shown
        assert "p_lisi" not in shown


def test_a_delegate_s_own_slice_leaves_out_what_others_call_them() -> None:
    assert build_person_context_slice(ZHANG, "delegate").aliases == ()
    assert build_person_context_slice(ZHANG, "concern").aliases == ("三哥",)
    assert build_person_context_slice(ZHANG, "directory").pronoun is None


@pytest.mark.parametrize(
    ("preferred", "last", "order"),
    [
        (None, None, ("feishu", "telegram", "console")),
        ("console", None, ("console", "feishu", "telegram")),
        ("console", "telegram", ("console", "telegram", "feishu")),
        (None, "telegram", ("telegram", "feishu", "console")),
        ("sms", "sms", ("feishu", "telegram", "console")),
    ],
)
def test_channels_are_tried_preferred_last_used_then_as_entered(
    preferred: str | None, last: str | None, order: tuple[str, ...]
) -> None:
    policy = InteractionPolicy(preferred_channel=preferred)
    assert ZHANG.model_copy(update={"interaction_policy": policy}).channels(last) == order


def test_an_entry_of_the_people_file_leaves_what_a_person_brought_themselves() -> None:
    invited = Identity(channel="telegram", user_id="new", invited=True)
    stopped = InteractionPolicy(contact_allowed=False)
    known = ZHANG.model_copy(update={"identities": (invited, *ZHANG.identities), "interaction_policy": stopped})
    entry = Person(
        person_id=ZHANG.person_id,
        name="张三丰",
        identities=(Identity(channel="telegram", user_id="new"), Identity(channel="feishu", user_id="moved")),
        interaction_policy=InteractionPolicy(quiet_hours="23:00-07:00"),
    )
    now = updated(entry, known)
    assert now.name == "张三丰"
    assert now.identities == (invited, entry.identities[1])
    assert now.interaction_policy == InteractionPolicy(quiet_hours="23:00-07:00", contact_allowed=False)
