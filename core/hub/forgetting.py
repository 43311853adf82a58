"""Somebody is to be erased: their matters end, the matters of others go on without them."""

from __future__ import annotations

from core.agenda.model import Expectation, WatchItem
from core.concern.decision import Setting
from core.concern.forgetting import forget
from core.effects import Outgoing, Purpose, Send, Words
from core.hub.abilities.expecting import end_item
from core.hub.commit import apply, commit
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
    _end_items(repos, who, setting, cause)
    return changed


def _end_items(repos: Repositories, who: PersonId, setting: Setting, cause: str) -> None:
    """What others expected of them, or looked out for, ends; whose it is hears of that. The line names nobody."""
    items: tuple[Expectation | WatchItem, ...] = (*repos.agenda.expectations(), *repos.agenda.watches())
    for item in items:
        if item.person_id != who or item.owner == who or not end_item(repos, item, "dropped", setting.now):
            continue
        words = Words(template="chat/item_forgotten", values={"what": item.what})
        message = Outgoing(purpose=Purpose.NOTICE, to=item.owner, words=words)
        item_id = item.expectation_id if isinstance(item, Expectation) else item.watch_id
        apply(repos, Send(key=f"forgotten:{item_id}:{cause}", due=setting.now, message=message))
