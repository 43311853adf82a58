"""What was added to a matter: whether delegates know of it, as the queue of messages shows too."""

from __future__ import annotations

from core.concern import additions
from core.concern.model import Addition, Concern
from core.effects import TO_DELEGATES, Outgoing
from core.jobs import JobKind
from core.ports import Repositories


def is_told(repos: Repositories, concern: Concern, addition: Addition) -> bool:
    """Whether a delegate has heard of it, or will, as the message is with a channel already."""
    return additions.is_told(concern, addition) or on_its_way(repos, concern)


def on_its_way(repos: Repositories, concern: Concern) -> bool:
    """Whether a message of it to a delegate is with a channel right now."""
    sending = (job for p in concern.delegates for job in repos.jobs.sending_to(p.person_id))
    return any(
        job.concern_id == concern.concern_id
        and job.kind is JobKind.DELIVER
        and Outgoing.model_validate_json(job.payload).purpose in TO_DELEGATES
        for job in sending
    )
