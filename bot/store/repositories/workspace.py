"""The context workspace, and the runtime's odds and ends."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from peewee import Database

from bot.store.statement import Statement, given, insertion
from bot.store.tables import BlockRow, MetaRow
from core.context.workspace import Block, BlockKind
from core.ids import PersonId

SWEPT = (
    BlockKind.ACTION_STATES,
    BlockKind.COMMUNICATION,
    BlockKind.DEEP_TASK,
    BlockKind.PENDING_ACTION_INTENTIONS,
    BlockKind.SIGNAL_ASKED,
    BlockKind.WHICH_ACTION,
)
"""Kinds that nobody waits for: when they lapse there is nothing to say."""

_ADD_BLOCK = Statement(insertion(BlockRow))
_PUT_BLOCK = Statement(
    insertion(BlockRow).on_conflict(
        conflict_target=[BlockRow.block_id],
        preserve=[f for f in BlockRow._meta.sorted_fields if f is not BlockRow.block_id],
    )
)
_GET_BLOCK = Statement(BlockRow.select(BlockRow.body).where(BlockRow.block_id == given("block_id")))
_BLOCKS_OF = Statement(
    BlockRow.select(BlockRow.body)
    .where(BlockRow.owner == given("owner"))
    .order_by(BlockRow.created_at, BlockRow.block_id)
)
_TAKE_BLOCK = Statement(BlockRow.delete().where(BlockRow.block_id == given("block_id")).returning(BlockRow.body))
_SWEEP = Statement(BlockRow.delete().where((BlockRow.expires_at < given("before")) & BlockRow.kind.in_(SWEPT)))

_GET_META = Statement(MetaRow.select(MetaRow.value).where(MetaRow.key == given("key")))
_SET_META = Statement(insertion(MetaRow).on_conflict(conflict_target=[MetaRow.key], preserve=[MetaRow.value]))

_DROP_META = Statement(MetaRow.delete().where(MetaRow.key == given("key")))


class BlockTable:
    """`core.ports.BlockRepository`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, block: Block) -> None:
        """Keep a block; its id is new."""
        _ADD_BLOCK.write(self._db, **_columns(block))

    def put(self, block: Block) -> None:
        """Add it, or replace the one with its id."""
        _PUT_BLOCK.write(self._db, **_columns(block))

    def get(self, block_id: str) -> Block | None:
        """The block, while nobody has taken it up."""
        return _block(_GET_BLOCK.value(self._db, block_id=block_id))

    def of(self, owner: PersonId, kind: BlockKind | None = None) -> tuple[Block, ...]:
        """A person's blocks, oldest first."""
        blocks = (Block.model_validate_json(body) for (body,) in _BLOCKS_OF.rows(self._db, owner=owner))
        return tuple(block for block in blocks if kind is None or block.kind is kind)

    def take(self, block_id: str) -> Block | None:
        """The block, once; None when it was taken up or has lapsed."""
        return _block(_TAKE_BLOCK.value(self._db, block_id=block_id))

    def sweep(self, before: datetime) -> int:
        """Clear away what expired before then and nobody waits for; how many there were."""
        return _SWEEP.write(self._db, before=before)


class MetaTable:
    """Values by name: the offset of a channel's polling, the sandbox's clock."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def get(self, key: str) -> str | None:
        """The value, or None."""
        return _GET_META.value(self._db, key=key)

    def set(self, key: str, value: str) -> None:
        """Add or replace."""
        _SET_META.write(self._db, key=key, value=value)

    def drop(self, key: str) -> None:
        """Take it out, if it is there."""
        _DROP_META.write(self._db, key=key)


def _columns(block: Block) -> dict[str, Any]:
    return {
        "block_id": block.block_id,
        "owner": block.owner,
        "kind": block.kind,
        "created_at": block.created_at,
        "expires_at": block.expires_at,
        "body": block.model_dump_json(),
    }


def _block(body: str | None) -> Block | None:
    return None if body is None else Block.model_validate_json(body)
