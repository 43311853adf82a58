"""A desk for the tests of the concern engine: it holds one concern and its jobs, and lets time pass.

It does what the floors above do with a decision, in the plainest way: effects become rows, rows that are due are looked
at again and delivered, timers fire, and a brain of a few lines answers. No store, no channel, no clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.render import JinjaRenderer
from core.brain.questions import Assessment
from core.concern import opening, outbound, reports, timers
from core.concern.assess import assessed
from core.concern.decision import Decision, Setting
from core.concern.inbound import Utterance, heard
from core.concern.model import CommStatus, Concern, ConcernType, Priority
from core.effects import Advance, Hasten, Outgoing, Purpose, Report, Send, Withdraw, Words
from core.facts import Trigger
from core.ids import ConcernId, ConversationId, PersonId
from core.limits import Limits
from core.notify import Suppress, Wait
from core.people import Identity, InteractionPolicy, Person, Role

ZONE = ZoneInfo("Asia/Shanghai")
MONDAY = datetime(2026, 3, 16, 10, 0, tzinfo=ZONE)
OWNER, ZHANG, LI, WANG = (PersonId(p) for p in ("p_owner", "p_zhangsan", "p_lisi", "p_wangwu"))
RENDERER = JinjaRenderer(Path(__file__).parents[2] / "templates")

Brain = Callable[[Concern, Trigger, PersonId], Assessment]


def person(person_id: PersonId, name: str, **more: object) -> Person:
    """A person with an identity on Feishu, working 9 to 18 on Chinese working days."""
    values: dict[str, object] = {
        "person_id": person_id,
        "name": name,
        "identities": (Identity(channel="feishu", user_id=f"ou_{person_id}"),),
        **more,
    }
    return Person.model_validate(values)


def people(**changes: dict[str, object]) -> dict[PersonId, Person]:
    """老板, 张三, 李四, 王五; `changes` by the last part of the id: `zhangsan={"working_days": "daily"}`."""
    everybody = [
        person(OWNER, "老板", role=Role.OWNER, identities=(Identity(channel="telegram", user_id="1001"),)),
        person(ZHANG, "张三", pronoun="他"),
        person(LI, "李四", pronoun="她"),
        person(WANG, "王五"),
    ]
    return {p.person_id: p.model_copy(update=changes.get(p.person_id[2:], {})) for p in everybody}


ALWAYS: dict[str, object] = {"working_hours": "00:00-24:00", "working_days": "daily"}
NO_CONTACT = InteractionPolicy(contact_allowed=False)


def setting(now: datetime = MONDAY, directory: dict[PersonId, Person] | None = None) -> Setting:
    """The setting of a decision at `now`."""
    return Setting(now=now, people=directory or people(), limits=Limits())


def proposal(*delegates: Person, **more: object) -> opening.Proposal:
    """老板 asks for the time of v2.0."""
    values: dict[str, object] = {
        "concern_id": ConcernId("con_20260316_001"),
        "type": ConcernType.DELEGATION,
        "title": "v2.0 提测时间",
        "goal": "拿到 v2.0 的具体提测时间",
        "words": "帮我问一下，v2.0 什么时候能提测",
        "initiator": people()[OWNER],
        "channel": "telegram",
        "channel_user_id": "1001",
        "conversation": ConversationId("telegram:1001"),
        "origin_message_id": "77",
        "delegates": delegates,
        **more,
    }
    return opening.Proposal(**values)  # type: ignore[arg-type]


def says(**fields: object) -> Assessment:
    """A brain's answer."""
    return Assessment.model_validate(fields)


def chases(concern: Concern, trigger: Trigger, about: PersonId) -> Assessment:
    """A brain that knows nothing but to go on."""
    return says(goal_met=False, attitudes={about: "silent"})


@dataclass
class Sent:
    """What left: when, to whom, why, and how it reads."""

    at: datetime
    message: Outgoing
    text: str

    @property
    def to(self) -> PersonId | None:
        return self.message.to

    @property
    def purpose(self) -> Purpose:
        return self.message.purpose


