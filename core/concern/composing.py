"""What a report says: parts made of the notices that wait and of the state at the moment it leaves (RULES 5).

A notice only names the occasion. What has been overtaken since (a delegate who was "not answering" and has answered, a
point that is settled) falls away here, so several notices become one message and none is stale. Each part is a mapping
with a `kind`; the template `concern/report` knows the words of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.concern.changes import name_of, owing, report_recipient, was_contacted
from core.concern.closing import ASKED_ANEW
from core.concern.decision import Setting
from core.concern.model import Attitude, CommStatus, Concern, ConcernPerson, DelegateState
from core.concern.notices import NoticeKind
from core.concern.points import away_buttons, point_buttons
from core.concern.reporting_back import answers, core_words, event_values, events, is_shown
from core.concern.verdict import lost_parts
from core.effects import Button
from core.ids import PersonId

Part = dict[str, Any]

_NOWHERE: Mapping[PersonId, int] = MappingProxyType({})


def parts(concern: Concern, setting: Setting, elsewhere: Mapping[PersonId, int] = _NOWHERE) -> list[Part]:
    """The parts of the report that would leave now, in reading order; empty when all of it was overtaken.

    `elsewhere`: how many other matters of the reader wait for somebody who is away.
    """
    told = [n for n in concern.reports.waiting if report_recipient(concern, setting) is not None]
    by_kind = {kind: [n for n in told if n.kind is kind] for kind in NoticeKind}
    said: list[Part] = []
    for notice in by_kind[NoticeKind.PARTIAL]:
        said += _partial(concern, notice.person_id)
    setbacks = {n.text for n in by_kind[NoticeKind.SETBACK]}
    said += [
        {"kind": "setback", "title": concern.title, "event": event_values(e)}
        for e in concern.evidence
        if e.key in setbacks
    ]
    for notice in by_kind[NoticeKind.OWNER_UPDATE]:
        said.append({"kind": "update", "text": notice.text or ""})
    for notice in by_kind[NoticeKind.TROUBLE]:
        said += _trouble(concern, notice.person_id, notice.text)
    for notice in by_kind[NoticeKind.AWAY]:
        said += _away(concern, notice.person_id, notice.text, setting, elsewhere)
    for kind in (NoticeKind.UNREACHABLE, NoticeKind.DECLINED, NoticeKind.NO_ANSWER):
        for why in dict.fromkeys(n.text for n in by_kind[kind]):
            said += _gone(concern, kind, [n.person_id for n in by_kind[kind] if n.text == why], why)
    for notice in by_kind[NoticeKind.ESCALATED]:
        said += _escalated(concern, notice.person_id, notice.text, setting)
    if by_kind[NoticeKind.DROPPED] and not concern.status.is_open:
        told_of = {name for part in said for name in part.get("names", ())}
        anew = any(n.text == ASKED_ANEW for n in by_kind[NoticeKind.DROPPED])
        lost = [p.person_id for p in owing(concern)] if anew else lost_parts(concern)
        gone = [name_of(concern, p) for p in lost if name_of(concern, p) not in told_of]
        part = {"kind": "dropped", "title": concern.title, "answers": answers(concern), "gone": gone, "anew": anew}
        said.append(part)
        return said
    if by_kind[NoticeKind.DEADLINE] and concern.status.is_open:
        said.append({"kind": "deadline", **standing_values(concern)})
    elif concern.status.is_open:
        said += _still_open(concern, by_kind, setting)
    said += _question(concern, by_kind, setting)
    return said


def _partial(concern: Concern, person_id: PersonId | None) -> list[Part]:
    entry = concern.person(person_id) if person_id else None
    if entry is None or entry.comm_status is not CommStatus.DONE:
        return []
    if is_shown(concern, entry.person_id):
        return [
            {"kind": "shown", "name": entry.display_name, "event": event_values(e)}
            for e in concern.evidence
            if e.met and e.about == person_id
        ]
    words = core_words(concern, entry.person_id)
    return [{"kind": "answered", "name": entry.display_name, "words": words}]


def _trouble(concern: Concern, person_id: PersonId | None, text: str | None) -> list[Part]:
    """A risk or a blocker in their own words, while their part is open."""
    entry = concern.person(person_id) if person_id else None
    if entry is None or not entry.comm_status.is_owing:
        return []
    return [{"kind": "trouble", "name": entry.display_name, "text": text or ""}]


def _away(
    concern: Concern,
    person_id: PersonId | None,
    text: str | None,
    setting: Setting,
    elsewhere: Mapping[PersonId, int] = _NOWHERE,
) -> list[Part]:
    entry = concern.person(person_id) if person_id else None
    if entry is None or not entry.comm_status.is_owing:
        return []
    person, state = setting.people.get(entry.person_id), concern.state_of(entry.person_id)
    until, since = (person.away_until, person.away_from) if person is not None else (None, None)
    if until is None or until <= setting.now:
        if state.attitude is not Attitude.AWAY:
            return []  # they are back already
        until, since = state.not_before, None
    return [
        {
            "kind": "away",
            "name": entry.display_name,
            "since": since.isoformat() if since is not None and since > setting.now else None,
            "until": until.isoformat() if until is not None else None,
            "text": text,
            "elsewhere": elsewhere.get(entry.person_id, 0),
        }
    ]


_GONE = {
    NoticeKind.UNREACHABLE: CommStatus.UNREACHABLE,
    NoticeKind.DECLINED: CommStatus.DECLINED,
    NoticeKind.NO_ANSWER: CommStatus.NO_ANSWER,
}


def _gone(concern: Concern, kind: NoticeKind, people: list[PersonId | None], why: str | None) -> list[Part]:
    found = [e for e in (concern.person(p) for p in people if p) if e is not None and e.comm_status is _GONE[kind]]
    if not found:
        return []
    follow_ups = max(concern.state_of(e.person_id).follow_ups for e in found)
    spoke = all(concern.state_of(e.person_id).last_inbound is not None for e in found)
    names = [e.display_name for e in found]
    return [{"kind": kind.value, "names": names, "times": follow_ups, "spoke": spoke, "why": why}]


def _escalated(concern: Concern, person_id: PersonId | None, to: str | None, setting: Setting) -> list[Part]:
    if person_id is None:
        return []
    times = concern.state_of(person_id).follow_ups
    asks = concern.decision is not None and concern.decision.about == person_id
    return [{"kind": "escalated", "name": name_of(concern, person_id), "to": to, "times": times, "asks": asks}]


def _still_open(concern: Concern, by_kind: dict[NoticeKind, list[Any]], setting: Setting) -> list[Part]:
    """Who has not answered yet, where the report is about that: contacted, followed up, or somebody else's answer."""
    asked = [p for p in owing(concern) if was_contacted(concern, p.person_id)]
    if not asked or concern.decision is not None:
        return []
    # Who has spoken since they were chased is not told of as silent.
    chased = {n.person_id for n in by_kind[NoticeKind.TIMEOUT_RETRY]}
    chased &= {p.person_id for p in asked if p.comm_status is CommStatus.WAITING_REPLY}
    if by_kind[NoticeKind.PARTIAL]:
        return _outstanding(concern, asked, setting)
    if chased:
        return _outstanding(concern, [p for p in asked if p.person_id in chased], setting)
    fresh = {n.person_id for n in by_kind[NoticeKind.CONTACTED]}
    named = [p for p in asked if p.person_id in fresh and concern.state_of(p.person_id).last_inbound is None]
    if not named:
        return []
    return [{"kind": "contacted", "names": [p.display_name for p in named], "pronoun": _pronoun(named, setting)}]


