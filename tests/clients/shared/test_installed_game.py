"""A game from outside in the hall: native clients play it, older clients are not disturbed."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

import pytest

from qipai.games.game_registry import OWN_GAMES
from qipai.stores.memory_store import MemoryStore
from qipai_reversi.game import GAME
from tests.clients.gomoku.gomoku_clients import create_room, player
from tests.clients.qtchess.qtchess_clients import NO_ROOM, Qt
from tests.support import hall_simulation
from tests.support.hall_simulation import HallSimulation, NativeClient

SHORTEST = ("f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6", "e3")


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer Reversi beside our own games."""
    monkeypatch.setattr(hall_simulation, "GAMES", MappingProxyType({**OWN_GAMES, "reversi": GAME}))


@pytest.fixture
def simulation(installed: None) -> Iterator[HallSimulation]:
    with HallSimulation() as made:
        yield made


def square(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def room_of(simulation: HallSimulation) -> tuple[NativeClient, NativeClient, str, str]:
    """Return two players in a running game, its room and its code."""
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    (opened,) = (each for each in ann.ask("open", game="reversi", nonce="1") if each["type"] == "room")
    room = opened["room"]
    bob.ask("join", room=room["id"], nonce="2")
    return ann, bob, room["id"], room["code"]


def play(players: tuple[NativeClient, NativeClient], room: str, moves: tuple[str, ...]) -> list[Any]:
    """Play the moves in turn; return the events of the last."""
    for number, name in enumerate(moves):
        move = {"do": "place", "square": square(name)}
        received = players[number % 2].ask("play", room=room, move=move, nonce=f"move {number}")
    events: list[Any] = [each for each in received if each["type"] == "events"][-1]["events"]
    return events


def test_the_welcome_names_the_web_module_of_this_game_only(simulation: HallSimulation) -> None:
    welcome = NativeClient(simulation).hello(name="Ann")
    modules = {game["name"]: game.get("module") for game in welcome["games"]}
    assert GAME.web is not None
    assert modules == {**dict.fromkeys(OWN_GAMES), "reversi": GAME.web.entry}
    assert [game["bots"] for game in welcome["games"] if game["name"] == "reversi"] == [
        ["easy", "normal", "hard"]
    ]


def test_native_clients_play_it_to_the_end(simulation: HallSimulation) -> None:
    ann, bob, room, _ = room_of(simulation)
    events = play((ann, bob), room, SHORTEST)
    assert [event["e"] for event in events] == ["placed", "game_over"]
    assert (events[1]["winners"], events[1]["reason"]) == ([0], "discs")


def test_a_room_of_it_is_restored_after_a_restart() -> None:
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        ann, bob, room, _ = room_of(simulation)
        play((ann, bob), room, SHORTEST[:4])
        token, clock = ann.token, simulation.loop.clock
    with HallSimulation(store, clock=clock + 1) as simulation:
        again = simulation.native_client(token=token)
        (shown,) = (each for each in again.ask("resume", room=room, version=0) if each["type"] == "room")
        assert [move["square"] for move in shown["room"]["position"]["moves"]] == list(
            map(square, SHORTEST[:4])
        )


def test_a_server_without_the_package_starts_and_serves_the_other_rooms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        room_of(simulation)
        code = create_room(player(simulation, "Cat"))
        clock = simulation.loop.clock
    monkeypatch.setattr(hall_simulation, "GAMES", OWN_GAMES)
    with HallSimulation(store, clock=clock + 1) as simulation:
        assert [live.durable.code for live in simulation.hall.executor.live_rooms.values()] == [code]
        assert simulation.native_client("Ann").ask("open", game="reversi", nonce="1")[0]["code"] == (
            "no_such_game"
        )


def test_the_lists_and_searches_of_older_clients_do_not_show_it(simulation: HallSimulation) -> None:
    dan = player(simulation, "Dan")
    eve = simulation.socketio_client("eve")
    qt = Qt(simulation)
    ann, bob, room, code = room_of(simulation)
    play((ann, bob), room, SHORTEST)
    simulation.wait(1)
    assert all(rows == [] for name, rows in dan.received() if name == "room-list")
    assert dan.ask("refresh-rooms") == [["room-list", []]]
    assert dan.ask("search-room", {"roomId": code}) == [["search-result", {"found": False}]]
    ((name, wrong),) = dan.ask("join-room", {"roomId": code, "asWatcher": True})
    assert (name, wrong["code"]) == ("error", "room_not_found")
    assert eve.ask("join_pvp")[0][0] == "waiting_for_opponent"
    assert NO_ROOM in str(qt.ask("joinRoom", room=code))
    assert create_room(dan), "the client is still served"
