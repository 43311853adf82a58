"""The command /jobs: what the bot has to do, what it does not get done and why; in people's words, without contents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.commands.pages import PAGE, page_of, pages_of, turners
from bot.commands.queue import Numbered
from bot.commands.reasons import reason_word
from bot.commands.request import ButtonRow, Reply, Request, press, usage
from core.context.workspace import BlockKind
from core.effects import Expire, Outgoing, Task, Words
from core.hub.abilities.tasks import TaskProgress, task_progress
from core.ids import ConcernId
from core.jobs import Job, JobKind, QueueSection

SHOWN_NEXT = 2 * PAGE
"""Of what is to come, that much is listed; all of it is counted."""

_LAPSES = {
    BlockKind.DEEP_TASK: "expire_task",
    BlockKind.WHICH_CONCERN: "expire_question",
    BlockKind.PENDING_ACTION_INTENTIONS: "expire_question",
}
"""What lapses, where it is no action that waits for a yes."""


def jobs(request: Request) -> Reply:
    """A page of the queue: what needs a decision first, then what failed, what is done now, what comes next."""
    words, page = page_of(request.words)
    if words:
        return usage(request)
    counts = {section: request.repos.queue.count(section) for section in QueueSection}
    shown = {**counts, QueueSection.NEXT: min(SHOWN_NEXT, counts[QueueSection.NEXT])}
    pages = pages_of(sum(shown.values()))
    page = min(page, pages)
    tasks = {t.task_id: t for t in task_progress(request.repos)}
    here = list(_page(request, shown, PAGE * (page - 1)))
    lines = [{"section": section.value, **_line(request, one, section, tasks)} for section, one in here]
    values = {
        "counts": {section.value: count for section, count in counts.items()},
        "lines": lines,
        "next_left": counts[QueueSection.NEXT] - shown[QueueSection.NEXT] if page == pages else 0,
        "page": page,
        "pages": pages,
    }
    doubtful = [one.id for section, one in here if section is QueueSection.DOUBT]
    return Reply("commands/jobs", values, (*_deciders(doubtful), *turners("jobs", page, pages)))


def _page(request: Request, shown: Mapping[QueueSection, int], start: int) -> Iterator[tuple[QueueSection, Numbered]]:
    """The jobs of a page that begins with the `start`-th line."""
    room = PAGE
    for section, count in shown.items():
        if start < count and room:
            for one in request.repos.queue.page(section, min(room, count - start), start):
                room -= 1
                yield section, one
        start = max(0, start - count)


def _deciders(numbers: list[int]) -> Iterator[ButtonRow]:
    """The buttons for what is in doubt; of several, with the number of its line."""
    for line, number in enumerate(numbers, 1):
        yield doubt_buttons(number, line if len(numbers) > 1 else None)


def doubt_buttons(number: int, line: int | None = None) -> ButtonRow:
    """What can be decided about the job of this number; `line` tells it from others in the same message."""
    return tuple(
        button
        for verb in ("sent", "resend")
        for button in press(f"{verb} {number}", Words(template="buttons/doubt", values={"verb": verb, "line": line}))
    )


def _line(request: Request, one: Numbered, section: QueueSection, tasks: Mapping[str, TaskProgress]) -> dict[str, Any]:
    """What is shown of a job. `kind` is the job's, or the purpose of a message."""
    job = one.job
    what = _message(request, job) if job.kind is JobKind.DELIVER else _work(request, job, tasks)
    known = request.repos.receipts.of_job(job.key) if section is QueueSection.DOUBT else ()
    return {
        "name": None,
        "title": None,
        "more": 0,
        "step": None,
        **what,
        "when": (known[0].at if known else job.due).astimezone(request.now.tzinfo).isoformat(),
        "late": job.due <= request.now,
        "attempts": job.attempts,
        "reason": reason_word(job.reason),
    }


def _message(request: Request, job: Job) -> dict[str, Any]:
    """To whom, why, and about which matter; what it says is nobody else's business."""
    message = Outgoing.model_validate_json(job.payload)
    matter = message.also[0].concern_id if message.also else message.concern_id
    return {
        "kind": message.purpose.value,
        "name": recipient_of(request, message),
        "title": _title(request, matter),
        "more": max(0, len(message.also) - 1),
    }


def _work(request: Request, job: Job, tasks: Mapping[str, TaskProgress]) -> dict[str, Any]:
    if job.kind is JobKind.TASK:
        task = tasks.get(Task.model_validate_json(job.payload).task_id)
        if task is not None:
            step = {"done": task.done, "of": task.of}
            return {"kind": job.kind.value, "name": task.owner, "title": task.title, "step": step}
    if job.kind is JobKind.EXPIRE:
        block = request.repos.blocks.get(Expire.model_validate_json(job.payload).block_id)
        return {"kind": _LAPSES.get(block.kind, job.kind.value) if block is not None else job.kind.value}
    return {"kind": job.kind.value, "title": _title(request, job.concern_id)}


def recipient_of(request: Request, message: Outgoing) -> str | None:
    """The name of whom a message is for; None for a group and for somebody unknown."""
    if message.to is not None:
        person = request.turn.people.get(message.to)
        return person.name if person is not None else None
    channel, _, chat = (message.conversation or "").partition(":")
    person = request.repos.people.by_identity(channel, chat)
    return person.name if person is not None else None


def _title(request: Request, concern_id: ConcernId | None) -> str | None:
    concern = request.repos.concerns.get(concern_id) if concern_id is not None else None
    return concern.title if concern is not None else None
