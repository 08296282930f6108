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
from tests.support.stage import Stage

# Concurrent requests


def test_two_simultaneous_joins_for_the_last_seat_seat_one(stage: Stage) -> None:
    ann, bob, cat = (player(stage, name) for name in ("Ann", "Bob", "Cat"))
    room = create_room(ann)
    bob.send("join-room", {"roomId": room})
    cat.send("join-room", {"roomId": room})
    assert names(without_lobby(bob.heard())) == ["room-joined", "room-updated"]
    assert error(cat.heard()) == "room_full"


def test_two_simultaneous_quick_matches_make_one_game(stage: Stage) -> None:
    ann, bob = player(stage, "Ann"), player(stage, "Bob")
    ann.send("quick-match")
    bob.send("quick-match")
    assert room_of(ann.heard())["status"] == room_of(bob.heard())["status"] == "playing"
    assert len(stage.hall.executor.live_rooms) == 1


def test_two_simultaneous_stones_place_one(stage: Stage) -> None:
    ann, bob, room = match(stage)
    for _ in range(2):
        ann.send("place-stone", {"roomId": room, "x": 7, "y": 7})
    bob.send("place-stone", {"roomId": room, "x": 7, "y": 7})
    received = ann.heard()
    assert names(received) == ["stone-placed", "room-updated", "error"]
    assert received[-1][1]["code"] == "not_your_turn"
    assert bob.heard()[-1][1]["code"] == "invalid_position"


def test_frames_sent_together_are_handled_in_order(stage: Stage) -> None:
    ann, bob = player(stage, "Ann"), player(stage, "Bob")
    room = create_room(ann)
    bob.send("join-room", {"roomId": room})
    bob.send("chat-message", {"roomId": room, "message": "hi"})
    bob.send("request-swap", {"roomId": room})
    bob.send("leave-room", {"roomId": room})
    assert names(without_lobby(bob.heard())) == ["room-joined", "room-updated"]
    assert names(without_lobby(ann.heard())) == [
        "player-joined", "room-updated", "chat-received", "swap-requested", "player-left", "game-over",
        "room-updated",
    ]  # fmt: skip
    assert bob.connection.rooms == {}


def test_a_client_that_disconnects_while_joining_leaves_no_seat_taken(stage: Stage) -> None:
    ann, bob = player(stage, "Ann"), player(stage, "Bob")
    room = create_room(ann)
    bob.send("join-room", {"roomId": room})
    stage.loop.call_soon(stage.hall.arrived, bob.connection, None)
    stage.settle()
    view = room_of(ann.heard())
    assert view["players"]["white"] is None
    assert bob.connection.rooms == {}


def test_a_spectator_who_takes_a_seat_is_no_longer_a_spectator(stage: Stage) -> None:
    ann, bob = player(stage, "Ann"), player(stage, "Bob")
    room = create_room(ann)
    bob.ask("join-room", {"roomId": room, "asWatcher": True})
    ann.heard()
    received = bob.ask("join-room", {"roomId": room})
    assert (received[0][1]["role"], room_of(received)["watchers"]) == ("white", [])
    for _, view in [each for each in ann.heard() if each[0] == "room-updated"]:
        both = [one["nickname"] for one in (*view["players"].values(), *view["watchers"]) if one]
        assert len(both) == len(set(both))


def test_a_player_who_asks_to_watch_the_same_room_keeps_the_seat(stage: Stage) -> None:
    ann, _, room = match(stage)
    received = ann.ask("join-room", {"roomId": room, "asWatcher": True})
    assert received[0][1]["role"] == "black"
    assert room_of(received)["status"] == "playing"


def test_black_is_free_again_after_everybody_has_left(stage: Stage) -> None:
    ann, bob, room = match(stage)
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


def test_the_room_list_and_the_online_count_are_sent_at_most_ten_times_a_second(stage: Stage) -> None:
    eve = player(stage, "Eve")
    for number in range(20):
        one = stage.caller(login=False)
        one.ask("join-lobby", {"nickname": f"P{number}"})
        one.ask("create-room", {"name": "r"})
    stage.wait(0.25)
    received = eve.heard()
    assert len(received) <= 4
    counts = [argument["count"] for event, argument in received if event == "online-count"]
    assert counts[-1] == 21
    assert len(received[-1][1]) == 20 or len(received[-2][1]) == 20


def test_moves_and_chat_send_nothing_to_the_lobby(stage: Stage) -> None:
    ann, _, room = match(stage)
    eve = player(stage, "Eve")
    place(ann, room, 7, 7)
    ann.ask("chat-message", {"roomId": room, "message": "hi"})
    stage.wait(1)
    assert eve.heard() == []


def test_a_change_is_encoded_once_per_role(stage: Stage) -> None:
    ann, _, room = match(stage)
    spectators = [player(stage, f"W{number}") for number in range(3)]
    for spectator in spectators:
        spectator.ask("join-room", {"roomId": room, "asWatcher": True})
    place(ann, room, 7, 7)
    placed, updated = spectators[0].wire.frames[-2:]
    for spectator in spectators[1:]:
        assert spectator.wire.frames[-2] is placed
        assert spectator.wire.frames[-1] is updated
    assert ann.wire.frames[-1] is not updated


def test_frames_above_the_rate_limit_are_dropped_with_one_error_a_second(stage: Stage) -> None:
    ann = player(stage, "Ann")
    for _ in range(300):
        ann.send("search-room", {"roomId": "1"})
    received = ann.heard()
    assert len([each for each in received if each[0] == "search-result"]) == 100
    assert [each for each in received if each[0] == "error"] == [
        ["error", {"code": "rate_limited", "message": "操作过于频繁，请稍后再试"}]
    ]
    assert ann.wire.closed is None
    stage.wait(3)
    assert names(ann.ask("search-room", {"roomId": "1"})) == ["search-result"]


