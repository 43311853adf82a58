"""Actions of several stages while the process dies: nothing is lost, nothing is done twice, and a failed stage stops it.

Each test plays its story again and again, and each time the process dies some points later: before a commit, after it,
or right after a message went out. An ordinary run of the suite takes one point in three.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from core.action.run import ActionRun
from core.action.task import DeepTaskState
from core.callbacks import job_key, record_id
from core.concern.model import Concern, ConcernType, Status
from core.context.workspace import Block, BlockKind
from core.effects import Outgoing
from core.hub.abilities import ABILITIES
from core.hub.errand import Done, Scene
from core.ids import PersonId
from core.jobs import Job, JobState
from tests.flow import chains
from tests.flow.office import Office
from tests.sampling import points_of

Story = Callable[[Office], None]
MOST_POINTS = 400
SHARE = 3
DELEGATES = ("p_zhangsan", "p_lisi", "p_zhaoliu")


class Restless(Office):
    """The process dies again and again, each time after so many points of work."""

    def __init__(self, every: int) -> None:
        super().__init__(brain=chains.ChainBrain())
        self.every: int | None = None
        self._planned = every

    def begin_dying(self) -> None:
        self.every = self._planned
        self.die_in(self._planned)

    def restart(self) -> None:
        if self.every is not None:
            self.die_in(self.every)
        super().restart()


def told(office: Office, who: str) -> int:
    """Messages to a person: those that arrived, each key once, and those of which nobody knows."""
    keys = {a.key.rpartition("#")[0] for a in office.ledger if office.chat_of(a.chat).person_id == who}
    assert len(keys) == len([a for a in office.ledger if office.chat_of(a.chat).person_id == who])
    doubtful: tuple[Job, ...] = office.look(lambda repos: repos.jobs.list((JobState.IN_DOUBT,), 100))
    return len(keys | {job.key for job in doubtful if job.person_id == who})


def texts(office: Office, who: str) -> list[str]:
    return [a.text for a in office.ledger if office.chat_of(a.chat).person_id == who]


def blocks(office: Office, kind: BlockKind) -> tuple[Block, ...]:
    found: tuple[Block, ...] = office.look(lambda repos: repos.blocks.of(PersonId("p_owner"), kind))
    return found


def chain_runs(office: Office) -> list[ActionRun]:
    """The runs of more than one stage."""
    runs = [ActionRun.model_validate(block.content) for block in blocks(office, BlockKind.ACTION_STATES)]
    return [run for run in runs if len(run.stages) > 1]


def concerns_with(office: Office, who: str) -> list[Concern]:
    return [c for c in office.concerns() if any(p.person_id == who for p in c.delegates)]


def offices(story: Story, before: str = chains.ASKS_LISI) -> Iterator[Office]:
    """An office for each point at which the process dies in the story; in the last one it did not die."""
    for point in points_of(MOST_POINTS, SHARE):
        office = Office(brain=chains.ChainBrain())
        try:
            office.say("p_owner", before)
            office.die_in(point)
            story(office)
            yield office
            if not office.deaths:
                assert point > 10
                return
        finally:
            office.close()
    raise AssertionError("the story has no end")


def in_a_row(*messages: str) -> Story:
    def story(office: Office) -> None:
        for message in messages:
            office.say("p_owner", message)

    return story


def assert_all_done(office: Office) -> None:
    """Each of the three heard of it once, and each stage left just one trace."""
    (lisi,) = concerns_with(office, "p_lisi")
    (zhangsan,) = concerns_with(office, "p_zhangsan")
    (zhaoliu,) = concerns_with(office, "p_zhaoliu")
    assert lisi.status is Status.DROPPED
    assert zhangsan.status is Status.RESOLVED
    assert zhaoliu.status is Status.WAITING_REPLY
    assert [told(office, who) for who in DELEGATES] == [1, 2, 1]


def test_each_stage_is_done_once_wherever_the_process_dies() -> None:
    for office in offices(in_a_row(chains.THREE_STEPS)):
        (run,) = chain_runs(office)
        assert run.state == "done"
        assert_all_done(office)


@pytest.mark.parametrize("every", [24, 29, 37])
def test_each_stage_is_done_once_though_the_process_dies_again_and_again(every: int) -> None:
    office = Restless(every)
    try:
        office.say("p_owner", chains.ASKS_LISI)
        office.begin_dying()
        office.say("p_owner", chains.THREE_STEPS)
        office.every = None
        office.restart()
        assert office.deaths >= 2
        assert_all_done(office)
    finally:
        office.close()


def test_the_stages_follow_one_another() -> None:
    office = Office(brain=chains.ChainBrain())
    try:
        office.say("p_owner", chains.ASKS_LISI)
        before = len(office.ledger)
        office.say("p_owner", chains.THREE_STEPS)
        heard = [office.chat_of(a.chat).person_id for a in office.ledger[before:]]
        assert [who for who in heard if who != "p_owner"] == ["p_lisi", "p_zhangsan", "p_zhaoliu"]
    finally:
        office.close()


def test_a_stage_is_written_down_before_it_starts_and_closed_after(monkeypatch: pytest.MonkeyPatch) -> None:
    states: list[list[str]] = []
    passes_on = ABILITIES["send_message"]

    def noted(scene: Scene, wish: object) -> Done:
        run_id = scene.key.rsplit(":", 2)[0]
        run = ActionRun.model_validate(scene.repos.blocks.get(run_id).content)  # type: ignore[union-attr]
        states.append([str(step.state) for n in sorted(run.stages) for step in run.stages[n]])
        return passes_on(scene, wish)

    monkeypatch.setitem(ABILITIES, "send_message", noted)
    office = Office(brain=chains.ChainBrain())
    try:
        office.say("p_owner", chains.ASKS_LISI)
        office.say("p_owner", chains.THREE_STEPS)
        assert states == [["done", "running", "pending"]]
        (run,) = chain_runs(office)
        assert [str(step.state) for n in sorted(run.stages) for step in run.stages[n]] == ["done"] * 3
        assert run.closed_at is not None
    finally:
        office.close()


def run_of(office: Office) -> ActionRun:
    (block,) = blocks(office, BlockKind.ACTION_STATES)
    return ActionRun.model_validate(block.content)


def test_the_steps_of_a_stage_run_together() -> None:
    office = Office(brain=chains.ChainBrain())
    try:
        office.say("p_owner", chains.TOGETHER)
        assert [(step.key, str(step.state)) for step in run_of(office).stages[1]] == [
            ("raise_concern", "done"),
            ("send_message", "done"),
        ]
        assert [told(office, who) for who in DELEGATES] == [1, 0, 1]
    finally:
        office.close()


def test_a_step_that_fails_takes_none_of_its_own_stage_along_and_all_of_the_next() -> None:
    office = Office(brain=chains.ChainBrain())
    try:
        office.say("p_owner", chains.ONE_OF_TWO)
        run = run_of(office)
        assert [(step.key, str(step.state)) for n in (1, 2) for step in run.stages[n]] == [
            ("advance_concern", "failed"),
            ("send_message", "done"),
            ("raise_concern", "pending"),
        ]
        assert [told(office, who) for who in DELEGATES] == [1, 0, 0]
        assert any("张三" in text and "赵六" in text for text in texts(office, "p_owner"))
    finally:
        office.close()


def test_a_failed_stage_stops_the_chain_and_the_owner_hears_once_what_was_done() -> None:
    for office in offices(in_a_row(chains.STOPS_HALF_WAY)):
        (run,) = chain_runs(office)
        assert run.state == "failed"
        assert told(office, "p_zhangsan") == 1
        assert concerns_with(office, "p_zhaoliu") == []
        assert told(office, "p_zhaoliu") == 0
        stopped: Job | None = office.look(lambda repos, key=f"failed:{run.run_id}": repos.jobs.get(key))
        assert stopped is not None
        assert stopped.state in (JobState.DONE, JobState.IN_DOUBT)
        words = Outgoing.model_validate_json(stopped.payload).words
        assert [(w.values["key"], w.values["state"]) for w in words.lines if w.template == "chat/step"] == [
            ("send_message", "done"),
            ("advance_concern", "failed"),
            ("raise_concern", "pending"),
        ]
        reports = [text for text in texts(office, "p_owner") if "赵六" in text]
        assert len(reports) == 1 or (stopped.state is JobState.IN_DOUBT and not reports)
    assert "张三" in reports[0]


def test_a_stage_that_breaks_again_and_again_stops_the_chain_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(scene: Scene, wish: object) -> Done:
        raise ZeroDivisionError

    monkeypatch.setitem(ABILITIES, "send_message", broken)
    office = Office(brain=chains.ChainBrain())
    try:
        office.say("p_owner", chains.ASKS_LISI)
        office.say("p_owner", chains.THREE_STEPS)
        office.advance(timedelta(hours=1))
        (run,) = chain_runs(office)
        assert [str(step.state) for n in sorted(run.stages) for step in run.stages[n]] == ["done", "failed", "pending"]
        assert [told(office, who) for who in DELEGATES] == [0, 2, 0]
        (report,) = [text for text in texts(office, "p_owner") if "赵六" in text]
        assert "张三" in report
        assert "ZeroDivisionError" not in report
    finally:
        office.close()


def test_a_confirmation_survives_and_is_taken_up_once() -> None:
    for office in offices(in_a_row(chains.ASKS_FIRST, "可以")):
        (run,) = chain_runs(office)
        assert run.state == "done"
        assert_all_done(office)
        office.say("p_owner", "可以")
        assert_all_done(office)


def test_a_confirmation_that_waits_while_the_process_dies_does_nothing_by_itself() -> None:
    for office in offices(in_a_row(chains.ASKS_FIRST)):
        assert chain_runs(office) == []
        assert len(blocks(office, BlockKind.ACTIONS_NEED_CONFIRMATION)) == 1
        assert Counter(told(office, who) for who in DELEGATES) == {0: 2, 1: 1}


def test_a_schedule_is_kept_once_and_does_nothing_before_its_time() -> None:
    for office in offices(in_a_row(chains.LATER)):
        (schedule,) = [c for c in office.concerns() if c.type is ConcernType.SCHEDULE]
        assert schedule.status is Status.PENDING
        assert [told(office, who) for who in DELEGATES] == [0, 1, 0]


def test_a_schedule_that_fires_while_the_process_dies_runs_once() -> None:
    for office in offices(lambda office: office.advance(timedelta(minutes=30)), before=chains.LATER):
        (schedule,) = [c for c in office.concerns() if c.type is ConcernType.SCHEDULE]
        assert schedule.status is Status.RESOLVED
        assert len(schedule.executions or ()) == 1
        assert len(concerns_with(office, "p_zhangsan")) == len(concerns_with(office, "p_zhaoliu")) == 1
        assert [told(office, who) for who in DELEGATES] == [1, 0, 1]


def test_a_deep_task_goes_on_from_its_last_step_and_gives_one_result() -> None:
    for office in offices(in_a_row(chains.DEEP)):
        (block,) = blocks(office, BlockKind.DEEP_TASK)
        task = DeepTaskState.model_validate(block.content)
        assert task.state == "done"
        assert [use.tool for use in task.done] == ["check_concerns", "look_up_person"]
        assert all(use.ok and "李四" in use.result for use in task.done)
        key = job_key(record_id(task.task_id))
        told_job: Job | None = office.look(lambda repos, key=key: repos.jobs.get(key))
        assert told_job is not None
        results = [text for text in texts(office, "p_owner") if chains.DEEP_RESULT in text]
        assert len(results) == 1 or (told_job.state is JobState.IN_DOUBT and not results)


def test_a_tool_that_fails_again_and_again_ends_a_deep_task_honestly(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(scene: Scene, wish: object) -> Done:
        raise ZeroDivisionError

    monkeypatch.setitem(ABILITIES, "look_up_person", broken)
    office = Office(brain=chains.ChainBrain())
    try:
        office.say("p_owner", chains.ASKS_LISI)
        office.say("p_owner", chains.DEEP)
        office.advance(timedelta(hours=1))
        (last,) = [text for text in texts(office, "p_owner") if "没能查完" in text]
        assert "发票" in last
        (dead,) = office.look(lambda repos: repos.jobs.list((JobState.DEAD,), 10))
        assert "ZeroDivisionError" in str(dead.reason)
        office.advance(timedelta(days=2))
        assert len([text for text in texts(office, "p_owner") if "没能查完" in text]) == 1
    finally:
        office.close()
