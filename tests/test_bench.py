"""The parts of the bench that need no server."""

import os
import time
from pathlib import Path

import msgspec
import pytest

from bench import probe, report
from bench.failure import Failure
from bench.figures import middle, percentile, spread
from bench.load.churn import Busy
from bench.load.churn import row as busy_row
from bench.load.login import cookie
from bench.load.marks import MarkPlayer
from bench.load.notices import Happened, Shown, read
from bench.load.player import DRAWN, Player
from bench.load.stones import STONES, StonePlayer
from bench.load.tally import Tally
from bench.load.visitors import Guest, Host
from bench.load.window import Window
from bench.machine import cpu_model
from bench.node import REFERENCE
from bench.report import Report, Row
from bench.scale import FULL, QUICK
from bench.scenarios import SCENARIOS
from bench.scenarios.cost import compared
from bench.scenarios.mahjong import claims, played
from bench.servers import Server, answers, free_port
from qipai.games.mahjong.wire_types import Pass, Size, Stage


def test_a_percentile_is_a_value_that_was_seen() -> None:
    values = [float(number) for number in range(1, 101)]
    assert percentile(values, 0.50) == 50
    assert percentile(values, 0.99) == 99
    assert percentile([7.0], 0.99) == 7
    assert percentile([], 0.99) == 0


def test_a_spread_is_a_share_of_the_smallest() -> None:
    assert spread([20.0, 23.0, 21.0]) == pytest.approx(0.15)
    assert middle([3.0, 1.0, 2.0]) == 2


def test_the_clock_of_a_process_agrees_with_its_ticks() -> None:
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass
    assert probe.cpu(os.getpid()) == pytest.approx(
        probe.cpu_ticks(os.getpid()), abs=3 * probe.TICK, rel=0.001
    )
    assert probe.kernel(os.getpid()) <= probe.cpu_ticks(os.getpid())


def test_a_process_name_may_hold_spaces_and_brackets() -> None:
    stat = "7 (a b) c) S 1 7 7 0 -1 4194304 100 0 0 0 150 50 3 2 20 0 1 0 1 1 1 1"
    assert probe.stat_times(stat) == pytest.approx((1.5, 0.5, 0.03, 0.02))


def test_a_rollup_is_read_in_bytes() -> None:
    text = "564d-7ffc ---p 00000000 00:00 0    [rollup]\nRss:    1800 kB\nPss:     436 kB\n"
    assert probe.rollup(text) == (1800 * 1024, 436 * 1024)
    assert probe.memory(os.getpid()).rss > 0


def test_the_family_of_a_process_begins_with_itself() -> None:
    assert probe.family(os.getpid())[0] == os.getpid()


def test_the_model_of_the_processor_is_found() -> None:
    assert cpu_model("processor\t: 0\nmodel name\t: Some CPU\n") == "Some CPU"
    assert cpu_model("") != ""


def test_the_script_draws_every_round() -> None:
    lines = ({0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6})
    assert sorted(DRAWN) == list(range(9))
    assert not any(line <= set(DRAWN[side::2]) for line in lines for side in (0, 1))


class Frames(Player):
    """A player who keeps what it would send."""

    def __init__(self, seat: int) -> None:
        super().__init__(0, Tally(), Frames.act)
        self.frames: list[bytes] = []
        self.seat = seat
        self.room = b"r1"

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)


def events(version: int, happened: str, to_act: str, seat: int = 0) -> Happened:
    notice = read(
        b'{"type":"events","room":"r1","version":%d,"at":1,"events":[%b],"to_act":%b,"seat":%d}'
        % (version, happened.encode(), to_act.encode(), seat)
    )
    assert isinstance(notice, Happened)
    return notice


def test_a_player_answers_when_it_is_its_turn_and_only_then() -> None:
    player = Frames(seat=1)
    player.hear(events(5, '{"e":"marked","seat":0,"cell":0}', "[1]"))
    player.hear(events(6, '{"e":"marked","seat":1,"cell":1}', "[0]", seat=1))
    assert [msgspec.json.decode(frame) for frame in player.frames] == [
        {"type": "play", "room": "r1", "move": {"do": "mark", "cell": 1}, "nonce": "1", "at_version": 5}
    ]
    assert player.tally.moves == 1