def _times(state: DelegateState) -> int:
    """How often they were chased, with a chase that is on its way and held back for a moment."""
    on_its_way = state.fired_at is not None and state.last_outbound is not None and state.fired_at > state.last_outbound
    return state.follow_ups + on_its_way


def _outstanding(concern: Concern, people: list[ConcernPerson], setting: Setting) -> list[Part]:
    """Those who named a time, those who said something else, and those who were not heard of at all."""
    said: list[Part] = []
    groups: dict[str, list[ConcernPerson]] = {"overdue": [], "unsettled": [], "pending": []}
    for person in people:
        state = concern.state_of(person.person_id)
        if state.promised and state.not_before is not None and state.not_before > setting.now:
            until, away = state.not_before.isoformat(), state.attitude is Attitude.AWAY
            said.append({"kind": "promised", "name": person.display_name, "until": until, "away": away})
        elif state.attitude is Attitude.AWAY:
            groups["pending"].append(person)  # they are due back, and promised nothing
        elif state.promised and state.not_before is not None and state.last_inbound is not None:
            groups["overdue" if state.last_inbound <= state.not_before else "unsettled"].append(person)
        else:
            groups["pending" if state.last_inbound is None else "unsettled"].append(person)
    for kind, members in groups.items():
        times = max((_times(concern.state_of(p.person_id)) for p in members), default=0)
        if members:
            said.append({"kind": kind, "names": [p.display_name for p in members], "times": times})
    return said


