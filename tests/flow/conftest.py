"""Fixtures of several files of this folder."""

from collections.abc import Iterator

import pytest

from tests.flow.command_world import World


@pytest.fixture
def world() -> Iterator[World]:
    made = World()
    yield made
    made.store.close()
