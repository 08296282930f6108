"""Tic-tac-toe clients in rooms: with each other, and repeatedly."""

from typing import Any

from qipai.games.game_registry import GAMES
from qipai.hall.journal.room_rebuilding import restore
from qipai.kernel.ids import RoomId
from qipai.kernel.room import Phase
from qipai.stores.memory_store import MemoryStore
from tests.games.tictactoe.tictactoe_table import TAKEN
from tests.support.stage import Caller, Message, Peer, Stage, mark


def names(received: list[Any]) -> list[str]:
    return [event for event, *_ in received]


def events(messages: list[Message]) -> list[Message]:
    return [event for message in messages for event in message.get("events", ())]


def mixed(stage: Stage, *, page_first: bool) -> tuple[Caller, Peer, Message, Message]:
    """Return an older and a web client in a room, `game_start` and the web client's position."""
    ann, bob = stage.caller("Ann"), stage.peer("Bob")
    if page_first:
        bob.ask("quick_match", game="tictactoe")
        start = ann.ask("join_pvp")[-1][1]
        position = events(bob.heard())[-1]["position"]
    else:
        ann.ask("join_pvp")
        position = bob.ask("quick_match", game="tictactoe")[-1]["room"]["position"]
        start = ann.heard()[-1][1]
    return ann, bob, start, position


def room_of(stage: Stage) -> str:
    (room,) = stage.hall.executor.live_rooms
    return room


def play(stage: Stage, ann: Caller, bob: Peer, cells: tuple[int, ...]) -> None:
    """Mark these cells in turn."""
    room = room_of(stage)
    live_room = stage.hall.executor.live_rooms[RoomId(room)]
    seat = ann.connection.rooms[RoomId(room)]
    for cell in cells:
        (acting,) = live_room.rules.to_act(live_room.latest.state)
        if acting == seat:
            ann.mark(cell)
        else:
            bob.ask("play", **mark(room, cell))


def finish(stage: Stage, left: Caller, right: Caller) -> None:
    """Play a match that left wins, three rounds to nothing."""
    for number in range(3):
        begins, follows = (left, right) if number % 2 == 0 else (right, left)
        for turn, cell in enumerate(TAKEN["first" if begins is left else "second"]):
            (begins, follows)[turn % 2].mark(cell)
        if number < 2:
            left.ask("reset_game")
    left.heard()
    right.heard()


def test_both_may_request_a_new_match_at_the_same_time(stage: Stage) -> None:
    left, right = stage.pair()
    finish(stage, left, right)
    left.send("start_new_match")
    right.send("start_new_match")
    stage.settle()
    assert [names(peer.heard()) for peer in (left, right)] == [["new_match_started"]] * 2
    (live_room,) = stage.hall.executor.live_rooms.values()
    assert (live_room.latest.match, live_room.latest.phase) == (2, Phase.PLAYING)


def test_joining_after_a_match_leaves_the_old_room_for_a_new_one(stage: Stage) -> None:
    left, right = stage.pair()
    finish(stage, left, right)
    assert names(left.ask("join_pvp")) == ["waiting_for_opponent", "chat message"]
    assert right.heard() == [["opponent_left"]]
    assert names(right.ask("join_pvp")) == ["chat message", "chat message", "game_start"]
    assert len(stage.hall.executor.live_rooms) == 1


def test_a_second_tab_takes_the_seat_and_the_first_may_take_it_back(stage: Stage) -> None:
    left, right = stage.pair()
    left.mark(4)
    assert left.guest is not None
    tab = stage.caller(left.guest.name)
    assert names(tab.ask("join_pvp")) == ["game_start", "move_made"]
    ((_, line),) = left.heard()[-1:]
    assert line.startswith("[系統提示] ")
    assert left.mark(0) == [["move_rejected", {"reason": "not_playing"}]]
    right.heard()
    assert names(right.mark(0)) == ["move_made"]
    assert names(tab.mark(8)) == ["move_made", "move_made"]
    left.leave()
    assert right.heard()[-1][0] == "move_made"
    tab.leave()
    assert right.heard() == [["opponent_left"]]


