"""The methods of the Bot API that the bot uses, with the checks that the real server makes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from tests.wire.botapi.entities import parse_html, utf16_length
from tests.wire.botapi.errors import ApiError, bad_request
from tests.wire.botapi.state import BOT_ID, Chat, Json, Sent, World

TEXT_LIMIT = 4096
CAPTION_LIMIT = 1024
FILES = {
    "sendPhoto": "photo",
    "sendVoice": "voice",
    "sendAudio": "audio",
    "sendVideo": "video",
    "sendDocument": "document",
    "sendSticker": "sticker",
}


class Methods:
    """One method a name; parameters are decoded JSON or strings."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._by_name: dict[str, Callable[[Json], Any]] = {
            "getme": lambda _: world.me(),
            "deletewebhook": self._delete_webhook,
            "setwebhook": self._set_webhook,
            "getwebhookinfo": lambda _: {
                "url": world.webhook,
                "has_custom_certificate": False,
                "pending_update_count": len(world.updates),
                **(
                    dict(zip(("last_error_date", "last_error_message"), world.webhook_failed, strict=True))
                    if world.webhook_failed
                    else {}
                ),
            },
            "sendmessage": self._send_message,
            "copymessage": self._copy_message,
            "editmessagetext": self._edit_text,
            "editmessagereplymarkup": self._edit_markup,
            "answercallbackquery": self._answer_callback,
            "setmycommands": self._set_commands,
            "deletemycommands": self._set_commands,
            "getmycommands": lambda params: world.commands.get(self._menu(params), []),
            "sendchataction": self._chat_action,
            "setmessagereaction": self._reaction,
        }
        for name in FILES:
            self._by_name[name.lower()] = lambda params, name=name: self._send_file(name, params)  # type: ignore[misc]

    def call(self, name: str, params: Json) -> Any:
        """The result. Raises `ApiError`."""
        method = self._by_name.get(name.lower())
        if method is None:
            raise ApiError(404, "Not Found: method not found")
        return method(params)

    def chat(self, params: Json) -> int:
        """The chat to write to, if the bot may."""
        try:
            chat_id = int(params.get("chat_id", ""))
        except ValueError:
            raise bad_request("chat_id is empty" if not params.get("chat_id") else "chat not found") from None
        world = self.world
        if world.open_chats and chat_id > 0:
            world.user(chat_id)
        chat = world.chats.get(chat_id)
        if chat is None:
            raise bad_request("chat not found")
        if chat.migrated_to:
            what = "Bad Request: group chat was upgraded to a supergroup chat"
            raise ApiError(400, what, migrate_to_chat_id=chat.migrated_to)
        if chat.left:
            raise ApiError(403, f"Forbidden: bot was kicked from the {'super' * chat.supergroup}group chat")
        if user := world.users.get(chat_id):
            if user.deactivated:
                raise ApiError(403, "Forbidden: user is deactivated")
            if user.blocked:
                raise ApiError(403, "Forbidden: bot was blocked by the user")
            if not user.started:
                raise ApiError(403, "Forbidden: bot can't initiate conversation with a user")
        return chat_id

    def _send_message(self, params: Json) -> Json:
        chat_id = self.chat(params)
        text, entities = self._text(params, "text", TEXT_LIMIT, "message is too long")
        if not text.strip():
            raise bad_request("message text is empty")
        return self._deliver(chat_id, "sendMessage", params, text, entities, {"text": text})

    def _send_file(self, method: str, params: Json) -> Json:
        chat_id, part = self.chat(params), FILES[method]
        file = params.get(part)
        if not file:
            raise bad_request(f"there is no {part} in the request")
        if "lost" in str(file):
            raise bad_request("wrong file identifier/HTTP URL specified")
        text, entities = self._text(params, "caption", CAPTION_LIMIT, "message caption is too long")
        value: Any = {"file_id": file, "file_unique_id": f"u{file}", "duration": 1, "width": 1, "height": 1}
        content = {part: [value] if part == "photo" else value, "caption": text or None}
        return self._deliver(chat_id, method, params, text, entities, content, file=str(file))

    def _copy_message(self, params: Json) -> Json:
        chat_id = self.chat(params)
        original = self.world.messages.get((int(params["from_chat_id"]), int(params["message_id"])))
        if original is None:
            raise bad_request("message to copy not found")
        text, entities = self._text(params, "caption", CAPTION_LIMIT, "message caption is too long")
        text = text or original.get("text", "")
        content = {key: value for key, value in original.items() if key not in ("message_id", "from", "chat", "date")}
        sent = self._deliver(chat_id, "copyMessage", params, text, entities, content)
        return {"message_id": sent["message_id"]}

    def _text(self, params: Json, key: str, limit: int, too_long: str) -> tuple[str, list[Json]]:
        source = str(params.get(key) or "")
        mode = str(params.get("parse_mode") or "")
        if mode.lower() not in ("", "html"):
            raise bad_request("unsupported parse_mode")
        text, entities = parse_html(source) if mode else (source, [])
        if utf16_length(text) > limit:
            raise bad_request(too_long)
        return text, entities

    def _deliver(
        self, chat_id: int, method: str, params: Json, text: str, entities: list[Json], content: Json, **more: Any
    ) -> Json:
        buttons = _keyboard(params)
        reply_to = self._reply_to(chat_id, params)
        markup = {"inline_keyboard": buttons} if buttons else None
        quoted = self.world.messages.get((chat_id, reply_to)) if reply_to else None
        marks = {"caption_entities" if "caption" in content else "entities": entities or None}
        message = self.world.message(
            chat_id, self._sender(), **content, **marks, reply_markup=markup, reply_to_message=quoted
        )
        silent = bool(params.get("disable_notification"))
        self.world.sent.append(
            Sent(
                chat_id,
                message["message_id"],
                method,
                text,
                time.monotonic(),
                entities,
                buttons,
                reply_to,
                silent,
                **more,
            )
        )
        return message

    def _sender(self) -> Json:
        return {key: self.world.me()[key] for key in ("id", "is_bot", "first_name", "username")}

    def _reply_to(self, chat_id: int, params: Json) -> int | None:
        reply = params.get("reply_parameters")
        if not reply:
            return None
        message_id = int(reply["message_id"])
        if (chat_id, message_id) in self.world.messages:
            return message_id
        if reply.get("allow_sending_without_reply"):
            return None
        raise bad_request("message to be replied not found")

    def _own(self, params: Json) -> tuple[Json, Sent]:
        chat_id = self.chat(params)
        message_id = int(params.get("message_id", 0))
        message = self.world.messages.get((chat_id, message_id))
        if message is None:
            raise bad_request("message to edit not found")
        if message["from"]["id"] != BOT_ID:
            raise bad_request("message can't be edited")
        return message, next(s for s in self.world.sent if (s.chat, s.message_id) == (chat_id, message_id))

    def _edit_text(self, params: Json) -> Json:
        message, sent = self._own(params)
        text, entities = self._text(params, "text", TEXT_LIMIT, "MESSAGE_TOO_LONG")
        if not text.strip():
            raise bad_request("message text is empty")
        buttons = _keyboard(params)
        if (text, entities, buttons) == (sent.text, sent.entities, sent.buttons):
            raise bad_request("message is not modified")
        sent.text, sent.entities = text, entities
        message.update(text=text, entities=entities, edit_date=int(self.world.now()))
        return self._set_buttons(message, sent, buttons)

    def _edit_markup(self, params: Json) -> Json:
        message, sent = self._own(params)
        buttons = _keyboard(params)
        if buttons == sent.buttons:
            raise bad_request("message is not modified")
        return self._set_buttons(message, sent, buttons)

    def _set_buttons(self, message: Json, sent: Sent, buttons: list[list[Json]]) -> Json:
        sent.buttons = buttons
        message.pop("reply_markup", None)
        if buttons:
            message["reply_markup"] = {"inline_keyboard": buttons}
        return message

    def _answer_callback(self, params: Json) -> bool:
        callback_id = str(params.get("callback_query_id", ""))
        if self.world.callbacks.get(callback_id, "unknown") is not None:
            raise bad_request("query is too old and response timeout expired or query ID is invalid")
        text = str(params.get("text") or "")
        if utf16_length(text) > 200:
            raise bad_request("MESSAGE_TOO_LONG")
        self.world.callbacks[callback_id] = text
        return True

    def _set_commands(self, params: Json) -> bool:
        for command in params.get("commands") or []:
            if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"]):
                raise bad_request("BOT_COMMAND_INVALID")
            if not 1 <= len(command["description"]) <= 256:
                raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
        self.world.commands[self._menu(params)] = list(params.get("commands") or [])
        return True

    def _menu(self, params: Json) -> tuple[int | None, str]:
        """Whose menu: a chat's or, None, the one of all others; and the language of those who see it."""
        scope = params.get("scope") or {"type": "default"}
        if scope["type"] == "default":
            return None, params.get("language_code") or ""
        if int(scope["chat_id"]) not in self.world.chats:
            raise bad_request("chat not found")
        return int(scope["chat_id"]), params.get("language_code") or ""

    def _chat_action(self, params: Json) -> bool:
        self.chat(params)
        return True

    def _reaction(self, params: Json) -> bool:
        if (self.chat(params), int(params.get("message_id", 0))) not in self.world.messages:
            raise bad_request("message to react not found")
        return True

    def _delete_webhook(self, params: Json) -> bool:
        self.world.webhook = ""
        if params.get("drop_pending_updates"):
            self.world.updates.clear()
        return True

    def _set_webhook(self, params: Json) -> bool:
        self.world.webhook = str(params.get("url") or "")
        return True


def _keyboard(params: Json) -> list[list[Json]]:
    markup = params.get("reply_markup") or {}
    rows: list[list[Json]] = markup.get("inline_keyboard", [])
    for button in (button for row in rows for button in row):
        if not button.get("text"):
            raise bad_request("inline keyboard button text must be non-empty")
        if "url" not in button and not 1 <= len(str(button.get("callback_data", "")).encode()) <= 64:
            raise bad_request("BUTTON_DATA_INVALID")
    return [row for row in rows if row]


def group(chat_id: int, title: str) -> Chat:
    """A group chat; ids under -1000000000000 are supergroups."""
    return Chat(chat_id, title, supergroup=chat_id <= -1000000000000)
