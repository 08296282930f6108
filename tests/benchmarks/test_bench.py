"""The parts of the benchmark that need no server."""

import os
import time
from pathlib import Path

import msgspec
import pytest

from bench import process_usage, report
from bench.failure import Failure
from bench.load.counters import LoadCounters
from bench.load.gomoku_lobby_clients import LobbyReader, RoomHost
from bench.load.lobby_load import LobbyMeasurement, lobby_row
from bench.load.login import cookie
from bench.load.measurement import Measurement
from bench.load.native_player import DRAW_CELLS, Player
from bench.load.notices import FullRoom, RoomEvents, read
from bench.machine import cpu_model
from bench.node import REFERENCE
from bench.report import Report, Row
from bench.scale import FULL, QUICK
from bench.scenarios import SCENARIOS
from bench.scenarios.cpu_per_move import comparison_row
from bench.scenarios.mahjong import claims, play_hands
from bench.servers import Server, free_port, is_healthy
from bench.statistics import median, percentile, spread
from qipai.games.mahjong.wire_types import Pass, Size, Stage


def test_a_percentile_is_one_of_the_values() -> None:
    values = [float(number) for number in range(1, 101)]
    assert percentile(values, 0.50) == 50
    assert percentile(values, 0.99) == 99
    assert percentile([7.0], 0.99) == 7
    assert percentile([], 0.99) == 0


def test_a_spread_is_a_share_of_the_smallest_value() -> None:
    assert spread([20.0, 23.0, 21.0]) == pytest.approx(0.15)
    assert median([3.0, 1.0, 2.0]) == 2


def test_the_clock_of_a_process_agrees_with_its_ticks() -> None:
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass
    assert process_usage.cpu(os.getpid()) == pytest.approx(
        process_usage.cpu_ticks(os.getpid()), abs=3 * process_usage.TICK, rel=0.001
    )
    assert process_usage.kernel(os.getpid()) <= process_usage.cpu_ticks(os.getpid())


def test_a_process_name_may_contain_spaces_and_brackets() -> None:
    stat = "7 (a b) c) S 1 7 7 0 -1 4194304 100 0 0 0 150 50 3 2 20 0 1 0 1 1 1 1"
    assert process_usage.stat_times(stat) == pytest.approx((1.5, 0.5, 0.03, 0.02))


def test_a_rollup_is_read_in_bytes() -> None:
    text = "564d-7ffc ---p 00000000 00:00 0    [rollup]\nRss:    1800 kB\nPss:     436 kB\n"
    assert process_usage.rollup(text) == (1800 * 1024, 436 * 1024)
    assert process_usage.memory(os.getpid()).rss > 0


def test_a_process_tree_begins_with_the_process_itself() -> None:
    assert process_usage.process_tree(os.getpid())[0] == os.getpid()


def test_the_model_of_the_processor_is_found() -> None:
    assert cpu_model("processor\t: 0\nmodel name\t: Some CPU\n") == "Some CPU"
    assert cpu_model("") != ""


def test_the_cells_of_a_round_complete_no_line() -> None:
    lines = ({0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6})
    assert sorted(DRAW_CELLS) == list(range(9))
    assert not any(line <= set(DRAW_CELLS[side::2]) for line in lines for side in (0, 1))


class RecordingPlayer(Player):
    """A player that records its frames instead of sending them."""

    def __init__(self, seat: int) -> None:
        super().__init__(0, LoadCounters(), RecordingPlayer.act)
        self.frames: list[bytes] = []
        self.seat = seat
        self.room = b"r1"

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)


def events(version: int, raw: str, to_act: str, seat: int = 0) -> RoomEvents:
    notice = read(
        b'{"type":"events","room":"r1","version":%d,"at":1,"events":[%b],"to_act":%b,"seat":%d}'
        % (version, raw.encode(), to_act.encode(), seat)
    )
    assert isinstance(notice, RoomEvents)
    return notice


