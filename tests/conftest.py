"""Fixtures for every test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.hall_simulation import HallSimulation
from tests.support.server import ServerProcess

settings.register_profile(
    "qipai", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("qipai")


@pytest.fixture
def simulation() -> Iterator[HallSimulation]:
    with HallSimulation() as made:
        yield made


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path / "data") as made:
        yield made