def test_a_tab_that_took_over_is_known_by_its_own_socket_in_the_next_match(stage: Stage) -> None:
    left, right = stage.pair()
    assert left.guest is not None
    tab = stage.caller(left.guest.name)
    tab.ask("join_pvp")
    finish(stage, tab, right)
    right.ask("start_new_match")
    ((_, started),) = tab.heard()
    sids = {started[side]["sid"] for side in ("left_player", "right_player")}
    assert sids == {tab.sid, right.sid}


def test_a_disconnect_of_less_than_fifteen_seconds_is_not_reported(stage: Stage) -> None:
    left, right = stage.pair()
    wat = stage.peer("Wat")
    wat.ask("watch", room=room_of(stage))
    for _ in range(5):
        right.cut()
        stage.wait(14.5)
        right.back()
        stage.wait(60)
    assert left.heard() == []
    assert wat.news() == []
    assert not right.wire.aborted


def test_a_disconnect_of_more_than_fifteen_seconds_closes_the_room_as_abandoned(stage: Stage) -> None:
    left, right = stage.pair()
    room = RoomId(room_of(stage))
    right.cut()
    stage.wait(15.5)
    assert left.heard() == [["opponent_left"]]
    assert right.wire.aborted
    saved = stage.store.load(room)
    assert saved is not None
    _, archived, _ = restore(GAMES, saved)
    assert archived.phase is Phase.CLOSED
    assert archived.result is not None
    assert (archived.result.winners, archived.result.reason) == ((), "abandoned")
    assert names(left.ask("join_pvp")) == ["waiting_for_opponent", "chat message"]


def test_a_match_survives_a_restart_and_both_rejoin() -> None:
    store = MemoryStore()
    with Stage(store) as stage:
        left, right = stage.pair()
        left.mark(4)
        right.mark(0)
        right.cut()
        room = left.ask("join_pvp")[-3][1]["room_id"]
        stage.run(stage.hall.stop())
        left.leave()
        right.leave()
        stage.wait(30)
        assert "opponent_left" not in names(left.heard())
        sides = (left.guest, right.guest)
    with Stage(store, clock=40) as stage:
        (live_room,) = stage.hall.executor.live_rooms.values()
        assert live_room.latest.phase is Phase.PLAYING
        back = [stage.caller(guest.name) for guest in sides if guest is not None]
        for peer in back:
            received = peer.ask("join_pvp")
            assert names(received) == ["game_start", "move_made", "move_made"]
            assert received[0][1]["room_id"] == room
        assert names(back[0].mark(8)) == ["move_made"]
        stage.wait(120)
        assert names(back[1].heard()) == ["move_made"]


def test_with_one_match_allowed_a_third_client_is_refused() -> None:
    with Stage(single=frozenset({"tictactoe"})) as stage:
        left, right = stage.pair()
        cat = stage.caller("Cat")
        busy = [["game_in_progress", {"message": "目前已有遊戲進行中，請稍後再試"}]]
        assert cat.ask("join_pvp") == busy
        assert names(left.ask("join_pvp")) == ["game_start"]
        right.leave()
        assert names(cat.ask("join_pvp")) == ["waiting_for_opponent", "chat message"]
        left.heard()
        assert names(left.ask("join_pvp"))[-1] == "game_start"


def test_with_one_match_allowed_three_simultaneous_joins_make_one_match() -> None:
    with Stage(single=frozenset({"tictactoe"})) as stage:
        people = [stage.caller(name) for name in ("Ann", "Bob", "Cat")]
        for peer in people:
            peer.send("join_pvp")
        assert [names(peer.heard())[-1] for peer in people] == [
            "game_start",
            "game_start",
            "game_in_progress",
        ]


def test_with_one_match_allowed_no_second_match_starts_beside_it() -> None:
    with Stage(single=frozenset({"tictactoe"})) as stage:
        left, right = stage.pair()
        native = stage.peer("Dan")
        native.ask("open", game="tictactoe", nonce="b", bot="random")
        finish(stage, left, right)
        others = stage.caller("Cat"), stage.caller("Eve")
        assert [names(peer.ask("join_pvp"))[-1] for peer in others] == ["chat message", "game_start"]
        left.heard()
        assert names(left.ask("start_new_match")) == ["game_in_progress"]
        others[0].leave()
        assert names(left.ask("start_new_match")) == ["new_match_started"]
        assert names(right.heard())[-1] == "new_match_started"


