"""Rooms with an opening rule or a board size that gomoku clients do not know do not exist for them."""

from typing import Any

import pytest

from tests.clients.gomoku.gomoku_clients import error, names, player, room_of
from tests.support.hall_simulation import HallSimulation, NativeClient

OPTIONS = [{"rule": "swap2"}, {"rule": "renju"}, {"size": 19}]


def open_room(bob: NativeClient, nonce: str, options: dict[str, Any]) -> str:
    """Open a room with a web client and return its code."""
    code = bob.ask("open", game="gomoku", nonce=nonce, options=options)[0]["room"]["code"]
    bob.received()
    return str(code)


@pytest.mark.parametrize("options", OPTIONS)
def test_such_a_room_is_not_listed_found_or_joined(
    simulation: HallSimulation, options: dict[str, Any]
) -> None:
    bob, ann = simulation.native_client("Bob"), player(simulation, "Ann")
    code = open_room(bob, "1", options)
    simulation.wait(1)
    assert ann.received() == []
    assert ann.ask("refresh-rooms") == [["room-list", []]]
    assert ann.ask("search-room", {"roomId": code}) == [["search-result", {"found": False}]]
    for watch in (False, True):
        assert error(ann.ask("join-room", {"roomId": code, "asWatcher": watch})) == "room_not_found"


@pytest.mark.parametrize("options", OPTIONS)
def test_quick_match_passes_over_such_a_room(simulation: HallSimulation, options: dict[str, Any]) -> None:
    bob, cyd = simulation.native_client("Bob"), simulation.native_client("Cyd")
    ann = player(simulation, "Ann")
    open_room(bob, "1", options)
    usual = open_room(cyd, "1", {})
    joined = ann.ask("quick-match")
    assert names(joined)[0] == "room-joined"
    assert room_of(joined)["id"] == usual


def test_a_room_with_the_usual_options_written_out_is_a_usual_room(simulation: HallSimulation) -> None:
    bob, ann = simulation.native_client("Bob"), player(simulation, "Ann")
    code = open_room(bob, "1", {"rule": "free", "size": 15})
    simulation.wait(1)
    ann.received()
    assert [row["id"] for row in ann.ask("refresh-rooms")[0][1]] == [code]
    assert room_of(ann.ask("join-room", {"roomId": code}))["status"] == "playing"
