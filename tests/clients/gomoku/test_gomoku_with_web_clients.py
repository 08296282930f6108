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
from tests.support.stage import Caller, Message, Peer, Stage


def events(messages: list[Message]) -> list[Message]:
    return [event for message in messages for event in message.get("events", ())]


def mixed(stage: Stage, **table: Any) -> tuple[Caller, Peer, str, str]:
    """Return a gomoku client with black and a web client, with the room's code and id."""
    ann, bob = player(stage, "Ann"), stage.peer("Bob")
    if table:
        shown = bob.ask("open", game="gomoku", nonce="1", table=table)[0]["room"]
        room, code = shown["id"], shown["code"]
        ann.ask("join-room", {"roomId": code})
        bob.heard()
    else:
        code = create_room(ann)
        room = bob.ask("join", room=code)[0]["room"]["id"]
    ann.heard()
    return ann, bob, code, room


def stone(room: str, x: int, y: int) -> Message:
    return {"room": room, "move": {"do": "place", "x": x, "y": y}}


def test_a_gomoku_client_and_a_web_client_play_to_a_win(stage: Stage) -> None:
    ann, bob, code, room = mixed(stage)
    for x in range(4):
        assert names(place(ann, code, x, 7)) == ["stone-placed", "room-updated"]
        assert events(bob.heard()) == [{"e": "placed", "seat": 0, "x": x, "y": 7}]
        bob.ask("play", **stone(room, x, 8))
        assert ann.heard()[0] == ["stone-placed", {"x": x, "y": 8, "color": 2}]
    assert names(place(ann, code, 4, 7)) == ["stone-placed", "game-over", "room-updated"]
    assert [event["e"] for event in events(bob.heard())] == ["placed", "five_in_row", "game_over"]
    bob.ask("offer", room=room, kind="rematch")
    assert ann.heard() == [["rematch-requested", {"from": "Bob"}]]
    received = ann.ask("request-rematch", {"roomId": code})
    assert names(received) == ["rematch-start", "room-updated"]
    assert received[0][1]["newRole"] == "white"
    assert events(bob.heard())[-1]["position"]["black"] == 1


def test_the_web_client_sees_the_room_title_and_its_list_is_unchanged(stage: Stage) -> None:
    eve = stage.peer("Eve")
    eve.ask("lobby")
    ann, bob, code, room = mixed(stage)
    stage.wait(0.3)
    row = [row for news in eve.heard() for row in news.get("rooms", ())][-1]
    assert (row["code"], row["title"], row["phase"]) == (code, "测试房间", "playing")
    bob.ask("resign", room=room)
    assert names(ann.heard()) == ["game-over", "room-updated"]
    stage.wait(0.3)
    assert [news["gone"] for news in eve.heard() if "gone" in news] == [[room]]
    assert ann.ask("refresh-rooms")[-1][1][0]["status"] == "ended"


def test_a_room_of_a_web_client_is_listed_with_its_owner_s_name(stage: Stage) -> None:
    bob = stage.peer("Bob")
    code = bob.ask("open", game="gomoku", nonce="1")[0]["room"]["code"]
    ann = player(stage, "Ann")
    ((_, rows),) = ann.ask("refresh-rooms")
    assert [(row["id"], row["name"], row["blackPlayer"]) for row in rows] == [(code, "Bob的房间", "Bob")]
    assert room_of(ann.ask("quick-match"))["id"] == code


def test_quick_match_of_a_web_client_enters_a_gomoku_room(stage: Stage) -> None:
    ann = player(stage, "Ann")
    code = create_room(ann)
    assert stage.peer("Bob").ask("quick_match", game="gomoku")[-1]["room"]["code"] == code
    assert names(ann.heard()) == ["player-joined", "room-updated"]


def test_offers_between_web_and_gomoku_clients_work_both_ways(stage: Stage) -> None:
    ann, bob, code, room = mixed(stage)
    bob.ask("offer", room=room, kind="swap")
    assert ann.heard() == [["swap-requested", {"from": "Bob"}]]
    assert names(ann.ask("respond-swap", {"roomId": code, "accept": True})) == ["swap-result", "room-updated"]
    bob.heard()
    bob.ask("play", **stone(room, 7, 7))
    ann.heard()
    ann.ask("request-undo", {"roomId": code})
    offer = events(bob.heard())[-1]["offer"]
    bob.ask("answer", room=room, offer=offer["id"], yes=True)
    assert names(ann.heard()) == ["undo-result", "room-updated"]
    bob.ask("offer", room=room, kind="draw")
    assert ann.heard() == []