@dataclass
class Desk:
    """One concern, its jobs and what was sent."""

    directory: dict[PersonId, Person] = field(default_factory=people)
    now: datetime = MONDAY
    brain: Brain = chases
    limits: Limits = field(default_factory=Limits)
    jobs: dict[str, Send | Advance] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    report: datetime | None = None
    sent: list[Sent] = field(default_factory=list)
    decided: list[str] = field(default_factory=list)
    fails_for: set[PersonId] = field(default_factory=set)
    _concern: Concern | None = None
    _count: int = 0

    @property
    def concern(self) -> Concern:
        assert self._concern is not None
        return self._concern

    @property
    def setting(self) -> Setting:
        return Setting(now=self.now, people=self.directory, limits=self.limits)

    def cause(self) -> str:
        self._count += 1
        return f"f{self._count}"

    # --- what comes in

    def raise_for(self, *delegates: PersonId, **more: object) -> Desk:
        """Raise a concern with these delegates and let what is due now happen."""
        wanted = proposal(*(self.directory[d] for d in delegates), **{"initiator": self.directory[OWNER], **more})
        self.take(opening.open_concern(wanted, self.setting))
        self.settle()
        return self

    def reply(self, who: PersonId, text: str, answer: Assessment | None = None) -> None:
        """A delegate answers; the loop judges it with `answer`, or with the desk's brain."""
        decision = heard(
            self.concern, Utterance(who, text, "feishu", f"in{self._count}", self.now), self.setting, self.cause()
        )
        if answer is None:
            self.take(decision)
            self.settle()
            return
        usual, self.brain = self.brain, lambda *_: answer
        self.take(decision)
        self.settle()
        self.brain = usual

    def take(self, decision: Decision) -> None:
        """Commit: the state, then the effects as rows."""
        self._concern = decision.concern
        self.decided += [r.what for r in decision.recent]
        for effect in decision.effects:
            match effect:
                case Send() | Advance():
                    if effect.key not in self.keys:
                        self.keys.add(effect.key)
                        self.jobs[effect.key] = effect
                case Report():
                    self.report = effect.due if self.report is None else min(self.report, effect.due)
                case Withdraw():
                    self._withdraw(effect)
                case Hasten():
                    if effect.key in self.jobs:
                        self.jobs[effect.key] = self.jobs[effect.key].model_copy(update={"due": effect.due})

    def _withdraw(self, effect: Withdraw) -> None:
        if effect.reports:
            self.report = None
        for key, job in list(self.jobs.items()):
            if not isinstance(job, Send):
                continue
            meant = effect.purposes is None or job.message.purpose in effect.purposes
            meant = meant and (effect.keys is None or key in effect.keys)
            if meant and effect.person_id in (None, job.message.to):
                del self.jobs[key]

    # --- what time does

    def advance(self, **length: float) -> None:
        """Let time pass, everything at its own moment."""
        end = self.now + timedelta(**length)
        self.settle()
        while (moment := self.next_at()) is not None and moment <= end:
            self.now = max(self.now, moment)
            self.settle()
        self.now = end

    def next_at(self) -> datetime | None:
        """The next moment at which anything is to happen."""
        moments = [job.due for job in self.jobs.values()]
        if self.report is not None:
            moments.append(self.report)
        moments += [m for m in (self.concern.timeout_at, self.concern.due_at) if m is not None]
        return min(moments, default=None)

    def settle(self) -> None:
        """Do all that is due now."""
        for _ in range(200):
            if not self._step():
                return
        raise AssertionError(f"never comes to rest: {self.jobs}, {self.concern.next_action}")

    def _step(self) -> bool:
        due = sorted((j for j in self.jobs.values() if j.due <= self.now), key=lambda j: j.due)
        if due:
            job = due[0]
            del self.jobs[job.key]
            self._send(job) if isinstance(job, Send) else self._run(job)
            return True
        for trigger, at in ((Trigger.TIMEOUT, self.concern.timeout_at), (Trigger.DUE, self.concern.due_at)):
            if at is not None and at <= self.now:
                self._fire(trigger)
                return True
        return self._tell()

    def _send(self, send: Send) -> None:
        message = send.message
        about_delegate = message.to is not None and message.to != self.concern.initiator_id
        if about_delegate and outbound.still_wanted(self.concern, message, self.setting) is not None:
            return
        text = self.render(message.words, message.to)
        if message.to in self.fails_for:
            self.take(outbound.undeliverable(self.concern, message, "blocked", self.setting))
            return
        self.sent.append(Sent(self.now, message, text))
        channel = "feishu"
        if message.to is not None:
            entry = self.concern.person(message.to)
            channels = list(self.directory[message.to].channels(entry.last_channel if entry else None))
            channels.sort(key=lambda c: c == message.avoid_channel)
            channel = channels[0]
        self.take(outbound.delivered(self.concern, message, text, channel, f"m{len(self.sent)}", self.setting))

    def _run(self, job: Advance) -> None:
        if not self.concern.status.is_open:
            return
        if job.trigger is Trigger.CREATED:
            to_contact = [p.person_id for p in self.concern.delegates if p.comm_status is CommStatus.TO_CONTACT]
            texts = dict.fromkeys(to_contact, "v2.0 什么时候能提测？")
            self.take(opening.first_contact(self.concern, texts, False, self.setting))
            return
        about = job.person_id
        assert about is not None
        self._assess(Decision(self.concern), job.trigger, about, job.key)

    def _fire(self, trigger: Trigger) -> None:
        cause = self.cause()
        before = (self.concern.timeout_at, self.concern.due_at)
        fired = timers.fire(self.concern, trigger, self.setting, cause)
        self.take(fired.decision)
        for about in fired.ask:
            self._assess(Decision(self.concern), trigger, about, cause)
        after = (self.concern.timeout_at, self.concern.due_at)
        assert after != before, f"{trigger} fired and the concern is due again at once"

    def fire_only(self, trigger: Trigger = Trigger.TIMEOUT) -> None:
        """Let a timer fire without delivering what comes of it."""
        self._fire(trigger)

    def _assess(self, decision: Decision, trigger: Trigger, about: PersonId, cause: str) -> None:
        answer = self.brain(decision.concern, trigger, about)
        self.take(decision.then(assessed(decision.concern, trigger, about, answer, self.setting, cause)))

    def _tell(self) -> bool:
        if self.report is None or self.report > self.now:
            return False
        told = self.concern.reports.waiting
        since = self.now.astimezone(ZONE).replace(hour=0, minute=0)
        counted = sum(1 for s in self.sent if s.message.counted and s.at >= since)
        match reports.report_due(self.concern, self.setting, counted):
            case Wait(until):
                assert until > self.now
                self.report = until
                return False
            case Suppress():
                self._concern, self.report = reports.nothing_told(self.concern, told), None
            case Outgoing() as message:
                text = self.render(message.words, message.to)
                self.sent.append(Sent(self.now, message, text))
                self.report = None
                self.take(reports.reported(self.concern, text, self.setting, message, told))
        return True

    # --- what the tests look at

    def render(self, words: Words, to: PersonId | None) -> str:
        """As the reader sees it."""
        reader = self.directory.get(to) if to else None
        language, zone = (reader.language, reader.timezone) if reader else ("zh-CN", "Asia/Shanghai")
        first = words.text
        if words.template is not None:
            first = RENDERER.render(words.template, language, now=self.now, timezone=zone, **words.values)
        return "\n".join([first or "", *(self.render(line, to) for line in words.lines)]).strip()

    def to(self, who: PersonId, *purposes: Purpose) -> list[Sent]:
        """What was sent to this person, of these purposes (none: all)."""
        return [s for s in self.sent if s.to == who and (not purposes or s.purpose in purposes)]

    def texts(self, who: PersonId, *purposes: Purpose) -> list[str]:
        return [s.text for s in self.to(who, *purposes)]

    def comm(self, who: PersonId) -> CommStatus:
        entry = self.concern.person(who)
        assert entry is not None
        return entry.comm_status


__all__ = [
    "ALWAYS",
    "LI",
    "MONDAY",
    "NO_CONTACT",
    "OWNER",
    "WANG",
    "ZHANG",
    "ZONE",
    "Desk",
    "Priority",
    "chases",
    "people",
    "person",
    "proposal",
    "says",
    "setting",
]
