"""A snapshot as parts: what an owner, an admin or a member sees of how things are, and what a delegate sees."""

from __future__ import annotations

from collections.abc import Iterator

from core.brain.questions import ConcernBrief, Line, PartBrief
from core.brain.rules.words.text import shared
from core.context.model import DelegateSnapshot, Hanging, HomeSnapshot, ReplyCandidate
from core.context.pieces import Cut, Part, Piece
from core.context.text import cut_middle, one_line, short, visible
from core.context.wording import Wording
from core.people import PersonSlice

LAST_LINES = 6
"""Lines of the dialogue that stay when the older ones go."""
LONGEST_DETAIL = 400
"""Characters of somebody's words within a detail."""
_WAITS = ("confirmation", "intention", "awaiting", "amending")
"""What lapses by itself when its time is over; of the rest the time says only how long it is remembered."""
LONGEST_LINE = 1_000
"""Characters of one line of the dialogue."""


def home_parts(view: HomeSnapshot, text: str, words: Wording) -> list[Part]:
    """The parts of a starter's snapshot; `text` is the message, of which it depends what stays longest."""
    parts = [
        Part(words("waiting"), tuple(_waiting(view))),
        Part(words("blocks"), tuple(_hanging(h, n, words) for n, h in enumerate(view.hanging) if h.kind != "run")),
        Part(words("matters"), tuple(_matters(view, text, words))),
        Part(words("planned"), tuple(_planned(view, words))),
        Part(words("people"), tuple(_person(p, -n, view, words) for n, p in enumerate(view.people))),
        Part(words("decisions"), tuple(_decisions(view, words))),
        Part(words("runs"), tuple(_hanging(h, -n, words) for n, h in enumerate(view.hanging) if h.kind == "run")),
        Part(words("dialogue"), _dialogue(view.dialogue, words), oldest_first=True),
    ]
    return [part for part in parts if part.pieces]


def delegate_parts(view: DelegateSnapshot, words: Wording) -> list[Part]:
    """The parts of a delegate's snapshot."""
    pieces = tuple(p for n, candidate in enumerate(view.candidates) for p in _candidate(candidate, -n, words))
    parts = [
        Part(words("candidates"), pieces),
        Part(words("dialogue"), _dialogue(view.dialogue, words), oldest_first=True),
    ]
    return [part for part in parts if part.pieces]


def _waiting(view: HomeSnapshot) -> Iterator[Piece]:
    for n, point in enumerate(view.waiting):
        told = f"- {one_line(point.concern_id)} {one_line(point.title)}: {short(point.question, LONGEST_DETAIL)}"
        yield Piece(told, Cut.WAITING, -n)


def _hanging(item: Hanging, turn: int, words: Wording) -> Piece:
    lacks = words(item.missing or "detail")
    told = words(item.kind if item.kind != "intention" else "intention", note=lacks, x=short(item.summary, 200))
    until = f" ({words('until', x=words.moment(item.until))})" if item.until and item.kind in _WAITS else ""
    return Piece(f"- {told}{until}", Cut.RUN if item.kind == "run" else Cut.HANGING, turn)


def _matters(view: HomeSnapshot, text: str, words: Wording) -> Iterator[Piece]:
    for n, matter in enumerate(view.matters):
        ids = {p.person_id for p in matter.people}
        named = bool(ids & view.named) or bool(shared(text, matter.title))
        yield Piece(_head(matter, words), Cut.NAMED_MATTER if named else Cut.MATTER, -n)
        for detail in _details(matter, words):
            yield Piece(f"    {detail}", Cut.NAMED_DETAIL if named else Cut.DETAIL, -n)


def _head(matter: ConcernBrief, words: Wording) -> str:
    whose = f"; {words('of', x=one_line(matter.initiator))}" if matter.initiator else ""
    names = words("and").join(one_line(p.name) for p in matter.people)
    about = f" → {names}" if names else ""
    state = f"{matter.status}, {matter.priority}"
    return f"- {one_line(matter.concern_id)} {one_line(matter.title)} ({state}){about}{whose}"


