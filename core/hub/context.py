"""Reads what a context is assembled from, in one transaction. For rules none is made: they read a question's fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from core.action.run import ActionRun
from core.agenda.model import RecentDecision
from core.brain.questions import AwaitedEvent, ConcernBrief
from core.concern.matching import contacted
from core.concern.model import Concern, ConcernType
from core.concern.refs import in_focus
from core.context.assembly import AssembledContext, assemble_context, assemble_light_context
from core.context.model import (
    Baseline,
    Content,
    Decided,
    DelegateSnapshot,
    Hanging,
    Happening,
    HomeSnapshot,
    Injection,
    Snapshot,
)
from core.context.workspace import Block, BlockKind, CommunicationBlockContent, Intention
from core.facts import FactKind
from core.hub.naming import named_in
from core.hub.services import Services
from core.hub.turn import Turn
from core.hub.views import initiator_brief, reply_candidate, waiting_points, with_parts
from core.ids import PersonId
from core.people import INSPECTORS, STARTERS, Person, Role, build_person_context_slice, owner_among
from core.ports import Repositories

MOST_MATTERS = 40
MOST_PEOPLE = 60
MOST_DECISIONS = 12


async def context_of(services: Services, turn: Turn, text: str) -> str:
    """The full context of a turn as text, for `Extract`, `Evaluate` and `Converse`; `text` is what they ask about."""
    made = await services.store.run(lambda repos: read_context(repos, services, turn, text=text))
    return made.text


def light_context(
    services: Services, reader: Person | None, text: str, who: str, awaited: tuple[AwaitedEvent, ...], at: datetime
) -> str:
    """The light context of an event as text, for `MatchEvent`; empty where rules answer. `reader` is the owner."""
    if not services.has_model:
        return ""
    language = reader.language if reader is not None else "zh-CN"
    local = at.astimezone(ZoneInfo(reader.timezone)) if reader is not None else at
    event = Happening(at=local, text=text, who=who, awaited=awaited)
    baseline = _baseline(services, language, reader.name if reader is not None else "")
    budget = services.limits.context.tokens
    return assemble_light_context(baseline, event, language=language, budget=budget).text


def read_context(
    repos: Repositories, services: Services, turn: Turn, *, text: str | None = None, trigger: Injection | None = None
) -> AssembledContext:
    """Read and assemble: for a starter how things are with them, for a delegate what they are asked.

    `trigger` where something else than the message of the turn set it off.
    """
    sender = turn.sender
    at = services.local_now(sender)
    snapshot = _home(repos, turn, at) if sender.role in STARTERS else _delegate(turn, at)
    return assemble_context(
        _baseline(services, sender.language, owner_name(turn)),
        snapshot,
        trigger or _injection(turn),
        _content(turn, text),
        language=sender.language,
        budget=services.limits.context.tokens,
    )


def owner_name(turn: Turn) -> str:
    """The owner's name, empty where there is none."""
    owner = owner_among(turn.people.values())
    return owner.name if owner is not None else ""


def detailed(turn: Turn) -> tuple[ConcernBrief, ...]:
    """All that the sender may look after, their open matters with how it stands with each who is asked."""
    mine = {c.concern_id: c for c in turn.mine}
    return tuple(
        with_parts(b, concern, turn.people) if (concern := mine.get(b.concern_id)) else b  # type: ignore[call-overload]
        for b in turn.briefs
    )


def hanging(blocks: Iterable[Block]) -> tuple[Hanging, ...]:
    """What is under way in somebody's workspace, as it is shown to them and to a model."""
    waiting = tuple(blocks)
    ids = {b.block_id for b in waiting}
    return tuple(item for block in waiting for item in _hanging(block, ids))


def _baseline(services: Services, language: str, owner: str) -> Baseline:
    return services.baseline.get(language, Baseline()).named(services.persona, owner)


def _injection(turn: Turn) -> Injection:
    kinds = {FactKind.EDIT: "edit", FactKind.PROMPT: "prompt"}
    return Injection.model_validate({"kind": kinds.get(turn.fact.kind, "message"), "who": turn.sender.name})


def _content(turn: Turn, text: str | None) -> Content:
    return Content(
        text=turn.text if text is None else text,
        quoted=turn.quoted.text if turn.quoted is not None else None,
        forwarded_from=turn.fact.forwarded_from,
    )


