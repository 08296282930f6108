"""Restarts on the same file, in virtual time."""

from pathlib import Path

from qipai.kernel.ids import RoomId
from qipai.stores.sqlite_store import SqliteStore
from tests.support.hall_simulation import HallSimulation, NativeClient, mark, seat_to_act


def test_a_restart_keeps_every_room_and_no_clock_runs_meanwhile(tmp_path: Path) -> None:
    clock = {"clock": {"main": [60_000], "increment": 0}}
    with HallSimulation(SqliteStore(tmp_path / "q.db")) as first:
        ann, bob, shown = first.running_room(**clock)
        room, seat = shown["room"]["id"], seat_to_act(shown)
        mover, other = (ann, bob) if seat == 0 else (bob, ann)
        first.wait(10)
        (moved,) = mover.ask("play", **mark(room, 4, "n"))
        first.wait(20)
        stopped = first.loop.clock
    with HallSimulation(SqliteStore(tmp_path / "q.db"), clock=stopped + 3600) as second:
        returned = NativeClient(second)
        assert returned.hello(other.token)["rooms"] == [room]
        (view,) = [m for m in returned.ask("join", room=room) if m["type"] == "room"]
        assert view["room"]["position"]["board"][4] in "XO"
        left = view["room"]["clock"]["left"]
        assert left[seat] == moved["clock"]["left"][seat] == 50_000
        assert 39_900 <= left[1 - seat] <= 40_100, "20 seconds ran before the stop, none in the hour after it"
        resumed = NativeClient(second)
        resumed.hello(mover.token)
        missed = resumed.ask("resume", room=room, version=moved["version"])
        assert [m["version"] for m in missed if m["type"] == "events"][:1] == [moved["version"] + 1]
        assert resumed.ask("play", **mark(room, 4, "n"))[-1]["type"] == "unchanged"
        second.wait(39)
        assert second.hall.executor.live_rooms[room].latest.phase == "playing"
        second.wait(2)
        assert second.hall.executor.live_rooms[room].latest.phase == "over"


def test_after_a_restart_a_clock_waits_for_its_player_for_a_limited_time(tmp_path: Path) -> None:
    clock = {"clock": {"main": [60_000]}, "disconnect_timeout": 0}
    with HallSimulation(SqliteStore(tmp_path / "q.db")) as first:
        _, _, shown = first.running_room(**clock)
    with HallSimulation(SqliteStore(tmp_path / "q.db"), clock=500) as second:
        room = shown["room"]["id"]
        second.wait(64)
        assert second.hall.executor.live_rooms[room].latest.phase == "playing"
        second.wait(2)
        assert second.hall.executor.live_rooms[room].latest.phase == "over"


def test_the_disconnect_timeout_does_not_run_while_the_server_is_down(tmp_path: Path) -> None:
    with HallSimulation(SqliteStore(tmp_path / "q.db")) as first:
        ann, bob, shown = first.running_room(disconnect_timeout=60)
        bob.disconnect()
        first.wait(35)
        stopped = first.loop.clock
    with HallSimulation(SqliteStore(tmp_path / "q.db"), clock=stopped + 1000) as second:
        room = shown["room"]["id"]
        returned = NativeClient(second)
        returned.hello(ann.token)
        returned.ask("join", room=room)
        second.wait(25)
        assert second.hall.executor.live_rooms[room].latest.phase == "playing"
        second.wait(10)
        assert second.hall.executor.live_rooms[room].latest.phase == "over"


def test_a_room_whose_players_do_not_return_is_closed(tmp_path: Path) -> None:
    with HallSimulation(SqliteStore(tmp_path / "q.db")) as first:
        first.running_room(disconnect_timeout=60)
    with HallSimulation(SqliteStore(tmp_path / "q.db"), clock=100) as second:
        second.wait(20 + 60 + 120 + 2)
        assert second.hall.executor.live_rooms == {}
    with HallSimulation(SqliteStore(tmp_path / "q.db"), clock=1000) as third:
        assert third.hall.executor.live_rooms == {}


def test_a_bot_moves_after_a_restart(tmp_path: Path) -> None:
    with HallSimulation(SqliteStore(tmp_path / "q.db")) as first:
        ann = first.native_client("Ann")
        shown, started = ann.ask("open", game="tictactoe", nonce="1", bot="perfect")
        room = shown["room"]["id"]
        if started["to_act"] == [0]:
            ann.ask("play", **mark(room, 0, "n"))
        assert turn(first, room) == 1
    with HallSimulation(SqliteStore(tmp_path / "q.db"), clock=100) as second:
        second.wait(10)
        second.finish_bot_decisions()
        assert turn(second, room) == 0


def turn(simulation: HallSimulation, room: RoomId) -> int:
    state = simulation.hall.executor.live_rooms[room].latest.state
    assert state is not None
    return int(state.turn)