def test_a_player_moves_only_on_its_turn() -> None:
    player = RecordingPlayer(seat=1)
    player.receive(events(5, '{"e":"marked","seat":0,"cell":0}', "[1]"))
    player.receive(events(6, '{"e":"marked","seat":1,"cell":1}', "[0]", seat=1))
    assert [msgspec.json.decode(frame) for frame in player.frames] == [
        {"type": "play", "room": "r1", "move": {"do": "mark", "cell": 1}, "nonce": "1", "at_version": 5}
    ]
    assert player.counters.moves == 1


def test_a_player_understands_the_reference_relay() -> None:
    player = RecordingPlayer(seat=1)
    player.receive(events(5, '{"do":"mark","cell":0}', "[1]"))
    assert b'"cell":1' in player.frames[0]


def test_the_first_seat_starts_the_next_round() -> None:
    for seat, moves in ((0, 1), (1, 0)):
        player = RecordingPlayer(seat)
        player.receive(events(14, '{"e":"marked"},{"e":"round_over"}', "[0,1]"))
        assert len(player.frames) == moves
        assert all(b'"next"' in frame for frame in player.frames)


def test_both_players_offer_a_rematch_in_turn() -> None:
    first, second = RecordingPlayer(0), RecordingPlayer(1)
    for player in (first, second):
        player.receive(events(50, '{"e":"marked"},{"e":"game_over"}', "[]"))
    assert (len(first.frames), len(second.frames)) == (1, 0)
    for player in (first, second):
        player.receive(events(51, '{"e":"offer_made","offer":{"id":1}}', "[]"))
    assert (len(first.frames), len(second.frames)) == (1, 1)
    for player in (first, second):
        player.receive(events(52, '{"e":"offer_answered","offer":1},{"e":"game_started"}', "[1]", seat=1))
    assert b'"cell":0' in second.frames[1]
    assert len(first.frames) == 1


def test_a_player_that_resumes_takes_over_the_full_room() -> None:
    player = RecordingPlayer(0)
    shown = read(
        b'{"type":"room","version":9,"at":1,"you":1,"room":{"id":"r2","phase":"playing","to_act":[1],'
        b'"position":{"board":"XO......."}}}'
    )
    assert isinstance(shown, FullRoom)
    player.receive(shown)
    assert (player.room, player.seat, player.version, player.marks) == (b"r2", 1, 9, 2)
    assert player.is_to_act()


def test_a_lobby_reader_counts_changed_rooms() -> None:
    reader, other = LobbyReader(0, decodes=True), LobbyReader(0)
    for name in ("null", '"a"', '"a"', "null"):
        packet = f'42["room-list",[{{"id":"1000","blackPlayer":{name}}}],"Ouxm3wT"]'.encode()
        reader.receive(packet)
        other.receive(packet)
    assert (reader.lists, reader.changes) == (4, 3)
    assert (other.lists, other.changes) == (4, 0)


def test_a_room_host_leaves_its_room_and_joins_it_again() -> None:
    class RecordingHost(RoomHost):
        def emit(self, packet: bytes) -> None:
            packets.append(packet)

    packets: list[bytes] = []
    host = RecordingHost(0)
    host.receive(b'42["room-joined",{"room":{"id":"7097"},"role":"black"},"Ouxm3wT"]')
    host.change()
    host.change()
    assert packets == [b'42["leave-room",{"roomId":"7097"}]', b'42["join-room",{"roomId":"7097"}]']
    assert host.changed == 2
    assert host.error is None
    host.receive(b'42["error",{"code":"room_full","message":""},"Ouxm3wT"]')
    assert "room_full" in str(host.error)


def test_the_cost_of_a_lobby_is_the_share_of_a_core() -> None:
    runs = [LobbyMeasurement(10, 1.0, share, 0.1, 100.0, 99.0, 9.6) for share in (0.08, 0.2, 0.09)]
    found = lobby_row("lobby", runs)
    assert found.qipai == pytest.approx(9)
    assert found.met
    assert found.note == "100 changes made, 99 received in 10 lists per second"


