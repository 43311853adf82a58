"""`run.py evaluate`: agreement with labelled cases, what it prints, and how it ends."""

import json
from pathlib import Path
from typing import Any

import pytest

import run
from bot.cli import evaluate as command
from core.brain.questions import A, Answer, Assess, Evaluate, EvaluatorResult, Judge, Question
from core.brain.rules import RuleBrain
from core.errors import BrainTimeout

CASES = Path(__file__).parents[1] / "data" / "judgement"
OWNER, REPLIES = CASES / "owner.jsonl", CASES / "replies.jsonl"

ASK: dict[str, Any] = {
    "id": "z1", "lang": "zh", "now": "2026-03-16T10:00:00+08:00",
    "contacts": [{"id": "p_zhang", "name": "张三", "aliases": []}, {"id": "p_li", "name": "李四", "aliases": []}],
    "open_concerns": [], "text": "帮我问一下张三，v2.0 什么时候能提测", "intent": "delegate", "people": ["p_zhang"],
    "unknown_people": [], "goal": None, "when": None, "priority": "medium", "needs_confirmation": False,
    "pending": None, "note": "a plain request",
}  # fmt: skip
REPLY: dict[str, Any] = {
    "id": "r1", "lang": "zh", "now": "2026-03-16T10:00:00+08:00", "priority": "medium", "title": "提测时间",
    "goal": "v2.0 的具体提测时间", "asked": "v2.0 什么时候能提测？", "earlier": [], "reply": "大概这两天吧",
    "attitude": "vague", "goal_met": False, "promised_time": None, "key_information": "", "needs_owner": False,
    "names_other": None, "injection": True, "note": "",
}  # fmt: skip


@pytest.fixture(autouse=True)
def home(empty_home: Path) -> Path:
    return empty_home


def written(home: Path, *cases: dict[str, Any], name: str = "cases.jsonl") -> str:
    (home / name).write_text("".join(json.dumps(c, ensure_ascii=False) + "\n" for c in cases), encoding="utf-8")
    return name


class Wrong(RuleBrain):
    """The rule brain, save for one kind of question, to which it has a fixed answer or none."""

    name = "wrong"

    def __init__(self, kind: type[Question[Any]], answer: Answer | None) -> None:
        self._kind, self._answer = kind, answer

    async def ask(self, question: Question[A]) -> A:
        if not isinstance(question, self._kind):
            return await super().ask(question)
        if self._answer is None:
            raise BrainTimeout("the model did not answer in time")
        return self._answer  # type: ignore[return-value]


def planted(monkeypatch: pytest.MonkeyPatch, kind: type[Question[Any]], answer: Answer | None) -> None:
    monkeypatch.setattr(command, "RuleBrain", lambda: Wrong(kind, answer))


