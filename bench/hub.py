"""What a fact costs the hub, by how much is open in the store: `python bench/hub.py [--smoke]`.

Judged, and committed, by the rules, on SQLite: events with and without a person, a delegate's reply, an owner's order,
a timer. The open matters belong to very many others; then all of them to the one who acts. And the first page of the
agenda's order.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count, islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from bot.settings import build_settings  # noqa: E402
from bot.store import PeeweeStore  # noqa: E402
from bot.system import SequenceIds, VirtualClock  # noqa: E402
from core.brain.rules import RuleBrain  # noqa: E402
from core.concern.model import (  # noqa: E402
    DELEGATE,
    INITIATOR,
    CommStatus,
    Concern,
    ConcernPerson,
    ConcernType,
    DelegateState,
    Delegation,
    Priority,
    Source,
    SourceInitiator,
    Status,
)
from core.concern.refs import ref_of  # noqa: E402
from core.facts import Event, Fact, FactKind, Trigger  # noqa: E402
from core.hub.hub import CognitiveHub  # noqa: E402
from core.hub.known import MOST_READ  # noqa: E402
from core.hub.services import Services  # noqa: E402
from core.ids import ConcernId, ConversationId, PersonId  # noqa: E402
from core.limits import Limits  # noqa: E402

NOW = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
OWNER, ZHANG = PersonId("p_owner"), PersonId("p_zhangsan")
OWN = 10
"""Open matters of those who act, where the rest is others'."""
PAGE = 50
IN_ONE_GO = 500
MODULES = "支付 登录 报表 对账 搜索 推荐 消息 客服 库存 订单 物流 会员 优惠券 评论 直播 结算".split()
DEEDS = "提测 上线 评审 联调 交付 验收".split()


@dataclass(frozen=True)
class Sizes:
    """How many matters are open, and how many facts of a kind are judged."""

    spread: tuple[int, ...] = (10, 1_000, 100_000)
    of_one: tuple[int, ...] = (1_000, 4_000)
    facts: int = 40


FULL = Sizes()
SMOKE = Sizes(spread=(10, 500), of_one=(300, 600), facts=5)


