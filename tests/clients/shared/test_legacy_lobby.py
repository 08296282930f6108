"""Whole room lists for older clients, beside the native list."""

from collections.abc import Sequence
from typing import Any

import pytest

from qipai.clients import legacy_lobby
from qipai.kernel.ids import RoomId
from qipai.stores.memory_store import MemoryStore
from tests.clients.gomoku.gomoku_clients import create_room, player
from tests.support.hall_simulation import HallSimulation, NativeClient, SocketIOClient


class Jumbled(MemoryStore):
    """A store that knows the living rooms in another order than they were opened in."""

    def open_rooms(self) -> Sequence[RoomId]:
        rooms = list(super().open_rooms())
        return rooms[1:] + rooms[:1]


def rooms(caller: SocketIOClient) -> list[str]:
    ((_, rows),) = caller.ask("refresh-rooms")
    return [row["id"] for row in rows]


def news(peer: NativeClient, what: str) -> list[Any]:
    return [each for message in peer.received() for each in message.get(what, ())]


def three_rooms(simulation: HallSimulation) -> list[str]:
    codes = []
    for name in ("Ann", "Bob", "Cat"):
        codes.append(create_room(player(simulation, name)))
        simulation.wait(1)
    return codes


def test_after_a_restart_the_oldest_room_is_still_the_first() -> None:
    store = Jumbled()
    with HallSimulation(store) as simulation:
        codes = three_rooms(simulation)
        assert rooms(player(simulation, "Dan")) == codes
        clock = simulation.loop.clock
    with HallSimulation(store, clock=clock + 1) as simulation:
        assert rooms(player(simulation, "Dan")) == codes
        codes.append(create_room(player(simulation, "Eve")))
        assert rooms(player(simulation, "Fay")) == codes


def test_a_new_room_is_the_last_without_sorting_the_others(
    simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("sorted")

    monkeypatch.setattr(legacy_lobby, "sorted", never, raising=False)
    codes = three_rooms(simulation)
    assert rooms(player(simulation, "Dan")) == codes
    assert simulation.hall.internal_errors.count == 0


def test_a_room_whose_only_player_has_no_transport_is_not_listed(simulation: HallSimulation) -> None:
    reader, ann = simulation.native_client("Dan"), player(simulation, "Ann")
    reader.ask("lobby")
    create_room(ann)
    simulation.wait(0.2)
    (listed,) = news(reader, "rooms")
    ann.lose_transport()
    simulation.wait(1)
    received = reader.received()
    assert [message["gone"] for message in received if message.get("gone")] == [[listed["id"]]]
    assert not any(message.get("rooms") for message in received)
    assert "rooms" not in (simulation.native_client("Eve").ask("lobby")[0]), (
        "nor does it stand in a list asked for now"
    )
    reader.received()
    ann.recover()
    simulation.wait(1)
    assert {row["id"] for row in news(reader, "rooms")} == {listed["id"]}


def test_a_room_in_which_only_a_spectator_is_left_is_not_listed(simulation: HallSimulation) -> None:
    reader, ann, wat = simulation.native_client("Dan"), player(simulation, "Ann"), player(simulation, "Wat")
    reader.ask("lobby")
    room = create_room(ann)
    wat.ask("join-room", {"roomId": room, "asWatcher": True})
    simulation.wait(1)
    (listed,) = news(reader, "rooms")
    ann.ask("leave-room", {"roomId": room})
    simulation.wait(1)
    assert news(reader, "gone") == [listed["id"]]


def test_a_stopping_server_releases_all_nicknames_without_an_error(simulation: HallSimulation) -> None:
    ann, bob = player(simulation, "Ann"), player(simulation, "Bob")
    create_room(ann)
    simulation.run(simulation.hall.stop())
    ann.leave()
    bob.leave()
    simulation.wait(1)
    assert simulation.hall.internal_errors.count == 0
    assert simulation.hall.persons == {}
