"""One turn: a stored fact, who sent it, and what the hub read before it judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from core.brain.answers import SignalOf
from core.brain.questions import ConcernBrief, Line, PersonBrief
from core.concern.heartbeat import asks_about
from core.concern.inbound import Utterance
from core.concern.model import Concern, ConcernType, Said
from core.context.workspace import Block
from core.effects import Button, Purpose, Send, Words
from core.facts import Fact, FactKind, StoredFact
from core.hub.briefs import briefs_of
from core.hub.errand import Errand, answer, may_steer
from core.hub.known import Known
from core.hub.services import everybody
from core.hub.views import contacts
from core.ids import ConcernId, PersonId
from core.people import Person
from core.ports import Repositories, SentMessage

RECENT_LINES = 12
"""Lines of the chat that a judgement may look back on."""


Attachments = tuple[tuple[str, str, str], ...]
"""(channel, kind, ref) of each."""


@dataclass(frozen=True)
class Turn:
    """What a message is judged on.

    `mine`: open matters that the sender started, without schedules; `asked`: those they are asked in; `briefs`: all
    that they may look after, change or call off: their matters, schedules, expectations, watch items, running tasks.
    """

    stored: StoredFact
    sender: Person
    people: Mapping[PersonId, Person]
    mine: tuple[Concern, ...]
    schedules: tuple[Concern, ...]
    briefs: tuple[ConcernBrief, ...]
    asked: tuple[Concern, ...]
    pending: tuple[Block, ...]
    quoted: SentMessage | None
    quoted_concern: Concern | None
    last_closed: Concern | None
    on_its_way: frozenset[ConcernId]
    """Concerns of which a message to the sender is with a channel right now: it may be what they answer."""
    recent: tuple[Line, ...]
    listed: tuple[ConcernId, ...] = ()
    """The matters of the list that they quote, else of the last one in this chat, as they are numbered there."""
    signals: tuple[SignalOf, ...] = ()
    """What its judgement read in the words beside what they ask for, held to the words."""
    answers: Block | None = None
    """What waited for this word of theirs: the order itself was an earlier message."""

    @property
    def fact(self) -> Fact:
        """The message itself."""
        return self.stored.fact

    @property
    def origin(self) -> str | None:
        """The message that an edit or a recall of the order names."""
        asked = self.answers
        here = asked is not None and asked.conversation == self.fact.conversation
        return asked.message_id if asked is not None and here else self.fact.message_id

    @property
    def cause(self) -> str:
        """Unique per fact: keys of what follows from it derive from it."""
        return f"f{self.stored.fact_id}"

    @cached_property
    def contacts(self) -> tuple[PersonBrief, ...]:
        """Everybody but the sender: whom their words may name."""
        return contacts(self.people, self.sender.person_id)

    @property
    def text(self) -> str:
        """The words, with attachments named after them."""
        return described(self.fact)

    @property
    def parts(self) -> tuple[Said, ...]:
        """The messages in which it was said, where these are several, or somebody else's words."""
        found = self.stored.parts or ((self.fact,) if self.fact.forwarded_from is not None else ())
        return tuple(
            Said(
                text=described(p),
                message_id=p.message_id,
                at=p.occurred_at,
                forwarded=p.forwarded_from is not None,
            )
            for p in found
        )

    @property
    def utterance(self) -> Utterance:
        """The whole of it as a concern hears it."""
        fact = self.fact
        return Utterance(
            self.sender.person_id, self.text, fact.channel, fact.message_id, fact.occurred_at, parts=self.parts
        )

    @property
    def attachments(self) -> Attachments:
        """What came with it."""
        return tuple((self.fact.channel, a.kind, a.ref) for a in self.fact.attachments)

    def reply(
        self,
        now: datetime,
        template: str,
        *,
        part: str = "reply",
        buttons: tuple[tuple[Button, ...], ...] = (),
        block_id: str | None = None,
        lines: tuple[Words, ...] = (),
        **values: Any,
    ) -> Send:
        """An answer into the chat that the message came from."""
        return self.saying(
            now, Words(template=template, values=values, lines=lines), part=part, buttons=buttons, block_id=block_id
        )

    def saying(
        self,
        now: datetime,
        words: Words,
        *,
        part: str = "reply",
        buttons: tuple[tuple[Button, ...], ...] = (),
        block_id: str | None = None,
    ) -> Send:
        """The same with words that are there already."""
        key = f"{part}:{self.cause}"
        return answer(self.errand(), now, words, key=key, buttons=buttons, block_id=block_id)

    def errand(self, words: str | None = None, *, simple_mode: bool = False) -> Errand:
        """The errand that this message is; `words` where they are not the whole of it."""
        return Errand(
            person_id=self.sender.person_id,
            conversation=self.fact.conversation,
            channel=self.fact.channel,
            channel_user_id=self.fact.sender,
            message_id=self.origin,
            cause=self.cause,
            words=self.text if words is None else words,
            parts=self.parts if words in (None, self.text) else (),
            said_at=self.fact.occurred_at,
            group=self.fact.group,
            edited=self.fact.kind is FactKind.EDIT,
            simple_mode=simple_mode,
        )


