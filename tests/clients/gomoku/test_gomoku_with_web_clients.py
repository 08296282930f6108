"""Gomoku clients in rooms with web clients, and beside tic-tac-toe."""

from typing import Any

from qipai.kernel.ids import Seat
from tests.clients.gomoku.gomoku_clients import (
    create_room,
    error,
    match,
    names,
    place,
    player,
    room_of,
    without_lobby,
)
from tests.support.hall_simulation import HallSimulation, Message, NativeClient, SocketIOClient


def events(messages: list[Message]) -> list[Message]:
    return [event for message in messages for event in message.get("events", ())]


def mixed(simulation: HallSimulation, **table: Any) -> tuple[SocketIOClient, NativeClient, str, str]:
    """Return a gomoku client with black and a web client, with the room's code and id."""
    ann, bob = player(simulation, "Ann"), simulation.native_client("Bob")
    if table:
        shown = bob.ask("open", game="gomoku", nonce="1", table=table)[0]["room"]
        room, code = shown["id"], shown["code"]
        ann.ask("join-room", {"roomId": code})
        bob.received()
    else:
        code = create_room(ann)
        room = bob.ask("join", room=code)[0]["room"]["id"]
    ann.received()
    return ann, bob, code, room


def stone(room: str, x: int, y: int) -> Message:
    return {"room": room, "move": {"do": "place", "x": x, "y": y}}


def test_a_gomoku_client_and_a_web_client_play_to_a_win(simulation: HallSimulation) -> None:
    ann, bob, code, room = mixed(simulation)
    for x in range(4):
        assert names(place(ann, code, x, 7)) == ["stone-placed", "room-updated"]
        assert events(bob.received()) == [{"e": "placed", "seat": 0, "x": x, "y": 7}]
        bob.ask("play", **stone(room, x, 8))
        assert ann.received()[0] == ["stone-placed", {"x": x, "y": 8, "color": 2}]
    assert names(place(ann, code, 4, 7)) == ["stone-placed", "game-over", "room-updated"]
    assert [event["e"] for event in events(bob.received())] == ["placed", "five_in_row", "game_over"]
    bob.ask("offer", room=room, kind="rematch")
    assert ann.received() == [["rematch-requested", {"from": "Bob"}]]
    received = ann.ask("request-rematch", {"roomId": code})
    assert names(received) == ["rematch-start", "room-updated"]
    assert received[0][1]["newRole"] == "white"
    assert events(bob.received())[-1]["position"]["black"] == 1


def test_the_web_client_sees_the_room_title_and_its_list_is_unchanged(simulation: HallSimulation) -> None:
    eve = simulation.native_client("Eve")
    eve.ask("lobby")
    ann, bob, code, room = mixed(simulation)
    simulation.wait(0.3)
    row = [row for news in eve.received() for row in news.get("rooms", ())][-1]
    assert (row["code"], row["title"], row["phase"]) == (code, "测试房间", "playing")
    bob.ask("resign", room=room)
    assert names(ann.received()) == ["game-over", "room-updated"]
    simulation.wait(0.3)
    assert [news["gone"] for news in eve.received() if "gone" in news] == [[room]]
    assert ann.ask("refresh-rooms")[-1][1][0]["status"] == "ended"


def test_a_room_of_a_web_client_is_listed_with_its_owner_s_name(simulation: HallSimulation) -> None:
    bob = simulation.native_client("Bob")
    code = bob.ask("open", game="gomoku", nonce="1")[0]["room"]["code"]
    ann = player(simulation, "Ann")
    ((_, rows),) = ann.ask("refresh-rooms")
    assert [(row["id"], row["name"], row["blackPlayer"]) for row in rows] == [(code, "Bob的房间", "Bob")]
    assert room_of(ann.ask("quick-match"))["id"] == code


def test_quick_match_of_a_web_client_enters_a_gomoku_room(simulation: HallSimulation) -> None:
    ann = player(simulation, "Ann")
    code = create_room(ann)
    assert simulation.native_client("Bob").ask("quick_match", game="gomoku")[-1]["room"]["code"] == code
    assert names(ann.received()) == ["player-joined", "room-updated"]


