"""Fixtures for every test."""

from collections import Counter
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


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with slow tests first, one of each folder in turn.

    Several processes take files in this order: no long file is left for the end, and tests that wait for
    time-outs run beside tests that compute.
    """
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    turns: Counter[tuple[bool, Path]] = Counter()
    order: dict[Path, tuple[bool, int]] = {}
    for path in dict.fromkeys(item.path for item in items):
        is_fast = path not in slow
        turns[is_fast, path.parent] += 1
        order[path] = is_fast, turns[is_fast, path.parent]
    items.sort(key=lambda item: order[item.path])


@pytest.fixture
def simulation() -> Iterator[HallSimulation]:
    with HallSimulation() as made:
        yield made


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path / "data") as made:
        yield made


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for the tests of a file, none of which depends on what another one left there."""
    with ServerProcess(tmp_path_factory.mktemp("shared") / "data") as made:
        yield made
