"""Deep tasks: one question a step, tools that only read, an honest end, and nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.brain.faulty import FaultyBrain
from bot.brain.scripted import ScriptedBrain
from bot.store.repositories import StoreRepositories
from bot.store.unit import PeeweeStore
from bot.system import SequenceIds, VirtualClock
from core.action.meta_actions import REGISTRY, DeepTaskParameters, LookUpFactsParameters, LookUpPersonParameters
from core.action.task import RESULT_CHARS, DeepTaskState, cost_of, only_reads, readers, shortened
from core.brain.questions import A, Question, ToolUse, Work, WorkStep
from core.brain.rules import RuleBrain
from core.brain.rules.work import work as by_rule
from core.callbacks import TASK_COMPLETION, Callback, job_key, record_id
from core.context.workspace import Block, BlockKind
from core.effects import Outgoing, Purpose, Send, Task, Words
from core.errors import BrainMalformed, BrainTimeout
from core.hub.abilities import Ability
from core.hub.abilities.tasks import (
    deep_task,
    drop_task,
    keep_task,
    kept_task,
    stop_task,
    task_briefs,
    task_progress,
)
from core.hub.briefs import briefs_of
from core.hub.commit import apply
from core.hub.errand import DONE, Done, Errand, Scene, failed
from core.hub.services import Services, everybody
from core.hub.tasks import DeepTasks
from core.ids import ConversationId, PersonId
from core.jobs import Job, JobKind, JobState
from core.limits import Limits, TaskLimits
from core.people import Identity, Person, Role

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
OWNER, MEMBER, LISI = PersonId("p_owner"), PersonId("p_wang"), PersonId("p_lisi")
STAFF = (
    Person(person_id=OWNER, name="老板", role=Role.OWNER, identities=(Identity(channel="telegram", user_id="1"),)),
    Person(person_id=MEMBER, name="王五", role=Role.MEMBER, identities=(Identity(channel="telegram", user_id="5"),)),
    Person(person_id=LISI, name="李四", identities=(Identity(channel="telegram", user_id="3"),)),
)


def look_up_person(scene: Scene, wish: LookUpPersonParameters) -> Done:
    if wish.person not in scene.people:
        return failed("nobody", name=wish.person)
    scene.answer("card", name=scene.people[PersonId(wish.person)].name, lines=(Words(text="09:00-18:00"),))
    return DONE


def look_up_facts(scene: Scene, wish: LookUpFactsParameters) -> Done:
    if wish.words == "boom":
        raise ZeroDivisionError
    if wish.words:
        scene.answer("facts", part="one", text=wish.words * 3)
        scene.answer("facts", part="two", text="twice")
    return DONE


ABILITIES: dict[str, Ability] = {"look_up_person": look_up_person, "look_up_facts": look_up_facts}


def tell(words: Words, person: Person) -> str:
    values = " ".join(str(value) for value in words.values.values())
    return "\n".join(
        [f"{words.template}({values})" if words.template else words.text or "", *(tell(x, person) for x in words.lines)]
    )


@dataclass
class Listening(ScriptedBrain):
    """Remembers what it was asked; `meanwhile` happens while it thinks."""

    asked: list[Work] = field(default_factory=list)
    meanwhile: Callable[[], None] | None = None

    def __post_init__(self) -> None:
        super().__init__(RuleBrain())

    async def ask(self, question: Question[A]) -> A:
        if isinstance(question, Work):
            self.asked.append(question)
        if self.meanwhile is not None:
            self.meanwhile()
        return await super().ask(question)


class Desk:
    """A store in memory, a brain with a script, and the jobs of tasks run by hand."""

    def __init__(self) -> None:
        self.store = PeeweeStore("sqlite:///:memory:", inline=True)
        self.clock = VirtualClock(NOW)
        self.brain = Listening()
        self.faulty = FaultyBrain(self.brain)
        self.services = Services(
            store=self.store,
            brain=self.faulty,
            simple_brain=RuleBrain(),
            clock=self.clock,
            ids=SequenceIds(),
            limits=Limits(),
        )
        self.tasks = DeepTasks(self.services, tell, ABILITIES)
        for person in STAFF:
            self.do(lambda repos, p=person: repos.people.save(p))

    def do(self, work: Callable[[StoreRepositories], Any]) -> Any:
        return self.store.run_now(work)

    def scene(self, repos: StoreRepositories, who: PersonId = OWNER, number: int = 1) -> Scene:
        errand = Errand(
            person_id=who,
            conversation=ConversationId(f"telegram:{who}"),
            channel="telegram",
            channel_user_id=who,
            cause=f"f{number}",
            words="理一遍这周的进展",
        )
        return Scene(repos, self.services, everybody(repos), errand, f"run:f{number}:0:1:0", now=self.clock.now())

    def begin(self, goal: str = "理一遍这周的进展", steps: int = 8, who: PersonId = OWNER, number: int = 1) -> Done:
        wish = DeepTaskParameters(goal=goal, steps=steps)
        done: Done = self.do(lambda repos: deep_task(self.scene(repos, who, number), wish))
        return done

    def plan(self, *steps: dict[str, Any]) -> None:
        for step in steps:
            self.brain.queue("work", step)

    async def step(self) -> Task:
        """Take the step that waits."""
        job = self.jobs(JobKind.TASK)[0]
        work = Task.model_validate_json(job.payload)
        await self.tasks.step(work)
        self._close(job)
        return work

    def _close(self, job: Job) -> None:
        self.do(lambda repos: repos.jobs.claim(self.clock.now(), 100))
        self.do(lambda repos: repos.jobs.done(job.key))
        self.do(lambda repos: repos.jobs.release(repos.me))

    def jobs(self, kind: JobKind) -> list[Job]:
        found: tuple[Job, ...] = self.do(lambda repos: repos.jobs.list((JobState.PENDING,), 100))
        return [job for job in found if job.kind is kind]

    def said(self) -> list[Words]:
        return [Outgoing.model_validate_json(job.payload).words for job in self.jobs(JobKind.DELIVER)]

    def owed(self) -> list[Callback]:
        """What the callers are owed and have not got."""
        return list(self.do(lambda repos: repos.callbacks.list()))

    def state(self, number: int = 1) -> DeepTaskState:
        found: DeepTaskState = self.do(lambda repos: kept_task(repos, f"task:run:f{number}:0:1:0"))
        return found

    def stop(self, task_id: str, who: PersonId = OWNER, number: int = 2) -> bool:
        stopped: bool = self.do(lambda repos: stop_task(self.scene(repos, who, number), task_id))
        return stopped


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.store.close()


# --- begun ---


def test_a_task_is_kept_queued_and_acknowledged(desk: Desk) -> None:
    assert desk.begin("第一行\n第二行").ok
    state = desk.state()
    assert (state.goal, state.title, state.steps, state.state) == ("第一行\n第二行", "第一行", 8, "running")
    assert [(j.lane, j.due) for j in desk.jobs(JobKind.TASK)] == [(f"task:{state.task_id}", NOW)]
    assert [w.template for w in desk.said()] == ["chat/task_started"]


def test_one_person_has_only_so_many_tasks_at_a_time(desk: Desk) -> None:
    for number in range(TaskLimits().at_once):
        assert desk.begin(f"查第{number}件", number=number).ok
    refused = desk.begin("再查一件", number=9)
    assert refused.problem is not None
    assert refused.problem.values["titles"] == [f"查第{number}件" for number in range(TaskLimits().at_once)]
    assert len(desk.jobs(JobKind.TASK)) == TaskLimits().at_once
    assert desk.begin("别人的", who=MEMBER, number=10).ok


# --- steps ---


async def test_tools_are_taken_one_a_step_and_the_result_goes_to_the_caller(desk: Desk) -> None:
    desk.begin()
    desk.plan(
        {"tool": "look_up_person", "parameters": {"person": "p_lisi"}},
        {"tool": "look_up_facts", "parameters": {"words": "提测"}},
        {"result": "李四周四提测。"},
    )
    for _ in range(3):
        await desk.step()
    last = desk.brain.asked[-1]
    assert [(q.steps_left, len(q.done)) for q in desk.brain.asked] == [(8, 0), (7, 1), (6, 2)]
    assert [use.result for use in last.done] == ["card(李四)\n09:00-18:00", "facts(提测提测提测)\nfacts(twice)"]
    assert desk.state().state == "done"
    assert desk.jobs(JobKind.TASK) == []
    assert [w.template for w in desk.said()] == ["chat/task_started"]
    (told,) = desk.owed()
    assert (told.id, told.origin) == (record_id(desk.state().task_id), desk.state().task_id)
    assert (told.chat_id, told.person_id, told.fire_at) == ("telegram:p_owner", OWNER, None)
    assert (told.trigger_source, told.outcome) == (TASK_COMPLETION, "done")
    assert (told.title, told.content, told.set_at) == ("理一遍这周的进展", "李四周四提测。", NOW)


async def test_nothing_that_a_tool_finds_is_sent(desk: Desk) -> None:
    desk.begin()
    desk.plan({"tool": "look_up_person", "parameters": {"person": "p_lisi"}})
    await desk.step()
    assert [w.template for w in desk.said()] == ["chat/task_started"]


async def test_the_result_may_come_with_the_last_step_spent_and_no_tool_is_offered_then(desk: Desk) -> None:
    desk.begin(steps=1)
    desk.plan({"tool": "look_up_facts", "parameters": {"words": "x"}}, {"result": "好了"})
    await desk.step()
    await desk.step()
    assert [(q.steps_left, bool(q.tools)) for q in desk.brain.asked] == [(1, True), (0, False)]
    assert desk.state().state == "done"


@pytest.mark.parametrize("answer", [{"tool": "look_up_facts"}, {}, {"result": ""}])
async def test_no_result_when_one_must_be_given_is_a_failed_question(desk: Desk, answer: dict[str, Any]) -> None:
    desk.begin(steps=1)
    desk.plan({"tool": "look_up_facts", "parameters": {"words": "x"}}, answer)
    await desk.step()
    before = desk.state()
    with pytest.raises(BrainMalformed):
        await desk.step()
    assert desk.state() == before
    assert len(desk.jobs(JobKind.TASK)) == 1


async def test_a_result_ends_it_though_a_tool_stands_beside_it(desk: Desk) -> None:
    desk.begin()
    desk.plan({"tool": "look_up_facts", "result": "够了"})
    await desk.step()
    assert (desk.state().state, desk.state().done) == ("done", ())


@pytest.mark.parametrize(
    ("tool", "parameters", "says"),
    [
        ("send_message", {"people": ["p_lisi"], "text": "x"}, "send_message"),
        ("deep_task", {"goal": "x"}, "deep_task"),
        ("rm -rf", {}, "rm -rf"),
        ("look_up_person", {}, "person"),
        ("look_up_facts", {"since": "someday"}, "since"),
        ("look_up_person", {"person": "p_nobody"}, "nobody"),
    ],
)
async def test_a_tool_that_cannot_be_taken_says_why_and_costs_a_step(
    desk: Desk, tool: str, parameters: dict[str, Any], says: str
) -> None:
    desk.begin()
    desk.plan({"tool": tool, "parameters": parameters})
    await desk.step()
    (use,) = desk.state().done
    assert (use.tool, use.ok) == (tool, False)
    assert says in use.result
    assert desk.state().found == ()


async def test_what_finds_nothing_says_so_and_what_finds_much_is_cut(desk: Desk) -> None:
    desk.begin()
    desk.plan(
        {"tool": "look_up_facts", "parameters": {}},
        {"tool": "look_up_facts", "parameters": {"words": "长" * 200}},
    )
    await desk.step()
    await desk.step()
    nothing, much = desk.state().done
    assert nothing.ok
    assert nothing.result == "什么也没有找到。"
    assert len(much.result) <= RESULT_CHARS


@pytest.mark.parametrize(
    ("result", "kept"),
    [
        ("我查了这周的消息。张三周四提测。", "我查了这周的消息。张三周四提测。"),
        ("张三周四提测。我已经提醒李四了。", "张三周四提测。"),
        ("张三周四提测。我会继续跟进。", "张三周四提测。"),
        ("Wei said Thursday. I have asked Ann to confirm.", "Wei said Thursday."),
        ("I'll ask Wei again.", None),
    ],
)
async def test_a_result_claims_no_deed_but_looking(desk: Desk, result: str, kept: str | None) -> None:
    desk.begin()
    desk.plan({"result": result})
    await desk.step()
    (told,) = desk.owed()
    note = [] if kept == result else ["chat/no_promise()"]
    assert told.content.splitlines() == ([kept] if kept else []) + note


async def test_a_model_is_told_how_things_are_with_the_caller(desk: Desk) -> None:
    desk.begin("查一下李四手上的事")
    desk.plan({"result": "没有。"})
    await desk.step()
    (asked,) = desk.brain.asked
    assert "p_lisi" in asked.context
    assert "查一下李四手上的事" in asked.context
    assert asked.now == NOW


# --- whose tools ---


def test_tools_only_read(desk: Desk) -> None:
    keys = {brief.key for brief in readers(Role.OWNER)}
    assert keys == {"look_up_person", "look_up_facts", "check_concerns"}
    assert all(only_reads(REGISTRY[key].info) for key in keys)
    assert {brief.key for brief in readers(Role.MEMBER)} == {"look_up_facts", "check_concerns"}
    assert readers(Role.DELEGATE) == ()


async def test_a_tool_of_a_higher_role_is_no_tool(desk: Desk) -> None:
    desk.begin(who=MEMBER)
    desk.plan({"tool": "look_up_person", "parameters": {"person": "p_lisi"}})
    await desk.step()
    assert not desk.state().done[0].ok
    assert "look_up_person" not in {tool.key for tool in desk.brain.asked[0].tools}


async def test_who_lost_the_right_hears_nothing(desk: Desk) -> None:
    desk.begin(who=MEMBER)
    desk.do(lambda repos: repos.people.save(STAFF[1].model_copy(update={"role": Role.DELEGATE})))
    await desk.step()
    assert desk.brain.asked == []
    assert desk.state().state == "cancelled"
    assert [w.template for w in desk.said()] == ["chat/task_started"]


# --- crashes, failures ---


async def test_a_step_that_is_stored_is_not_taken_again(desk: Desk) -> None:
    desk.begin()
    desk.plan({"tool": "look_up_facts", "parameters": {"words": "x"}}, {"result": "好了"})
    work = await desk.step()
    await desk.tasks.step(work)
    assert len(desk.brain.asked) == 1
    last = await desk.step()
    await desk.tasks.step(last)
    assert (len(desk.brain.asked), len(desk.said()), len(desk.owed())) == (2, 1, 1)


async def test_a_question_that_fails_changes_nothing(desk: Desk) -> None:
    desk.begin()
    before = desk.state()
    desk.faulty.fail("timeout")
    with pytest.raises(BrainTimeout):
        await desk.step()
    assert desk.state() == before
    assert desk.brain.asked == []


async def test_a_fault_of_a_tool_leaves_the_task_as_it_was(desk: Desk) -> None:
    desk.begin()
    desk.plan({"tool": "look_up_facts", "parameters": {"words": "boom"}})
    with pytest.raises(ZeroDivisionError):
        await desk.step()
    assert desk.state().done == ()
    assert len(desk.jobs(JobKind.TASK)) == 1


async def test_a_task_that_is_cut_off_hands_over_what_it_found(desk: Desk) -> None:
    desk.begin()
    desk.plan(
        {"tool": "look_up_facts", "parameters": {"words": "提测"}},
        {"tool": "look_up_person", "parameters": {"person": "p_nobody"}},
    )
    await desk.step()
    await desk.step()
    work = Task.model_validate_json(desk.jobs(JobKind.TASK)[0].payload)
    desk.do(lambda repos: desk.tasks.cut_off(repos, work))
    desk.do(lambda repos: desk.tasks.cut_off(repos, work))
    (told,) = desk.owed()
    assert (told.title, told.outcome) == ("理一遍这周的进展", "stuck")
    assert told.content == "· facts(提测提测提测)\nfacts(twice)"
    assert desk.state().state == "cut_off"
    assert desk.jobs(JobKind.TASK) == []


async def test_a_task_that_lasts_longer_than_a_day_is_cut_off_without_a_question(desk: Desk) -> None:
    desk.begin()
    desk.clock.advance(TaskLimits().lasts)
    await desk.step()
    assert desk.brain.asked == []
    assert [(r.outcome, r.content) for r in desk.owed()] == [("expired", "")]


async def test_a_task_that_is_over_is_forgotten_a_while_later(desk: Desk) -> None:
    desk.begin()
    desk.plan({"result": "好了"})
    await desk.step()
    (expiry,) = desk.jobs(JobKind.EXPIRE)
    task_id = desk.state().task_id
    block: Block = desk.do(lambda repos: repos.blocks.get(task_id))
    assert block.expires_at == expiry.due == NOW + timedelta(hours=1)


# --- stopped ---


async def test_a_task_can_be_stopped_once_and_by_whom_it_belongs_to(desk: Desk) -> None:
    desk.begin(who=MEMBER)
    task_id = desk.state().task_id
    assert not desk.stop(task_id, LISI)
    assert not desk.stop("task:none")
    assert desk.stop(task_id, MEMBER)
    assert not desk.stop(task_id, MEMBER, 3)
    assert desk.jobs(JobKind.TASK) == []
    assert [w.template for w in desk.said()] == ["chat/task_started", "chat/task_stopped"]


def test_the_owner_may_stop_anybodys(desk: Desk) -> None:
    desk.begin(who=MEMBER)
    assert desk.stop(desk.state().task_id, OWNER)


@pytest.mark.parametrize("answer", [{"result": "晚了"}, {"tool": "look_up_facts", "parameters": {"words": "x"}}])
async def test_an_answer_to_a_task_that_was_stopped_meanwhile_counts_for_nothing(
    desk: Desk, answer: dict[str, Any]
) -> None:
    desk.begin()
    task_id = desk.state().task_id
    desk.plan(answer)
    desk.brain.meanwhile = lambda: desk.stop(task_id) and None
    await desk.step()
    assert (desk.state().state, desk.state().done) == ("cancelled", ())
    assert desk.jobs(JobKind.TASK) == []
    assert [w.template for w in desk.said()] == ["chat/task_started", "chat/task_stopped"]


async def test_what_runs_can_be_named_and_called_off(desk: Desk) -> None:
    desk.begin("查一遍合同", number=1)
    desk.begin("查一遍发票", number=2)
    desk.plan({"result": "好了"})
    await desk.step()
    (brief,) = desk.do(lambda repos: task_briefs(repos, OWNER))
    assert (brief.kind, brief.title, brief.concern_id) == ("task", "查一遍发票", desk.state(2).task_id)
    assert desk.do(lambda repos: task_briefs(repos, MEMBER)) == ()


async def test_a_result_that_has_not_left_is_stopped_too(desk: Desk) -> None:
    desk.begin()
    desk.plan({"result": "好了"})
    await desk.step()
    assert desk.stop(desk.state().task_id)
    assert (desk.state().state, desk.owed()) == ("cancelled", [])
    assert desk.said()[-1].values == {"title": "理一遍这周的进展", "out": False}
    assert not desk.stop(desk.state().task_id, number=3)


@pytest.mark.parametrize("delivered", [True, False])
async def test_a_result_that_has_left_is_out_and_that_is_said(desk: Desk, delivered: bool) -> None:
    desk.begin()
    desk.plan({"result": "好了"})
    await desk.step()
    (record,) = desk.owed()
    with_channel(desk, record)
    if delivered:
        desk.do(lambda repos: repos.callbacks.remove(record.id))
    assert desk.stop(desk.state().task_id)
    assert desk.state().state == "done"
    assert [w.values.get("out") for w in desk.said() if w.template == "chat/task_stopped"] == [True]


def with_channel(desk: Desk, record: Callback) -> None:
    """Its message is being sent."""
    message = Outgoing(purpose=Purpose.CALLBACK, to=OWNER, words=Words(text="x"), callback_id=record.id)

    def sends(repos: StoreRepositories) -> None:
        apply(repos, Send(key=job_key(record.id), due=desk.clock.now(), message=message))
        while claimed := repos.jobs.claim(desk.clock.now(), 100):
            for one in claimed:
                close = repos.jobs.sending if one.job.key == job_key(record.id) else repos.jobs.done
                close(one.job.key)

    desk.do(sends)


async def test_a_message_that_is_recalled_takes_its_result_along(desk: Desk) -> None:
    desk.begin()
    desk.plan({"result": "好了"})
    await desk.step()
    task_id = desk.state().task_id
    desk.do(lambda repos: drop_task(repos, task_id, desk.clock.now()))
    assert (desk.state().state, desk.owed()) == ("cancelled", [])


async def test_what_a_task_owes_can_be_named_and_called_off(desk: Desk) -> None:
    desk.begin()
    desk.plan({"result": "好了"})
    await desk.step()
    (record,) = desk.owed()
    (brief,) = desk.do(lambda repos: briefs_of(repos, STAFF[0], (), everybody(repos)))
    assert (brief.concern_id, brief.kind, brief.title) == (record.id, "task", "理一遍这周的进展")


# --- budgets ---


async def test_tokens_are_counted_and_with_them_spent_the_result_must_be_given(desk: Desk) -> None:
    desk.services = replace(desk.services, limits=Limits(task=TaskLimits(step_tokens=1000)))
    desk.tasks = DeepTasks(desk.services, tell, ABILITIES)
    desk.begin(steps=2)
    assert (desk.state().tokens, desk.state().tokens_used) == (2000, 0)
    desk.plan({"tool": "look_up_facts", "parameters": {"words": "长" * 190}}, {"result": "好了"})
    await desk.step()
    first = desk.state().tokens_used
    assert first == cost_of(desk.brain.asked[0], WorkStep(tool="look_up_facts", parameters={"words": "长" * 190}))
    spent = desk.state().model_copy(update={"tokens_used": 2000})
    desk.do(lambda repos: keep_task(repos, spent))
    await desk.step()
    last = desk.brain.asked[-1]
    assert (last.steps_left, last.tools) == (0, ())
    assert desk.state().state == "done"
    assert desk.state().tokens_used > 2000


async def test_what_the_server_counts_is_what_a_step_costs(desk: Desk) -> None:
    counted = iter([40, 740, 740, 740])  # before and after each step: nothing is counted for the second
    desk.tasks = DeepTasks(desk.services, tell, ABILITIES, spent=lambda: next(counted))
    desk.begin()
    desk.plan(*({"tool": "look_up_facts", "parameters": {"words": "x"}} for _ in range(2)))
    await desk.step()
    assert desk.state().tokens_used == 700
    await desk.step()
    second = cost_of(desk.brain.asked[1], WorkStep(tool="look_up_facts", parameters={"words": "x"}))
    assert desk.state().tokens_used == 700 + second


def test_how_many_steps_need_no_yes_is_configuration(desk: Desk) -> None:
    desk.services = replace(desk.services, limits=Limits(task=TaskLimits(steps=3)))
    desk.do(lambda repos: deep_task(desk.scene(repos), DeepTaskParameters(goal="理一遍")))
    assert (desk.state().steps, desk.state().tokens) == (3, 3 * TaskLimits().step_tokens)


def test_a_step_costs_what_was_read_and_what_was_written() -> None:
    bare = cost_of(Work(goal="一二三", now=NOW, language="zh"), WorkStep())
    more = cost_of(Work(goal="一二三", now=NOW, language="zh", context="四" * 100), WorkStep(result="五" * 10))
    assert (bare, more) == (4, 114)


async def test_progress_is_told(desk: Desk) -> None:
    desk.begin("查合同", steps=5)
    desk.begin("查发票", who=MEMBER, number=2)
    desk.plan({"tool": "look_up_facts", "parameters": {"words": "x"}})
    await desk.step()
    first, second = desk.do(task_progress)
    assert (first.title, first.owner, first.done, first.of, first.state) == ("查合同", "老板", 1, 5, "running")
    assert (first.last_tool, second.last_tool) == ("look_up_facts", None)
    assert (second.owner, second.tokens_used) == ("王五", 0)
    assert 0 < first.tokens_used < first.tokens


def test_a_block_of_another_kind_is_no_task(desk: Desk) -> None:
    block = Block(
        block_id="b1",
        kind=BlockKind.ACTION_STATES,
        owner=OWNER,
        conversation=ConversationId("telegram:1"),
        content={},
        created_at=NOW,
        expires_at=NOW + timedelta(hours=1),
    )
    desk.do(lambda repos: repos.blocks.put(block))
    assert desk.do(lambda repos: kept_task(repos, "b1")) is None
    assert not desk.stop("b1")


# --- without a model ---


@pytest.mark.parametrize(("language", "word"), [("zh-CN", "模型"), ("en", "model")])
def test_the_rule_says_that_it_needs_a_model_and_hands_over_what_was_found(language: str, word: str) -> None:
    found = (ToolUse(tool="look_up_facts", result="李四：周四"), ToolUse(tool="x", result="没找着", ok=False))
    bare = by_rule(Work(goal="x", now=NOW, language=language))
    more = by_rule(Work(goal="x", now=NOW, language=language, done=found))
    assert (bare.tool, more.tool) == (None, None)
    assert word in str(bare.result)
    assert str(more.result).splitlines()[1:] == ["· 李四：周四"]


def test_a_text_is_shortened_only_where_it_is_too_long() -> None:
    assert shortened(" 一二三 ", 3) == "一二三"
    assert shortened("一二三四", 3) == "一二…"
