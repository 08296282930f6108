"""The servers on other libraries, and the players of the benchmark that play on them."""

import asyncio
import json
import sqlite3
from pathlib import Path

import msgspec
import pytest

from bench.load.boardgame_players import BoardgamePlayer
from bench.load.colyseus_players import AGAIN, JOIN_ROOM, ColyseusPlayer, message
from bench.load.counters import LoadCounters
from bench.load.measurement import Measurement
from bench.load.pacing import Unlimited
from bench.load.qtchess_players import PLIES, long_game
from bench.load.socketio_chess_players import SocketIOChessPlayer
from bench.peer_servers import PEER_SERVERS, PEERS
from bench.peers.chess_game import BUDGET, ChessGame
from bench.peers.move_store import MoveStore
from bench.scenarios import ONLY_IF_NAMED, SCENARIOS
from bench.scenarios.peers import peer_row

FIRST = long_game()[0].uci()


def test_the_peers_run_only_if_they_are_named() -> None:
    assert "peers" in ONLY_IF_NAMED
    assert set(SCENARIOS) > ONLY_IF_NAMED


def test_the_libraries_of_the_peers_are_pinned_without_a_registry() -> None:
    assert "resolved" not in (PEERS / "package-lock.json").read_text()
    package = json.loads((PEERS / "package.json").read_text())
    pins = {**package["dependencies"], **package["optionalDependencies"]}
    assert all(version[0].isdigit() for version in pins.values())
    lines = (PEERS / "requirements.txt").read_text().splitlines()
    assert all("==" in line and not line.startswith("-") for line in lines)
    assert all((PEERS / peer.program).exists() for peer in PEER_SERVERS)


def test_a_python_peer_accepts_the_long_game_and_refuses_an_illegal_move() -> None:
    game = ChessGame()
    assert game.play("e2e5") is None
    for move in long_game():
        clock = game.play(move.uci())
        assert clock is not None
        assert not clock.over
    assert game.board.ply() == PLIES
    assert min(game.left) >= BUDGET


def test_a_python_peer_stores_the_moves_of_one_turn_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def append() -> None:
        store = MoveStore()
        await asyncio.gather(store.append(("1000", 1, "e2e4", 5)), store.append(("1001", 1, "d2d4", 5)))

    monkeypatch.chdir(tmp_path)
    asyncio.run(append())
    stored = sqlite3.connect(tmp_path / "moves.db")
    assert stored.execute("select room, move from moves").fetchall() == [("1000", "e2e4"), ("1001", "d2d4")]
    stored.close()


def test_players_of_colyseus_join_move_in_turn_and_start_again() -> None:
    class Recording(ColyseusPlayer):
        def send(self, frame: bytes) -> None:
            frames.append(frame)

    async def play() -> None:
        pacing = Unlimited()
        pacing.start()
        player = Recording(0, LoadCounters(), pacing, host=True)
        player.receive(b"\x0a\x03abc\x04none")
        player.receive(message("start", {}))
        assert frames == [JOIN_ROOM, ColyseusPlayer.moves[0]]
        player.receive(message("move", {"from": "a2"}))
        player.receive(message("move", {"from": "a7"}))
        assert player.counters.moves == 1
        player.plies = PLIES
        player.act()
        assert frames[-1] == AGAIN
        player.receive(message("refused", "illegal move"))
        assert player.counters.refusals

    frames: list[bytes] = []
    asyncio.run(play())
    kind = msgspec.msgpack.encode("move")
    assert ColyseusPlayer.moves[0].startswith(b"\x0d" + kind)
    move = msgspec.msgpack.decode(ColyseusPlayer.moves[0][1 + len(kind) :])
    assert move["from"] + move["to"] == FIRST


def test_players_of_python_socketio_move_in_turn_and_start_again() -> None:
    class Recording(SocketIOChessPlayer):
        def emit(self, packet: bytes) -> None:
            packets.append(msgspec.json.decode(packet[2:]))

    async def play() -> None:
        pacing = Unlimited()
        pacing.start()
        player = Recording(0, LoadCounters(), pacing, host=True)
        player.receive(b'42["created",{"room":"1000"}]')
        player.receive(b'42["start",{"room":"1000"}]')
        player.receive(b'42["move",{"room":"1000"}]')
        player.plies = PLIES
        player.act()
        player.receive(b'42["refused","illegal move"]')
        assert (player.counters.moves, len(player.counters.refusals)) == (1, 1)

    packets: list[list[object]] = []
    asyncio.run(play())
    assert packets == [
        ["move", {"room": "1000", "from": FIRST[:2], "to": FIRST[2:], "promotion": None}],
        ["again", {"room": "1000"}],
    ]


def test_players_of_boardgame_io_move_on_their_turn_and_join_the_next_match() -> None:
    class Recording(BoardgamePlayer):
        def emit(self, packet: bytes) -> None:
            packets.append(msgspec.json.decode(packet.partition(b",")[2]))

    def state(number: int) -> str:
        return f'{{"G":{{}},"ctx":{{"turn":1,"currentPlayer":"{number % 2}"}},"_stateID":{number}}}'

    async def play() -> None:
        pacing = Unlimited()
        pacing.start()
        player = Recording(0, LoadCounters(), pacing, 7, "0")
        player.join_next_match()
        player.receive(f'42/chess,["sync","7-0",{{"state":{state(0)},"log":[]}}]'.encode())
        player.receive(f'42/chess,["update","7-0",{state(1)}]'.encode())
        assert player.counters.moves == 1
        player.receive(f'42/chess,["update","7-0",{state(PLIES)}]'.encode())

    packets: list[list[object]] = []
    asyncio.run(play())
    assert [packet[:2] for packet in (packets[0], packets[2])] == [["sync", "7-0"], ["sync", "7-1"]]
    name, action, *place = packets[1]
    assert (name, place) == ("update", [0, "7-0", "0"])
    assert isinstance(action, dict)
    assert action["payload"]["args"] == [FIRST[:2], FIRST[2:]]


def test_a_peer_is_compared_round_by_round() -> None:
    def run(name: str, cost: float) -> Measurement:
        return Measurement(name, 1, 1.0, 1, 1.0, cost, cost, cost / 2, 1e-5, 1.0, 0.0)

    qipai = [run("qipai", cost) for cost in (5e-5, 6e-5, 7e-5)]
    other = [run("peer", cost) for cost in (2e-4, 2e-4, 1e-4)]
    row = peer_row(PEER_SERVERS[0], qipai, other, "better-sqlite3")
    assert (row.qipai, row.reference, row.ratio, row.met) == pytest.approx((60, 200, 0.3, True))
    assert row.note == "stored with better-sqlite3; ratios 0.25 to 0.70; peer 100 to 200 µs"
