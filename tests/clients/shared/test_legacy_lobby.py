"""The list of tables that people without a login are told whole, and the native list beside it."""

from collections.abc import Sequence
from typing import Any

import pytest

from qipai.clients import legacy_lobby
from qipai.kernel.ids import RoomId
from qipai.stores.memory_store import MemoryStore
from tests.clients.gomoku.gomoku_clients import create_room, player
from tests.support.stage import Caller, Peer, Stage


class Jumbled(MemoryStore):
    """A store that knows the living rooms in another order than they were opened in."""

    def open_rooms(self) -> Sequence[RoomId]:
        rooms = list(super().open_rooms())
        return rooms[1:] + rooms[:1]


def rooms(caller: Caller) -> list[str]:
    ((_, rows),) = caller.ask("refresh-rooms")
    return [row["id"] for row in rows]


def news(peer: Peer, what: str) -> list[Any]:
    return [each for message in peer.heard() for each in message.get(what, ())]


def three_rooms(stage: Stage) -> list[str]:
    codes = []
    for name in ("Ann", "Bob", "Cat"):
        codes.append(create_room(player(stage, name)))
        stage.wait(1)
    return codes


def test_after_a_restart_the_oldest_room_is_still_the_first() -> None:
    store = Jumbled()
    with Stage(store) as stage:
        codes = three_rooms(stage)
        assert rooms(player(stage, "Dan")) == codes
        clock = stage.loop.clock
    with Stage(store, clock=clock + 1) as stage:
        assert rooms(player(stage, "Dan")) == codes
        codes.append(create_room(player(stage, "Eve")))
        assert rooms(player(stage, "Fay")) == codes


def test_a_new_room_is_the_last_without_sorting_the_others(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("sorted")

    monkeypatch.setattr(legacy_lobby, "sorted", never, raising=False)
    codes = three_rooms(stage)
    assert rooms(player(stage, "Dan")) == codes
    assert stage.hall.internal_errors.count == 0


def test_a_room_whose_only_person_is_cut_is_not_listed_until_he_is_back(stage: Stage) -> None:
    reader, ann = stage.peer("Dan"), player(stage, "Ann")
    reader.ask("lobby")
    create_room(ann)
    stage.wait(0.2)
    (listed,) = news(reader, "rooms")
    ann.cut()
    stage.wait(1)
    received = reader.heard()
    assert [message["gone"] for message in received if message.get("gone")] == [[listed["id"]]]
    assert not any(message.get("rooms") for message in received)
    assert "rooms" not in (stage.peer("Eve").ask("lobby")[0]), "nor does it stand in a list asked for now"
    reader.heard()
    ann.back()
    stage.wait(1)
    assert {row["id"] for row in news(reader, "rooms")} == {listed["id"]}


def test_a_room_whose_watcher_is_cut_stays_listed(stage: Stage) -> None:
    reader, ann, wat = stage.peer("Dan"), player(stage, "Ann"), player(stage, "Wat")
    reader.ask("lobby")
    room = create_room(ann)
    wat.ask("join-room", {"roomId": room, "asWatcher": True})
    ann.ask("leave-room", {"roomId": room})
    wat.cut()
    stage.wait(1)
    assert news(reader, "gone") == []


def test_a_server_that_stops_lets_the_people_of_the_lobby_go_without_a_fault(stage: Stage) -> None:
    ann, bob = player(stage, "Ann"), player(stage, "Bob")
    create_room(ann)
    stage.run(stage.hall.stop())
    ann.leave()
    bob.leave()
    stage.wait(1)
    assert stage.hall.internal_errors.count == 0
    assert stage.hall.persons == {}
