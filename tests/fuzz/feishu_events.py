"""Events of Feishu: every documented kind, by the people of the cast, in order and out of it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from tests.fuzz import cast
from tests.fuzz.nonsense import Nonsense
from tests.wire.feishu_api.events import APP_ID, BOT, TOKEN, envelope, person

Json = dict[str, Any]

RECORDED = [
    json.loads(path.read_text(encoding="utf-8"))["event"]
    for path in sorted((Path(__file__).parents[1] / "data" / "feishu").glob("*.json"))
]
TEAM = "oc_team"
CONTENTS: dict[str, Json] = {
    "image": {"image_key": "img_v3_1"},
    "file": {"file_key": "file_v3_1", "file_name": "报价.pdf"},
    "folder": {"file_key": "file_v3_2", "file_name": "材料"},
    "audio": {"file_key": "file_v3_3", "duration": 2000},
    "media": {"file_key": "file_v3_4", "image_key": "img_v3_2", "file_name": "v.mp4", "duration": 2000},
    "sticker": {"file_key": "file_v3_5"},
    "interactive": {"title": "卡片", "elements": [[{"tag": "text", "text": "x"}]]},
    "share_chat": {"chat_id": TEAM},
    "share_user": {"user_id": "ou_lisi"},
    "location": {"name": "公司", "longitude": "121.4", "latitude": "31.2"},
    "hongbao": {"text": "红包"},
    "share_calendar_event": {"summary": "评审", "start_time": "1773626400000", "end_time": "1773630000000"},
    "calendar": {"summary": "评审", "start_time": "1773626400000"},
    "general_calendar": {"summary": "评审"},
    "video_chat": {"topic": "评审", "start_time": "1773626400000"},
    "todo": {"task_id": "t1", "summary": {"title": "", "content": [[{"tag": "text", "text": "做"}]]}, "due_time": "0"},
    "vote": {"topic": "哪天", "options": ["周四", "周五"]},
    "merge_forward": {"content": "Merged and Forwarded Message"},
    "system": {"template": "{from_user} invited {to_chatters}", "from_user": [], "to_chatters": []},
    "nothing_like_it": {"text": 7},
}
_MEMBER = {"user_id": person("ou_lisi"), "name": "李四", "tenant_key": "tenant"}
_OPERATOR = {"operator_id": person("ou_lisi"), "chat_id": TEAM, "external": False}
OTHERS: dict[str, Json] = {
    "im.message.message_read_v1": {
        "reader": {"reader_id": person("ou_lisi"), "read_time": "1773626400000"}, "message_id_list": ["om_1"],
    },
    "im.message.reaction.created_v1": {
        "message_id": "om_1", "reaction_type": {"emoji_type": "THUMBSUP"}, "operator_type": "user",
        "user_id": person("ou_lisi"), "action_time": "1773626400000",
    },
    "im.message.reaction.deleted_v1": {"message_id": "om_1", "user_id": person("ou_lisi")},
    "im.chat.updated_v1": {**_OPERATOR, "before_change": {"name": "a"}, "after_change": {"name": "b"}},
    "im.chat.disbanded_v1": _OPERATOR,
    "im.chat.member.bot.added_v1": {**_OPERATOR, "name": "项目组"},
    "im.chat.member.bot.deleted_v1": _OPERATOR,
    "im.chat.member.user.added_v1": {**_OPERATOR, "users": [_MEMBER]},
    "im.chat.member.user.deleted_v1": {**_OPERATOR, "users": [_MEMBER]},
    "im.chat.member.user.withdrawn_v1": {**_OPERATOR, "users": [_MEMBER]},
    "im.chat.access_event.bot_p2p_chat_entered_v1": {"chat_id": "oc_p", "operator_id": person("ou_lisi")},
    "contact.user.created_v3": {"object": {**person("ou_new"), "name": "新人"}},
    "contact.user.updated_v3": {"object": person("ou_lisi"), "old_object": {"name": "李四"}},
    "contact.user.deleted_v3": {"object": person("ou_lisi"), "old_object": {}},
    "contact.scope.updated_v3": {"added": {}, "removed": {}},
    "application.application.visibility.added_v6": {"users": [_MEMBER]},
    "application.bot.menu_v6": {"event_key": "", "operator": {"operator_id": person("ou_lisi")}},
    "url.preview.get": {"operator": person("ou_lisi"), "context": {"url": "https://example.com"}},
    "approval.instance.status_changed_v4": {"instance_code": "x", "status": "APPROVED"},
    "drive.file.edit_v1": {"file_token": "t", "file_type": "docx"},
    "calendar.calendar.event.changed_v4": {"calendar_id": "c"},
    "nothing.like.it_v9": {},
}  # fmt: skip
FIRST_FORM: tuple[Json, ...] = (
    {"type": "message", "chat_type": "private", "msg_type": "text", "open_id": "ou_zhangsan", "text": "旧的"},
    {"type": "p2p_chat_create", "chat_id": "oc_p", "user": {"open_id": "ou_zhangsan", "name": "张三"}},
    {"type": "add_bot", "open_chat_id": TEAM},
    {"type": "remove_bot", "open_chat_id": TEAM},
    {"type": "message_read", "open_message_ids": ["om_1"]},
    {"type": "app_ticket", "app_ticket": "x"},
    {"type": "app_open", "applicants": [{"open_id": "ou_zhangsan"}]},
)


class Events:
    """Makes events without end. `now`: Unix milliseconds; `shown`: the data of buttons that were sent so far."""

    def __init__(self, nonsense: Nonsense, now: Callable[[], int], shown: Sequence[str]) -> None:
        self._nonsense = nonsense
        self._now = now
        self._shown = shown
        self._ids = itertools.count(1)
        self._last: Json = {}

    def next(self) -> Any:
        """One more: as documented, with something changed, or of any shape whatever."""
        draw = self._nonsense.random.random()
        if draw < 0.45:
            made = self.documented()
        elif draw < 0.72:
            made = self._mutated(self.documented())
        elif draw < 0.88:
            made = self._mutated(self._nonsense.one(RECORDED))
        else:
            made = self._nonsense.one((self._nonsense.value(4), self._any_body()))
        self._last = made if isinstance(made, dict) else {}
        return made

    def documented(self) -> Json:
        """Some event as the documentation has it."""
        kind = self._nonsense.one(tuple(self.kinds))
        return self.kinds[kind](self)

    def _mutated(self, event: Json) -> Any:
        """Changed somewhere, the JSON inside the JSON as well; its envelope seldom."""
        made = self._nonsense.mutated(event if self._nonsense.happens(0.1) else event.get("event", event), RECORDED)
        if not isinstance(made, dict) or made.keys() >= {"header", "event"}:
            return made
        message = made.get("message")
        if isinstance(message, dict) and isinstance(message.get("content"), str) and self._nonsense.happens(0.5):
            message["content"] = self._content(message["content"])
        return {**event, "event": made} if "event" in event else made

    def _content(self, content: str) -> str:
        """Other JSON, half of it, or JSON so deep that no reader gets to its bottom."""
        match self._nonsense.random.randrange(4):
            case 0:
                return self._nonsense.spoilt(content)
            case 1:
                return str(self._nonsense.one(("{" * 5000, '{"a":' * 5000, "[" * 5000, "{}", "{", '{"text":1e999}')))
            case _:
                try:
                    inner = json.loads(content)
                except (ValueError, RecursionError):
                    return content
                return json.dumps(self._nonsense.mutated(inner, RECORDED))

    def _any_body(self) -> Json:
        kinds = ("im.message.receive_v1", "im.message.recalled_v1", "card.action.trigger", "application.bot.menu_v6")
        return self._envelope(self._nonsense.one(kinds), self._nonsense.value(4))

    def _envelope(self, kind: str, body: Any) -> Json:
        return envelope(kind, body, event_id=f"ev_f{next(self._ids)}")

    # --- who and where ------------------------------------------------------------------------------------------------

    def _who(self) -> tuple[str, tuple[str, ...]]:
        """Somebody's open_id, and what they may say."""
        if self._nonsense.happens(0.2):
            return self._nonsense.one(cast.STRANGERS_ON_FEISHU), cast.earnest(None)
        member = self._nonsense.one(cast.LOUD)
        return member.feishu, cast.earnest(member)

    def message(self, content: Json | None = None, kind: str = "text", **more: Any) -> Json:
        """A message, to the bot or in a group; `content` instead of a text."""
        who, earnest = self._who()
        group = self._nonsense.happens(0.25)
        text = self._nonsense.text(earnest)
        mentions = [{"key": "@_user_1", "id": person(BOT), "name": "清海", "tenant_key": "tenant"}]
        if group and content is None:
            text = f"@_user_1 {text}"
        inner = {
            "message_id": f"om_f{next(self._ids)}",
            "create_time": str(self._now()),
            "update_time": str(self._now()),
            "chat_id": TEAM if group else f"oc_p2p_{who}",
            "chat_type": "group" if group else "p2p",
            "message_type": kind,
            "content": json.dumps({"text": text} if content is None else content),
            **({"mentions": mentions} if group and self._nonsense.happens(0.7) else {}),
            **more,
        }
        sender = {"sender_id": person(who), "sender_type": "user", "tenant_key": "tenant"}
        return self._envelope("im.message.receive_v1", {"sender": sender, "message": inner})

    def _post(self) -> Json:
        _, earnest = self._who()
        line = [
            {"tag": "text", "text": self._nonsense.text(earnest)},
            {"tag": "at", "user_id": "@_user_1", "user_name": "清海"},
            {"tag": "a", "href": "https://example.com", "text": "单子"},
            {"tag": "emotion", "emoji_type": "SMILE"},
            {"tag": self._nonsense.one(("hr", "media", "code_block", "md", "x")), "text": "x"},
        ]
        body = {
            "title": self._nonsense.one(("", "周报")),
            "content": [line, [], [{"tag": "img", "image_key": "img_1"}]],
        }
        return self.message(self._nonsense.one((body, {"zh_cn": body}, {"en_us": body, "zh_cn": body})), "post")

    def _edited(self) -> Json:
        """Of the last message where it was one."""
        inner = self._last.get("event", {}) if isinstance(self._last.get("event"), dict) else {}
        message = inner.get("message")
        if not isinstance(message, dict) or not isinstance(message.get("content"), str):
            return self.message(update_time=str(self._now() + 5000))
        changed = {**message, "content": self._content(message["content"]), "update_time": str(self._now() + 5000)}
        return self._envelope("im.message.receive_v1", {**inner, "message": changed})

    def _updated(self) -> Json:
        """A change that has an event of its own."""
        return self._envelope("im.message.updated_v1", self.message()["event"])

    def _recall(self) -> Json:
        inner = self._last.get("event") if isinstance(self._last.get("event"), dict) else {}
        last = inner.get("message", {}) if isinstance(inner, dict) else {}
        known = last.get("message_id") if isinstance(last, dict) else None
        body = {
            "message_id": known or f"om_f{self._nonsense.random.randint(1, 50)}",
            "chat_id": "oc_p2p",
            "recall_time": str(self._now()),
            "recall_type": self._nonsense.one(("message_owner", "message_owner", "group_owner", "enterprise_manager")),
        }
        return self._envelope("im.message.recalled_v1", body)

    def press(self) -> Json:
        """A press; its value as shown or forged."""
        who, _ = self._who()
        data = self._nonsense.pressed(self._shown)
        value = self._nonsense.one(
            ({"data": data, "chat": who}, {"data": data, "chat": TEAM}, {"data": data}, data, self._nonsense.value(2))
        )
        action = {
            "tag": self._nonsense.one(("button", "select_static", "input", "overflow", "checker", "date_picker")),
            "value": value,
            "option": "1",
            "form_value": {"name": "x"},
            "timezone": "Asia/Shanghai",
        }
        body = {
            "operator": {**person(who), "tenant_key": "tenant"},
            "token": "c-token",
            "action": action,
            "host": "im_message",
            "context": {"open_message_id": f"om_{self._nonsense.random.randint(1, 60)}x", "open_chat_id": "oc_p2p"},
        }
        return self._envelope("card.action.trigger", body)

    def _menu(self) -> Json:
        who, _ = self._who()
        keys = ("concerns", "/agenda", "help", "concern 1", f"concern {self._nonsense.one('²①٣')}", "HELP", "a\nb", "")
        operator = {"operator_name": self._nonsense.one(("张三", self._nonsense.garbage())), "operator_id": person(who)}
        body = {"operator": operator, "event_key": self._nonsense.one(keys), "timestamp": 1773626400}
        return self._envelope("application.bot.menu_v6", body)

    def _other(self) -> Json:
        kind = self._nonsense.one(tuple(OTHERS))
        return self._envelope(kind, OTHERS[kind])

    def _first_form(self) -> Json:
        event = {**self._nonsense.one(FIRST_FORM), "app_id": APP_ID, "tenant_key": "tenant"}
        return {
            "uuid": f"u{next(self._ids)}",
            "token": TOKEN,
            "ts": "1773626400.0",
            "type": "event_callback",
            "event": event,
        }

    def _old_card(self) -> Json:
        """How cards were pressed before `card.action.trigger`: no envelope."""
        who, _ = self._who()
        value = {"data": self._nonsense.pressed(self._shown), "chat": who}
        action = {"tag": "button", "value": value}
        return {"open_id": who, "user_id": "x", "open_message_id": "om_1x", "token": TOKEN, "action": action}

    def _with_content(self) -> Json:
        kind = self._nonsense.one(tuple(CONTENTS))
        return self.message(CONTENTS[kind], kind)

    kinds: ClassVar[dict[str, Callable[[Events], Json]]] = {
        **{f"text{n}": lambda self: self.message() for n in range(9)},
        **{f"press{n}": lambda self: self.press() for n in range(4)},
        **{f"edited{n}": lambda self: self._edited() for n in range(2)},
        "reply": lambda self: self.message(parent_id="om_2x", root_id="om_1x"),
        "topic": lambda self: self.message(thread_id="omt_1", chat_type="topic_group"),
        "content": _with_content,
        "other": _other,
        "other_again": _other,
        "post": _post,
        "updated": _updated,
        "recall": _recall,
        "menu": _menu,
        "first_form": _first_form,
        "old_card": _old_card,
        "read_by_an_app": lambda self: self.message(app_id="cli_other"),
    }
    """By name; what people do most stands there several times."""
