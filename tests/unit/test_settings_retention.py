"""How long is kept what is over, as it is written in the configuration."""

from datetime import timedelta
from typing import Any

import pytest

from bot.settings import build_settings
from bot.settings.schema import RetentionSettings
from core.errors import ConfigurationError

YEAR = timedelta(days=365)


@pytest.mark.parametrize(
    ("table", "facts", "concerns"),
    [
        ({}, YEAR, YEAR),
        ({"facts": "30d", "concerns": "keep"}, timedelta(days=30), None),
        ({"facts": "Keep"}, None, YEAR),
        ({"facts": "7d"}, timedelta(days=7), YEAR),
    ],
)
def test_what_is_kept(table: dict[str, Any], facts: timedelta | None, concerns: timedelta | None) -> None:
    kept: RetentionSettings = build_settings({"retention": table}, "qinghai.toml").retention
    assert (kept.facts, kept.concerns) == (facts, concerns)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"facts": "6d"}, "qinghai.toml: retention.facts = '6d' will not do; it must be 7d at least"),
        (
            {"facts": "a year"},
            "qinghai.toml: retention.facts = 'a year' will not do; it must be a duration such as '365d', or",
        ),
        ({"fact": "30d"}, "qinghai.toml: unknown key 'retention.fact'; did you mean 'facts'?"),
    ],
)
def test_what_is_wrong_is_named(table: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        build_settings({"retention": table}, "qinghai.toml")
    assert str(raised.value).startswith(said)
