"""Frames of one loop turn are handled together, and a failure in one connection loses none of another."""

import pytest

from qipai.hall.connections.connection import Connection
from qipai.protocol.native_codec import Native
from tests.support.hall_simulation import HallSimulation


class Stumbling(Native):
    """A dialect with a fault in it."""

    __slots__ = ()

    def decode(self, frame: bytes) -> tuple[()]:
        raise ZeroDivisionError("a fault of ours")


def test_a_failure_in_one_connection_leaves_the_frames_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def broke(peer: Connection, error: Exception) -> None:
        raise error

    simulation = HallSimulation()
    ann, bob, cat = (
        simulation.native_client("Ann"),
        simulation.native_client("Bob"),
        simulation.native_client("Cat"),
    )
    monkeypatch.setattr(simulation.hall, "failed", broke)
    bob.connection.dialect = Stumbling()
    for number, peer in enumerate((ann, bob, cat)):
        peer.send("ping", n=number)
    assert [message["n"] for message in ann.received() + cat.received()] == [0, 2]
    assert bob.received() == []
    assert len(simulation.errors) == 1
    assert "a fault of ours" in simulation.errors.pop()
    simulation.close()
