"""Gomoku clients in rooms: concurrent requests, limits and rate limits."""

import json

import pytest

from qipai.clients.legacy_lobby import MAX_ROWS
from qipai.hall.people.presence import MAX_DESERTED
from qipai.kernel.ids import RoomId
from qipai.kernel.room import Phase
from tests.clients.gomoku.gomoku_clients import (
    create_room,
    error,
    match,
    names,
    place,
    player,
    room_of,
    win,
    without_lobby,
)
from tests.support.hall_simulation import HallSimulation

# Concurrent requests


def test_two_simultaneous_joins_for_the_last_seat_seat_one(simulation: HallSimulation) -> None:
    ann, bob, cat = (player(simulation, name) for name in ("Ann", "Bob", "Cat"))
    room = create_room(ann)
    bob.send("join-room", {"roomId": room})
    cat.send("join-room", {"roomId": room})
    assert names(without_lobby(bob.received())) == ["room-joined", "room-updated"]
    assert error(cat.received()) == "room_full"


def test_two_simultaneous_quick_matches_make_one_game(simulation: HallSimulation) -> None:
    ann, bob = player(simulation, "Ann"), player(simulation, "Bob")
    ann.send("quick-match")
    bob.send("quick-match")
    assert room_of(ann.received())["status"] == room_of(bob.received())["status"] == "playing"
    assert len(simulation.hall.executor.live_rooms) == 1