def test_spectator_chat_in_a_room_of_a_web_client_stays_among_spectators(stage: Stage) -> None:
    ann, _bob, code, room = mixed(stage, disconnect_timeout=60)
    spectator, vic = player(stage, "Wat"), player(stage, "Vic")
    for one in (spectator, vic):
        one.ask("join-room", {"roomId": code, "asWatcher": True})
    ann.heard(), spectator.heard(), vic.heard()
    assert without_lobby(spectator.ask("chat-message", {"roomId": code, "message": "psst"})) == without_lobby(
        vic.heard()
    )
    assert ann.heard() == []
    place(ann, code, 7, 7) if room_of(ann.ask("join-room", {"roomId": code}))["myRole"] == "black" else None
    players_chat = room_of(ann.ask("join-room", {"roomId": code}))["chat"]
    watchers_chat = room_of(spectator.ask("join-room", {"roomId": code, "asWatcher": True}))["chat"]
    assert players_chat == []
    assert [line["message"] for line in watchers_chat] == ["psst"]
    late = player(stage, "Late")
    assert len(room_of(late.ask("join-room", {"roomId": code, "asWatcher": True}))["chat"]) == 1
    assert room_of(ann.heard())["chat"] == []
    assert room


def test_a_declined_offer_in_a_room_of_a_web_client_has_to_wait(stage: Stage) -> None:
    ann, bob, code, room = mixed(stage, disconnect_timeout=60)
    bob.ask("play", **stone(room, 7, 7))
    ann.ask("request-undo", {"roomId": code})
    offer = events(bob.heard())[-1]["offer"]
    bob.ask("answer", room=room, offer=offer["id"], yes=False)
    ann.heard()
    assert error(ann.ask("request-undo", {"roomId": code})) == "rate_limited"


def test_spectators_are_told_that_a_room_of_a_web_client_closed(stage: Stage) -> None:
    ann, bob, code, room = mixed(stage, disconnect_timeout=60)
    spectator = player(stage, "Wat")
    spectator.ask("join-room", {"roomId": code, "asWatcher": True})
    ann.ask("leave-room", {"roomId": code})
    spectator.heard()
    bob.ask("leave", room=room)
    received = spectator.heard()
    assert names(received)[:2] == ["player-left", "room-updated"]
    assert names(received)[-1] == "room-list"
    assert error(place(spectator, code, 1, 1)) == "room_not_found"


def test_a_tic_tac_toe_room_is_not_found(stage: Stage) -> None:
    code = stage.peer("Bob").ask("open", game="tictactoe", nonce="1")[0]["room"]["code"]
    ann = player(stage, "Ann")
    assert error(ann.ask("join-room", {"roomId": code})) == "room_not_found"
    assert error(place(ann, code, 1, 1)) == "room_not_found"
    assert ann.ask("search-room", {"roomId": code}) == [["search-result", {"found": False}]]
    assert ann.ask("refresh-rooms") == [["room-list", []]]


def test_gomoku_and_tic_tac_toe_clients_share_the_namespace_without_contact(stage: Stage) -> None:
    left, right = stage.pair()
    ann, bob, room = match(stage)
    left.mark(4)
    place(ann, room, 7, 7)
    assert names(right.heard()) == ["move_made"]
    assert names(bob.heard())[-2:] == ["stone-placed", "room-updated"]
    # A socket that switches to the other dialect leaves its room.
    assert names(left.ask("join-lobby", {"nickname": "Left"})) == ["online-count", "room-list"]
    assert right.heard() == [["opponent_left"]]
    assert left.mark(0) == []
    assert names(left.ask("quick-match")) == ["room-joined"]


