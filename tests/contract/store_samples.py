"""Facts, people, concerns, jobs and receipts to put into a store."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from core.concern.model import (
    DELEGATE,
    INITIATOR,
    Concern,
    ConcernPerson,
    ConcernType,
    DelegateState,
    Delegation,
    LogEntry,
    NextAction,
    Priority,
    Source,
    SourceInitiator,
    Status,
)
from core.effects import Purpose
from core.facts import Fact, FactKind
from core.ids import ConcernId, ConversationId, PersonId, conversation_id
from core.jobs import Job, JobKind
from core.people import Identity, Person, Role
from core.ports import SentMessage

SHANGHAI = timezone(timedelta(hours=8))
NOW = datetime(2026, 3, 16, 10, 0, 0, 123456, tzinfo=SHANGHAI)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
TICK = timedelta(microseconds=1)

OWNER = PersonId("p_owner")
ZHANG = PersonId("p_zhangsan")
LI = PersonId("p_lisi")


def fact(event_id: str, **fields: Any) -> Fact:
    """A message in the owner's Telegram chat."""
    values: dict[str, Any] = {
        "channel": "telegram",
        "event_id": event_id,
        "kind": FactKind.MESSAGE,
        "occurred_at": NOW,
        "conversation": ConversationId("telegram:1001"),
        "sender": "1001",
        "text": "帮我问一下张三",
        "message_id": f"m-{event_id}",
    }
    return Fact(**(values | fields))


def person(person_id: PersonId, name: str, *identities: tuple[str, str], role: Role = Role.DELEGATE) -> Person:
    return Person(
        person_id=person_id,
        name=name,
        role=role,
        identities=tuple(Identity(channel=channel, user_id=user) for channel, user in identities),
    )


def concern(number: int = 1, *delegates: PersonId, **fields: Any) -> Concern:
    """A delegation by the owner, asked of `delegates` (张三 when none is named), raised `number` minutes after NOW."""
    asked = delegates or (ZHANG,)
    people = [ConcernPerson(person_id=OWNER, display_name="老板", role_in_concern=INITIATOR)]
    people += [ConcernPerson(person_id=p, display_name=p, role_in_concern=DELEGATE) for p in asked]
    values: dict[str, Any] = {
        "concern_id": ConcernId(f"con_20260316_{number:03d}"),
        "type": ConcernType.DELEGATION,
        "status": Status.WAITING_REPLY,
        "priority": Priority.MEDIUM,
        "title": f"v{number}.0 提测时间",
        "goal": "知道哪天提测",
        "source": Source(
            type="message",
            detail="v2.0 什么时候能提测",
            initiator=SourceInitiator(name="老板", channel="telegram", channel_user_id="1001", person_id=OWNER),
        ),
        "people": tuple(people),
        "conversation_log": (
            LogEntry(person_name="张三", person_id=ZHANG, direction="outbound", text="在吗", channel="feishu", ts=NOW),
        ),
        "next_action": NextAction(what="跟进", who_person_id=ZHANG, when=NOW + HOUR),
        "delegation": Delegation(report_to=OWNER, delegates={p: DelegateState(last_outbound=NOW) for p in asked}),
        "created_at": NOW + number * MINUTE,
        "origin_message_id": f"m-{number}",
    }
    return Concern(**(values | fields))


def job(key: str, **fields: Any) -> Job:
    """A delivery in the lane of the owner's chat, due now."""
    values: dict[str, Any] = {
        "key": key,
        "kind": JobKind.DELIVER,
        "lane": "telegram:1001",
        "due": NOW.astimezone(UTC),
        "payload": '{"text":"好"}',
    }
    return Job(**(values | fields))


def sent(key: str, **fields: Any) -> SentMessage:
    """A report in the owner's Telegram chat."""
    values: dict[str, Any] = {
        "job_key": key,
        "channel": "telegram",
        "chat": "1001",
        "message_id": f"s-{key}",
        "purpose": Purpose.REPORT,
        "to": OWNER,
        "concern_id": ConcernId("con_20260316_001"),
        "text": f"汇报 {key}",
        "at": NOW,
    }
    return SentMessage(**(values | fields))


OWNER_CHAT = conversation_id("telegram", "1001")