def test_the_relay_is_played_like_the_server() -> None:
    player = Frames(seat=1)
    player.hear(events(5, '{"do":"mark","cell":0}', "[1]"))
    assert b'"cell":1' in player.frames[0]


def test_the_first_seat_begins_the_next_round() -> None:
    for seat, moves in ((0, 1), (1, 0)):
        player = Frames(seat)
        player.hear(events(14, '{"e":"marked"},{"e":"round_over"}', "[0,1]"))
        assert len(player.frames) == moves
        assert all(b'"next"' in frame for frame in player.frames)


def test_both_offer_a_rematch_one_after_the_other() -> None:
    first, second = Frames(0), Frames(1)
    for player in (first, second):
        player.hear(events(50, '{"e":"marked"},{"e":"game_over"}', "[]"))
    assert (len(first.frames), len(second.frames)) == (1, 0)
    for player in (first, second):
        player.hear(events(51, '{"e":"offer_made","offer":{"id":1}}', "[]"))
    assert (len(first.frames), len(second.frames)) == (1, 1)
    for player in (first, second):
        player.hear(events(52, '{"e":"offer_answered","offer":1},{"e":"game_started"}', "[1]", seat=1))
    assert b'"cell":0' in second.frames[1]
    assert len(first.frames) == 1


def test_a_player_who_comes_back_takes_over_the_whole_table() -> None:
    player = Frames(0)
    shown = read(
        b'{"type":"room","version":9,"at":1,"you":1,"room":{"id":"r2","phase":"playing","to_act":[1],'
        b'"position":{"board":"XO......."}}}'
    )
    assert isinstance(shown, Shown)
    player.hear(shown)
    assert (player.room, player.seat, player.version, player.marks) == (b"r2", 1, 9, 2)
    assert player.wanted()


class Packets(MarkPlayer):
    """A Socket.IO player who acts at once and keeps what it would send."""

    def __init__(self, *, opens: bool = False, offset: str = "") -> None:
        super().__init__(0, Tally(), lambda seat: seat.act(), opens=opens)
        self.packets: list[bytes] = []
        self.sid = "me"
        self._offset = offset

    def emit(self, packet: bytes) -> None:
        self.packets.append(packet)

    def told(self, event: str, payload: str) -> None:
        self.hear(f'42["{event}",{payload}{self._offset}]'.encode())

    def moves(self, count: int) -> None:
        for number in range(count):
            mover, other = "XO" if number % 2 == 0 else "OX"
            turn = mover if number == len(DRAWN) - 1 else other
            self.told("move_made", f'{{"row":0,"col":0,"symbol":"{mover}","turn":"{turn}"}}')


STARTED = '{"room_id":"room_abcd1234_5678","your_symbol":"O","turn":"X","my_side":"right","round_count":0}'
ENDED = '{"winner":"Draw","scores":{"left":0,"right":0,"draw":1},"round_count":0,"match_finished":%s}'


@pytest.mark.parametrize("offset", ["", ',"Ouxm3wT"'])
def test_a_mark_is_answered_with_the_next_cell_whether_or_not_events_carry_an_offset(offset: str) -> None:
    player = Packets(offset=offset)
    player.told("game_start", STARTED)
    assert player.packets == []
    player.moves(3)
    row, col = divmod(DRAWN[3], 3)
    assert player.packets[1:] == [b'42["make_move",{"row":%d,"col":%d}]' % (row, col)]
    assert player.tally.moves == 1


def test_the_last_mark_of_a_round_is_answered_by_nobody() -> None:
    player = Packets()
    player.told("game_start", STARTED.replace('"O"', '"X"'))
    player.moves(9)
    assert len(player.packets) == player.tally.moves == 5


def test_one_of_two_asks_for_the_next_round_and_for_the_next_match() -> None:
    for opens, packets in ((True, [b'42["reset_game"]', b'42["start_new_match"]']), (False, [])):
        player = Packets(opens=opens)
        player.told("game_start", STARTED)
        player.told("round_end", ENDED % "false")
        player.told("game_reset", '{"turn":"X","round_count":1,"match_finished":false}')
        player.told("round_end", ENDED % "true")
        assert player.packets == packets


