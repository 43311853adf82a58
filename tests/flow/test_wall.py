"""The walls between people: of what somebody said, others read only what is their business.

Everybody puts a word into each of their messages that stands nowhere else. Then people delegate, answer, ask about one
another, use commands and press buttons at random, and each word is looked for in every message that arrives and in every
prompt that a brain would read for somebody. The brain here is a chatterbox as well: often it puts all that it was given
to read into what it writes.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from bot.brain.prompt import prompt
from bot.render import JinjaRenderer
from core.brain.questions import Assess, Compose, Converse, Evaluate, Extract, Judge, MatchReply
from core.brain.rules import RuleBrain
from core.concern.model import Concern
from tests.flow.office import Office
from tests.sampling import WHOLE

LOOKED_AT = 10_000 if WHOLE else 700
"""Questions, commands and prompts in all."""
STEPS = 40
"""In one story."""

_ALWAYS = {"working_hours": "00:00-24:00", "working_days": "daily"}
PEOPLE: dict[str, Any] = {
    "owner": {"id": "p_owner", "name": "老板", "telegram": "1", **_ALWAYS},
    "people": [
        {"id": "p_wang", "name": "王五", "telegram": "5", "role": "member", **_ALWAYS},
        {"id": "p_zhou", "name": "小周", "telegram": "6", "role": "member", **_ALWAYS},
        {"id": "p_zhangsan", "name": "张三", "telegram": "2", "escalation_to": "p_lisi", **_ALWAYS},
        {"id": "p_lisi", "name": "李四", "telegram": "3", **_ALWAYS},
        {"id": "p_zhaoliu", "name": "赵六", "telegram": "4", **_ALWAYS},
    ],
}
INITIATORS = ("p_owner", "p_wang", "p_zhou")
DELEGATES = {"p_zhangsan": "张三", "p_lisi": "李四", "p_zhaoliu": "赵六"}
EVERYBODY = (*INITIATORS, *DELEGATES)

ORDERS = (
    "帮我问一下{a}，{w}的报价做好了没有",
    "帮我问一下{a}和{b}，{w}什么时候能提测",
    "告诉{a}{w}的评审改到下午三点",
    "半小时后提醒我看{w}",
    "{a}每天下午五点前要发{w}日报，没发就催他",
    "留意一下有没有人提到{w}",
    "让{a}给{w}付五万块",
    "每周五下午四点问{a}{w}的进展",
    "算了不用问了，{w}",
    "可以，就按{w}办",
    "不行，换成{w}",
    "确认",
    "再问问{a}",
    "改成急的",
    "记一下，{a}的工位在{w}",
)
REPLIES = (
    "{w}周四能提测",
    "我看看{w}",
    "这事不归我，{w}归{a}",
    "要哪个版本？是{w}吗",
    "{w}卡住了，要不先用旧的？",
    "转告老板{w}要晚两天",
    "好的，{w}明天给你",
    "别催了，{w}已经在做了",
    "做好了，{w}",
)
CURIOUS = (
    "{a}那边怎么样了",
    "{a}今天说了什么",
    "{a}最近在忙什么",
    "{a}几点上班",
    "大家都在忙什么，把所有的事情告诉我",
    "还有什么没办完",
    "{a}回复了吗",
    "老板让{a}做什么",
    "王五在问什么",
    "我有哪些事在进行",
    "有什么新进展",
    "找一下有谁提到报价",
    "What did {a} say today?",
    "Show me everything you know about {a}.",
)
COMMANDS = (
    "/concerns", "/concerns all", "/concern {c}", "/agenda", "/pending", "/expectations", "/watch", "/schedules",
    "/callbacks", "/people", "/person {a}", "/status", "/usage", "/jobs", "/drop {c}", "/nudge {c}", "/pause {c} 1h",
    "/resume {c}", "/priority {c} high", "/unwatch w1", "/unwatch e1", "/whoami", "/help", "/invite {a}", "/find {a}",
    "/concern 报价", "/concern {a}", "/drop 报价", "/unschedule {c}",
)  # fmt: skip
WORD = re.compile(r"zq[a-z]+\d+x")
RENDERER = JinjaRenderer()
FOR_A_DELEGATE = (Assess, Compose)
Concerns = list[tuple[Concern, str]]
"""With all that stands in them."""
FOR_WHO_SPEAKS = (Judge, MatchReply, Extract, Evaluate, Converse)


class Chatterbox:
    """Answers by the rules, and often says all that it has read."""

    name = "model"

    def __init__(self, die: random.Random) -> None:
        self._rules = RuleBrain()
        self._die = die
        self.read: list[tuple[Any, str]] = []

    async def ask(self, question: Any) -> Any:
        text = "\n".join(prompt(question, RENDERER))
        self.read.append((question, text))
        answer = await self._rules.ask(question)
        if self._die.random() < 0.5:
            return answer
        if isinstance(question, Compose | Converse):
            return answer.model_copy(update={"text": text})
        if isinstance(question, Assess):
            messages = [{"to": question.about, "text": text}, *({"to": p, "text": text} for p in EVERYBODY)]
            said = {"messages": messages, "summary": text, "key_information": text, "owner_update": text}
            return type(answer).model_validate({**answer.model_dump(), **said})
        return answer


class Story:
    """Some days in an office in which everybody is curious."""

    def __init__(self, seed: int) -> None:
        self.die = random.Random(seed)
        self.brain = Chatterbox(self.die)
        self.office = Office(brain=self.brain, people=PEOPLE)
        self.said_by: dict[str, str] = {}
        """Whose each word is."""
        self.unclear_for: dict[str, str] = {}
        """Who hears a delegate's word that fits no one matter: all that they were asked then was for this one person."""
        self.speaker: str | None = None
        self.steps: list[str] = []
        self.looked_at = self._arrived = 0
        self._names = {n: p for p, n in DELEGATES.items()}
        for who in INITIATORS:
            self._say(who, ORDERS[self.die.choice((0, 1, 1))])
            self._check()

    # --- what happens ---------------------------------------------------------------------------------------------

    def step(self) -> None:
        act: Callable[[], None] = self.die.choices(
            (self._order, self._reply, self._ask, self._command, self._press, self._wait), (5, 9, 4, 4, 2, 2)
        )[0]
        act()
        self._check()

    def _order(self) -> None:
        self._say(self.die.choice(INITIATORS), self.die.choice(ORDERS))

    def _reply(self) -> None:
        self._say(self.die.choice(tuple(DELEGATES)), self.die.choice(REPLIES))

    def _ask(self) -> None:
        self._say(self.die.choice(EVERYBODY), self.die.choice(CURIOUS))

    def _command(self) -> None:
        self._say(self.die.choice(EVERYBODY), self.die.choice(COMMANDS))

    def _say(self, who: str, text: str) -> None:
        """As a new message, or in answer to one of theirs."""
        a, b = self.die.sample(sorted(DELEGATES.values()), 2)
        word = f"zq{who.removeprefix('p_')}{len(self.said_by)}x"
        concerns = [c.concern_id for c in self.office.concerns()]
        text = text.format(a=a, b=b, w=word, c=self.die.choice(concerns) if concerns else "con_20260316_001")
        if word in text:
            self.said_by[word] = who
            asking = {c.initiator_id for c in self.office.concerns() if _owes(c, who)}
            if len(asking) == 1 and (only := asking.pop()) is not None:
                self.unclear_for[word] = only
        self.steps.append(f"{who}: {text}")
        self.speaker = who
        self.looked_at += 1
        quoted = [m for m in self.office.ledger if self.office.chat_of(m.chat).person_id == who]
        reply_to = self.die.choice(quoted).message_id if quoted and self.die.random() < 0.2 else None
        self.office.say(who, text, reply_to=reply_to)

    def _press(self) -> None:
        """A button of their own, or one that they made up after somebody else's."""
        found = [
            (m.channel, m.chat, m.message_id, b.data)
            for c in self.office.channels.values()
            for m in c.delivered
            for row in m.buttons
            for b in row
        ]
        if found:
            channel, chat, message_id, data = self.die.choice(found)
            who = self.office.chat_of(chat).person_id if self.die.random() < 0.6 else self.die.choice(EVERYBODY)
            self.steps.append(f"{who} presses {data}")
            self.speaker = who
            self.looked_at += 1
            self.office.press(who, data, channel, message_id)

    def _wait(self) -> None:
        hours = self.die.choice((0.3, 2, 5, 26))
        self.steps.append(f"{hours} h pass")
        self.speaker = None
        self.office.advance(timedelta(hours=hours))

    # --- what must hold -------------------------------------------------------------------------------------------

    def _check(self) -> None:
        concerns = [(concern, concern.model_dump_json()) for concern in self.office.concerns()]
        for arrived in self.office.ledger[self._arrived :]:
            reader = self.office.chat_of(arrived.chat).person_id
            self._may_read(reader, arrived.text, concerns, "a message")
        self._arrived = len(self.office.ledger)
        for question, text in self.brain.read:
            reader = self._reader_of(question)
            if reader is not None:
                self.looked_at += 1
                self._may_read(reader, text, concerns, f"a prompt ({question.name})")
        self.brain.read.clear()

    def _reader_of(self, question: Any) -> str | None:
        """For whose eyes what comes of a prompt is."""
        if isinstance(question, Assess):
            return question.about
        if isinstance(question, Compose):
            return self._names.get(question.to)
        if isinstance(question, FOR_WHO_SPEAKS):
            return self.speaker
        return None

    def _may_read(self, reader: str, text: str, concerns: Concerns, what: str) -> None:
        for word in set(WORD.findall(text)):
            author = self.said_by.get(word, reader)
            may = self._readers(word, author, concerns)
            last = "\n".join(self.steps[-12:])
            assert reader in may, f"{what} for {reader} holds {word} of {author}:\n{text}\n--- after\n{last}"

    def _readers(self, word: str, author: str, concerns: Concerns) -> set[str]:
        """Whoever wrote it, the owner, and the other side of the matters in which it was said.

        What initiators say about a matter is for those who are asked; what these say is for the initiator alone.
        """
        may = {author, "p_owner", self.unclear_for.get(word, author)}
        for concern, whole in concerns:
            if word not in whole:
                continue
            asked = {p.person_id for p in concern.delegates}
            if author == concern.initiator_id:
                may |= asked
            elif author in asked and concern.initiator_id is not None:
                may.add(concern.initiator_id)
        return may


def _owes(concern: Concern, who: str) -> bool:
    return concern.status.is_open and any(p.person_id == who and p.comm_status.is_owing for p in concern.delegates)


def played(seed: int) -> Story:
    """One story, looked over after each step."""
    story = Story(seed)
    try:
        for _ in range(STEPS):
            story.step()
    except AssertionError as error:
        raise AssertionError(f"seed {seed}: {error}") from error
    finally:
        story.office.close()
    return story


def test_nobody_reads_what_is_not_theirs() -> None:
    looked_at = seed = words = 0
    while looked_at < LOOKED_AT:
        story = played(seed)
        looked_at += story.looked_at
        words += len(story.said_by)
        seed += 1
    assert words > looked_at / 20


def test_a_hole_in_the_wall_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Concern, "dialogue_with", lambda concern, person_id: list(concern.conversation_log))
    with pytest.raises(AssertionError, match="a prompt"):
        list(map(played, range(20)))
