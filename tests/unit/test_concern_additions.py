"""What was added to an open matter later, and its way out again."""

from __future__ import annotations

from core.concern.additions import Origin, called_off, kept_after_all, of_message, taken_back, without
from core.concern.amending import add_words
from core.concern.model import Addition, CommStatus, Concern
from core.effects import Purpose, Send
from core.ids import ConversationId
from tests.unit.concern_desk import ZHANG, Desk

CHAT = ConversationId("telegram:1001")


def added(desk: Desk, words: str, message_id: str) -> Addition:
    """These words go to the matter, said in the message of this id."""
    origin = Origin(message_id, CHAT)
    desk.take(add_words(desk.concern, words, desk.setting, message_id, CHAT, origin))
    found = of_message(desk.concern, origin)
    assert found is not None
    return found


def asked() -> Desk:
    """A matter in which somebody was asked, an hour ago."""
    desk = Desk().raise_for(ZHANG)
    desk.advance(hours=1)
    return desk


def corrections(desk: Desk) -> list[str]:
    return [
        key for key, job in desk.jobs.items() if isinstance(job, Send) and job.message.purpose is Purpose.CORRECTION
    ]


def bare(concern: Concern) -> dict[str, object]:
    return concern.model_dump(include={"goal", "title", "deadline", "priority", "source"})


def test_what_one_message_added_goes_and_what_another_added_stays() -> None:
    desk = asked()
    before = bare(desk.concern)
    one, other = added(desk, "只要后端", "m1"), added(desk, "带上日志", "m2")
    left = without(desk.concern, one)
    assert "只要后端" not in f"{left.goal}{left.source.detail}"
    assert "带上日志" in left.goal
    assert "带上日志" in left.source.detail
    assert bare(without(left, other)) == before


def test_a_correction_that_waits_goes_and_the_others_of_the_matter_stay() -> None:
    desk = asked()
    added(desk, "带上日志", "m1")
    waiting = corrections(desk)
    one = added(desk, "只要后端", "m2")
    desk.take(taken_back(desk.concern, one, desk.setting, "r", CHAT))
    assert corrections(desk) == waiting


def test_a_message_that_is_with_a_channel_counts_as_told() -> None:
    desk = asked()
    one = added(desk, "只要后端", "m1")
    decision = taken_back(desk.concern, one, desk.setting, "r", CHAT, on_its_way=True)
    assert decision.concern.decision is not None
    assert decision.concern.decision.kind == "addition"
    assert taken_back(desk.concern, one, desk.setting, "r", CHAT).concern.decision is None


def test_what_stays_after_all_is_not_asked_about_again() -> None:
    desk = asked()
    one = added(desk, "只要后端", "m1")
    asked_about = taken_back(desk.concern, one, desk.setting, "r", CHAT, on_its_way=True).concern
    assert [a.recalled for a in asked_about.additions] == [True]
    assert [a.recalled for a in kept_after_all(asked_about).additions] == [False]
    off = called_off(asked_about, desk.setting, "d", CHAT).concern
    assert (off.additions, off.decision) == ((), None)


def test_a_part_that_was_done_is_done_again_without_what_was_added() -> None:
    desk = asked()
    done = desk.concern.model_copy(
        update={
            "people": tuple(
                p.model_copy(update={"comm_status": CommStatus.DONE}) if p.person_id == ZHANG else p
                for p in desk.concern.people
            )
        }
    )
    origin = Origin("m1", CHAT)
    more = add_words(done, "带上日志", desk.setting, "m1", CHAT, origin).concern
    addition, entry = of_message(more, origin), more.person(ZHANG)
    assert addition is not None
    assert entry is not None
    assert entry.comm_status is CommStatus.WAITING_REPLY
    entry = without(more, addition).person(ZHANG)
    assert entry is not None
    assert entry.comm_status is CommStatus.DONE