def test_offers_between_web_and_gomoku_clients_work_both_ways(simulation: HallSimulation) -> None:
    ann, bob, code, room = mixed(simulation)
    bob.ask("offer", room=room, kind="swap")
    assert ann.received() == [["swap-requested", {"from": "Bob"}]]
    assert names(ann.ask("respond-swap", {"roomId": code, "accept": True})) == ["swap-result", "room-updated"]
    bob.received()
    bob.ask("play", **stone(room, 7, 7))
    ann.received()
    ann.ask("request-undo", {"roomId": code})
    offer = events(bob.received())[-1]["offer"]
    bob.ask("answer", room=room, offer=offer["id"], yes=True)
    assert names(ann.received()) == ["undo-result", "room-updated"]
    bob.ask("offer", room=room, kind="draw")
    assert ann.received() == []


def test_spectator_chat_in_a_room_of_a_web_client_stays_among_spectators(simulation: HallSimulation) -> None:
    ann, _bob, code, room = mixed(simulation, disconnect_timeout=60)
    spectator, vic = player(simulation, "Wat"), player(simulation, "Vic")
    for one in (spectator, vic):
        one.ask("join-room", {"roomId": code, "asWatcher": True})
    ann.received(), spectator.received(), vic.received()
    assert without_lobby(spectator.ask("chat-message", {"roomId": code, "message": "psst"})) == without_lobby(
        vic.received()
    )
    assert ann.received() == []
    place(ann, code, 7, 7) if room_of(ann.ask("join-room", {"roomId": code}))["myRole"] == "black" else None
    players_chat = room_of(ann.ask("join-room", {"roomId": code}))["chat"]
    watchers_chat = room_of(spectator.ask("join-room", {"roomId": code, "asWatcher": True}))["chat"]
    assert players_chat == []
    assert [line["message"] for line in watchers_chat] == ["psst"]
    late = player(simulation, "Late")
    assert len(room_of(late.ask("join-room", {"roomId": code, "asWatcher": True}))["chat"]) == 1
    assert room_of(ann.received())["chat"] == []
    assert room


def test_a_declined_offer_in_a_room_of_a_web_client_has_to_wait(simulation: HallSimulation) -> None:
    ann, bob, code, room = mixed(simulation, disconnect_timeout=60)
    bob.ask("play", **stone(room, 7, 7))
    ann.ask("request-undo", {"roomId": code})
    offer = events(bob.received())[-1]["offer"]
    bob.ask("answer", room=room, offer=offer["id"], yes=False)
    ann.received()
    assert error(ann.ask("request-undo", {"roomId": code})) == "rate_limited"


def test_spectators_are_told_that_a_room_of_a_web_client_closed(simulation: HallSimulation) -> None:
    ann, bob, code, room = mixed(simulation, disconnect_timeout=60)
    spectator = player(simulation, "Wat")
    spectator.ask("join-room", {"roomId": code, "asWatcher": True})
    ann.ask("leave-room", {"roomId": code})
    spectator.received()
    bob.ask("leave", room=room)
    received = spectator.received()
    assert names(received)[:2] == ["player-left", "room-updated"]
    assert names(received)[-1] == "room-list"
    assert error(place(spectator, code, 1, 1)) == "room_not_found"


def test_a_tic_tac_toe_room_is_not_found(simulation: HallSimulation) -> None:
    code = simulation.native_client("Bob").ask("open", game="tictactoe", nonce="1")[0]["room"]["code"]
    ann = player(simulation, "Ann")
    assert error(ann.ask("join-room", {"roomId": code})) == "room_not_found"
    assert error(place(ann, code, 1, 1)) == "room_not_found"
    assert ann.ask("search-room", {"roomId": code}) == [["search-result", {"found": False}]]
    assert ann.ask("refresh-rooms") == [["room-list", []]]


def test_gomoku_and_tic_tac_toe_clients_share_the_namespace_without_contact(
    simulation: HallSimulation,
) -> None:
    left, right = simulation.socketio_pair()
    ann, bob, room = match(simulation)
    left.mark(4)
    place(ann, room, 7, 7)
    assert names(right.received()) == ["move_made"]
    assert names(bob.received())[-2:] == ["stone-placed", "room-updated"]
    # A socket that switches to the other dialect leaves its room.
    assert names(left.ask("join-lobby", {"nickname": "Left"})) == ["online-count", "room-list"]
    assert right.received() == [["opponent_left"]]
    assert left.mark(0) == []
    assert names(left.ask("quick-match")) == ["room-joined"]