def test_the_session_cookie_is_read_from_the_login_response() -> None:
    found = "HTTP/1.1 302 Found\r\nlocation: /\r\nSet-Cookie: other=1\r\nset-cookie: session=a.b; HttpOnly"
    assert cookie(found) == "session=a.b"
    for head in ("HTTP/1.1 200 OK\r\nset-cookie: session=a", "HTTP/1.1 302 Found\r\nlocation: /", ""):
        with pytest.raises(Failure):
            cookie(head)


def test_costs_are_compared_by_their_medians() -> None:
    def run(name: str, cost: float) -> Measurement:
        return Measurement(name, 1, 1.0, 1, 1.0, cost, cost, cost / 2, 1e-5, 1.0, 0.0)

    row = comparison_row(
        "a-move", [run("a", 3e-5), run("a", 1e-5), run("a", 2e-5)], [run("b", 4e-5)], ", more"
    )
    assert (row.qipai, row.reference, row.ratio, row.met) == pytest.approx((20, 40, 0.5, True))
    assert row.note == "kernel 10 and 20 µs, generator 10 µs, more"


def test_a_report_has_a_table_and_a_file(tmp_path: Path) -> None:
    found = Report({"cpu": "some"}, quick=True, started=report.timestamp())
    found.rows = [
        Row("native-move", "µs", "<= 1.0 x", 20.0, 25.0, 0.8, True, "kernel 12 µs"),
        Row("table-count", "%", "<= 15%", 20.0, met=False),
        Row("lobby", "", "", note="failed: no server"),
    ]
    found.add_run("table-count", FULL)
    lines = report.table(found.rows).splitlines()
    assert lines[2].split("  ")[0] == "native-move"
    assert lines[2].endswith("met; kernel 12 µs")
    assert "missed" in lines[3]
    assert lines[4].endswith("failed: no server")
    found.write(tmp_path / "report.json")
    written = msgspec.json.decode((tmp_path / "report.json").read_bytes(), type=Report)
    assert written.rows == found.rows
    assert written.runs[0]["scenario"] == "table-count"


def test_a_failure_quotes_the_last_line_of_the_server(tmp_path: Path) -> None:
    server = Server("some", [], 0, {}, tmp_path)
    assert str(server.failure("stopped")) == "some stopped: no output"
    (tmp_path / "err").write_text("first\nlast\n")
    assert str(server.failure("stopped")) == "some stopped: last"


def test_a_free_port_is_not_healthy() -> None:
    assert not is_healthy(free_port())


def test_the_quick_run_has_the_same_scenarios() -> None:
    assert QUICK.rounds >= 3
    assert FULL.rounds >= QUICK.rounds
    assert set(QUICK.table_counts) <= set(FULL.table_counts)
    assert FULL.table_counts[0] == 1
    assert FULL.table_counts[-1] == 2000
    assert {
        "native-move",
        "idle-memory",
        "native-latency",
        "table-count",
        "restart",
        "lobby",
        "spectators",
    } <= set(SCENARIOS)
    assert {"tictactoe-move", "socketio-idle", "gomoku-move", "gomoku-lobby"} <= set(SCENARIOS)


def test_the_reference_libraries_are_pinned_without_a_registry() -> None:
    lock = (REFERENCE / "package-lock.json").read_text()
    assert "resolved" not in lock
    wanted = msgspec.json.decode((REFERENCE / "package.json").read_bytes())["dependencies"]
    assert all(version[0].isdigit() for version in wanted.values())


def test_claims_of_all_three_other_seats_are_listed_after_a_discard() -> None:
    for size in Size:
        discards = play_hands(size, 12)
        assert len({discard.last_discard for discard in discards}) == 12
        for discard in discards:
            assert (discard.stage, discard.options.tiles) == (Stage.CLAIMING, size)
            assert not any(discard.answers)
            assert [legal[0] for legal in claims(discard)] == [Pass()] * 3
