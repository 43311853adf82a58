"""Commands on a message that may not have arrived: /sent takes it as sent, /resend sends it once more.

Owner and admin decide about any, an initiator about those of their own matters.
"""

from __future__ import annotations

from bot.commands.jobs import recipient_of
from bot.commands.queue import Numbered
from bot.commands.request import Reply, Request, usage
from core.concern import outbound, together
from core.concern.model import Concern
from core.effects import Outgoing, Purpose, Send, Words
from core.hub.commit import apply
from core.jobs import JobKind, JobState


def sent(request: Request) -> Reply:
    """It counts as sent for good."""
    found = _find(request)
    if found is None:
        return usage(request, "no_doubt")
    if not request.repos.queue.settle(found.job.key):
        return _said(request, found, "decided")
    request.did(person=found.job.person_id, concern=found.job.concern_id)
    return _said(request, found, "sent")


def resend(request: Request) -> Reply:
    """It goes out once more, unless the state says that this is of no use."""
    found = _find(request)
    if found is None:
        return usage(request, "no_doubt")
    if found.job.state is not JobState.IN_DOUBT:
        return _said(request, found, "decided")
    request.did(person=found.job.person_id, concern=found.job.concern_id)
    if found.job.kind is JobKind.REPORT:
        return _said(request, found, _report_again(request, found))
    message = Outgoing.model_validate_json(found.job.payload)
    unwanted = _unwanted(request, message)
    if unwanted is not None:
        request.repos.queue.settle(found.job.key)
        return _said(request, found, unwanted)
    again = _marked(message)
    request.repos.jobs.rewrite(found.job.key, again.model_dump_json())
    request.repos.jobs.requeue(found.job.key, request.now, 0, "sent once more, as somebody wished")
    return _said(request, found, "resend")


def _find(request: Request) -> Numbered | None:
    """The job of the number that was given, if the sender may decide about it."""
    if not request.words.isdecimal() or len(request.words) > 15:
        return None
    found = request.repos.queue.get(int(request.words))
    if found is None or found.job.kind not in (JobKind.DELIVER, JobKind.REPORT):
        return None
    asked_about = found.job.state is JobState.IN_DOUBT or bool(request.repos.receipts.of_job(found.job.key))
    if not asked_about:
        return None
    if request.viewer is None:
        return found
    concern = request.repos.concerns.get(found.job.concern_id) if found.job.concern_id else None
    return found if concern is not None and concern.initiator_id == request.viewer else None


def _unwanted(request: Request, message: Outgoing) -> str | None:
    """Why none of it needs to go out again; None when any of it may."""
    reasons = []
    for part in together.parts_of(message):
        concern = request.repos.concerns.get(part.concern_id) if part.concern_id else None
        reasons.append(_unwanted_part(request, concern, part))
    return reasons[0] if all(reasons) else None


def _unwanted_part(request: Request, concern: Concern | None, part: Outgoing) -> str | None:
    reader = request.turn.people.get(part.to) if part.to else None
    # What answers somebody, or tells an initiator, goes out whatever they said about being asked.
    if concern is None or (part.to is not None and concern.person(part.to) is None):
        return None
    if reader is not None and not reader.interaction_policy.contact_allowed:
        return "stopped"
    return outbound.again_unwanted(concern, part)


def _marked(message: Outgoing) -> Outgoing:
    return message.model_copy(
        update={"again": message.again + 1, "also": tuple(_marked(part) for part in message.also)}
    )


def _report_again(request: Request, found: Numbered) -> str:
    """A report was composed when it left: the same words go out anew, where they are known."""
    known = request.repos.receipts.of_job(found.job.key)
    text = "".join(part.text for part in known)
    if not text or known[0].to is None:
        return "words_gone"
    message = Outgoing(
        purpose=Purpose.NOTICE,
        to=known[0].to,
        concern_id=found.job.concern_id,
        words=Words(text=text),
    )
    request.repos.queue.settle(found.job.key)
    apply(request.repos, Send(key=f"{found.job.key}:again", due=request.now, message=message))
    return "resend"


def _said(request: Request, found: Numbered, outcome: str) -> Reply:
    name = None
    if found.job.kind is JobKind.DELIVER:
        name = recipient_of(request, Outgoing.model_validate_json(found.job.payload))
    return Reply("commands/doubt", {"outcome": outcome, "name": name})