def test_a_new_match_may_bring_another_symbol() -> None:
    player = Packets()
    player.told("game_start", STARTED)
    player.told("round_end", ENDED % "true")
    player.told(
        "new_match_started",
        '{"turn":"X","left_player":{"sid":"me","username":"a","symbol":"X"},'
        '"right_player":{"sid":"you","username":"b","symbol":"O"},"current_first_player":"left"}',
    )
    assert player.packets == [b'42["make_move",{"row":0,"col":0}]']


def test_whatever_the_server_does_not_do_is_counted() -> None:
    player = Packets(offset=',"Ouxm3wT"')
    player.told("move_rejected", '{"reason":"occupied"}')
    player.hear(b'42["opponent_left"]')
    player.hear('42["chat message","[系統提示] 請等候其他玩家加入！"]'.encode())
    assert [said.split('"')[1] for said in player.tally.refusals] == ["move_rejected", "opponent_left"]


class Stones(StonePlayer):
    """A gomoku player who keeps what it would send."""

    def __init__(self, offset: str = "") -> None:
        super().__init__(0, Tally())
        self.packets: list[bytes] = []
        self.on = True
        self._offset = offset

    def emit(self, packet: bytes) -> None:
        self.packets.append(packet)

    def told(self, event: str, payload: str) -> None:
        self.hear(f'42["{event}",{payload}{self._offset}]'.encode())

    def updated(self, turn: int, status: str = "playing") -> None:
        view = f'"id":"7097","currentTurn":{turn},"status":"{status}","myRole":"black"'
        self.told("room-updated", f'{{{view},"room":{{{view}}}}}' if self._offset else f"{{{view}}}")


@pytest.mark.parametrize("offset", ["", ',"Ouxm3wT"'])
def test_a_stone_is_placed_on_the_next_cell_when_the_room_says_whose_turn_it_is(offset: str) -> None:
    player = Stones(offset)
    player.told("room-joined", '{"room":{"id":"7097"},"role":"white"}')
    player.updated(1)
    assert player.packets == []
    player.told("stone-placed", '{"x":0,"y":0,"color":1}')
    player.updated(2)
    assert player.packets == [b'42["place-stone",{"roomId":"7097","x":1,"y":0}]']
    assert player.tally.moves == 0
    player.told("stone-placed", '{"x":1,"y":0,"color":2}')
    assert player.tally.moves == 1


def test_a_long_game_is_surrendered_and_both_ask_for_another_with_colours_as_told() -> None:
    player = Stones(',"Ouxm3wT"')
    player.told("room-joined", '{"room":{"id":"7097"},"role":"black"}')
    player.stones = STONES
    player.updated(1)
    player.told("game-over", '{"winner":2,"winningStones":null,"surrender":true}')
    player.updated(1, "ended")
    assert [packet.split(b'"')[1] for packet in player.packets] == [b"surrender", b"request-rematch"]
    player.told("rematch-start", '{"swapped":true,"newRole":"white","message":""}')
    player.updated(1)
    assert (player.colour, player.stones, len(player.packets)) == (2, 0, 2)


