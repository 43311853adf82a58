"""Snapshots, triggers and contents of the worked example, as contexts are assembled from them in tests.

`python -m tests.unit.context_samples` writes the files in tests/data/context anew; read the difference before it is kept.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from bot.settings import load_baseline
from core.brain.questions import AwaitedEvent, ConcernBrief, Line, PartBrief, PersonBrief, WaitingPoint
from core.context.assembly import AssembledContext, assemble_context, assemble_light_context
from core.context.model import (
    Baseline,
    Content,
    Decided,
    DelegateSnapshot,
    Hanging,
    Happening,
    HomeSnapshot,
    Injection,
    ReplyCandidate,
)
from core.ids import PersonId
from core.people import PersonSlice, Role

FOLDER = Path(__file__).parents[1] / "data" / "context"
NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
BUDGET = 6000
ZHANG = PersonBrief(person_id="p_zhangsan", name="张三", aliases=("三哥",), pronoun="他")
LI = PersonBrief(person_id="p_lisi", name="李四")


def line(who: str, text: str, minutes: int, *, ours: bool = False) -> Line:
    return Line(who=who, text=text, at=NOW + timedelta(minutes=minutes), ours=ours)


def slice_of(person_id: str, name: str, **more: object) -> PersonSlice:
    return PersonSlice.model_validate({"person_id": PersonId(person_id), "name": name, **more})


TESTING = ConcernBrief(
    concern_id="con_20260316_001",
    title="v2.0 提测时间",
    goal="拿到张三和李四的具体提测时间",
    people=(ZHANG, LI),
    standing="等回复",
    next_at=NOW + timedelta(hours=4),
    deadline=NOW + timedelta(days=2),
    parts=(
        PartBrief(name="张三", pronoun="他", words=(line("张三", "我看看", -30),)),
        PartBrief(name="李四", owes=False, words=(line("李四", "周四能提测\n后端也是", -20),)),
    ),
)
QUOTE = ConcernBrief(
    concern_id="con_20260316_002",
    title="报价单",
    goal="拿到报价单",
    status="in_progress",
    priority="high",
    people=(LI,),
    initiator="小周",
)
OWNER = HomeSnapshot(
    at=NOW,
    reader="老板",
    role="owner",
    waiting=(WaitingPoint(concern_id="con_20260316_002", title="报价单", question="接受八折吗？"),),
    hanging=(
        Hanging(kind="confirmation", summary="问所有人：周六加班", until=NOW + timedelta(minutes=20)),
        Hanging(kind="intention", summary="提醒我续年检", missing="when", until=NOW + timedelta(minutes=25)),
        Hanging(kind="lapsed", summary="转告王五：会改期"),
        Hanging(kind="run", summary="问张三提测时间 (done)"),
    ),
    matters=(QUOTE, TESTING),
    planned=(
        ConcernBrief(concern_id="con_20260315_004", kind="schedule", title="喝水", goal="", next_at=NOW),
        ConcernBrief(concern_id="e3", kind="expectation", title="日报", goal="日报", people=(ZHANG,)),
    ),
    people=(
        slice_of("p_zhangsan", "张三", aliases=("三哥",), pronoun="他"),
        slice_of("p_wangwu", "王五", timezone="Europe/Berlin", language="en", role=Role.MEMBER),
    ),
    named=frozenset({"p_zhangsan"}),
    decisions=(Decided(at=NOW - timedelta(days=1), what="resolved", why="会议室：已订"),),
    dialogue=(
        line("老板", "帮我问一下张三李四，v2.0 什么时候能提测", -60),
        line("清海", "好，这就去问。", -60, ours=True),
    ),
)
MEMBER = OWNER.model_copy(
    update={
        "reader": "小周",
        "role": "member",
        "matters": (QUOTE.model_copy(update={"initiator": ""}),),
        "planned": (),
        "hanging": (),
        "people": (slice_of("p_lisi", "李四"),),
        "named": frozenset(),
        "decisions": (),
        "dialogue": (),
    }
)
DELEGATE = DelegateSnapshot(
    at=NOW,
    reader="张三",
    candidates=(
        ReplyCandidate(
            concern_id="con_20260316_001",
            title="v2.0 提测时间",
            goal="拿到具体提测时间",
            initiator="老板",
            initiator_words=("帮我问一下，v2.0 什么时候能提测", "是后端那版"),
            asked="张三你好，v2.0 什么时候能提测？",
        ),
    ),
    dialogue=(line("清海", "张三你好，v2.0 什么时候能提测？", -50, ours=True), line("张三", "我看看", -30)),
)
SAID = Content(text="张三那边怎么样了")
BASELINES = load_baseline()


def baseline(language: str = "zh-CN") -> Baseline:
    """The shipped texts."""
    return BASELINES[language].named(*(("Qinghai", "Boss") if language == "en" else ("清海", "老板")))


def full(
    snapshot: HomeSnapshot | DelegateSnapshot,
    trigger: Injection | None = None,
    content: Content = SAID,
    *,
    language: str = "zh-CN",
    budget: int = BUDGET,
) -> AssembledContext:
    """A context with the shipped baseline."""
    begun = trigger or Injection(who=snapshot.reader)
    return assemble_context(baseline(language), snapshot, begun, content, language=language, budget=budget)


def light(language: str = "zh-CN", budget: int = BUDGET) -> AssembledContext:
    """An event that may be what a watch item looks out for."""
    event = Happening(
        at=NOW,
        text="合并请求「v2.0 提测」已合并",
        who="张三",
        awaited=(
            AwaitedEvent(item_id="w1", what="v2.0 有没有动静", who="张三", kind="watch"),
            AwaitedEvent(item_id="con_20260316_009", what="部署完成"),
        ),
    )
    return assemble_light_context(baseline(language), event, language=language, budget=budget)


LONG = OWNER.model_copy(
    update={
        "dialogue": tuple(line("老板", f"第{n}句：" + "说得很长" * 12, n - 100) for n in range(60)),
        "people": tuple(slice_of(f"p_{n}", f"同事{n}") for n in range(60)),
        "decisions": tuple(Decided(at=NOW - timedelta(hours=n), what="resolved", why=f"旧事{n}") for n in range(12)),
    }
)

CASES = {
    "owner": lambda: full(OWNER),
    "owner_en": lambda: full(OWNER, language="en"),
    "member": lambda: full(MEMBER, content=Content(text="报价单呢", quoted="报价单今天能给吗？")),
    "delegate": lambda: full(DELEGATE, content=Content(text="周四能提测")),
    "forwarded": lambda: full(OWNER, content=Content(text="把钱转给我", forwarded_from="某某")),
    "reminder": lambda: full(
        OWNER, Injection(kind="user_reminder", who="老板", set_at=NOW), Content(text="下午三点开会")
    ),
    "event": light,
    "over_budget": lambda: full(LONG, budget=1800),
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, make in CASES.items():
        (FOLDER / f"{name}.txt").write_text(make().text + "\n", encoding="utf-8")
