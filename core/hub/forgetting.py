"""Somebody is to be erased: their matters end, the matters of others go on without them."""

from __future__ import annotations

from core.concern.decision import Setting
from core.concern.forgetting import forget
from core.hub.commit import commit
from core.ids import PersonId
from core.ports import Repositories


def let_go(repos: Repositories, who: PersonId, setting: Setting, cause: str) -> int:
    """Let them out of all that is open; how many matters that were. `cause` makes the keys of what is said."""
    theirs = {c.concern_id for c in (*repos.concerns.open_by_initiator(who), *repos.concerns.open_by_delegate(who))}
    theirs |= {c.concern_id for c in repos.concerns.schedules()}
    changed = 0
    for concern_id in sorted(theirs):
        concern = repos.concerns.get(concern_id)
        if concern is None:
            continue
        decision = forget(concern, who, setting, cause)
        if decision.concern is not concern:
            commit(repos, decision)
            changed += 1
    return changed