def test_the_script_of_stones_has_no_five_in_a_row() -> None:
    cells = {(number % 15, 2 * (number // 15)): number % 2 for number in range(STONES)}
    for (x, y), colour in cells.items():
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            assert {cells.get((x + step * dx, y + step * dy)) for step in range(5)} != {colour}


def test_who_reads_the_gomoku_lobby_counts_the_rooms_that_are_others_than_before() -> None:
    reader, other = Guest(0, reads=True), Guest(0)
    for name in ("null", '"a"', '"a"', "null"):
        packet = f'42["room-list",[{{"id":"1000","blackPlayer":{name}}}],"Ouxm3wT"]'.encode()
        reader.hear(packet)
        other.hear(packet)
    assert (reader.news, reader.changes) == (4, 3)
    assert (other.news, other.changes) == (4, 0)


def test_a_host_of_the_gomoku_lobby_leaves_its_room_and_comes_back() -> None:
    class Kept(Host):
        def emit(self, packet: bytes) -> None:
            packets.append(packet)

    packets: list[bytes] = []
    host = Kept(0)
    host.hear(b'42["room-joined",{"room":{"id":"7097"},"role":"black"},"Ouxm3wT"]')
    host.change()
    host.change()
    assert packets == [b'42["leave-room",{"roomId":"7097"}]', b'42["join-room",{"roomId":"7097"}]']
    assert host.changed == 2
    assert host.wrong is None
    host.hear(b'42["error",{"code":"room_full","message":""},"Ouxm3wT"]')
    assert "room_full" in str(host.wrong)


def test_a_busy_lobby_is_shown_as_the_share_of_a_core() -> None:
    runs = [Busy(10, 1.0, share, 0.1, 100.0, 99.0, 9.6) for share in (0.08, 0.2, 0.09)]
    found = busy_row("lobby", runs)
    assert found.ours == pytest.approx(9)
    assert found.met
    assert found.note == "100 changes made, 99 heard in 10 lists a second"


def test_the_session_is_taken_from_the_answer_to_the_login() -> None:
    found = "HTTP/1.1 302 Found\r\nlocation: /\r\nSet-Cookie: other=1\r\nset-cookie: session=a.b; HttpOnly"
    assert cookie(found) == "session=a.b"
    for head in ("HTTP/1.1 200 OK\r\nset-cookie: session=a", "HTTP/1.1 302 Found\r\nlocation: /", ""):
        with pytest.raises(Failure):
            cookie(head)


def test_costs_are_compared_by_their_medians() -> None:
    def run(name: str, cost: float) -> Window:
        return Window(name, 1, 1.0, 1, 1.0, cost, cost, cost / 2, 1e-5, 1.0, 0.0)

    row = compared("a-move", [run("a", 3e-5), run("a", 1e-5), run("a", 2e-5)], [run("b", 4e-5)], ", more")
    assert (row.ours, row.reference, row.ratio, row.met) == pytest.approx((20, 40, 0.5, True))
    assert row.note == "kernel 10 and 20 µs, generator 10 µs, more"


def test_a_report_says_what_it_found(tmp_path: Path) -> None:
    found = Report({"cpu": "some"}, quick=True, began=report.today())
    found.rows = [
        Row("native-move", "µs", "<= 1.0 x", 20.0, 25.0, 0.8, True, "kernel 12 µs"),
        Row("flat", "%", "<= 15%", 20.0, met=False),
        Row("lobby", "", "", note="failed: no server"),
    ]
    found.keep("flat", FULL)
    lines = report.table(found.rows).splitlines()
    assert lines[2].split("  ")[0] == "native-move"
    assert lines[2].endswith("met; kernel 12 µs")
    assert "missed" in lines[3]
    assert lines[4].endswith("failed: no server")
    found.write(tmp_path / "report.json")
    written = msgspec.json.decode((tmp_path / "report.json").read_bytes(), type=Report)
    assert written.rows == found.rows
    assert written.runs[0]["scenario"] == "flat"


def test_a_server_that_fails_is_quoted(tmp_path: Path) -> None:
    server = Server("some", [], 0, {}, tmp_path)
    assert str(server.failure("stopped")) == "some stopped: no output"
    (tmp_path / "err").write_text("first\nlast\n")
    assert str(server.failure("stopped")) == "some stopped: last"


def test_nobody_is_healthy_on_a_free_port() -> None:
    assert not answers(free_port())


def test_quick_measures_the_same_in_less() -> None:
    assert QUICK.rounds >= 3
    assert FULL.rounds >= QUICK.rounds
    assert set(QUICK.sizes) <= set(FULL.sizes)
    assert FULL.sizes[0] == 1
    assert FULL.sizes[-1] == 2000
    assert {"native-move", "idle-memory", "native-latency", "flat", "restart", "lobby", "crowd"} <= set(
        SCENARIOS
    )
    assert {"tictactoe-move", "socketio-idle", "gomoku-move", "gomoku-lobby"} <= set(SCENARIOS)


def test_the_reference_is_pinned_and_names_no_registry() -> None:
    lock = (REFERENCE / "package-lock.json").read_text()
    assert "resolved" not in lock
    wanted = msgspec.json.decode((REFERENCE / "package.json").read_bytes())["dependencies"]
    assert all(version[0].isdigit() for version in wanted.values())


def test_claims_are_listed_for_all_three_who_are_asked_after_a_discard() -> None:
    for size in Size:
        windows = played(size, 12)
        assert len({window.last for window in windows}) == 12
        for window in windows:
            assert (window.stage, window.options.tiles) == (Stage.CLAIMING, size)
            assert not any(window.votes)
            assert [legal[0] for legal in claims(window)] == [Pass()] * 3
