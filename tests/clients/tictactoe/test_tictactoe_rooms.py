"""Tic-tac-toe clients in rooms: with each other, and repeatedly."""

from typing import Any

from qipai.games.game_registry import GAMES
from qipai.hall.journal.room_rebuilding import restore
from qipai.hall.people.person_quota import CROWD_LINES, CROWD_WINDOW
from qipai.kernel.ids import RoomId
from qipai.kernel.room import Phase
from qipai.stores.memory_store import MemoryStore
from tests.games.tictactoe.tictactoe_table import TAKEN
from tests.support.hall_simulation import HallSimulation, Message, NativeClient, SocketIOClient, mark


def names(received: list[Any]) -> list[str]:
    return [event for event, *_ in received]


def events(messages: list[Message]) -> list[Message]:
    return [event for message in messages for event in message.get("events", ())]


def mixed(
    simulation: HallSimulation, *, page_first: bool
) -> tuple[SocketIOClient, NativeClient, Message, Message]:
    """Return an older and a web client in a room, `game_start` and the web client's position."""
    ann, bob = simulation.socketio_client("Ann"), simulation.native_client("Bob")
    if page_first:
        bob.ask("quick_match", game="tictactoe")
        start = ann.ask("join_pvp")[-1][1]
        position = events(bob.received())[-1]["position"]
    else:
        ann.ask("join_pvp")
        position = bob.ask("quick_match", game="tictactoe")[-1]["room"]["position"]
        start = ann.received()[-1][1]
    return ann, bob, start, position


def room_of(simulation: HallSimulation) -> str:
    (room,) = simulation.hall.executor.live_rooms
    return room


def play(simulation: HallSimulation, ann: SocketIOClient, bob: NativeClient, cells: tuple[int, ...]) -> None:
    """Mark these cells in turn."""
    room = room_of(simulation)
    live_room = simulation.hall.executor.live_rooms[RoomId(room)]
    seat = ann.connection.rooms[RoomId(room)]
    for cell in cells:
        (acting,) = live_room.rules.to_act(live_room.latest.state)
        if acting == seat:
            ann.mark(cell)
        else:
            bob.ask("play", **mark(room, cell))


def finish(simulation: HallSimulation, left: SocketIOClient, right: SocketIOClient) -> None:
    """Play a match that left wins, three rounds to nothing."""
    for number in range(3):
        begins, follows = (left, right) if number % 2 == 0 else (right, left)
        for turn, cell in enumerate(TAKEN["first" if begins is left else "second"]):
            (begins, follows)[turn % 2].mark(cell)
        if number < 2:
            left.ask("reset_game")
    left.received()
    right.received()