def matter(number: int, initiator: PersonId, delegate: PersonId) -> Concern:
    """An open matter that was asked an hour ago; others are of the same version, the same module or the same deed."""
    again = number // (40 * 97)
    module, deed = MODULES[(number + again) % 16], DEEDS[(number + again // 16) % 6]
    what = f"v{number // 97 % 40}.{number % 97} {module}{deed}"
    asked = DelegateState(last_outbound=NOW - timedelta(hours=1))
    return Concern(
        concern_id=ConcernId(f"con_20260315_{number:06d}"),
        type=ConcernType.DELEGATION,
        status=Status.WAITING_REPLY,
        priority=Priority.MEDIUM,
        title=what,
        goal=f"拿到关于「{what}」的具体时间",
        source=Source(
            type="message",
            detail=f"帮我问一下，{what}是什么时候",
            initiator=SourceInitiator(name="老板", channel="telegram", channel_user_id="1", person_id=initiator),
        ),
        people=(
            ConcernPerson(person_id=initiator, display_name="老板", role_in_concern=INITIATOR),
            ConcernPerson(
                person_id=delegate,
                display_name="张三",
                role_in_concern=DELEGATE,
                comm_status=CommStatus.WAITING_REPLY,
            ),
        ),
        delegation=Delegation(delegates={delegate: asked}),
        created_at=NOW - timedelta(days=1) + timedelta(seconds=number % 80_000),
        timeout_at=NOW + timedelta(days=1),
    )


def matters(total: int, own: int) -> Iterator[Concern]:
    """So many, of which the first are asked of 张三 by the owner, the others among very many others."""
    for number in range(total):
        mine = number < own
        yield matter(
            number,
            OWNER if mine else PersonId(f"p_i{number // 12}"),
            ZHANG if mine else PersonId(f"p_d{number // 8}"),
        )


class House:
    """A store with so much open, and the hub over it."""

    def __init__(self, folder: str, total: int, own: int) -> None:
        self.store = PeeweeStore(f"sqlite:///{folder}/hub.db", inline=True)
        people = [{"id": "p_zhangsan", "name": "张三", "telegram": 2}, {"id": "p_lisi", "name": "李四", "telegram": 3}]
        settings = build_settings(
            {"owner": {"id": OWNER, "name": "老板", "telegram": 1}, "people": people}, "the bench"
        )
        for person in settings.people:
            self.store.run_now(lambda repos, p=person: repos.people.save(p))
        brain = RuleBrain()
        clock = VirtualClock(NOW)
        self.hub = CognitiveHub(
            Services(self.store, brain=brain, simple_brain=brain, clock=clock, ids=SequenceIds(), limits=Limits())
        )
        self.total = total
        everything = matters(total, own)
        while some := tuple(islice(everything, IN_ONE_GO)):
            self.store.run_now(lambda repos, batch=some: [_keep(repos, each) for each in batch])
        self._numbers = count()

    async def cost(self, make: Callable[[int, int], dict[str, Any]], facts: int) -> float:
        """Processor seconds for one fact of a kind, the median; the first warms the caches."""
        taken = []
        for _ in range(facts + 1):
            number = next(self._numbers)
            fact = Fact(**({"event_id": f"x{number}", "occurred_at": NOW} | make(number, self.total)))
            fact_id = self.store.run_now(lambda repos, f=fact: repos.facts.add(f, NOW))
            stored = self.store.run_now(lambda repos, i=fact_id: repos.facts.get(i))
            began = time.process_time()
            await self.hub.handle(stored)
            taken.append(time.process_time() - began)
        return statistics.median(taken[1:])

    def page(self, owner: PersonId | None) -> float:
        """Processor seconds for the first page of the agenda's order."""
        taken = []
        for _ in range(20):
            began = time.process_time()
            self.store.run_now(lambda repos: repos.agenda.focus(PAGE, owner))
            taken.append(time.process_time() - began)
        return statistics.median(taken)


def _keep(repos: Any, concern: Concern) -> None:
    repos.concerns.add(concern)
    repos.agenda.put(ref_of(concern))


def _happened(subject: str, **more: Any) -> dict[str, Any]:
    event = Event(source="gitlab", kind="merge_request", action="merged", subject=subject, **more)
    at = {
        "channel": "gitlab",
        "kind": FactKind.EVENT,
        "conversation": ConversationId("gitlab:a"),
        "sender_name": "gitlab",
    }
    return {**at, "event": event, "text": event.line}


def _said(user: str, text: str, number: int) -> dict[str, Any]:
    at = {"channel": "telegram", "kind": FactKind.MESSAGE, "conversation": ConversationId(f"telegram:{user}")}
    return {**at, "sender": user, "message_id": f"m{number}", "text": text}


def _timer(number: int, total: int) -> dict[str, Any]:
    concern = ConcernId(f"con_20260315_{number % total:06d}")
    at = {"channel": "timer", "kind": FactKind.TIMER, "conversation": ConversationId(f"concern:{concern}")}
    return {**at, "concern_id": concern, "trigger": Trigger.TIMEOUT}


KINDS: dict[str, Callable[[int, int], dict[str, Any]]] = {
    "an event about a person": lambda n, _: {**_happened(f"v9.{n} 支付联调"), "person_id": ZHANG},
    "an event about nobody": lambda n, _: _happened(matter(n % OWN, OWNER, ZHANG).title, branch="feature/x"),
    "an event about nothing": lambda n, _: _happened(f"改了页脚的第 {n} 个错别字"),
    "a delegate's reply": lambda n, _: _said("2", f"v9.{n} 那个周四能给", n),
    "an owner's order": lambda n, _: _said("1", f"帮我问一下李四，第 {n} 版说明书什么时候印好", n),
    "an owner's question": lambda n, _: _said("1", "张三那边怎么样了", n),
    "a timer": _timer,
}


async def measure(folder: str, houses: Sequence[tuple[int, int]], facts: int) -> list[tuple[dict[str, float], float]]:
    """For each store (how much is open, how much of it theirs): seconds by kind of fact, and of a page."""
    found = []
    for total, own in houses:
        house = House(tempfile.mkdtemp(dir=folder), total, own)
        page = house.page(OWNER if own == total else None)
        found.append(({kind: await house.cost(make, facts) for kind, make in KINDS.items()}, page))
        house.store.close()
    return found


def table(title: str, sizes: Sequence[int], found: Sequence[tuple[dict[str, float], float]], aim: str) -> str:
    """The figures as text, each kind with the ratio of the last store to the first."""
    lines = [title, f"  {'':34}" + "".join(f"{size:>12,}" for size in sizes) + f"{'ratio':>9}   aim"]
    for kind in KINDS:
        spans = [costs[kind] for costs, _ in found]
        cells = "".join(f"{span * 1000:>9.2f} ms" for span in spans)
        lines.append(f"  {kind:34}{cells}{spans[-1] / spans[0]:>9.2f}   {aim}")
    pages = "".join(f"{page * 1000:>9.2f} ms" for _, page in found)
    lines.append(f"  {f'the first {PAGE} of the agenda':34}{pages}{'':>9}   < 50 ms")
    return "\n".join(lines)


async def main(sizes: Sizes, say: Callable[[str], Any] = print) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="bench-hub-") as folder:
        spread = await measure(folder, [(n, min(n, OWN)) for n in sizes.spread], sizes.facts)
        say(
            table("what a fact costs the hub, by open matters of very many people", sizes.spread, spread, "<= 2") + "\n"
        )
        of_one = await measure(folder, [(n, n) for n in sizes.of_one], sizes.facts)
        title = f"the same, all of them open between two people ({MOST_READ} are read)"
        say(table(title, sizes.of_one, of_one, "<= 2") + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="bench/hub.py", description="What a fact costs the hub.")
    parser.add_argument("--smoke", action="store_true", help="a few seconds: does it run?")
    asyncio.run(main(SMOKE if parser.parse_args().smoke else FULL))
