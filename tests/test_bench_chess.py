"""The chess players of the bench: what they play is legal, and they go on for ever."""

import asyncio
import json

import chess

from bench.load.chess import MOVES, PLIES, ChessPlayer, line
from bench.load.pace import Free
from bench.load.tally import Tally
from bench.scenarios import SCENARIOS
from tests.clients.qtchess.qtchess_room import Qt, actions, game
from tests.support.stage import Stage


class Player(ChessPlayer):
    """A chess player who keeps what it would send."""

    def __init__(self, pace: Free, *, host: bool) -> None:
        super().__init__(0, Tally(), pace, host=host)
        self.frames: list[bytes] = []

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)

    def told(self, action: str) -> None:
        self.hear(json.dumps({"action": action, "room": "1234"}, separators=(",", ":")).encode())


def test_the_line_is_long_and_ends_no_game() -> None:
    moves, board = line(), chess.Board()
    assert len(moves) == len(MOVES) == PLIES
    for move in moves:
        assert move in board.legal_moves
        board.push(move)
        assert not board.is_game_over()
    assert PLIES % 2 == 0


def test_the_server_takes_every_move_of_the_line(stage: Stage) -> None:
    host, guest = game(stage)
    code = host.code.encode()
    for number, move in enumerate(MOVES):
        mover: Qt = (host, guest)[number % 2]
        mover.heard()
        assert actions(mover.asked(move % code)) == ["move"]
        stage.wait(0.1)


def test_players_answer_each_other_and_the_host_begins_again_after_the_last_move() -> None:
    async def play() -> None:
        pace = Free()
        pace.start()
        white, black = Player(pace, host=True), Player(pace, host=False)
        for player in (white, black):
            player.told("roomCreated")
            player.told("gameStart")
        assert (len(white.frames), len(black.frames)) == (1, 0)
        for player in (white, black):
            player.hear(b'{"action":"move","room":"1234"}')
        assert (white.tally.moves, black.tally.moves) == (1, 0)
        assert black.frames == [MOVES[1] % b"1234"]
        white.plies = PLIES
        white.act()
        assert [json.loads(frame)["action"] for frame in white.frames[-2:]] == ["surrender", "startGame"]
        white.told("gameStart")
        assert white.plies == 0
        black.told("error")
        assert black.tally.refusals

    asyncio.run(play())


def test_the_scenario_is_known() -> None:
    assert "qtchess-move" in SCENARIOS