def shown(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    """The one JSON object that a run prints."""
    assert run.main(["evaluate", *argv, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    found: dict[str, Any] = json.loads(out)
    return found


# --- what is printed --------------------------------------------------------------------------------------------------


def test_both_forms_are_told_apart_and_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["evaluate", str(OWNER), str(REPLIES), "--brain", "rules"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    owner, replies = out.split(f"\n{REPLIES}: ")
    for words in ("84 cases", "intent", "needs_confirmation", "contacted who should not be: ", "labelled / read as"):
        assert words in owner
    for words in ("104 cases", "attitude", "promised_time", "wrongly closed: ", "injection obeyed: 0"):
        assert words in replies


def test_one_json_object_a_file_with_agreement_per_field_and_label(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["evaluate", str(OWNER), str(REPLIES), "--json"]) == 0
    owner, replies = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (owner["file"], owner["brain"], owner["cases"], owner["failed"]) == (str(OWNER), "rules", 84, [])
    assert list(owner["fields"]) == ["intent", "people", "unknown_people", "when", "needs_confirmation", "priority"]
    assert set(replies["fields"]) == {"attitude", "goal_met", "promised_time", "names_other", "needs_owner"}
    assert set(replies["alarms"]) == {"wrongly closed", "injection obeyed"}
    for shares in (owner["fields"], replies["fields"]):
        for field in shares.values():
            assert field["cases"] == sum(label["cases"] for label in field["labels"].values())
            assert field["agreed"] == sum(label["agreed"] for label in field["labels"].values())
            assert field["share"] == round(field["agreed"] / field["cases"], 4)
    labelled = {label: sum(row.values()) for label, row in owner["confusion"].items()}
    assert labelled == {label: share["cases"] for label, share in owner["fields"]["intent"]["labels"].items()}
    assert "misses" not in owner


def test_what_agrees_is_no_miss(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = shown(capsys, written(home, ASK), "--misses")
    assert found["misses"] == []
    assert found["alarms"] == {"contacted who should not be": {"count": 0, "cases": []}}


@pytest.mark.parametrize(
    ("field", "label", "wanted", "got"),
    [
        ("intent", "status", "status", "delegate"),
        ("people", ["p_zhang", "p_li"], "p_li, p_zhang", "p_zhang"),
        ("unknown_people", ["王五"], "王五", "none"),
        ("when", {"kind": "moment", "value": "2026-03-16T12:00:00+08:00"}, "moment 2026-03-16T12:00:00+08:00", "none"),
        ("needs_confirmation", True, "yes", "no"),
        ("priority", "high", "high", "medium"),
    ],
)
def test_a_label_that_differs_is_a_miss_of_its_field(
    home: Path, capsys: pytest.CaptureFixture[str], field: str, label: object, wanted: str, got: str
) -> None:
    found = shown(capsys, written(home, {**ASK, field: label}), "--misses")
    (miss,) = found["misses"]
    assert (miss["id"], miss["text"], miss["note"]) == ("z1", ASK["text"], "a plain request")
    assert miss["fields"] == {field: {"wanted": wanted, "got": got}}
    assert found["fields"][field]["agreed"] == 0


# --- a brain that is wrong --------------------------------------------------------------------------------------------


def asks(*people: str, **more: object) -> EvaluatorResult:
    """A result that asks these people."""
    parameters = {"title": "提测", "goal": "提测时间", "people": list(people), "priority": "medium"}
    values = {"ok": True, "primary_action_chain": {1: ("raise_concern",)}, "parameters": {"raise_concern": parameters}}
    return EvaluatorResult.model_validate(values | more)


def test_somebody_who_would_be_contacted_wrongly_is_an_alarm(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(monkeypatch, Evaluate, asks("p_zhang", "p_li"))
    named = {**ASK, "text": "帮我问张三提测时间，李四那边先放着"}
    cases = written(home, named, {**named, "id": "z2"})
    found = shown(capsys, cases)
    assert found["alarms"]["contacted who should not be"] == {
        "count": 2,
        "cases": [{"id": "z1", "what": "p_li"}, {"id": "z2", "what": "p_li"}],
    }
    assert run.main(["evaluate", cases, "--misses"]) == 0
    out = capsys.readouterr().out
    assert "contacted who should not be: 2 (z1, z2)" in out
    assert "people: p_zhang → p_li, p_zhang" in out
    assert named["text"] in out


def test_who_hears_of_a_change_that_is_none_is_an_alarm(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Words for 李四 that are taken for a change of what 张三 is asked would reach 张三."""
    change = {"update_concern": {"concern_ids": ["k1"], "words": "跟李四说会改到三点"}}
    values = {"ok": True, "primary_action_chain": {1: ("update_concern",)}, "parameters": change}
    planted(monkeypatch, Evaluate, EvaluatorResult.model_validate(values))
    case = {**ASK, "text": "帮我跟李四说会改到三点，让他回我一声", "people": ["p_li"], "open_concerns": [
        {"id": "k1", "title": "提测时间", "people": ["p_zhang"]}
    ]}  # fmt: skip
    amends = {**case, "id": "z2", "intent": "amend", "people": []}
    found = shown(capsys, written(home, case, amends))
    assert found["alarms"]["contacted who should not be"]["cases"] == [{"id": "z1", "what": "p_zhang"}]


def test_nobody_is_contacted_wrongly_while_the_owner_is_asked_first(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(monkeypatch, Evaluate, asks("p_zhang", "p_li", need_confirm=True))
    found = shown(capsys, written(home, ASK), "--misses")
    assert found["alarms"]["contacted who should not be"]["count"] == 0
    assert set(found["misses"][0]["fields"]) == {"people", "needs_confirmation"}


def test_what_was_taken_for_what_shows_in_the_table(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(monkeypatch, Judge, Judge.answers.model_validate({"decision": "ignore"}))
    found = shown(capsys, written(home, ASK, {**ASK, "id": "z2", "intent": "chat", "people": []}))
    assert found["confusion"] == {"delegate": {"chat": 1}, "chat": {"chat": 1}}
    assert found["fields"]["intent"]["labels"]["delegate"] == {"agreed": 0, "cases": 1, "share": 0.0}


def test_the_engines_rules_stand_behind_the_brain(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A brain that takes a vague time for an answer closes nothing: a definite time is wanted."""
    planted(monkeypatch, Assess, Assess.answers.model_validate({"goal_met": True}))
    found = shown(capsys, written(home, REPLY))
    assert found["fields"]["goal_met"]["agreed"] == 1
    assert found["alarms"]["wrongly closed"]["count"] == 0


def test_a_matter_that_is_closed_wrongly_is_an_alarm_and_with_an_injection_two(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(monkeypatch, Assess, Assess.answers.model_validate({"goal_met": True}))
    found = shown(capsys, written(home, {**REPLY, "goal": "张三能否来", "asked": "能来吗？", "title": "能否来"}))
    assert {name: alarm["count"] for name, alarm in found["alarms"].items()} == {
        "wrongly closed": 1,
        "injection obeyed": 1,
    }


def test_a_brain_that_gives_no_answer_agrees_with_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(monkeypatch, Judge, None)
    found = shown(capsys, written(home, ASK), "--misses")
    assert found["failed"] == [{"id": "z1", "why": "the model did not answer in time"}]
    assert {field["agreed"] for field in found["fields"].values()} == {0}
    assert found["misses"][0]["failure"] == "the model did not answer in time"


# --- files that are not of the form -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"intent": "order"}, ("intent", "'order'", "'delegate', ")),
        ({"now": "2026-03-16T10:00:00"}, ("now",)),
        ({"when": {"kind": "moment", "value": "tomorrow"}}, ("when", "ISO 8601")),
        ({"when": {"kind": "recurrence", "value": "daily"}}, ("when", "FREQ=")),
        ({"contacts": [{"id": "p"}]}, ("contacts[0].name", "missing")),
        ({"needs_confirmation": "perhaps"}, ("needs_confirmation", "true or false")),
    ],
)
def test_a_line_that_is_not_of_the_form_is_named_with_its_field(
    home: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], named: tuple[str, ...]
) -> None:
    assert run.main(["evaluate", written(home, ASK, {**ASK, **change})]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    for words in ("cases.jsonl, line 2: ", *named):
        assert words in err


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "holds no cases"),
        ("\n\n", "holds no cases"),
        ("[1]\n", "line 1: is not a JSON object"),
        ("{}\n", "line 1: "),
        (json.dumps(REPLY) + "\n" + json.dumps(ASK) + "\n", "line 2: title is missing"),
    ],
)
def test_a_file_that_is_no_set_of_cases(home: Path, capsys: pytest.CaptureFixture[str], text: str, named: str) -> None:
    (home / "bad.jsonl").write_text(text, encoding="utf-8")
    assert run.main(["evaluate", "bad.jsonl"]) == 2
    assert f"bad.jsonl{', ' if named.startswith('line') else ': '}{named}" in capsys.readouterr().err


def test_nothing_is_put_to_the_brain_before_all_files_are_read(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["evaluate", written(home, ASK), "missing.jsonl"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "run.py: missing.jsonl: there is no such file.\n")


def test_a_model_that_is_not_configured(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["evaluate", written(home, ASK), "--brain", "model"]) == 2
    assert "QINGHAI_MODEL__NAME" in capsys.readouterr().err
