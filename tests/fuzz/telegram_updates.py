"""Updates of the Bot API: every documented kind, by the people of the cast, in order and out of it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from tests.fuzz import cast
from tests.fuzz.nonsense import Nonsense

Json = dict[str, Any]

RECORDED = [
    json.loads(path.read_text(encoding="utf-8"))["update"]
    for path in sorted((Path(__file__).parents[1] / "data" / "telegram").glob("*.json"))
]
BOT: Json = {"id": 7000000001, "is_bot": True, "first_name": "清海", "username": "qinghai_test_bot"}
GROUP: Json = {"id": -4012345678, "title": "v2.0 项目组", "type": "group", "all_members_are_administrators": True}
FORUM: Json = {"id": -1001987654321, "title": "v2.0 讨论", "type": "supergroup", "is_forum": True}
BROADCAST: Json = {"id": -1002222222222, "title": "公告", "username": "news", "type": "channel"}
_FILE: Json = {"file_id": "AgACAgUAAxkB", "file_unique_id": "AQADuL8x", "file_size": 1234}
_SIZE: Json = {**_FILE, "width": 90, "height": 60}
_PLACE: Json = {"latitude": 31.2, "longitude": 121.4}
_POLL: Json = {
    "id": "5300", "question": "哪天？", "options": [{"text": d, "voter_count": 0, "persistent_id": d} for d in ("周四", "周五")],
    "total_voter_count": 0, "is_closed": False, "is_anonymous": True, "type": "regular", "allows_multiple_answers": False, "allows_revoting": False, "members_only": False,
}  # fmt: skip
MEDIA: dict[str, Json] = {
    "photo": {"photo": [_SIZE, {**_SIZE, "width": 800, "height": 600}], "caption": "截图", "media_group_id": "13"},
    "voice": {"voice": {**_FILE, "duration": 3, "mime_type": "audio/ogg"}},
    "audio": {"audio": {**_FILE, "duration": 3, "title": "录音", "performer": "张三"}},
    "video": {"video": {**_FILE, "duration": 3, "width": 1, "height": 1, "file_name": "v.mp4"}},
    "animation": {"animation": {**_FILE, "duration": 3, "width": 1, "height": 1}, "document": _FILE},
    "video_note": {"video_note": {**_FILE, "duration": 3, "length": 240}},
    "document": {"document": {**_FILE, "file_name": "报价.pdf", "mime_type": "application/pdf"}, "caption": "见附件"},
    "sticker": {
        "sticker": {
            **_SIZE, "type": "regular", "is_animated": False, "is_video": False, "emoji": "👍", "set_name": "s",
        }
    },
    "location": {"location": {**_PLACE, "live_period": 900, "horizontal_accuracy": 10.5}},
    "venue": {"venue": {"location": _PLACE, "title": "公司", "address": "路 1 号"}, "location": _PLACE},
    "contact": {"contact": {"phone_number": "+8613800000000", "first_name": "李四", "user_id": 2002}},
    "poll": {"poll": _POLL},
    "dice": {"dice": {"emoji": "🎲", "value": 4}},
    "story": {"story": {"chat": BROADCAST, "id": 3}},
    "game": {"game": {"title": "2048", "description": "d", "photo": [_SIZE]}},
}  # fmt: skip
_ADMIN: Json = {"id": 2002, "is_bot": False, "first_name": "李四"}
SERVICE: dict[str, Json] = {
    "joined": {"new_chat_members": [_ADMIN]},
    "left": {"left_chat_member": _ADMIN},
    "title": {"new_chat_title": "新名字"},
    "photo_gone": {"delete_chat_photo": True},
    "created": {"group_chat_created": True},
    "migrates": {"migrate_to_chat_id": -1003333333333},
    "migrated": {"migrate_from_chat_id": -4012345678},
    "timer": {"message_auto_delete_timer_changed": {"message_auto_delete_time": 86400}},
    "topic": {"forum_topic_created": {"name": "提测", "icon_color": 7322096}, "message_thread_id": 60},
    "topic_closed": {"forum_topic_closed": {}},
    "call": {"video_chat_started": {}},
    "call_ended": {"video_chat_ended": {"duration": 7}},
    "allowed": {"write_access_allowed": {"from_request": True}},
    "shared": {"users_shared": {"request_id": 1, "users": [{"user_id": 2002}]}},
    "app": {"web_app_data": {"data": "{}", "button_text": "x"}},
    "site": {"connected_website": "example.com"},
    "boost": {"boost_added": {"boost_count": 1}},
}


class Updates:
    """Makes updates without end. `now`: Unix seconds; `shown`: the data of buttons that the bot has sent so far."""

    def __init__(self, nonsense: Nonsense, now: Callable[[], int], shown: Sequence[str]) -> None:
        self._nonsense = nonsense
        self._now = now
        self._shown = shown
        self._ids = itertools.count(100)
        self._numbers = itertools.count(700_000_001)
        self._last: Json = {}

    def next(self) -> Any:
        """One more: as documented, with something changed, or of any shape whatever."""
        draw = self._nonsense.random.random()
        if draw < 0.45:
            made = self.documented()
        elif draw < 0.7:
            made = self._mutated(self.documented())
        elif draw < 0.88:
            made = self._mutated(self._numbered(self._nonsense.one(RECORDED)))
        else:
            kind = self._nonsense.one(("message", "edited_message", "callback_query", "anything"))
            made = self._numbered({kind: self._nonsense.value(4)})
        self._last = made
        return made

    def documented(self) -> Json:
        """Some update as the documentation has it."""
        kind = self._nonsense.one(tuple(self.kinds))
        return self._numbered(self.kinds[kind](self))

    def _numbered(self, update: Json) -> Json:
        return {**update, "update_id": next(self._numbers)}

    def _mutated(self, update: Json) -> Any:
        """Changed somewhere; its number seldom, for the server counts them."""
        inner = {key: value for key, value in update.items() if key != "update_id"}
        made = self._nonsense.mutated(inner, RECORDED)
        if self._nonsense.happens(0.03):
            return self._nonsense.one((None, 7, "update", [], made, {**made, "update_id": self._nonsense.value(1)}))
        return {**made, "update_id": update["update_id"]}

    # --- who and where ------------------------------------------------------------------------------------------------

    def _who(self) -> tuple[Json, tuple[str, ...]]:
        """Somebody as a user, and what they may say."""
        if self._nonsense.happens(0.2):
            number = self._nonsense.one(cast.STRANGERS_ON_TELEGRAM)
            return {"id": number, "is_bot": False, "first_name": "路人"}, cast.earnest(None)
        member = self._nonsense.one(cast.LOUD)
        user = {"id": member.telegram, "is_bot": False, "first_name": member.name, "language_code": "zh-hans"}
        return user, cast.earnest(member)

    def message(self, **parts: Any) -> Json:
        """A message, in private or in a group; `parts` instead of a text."""
        who, earnest = self._who()
        private = {"id": who["id"], "first_name": who["first_name"], "type": "private"}
        chat = private if self._nonsense.happens(0.75) else self._nonsense.one((GROUP, FORUM))
        made: Json = {"message_id": next(self._ids), "from": who, "chat": chat, "date": self._now()}
        if parts:
            return {**made, **parts}
        text = self._nonsense.text(earnest)
        entities: list[Json] = []
        if chat is not private and self._nonsense.happens(0.7):
            entities.append({"type": "mention", "offset": 0, "length": len("@qinghai_test_bot")})
            text = f"@qinghai_test_bot {text}"
        elif text.startswith("/"):
            entities.append({"type": "bot_command", "offset": 0, "length": len(text.split(" ")[0])})
        if self._nonsense.happens(0.2):
            entities.append(self._entity(who))
        return {**made, "text": text, **({"entities": entities} if entities else {})}

    def _entity(self, who: Json) -> Json:
        """Often with an offset that is none."""
        kinds = ("mention", "text_mention", "bot_command", "url", "bold", "custom_emoji", "nothing_like_it")
        kind, numbers = self._nonsense.one(kinds), (0, 1, -1, 5, 4097, 2**31, -(2**31), 10**20)
        made = {"type": kind, "offset": self._nonsense.one(numbers), "length": self._nonsense.one(numbers)}
        return {**made, "user": self._nonsense.one((who, BOT))} if kind == "text_mention" else made

    def _quoting(self) -> Json:
        message = self.message()
        quoted = {
            "message_id": self._nonsense.random.randint(1, 40),
            "from": self._nonsense.one((BOT, message["from"])),
            "chat": message["chat"],
            "date": self._now(),
            "text": "v2.0 什么时候能提测？",
        }
        return {**message, "reply_to_message": quoted, "quote": {"text": "提测", "position": 5}}

    def _forwarded(self) -> Json:
        origin = self._nonsense.one(
            (
                {"type": "user", "date": 1773600000, "sender_user": _ADMIN},
                {"type": "hidden_user", "date": 1773600000, "sender_user_name": "某人"},
                {"type": "chat", "date": 1773600000, "sender_chat": GROUP},
                {"type": "channel", "date": 1773600000, "chat": BROADCAST, "message_id": 4},
            )
        )
        return {**self.message(), "forward_origin": origin}

    def press(self) -> Json:
        """A press; its data as shown or forged."""
        who, _ = self._who()
        chat = {"id": who["id"], "first_name": who["first_name"], "type": "private"}
        under = {"message_id": self._nonsense.random.randint(1, 60), "from": BOT, "chat": chat, "date": self._now()}
        data = self._nonsense.pressed(self._shown)
        return {"id": str(next(self._ids)), "from": who, "message": under, "chat_instance": "-1", "data": data}

    def _edit(self) -> Json:
        """Of the last message where it was one, so that something of it may be under way."""
        last = self._last.get("message") if isinstance(self._last, dict) else None
        if isinstance(last, dict) and isinstance(last.get("text"), str) and self._nonsense.happens(0.5):
            return {**last, "text": self._nonsense.spoilt(last["text"]), "edit_date": self._now()}
        return {**self.message(), "edit_date": self._now()}

    def _changed(self) -> Json:
        who, _ = self._who()
        old = {"user": BOT, "status": "member"}
        new = {"user": BOT, "status": "kicked", "until_date": 0}
        return {"chat": GROUP, "from": who, "date": self._now(), "old_chat_member": old, "new_chat_member": new}

    kinds: ClassVar[dict[str, Callable[[Updates], Json]]] = {
        **{f"text{n}": lambda self: {"message": self.message()} for n in range(12)},
        **{f"press{n}": lambda self: {"callback_query": self.press()} for n in range(5)},
        **{f"edit{n}": lambda self: {"edited_message": self._edit()} for n in range(3)},
        **{f"quote{n}": lambda self: {"message": self._quoting()} for n in range(3)},
        **{f"forward{n}": lambda self: {"message": self._forwarded()} for n in range(2)},
        "media": lambda self: {"message": self.message(**self._nonsense.one(tuple(MEDIA.values())))},
        "media_edited": lambda self: {
            "edited_message": {
                **self.message(**self._nonsense.one(tuple(MEDIA.values()))),
                "edit_date": self._now(),
            }
        },
        "service": lambda self: {"message": self.message(**self._nonsense.one(tuple(SERVICE.values())))},
        "channel_post": lambda self: {
            "channel_post": {
                "message_id": next(self._ids), "sender_chat": BROADCAST, "chat": BROADCAST, "date": self._now(), "text": "公告",
            }
        },
        "edited_channel_post": lambda self: {
            "edited_channel_post": {
                "message_id": 4, "sender_chat": BROADCAST, "chat": BROADCAST, "date": self._now(), "text": "公告",
                "edit_date": self._now(),
            }
        },
        "business_connection": lambda self: {
            "business_connection": {
                "id": "b1", "user": self._who()[0], "user_chat_id": 1001, "date": self._now(), "can_reply": True,
                "is_enabled": True,
            }
        },
        "business_message": lambda self: {"business_message": {**self.message(), "business_connection_id": "b1"}},
        "business_gone": lambda self: {
            "deleted_business_messages": {"business_connection_id": "b1", "chat": GROUP, "message_ids": [1, 2]}
        },
        "reaction": lambda self: {
            "message_reaction": {
                "chat": GROUP, "message_id": 3, "user": self._who()[0], "date": self._now(), "old_reaction": [],
                "new_reaction": [{"type": "emoji", "emoji": "👍"}],
            }
        },
        "reaction_count": lambda self: {
            "message_reaction_count": {
                "chat": GROUP, "message_id": 3, "date": self._now(),
                "reactions": [{"type": {"type": "emoji", "emoji": "👍"}, "total_count": 2}],
            }
        },
        "inline_query": lambda self: {
            "inline_query": {"id": "9", "from": self._who()[0], "query": "张三", "offset": ""}
        },
        "chosen": lambda self: {"chosen_inline_result": {"result_id": "1", "from": self._who()[0], "query": "x"}},
        "inline_press": lambda self: {
            "callback_query": {
                "id": str(next(self._ids)), "from": self._who()[0], "inline_message_id": "i1", "chat_instance": "-1",
                "data": self._nonsense.pressed(self._shown),
            }
        },
        "game_press": lambda self: {
            "callback_query": {
                "id": str(next(self._ids)), "from": self._who()[0], "chat_instance": "-1", "game_short_name": "g",
            }
        },
        "old_press": lambda self: {
            "callback_query": {
                **self.press(), "message": {"chat": GROUP, "message_id": 2, "date": 0},
            }
        },
        "poll": lambda self: {"poll": _POLL},
        "poll_answer": lambda self: {
            "poll_answer": {"poll_id": "5300", "user": self._who()[0], "option_ids": [0], "option_persistent_ids": ["0"]}
        },
        "my_chat_member": lambda self: {"my_chat_member": self._changed()},
        "chat_member": lambda self: {"chat_member": self._changed()},
        "join_request": lambda self: {
            "chat_join_request": {
                "chat": FORUM, "from": self._who()[0], "user_chat_id": 3001, "date": self._now(),
            }
        },
    }  # fmt: skip
    """By name; what people do most stands there several times."""
