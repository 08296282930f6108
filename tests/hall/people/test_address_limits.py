"""What one address may do per minute: new guests, new rooms, reports."""

from collections.abc import Iterator
from typing import Any

import pytest

from qipai.clients.rate_window import RateWindow
from qipai.hall.connections.connection import OVERLOAD
from qipai.hall.people import presence
from qipai.hall.people.address_limits import REPORTS, Limits
from tests.clients.mahjong.mahjong_clients import start
from tests.clients.qtchess.qtchess_clients import speech
from tests.support.hall_simulation import HallSimulation, Message, NativeClient, RecordingTransport

HERE, THERE = "192.0.2.7", "2001:db8::/64"


@pytest.fixture
def simulation() -> Iterator[HallSimulation]:
    with HallSimulation(limits=Limits(guests=4, rooms=3)) as simulation:
        yield simulation
        assert simulation.errors == []


def open_room(client: NativeClient, nonce: str, **more: Any) -> Message:
    return client.ask("open", game="gomoku", nonce=nonce, **more)[0]


def rooms(simulation: HallSimulation) -> int:
    return len(simulation.hall.executor.live_rooms)


# Guests


def test_an_address_gets_a_limited_number_of_new_guests_per_minute(simulation: HallSimulation) -> None:
    tokens = [simulation.native_client(address=HERE).token for _ in range(4)]
    late = NativeClient(simulation, HERE)
    assert [notice["code"] for notice in late.ask("hello")] == ["rate_limited"]
    assert late.transport.closed == OVERLOAD
    known = simulation.native_client(token=tokens[0], address=HERE)
    assert known.transport.closed is None, "a guest who is known already is no new one"
    simulation.native_client(address=THERE)
    simulation.wait(60)
    simulation.native_client(address=HERE)


def test_a_token_that_is_not_valid_makes_a_new_guest(simulation: HallSimulation) -> None:
    for _ in range(4):
        simulation.native_client(token="forged", address=HERE)
    assert NativeClient(simulation, HERE).ask("hello", token="forged")[0]["code"] == "rate_limited"


def test_sockets_of_older_clients_count_as_new_guests(simulation: HallSimulation) -> None:
    def chess_client() -> RecordingTransport:
        transport = RecordingTransport()
        connection = RateWindow(transport, speech(simulation)(), simulation.hall, HERE)
        simulation.hall.connected(connection)
        create = b'{"action":"createRoom"}'
        simulation.loop.call_soon(simulation.hall.arrived, connection, create)
        simulation.settle()
        return transport

    transports = [chess_client() for _ in range(5)]
    assert [transport.closed for transport in transports] == [None, None, None, None, OVERLOAD]


@pytest.mark.parametrize("address", ["", "127.0.0.1", "::/64"])
def test_unknown_addresses_and_the_machine_itself_are_not_limited(
    simulation: HallSimulation, address: str
) -> None:
    for number in range(12):
        client = simulation.native_client(address=address)
        assert open_room(client, f"n{number}")["type"] == "room"


# Rooms


def test_an_address_opens_a_limited_number_of_rooms_per_minute(simulation: HallSimulation) -> None:
    ada, bo = simulation.native_client(address=HERE), simulation.native_client(address=HERE)
    assert open_room(ada, "1")["type"] == "room"
    assert open_room(bo, "1")["type"] == "room"
    assert ada.ask("quick_match", game="tictactoe")[0]["type"] == "room"
    refused = open_room(bo, "2")
    assert (refused["type"], refused["code"], refused["nonce"]) == ("refused", "rate_limited", "2")
    assert ada.ask("quick_match", game="gomoku")[0]["type"] == "room", "joins the room of the other"
    assert open_room(ada, "1")["type"] == "room", "the same intent again opens no room"
    assert open_room(simulation.native_client(address=THERE), "1")["type"] == "room"
    assert rooms(simulation) == 4
    simulation.wait(60)
    assert open_room(bo, "2")["type"] == "room"


def test_a_refused_room_is_not_counted(simulation: HallSimulation) -> None:
    ada = simulation.native_client(address=HERE)
    for number in range(5):
        assert open_room(ada, f"bad{number}", options={"size": -1})["code"] == "bad_options"
    assert [open_room(ada, f"n{number}")["type"] for number in range(4)] == ["room"] * 3 + ["refused"]


# Rooms without members


def test_only_rooms_of_the_same_address_are_closed_to_make_place(
    simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "MAX_DESERTED", 5)
    waiting = start(simulation, address=THERE)
    loaded = start(simulation)
    flood = [start(simulation, address=HERE) for _ in range(20)]
    simulation.wait(1)
    live = simulation.hall.executor.live_rooms
    assert {waiting, loaded} <= set(live)
    assert [room in live for room in flood] == [False] * 15 + [True] * 5
    assert rooms(simulation) == 7


def test_rooms_of_before_a_restart_do_not_close_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "MAX_DESERTED", 3)
    with HallSimulation() as simulation:
        loaded = [start(simulation, address=f"192.0.2.{number}") for number in range(8)]
        simulation.wait(1)
    with HallSimulation(store=simulation.store) as later:
        later.wait(1)
        assert set(loaded) <= set(later.hall.executor.live_rooms)
        later.wait(24 * 3600)
        assert rooms(later) == 0, "the idle alarm closes them"


def test_games_that_players_abandoned_count_for_the_address_that_opened_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(presence, "MAX_DESERTED", 3)
    with HallSimulation() as simulation:
        for number in range(8):
            client = simulation.native_client(address=HERE)
            table = {"disconnect_timeout": 0}
            assert open_room(client, f"n{number}", bot="easy", table=table)["type"] == "room"
            client.disconnect()
            simulation.wait(0.1)
        simulation.wait(10)
        assert rooms(simulation) == 3


def test_rooms_that_nobody_came_to_vanish(simulation: HallSimulation) -> None:
    start(simulation, address=HERE)
    start(simulation, address=HERE, seats="token", timeouts=True)
    simulation.wait(601)
    assert rooms(simulation) == 0


# Reports


def test_an_address_makes_a_limited_number_of_reports_per_minute() -> None:
    with HallSimulation() as simulation:
        host = simulation.native_client("Ada", address=THERE)
        room = open_room(host, "1")["room"]["id"]
        answers = []
        for person in range(6):
            client = simulation.native_client(address=HERE)
            client.ask("watch", room=room)
            for number in range(4):
                (answer,) = client.ask("report", room=room, text="spam", nonce=f"{person}.{number}")
                answers.append(answer["type"])
        assert answers == ["unchanged"] * REPORTS + ["refused"] * 4
        assert host.ask("report", room=room, text="spam", nonce="h")[-1]["type"] == "unchanged"
        simulation.wait(60)
        assert client.ask("report", room=room, text="spam", nonce="later")[-1]["type"] == "unchanged"
