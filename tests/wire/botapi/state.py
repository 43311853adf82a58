"""What the server knows: users, chats, messages, updates not yet confirmed, and the ledger of what it accepted."""

from __future__ import annotations

import copy
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

BOT_ID = 7000000001
DEFAULT_UPDATES_LEFT_OUT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


class Shown(Json):
    """An update that shows another number than the one by which the server counts it, or none."""

    def __init__(self, shown: Json, number: int) -> None:
        super().__init__(shown)
        self._number = number

    def __getitem__(self, key: str) -> Any:
        return self._number if key == "update_id" else super().__getitem__(key)


@dataclass
class User:
    """Somebody on Telegram. `started`: has written to the bot, which may answer only then."""

    user_id: int
    name: str
    started: bool = True
    blocked: bool = False
    deactivated: bool = False

    def json(self) -> Json:
        return {"id": self.user_id, "is_bot": False, "first_name": self.name, "language_code": "zh-hans"}


@dataclass
class Chat:
    """A private chat has its user's id; groups have negative ones."""

    chat_id: int
    title: str | None = None
    supergroup: bool = False
    migrated_to: int | None = None
    left: bool = False

    @property
    def private(self) -> bool:
        return self.chat_id > 0

    def json(self, user: User | None) -> Json:
        if self.private:
            return {"id": self.chat_id, "type": "private", "first_name": user.name if user else str(self.chat_id)}
        return {"id": self.chat_id, "type": "supergroup" if self.supergroup else "group", "title": self.title}


@dataclass
class Sent:
    """One message that the server accepted from the bot."""

    chat: int
    message_id: int
    method: str
    text: str
    """As the reader sees it, tags taken out; the caption of a file."""
    at: float
    """Seconds of a steady clock."""
    entities: list[Json] = field(default_factory=list)
    buttons: list[list[Json]] = field(default_factory=list)
    reply_to: int | None = None
    silent: bool = False
    file: str | None = None
    answered: bool = True
    """False: accepted, and the bot was not told."""

    @property
    def labels(self) -> list[str]:
        return [button["text"] for row in self.buttons for button in row]


@dataclass
class World:
    """All of it. `now` gives Unix seconds for the dates of messages."""

    username: str = "qinghai_test_bot"
    now: Callable[[], float] = time.time
    open_chats: bool = False
    """Any positive chat id may be written to, as if everybody had started the bot."""
    users: dict[int, User] = field(default_factory=dict)
    chats: dict[int, Chat] = field(default_factory=dict)
    messages: dict[tuple[int, int], Json] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)
    updates: list[Json] = field(default_factory=list)
    """Not yet confirmed, oldest first."""
    allowed: list[str] | None = None
    callbacks: dict[str, str | None] = field(default_factory=dict)
    """Open and answered button presses by id; None while open, then the text of the answer."""
    webhook: str = ""
    webhook_failed: tuple[int, str] | None = None
    """When posting to it failed last, and why; it stays once it was."""
    commands: dict[tuple[int | None, str], list[Json]] = field(default_factory=dict)
    """Menus, by the chat (None: all others) and the language."""
    delivered: dict[int, int] = field(default_factory=dict)
    """How often each update was handed out."""
    _message_ids: dict[int, int] = field(default_factory=dict)
    _update_ids: itertools.count[int] = field(default_factory=lambda: itertools.count(500001))
    _callback_ids: itertools.count[int] = field(default_factory=lambda: itertools.count(9000001))

    def me(self) -> Json:
        return {
            "id": BOT_ID,
            "is_bot": True,
            "first_name": "清海",
            "username": self.username,
            "can_join_groups": True,
            "can_read_all_group_messages": False,
            "supports_inline_queries": False,
        }

    def user(self, user_id: int, **facts: Any) -> User:
        """The user, made known with `facts` if new."""
        if user_id not in self.users:
            self.users[user_id] = User(user_id, **{"name": f"user {user_id}", **facts})
            self.chats.setdefault(user_id, Chat(user_id))
        return self.users[user_id]

    def chat_json(self, chat_id: int) -> Json:
        return self.chats[chat_id].json(self.users.get(chat_id))

    def next_message_id(self, chat_id: int) -> int:
        """Ids count per chat, in both directions."""
        self._message_ids[chat_id] = self._message_ids.get(chat_id, 0) + 1
        return self._message_ids[chat_id]

    def message(self, chat_id: int, sender: Json, **content: Any) -> Json:
        """A new message in a chat, kept for replies and presses."""
        message_id = self.next_message_id(chat_id)
        message = {
            "message_id": message_id,
            "from": sender,
            "chat": self.chat_json(chat_id),
            "date": int(self.now()),
            **{key: value for key, value in content.items() if value is not None},
        }
        self.messages[chat_id, message_id] = message
        return message

    def add_update(self, kind: str, content: Json) -> int | None:
        """Queue one; None when the bot did not ask for its kind."""
        wanted = kind in self.allowed if self.allowed else kind not in DEFAULT_UPDATES_LEFT_OUT
        number = next(self._update_ids)
        if wanted:
            self.updates.append({"update_id": number, kind: copy.deepcopy(content)})
        return number if wanted else None

    def add_callback(self) -> str:
        number = str(next(self._callback_ids))
        self.callbacks[number] = None
        return number

    def take_updates(self, offset: int | None, limit: int) -> list[Json]:
        """What waits from `offset` on. Everything before it is confirmed, and gone."""
        if offset and offset > 0:
            self.updates = [update for update in self.updates if update["update_id"] >= offset]
        elif offset and offset < 0:
            self.updates = self.updates[offset:]
        batch = self.updates[:limit]
        for update in batch:
            self.delivered[update["update_id"]] = self.delivered.get(update["update_id"], 0) + 1
        return batch