def _details(matter: ConcernBrief, words: Wording) -> Iterator[str]:
    if matter.goal:
        yield words("goal", x=short(matter.goal, LONGEST_DETAIL))
    if matter.standing:
        yield words("standing", x=short(matter.standing, LONGEST_DETAIL))
    if matter.deadline:
        yield words("deadline", x=words.moment(matter.deadline))
    if matter.next_at:
        yield words("next", x=words.moment(matter.next_at))
    for part in matter.parts:
        yield from _part(part, words)


def _part(part: PartBrief, words: Wording) -> Iterator[str]:
    name = one_line(part.name)
    yield words("owes" if part.owes else "done", x=name)
    for line in part.words[-2:]:
        yield words("said", who=name, at=words.stamp(line.at), x=short(line.text, LONGEST_DETAIL))


def _planned(view: HomeSnapshot, words: Wording) -> Iterator[Piece]:
    for n, item in enumerate(view.planned):
        names = words("and").join(one_line(p.name) for p in item.people)
        about = f" → {names}" if names else ""
        told = [f"- {one_line(item.concern_id)} {item.kind}: {one_line(item.title)}{about}", *_times(item, words)]
        yield Piece("; ".join(told), Cut.PLANNED, -n)


def _times(item: ConcernBrief, words: Wording) -> Iterator[str]:
    """In which words it was ordered, its rule or condition (a mere moment is its next time), and whose it is."""
    if item.goal and item.goal != item.title:
        yield words("ordered", x=short(item.goal, 200))
    if item.when and "=" in item.when:
        yield short(item.when, 200)
    if item.next_at:
        yield words("next", x=words.moment(item.next_at))
    if item.deadline:
        yield words("until", x=words.moment(item.deadline))
    if item.initiator:
        yield words("of", x=one_line(item.initiator))


def _person(person: PersonSlice, turn: int, view: HomeSnapshot, words: Wording) -> Piece:
    called = words("and").join(one_line(a) for a in (*person.aliases, *((person.pronoun,) if person.pronoun else ())))
    told = f"- {one_line(person.person_id)} {one_line(person.name)}{f' ({called})' if called else ''}"
    if view.role != "member":
        told += f"; {person.role}; {person.working_hours} {person.timezone}; {person.language}"
    return Piece(told, Cut.NAMED_PERSON if person.person_id in view.named else Cut.OTHER_PERSON, turn)


def _decisions(view: HomeSnapshot, words: Wording) -> Iterator[Piece]:
    for n, decided in enumerate(view.decisions):
        yield Piece(f"- {words.stamp(decided.at)} {decided.what}: {short(decided.why, 200)}", Cut.DECISION, -n)


def _dialogue(lines: tuple[Line, ...], words: Wording) -> tuple[Piece, ...]:
    old = len(lines) - LAST_LINES
    told = []
    for n, line in enumerate(lines):
        who = words("ours") if line.ours else one_line(line.who)
        text = cut_middle(visible(line.text).strip(), LONGEST_LINE).replace("\n", "\n    ")
        piece = f"[{words.stamp(line.at)}] {who}: {text}"
        told.append(Piece(piece, Cut.OLD_LINE if n < old else Cut.LAST_LINE, n))
    return tuple(told)


def _candidate(candidate: ReplyCandidate, turn: int, words: Wording) -> Iterator[Piece]:
    yield Piece(f"- {one_line(candidate.concern_id)} {one_line(candidate.title)}", Cut.NAMED_MATTER, turn)
    who = one_line(candidate.initiator)
    details = [words("goal", x=short(candidate.goal, LONGEST_DETAIL))]
    details += [words("asks", who=who, x=short(said, LONGEST_DETAIL)) for said in candidate.initiator_words]
    details += [words("asked", x=short(candidate.asked, LONGEST_DETAIL))] if candidate.asked else []
    for detail in details:
        yield Piece(f"    {detail}", Cut.DETAIL, turn)