def test_two_simultaneous_stones_place_one(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    for _ in range(2):
        ann.send("place-stone", {"roomId": room, "x": 7, "y": 7})
    bob.send("place-stone", {"roomId": room, "x": 7, "y": 7})
    received = ann.received()
    assert names(received) == ["stone-placed", "room-updated", "error"]
    assert received[-1][1]["code"] == "not_your_turn"
    assert bob.received()[-1][1]["code"] == "invalid_position"


def test_frames_sent_together_are_handled_in_order(simulation: HallSimulation) -> None:
    ann, bob = player(simulation, "Ann"), player(simulation, "Bob")
    room = create_room(ann)
    bob.send("join-room", {"roomId": room})
    bob.send("chat-message", {"roomId": room, "message": "hi"})
    bob.send("request-swap", {"roomId": room})
    bob.send("leave-room", {"roomId": room})
    assert names(without_lobby(bob.received())) == ["room-joined", "room-updated"]
    assert names(without_lobby(ann.received())) == [
        "player-joined", "room-updated", "chat-received", "swap-requested", "player-left", "game-over",
        "room-updated",
    ]  # fmt: skip
    assert bob.connection.rooms == {}


def test_a_client_that_disconnects_while_joining_leaves_no_seat_taken(simulation: HallSimulation) -> None:
    ann, bob = player(simulation, "Ann"), player(simulation, "Bob")
    room = create_room(ann)
    bob.send("join-room", {"roomId": room})
    simulation.loop.call_soon(simulation.hall.arrived, bob.connection, None)
    simulation.settle()
    view = room_of(ann.received())
    assert view["players"]["white"] is None
    assert bob.connection.rooms == {}


def test_a_spectator_who_takes_a_seat_is_no_longer_a_spectator(simulation: HallSimulation) -> None:
    ann, bob = player(simulation, "Ann"), player(simulation, "Bob")
    room = create_room(ann)
    bob.ask("join-room", {"roomId": room, "asWatcher": True})
    ann.received()
    received = bob.ask("join-room", {"roomId": room})
    assert (received[0][1]["role"], room_of(received)["watchers"]) == ("white", [])
    for _, view in [each for each in ann.received() if each[0] == "room-updated"]:
        both = [one["nickname"] for one in (*view["players"].values(), *view["watchers"]) if one]
        assert len(both) == len(set(both))


def test_a_player_who_asks_to_watch_the_same_room_keeps_the_seat(simulation: HallSimulation) -> None:
    ann, _, room = match(simulation)
    received = ann.ask("join-room", {"roomId": room, "asWatcher": True})
    assert received[0][1]["role"] == "black"
    assert room_of(received)["status"] == "playing"


def test_black_is_free_again_after_everybody_has_left(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    bob.ask("surrender", {"roomId": room})
    ann.ask("request-rematch", {"roomId": room})
    bob.ask("request-rematch", {"roomId": room})
    place(bob, room, 1, 1)
    for one in (ann, bob):
        one.ask("leave-room", {"roomId": room})
    received = ann.ask("join-room", {"roomId": room})
    view = room_of(received)
    assert (received[0][1]["role"], view["status"], view["history"], view["winner"]) == (
        "black",
        "waiting",
        [],
        None,
    )
    assert view["board"] == [[0] * 15] * 15
    assert room_of(bob.ask("join-room", {"roomId": room}))["myRole"] == "white"
    assert names(place(ann, room, 1, 1)) == ["player-joined", "room-updated", "stone-placed", "room-updated"]


# Limits


def test_the_room_list_and_the_online_count_are_sent_at_most_ten_times_a_second(
    simulation: HallSimulation,
) -> None:
    eve = player(simulation, "Eve")
    for number in range(20):
        one = simulation.socketio_client(login=False)
        one.ask("join-lobby", {"nickname": f"P{number}"})
        one.ask("create-room", {"name": "r"})
    simulation.wait(0.25)
    received = eve.received()
    assert len(received) <= 4
    counts = [argument["count"] for event, argument in received if event == "online-count"]
    assert counts[-1] == 21
    assert len(received[-1][1]) == 20 or len(received[-2][1]) == 20


def test_moves_and_chat_send_nothing_to_the_lobby(simulation: HallSimulation) -> None:
    ann, _, room = match(simulation)
    eve = player(simulation, "Eve")
    place(ann, room, 7, 7)
    ann.ask("chat-message", {"roomId": room, "message": "hi"})
    simulation.wait(1)
    assert eve.received() == []


def test_a_change_is_encoded_once_per_role(simulation: HallSimulation) -> None:
    ann, _, room = match(simulation)
    spectators = [player(simulation, f"W{number}") for number in range(3)]
    for spectator in spectators:
        spectator.ask("join-room", {"roomId": room, "asWatcher": True})
    place(ann, room, 7, 7)
    placed, updated = spectators[0].transport.frames[-2:]
    for spectator in spectators[1:]:
        assert spectator.transport.frames[-2] is placed
        assert spectator.transport.frames[-1] is updated
    assert ann.transport.frames[-1] is not updated


def test_frames_above_the_rate_limit_are_dropped_with_one_error_a_second(simulation: HallSimulation) -> None:
    ann = player(simulation, "Ann")
    for _ in range(300):
        ann.send("search-room", {"roomId": "1"})
    received = ann.received()
    assert len([each for each in received if each[0] == "search-result"]) == 100
    assert [each for each in received if each[0] == "error"] == [
        ["error", {"code": "rate_limited", "message": "操作过于频繁，请稍后再试"}]
    ]
    assert ann.transport.closed is None
    simulation.wait(3)
    assert names(ann.ask("search-room", {"roomId": "1"})) == ["search-result"]


def test_chat_above_the_rate_limit_is_dropped_with_one_error_a_second(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    for number in range(12):
        ann.send("chat-message", {"roomId": room, "message": str(number)})
    assert sorted(names(ann.received())) == ["chat-received"] * 5 + ["error"]
    assert names(bob.received())[-5:] == ["chat-received"] * 5


def test_a_dropped_chat_line_is_reported_to_its_author_only(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    for number in range(5):
        ann.ask("chat-message", {"roomId": room, "message": str(number)})
    bob.received()
    for _ in range(3):
        simulation.wait(1)
        assert ann.ask("chat-message", {"roomId": room, "message": "too much"}) == [
            ["error", {"code": "rate_limited", "message": "操作过于频繁，请稍后再试"}]
        ]
    assert bob.received() == []
    simulation.wait(8)
    assert names(ann.ask("chat-message", {"roomId": room, "message": "again"})) == ["chat-received"]


def test_equal_nicknames_get_distinct_suffixes_that_stay(simulation: HallSimulation) -> None:
    callers = [simulation.socketio_client(login=False) for _ in range(50)]
    for caller in callers:
        caller.ask("join-lobby", {"nickname": "Ann"})
    assert [caller.connection.name for caller in callers] == ["Ann", *(f"Ann#{n}" for n in range(2, 51))]
    callers[7].ask("join-lobby", {"nickname": "Ann"})
    assert callers[7].connection.name == "Ann#8"
    callers[0].leave()
    callers[7].ask("join-lobby", {"nickname": "Bea"})
    callers[7].ask("join-lobby", {"nickname": "Ann"})
    assert callers[7].connection.name == "Ann"
    bob = player(simulation, "Ann#9")
    assert bob.connection.name == "Ann#9#2"


def test_a_long_room_list_has_the_rooms_that_can_be_joined(simulation: HallSimulation) -> None:
    ann = player(simulation, "Ann")
    for number in range(MAX_ROWS + 5):
        ann.send("create-room", {"name": f"r{number}"})
        simulation.wait(0.03)
    late = create_room(player(simulation, "Bob"))
    ((_, rows),) = simulation.socketio_client(login=False).ask("refresh-rooms")
    assert len(rows) <= MAX_ROWS
    assert rows[-1]["id"] == late


def test_empty_rooms_are_removed(simulation: HallSimulation) -> None:
    ann = player(simulation, "Ann")
    ann.connection.address = "192.0.2.7"
    for number in range(MAX_DESERTED + 30):
        ann.send("create-room", {"name": f"r{number}"})
        simulation.wait(0.03)
    simulation.settle()
    assert len(simulation.hall.executor.live_rooms) <= MAX_DESERTED + 2
    simulation.wait(301)
    assert len(simulation.hall.executor.live_rooms) == 1


def test_only_the_last_fifty_chat_lines_are_kept(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    for number in range(60):
        ann.ask("chat-message", {"roomId": room, "message": f"line {number}"})
        simulation.wait(2)
    place(ann, room, 7, 7)
    chat = room_of(bob.received())["chat"]
    assert [line["message"] for line in chat] == [f"line {number}" for number in range(10, 60)]


# Never sent


def test_no_socket_id_person_or_token_is_ever_sent(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    spectator = player(simulation, "Wat")
    spectator.ask("join-room", {"roomId": room, "asWatcher": True})
    win(ann, bob, room)
    secrets = [one.sid for one in (ann, bob, spectator)]
    secrets += [str(one.connection.person) for one in (ann, bob, spectator)]
    for one in (ann, bob, spectator):
        received = b"".join(one.transport.frames).decode()
        assert not any(secret in received for secret in secrets)
        assert "token" not in received


def test_room_updates_agree_with_the_room(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    for number in range(30):
        place((ann, bob)[number % 2], room, number % 15, number // 15 * 5)
    top = json.loads(ann.transport.frames[-1])[1]
    inner = top.pop("room")
    assert top == inner
    assert " ".join(inner) == ("id name board players watchers currentTurn history chat winner status myRole")
    assert [(stone["x"], stone["y"]) for stone in inner["history"]] == [
        (number % 15, number // 15 * 5) for number in range(30)
    ]


@pytest.mark.parametrize("who", ["black", "white"])
def test_a_player_who_stays_disconnected_loses(simulation: HallSimulation, who: str) -> None:
    ann, bob, room = match(simulation)
    goes, stays = (ann, bob) if who == "black" else (bob, ann)
    place(ann, room, 7, 7)
    goes.lose_transport()
    simulation.wait(121)
    view = room_of(stays.received())
    assert (view["status"], view["winner"]) == ("ended", 2 if who == "black" else 1)
    live_room = simulation.hall.executor.live_rooms[RoomId(next(iter(stays.connection.rooms)))]
    assert live_room.latest.phase is Phase.OVER


def test_a_refused_join_does_not_block_the_next_one(simulation: HallSimulation) -> None:
    _, _, full = match(simulation)
    cat, dan = player(simulation, "Cat"), player(simulation, "Dan")
    room = create_room(cat)
    dan.send("join-room", {"roomId": full})
    dan.send("join-room", {"roomId": room})
    assert sorted(names(without_lobby(dan.received()))) == ["error", "room-joined", "room-updated"]