def _home(repos: Repositories, turn: Turn, at: datetime) -> Snapshot:
    sender = turn.sender
    everything = sender.role in INSPECTORS
    started = _first(repos) if everything else (*turn.mine, *turn.schedules)
    matters = in_focus({c.concern_id: c for c in (*turn.mine, *started) if not _is_schedule(c)}.values())
    schedules = {c.concern_id: c for c in (*turn.schedules, *started) if _is_schedule(c)}
    shown = matters[:MOST_MATTERS]
    named = frozenset(named_in(turn.text, turn.people.values()))
    planned = (
        *(_brief(c, sender) for c in schedules.values()),
        *(b for b in turn.briefs if b.kind in ("expectation", "watch", "task")),
    )
    return HomeSnapshot(
        at=at,
        reader=sender.name,
        role=sender.role,  # type: ignore[arg-type]
        waiting=waiting_points(turn.mine),
        hanging=hanging(turn.pending),
        matters=tuple(with_parts(_brief(c, sender), c, turn.people) for c in shown),
        planned=planned,
        people=tuple(build_person_context_slice(p, "concern") for p in _people(turn, shown, named)),
        named=named,
        decisions=_decisions(repos, None if everything else sender.person_id),
        dialogue=turn.recent,
    )


def _first(repos: Repositories) -> tuple[Concern, ...]:
    """Everybody's matters, those that matter most now."""
    found = (repos.concerns.get(ref.concern_id) for ref in repos.agenda.focus(MOST_MATTERS))
    return tuple(c for c in found if c is not None)


def _is_schedule(concern: Concern) -> bool:
    return concern.type is ConcernType.SCHEDULE


def _brief(concern: Concern, reader: Person) -> ConcernBrief:
    brief = initiator_brief(concern)
    initiator = concern.source.initiator
    if initiator is None or concern.initiator_id == reader.person_id:
        return brief
    return brief.model_copy(update={"initiator": initiator.name})


def _people(turn: Turn, matters: Iterable[Concern], named: frozenset[PersonId]) -> list[Person]:
    """Whom the message names, then who is asked in what is shown, then the rest of the directory for those who may
    look into it.
    """
    asked = {p.person_id for c in matters for p in c.delegates}
    known = [p for p in turn.people.values() if p.person_id != turn.sender.person_id and p.role is not Role.STRANGER]
    ranked = sorted(known, key=lambda p: (p.person_id not in named, p.person_id not in asked))
    most = MOST_PEOPLE if turn.sender.role in INSPECTORS else len(named | asked)
    return ranked[:most]


def _decisions(repos: Repositories, owner: PersonId | None) -> tuple[Decided, ...]:
    recent = repos.agenda.recent(MOST_DECISIONS, owner)
    return tuple(Decided(at=d.at, what=_what(d), why=d.why) for d in recent)


def _what(decision: RecentDecision) -> str:
    return f"{decision.what} ({decision.refusal})" if decision.refusal else decision.what


def _delegate(turn: Turn, at: datetime) -> Snapshot:
    """Only what they are asked and were written to about; in a group, where others speak too, no dialogue."""
    me = turn.sender.person_id
    return DelegateSnapshot(
        at=at,
        reader=turn.sender.name,
        candidates=tuple(reply_candidate(c, me) for c in contacted(turn.asked, me)),
        dialogue=() if turn.fact.group else turn.recent,
    )


def _hanging(block: Block, ids: set[str]) -> Iterator[Hanging]:
    summary, until = block.summary, block.expires_at
    match block.kind:
        case BlockKind.ACTIONS_NEED_CONFIRMATION:
            yield Hanging(kind="confirmation", summary=summary, until=until)
        case BlockKind.PENDING_ACTION_INTENTIONS:
            intention = Intention.model_validate(block.content)
            told = summary or intention.tendency
            yield Hanging(kind="intention", summary=told, missing=intention.missing, until=until)
        case BlockKind.COMMUNICATION:
            hint = CommunicationBlockContent.model_validate(block.content)
            # While the action itself still waits, that says it.
            if hint.hint != "awaiting" or hint.about not in ids:
                yield Hanging(kind=hint.hint, summary=hint.summary, until=until)
        case BlockKind.ACTION_STATES if "stages" in block.content:
            state = ActionRun.model_validate(block.content).state
            yield Hanging(kind="run", summary=f"{summary} ({state})")
