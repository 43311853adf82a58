"""The front door: `python run.py COMMAND`. Exit status 0 well, 1 the work failed, 2 wrong usage or configuration."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from core.errors import ConfigurationError, QinghaiError

# Each command imports what it needs when it runs: `--help` and a wrong argument answer at once.
if TYPE_CHECKING:
    from bot.settings import Settings

log = logging.getLogger("qinghai")


def serve(args: argparse.Namespace) -> int:
    """All configured channels until SIGTERM or SIGINT; the console where none is configured."""
    settings = _settings(args)
    from bot.cli.serve import run

    run(settings)
    return 0


def console(args: argparse.Namespace) -> int:
    """Owner and delegates in one terminal, or lines from a pipe."""
    settings = _settings(args, quiet=True)
    from bot.cli.serve import run_console

    run_console(settings)
    return 0


def rehearse(args: argparse.Namespace) -> int:
    """Scenario files on a virtual clock."""
    settings = _settings(args, quiet=True)
    from bot.cli.rehearse import rehearse as play

    return 0 if play(args.files, args.brain, settings, form="json" if args.json else "text") else 1


def doctor(args: argparse.Namespace) -> int:
    """Is everything in order? One line each, with the cure."""
    from bot.doctor import examine

    return 0 if examine(_config(args)) else 1


def concerns(args: argparse.Namespace) -> int:
    """The concerns on the database."""
    settings = _settings(args, quiet=True)
    from bot.cli.look import show_concerns

    show_concerns(settings, closed_too=args.all, form="json" if args.json else "text")
    return 0


def concern(args: argparse.Namespace) -> int:
    """One concern with its timeline and dialogue."""
    settings = _settings(args, quiet=True)
    from bot.cli.look import show_concern

    show_concern(settings, args.id, form="json" if args.json else "text")
    return 0


def agenda(args: argparse.Namespace) -> int:
    """Focus queue, watch items, recent decisions."""
    settings = _settings(args, quiet=True)
    from bot.cli.look import show_agenda

    show_agenda(settings, form="json" if args.json else "text")
    return 0


def when(args: argparse.Namespace) -> int:
    """What the time parser makes of a text."""
    from bot.cli.when import when_lines, when_text

    now = _now(args)
    if args.text:
        found = when_text(args.text, args.lang, now)
        print(found or "nothing found")
    else:
        when_lines(args.lang, now)
    return 0


def evaluate(args: argparse.Namespace) -> int:
    """How far a brain agrees with labelled cases."""
    settings = _settings(args, quiet=True)
    from bot.cli.evaluate import evaluate_files

    evaluate_files(args.files, args.brain, settings, misses=args.misses, form="json" if args.json else "text")
    return 0


def backup(args: argparse.Namespace) -> int:
    """A copy of the SQLite database, also while the bot runs."""
    settings = _settings(args, quiet=True)
    from bot.cli.backup import backup as copy

    copy(settings, args.file)
    return 0


def person_export(args: argparse.Namespace) -> int:
    """All that is kept of a person, as JSON."""
    settings = _settings(args, quiet=True)
    from bot.cli.person import export

    export(settings, args.id)
    return 0


def person_forget(args: argparse.Namespace) -> int:
    """Erase a person: their rows, and their names and words in those of others."""
    settings = _settings(args, quiet=True)
    from bot.cli.person import forget

    forget(settings, args.id)
    return 0


def parser() -> argparse.ArgumentParser:
    """All commands with their arguments."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--config", type=Path, metavar="FILE", default=argparse.SUPPRESS,
                        help="the TOML file (else QINGHAI_CONFIG, else ./qinghai.toml)")  # fmt: skip
    root = argparse.ArgumentParser(
        prog="run.py",
        parents=[shared],
        description="清海: asks people on your behalf, keeps at it, brings the answer back.",
    )
    root.set_defaults(run=serve)
    commands = root.add_subparsers(metavar="COMMAND", title="commands (serve where none is given)")

    def command(name: str, run: object) -> argparse.ArgumentParser:
        about = (getattr(run, "__doc__", None) or "").strip()
        sub = commands.add_parser(name, parents=[shared], help=about, description=about)
        sub.set_defaults(run=run)
        return sub

    command("serve", serve)
    command("console", console)
    sub = command("rehearse", rehearse)
    sub.add_argument("files", nargs="+", type=Path, metavar="FILE")
    sub.add_argument("--brain", choices=("rules", "scripted", "model"), help="instead of the one that the file names")
    sub.add_argument("--json", action="store_true", help="one JSON object a file")
    command("doctor", doctor)
    sub = command("concerns", concerns)
    sub.add_argument("--all", action="store_true", help="closed ones too")
    sub.add_argument("--json", action="store_true")
    sub = command("concern", concern)
    sub.add_argument("id", metavar="ID")
    sub.add_argument("--json", action="store_true")
    sub = command("agenda", agenda)
    sub.add_argument("--json", action="store_true")
    sub = command("when", when)
    sub.add_argument("text", nargs="*", metavar="TEXT", help="without it: JSON lines from standard input")
    sub.add_argument("--lang", choices=("zh", "en"))
    sub.add_argument("--now", type=_moment, metavar="ISO", help="the present, such as 2026-03-16T10:00+08:00")
    sub = command("evaluate", evaluate)
    sub.add_argument("files", nargs="+", type=Path, metavar="FILE")
    sub.add_argument("--brain", choices=("rules", "model"), default="rules", help="who is asked (rules)")
    sub.add_argument("--misses", action="store_true", help="every case that differs from its label, and how")
    sub.add_argument("--json", action="store_true", help="one JSON object a file")
    sub = command("backup", backup)
    sub.add_argument("file", type=Path, metavar="FILE", help="a new file")
    _person_commands(commands, shared)
    return root


