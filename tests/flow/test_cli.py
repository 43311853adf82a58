"""The commands of run.py: what they print, and how they end."""

import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import run

ROOT = Path(__file__).parents[2]
ASK = "老板: 帮我问一下张三，v2.0 什么时候能提测\n"
MET = """
title: 问一句
now: "2026-03-16T10:00:00+08:00"
people:
  - {id: p_owner, name: 老板, role: owner, telegram: "1001"}
  - {id: p_zhangsan, name: 张三, feishu: ou_zhangsan}
steps:
  - say: {who: p_owner, text: 帮我问一下张三，v2.0 什么时候能提测}
  - expect: {to: p_zhangsan, contains: 提测, count: 1}
"""
UNMET = MET + "  - expect: {to: p_zhangsan, contains: 天气}\n"


@pytest.fixture(autouse=True)
def home(empty_home: Path) -> Path:
    return empty_home


class Cli:
    """Runs a command in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *argv: str, typed: str = "") -> tuple[int, str, str]:
        """Exit status, standard output, standard error; never with a trace."""
        self._monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            status = run.main(argv)
        except SystemExit as end:
            status = int(end.code or 0)
        out, err = self._capsys.readouterr()
        assert "Traceback" not in out + err
        return status, out, err

    def json(self, *argv: str) -> Any:
        """The JSON that a command prints."""
        status, out, err = self(*argv)
        assert (status, err) == (0, "")
        return json.loads(out)


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    return Cli(monkeypatch, capsys)


# --- the console on a pipe --------------------------------------------------------------------------------------------


def test_the_main_job_on_a_pipe(cli: Cli) -> None:
    status, out, err = cli("console", typed=f"{ASK}!advance 31m\n张三: 周四能提测\n")
    assert (status, err) == (0, "")
    assert out.index("清海 → 老板: ") < out.index("清海 → 张三: ") < out.index("[回流]")
    assert "关键信息：张三：周四能提测" in out


def test_without_a_command_and_a_channel_it_is_the_console(cli: Cli) -> None:
    status, out, err = cli(typed=ASK)
    assert (status, err) == (0, "")
    assert "清海 → 张三: " in out


def test_what_was_asked_is_there_at_the_next_start_and_the_clock_stays_advanced(cli: Cli) -> None:
    cli("console", typed=f"{ASK}!advance 30d\n")
    assert cli("console", typed="!until 2020-01-01\n!advance 1m\n")[0] == 0
    (found,) = cli.json("concerns", "--all", "--json")
    assert found["closed_at"] is not None
    _, doctor, _ = cli("doctor")
    assert "30 d ahead" in doctor


def test_lines_after_quit_are_not_read(cli: Cli) -> None:
    _, out, _ = cli("console", typed=f"!quit\n{ASK}")
    assert "清海 →" not in out


def test_bytes_that_are_no_text_do_no_harm(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "run.py"), "console"],
        input=b"\xff\xfe: \x00\n\xe8\x80\x81\xe6\x9d\xbf: \xe4\xbd\xa0\xe5\xa5\xbd\n",
        capture_output=True,
        cwd=home,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stdout + done.stderr
    assert "清海 → 老板: ".encode() in done.stdout


# --- looking ----------------------------------------------------------------------------------------------------------


def test_concerns_in_both_forms(cli: Cli) -> None:
    assert cli.json("concerns", "--json") == []
    cli("console", typed=ASK)
    (found,) = cli.json("concerns", "--json")
    assert found["status"] == "waiting_reply"
    assert [p["display_name"] for p in found["people"]] == ["老板", "张三"]
    _, out, _ = cli("concerns")
    assert found["title"] in out
    assert "张三" in out


def test_closed_concerns_are_shown_when_asked_for(cli: Cli) -> None:
    cli("console", typed=f"{ASK}张三: 周四能提测\n")
    assert cli.json("concerns", "--json") == []
    assert [c["status"] for c in cli.json("concerns", "--all", "--json")] == ["resolved"]


def test_one_concern_by_id_number_or_title(cli: Cli) -> None:
    cli("console", typed=ASK)
    (found,) = cli.json("concerns", "--json")
    for wanted in (found["concern_id"], found["concern_id"][-3:], "提测"):
        assert cli.json("concern", wanted, "--json")["concern_id"] == found["concern_id"]
    judgement = cli.json("concern", "提测", "--json")["judgement"]
    assert (f"f{judgement['fact_id']}", judgement["decision"]) == (found["cause"], "raise")
    assert (judgement["reason"], judgement["brain"]) == ("a plain request", "rules")
    assert judgement["text"] in ASK
    assert judgement["milliseconds"] >= 0
    _, out, _ = cli("concern", "提测")
    assert "想请问 v2.0 什么时候能提测" in out


def test_a_concern_that_is_not_there(cli: Cli) -> None:
    status, out, err = cli("concern", "con_20260316_001")
    assert (status, out) == (1, "")
    assert "con_20260316_001" in err
    assert err.count("\n") == 1


def test_the_agenda_in_both_forms(cli: Cli) -> None:
    cli("console", typed=ASK)
    (found,) = cli.json("concerns", "--json")
    agenda = cli.json("agenda", "--json")
    assert agenda["focus_queue"] == [found["concern_id"]]
    assert agenda["focus_reasons"] == {found["concern_id"]: []}
    assert [r["concern_id"] for r in agenda["concern_refs"]] == [found["concern_id"]]
    assert [d["what"] for d in agenda["recent_decisions"]] == ["raised"]
    _, out, _ = cli("agenda")
    assert found["title"] in out


# --- rehearse ---------------------------------------------------------------------------------------------------------


def write(home: Path, name: str, text: str) -> str:
    (home / name).write_text(text, encoding="utf-8")
    return name


def test_a_scenario_that_holds(cli: Cli, home: Path) -> None:
    status, out, err = cli("rehearse", write(home, "met.yaml", MET))
    assert (status, err) == (0, "")
    assert "10:00  老板 → 清海   帮我问一下张三" in out
    assert "✓ met.yaml: 2 steps, 1 expectations, all met." in out
    assert not (home / "data").exists()


def test_a_scenario_that_does_not_says_what_came_instead(cli: Cli, home: Path) -> None:
    status, out, _ = cli("rehearse", write(home, "met.yaml", MET), write(home, "unmet.yaml", UNMET))
    assert status == 1
    assert "✗ step 3 (expect): to 张三: wanted a message with '天气'" in out
    assert "✓ met.yaml" in out


def test_json_is_one_object_a_file(cli: Cli, home: Path) -> None:
    status, out, _ = cli("rehearse", "--json", write(home, "met.yaml", MET), write(home, "unmet.yaml", UNMET))
    assert status == 1
    met, unmet = (json.loads(line) for line in out.splitlines())
    assert (met["ok"], met["unmet"], unmet["ok"]) == (True, [], False)
    assert [(u["step"], u["kind"]) for u in unmet["unmet"]] == [(3, "expect")]
    assert (met["dialogue"][0]["from"], met["dialogue"][0]["to"]) == ("老板", "清海")


def test_answers_left_over_are_unmet_and_another_brain_passes_over_them(cli: Cli, home: Path) -> None:
    text = MET.replace("steps:", "brain: scripted\nsteps:\n  - model: {match_reply: {unclear: true}}")
    file = write(home, "left.yaml", text)
    status, out, _ = cli("rehearse", file)
    assert status == 1
    assert "match_reply" in out
    assert cli("rehearse", "--brain", "rules", file)[0] == 0


def test_a_restart_loses_nothing_of_what_is_due(cli: Cli, home: Path) -> None:
    text = MET + (
        "  - restart: {down: 1h}\n  - concern: {status: waiting_reply}\n  - advance: 3h\n"
        "  - expect: {to: p_zhangsan, contains: 提测, count: 1}\n  - silent: {to: p_zhangsan}\n"
    )
    status, out, _ = cli("rehearse", write(home, "restart.yaml", text))
    assert status == 0, out


def test_a_model_that_fails_is_rehearsed_whichever_brain_plays(cli: Cli, home: Path) -> None:
    reply = "  - say: {who: p_zhangsan, text: 周四能提测}\n"
    told = "  - expect: {to: p_owner, contains: '[回流]'}\n"
    fails = "  - model_fails: {error: timeout, times: 1}\n"
    status, out, _ = cli("rehearse", write(home, "well.yaml", MET + reply + told))
    assert status == 0, out
    assert cli("rehearse", write(home, "fails.yaml", MET + fails + reply + told))[0] == 1
    status, out, _ = cli("rehearse", write(home, "later.yaml", MET + fails + reply + "  - advance: 1m\n" + told))
    assert status == 0, out


def test_the_bot_goes_by_the_name_that_it_was_given(cli: Cli, home: Path) -> None:
    people = '[[people]]\nid = "p_zhangsan"\nname = "张三"\n'
    write(home, "qinghai.toml", f'[persona]\nname = "小助"\n[owner]\nid = "p_owner"\nname = "老板"\n{people}')
    out = cli("console", typed="帮我问一下张三，很急，什么时候能提测\n!advance 3d\n/start\n")[1]
    assert "我是自动助手小助" in out
    assert "清海" not in out


# --- when -------------------------------------------------------------------------------------------------------------


def test_when_with_a_text(cli: Cli) -> None:
    status, out, _ = cli("when", "--now", "2026-03-16T10:00+08:00", "下周五前给我")
    assert status == 0
    assert json.loads(out)["end"].startswith("2026-03-27")
    assert cli("when", "你好")[1] == "nothing found\n"


def test_when_is_in_the_configured_zone(cli: Cli) -> None:
    assert "2026-03-17T15:00:00+08:00" in cli("when", "--now", "2026-03-16T10:00", "明天下午三点")[1]
    assert "+08:00" in cli("when", "明天下午三点")[1]


def test_when_with_lines(cli: Cli) -> None:
    line = {"id": 7, "text": "in two hours", "lang": "en", "reference_time": "2026-03-16T10:00:00"}
    status, out, _ = cli("when", typed=json.dumps(line) + "\n\n" + json.dumps({"id": 8, "text": "hello"}) + "\n")
    assert status == 0
    first, second = (json.loads(x) for x in out.splitlines())
    assert (first["id"], first["found"][0]["start"]) == (7, "2026-03-16T12:00:00")
    assert second == {"id": 8, "found": []}


@pytest.mark.parametrize("typed", ["no json\n", '["a"]\n', '{"id": 1}\n', '{"id": 1, "text": 3}\n'])
def test_when_names_a_bad_line(cli: Cli, typed: str) -> None:
    status, out, err = cli("when", typed=typed)
    assert (status, out) == (2, "")
    assert "standard input, line 1" in err


def test_in_the_worked_example_the_delegate_hears_of_the_decision_before_the_report_back(cli: Cli) -> None:
    example = Path(__file__).parents[2] / "data/scenarios/worked-example.yaml"
    texts = [line["text"] for line in cli.json("rehearse", "--json", str(example))["dialogue"]]
    decided = next(n for n, text in enumerate(texts) if "老板同意临时方案" in text)
    assert decided < next(n for n, text in enumerate(texts) if "[回流]" in text)


# --- doctor -----------------------------------------------------------------------------------------------------------


def test_the_doctor_finds_the_defaults_in_order(cli: Cli) -> None:
    status, out, err = cli("doctor")
    assert (status, err) == (0, "")
    assert all(line.startswith("✓ ") for line in out.splitlines())
    assert len(out.splitlines()) >= 6


def test_the_doctor_says_what_is_wrong_and_goes_on(cli: Cli, home: Path) -> None:
    (home / "file").write_text("", encoding="utf-8")
    write(home, "qinghai.toml", 'database_url = "sqlite:///file/x.db"\n[[people]]\nid = "p"\nname = "张三"\n')
    status, out, _ = cli("doctor")
    assert status == 1
    wrong = [line for line in out.splitlines() if line.startswith("✗ ")]
    assert [w.split(":")[0] for w in wrong] == ["✗ configuration", "✗ database"]
    assert "✓ templates" in out


@pytest.mark.wire
def test_the_doctor_looks_at_the_port(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "✓ http: off; set QINGHAI_HTTP__PORT" in cli("doctor")[1]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setenv("QINGHAI_HTTP__PORT", str(port))
        status, out, _ = cli("doctor")
        assert status == 1
        assert f"✗ http: http.port = {port} on 127.0.0.1 cannot be had" in out
    assert f"✓ http: 127.0.0.1:{port} is free\n" in cli("doctor")[1]
    monkeypatch.setenv("QINGHAI_HTTP__HOST", "0.0.0.0")
    assert "open to other machines" in cli("doctor")[1]


def test_the_doctor_says_which_doors_are_open(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "✓ inlet: off with the port" in cli("doctor")[1]
    monkeypatch.setenv("QINGHAI_HTTP__PORT", "18080")
    monkeypatch.setenv("QINGHAI_HTTP__TOKEN", "a-token-that-nobody-guesses")
    out = cli("doctor")[1]
    assert "✓ inlet: open: /facts; /facts/gitlab is off (QINGHAI_HTTP__GITLAB_TOKEN); /facts/github is off" in out
    monkeypatch.setenv("QINGHAI_HTTP__GITHUB_SECRET", "hush")
    status, out, _ = cli("doctor")
    assert status == 1
    assert "✗ inlet: QINGHAI_HTTP__GITHUB_SECRET can be guessed" in out
    assert "hush" not in out


@pytest.mark.wire
def test_the_doctor_knows_the_bot_that_is_running(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def alive() -> None:
            answering, _ = listening.accept()
            with answering:
                answering.recv(4096)
                answering.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nalive\n")

        thread = threading.Thread(target=alive)
        thread.start()
        monkeypatch.setenv("QINGHAI_HTTP__PORT", str(listening.getsockname()[1]))
        assert "answers already: the bot is running" in cli("doctor")[1]
        thread.join()


def test_the_doctor_finds_half_a_model(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QINGHAI_MODEL__NAME", "qwen3")
    status, out, _ = cli("doctor")
    assert status == 1
    assert "✗ model" in out
    assert "QINGHAI_MODEL__API_KEY" in out


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("toml", "environ", "argv", "parts"),
    [
        ("a = \n", {}, ["concerns"], ["qinghai.toml", "line 1"]),
        ("[limits.followup]\nmeduim = ['4h']\n", {}, ["console"], ["meduim", "'medium'"]),
        ("", {"QINGHAI_TELEGRAM__TOKN": "1"}, ["serve"], ["QINGHAI_TELEGRAM__TOKEN"]),
        ("", {"QINGHAI_TELEGRAM__TOKEN": "1:a"}, ["serve"], ["[owner]", "telegram"]),
        ("", {"QINGHAI_HTTP__PORT": "8080"}, ["serve"], ["http.port"]),
        ("", {"QINGHAI_DATABASE_URL": "sqlite:////proc/nowhere/x.db"}, ["concerns"], ["/proc/nowhere"]),
        ("", {}, ["--config", "nowhere.toml", "concerns"], ["nowhere.toml"]),
        ("", {}, ["concerns", "--config", "nowhere.toml"], ["nowhere.toml"]),
        ("", {}, ["rehearse", "nowhere.yaml"], ["nowhere.yaml"]),
        ("", {}, ["rehearse", "--brain", "model", "met.yaml"], ["QINGHAI_MODEL__NAME"]),
        ("", {}, ["rehearse", "slip.yaml"], ["slip.yaml: step 2", "'expct'", "'expect'"]),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch,
    toml: str, environ: dict[str, str], argv: list[str], parts: list[str],
) -> None:  # fmt: skip
    write(home, "qinghai.toml", toml)
    write(home, "met.yaml", MET)
    write(home, "slip.yaml", MET.replace("expect", "expct"))
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    status, out, err = cli(*argv)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert [p for p in parts if p not in err] == []


@pytest.mark.parametrize("argv", [["nonsense"], ["rehearse"], ["concern"], ["when", "--now", "soon"], ["serve", "--x"]])
def test_wrong_usage_is_exit_2(cli: Cli, argv: list[str]) -> None:
    status, out, err = cli(*argv)
    assert (status, out) == (2, "")
    assert "usage" in err


@pytest.mark.parametrize("command", ["serve", "console", "rehearse", "doctor", "concerns", "concern", "agenda", "when"])
def test_each_command_helps(cli: Cli, command: str) -> None:
    status, out, _ = cli(command, "--help")
    assert status == 0
    assert command in out


def test_an_unexpected_error_is_one_sentence_too(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the cat\nsat on it")

    monkeypatch.setattr("bot.cli.look.clock_of", broken)
    status, _, err = cli("concerns")
    assert status == 1
    assert "RuntimeError: the cat sat on it" in err
    assert err.count("\n") == 1


# --- serve ------------------------------------------------------------------------------------------------------------


@pytest.mark.wire
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serve_ends_cleanly_on_a_signal_though_the_server_is_away(home: Path, number: signal.Signals) -> None:
    write(home, "qinghai.toml", '[owner]\nid = "p_owner"\nname = "老板"\ntelegram = "1001"\n')
    environ = {**os.environ, "QINGHAI_TELEGRAM__TOKEN": "1:abc", "QINGHAI_TELEGRAM__BASE_URL": "http://127.0.0.1:9/bot"}
    serving = subprocess.Popen(
        [sys.executable, str(ROOT / "run.py")], cwd=home, env=environ, stderr=subprocess.PIPE, text=True
    )
    try:
        assert serving.stderr is not None
        said = [serving.stderr.readline()]
        while "serving telegram" not in said[-1]:
            said.append(serving.stderr.readline())
            assert said[-1], said
        began = time.monotonic()
        serving.send_signal(number)
        rest = serving.communicate(timeout=20)[1]
        assert serving.returncode == 0
        assert time.monotonic() - began < 10
        assert "Traceback" not in "".join(said) + rest
        assert "1:abc" not in "".join(said) + rest
    finally:
        serving.kill()
        serving.wait()


def test_the_console_loads_no_library_that_it_does_not_need(home: Path) -> None:
    wanted = (
        "telegram",
        "openai",
        "lark_oapi",
        "prompt_toolkit",
        "yaml",
        "httpx",
        "starlette",
        "uvicorn",
        "prometheus_client",
    )
    look = f"import sys, bot.cli.serve; print([m for m in {wanted} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", look], cwd=home, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout == "[]\n"
