"""The keep-alive goes on when one connection fails."""

import pytest

from qipai.hall.connections.keep_alive import GROUPS, PERIOD, KeepAlive
from tests.support.hall_simulation import HallSimulation


def test_a_failure_in_one_connection_does_not_end_the_checks(
    simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = 0

    def failing(_self: KeepAlive, _connection: object) -> None:
        nonlocal checks
        checks += 1
        raise ValueError("a fault")

    simulation.native_client("Ann")
    monkeypatch.setattr(KeepAlive, "_check", failing)
    simulation.wait(3 * PERIOD / 1000 + PERIOD / 1000 / GROUPS)
    assert checks >= 3
    simulation.errors.clear()
