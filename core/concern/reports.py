"""Mid-course reports (RULES 5): whether one may leave, and what it says from the state at that moment."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.concern.changes import report_recipient
from core.concern.composing import buttons_for, parts, standing_values
from core.concern.decision import Decision, Setting, calendar_of
from core.concern.model import Concern, Priority
from core.concern.notices import Notice, NoticeKind
from core.concern.reporting_back import report_back
from core.effects import Outgoing, Purpose, Report, Words
from core.ids import PersonId
from core.notify import GateNotice, History, Pass, Suppress, Wait, Weight, evaluate_gate

__all__ = ["Suppress", "Wait", "report_back", "report_due", "reported", "standing", "words_said"]

WEIGHTS: dict[NoticeKind, Weight] = {
    NoticeKind.CONTACTED: Weight.ORDINARY,
    NoticeKind.TIMEOUT_RETRY: Weight.ORDINARY,
    NoticeKind.PARTIAL: Weight.ORDINARY,
    NoticeKind.NO_ANSWER: Weight.ORDINARY,
    NoticeKind.OWNER_UPDATE: Weight.ORDINARY,
    NoticeKind.AWAY: Weight.ORDINARY,
    NoticeKind.TROUBLE: Weight.ORDINARY,
    NoticeKind.SETBACK: Weight.ORDINARY,
    NoticeKind.ESCALATED: Weight.PRESSING,
    NoticeKind.DROPPED: Weight.PRESSING,
    NoticeKind.UNREACHABLE: Weight.PRESSING,
    NoticeKind.DECLINED: Weight.PRESSING,
    NoticeKind.NEEDS_DECISION: Weight.PRESSING,
    NoticeKind.DEADLINE: Weight.PRESSING,
}


def weight_of(waiting: Sequence[Notice]) -> Weight:
    """How pressing they are together: the most pressing one takes the others with it."""
    pressing = any(WEIGHTS[n.kind] is Weight.PRESSING for n in waiting)
    return Weight.PRESSING if pressing else Weight.ORDINARY


def report_due(
    concern: Concern,
    setting: Setting,
    counted_today: int,
    *,
    others_open: bool = False,
    elsewhere: Mapping[PersonId, int] | None = None,
) -> Wait | Suppress | Outgoing:
    """The report of everything that waits to be told, when to look again, or why there is none.

    `counted_today`: how many counted notices the recipient had on their current day, over all concerns. `others_open`:
    the recipient has other matters open, so that the report has to name this one. `elsewhere`: how many other matters
    of theirs wait for somebody who is away.
    """
    person = report_recipient(concern, setting)
    if person is None:
        return Suppress("nobody to report to")
    waiting = concern.reports.waiting
    said = parts(concern, setting, elsewhere or {})
    weight = weight_of(waiting)
    gate = evaluate_gate(
        GateNotice(weight, _fingerprint(said), concern.priority is Priority.CRITICAL),
        History(concern.reports.last_at, concern.reports.last_said, counted_today, person.quiet_until),
        calendar_of(person),
        setting.now,
        setting.limits.report,
    )
    if not isinstance(gate, Pass):
        return gate
    # A part in the brain's own words need not name the matter.
    titled = others_open and not any("title" in part and not part.get("text") for part in said)
    asks = concern.decision is not None and any(n.decision_id == concern.decision.decision_id for n in waiting)
    return Outgoing(
        purpose=Purpose.REPORT,
        to=person.person_id,
        words=Words(template="concern/report", values={"title": concern.title, "parts": said, "titled": titled}),
        concern_id=concern.concern_id,
        buttons=buttons_for(concern, setting),
        decision_id=concern.decision.decision_id if asks and concern.decision else None,
        counted=weight is Weight.ORDINARY,
    )


def reported(
    concern: Concern,
    text: str,
    setting: Setting,
    message: Outgoing | None = None,
    told: Sequence[Notice] | None = None,
) -> Decision:
    """A report went out: `text` as rendered from `message`; `told` are the notices it was made of (None: all).

    What came up while it was on its way still waits, and is reported in its turn.
    """
    gone = concern.reports.waiting if told is None else told
    left = tuple(n for n in concern.reports.waiting if n not in gone)
    said = _fingerprint(message.words.values.get("parts", [])) if message is not None else None
    reports = concern.reports.model_copy(
        update={"waiting": left, "last_at": setting.now, "last_text": text, "last_said": said}
    )
    reader = report_recipient(concern, setting)
    to = reader.person_id if reader is not None else None
    effects = (Report(concern_id=concern.concern_id, due=setting.now, to=to),) if left else ()
    return Decision(concern.model_copy(update={"reports": reports}), effects)


def nothing_told(concern: Concern, told: Sequence[Notice] | None = None) -> Concern:
    """A report was suppressed: what it was made of waits no longer."""
    gone = concern.reports.waiting if told is None else told
    left = tuple(n for n in concern.reports.waiting if n not in gone)
    return concern.model_copy(update={"reports": concern.reports.model_copy(update={"waiting": left})})


def standing(concern: Concern) -> Words:
    """Where the matter stands, in a line, for whoever asks."""
    return Words(template="concern/standing", values=standing_values(concern))


def owed(concern: Concern) -> Words:
    """Who still owes an answer in the matter, in a line, without those who are through."""
    return Words(template="concern/standing", values={**standing_values(concern), "said": [], "events": [], "gone": []})


MOST_LINES = 6
"""Of what somebody said, the last ones; the whole is in `/concern ID`."""


def words_said(concern: Concern, about: PersonId | None = None) -> tuple[Words, ...]:
    """What the delegates said word for word, in a block for each who said anything; of one person alone if given."""
    blocks = []
    for person in concern.delegates:
        heard = [e for e in concern.dialogue_with(person.person_id) if e.direction == "inbound"][-MOST_LINES:]
        if heard and about in (None, person.person_id):
            said = [{"at": e.ts.isoformat(), "words": e.text} for e in heard]
            values = {"title": concern.title, "name": person.display_name, "said": said}
            blocks.append(Words(template="concern/words_said", values=values))
    return tuple(blocks)


def _fingerprint(said: list[dict[str, Any]]) -> str:
    return json.dumps(said, ensure_ascii=False, sort_keys=True) if said else ""
