"""Looking things up on a real store: a person's card, what was said, and for whom."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.render import JinjaRenderer
from bot.sending.words import Writer
from bot.store import PeeweeStore
from bot.system import SystemIds, VirtualClock
from core.action.meta_actions import InvitePersonParameters, LookUpFactsParameters, LookUpPersonParameters
from core.brain.rules import RuleBrain
from core.concern.model import LogEntry
from core.effects import Outgoing
from core.facts import Fact, FactKind
from core.hub.abilities.knowledge import invite_person, look_up_facts, look_up_person
from core.hub.errand import Done, Errand, Scene
from core.hub.services import Services, everybody
from core.ids import ConversationId, PersonId
from core.jobs import JobState
from core.limits import Limits
from core.people import Identity, Person, Role
from tests.contract.store_samples import concern

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
RENDERER = JinjaRenderer()


def person(person_id: str, name: str, user: str, role: Role = Role.DELEGATE, **more: Any) -> Person:
    there = (Identity(channel="telegram", user_id=user),) if user else ()
    return Person(person_id=PersonId(person_id), name=name, role=role, identities=there, **more)


PEOPLE = (
    person("p_owner", "老板", "1001", Role.OWNER),
    person("p_admin", "孙秘书", "1002", Role.ADMIN),
    person("p_member", "小周", "1003", Role.MEMBER),
    person("p_zhangsan", "张三", "2001", aliases=("三哥",)),
    person("p_lisi", "李四", "2002", timezone="America/New_York", working_days=("mon", "Tue"), language="en"),
    person("p_none", "王五", "", working_hours="00:00-24:00", working_days="daily"),
)


class Desk:
    """Somebody has something looked up."""

    def __init__(self) -> None:
        self.store = PeeweeStore("sqlite:///:memory:", inline=True)
        self.clock = VirtualClock(NOW)
        self.services = Services(
            store=self.store,
            brain=RuleBrain(),
            simple_brain=RuleBrain(),
            clock=self.clock,
            ids=SystemIds(),
            limits=Limits(),
        )
        self.store.run_now(lambda repos: [repos.people.save(p) for p in PEOPLE])
        self._said = 0

    def hears(self, user: str, text: str, at: datetime = NOW, **more: Any) -> str:
        self._said += 1
        values: dict[str, Any] = {
            "channel": "telegram",
            "event_id": f"e{self._said}",
            "kind": FactKind.MESSAGE,
            "occurred_at": at,
            "conversation": ConversationId(f"telegram:{user}"),
            "sender": user,
            "text": text,
            "message_id": f"m{self._said}",
        }
        fact = Fact(**{**values, **more})
        self.store.run_now(lambda repos: repos.facts.add(fact, at))
        return f"m{self._said}"

    def asks(self, who: str, ability: Callable[[Scene, Any], Done], wish: Any, message_id: str = "m0") -> str:
        """What they are answered; or, in brackets, why it could not be done."""
        sender = next(p for p in PEOPLE if p.person_id == who)
        user = sender.identities[0].user_id
        errand = Errand(
            person_id=sender.person_id,
            conversation=ConversationId(f"telegram:{user}"),
            channel="telegram",
            channel_user_id=user,
            message_id=message_id,
            cause="f1",
            words="",
            said_at=NOW,
        )
        writer = Writer(RENDERER, sender, NOW, "zh-CN", "Asia/Shanghai")

        def work(repos: Any) -> str:
            scene = Scene(repos, self.services, everybody(repos), errand, f"k{self._said}", now=NOW)
            done = ability(scene, wish)
            if done.problem is not None:
                return f"[{writer.text(done.problem)}]"
            (job,) = repos.jobs.list([JobState.PENDING], 10)
            repos.jobs.cancel(job.key, "looked at")
            message = Outgoing.model_validate_json(job.payload)
            assert message.conversation == errand.conversation
            return writer.text(message.words)

        self._said += 1
        return self.store.run_now(work)

    def person(self, who: str, person_id: str) -> str:
        return self.asks(who, look_up_person, LookUpPersonParameters(person=person_id))

    def facts(self, who: str, message_id: str = "m0", **wish: Any) -> str:
        return self.asks(who, look_up_facts, LookUpFactsParameters(**wish), message_id)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.store.close()


# --- a person ---


def test_a_card_says_who_where_and_whether_at_work(desk: Desk) -> None:
    card = desk.person("p_owner", "p_zhangsan")
    for part in ("张三（三哥）", "当事人", "Telegram", "09:00-18:00", "国内工作日", "现在在上班", "没有正在问的事"):
        assert part in card
    assert "p_zhangsan" not in card
    assert "2001" not in card


def test_a_card_of_somebody_far_away_has_their_clock_and_when_they_work_next(desk: Desk) -> None:
    card = desk.person("p_owner", "p_lisi")
    for part in ("America/New_York", "周一、周二", "那边是昨天 22:00", "不在上班，今天 21:00 上班"):
        assert part in card


def test_a_card_of_somebody_without_a_channel_says_how_to_bring_them_in(desk: Desk) -> None:
    card = desk.person("p_admin", "p_none")
    assert "/invite 王五" in card
    assert "每天" in card


def test_a_card_lists_what_is_open_with_them_newest_first(desk: Desk) -> None:
    for n in range(1, 8):
        desk.store.run_now(lambda repos, n=n: repos.concerns.add(concern(n, title=f"事项{n}")))
    card = desk.person("p_owner", "p_zhangsan")
    assert [n for n in range(1, 8) if f"「事项{n}」" in card] == [3, 4, 5, 6, 7]
    assert card.index("事项7") < card.index("事项3")
    assert "还有 2 件" in card


@pytest.mark.parametrize("ability", [look_up_person, invite_person])
def test_somebody_unknown_is_told_without_an_id(desk: Desk, ability: Callable[[Scene, Any], Done]) -> None:
    wish = LookUpPersonParameters if ability is look_up_person else InvitePersonParameters
    assert desk.asks("p_owner", ability, wish(person="p_nobody")) == "[通讯录里没有这个人。]"
    assert desk.facts("p_owner", person="p_nobody") == "[通讯录里没有这个人。]"


def test_an_invite_is_made_and_one_for_the_owner_is_not(desk: Desk) -> None:
    assert "/start " in desk.asks("p_admin", invite_person, InvitePersonParameters(person="p_none"))
    refused = desk.asks("p_admin", invite_person, InvitePersonParameters(person="p_owner"))
    assert refused.startswith("[老板是老板")
    waiting = desk.store.run_now(lambda repos: repos.invites.pending(PersonId("p_owner"), NOW))
    assert waiting == ()


# --- facts ---


def test_the_owner_finds_what_others_said_and_what_happened_newest_first(desk: Desk) -> None:
    desk.hears("2001", "压测做完了", NOW - timedelta(days=13))
    desk.hears("1001", "压测怎么样了", NOW - timedelta(days=1))
    desk.hears("gitlab", "压测流水线通过", kind=FactKind.EVENT, sender_name="gitlab", person_id=PersonId("p_zhangsan"))
    desk.hears("2002", "别的事")
    found = desk.facts("p_owner", words="压测 性能")
    assert found.splitlines() == ["找到 2 条：", "3月16日 gitlab · 张三：压测流水线通过", "3月3日 张三：压测做完了"]


def test_of_one_person_since_a_day(desk: Desk) -> None:
    desk.hears("2001", "早的", NOW - timedelta(days=9))
    desk.hears("2001", "晚的", NOW - timedelta(days=2))
    desk.hears("2002", "李四的")
    since = (NOW - timedelta(days=7)).replace(tzinfo=None)
    assert desk.facts("p_owner", person="p_zhangsan", since=since).splitlines() == ["找到 1 条：", "3月14日 张三：晚的"]
    assert "晚的" in desk.facts("p_admin", person="p_zhangsan")


def test_of_a_day_that_is_over(desk: Desk) -> None:
    for hours in range(1, 15):
        desk.hears("2001", f"今天的第{hours}句", NOW - timedelta(minutes=hours))
    desk.hears("2001", "昨天的", NOW - timedelta(days=1))
    desk.hears("2001", "前天的", NOW - timedelta(days=2))
    day = NOW.replace(hour=0, minute=0)
    found = desk.facts("p_owner", person="p_zhangsan", since=day - timedelta(days=1), until=day)
    assert found.splitlines() == ["找到 1 条：", "3月15日 张三：昨天的"]


def test_what_the_owner_says_to_the_bot_is_read_by_nobody_else(desk: Desk) -> None:
    desk.hears("1001", "提醒我体检")
    desk.hears("2001", "体检中心的合同签了")
    assert "提醒我体检" in desk.facts("p_owner", words="体检", person="p_owner")
    assert desk.facts("p_admin", words="体检").splitlines() == ["找到 1 条：", "3月16日 张三：体检中心的合同签了"]
    assert "没找到" in desk.facts("p_admin", words="体检", person="p_owner")


def test_the_question_itself_is_not_found(desk: Desk) -> None:
    desk.hears("1001", "我上周说过合同")
    question = desk.hears("1001", "我提到过合同吗")
    assert desk.facts("p_owner", question, words="合同", person="p_owner").splitlines()[1:] == [
        "3月16日 老板：我上周说过合同"
    ]


def test_no_more_than_eight_lines_and_long_ones_are_cut(desk: Desk) -> None:
    for n in range(9):
        desk.hears("2001", f"第 {n} 条\n" + "长" * 500)
    found = desk.facts("p_owner").splitlines()
    assert len(found) == 9
    assert "更早的还有" in found[0]
    assert all(len(line) < 150 and line.endswith("…") for line in found[1:])


def test_nothing_found_is_said(desk: Desk) -> None:
    assert desk.facts("p_owner", words="压测", person="p_zhangsan") == "没找到张三提到压测的消息。"
    assert desk.facts("p_owner") == "没找到这样的消息。"


def test_a_member_finds_only_what_was_said_in_their_own_matters(desk: Desk) -> None:
    def log(text: str, who: str = "p_zhangsan", **more: Any) -> LogEntry:
        values = {"direction": "inbound", "channel": "telegram", "ts": NOW, "message_id": text, **more}
        return LogEntry(person_name="张三", person_id=PersonId(who), text=text, **values)

    mine = concern(
        1, conversation_log=(log("周四提测"), log("请问？", direction="outbound"), log("错了", withdrawn=True))
    )
    owner = mine.people[0].model_copy(update={"person_id": PersonId("p_member")})
    again = concern(2, conversation_log=(log("周四提测"),))
    people = (owner, *mine.delegates)
    start = mine.source.model_copy(
        update={"initiator": mine.source.initiator.model_copy(update={"person_id": "p_member"})}  # type: ignore[union-attr]
    )
    theirs = concern(3, conversation_log=(log("周五提测"),))
    for each in (mine, again):
        kept = each.model_copy(update={"people": people, "source": start})
        desk.store.run_now(lambda repos, c=kept: repos.concerns.add(c))
    desk.store.run_now(lambda repos: repos.concerns.add(theirs))
    desk.hears("2001", "提测的秘密")
    assert desk.facts("p_member", words="提测").splitlines() == ["找到 1 条：", "3月16日 张三：周四提测"]
    assert "没找到" in desk.facts("p_member", words="提测", since=NOW + timedelta(seconds=1))
    assert "没找到" in desk.facts("p_member", words="提测", person="p_lisi")