def test_with_one_match_allowed_a_waiting_client_that_reconnects_keeps_waiting() -> None:
    with Stage(single=frozenset({"tictactoe"})) as stage:
        zoe = stage.caller("Zoe")
        zoe.ask("join_pvp")
        zoe.cut()
        left, right = stage.pair()
        zoe.back()
        assert names(stage.caller("Eve").ask("join_pvp")) == ["game_in_progress"]
        assert "game_start" not in names(zoe.heard())
        left.leave()
        assert names(right.heard())[-1] == "opponent_left"
        assert names(stage.caller("Fay").ask("join_pvp"))[-1] == "game_start"


def test_a_waiting_room_is_listed_only_while_its_player_is_connected(stage: Stage) -> None:
    reader = stage.peer("Dan")
    reader.ask("lobby")
    ann = stage.caller("Ann")
    ann.ask("join_pvp")
    stage.wait(0.2)
    (listed,) = (room for news in reader.heard() for room in news.get("rooms", ()))
    ann.cut()
    stage.wait(0.2)
    assert [gone for news in reader.heard() for gone in news.get("gone", ())] == [listed["id"]]
    ann.back()
    stage.wait(0.2)
    assert [room["id"] for news in reader.heard() for room in news.get("rooms", ())] == [listed["id"]]


def test_any_number_of_matches_run_side_by_side(stage: Stage) -> None:
    people = [stage.caller(f"P{number}") for number in range(20)]
    starts = [peer.ask("join_pvp") for peer in people]
    assert [names(received)[-1] for received in starts[1::2]] == ["game_start"] * 10
    assert len(stage.hall.executor.live_rooms) == 10


def test_room_ids_have_the_form_clients_expect(stage: Stage) -> None:
    ((_, told), _) = stage.caller("Ann").ask("join_pvp")
    (live_room,) = stage.hall.executor.live_rooms.values()
    assert told["room_id"] == f"room_{live_room.latest.id[:8]}_{live_room.latest.code}"


def test_frames_sent_with_a_move_are_answered_in_order(stage: Stage) -> None:
    left, right = stage.pair()
    for cell, peer in zip((0, 3, 1, 4), (left, right, left, right), strict=True):
        peer.mark(cell)
    left.heard()
    left.send("make_move", {"row": 0, "col": 2})
    left.send("make_move", {"row": True})
    left.send("make_move", {"row": 2, "col": 2})
    received = left.heard()
    assert names(received) == ["move_made", "round_end", "move_rejected", "move_rejected"]
    assert [said["reason"] for _, said in received[2:]] == ["not_playing", "not_playing"]


def test_two_simultaneous_next_round_requests_start_one_round(stage: Stage) -> None:
    left, right = stage.pair()
    for turn, cell in enumerate(TAKEN["first"]):
        (left, right)[turn % 2].mark(cell)
    left.heard()
    right.heard()
    for peer in (left, right, left):
        peer.send("reset_game")
    assert names(left.heard()) == ["game_reset"]
    ((_, reset),) = right.heard()
    assert reset["round_count"] == 1


def test_lobby_chat_stays_in_the_lobby(stage: Stage) -> None:
    left, right = stage.pair()
    cat, dan, outsider = stage.caller("Cat"), stage.caller("Dan"), stage.caller("Eve", login=False)
    ((name, line),) = cat.ask("chat message", {"message": " 大家\u0007好 " + "x" * 300})
    assert (name, line[11:]) == ("chat message", "Cat: 大家好 " + "x" * 196)
    assert dan.heard() == outsider.heard() == [[name, line]]
    assert left.heard() == right.heard() == []
    left.ask("chat message", "hi")
    assert len(right.heard()) == 1
    assert cat.heard() == dan.heard() == []
    cat.leave()
    assert len(dan.ask("chat message", "alone")) == 1
