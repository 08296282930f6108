"""The keep-alive goes on when one connection fails, and checks a crowd in slices."""

from typing import Any

import pytest

from qipai.hall.connections.keep_alive import CHECKED_AT_ONCE, GROUPS, PERIOD, KeepAlive
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


def test_no_turn_of_the_event_loop_checks_more_connections_than_a_slice(
    simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns: list[int] = []
    check_some = KeepAlive._check_some

    def counting(self: KeepAlive) -> None:
        turns.append(0)
        check_some(self)

    def counted(_self: KeepAlive, _connection: Any) -> None:
        turns[-1] += 1

    clients = [simulation.native_client() for _ in range(GROUPS * (2 * CHECKED_AT_ONCE + 1))]
    monkeypatch.setattr(KeepAlive, "_check_some", counting)
    monkeypatch.setattr(KeepAlive, "_check", counted)
    simulation.wait(PERIOD / 1000)
    assert max(turns) == CHECKED_AT_ONCE
    assert sum(turns) == len(clients)
