"""What one message of an initiator has set going: what an edit or a recall of it must find again (RULES 2).

Matters that somebody has heard of can't be undone without a word to them; all the rest goes as quietly as it came.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.action.run import ActionRun
from core.agenda.model import Expectation, WatchItem
from core.callbacks import Callback
from core.concern import relay, steer
from core.concern.changes import anything_sent
from core.concern.closing import cancelled
from core.concern.model import Concern, ConcernType
from core.context.workspace import Block, BlockKind, companion_id
from core.hub.abilities.tasks import drop_task, is_running
from core.hub.commit import commit
from core.hub.owed import forgo_all, owed_to
from core.hub.services import Services
from core.hub.turn import Turn
from core.hub.turns.adding import Added, added_by
from core.ids import ConcernId
from core.ports import Repositories

REPLACED = "原话改了"
"""Why a matter went without a word: the sender put another in its place."""

_WAITING = (BlockKind.ACTIONS_NEED_CONFIRMATION, BlockKind.PENDING_ACTION_INTENTIONS)


@dataclass(frozen=True)
class Raised:
    """`told`: matters that somebody has heard of, also relays that are over; the rest nobody knows of but the sender.

    `untold`: open matters and schedules; `items`: ids of expectations and watch items; `blocks`: actions that wait,
    chains under way and deep tasks; `owed`: reminders and results that are still to leave; `added`: what it added to
    matters that were open before.
    """

    told: tuple[Concern, ...] = ()
    untold: tuple[Concern, ...] = ()
    items: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    owed: tuple[Callback, ...] = ()
    added: tuple[Added, ...] = ()

    def __bool__(self) -> bool:
        return self.is_new or bool(self.added)

    @property
    def is_new(self) -> bool:
        """Whether there is anything that it raised, and not only what it added to."""
        return bool(self.told or self.untold or self.items or self.blocks or self.owed)

    @property
    def only(self) -> Concern | None:
        """The one matter that it is, where it is nothing else."""
        concerns = (*self.told, *self.untold)
        besides = self.items or self.blocks or self.owed or self.added
        return concerns[0] if len(concerns) == 1 and not besides else None

    @property
    def all_owed(self) -> bool:
        """There is nothing but what is still to leave."""
        return not (self.told or self.untold or self.items or self.blocks or self.added)


def raised_by(repos: Repositories, turn: Turn) -> Raised:
    """All that the message of an edit or a recall raised and that is not over. A channel may count the messages of each
    chat anew, so the chat must be the same too.
    """
    fact, me = turn.fact, turn.sender.person_id
    if fact.message_id is None:
        return Raised()
    found = [
        c
        for c in repos.concerns.by_origin(fact.channel, fact.message_id, me)
        if c.origin_conversation in (None, fact.conversation)
    ]
    # What a schedule has raised since comes of the same message.
    planned = {c.concern_id for c in found if c.type is ConcernType.SCHEDULE}
    found += [c for c in turn.mine if (c.trigger or {}).get("schedule_id") in planned]
    known = tuple(c for c in found if _is_told(c))
    expected = [e.expectation_id for e in repos.agenda.expectations(me) if _is_from(e, turn)]
    watched = [w.watch_id for w in repos.agenda.watches(me) if _is_from(w, turn)]
    return Raised(
        told=known,
        untold=tuple(c for c in found if c.status.is_open and c not in known),
        items=(*expected, *watched),
        blocks=tuple(b for b in turn.pending if _is_from(b, turn) and _is_under_way(b)),
        owed=tuple(r for r in owed_to(repos, me) if r.origin in planned or _is_from(r, turn)),
        added=added_by(repos, turn),
    )


def _is_told(concern: Concern) -> bool:
    if concern.relay is not None:
        return bool(relay.told(concern))
    return concern.status.is_open and anything_sent(concern)


def _is_from(item: Expectation | WatchItem | Block | Callback, turn: Turn) -> bool:
    chat = item.chat_id if isinstance(item, Callback) else item.conversation
    return (item.message_id, chat) == (turn.fact.message_id, turn.fact.conversation)


def _is_under_way(block: Block) -> bool:
    if block.kind is BlockKind.ACTION_STATES:
        return ActionRun.model_validate(block.content).state == "running"
    return block.kind in _WAITING or is_running(block)


def forget(repos: Repositories, raised: Raised, services: Services) -> tuple[Callback, ...]:
    """What waits, is looked out for or works in the background because of the message is no more. Returned is what was
    on its way to them already: that can't be called back.
    """
    for block in raised.blocks:
        if block.kind is BlockKind.DEEP_TASK:
            drop_task(repos, block.block_id, services.clock.now())
        else:
            repos.blocks.take(block.block_id)
            repos.blocks.take(companion_id(block.block_id))
    for item_id in raised.items:
        repos.agenda.take(item_id)
    return forgo_all(repos, raised.owed)


def withdraw(repos: Repositories, turn: Turn, concerns: Iterable[Concern], services: Services) -> None:
    """Another request has taken the place of these, of which nobody has heard yet: they go without a word."""
    for fresh in still_open(repos, concerns):
        commit(repos, cancelled(fresh, REPLACED, services.setting(turn.people), turn.cause))


def take_back(repos: Repositories, turn: Turn, concerns: Iterable[Concern], services: Services) -> None:
    """The words behind these are gone: what nobody has heard of is off, of the rest the sender is asked.

    Words that were passed on can't be called back; who has not been told yet will not be.
    """
    setting, where = services.setting(turn.people), turn.fact.conversation
    for fresh in still_open(repos, concerns):
        if fresh.relay is not None and relay.told(fresh):
            commit(repos, relay.stopped(fresh, setting, turn.cause))
        else:
            commit(repos, steer.recalled(fresh, setting, where, turn.sender))


def still_open(repos: Repositories, concerns: Iterable[Concern]) -> list[Concern]:
    """These as they stand now, without those that are over."""
    fresh = [repos.concerns.get(ConcernId(c.concern_id)) for c in concerns]
    return [c for c in fresh if c is not None and c.status.is_open]


def is_delegation(concern: Concern) -> bool:
    """Somebody is asked, and an answer is wanted."""
    return concern.relay is None and concern.type is not ConcernType.SCHEDULE