def test_chat_above_the_rate_limit_is_dropped_with_one_error_a_second(stage: Stage) -> None:
    ann, bob, room = match(stage)
    for number in range(12):
        ann.send("chat-message", {"roomId": room, "message": str(number)})
    assert sorted(names(ann.heard())) == ["chat-received"] * 5 + ["error"]
    assert names(bob.heard())[-5:] == ["chat-received"] * 5


def test_a_dropped_chat_line_is_reported_to_its_author_only(stage: Stage) -> None:
    ann, bob, room = match(stage)
    for number in range(5):
        ann.ask("chat-message", {"roomId": room, "message": str(number)})
    bob.heard()
    for _ in range(3):
        stage.wait(1)
        assert ann.ask("chat-message", {"roomId": room, "message": "too much"}) == [
            ["error", {"code": "rate_limited", "message": "操作过于频繁，请稍后再试"}]
        ]
    assert bob.heard() == []
    stage.wait(8)
    assert names(ann.ask("chat-message", {"roomId": room, "message": "again"})) == ["chat-received"]


def test_equal_nicknames_get_distinct_suffixes_that_stay(stage: Stage) -> None:
    callers = [stage.caller(login=False) for _ in range(50)]
    for caller in callers:
        caller.ask("join-lobby", {"nickname": "Ann"})
    assert [caller.connection.name for caller in callers] == ["Ann", *(f"Ann#{n}" for n in range(2, 51))]
    callers[7].ask("join-lobby", {"nickname": "Ann"})
    assert callers[7].connection.name == "Ann#8"
    callers[0].leave()
    callers[7].ask("join-lobby", {"nickname": "Bea"})
    callers[7].ask("join-lobby", {"nickname": "Ann"})
    assert callers[7].connection.name == "Ann"
    bob = player(stage, "Ann#9")
    assert bob.connection.name == "Ann#9#2"


def test_a_long_room_list_has_the_rooms_that_can_be_joined(stage: Stage) -> None:
    ann = player(stage, "Ann")
    for number in range(MAX_ROWS + 5):
        ann.send("create-room", {"name": f"r{number}"})
        stage.wait(0.03)
    late = create_room(player(stage, "Bob"))
    ((_, rows),) = stage.caller(login=False).ask("refresh-rooms")
    assert len(rows) <= MAX_ROWS
    assert rows[-1]["id"] == late


def test_empty_rooms_are_removed(stage: Stage) -> None:
    ann = player(stage, "Ann")
    for number in range(MAX_DESERTED + 30):
        ann.send("create-room", {"name": f"r{number}"})
        stage.wait(0.03)
    stage.settle()
    assert len(stage.hall.executor.live_rooms) <= MAX_DESERTED + 2
    stage.wait(301)
    assert len(stage.hall.executor.live_rooms) == 1


def test_only_the_last_fifty_chat_lines_are_kept(stage: Stage) -> None:
    ann, bob, room = match(stage)
    for number in range(60):
        ann.ask("chat-message", {"roomId": room, "message": f"line {number}"})
        stage.wait(2)
    place(ann, room, 7, 7)
    chat = room_of(bob.heard())["chat"]
    assert [line["message"] for line in chat] == [f"line {number}" for number in range(10, 60)]


# Never sent


def test_no_socket_id_person_or_token_is_ever_sent(stage: Stage) -> None:
    ann, bob, room = match(stage)
    spectator = player(stage, "Wat")
    spectator.ask("join-room", {"roomId": room, "asWatcher": True})
    win(ann, bob, room)
    secrets = [one.sid for one in (ann, bob, spectator)]
    secrets += [str(one.connection.person) for one in (ann, bob, spectator)]
    for one in (ann, bob, spectator):
        received = b"".join(one.wire.frames).decode()
        assert not any(secret in received for secret in secrets)
        assert "token" not in received


def test_room_updates_agree_with_the_room(stage: Stage) -> None:
    ann, bob, room = match(stage)
    for number in range(30):
        place((ann, bob)[number % 2], room, number % 15, number // 15 * 5)
    top = json.loads(ann.wire.frames[-1])[1]
    inner = top.pop("room")
    assert top == inner
    assert " ".join(inner) == ("id name board players watchers currentTurn history chat winner status myRole")
    assert [(stone["x"], stone["y"]) for stone in inner["history"]] == [
        (number % 15, number // 15 * 5) for number in range(30)
    ]


@pytest.mark.parametrize("who", ["black", "white"])
def test_a_player_who_stays_disconnected_loses(stage: Stage, who: str) -> None:
    ann, bob, room = match(stage)
    goes, stays = (ann, bob) if who == "black" else (bob, ann)
    place(ann, room, 7, 7)
    goes.cut()
    stage.wait(121)
    view = room_of(stays.heard())
    assert (view["status"], view["winner"]) == ("ended", 2 if who == "black" else 1)
    live_room = stage.hall.executor.live_rooms[RoomId(next(iter(stays.connection.rooms)))]
    assert live_room.latest.phase is Phase.OVER


def test_a_refused_join_does_not_block_the_next_one(stage: Stage) -> None:
    _, _, full = match(stage)
    cat, dan = player(stage, "Cat"), player(stage, "Dan")
    room = create_room(cat)
    dan.send("join-room", {"roomId": full})
    dan.send("join-room", {"roomId": room})
    assert sorted(names(without_lobby(dan.heard()))) == ["error", "room-joined", "room-updated"]
