"""The agenda, the context workspace, and the runtime's odds and ends."""

from __future__ import annotations

from peewee import Database

from bot.store.statement import Statement, given, insertion
from bot.store.tables import AgendaRow, BlockRow, DecisionRow, MetaRow
from core.agenda.model import ConcernRef, RecentDecision
from core.context.workspace import Block, BlockKind
from core.ids import ConcernId, PersonId

_PUT = Statement(insertion(AgendaRow).on_conflict(conflict_target=[AgendaRow.concern_id], preserve=[AgendaRow.body]))
_REMOVE = Statement(AgendaRow.delete().where(AgendaRow.concern_id == given("concern_id")))
_REFS = Statement(AgendaRow.select(AgendaRow.body).order_by(AgendaRow.concern_id))
_RECORD = Statement(insertion(DecisionRow))
_RECENT = Statement(
    DecisionRow.select(DecisionRow.body).order_by(DecisionRow.at.desc(), DecisionRow.id.desc()).limit(given("limit"))
)

_ADD_BLOCK = Statement(insertion(BlockRow))
_GET_BLOCK = Statement(BlockRow.select(BlockRow.body).where(BlockRow.block_id == given("block_id")))
_BLOCKS_OF = Statement(
    BlockRow.select(BlockRow.body)
    .where(BlockRow.owner == given("owner"))
    .order_by(BlockRow.created_at, BlockRow.block_id)
)
_TAKE_BLOCK = Statement(BlockRow.delete().where(BlockRow.block_id == given("block_id")).returning(BlockRow.body))

_GET_META = Statement(MetaRow.select(MetaRow.value).where(MetaRow.key == given("key")))
_SET_META = Statement(insertion(MetaRow).on_conflict(conflict_target=[MetaRow.key], preserve=[MetaRow.value]))


class AgendaTable:
    """`core.ports.AgendaRepository`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def put(self, ref: ConcernRef) -> None:
        """Add the reference or replace it."""
        _PUT.write(self._db, concern_id=ref.concern_id, body=ref.model_dump_json())

    def remove(self, concern_id: ConcernId) -> None:
        """Take it out, if it is there."""
        _REMOVE.write(self._db, concern_id=concern_id)

    def refs(self) -> tuple[ConcernRef, ...]:
        """All of them, by concern id."""
        return tuple(ConcernRef.model_validate_json(body) for (body,) in _REFS.rows(self._db))

    def record(self, decision: RecentDecision) -> None:
        """Remember a decision."""
        _RECORD.write(self._db, at=decision.at, concern_id=decision.concern_id, body=decision.model_dump_json())

    def recent(self, limit: int) -> tuple[RecentDecision, ...]:
        """The last decisions, newest first."""
        return tuple(RecentDecision.model_validate_json(body) for (body,) in _RECENT.rows(self._db, limit=limit))


class BlockTable:
    """`core.ports.BlockRepository`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, block: Block) -> None:
        """Keep a block; its id is new."""
        _ADD_BLOCK.write(
            self._db,
            block_id=block.block_id,
            owner=block.owner,
            kind=block.kind,
            created_at=block.created_at,
            expires_at=block.expires_at,
            body=block.model_dump_json(),
        )

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


def _block(body: str | None) -> Block | None:
    return None if body is None else Block.model_validate_json(body)
