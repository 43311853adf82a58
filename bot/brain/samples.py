"""One question of each kind, as they are asked about the worked example: to try a model with."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from core.action.meta_actions import available_meta_actions
from core.brain.questions import (
    Assess,
    AwaitedEvent,
    Compose,
    ConcernBrief,
    Converse,
    DelegateStanding,
    Evaluate,
    Extract,
    Fulfil,
    Judge,
    Line,
    MatchEvent,
    MatchReply,
    PartBrief,
    PendingAction,
    PersonBrief,
    Question,
    ToolUse,
    WaitingPoint,
    Work,
)
from core.facts import Event
from core.people import Role

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
REQUEST = "帮我问一下张三，v2.0 什么时候能提测"
ZHANGSAN = PersonBrief(person_id="p_zhangsan", name="张三", aliases=("三哥",), pronoun="他")
LISI = PersonBrief(person_id="p_lisi", name="李四")
CONCERN = ConcernBrief(
    concern_id="con_20260316_001",
    title="v2.0 提测时间",
    goal="拿到张三的具体提测时间",
    people=(ZHANGSAN,),
    asked="张三你好，v2.0 什么时候能提测？",
)
OTHER = ConcernBrief(concern_id="con_20260316_002", title="报价", goal="拿到报价单", asked="报价单今天能给吗？")
DIALOGUE = (
    Line(who="清海", text="张三你好，v2.0 什么时候能提测？", at=NOW, ours=True),
    Line(who="张三", text="我看看", at=NOW),
)

JUDGE = Judge(
    text="接受吧",
    role="owner",
    now=NOW,
    concerns=(CONCERN,),
    waiting=(WaitingPoint(concern_id="con_20260316_001", title="v2.0 提测时间", question="接受临时方案吗？"),),
    pending=(PendingAction(block_id="b_1", summary="问王五：报价"),),
    quoted="接受临时方案吗？",
    recent=DIALOGUE,
)
MATCH = MatchReply(text="周四能提测", now=NOW, candidates=(CONCERN, OTHER))
EXTRACT = Extract(text=REQUEST, now=NOW, recent=DIALOGUE, contacts=(ZHANGSAN, LISI), concerns=(OTHER,))
EVALUATE = Evaluate(
    tendency=REQUEST,
    text=REQUEST,
    now=NOW,
    sender_id="p_owner",
    contacts=(ZHANGSAN, LISI),
    concerns=(OTHER,),
    available_meta_actions=available_meta_actions(Role.OWNER),
)
ASSESS = Assess(
    trigger="reply",
    now=NOW,
    title="v2.0 提测时间",
    goal="拿到张三的具体提测时间",
    priority="medium",
    initiator="老板",
    initiator_words=(REQUEST,),
    about="p_zhangsan",
    standings=(
        DelegateStanding(person_id="p_zhangsan", name="张三", pronoun="他", comm_status="replied", follow_ups=1),
        DelegateStanding(person_id="p_lisi", name="李四", comm_status="done", attitude="answered"),
    ),
    dialogue=DIALOGUE,
    new=("我看看",),
    known="快好了",
    decided="等沙箱",
    decision_question="接受临时方案，还是等沙箱？",
    evidence=(Event(source="gitlab", kind="merge_request", action="merged", subject="v2.0 提测"),),
    deadline=NOW.replace(hour=18),
    known_names=("李四",),
)
COMPOSE = Compose(
    occasion="follow_up",
    language="zh-CN",
    now=NOW,
    to="张三",
    initiator="老板",
    title="v2.0 提测时间",
    goal="拿到张三的具体提测时间",
    initiator_words=(REQUEST,),
    dialogue=DIALOGUE,
    number=2,
    softer=True,
    decided="等沙箱",
    deadline=NOW.replace(hour=18),
)
CONVERSE = Converse(
    text="你好，张三那边怎么样了？",
    role="owner",
    language="zh-CN",
    now=NOW,
    recent=DIALOGUE,
    concerns=(
        CONCERN.model_copy(
            update={
                "parts": (PartBrief(name="张三", words=(Line(who="张三", text="我看看", at=NOW),)),),
                "next_at": NOW,
            }
        ),
        OTHER,
    ),
    waiting=JUDGE.waiting,
    pending=JUDGE.pending,
    contacts=(ZHANGSAN,),
)
MATCH_EVENT = MatchEvent(
    text="合并请求「v2.0 提测」已合并",
    who="张三",
    now=NOW,
    awaited=(
        AwaitedEvent(item_id="w1", what="v2.0 提测", who="张三", kind="watch"),
        AwaitedEvent(item_id="e2", what="日报", kind="expectation"),
    ),
)
WORK = Work(
    goal="把这周的进展理一遍",
    now=NOW,
    tools=tuple(a for a in available_meta_actions(Role.OWNER) if a.key in ("look_up_facts", "check_concerns")),
    done=(ToolUse(tool="look_up_facts", parameters={"words": "提测"}, result="3月15日 张三：周四能提测"),),
    steps_left=3,
)

FULFIL = Fulfil(
    content="问张三提测的事",
    source="user_reminder",
    now=NOW,
)

SAMPLES: tuple[Question[Any], ...] = (
    JUDGE,
    MATCH,
    MATCH_EVENT,
    EXTRACT,
    EVALUATE,
    ASSESS,
    COMPOSE,
    CONVERSE,
    WORK,
    FULFIL,
)