def test_two_tabs_of_one_login_are_two_persons(simulation: HallSimulation) -> None:
    ann, tab = simulation.socketio_client("Ann"), simulation.socketio_client("Ann")
    assert error(ann.ask("create-room", {})) == "lobby_required"
    ann.ask("join-lobby", {"nickname": "Annie"})
    tab.ask("join-lobby", {"nickname": "Annie"})
    room = create_room(ann)
    simulation.wait(0.2)
    ann.received()
    tab.received()
    assert room_of(tab.ask("join-room", {"roomId": room, "asWatcher": True}))["myRole"] == "watcher"
    assert "error" not in names(ann.received())
    assert room_of(tab.ask("join-room", {"roomId": room}))["myRole"] == "white"
    assert "stone-placed" in names(place(ann, room, 7, 7))


def test_a_socket_that_switches_to_gomoku_while_waiting_leaves_its_tic_tac_toe_room(
    simulation: HallSimulation,
) -> None:
    ann, bob = simulation.socketio_client("Ann"), simulation.socketio_client("Bob")
    ann.send("join_pvp")
    ann.send("join-lobby", {"nickname": "Ann"})
    simulation.wait(0.1)
    assert names(bob.ask("join_pvp")) == ["waiting_for_opponent", "chat message"]
    simulation.wait(150)
    assert [
        live_room.latest.seats[0].name
        for live_room in simulation.hall.executor.live_rooms.values()
        if live_room.latest.seats[0]
    ] == ["Bob"]


def test_nonces_do_not_reveal_socket_ids(simulation: HallSimulation) -> None:
    ann, bob, code, _ = mixed(simulation)
    place(ann, code, 7, 7)
    ann.ask("request-undo", {"roomId": code})
    assert ann.connection.handle not in str(bob.received())


def test_resigning_and_leaving_together_leaves_no_player_behind(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    bob.send("surrender", {"roomId": room})
    bob.send("leave-room", {"roomId": room})
    bob.received()
    (live_room,) = simulation.hall.executor.live_rooms.values()
    assert bob.connection.rooms == {}
    assert bob.connection not in live_room.members
    assert list(live_room.holders) == [0]
    assert room_of(ann.received())["players"]["white"] is None


def test_leaving_and_joining_together_starts_a_new_game(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    bob.send("leave-room", {"roomId": room})
    bob.send("join-room", {"roomId": room})
    assert room_of(bob.received())["myRole"] == "white"
    (live_room,) = simulation.hall.executor.live_rooms.values()
    assert live_room.holders[Seat(1)] is bob.connection
    assert "stone-placed" in names(place(ann, room, 7, 7))


def test_leaving_and_watching_together_makes_a_spectator(simulation: HallSimulation) -> None:
    _, bob, room = match(simulation)
    bob.send("leave-room", {"roomId": room})
    bob.send("join-room", {"roomId": room, "asWatcher": True})
    assert room_of(bob.received())["myRole"] == "watcher"
    (live_room,) = simulation.hall.executor.live_rooms.values()
    assert list(live_room.holders) == [0]
    assert error(place(bob, room, 7, 7)) in {"game_over", "watcher"}


def test_a_new_nickname_in_a_finished_game_keeps_the_board(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    place(ann, room, 7, 7)
    bob.ask("leave-room", {"roomId": room})
    ann.received()
    received = ann.ask("join-lobby", {"nickname": "Annie"})
    shown = room_of(received)
    assert (shown["status"], shown["winner"], len(shown["history"])) == ("ended", 1, 1)
    assert error(place(ann, room, 0, 0)) == "game_over"


def test_a_spectator_of_a_new_room_receives_the_same_view_as_others(simulation: HallSimulation) -> None:
    ann, eve = player(simulation, "Ann"), player(simulation, "Eve")
    room = create_room(ann)
    received = without_lobby(eve.ask("join-room", {"roomId": room, "asWatcher": True}))
    assert names(received) == ["room-joined", "room-updated"]


def test_a_repeated_rematch_request_waits_and_sets_a_new_reminder(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    bob.ask("surrender", {"roomId": room})
    ann.received()
    for _ in range(2):
        assert "rematch-waiting" in names(ann.ask("request-rematch", {"roomId": room}))
        simulation.wait(31)
        assert "rematch-timeout" in names(ann.received())
    assert names(bob.received()).count("rematch-requested") == 1
