"""What becomes of one row of another's when somebody is erased: pure, a row in, the changed columns out."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any

from bot.store.person.marks import Marks
from core.concern.model import DELEGATE, Concern, LogEntry

_THEIR_OWN = ("title", "goal", "summary", "outcome")


def scrubbed_concern(concern: Concern, marks: Marks) -> Concern:
    """A matter without them: their lines and what was told of them are gone, their place has another name."""
    entry = next((p for p in concern.people if marks.is_me(p.person_id)), None)
    before = concern.model_dump(mode="json")
    body = json.loads(json.dumps(before))
    if entry is not None:
        _their_matter(body, concern, marks) if marks.is_me(concern.initiator_id) else _asked(body, concern, marks)
    text = marks.gentle
    body = {name: _part(name, value, marks, text, mine=entry is not None) for name, value in body.items()}
    for person in body["people"]:
        if person["person_id"] == marks.alias:
            person["display_name"] = marks.gone
    return concern if body == before else Concern.model_validate(body)


def _part(name: str, value: Any, marks: Marks, text: Callable[[str], str], *, mine: bool) -> Any:
    """The bot's own notes of a matter in which they were go whole where they name or quote them."""
    noted = name in ("timeline", "executions", "reports", "decision", "later_points", "summary", "outcome", "evidence")
    return marks.deep(value, marks.thorough if mine and noted else text, name)


def _asked(body: dict[str, Any], concern: Concern, marks: Marks) -> None:
    """They were asked: their dialogue, their answer, and the reports that brought it to the initiator."""
    for line, entry in zip(body["conversation_log"], concern.conversation_log, strict=True):
        if marks.is_me(entry.person_id) or _is_report(entry, concern):
            line["text"] = marks.gone
        if marks.is_me(entry.person_id):
            line.update(message_id=None, said_with=None, person_name=marks.gone)
    for person_id, state in ((body["delegation"] or {}).get("delegates") or {}).items():
        if marks.is_me(person_id) and state["key_information"]:
            state["key_information"] = marks.gone
    was_asked = any(marks.is_me(p.person_id) and p.role_in_concern == DELEGATE for p in concern.people)
    for name in ("summary", "outcome") if was_asked else ():
        body[name] = marks.gone if body[name] else body[name]
    reports = body["reports"]
    for name in ("last_text", "last_said"):
        reports[name] = marks.gone if reports[name] else reports[name]
    reports["waiting"] = [n for n in reports["waiting"] if not marks.is_me(n["person_id"])]


def _is_report(entry: LogEntry, concern: Concern) -> bool:
    return entry.direction == "outbound" and entry.person_id == concern.initiator_id


def _their_matter(body: dict[str, Any], concern: Concern, marks: Marks) -> None:
    """They wanted it: what it was about goes, the answers of the others stay theirs."""
    for name in _THEIR_OWN:
        body[name] = marks.gone if body[name] else body[name]
    body["source"] |= {"detail": marks.gone, "initiator": None}
    body |= {"origin_message_id": None, "origin_conversation": None, "additions": []}
    body["trigger"] = marks.deep(body["trigger"], marks.thorough)
    if body["next_action"] is not None:
        body["next_action"]["what"] = marks.gone
    body["reports"] |= {"waiting": [], "last_text": None, "last_said": None}
    for line, entry in zip(body["conversation_log"], concern.conversation_log, strict=True):
        # What went out to the others was written from their words.
        if marks.is_me(entry.person_id) or entry.direction == "outbound":
            line["text"] = marks.gone
        if marks.is_me(entry.person_id):
            line.update(message_id=None, said_with=None, person_name=marks.gone)


def scrubbed_receipt(row: dict[str, Any], marks: Marks, of_theirs: Collection[str]) -> dict[str, Any]:
    """Something that another one was sent. Of a matter of theirs its initiator's copy goes whole: it may quote them."""
    theirs = row["concern_id"] in of_theirs
    if not theirs and not marks.finds(row["body"] + row["job_key"]):
        return {}
    body = json.loads(row["body"])
    text = marks.thorough(body["text"]) if theirs else marks.whole(body["text"])
    if theirs and _may_quote(body["purpose"]):
        text = marks.gone
    body = marks.deep({**body, "text": text}, marks.gentle)
    return _changed(row, {"job_key": marks.gentle(row["job_key"]), "body": body}, marks)


def scrubbed_job(row: dict[str, Any], marks: Marks, of_theirs: Collection[str]) -> dict[str, Any]:
    """Work of another's. What is over keeps no words of a matter of theirs; what waits only loses the pieces."""
    theirs = row["concern_id"] in of_theirs
    if not theirs and not any(marks.finds(row[name] or "") for name in ("payload", "key", "lane", "reason")):
        return {}
    payload = json.loads(row["payload"])
    over = row["state"] not in ("pending", "running", "sending")
    if over and "words" in payload:
        quotes = theirs and _may_quote(payload["purpose"])
        if quotes or marks.whole(row["payload"]) == marks.gone:
            payload |= {"words": {"text": marks.gone}, "also": [], "buttons": []}
    names = ("key", "lane", "person_id", "reason")
    after = {name: marks.gentle(row[name]) for name in names if row[name] is not None}
    text = marks.gentle if not over else marks.thorough if theirs else marks.whole
    return _changed(row, {**after, "payload": marks.deep(payload, text)}, marks)


def _may_quote(purpose: str) -> bool:
    """The walls keep what one delegate says from the others; what goes to the initiator brings it."""
    return purpose in ("report", "report_back", "notice", "reply", "callback")


def skeleton(row: dict[str, Any], marks: Marks, *, own_chat: bool) -> dict[str, Any]:
    """Something that they said or did: only that there was such an event, so that a second copy is none."""
    body = json.loads(row["body"])
    kept = ("channel", "event_id", "kind", "occurred_at", "concern_id", "trigger", "group")
    conversation = f"{row['channel']}:{marks.alias}" if own_chat else row["conversation"]
    bare = {name: body[name] for name in kept if name in body} | {"conversation": conversation, "sender": marks.alias}
    values = {
        "event_id": marks.gentle(row["event_id"]),
        "conversation": conversation,
        "sender": marks.alias,
        "message_id": None,
        "person_id": None,
        "text": None,
        "reason": None,
        "signals": None,
        "body": bare,
    }
    return _changed(row, values, marks)


def _changed(row: dict[str, Any], after: dict[str, Any], marks: Marks) -> dict[str, Any]:
    """The columns that are otherwise; JSON is compared as what it says."""
    found = {}
    for name, value in after.items():
        if name in ("body", "payload"):
            if value != json.loads(row[name]):
                found[name] = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        elif value != row[name]:
            found[name] = value
    return found