def _person_commands(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], shared: argparse.ArgumentParser
) -> None:
    about = "What is kept of a person: export or forget."
    group = commands.add_parser("person", help=about, description=about)
    kinds = group.add_subparsers(metavar="WHAT", required=True)
    for name, run in (("export", person_export), ("forget", person_forget)):
        about = (run.__doc__ or "").strip()
        sub = kinds.add_parser(name, parents=[shared], help=about, description=about)
        sub.add_argument("id", metavar="ID", help="as /people and the people file have it, such as p_zhangsan")
        sub.set_defaults(run=run)


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a moment such as 2026-03-16T10:00+08:00") from None


def _now(args: argparse.Namespace) -> datetime:
    """The present that was given, else the real one; without an offset it is in the configured time zone."""
    from bot.system import SystemClock

    zone = ZoneInfo(_settings(args, quiet=True).timezone)
    now: datetime = args.now or SystemClock().now().astimezone(zone)
    return now if now.tzinfo else now.replace(tzinfo=zone)


def _config(args: argparse.Namespace) -> Path | None:
    """--config, wherever on the line it stood. The two parsers share the option, so it must not have a default."""
    return getattr(args, "config", None)


def _settings(args: argparse.Namespace, *, quiet: bool = False) -> Settings:
    from bot.cli.start import configured

    return configured(_config(args), quiet=quiet)


def _fail(sentence: str, status: int) -> int:
    """One line on standard error, whatever happened; the details only for those who asked for them."""
    if os.environ.get("QINGHAI_LOG_LEVEL", "").upper() == "DEBUG":
        log.debug("details", exc_info=True)
    print(f"run.py: {' '.join(sentence.split())}", file=sys.stderr)
    return status


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    args = parser().parse_args(argv)
    try:
        status: int = args.run(args)
        return status
    except ConfigurationError as error:
        return _fail(str(error), 2)
    except QinghaiError as error:
        return _fail(str(error), 1)
    except KeyboardInterrupt:
        return 1
    except BrokenPipeError:
        # Whoever read has seen enough; Python would complain once more when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return _fail(f"something went wrong that should not have ({what}); QINGHAI_LOG_LEVEL=DEBUG shows more.", 1)


if __name__ == "__main__":
    sys.exit(main())
