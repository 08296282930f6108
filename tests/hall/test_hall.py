"""Frames of one turn of the loop are heard together, and none is lost to another peer's trouble."""

import pytest

from qipai.hall.connections.connection import Connection
from qipai.protocol.native import Native
from tests.support.stage import Stage


class Stumbling(Native):
    """A dialect with a fault in it."""

    __slots__ = ()

    def decode(self, frame: bytes) -> tuple[()]:
        raise ZeroDivisionError("a fault of ours")


def test_trouble_with_one_peer_leaves_the_frames_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def broke(peer: Connection, error: Exception) -> None:
        raise error

    stage = Stage()
    ann, bob, cat = stage.peer("Ann"), stage.peer("Bob"), stage.peer("Cat")
    monkeypatch.setattr(stage.hall, "failed", broke)
    bob.connection.dialect = Stumbling()
    for number, peer in enumerate((ann, bob, cat)):
        peer.send("ping", n=number)
    assert [message["n"] for message in ann.heard() + cat.heard()] == [0, 2]
    assert bob.heard() == []
    assert len(stage.errors) == 1
    assert "a fault of ours" in stage.errors.pop()
    stage.close()
