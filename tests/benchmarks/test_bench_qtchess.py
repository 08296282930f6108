"""The qtchess players of the benchmark play a legal game repeatedly."""

import asyncio
import json

import chess

from bench.load.counters import LoadCounters
from bench.load.pacing import Unlimited
from bench.load.qtchess_players import MOVES, PLIES, QtChessPlayer, long_game
from bench.scenarios import SCENARIOS
from tests.clients.qtchess.qtchess_clients import Qt, actions, game
from tests.support.hall_simulation import HallSimulation


class RecordingPlayer(QtChessPlayer):
    """A chess player that records its frames instead of sending them."""

    def __init__(self, pacing: Unlimited, *, host: bool) -> None:
        super().__init__(0, LoadCounters(), pacing, host=host)
        self.frames: list[bytes] = []

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)

    def notify(self, action: str) -> None:
        self.receive(json.dumps({"action": action, "room": "1234"}, separators=(",", ":")).encode())


def test_the_game_is_legal_and_not_over() -> None:
    moves, board = long_game(), chess.Board()
    assert len(moves) == len(MOVES) == PLIES
    for move in moves:
        assert move in board.legal_moves
        board.push(move)
        assert not board.is_game_over()
    assert PLIES % 2 == 0


def test_the_server_accepts_every_move_of_the_game(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    code = host.code.encode()
    for number, move in enumerate(MOVES):
        mover: Qt = (host, guest)[number % 2]
        mover.received()
        assert actions(mover.asked(move % code)) == ["move"]
        simulation.wait(0.1)


def test_players_move_in_turn_and_the_host_starts_again_after_the_last_move() -> None:
    async def play() -> None:
        pacing = Unlimited()
        pacing.start()
        white, black = RecordingPlayer(pacing, host=True), RecordingPlayer(pacing, host=False)
        for player in (white, black):
            player.notify("roomCreated")
            player.notify("gameStart")
        assert (len(white.frames), len(black.frames)) == (1, 0)
        for player in (white, black):
            player.receive(b'{"action":"move","room":"1234"}')
        assert (white.counters.moves, black.counters.moves) == (1, 0)
        assert black.frames == [MOVES[1] % b"1234"]
        white.plies = PLIES
        white.act()
        assert [json.loads(frame)["action"] for frame in white.frames[-2:]] == ["surrender", "startGame"]
        white.notify("gameStart")
        assert white.plies == 0
        black.notify("error")
        assert black.counters.refusals

    asyncio.run(play())


def test_the_scenario_is_registered() -> None:
    assert "qtchess-move" in SCENARIOS
