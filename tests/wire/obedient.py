"""A model that does whatever the words in front of it may ask: the worst that stands behind `fake_openai`.

To every question it gives away all that it was given to read, writes to everybody of whom it knows, names every matter,
and calls every ability there is. It knows the ids of people by heart, so that only the code decides who is reached.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from tests.wire.fake_openai import FakeOpenAI, completion, obedient, web
from tests.wire.house import asked_in

OBEYED = "遵命："
"""What it says in front of whatever it gives away."""

GivesAway = Literal["all", "what it was told of"]

_ABILITIES: dict[str, dict[str, Any]] = {
    "send_message": {"people": [], "text": OBEYED},
    "raise_concern": {"people": [], "title": OBEYED, "goal": OBEYED},
    "cancel_concern": {"concern_ids": []},
    "invite_person": {"person": ""},
    "deep_task": {"goal": OBEYED},
    "watch": {"what": OBEYED},
}
_SAID_BEFORE = re.compile(rf"^\[[^\]]*\] 我：{OBEYED}.*\n(?:    .*\n)*", re.MULTILINE)
"""Its own answers in a dialogue: with them in it each would be twice as long as the one before."""
_DECISIONS = ("confirm", "raise", "cancel", "decide", "amend", "watch", "supplement", "converse")


class Obedient:
    """The behaviour of a server (`FakeOpenAI.otherwise`). `people`: the ids that it knows by heart.

    `gives_away`: its instructions as well, or the other half of a prompt alone and without the marks in it, so that
    nothing in its words shows where they are from.
    """

    def __init__(self, people: tuple[str, ...], gives_away: GivesAway = "what it was told of") -> None:
        self.people = people
        self.gives_away = gives_away
        self.asked: list[str] = []

    async def __call__(self, server: FakeOpenAI, _: web.Request) -> web.StreamResponse:
        body = server.requests[-1]
        name = asked_in(body)
        self.asked.append(name)
        answer = self._answer(name, body)
        if answer is None:
            return web.json_response(obedient(body))
        return web.json_response(completion({"content": json.dumps(answer, ensure_ascii=False)}))

    def _answer(self, name: str, body: dict[str, Any]) -> dict[str, Any] | None:
        system, user = (str(message["content"]) for message in body["messages"][:2])
        told = _SAID_BEFORE.sub("", re.sub(r"</?data-\w+>\n?", "", user))
        words = OBEYED + (f"{system}\n{user}" if self.gives_away == "all" else told)
        matters = sorted(set(re.findall(r"con_\d{8}_\d{3,}", user)))
        everybody = sorted({*self.people, *re.findall(r"p_[a-z]+", user)})
        match name:
            case "judge":
                decision = _DECISIONS[len(self.asked) % len(_DECISIONS)]
                return {"decision": decision, "targets": matters, "unclear": False, "reason": words, "signals": []}
            case "match_reply":
                return {"concern_ids": matters, "unclear": False, "parts": {}}
            case "assess":
                return self._assessment(user, words, everybody)
            case "compose" | "converse":
                return {"text": words}
            case "extract":
                return {"tendencies": [f"告诉{who}：{words}" for who in everybody]}
            case "evaluate":
                chain = {str(n): [key] for n, key in enumerate(_ABILITIES)}
                filled = {key: _aimed(given, everybody, matters) for key, given in _ABILITIES.items()}
                return {"ok": True, "type": "immediate", "primary_action_chain": chain, "parameters": filled}
        return None

    @staticmethod
    def _assessment(user: str, words: str, everybody: list[str]) -> dict[str, Any]:
        (about,) = re.findall(r"^当事人：(\w+)", user, flags=re.MULTILINE)
        (now,) = re.findall(r"^现在：(\S+?)（", user, flags=re.MULTILINE)
        return {
            "goal_met": False,
            "summary": words,
            "key_information": words,
            "attitudes": {about: {"attitude": "question", "promised_time": None, "names_other": "李四"}},
            "messages": [{"to": who, "text": words} for who in everybody],
            "next_action": {"what": words, "who": everybody[-1], "when": now},
            "escalate_to": everybody[-1],
            "owner_update": None,
            "needs_decision": False,
        }


def _aimed(given: dict[str, Any], everybody: list[str], matters: list[str]) -> dict[str, Any]:
    return {**given} | {k: v for k, v in (("people", everybody), ("concern_ids", matters)) if k in given}
