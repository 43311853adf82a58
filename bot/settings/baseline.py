"""The texts that stand in front of every context: `data/safety/LANGUAGE.md` and `data/persona/LANGUAGE.md`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from bot.settings.schema import Language
from core.context.model import Baseline
from core.errors import ConfigurationError

DATA = Path(__file__).parents[2] / "data"


def load_baseline(folder: Path = DATA) -> Mapping[str, Baseline]:
    """Both texts by language. Raises `ConfigurationError` naming a file that is missing, empty or no UTF-8."""
    return {
        language: Baseline(
            safety=_text(folder / "safety" / f"{language}.md"), persona=_text(folder / "persona" / f"{language}.md")
        )
        for language in get_args(Language)
    }


def _text(file: Path) -> str:
    try:
        text = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"{file} cannot be read ({type(error).__name__}); it belongs to the program."
        ) from None
    if not text:
        raise ConfigurationError(f"{file} is empty; it belongs to the program.")
    return text