def test_both_may_request_a_new_match_at_the_same_time(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    finish(simulation, left, right)
    left.send("start_new_match")
    right.send("start_new_match")
    simulation.settle()
    assert [names(peer.received()) for peer in (left, right)] == [["new_match_started"]] * 2
    (live_room,) = simulation.hall.executor.live_rooms.values()
    assert (live_room.latest.match, live_room.latest.phase) == (2, Phase.PLAYING)


def test_joining_after_a_match_leaves_the_old_room_for_a_new_one(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    finish(simulation, left, right)
    assert names(left.ask("join_pvp")) == ["waiting_for_opponent", "chat message"]
    assert right.received() == [["opponent_left"]]
    assert names(right.ask("join_pvp")) == ["chat message", "chat message", "game_start"]
    assert len(simulation.hall.executor.live_rooms) == 1


def test_a_second_tab_takes_the_seat_and_the_first_may_take_it_back(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    left.mark(4)
    assert left.guest is not None
    tab = simulation.socketio_client(left.guest.name)
    assert names(tab.ask("join_pvp")) == ["game_start", "move_made"]
    ((_, line),) = left.received()[-1:]
    assert line.startswith("[系統提示] ")
    assert left.mark(0) == [["move_rejected", {"reason": "not_playing"}]]
    right.received()
    assert names(right.mark(0)) == ["move_made"]
    assert names(tab.mark(8)) == ["move_made", "move_made"]
    left.leave()
    assert right.received()[-1][0] == "move_made"
    tab.leave()
    assert right.received() == [["opponent_left"]]


def test_a_tab_that_took_over_is_known_by_its_own_socket_in_the_next_match(
    simulation: HallSimulation,
) -> None:
    left, right = simulation.socketio_pair()
    assert left.guest is not None
    tab = simulation.socketio_client(left.guest.name)
    tab.ask("join_pvp")
    finish(simulation, tab, right)
    right.ask("start_new_match")
    ((_, started),) = tab.received()
    sids = {started[side]["sid"] for side in ("left_player", "right_player")}
    assert sids == {tab.sid, right.sid}


def test_a_disconnect_of_less_than_fifteen_seconds_is_not_reported(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    wat = simulation.native_client("Wat")
    wat.ask("watch", room=room_of(simulation))
    for _ in range(5):
        right.lose_transport()
        simulation.wait(14.5)
        right.recover()
        simulation.wait(60)
    assert left.received() == []
    assert wat.received_except_counts() == []
    assert not right.transport.aborted


def test_a_disconnect_of_more_than_fifteen_seconds_closes_the_room_as_abandoned(
    simulation: HallSimulation,
) -> None:
    left, right = simulation.socketio_pair()
    room = RoomId(room_of(simulation))
    right.lose_transport()
    simulation.wait(15.5)
    assert left.received() == [["opponent_left"]]
    assert right.transport.aborted
    saved = simulation.store.load(room)
    assert saved is not None
    _, archived, _ = restore(GAMES, saved)
    assert archived.phase is Phase.CLOSED
    assert archived.result is not None
    assert (archived.result.winners, archived.result.reason) == ((), "abandoned")
    assert names(left.ask("join_pvp")) == ["waiting_for_opponent", "chat message"]


def test_a_match_survives_a_restart_and_both_rejoin() -> None:
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        left, right = simulation.socketio_pair()
        left.mark(4)
        right.mark(0)
        right.lose_transport()
        room = left.ask("join_pvp")[-3][1]["room_id"]
        simulation.run(simulation.hall.stop())
        left.leave()
        right.leave()
        simulation.wait(30)
        assert "opponent_left" not in names(left.received())
        sides = (left.guest, right.guest)
    with HallSimulation(store, clock=40) as simulation:
        (live_room,) = simulation.hall.executor.live_rooms.values()
        assert live_room.latest.phase is Phase.PLAYING
        back = [simulation.socketio_client(guest.name) for guest in sides if guest is not None]
        for peer in back:
            received = peer.ask("join_pvp")
            assert names(received) == ["game_start", "move_made", "move_made"]
            assert received[0][1]["room_id"] == room
        assert names(back[0].mark(8)) == ["move_made"]
        simulation.wait(120)
        assert names(back[1].received()) == ["move_made"]


def test_with_one_match_allowed_a_third_client_is_refused() -> None:
    with HallSimulation(single=frozenset({"tictactoe"})) as simulation:
        left, right = simulation.socketio_pair()
        cat = simulation.socketio_client("Cat")
        busy = [["game_in_progress", {"message": "目前已有遊戲進行中，請稍後再試"}]]
        assert cat.ask("join_pvp") == busy
        assert names(left.ask("join_pvp")) == ["game_start"]
        right.leave()
        assert names(cat.ask("join_pvp")) == ["waiting_for_opponent", "chat message"]
        left.received()
        assert names(left.ask("join_pvp"))[-1] == "game_start"


def test_with_one_match_allowed_three_simultaneous_joins_make_one_match() -> None:
    with HallSimulation(single=frozenset({"tictactoe"})) as simulation:
        people = [simulation.socketio_client(name) for name in ("Ann", "Bob", "Cat")]
        for peer in people:
            peer.send("join_pvp")
        assert [names(peer.received())[-1] for peer in people] == [
            "game_start",
            "game_start",
            "game_in_progress",
        ]


def test_with_one_match_allowed_no_second_match_starts_beside_it() -> None:
    with HallSimulation(single=frozenset({"tictactoe"})) as simulation:
        left, right = simulation.socketio_pair()
        native = simulation.native_client("Dan")
        native.ask("open", game="tictactoe", nonce="b", bot="random")
        finish(simulation, left, right)
        others = simulation.socketio_client("Cat"), simulation.socketio_client("Eve")
        assert [names(peer.ask("join_pvp"))[-1] for peer in others] == ["chat message", "game_start"]
        left.received()
        assert names(left.ask("start_new_match")) == ["game_in_progress"]
        others[0].leave()
        assert names(left.ask("start_new_match")) == ["new_match_started"]
        assert names(right.received())[-1] == "new_match_started"


def test_with_one_match_allowed_a_waiting_client_that_reconnects_keeps_waiting() -> None:
    with HallSimulation(single=frozenset({"tictactoe"})) as simulation:
        zoe = simulation.socketio_client("Zoe")
        zoe.ask("join_pvp")
        zoe.lose_transport()
        left, right = simulation.socketio_pair()
        zoe.recover()
        assert names(simulation.socketio_client("Eve").ask("join_pvp")) == ["game_in_progress"]
        assert "game_start" not in names(zoe.received())
        left.leave()
        assert names(right.received())[-1] == "opponent_left"
        assert names(simulation.socketio_client("Fay").ask("join_pvp"))[-1] == "game_start"


def test_a_waiting_room_is_listed_only_while_its_player_is_connected(simulation: HallSimulation) -> None:
    reader = simulation.native_client("Dan")
    reader.ask("lobby")
    ann = simulation.socketio_client("Ann")
    ann.ask("join_pvp")
    simulation.wait(0.2)
    (listed,) = (room for news in reader.received() for room in news.get("rooms", ()))
    ann.lose_transport()
    simulation.wait(0.2)
    assert [gone for news in reader.received() for gone in news.get("gone", ())] == [listed["id"]]
    ann.recover()
    simulation.wait(0.2)
    assert [room["id"] for news in reader.received() for room in news.get("rooms", ())] == [listed["id"]]


def test_any_number_of_matches_run_side_by_side(simulation: HallSimulation) -> None:
    people = [simulation.socketio_client(f"P{number}") for number in range(20)]
    starts = [peer.ask("join_pvp") for peer in people]
    assert [names(received)[-1] for received in starts[1::2]] == ["game_start"] * 10
    assert len(simulation.hall.executor.live_rooms) == 10


def test_room_ids_have_the_form_clients_expect(simulation: HallSimulation) -> None:
    ((_, data), _) = simulation.socketio_client("Ann").ask("join_pvp")
    (live_room,) = simulation.hall.executor.live_rooms.values()
    assert data["room_id"] == f"room_{live_room.latest.id[:8]}_{live_room.latest.code}"


def test_frames_sent_with_a_move_are_answered_in_order(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    for cell, peer in zip((0, 3, 1, 4), (left, right, left, right), strict=True):
        peer.mark(cell)
    left.received()
    left.send("make_move", {"row": 0, "col": 2})
    left.send("make_move", {"row": True})
    left.send("make_move", {"row": 2, "col": 2})
    received = left.received()
    assert names(received) == ["move_made", "round_end", "move_rejected", "move_rejected"]
    assert [said["reason"] for _, said in received[2:]] == ["not_playing", "not_playing"]


def test_two_simultaneous_next_round_requests_start_one_round(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    for turn, cell in enumerate(TAKEN["first"]):
        (left, right)[turn % 2].mark(cell)
    left.received()
    right.received()
    for peer in (left, right, left):
        peer.send("reset_game")
    assert names(left.received()) == ["game_reset"]
    ((_, reset),) = right.received()
    assert reset["round_count"] == 1


def test_lobby_chat_stays_in_the_lobby(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    cat, dan, outsider = (
        simulation.socketio_client("Cat"),
        simulation.socketio_client("Dan"),
        simulation.socketio_client("Eve", login=False),
    )
    ((name, line),) = cat.ask("chat message", {"message": " 大家\u0007好 " + "x" * 300})
    assert (name, line[11:]) == ("chat message", "Cat: 大家好 " + "x" * 196)
    assert dan.received() == outsider.received() == [[name, line]]
    assert left.received() == right.received() == []
    left.ask("chat message", "hi")
    assert len(right.received()) == 1
    assert cat.received() == dan.received() == []
    cat.leave()
    assert len(dan.ask("chat message", "alone")) == 1


def test_a_lobby_chat_takes_a_limited_number_of_lines(simulation: HallSimulation) -> None:
    crowd = [simulation.socketio_client(f"Eve {number}") for number in range(CROWD_LINES + 1)]
    for one in crowd[:-1]:
        one.ask("chat message", "hello")
    reader, last = crowd[0], crowd[-1]
    assert len(reader.received()) == CROWD_LINES - 1
    last.received()
    last.ask("chat message", "one too many")
    assert reader.received() == []
    simulation.wait(CROWD_WINDOW / 1000)
    last.ask("chat message", "now")
    ((name, line),) = reader.received()
    assert (name, line.endswith("now")) == ("chat message", True)