def _pronoun(people: list[ConcernPerson], setting: Setting) -> str | None:
    """他 or 她 where exactly one person is meant and it is known."""
    person = setting.people.get(people[0].person_id) if len(people) == 1 else None
    return person.pronoun if person is not None else None


def _question(concern: Concern, by_kind: dict[NoticeKind, list[Any]], setting: Setting) -> list[Part]:
    point = concern.decision
    if point is None or not any(n.decision_id == point.decision_id for n in by_kind[NoticeKind.NEEDS_DECISION]):
        return []
    about = point.about
    return [
        {
            "kind": "question",
            "point": point.kind,
            "text": point.text,
            "name": name_of(concern, about),
            "words": core_words(concern, about) if about else "",
            "title": concern.title,
            "suggested": _suggested(concern, setting),
            "times": point.times_asked,
            "additions": [a.said or a.line for a in concern.additions if a.recalled],
        }
    ]


def _suggested(concern: Concern, setting: Setting) -> str | None:
    point = concern.decision
    person = setting.people.get(point.suggested) if point and point.suggested else None
    return person.name if person is not None else None


def buttons_for(concern: Concern, setting: Setting) -> tuple[tuple[Button, ...], ...]:
    """Ready answers to what the report asks."""
    waiting = concern.reports.waiting
    point = concern.decision
    if point is not None and any(n.decision_id == point.decision_id for n in waiting):
        return point_buttons(concern, point, _suggested(concern, setting))
    away = [n for n in waiting if n.kind is NoticeKind.AWAY and _away(concern, n.person_id, n.text, setting)]
    return away_buttons(concern) if away and concern.status.is_open else ()


def standing_values(concern: Concern) -> dict[str, Any]:
    """Where it stands: who answered (`said`) or only spoke, who was not heard of, who is out, what waits till when."""
    done = [p for p in concern.delegates if p.comm_status is CommStatus.DONE and not is_shown(concern, p.person_id)]
    asked = [p for p in owing(concern) if was_contacted(concern, p.person_id)]
    spoken = [p for p in asked if core_words(concern, p.person_id)]
    silent = [p for p in asked if p not in spoken]
    gone = (CommStatus.NO_ANSWER, CommStatus.UNREACHABLE, CommStatus.DECLINED)
    action = concern.next_action
    return {
        "title": concern.title,
        "status": concern.status.value,
        "said": [{"name": p.display_name, "words": core_words(concern, p.person_id)} for p in done],
        "events": events(concern),
        "spoken": [{"name": p.display_name, "words": core_words(concern, p.person_id)} for p in spoken],
        "pending": [p.display_name for p in silent],
        "to_contact": [p.display_name for p in owing(concern) if not was_contacted(concern, p.person_id)],
        "gone": [p.display_name for p in concern.delegates if p.comm_status in gone],
        "question": concern.decision.question if concern.decision else None,
        "paused": concern.paused_until is not None,
        "when": action.when.isoformat() if action is not None and action.when is not None else None,
    }