def test_two_tabs_of_one_login_are_two_persons(stage: Stage) -> None:
    ann, tab = stage.caller("Ann"), stage.caller("Ann")
    assert error(ann.ask("create-room", {})) == "lobby_required"
    ann.ask("join-lobby", {"nickname": "Annie"})
    tab.ask("join-lobby", {"nickname": "Annie"})
    room = create_room(ann)
    stage.wait(0.2)
    ann.heard()
    tab.heard()
    assert room_of(tab.ask("join-room", {"roomId": room, "asWatcher": True}))["myRole"] == "watcher"
    assert "error" not in names(ann.heard())
    assert room_of(tab.ask("join-room", {"roomId": room}))["myRole"] == "white"
    assert "stone-placed" in names(place(ann, room, 7, 7))


def test_a_socket_that_switches_to_gomoku_while_waiting_leaves_its_tic_tac_toe_room(stage: Stage) -> None:
    ann, bob = stage.caller("Ann"), stage.caller("Bob")
    ann.send("join_pvp")
    ann.send("join-lobby", {"nickname": "Ann"})
    stage.wait(0.1)
    assert names(bob.ask("join_pvp")) == ["waiting_for_opponent", "chat message"]
    stage.wait(150)
    assert [
        live_room.latest.seats[0].name
        for live_room in stage.hall.executor.live_rooms.values()
        if live_room.latest.seats[0]
    ] == ["Bob"]


def test_nonces_do_not_reveal_socket_ids(stage: Stage) -> None:
    ann, bob, code, _ = mixed(stage)
    place(ann, code, 7, 7)
    ann.ask("request-undo", {"roomId": code})
    assert ann.connection.handle not in str(bob.heard())


def test_resigning_and_leaving_together_leaves_no_player_behind(stage: Stage) -> None:
    ann, bob, room = match(stage)
    bob.send("surrender", {"roomId": room})
    bob.send("leave-room", {"roomId": room})
    bob.heard()
    (live_room,) = stage.hall.executor.live_rooms.values()
    assert bob.connection.rooms == {}
    assert bob.connection not in live_room.members
    assert list(live_room.holders) == [0]
    assert room_of(ann.heard())["players"]["white"] is None


def test_leaving_and_joining_together_starts_anew(stage: Stage) -> None:
    ann, bob, room = match(stage)
    bob.send("leave-room", {"roomId": room})
    bob.send("join-room", {"roomId": room})
    assert room_of(bob.heard())["myRole"] == "white"
    (live_room,) = stage.hall.executor.live_rooms.values()
    assert live_room.holders[Seat(1)] is bob.connection
    assert "stone-placed" in names(place(ann, room, 7, 7))


def test_leaving_and_watching_together_makes_a_spectator(stage: Stage) -> None:
    _, bob, room = match(stage)
    bob.send("leave-room", {"roomId": room})
    bob.send("join-room", {"roomId": room, "asWatcher": True})
    assert room_of(bob.heard())["myRole"] == "watcher"
    (live_room,) = stage.hall.executor.live_rooms.values()
    assert list(live_room.holders) == [0]
    assert error(place(bob, room, 7, 7)) in {"game_over", "watcher"}


def test_a_new_nickname_in_a_finished_game_keeps_the_board(stage: Stage) -> None:
    ann, bob, room = match(stage)
    place(ann, room, 7, 7)
    bob.ask("leave-room", {"roomId": room})
    ann.heard()
    received = ann.ask("join-lobby", {"nickname": "Annie"})
    shown = room_of(received)
    assert (shown["status"], shown["winner"], len(shown["history"])) == ("ended", 1, 1)
    assert error(place(ann, room, 0, 0)) == "game_over"


def test_a_spectator_of_a_new_room_receives_the_same_view_as_others(stage: Stage) -> None:
    ann, eve = player(stage, "Ann"), player(stage, "Eve")
    room = create_room(ann)
    received = without_lobby(eve.ask("join-room", {"roomId": room, "asWatcher": True}))
    assert names(received) == ["room-joined", "room-updated"]


def test_a_repeated_rematch_request_waits_and_sets_a_new_reminder(stage: Stage) -> None:
    ann, bob, room = match(stage)
    bob.ask("surrender", {"roomId": room})
    ann.heard()
    for _ in range(2):
        assert "rematch-waiting" in names(ann.ask("request-rematch", {"roomId": room}))
        stage.wait(31)
        assert "rematch-timeout" in names(ann.heard())
    assert names(bob.heard()).count("rematch-requested") == 1