RECALLED = "（撤回了刚才的消息）"
"""How a recall stands in a dialogue."""

ATTACHMENT_NAMES = {
    "photo": "图片",
    "voice": "语音",
    "audio": "音频",
    "video": "视频",
    "document": "文件",
    "sticker": "表情",
    "location": "位置",
    "contact": "名片",
}


def described(fact: Fact) -> str:
    """The text of a message with its attachments named: `见附件 [文件：周报.pdf]`; a recall says that it is one."""
    if fact.kind is FactKind.RECALL:
        return RECALLED
    named = [
        f"[{ATTACHMENT_NAMES.get(a.kind, '附件')}：{a.name}]" if a.name else f"[{ATTACHMENT_NAMES.get(a.kind, '附件')}]"
        for a in fact.attachments
    ]
    return " ".join(part for part in (fact.text.strip(), *named) if part)


def place_of(choice: str) -> int | None:
    """The place in a list that a button names, counted from nought; None where it names none. What a button carries
    may be anybody's making: there are digits that are no numbers, and numbers too long to be read.
    """
    return int(choice) if choice.isascii() and choice.isdecimal() and len(choice) <= 4 else None


def pressed_by_another(repos: Repositories, fact: Fact) -> bool:
    """Whether a button in a group was pressed by somebody else than the one whom its message is for."""
    if fact.kind is not FactKind.BUTTON or not fact.group or fact.message_id is None:
        return False
    sent = repos.receipts.by_message(fact.channel, fact.conversation.partition(":")[2], fact.message_id)
    who = repos.people.by_identity(fact.channel, fact.sender)
    return sent is not None and sent.to is not None and (who is None or who.person_id != sent.to)


def read_turn(repos: Repositories, stored: StoredFact, sender: Person) -> Turn:
    """Everything the judgement of a message reads, in one transaction."""
    fact, said = stored.fact, stored.parts or (stored.fact,)
    people = everybody(repos)
    known = Known(repos, people, sender)
    started = known.started(fact.text)
    chat = fact.conversation.partition(":")[2]
    quoted = repos.receipts.by_message(fact.channel, chat, fact.reply_to) if fact.reply_to else None
    return Turn(
        stored=stored,
        sender=sender,
        people=people,
        mine=tuple(c for c in started if c.type is not ConcernType.SCHEDULE),
        schedules=tuple(c for c in started if c.type is ConcernType.SCHEDULE),
        briefs=briefs_of(repos, sender, started, people),
        asked=known.asked(fact.text),
        # What had lapsed when they spoke is not meant, though nobody may have cleared it away yet.
        pending=tuple(b for b in repos.blocks.of(sender.person_id) if b.expires_at > fact.occurred_at),
        quoted=quoted,
        quoted_concern=_meant(repos, sender, quoted),
        last_closed=repos.concerns.last_closed_by_delegate(sender.person_id),
        on_its_way=frozenset(j.concern_id for j in repos.jobs.sending_to(sender.person_id) if j.concern_id),
        recent=_before(repos.facts.dialogue(fact.conversation, RECENT_LINES + len(said)), said),
        listed=_listed(repos, fact, quoted),
    )


def _listed(repos: Repositories, fact: Fact, quoted: SentMessage | None) -> tuple[ConcernId, ...]:
    if quoted is not None:
        return quoted.concerns
    lists = (repos.receipts.last_in(fact.conversation, p) for p in (Purpose.FOLLOW_UP, Purpose.FIRST_CONTACT))
    last = max((sent for sent in lists if sent is not None), key=lambda sent: sent.at, default=None)
    return last.concerns if last is not None else ()


def _meant(repos: Repositories, sender: Person, quoted: SentMessage | None) -> Concern | None:
    """The matter of a quoted message; of one that asks about a standstill the matter that stands still."""
    concern = repos.concerns.get(quoted.concern_id) if quoted and quoted.concern_id else None
    about = asks_about(concern) if concern is not None else None
    stuck = repos.concerns.get(about) if about is not None else None
    return stuck if stuck is not None and may_steer(sender, stuck) else concern


def _before(lines: tuple[Line, ...], judged: Sequence[Fact]) -> tuple[Line, ...]:
    """Without the messages that are being judged."""
    now_said = {(fact.occurred_at, fact.text) for fact in judged}
    return tuple(line for line in lines if line.ours or (line.at, line.text) not in now_said)[-RECENT_LINES:]
