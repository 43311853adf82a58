"""From an update of the Bot API, as raw JSON, to a `Fact`. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from bot.channels.given import moment, number, token, words
from bot.channels.telegram.addressing import BotName, Json, without_name
from core.facts import Attachment, Fact, FactKind
from core.ids import conversation_id

CHANNEL = "telegram"

ALLOWED_UPDATES = ("message", "edited_message", "callback_query")
"""What is asked for. The server remembers the last list it was given, so it is sent with every request."""

_FILES = ("voice", "audio", "video", "document", "sticker")
"""Parts of a message with a `file_id`, by which it can be sent on. `photo` is a list of sizes."""

_COPIED = ("animation", "video_note", "venue", "location", "contact", "poll", "dice", "story", "game", "checklist")
"""Parts that are sent on by copying the whole message."""

_KINDS = {"venue": "location", "location": "location", "contact": "contact"}


def to_fact(update: Json, bot_username: str, bot_id: int, now: datetime) -> Fact | None:
    """The fact in an update, or None where it holds nothing for the bot.

    `now` is the moment of a button press, which carries none, and finer than the second of a message. What does not
    have the documented shape raises whatever Python raises (KeyError, TypeError, ValueError …): the caller sets such
    an update aside.
    """
    bot = BotName(bot_username, bot_id)
    event_id = f"update:{number(update['update_id'])}"
    if message := update.get("message"):
        return _message(message, event_id, FactKind.MESSAGE, bot, now)
    if message := update.get("edited_message"):
        # A location that is shared live is edited every few seconds.
        return None if "location" in message else _message(message, event_id, FactKind.EDIT, bot, now)
    if query := update.get("callback_query"):
        return _press(query, event_id, now)
    return None


def press_in(update: Json) -> str | None:
    """The id of the press in an update, whatever else of it can be read: its button spins until it is answered."""
    query = update.get("callback_query")
    try:
        return token(query["id"]) if query else None
    except (KeyError, TypeError, ValueError):
        return None


def _press(query: Json, event_id: str, now: datetime) -> Fact | None:
    message, data = query.get("message"), query.get("data")
    if not message or data is None:
        return None  # under a message of inline mode, or of a game: never ours
    return Fact(
        channel=CHANNEL,
        event_id=event_id,
        kind=FactKind.BUTTON,
        occurred_at=now,
        conversation=conversation_id(CHANNEL, _chat(message["chat"], query["from"])),
        sender=str(number(query["from"]["id"])),
        sender_name=_name(query["from"]),
        message_id=str(number(message["message_id"])),
        button=words(data),
        callback_id=token(query["id"]),
        group=message["chat"]["type"] != "private",
    )


def _message(message: Json, event_id: str, kind: FactKind, bot: BotName, now: datetime) -> Fact | None:
    chat, sender = message["chat"], message.get("from")
    if chat["type"] not in ("private", "group", "supergroup") or not sender or sender.get("is_bot"):
        return None
    group = chat["type"] != "private"
    quoted = _quoted(message)
    text, named = _text(message, bot)
    if group and not named and not (quoted and quoted.get("from", {}).get("id") == bot.user_id):
        return None
    attachments = _attachments(message)
    if not text and not attachments and not named:
        return None  # a service message
    seconds = message.get("edit_date") if kind is FactKind.EDIT else None
    return Fact(
        channel=CHANNEL,
        event_id=event_id,
        kind=kind,
        occurred_at=_moment(seconds or message["date"], now),
        conversation=conversation_id(CHANNEL, _chat(chat, sender)),
        sender=str(number(sender["id"])),
        sender_name=_name(sender),
        text=text,
        message_id=str(number(message["message_id"])),
        reply_to=str(number(quoted["message_id"])) if quoted else None,
        attachments=attachments,
        forwarded_from=_forwarded_from(message),
        group=group,
    )


def _chat(chat: Json, sender: Json) -> str:
    """The id of a chat. A private one is its person's own, and no group has an id like theirs: so an answer reaches
    whoever wrote, and nobody else.
    """
    chat_id = number(chat["id"])
    if chat_id != number(sender["id"]) if chat["type"] == "private" else chat_id >= 0:
        raise ValueError("a chat that is not its sender's")
    return str(chat_id)


def _moment(seconds: int, now: datetime) -> datetime:
    """When it was sent. Telegram tells the whole second; of the one that is still running it is now.

    Else a quick answer would stand before the message that it answers.
    """
    at = moment(number(seconds), now)
    return now if timedelta() <= now - at < timedelta(seconds=1) else at


def _text(message: Json, bot: BotName) -> tuple[str, bool]:
    """(text or caption without the bot's name, the bot is named). Forwarded words name nobody here."""
    key = "text" if "text" in message else "caption"
    text = words(message.get(key, ""))
    if _forwarded_from(message):
        return text, False
    named, rest = without_name(text, message.get("entities" if key == "text" else "caption_entities", []), bot)
    return rest, named


def _quoted(message: Json) -> Json | None:
    """The message that this one replies to. In a topic each replies to the one that opened it: that is none."""
    quoted: Json | None = message.get("reply_to_message")
    return None if quoted and "forum_topic_created" in quoted else quoted


def _forwarded_from(message: Json) -> str | None:
    origin = message.get("forward_origin")
    if origin:
        chat = origin.get("sender_chat") or origin.get("chat")
        user = origin.get("sender_user")
        name = _name(user) if user else origin.get("sender_user_name") or (chat and chat.get("title"))
        return words(name or "?")
    if "forward_date" in message:  # servers before Bot API 7.0
        user, chat = message.get("forward_from"), message.get("forward_from_chat")
        name = _name(user) if user else message.get("forward_sender_name") or (chat and chat.get("title"))
        return words(name or "?")
    return None


def _attachments(message: Json) -> tuple[Attachment, ...]:
    """At most one: Telegram sends an album as several messages."""
    if sizes := message.get("photo"):
        largest = max(sizes, key=lambda size: int(size["width"]) * int(size["height"]))
        return (Attachment(kind="photo", ref=token(largest["file_id"])),)
    for part in _COPIED:
        if part in message:
            ref = f"{message['chat']['id']}:{message['message_id']}"
            return (Attachment(kind=_KINDS.get(part, "other"), name=_part_name(part, message[part]), ref=ref),)
    for part in _FILES:
        if part in message:
            return (Attachment(kind=part, name=_part_name(part, message[part]), ref=token(message[part]["file_id"])),)
    return ()


def _part_name(part: str, value: Json) -> str | None:
    match part:
        case "venue":
            name: Any = value["title"]
        case "location":
            name = f"{value['latitude']}, {value['longitude']}"
        case "contact":
            name = f"{_name(value)} {value['phone_number']}".strip()
        case "poll":
            name = value["question"]
        case "audio":
            name = value.get("file_name") or value.get("title")
        case "sticker" | "dice":
            name = value.get("emoji")
        case _:
            name = value.get("file_name") or value.get("title")
    return words(name) if name else None


def _name(user: Json) -> str:
    """First and last name, else the username."""
    full = " ".join(part for part in (user.get("first_name"), user.get("last_name")) if part)
    return words(full or user.get("username") or "")
