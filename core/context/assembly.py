"""The context of a turn, whole or light, as one text for a model.

Always in this order: safety baseline, persona, frozen snapshot, what set the turn off, this content. The first, the
second and the fourth are never cut; the content only in its middle, where it alone would take half of the room, and it
says so; of the snapshot pieces go in the order that `core/context/pieces.py` states. Words of people stand between
marks that no text in the context contains, without characters that nobody can see.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.brain.questions import AwaitedEvent
from core.context.model import Baseline, Content, Happening, HomeSnapshot, Injection, Snapshot
from core.context.pieces import written
from core.context.snapshot import delegate_parts, home_parts
from core.context.text import absent_mark, cut_to_weight, one_line, short, texts_in, tokens, visible
from core.context.wording import Wording

LEAST_ROOM = 300
"""Tokens that must be left beside the baseline for anything to be said at all."""


@dataclass(frozen=True)
class AssembledContext:
    """The five sections as they stand in the text; `cut` says whether anything had to go."""

    safety: str
    persona: str
    snapshot: str
    trigger: str
    content: str
    cut: bool = False

    @property
    def sections(self) -> tuple[str, ...]:
        """Those that say something, in their order."""
        return tuple(s for s in (self.safety, self.persona, self.snapshot, self.trigger, self.content) if s)

    @property
    def text(self) -> str:
        """All of it."""
        return "\n\n".join(self.sections)


def assemble_context(
    baseline: Baseline, snapshot: Snapshot, trigger: Injection, content: Content, *, language: str, budget: int
) -> AssembledContext:
    """The full context, of at most `budget` tokens (`core.context.text.tokens`).

    Raises ValueError where baseline and trigger leave less than `LEAST_ROOM` of it.
    """
    words = Wording(language, snapshot.at.tzinfo)
    mark = absent_mark(texts_in((snapshot, trigger, content)))
    safety = f"{words('safety')}\n{baseline.safety}" if baseline.safety else ""
    persona = f"{words('persona')}\n{baseline.persona}" if baseline.persona else ""
    begun = f"{words('trigger')}\n{_trigger(trigger, words)}"
    room = _room(budget, safety, persona, begun)
    said, content_cut = _content(content, room // 2, mark, words)
    role = snapshot.role if isinstance(snapshot, HomeSnapshot) else "delegate"
    head = words("snapshot", at=words.moment(snapshot.at), reader=short(snapshot.reader, 40), role=role)
    if isinstance(snapshot, HomeSnapshot):
        parts, empty = home_parts(snapshot, content.text, words), words("nothing")
    else:
        parts, empty = delegate_parts(snapshot, words), words("no_candidates")
    left = room - tokens(said) - tokens(head) - 2
    told, snapshot_cut = written(parts, left, mark, words)
    return AssembledContext(
        safety=safety,
        persona=persona,
        snapshot=f"{head}\n{told or empty}",
        trigger=begun,
        content=said,
        cut=content_cut or snapshot_cut,
    )


def assemble_light_context(baseline: Baseline, event: Happening, *, language: str, budget: int) -> AssembledContext:
    """The context of an event: the safety baseline, who the bot is in a line, what is looked out for, the event.

    At most `budget` tokens. Raises ValueError as `assemble_context` does.
    """
    words = Wording(language, event.at.tzinfo)
    mark = absent_mark(texts_in((event,)))
    safety = f"{words('safety')}\n{baseline.safety}" if baseline.safety else ""
    line = baseline.persona.partition("\n")[0]
    persona = f"{words('persona')}\n{line}" if line else ""
    begun = f"{words('trigger')}\n{words('event')} {words.moment(event.at)}"
    room = _room(budget, safety, persona, begun)
    about = words("from", x=short(event.who, 40)) + "\n" if event.who else ""
    body, content_cut = _fenced(event.text, room // 2 - tokens(about), mark)
    said = f"{words('content')}\n{about}{body}"
    lines = [_awaited_line(a, words) for a in event.awaited]
    told, awaited_cut = _awaited(lines, room - tokens(said) - 2, mark, words)
    return AssembledContext(safety, persona, told, begun, said, content_cut or awaited_cut)


def _room(budget: int, *fixed: str) -> int:
    # Two for each gap between sections.
    room = budget - sum(tokens(text) + 2 for text in fixed)
    if room < LEAST_ROOM:
        raise ValueError(f"a context of {budget} tokens has no room beside the safety baseline and the persona")
    return room


def _trigger(trigger: Injection, words: Wording) -> str:
    told = words(trigger.kind, who=short(trigger.who, 40))
    return f"{told}{words('set_at', x=words.moment(trigger.set_at))}" if trigger.set_at else told


def _content(content: Content, most: int, mark: str, words: Wording) -> tuple[str, bool]:
    """This content; what it quotes gets a quarter of the room at most."""
    told, cut = [words("content")], False
    if content.quoted is not None:
        quoted, cut = _fenced(content.quoted, most // 4, mark)
        told += [words("quoted"), quoted]
    if content.forwarded_from is not None:
        told.append(words("forwarded", x=short(content.forwarded_from, 40)))
    else:
        told.append(words("words"))
    body, text_cut = _fenced(content.text, most - sum(tokens(t) + 1 for t in told), mark)
    return "\n".join((*told, body)), cut or text_cut


def _fenced(text: str, most: int, mark: str) -> tuple[str, bool]:
    frame = f"<{mark}>\n\n</{mark}>"
    seen = visible(text).strip()
    body = cut_to_weight(seen, most - tokens(frame))
    return f"<{mark}>\n{body}\n</{mark}>", body != seen


def _awaited_line(awaited: AwaitedEvent, words: Wording) -> str:
    about = f" ({words('about', x=short(awaited.who, 40))})" if awaited.who else ""
    return f"- {one_line(awaited.item_id)} {short(awaited.what, 200)}{about}"


def _awaited(lines: list[str], room: int, mark: str, words: Wording) -> tuple[str, bool]:
    """As many as there is room for, the first ones first."""
    if not lines:
        return "", False
    frame = f"{words('awaited')}\n<{mark}>\n{words('omitted', n=len(lines))}\n</{mark}>"
    left, kept = room - tokens(frame) - 1, []
    for line in lines:
        left -= tokens(line) + 1
        if left < 0:
            break
        kept.append(line)
    missing = len(lines) - len(kept)
    inside = "\n".join((*kept, *((words("omitted", n=missing),) if missing else ())))
    return f"{words('awaited')}\n<{mark}>\n{inside}\n</{mark}>", bool(missing)
