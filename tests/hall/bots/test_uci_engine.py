"""UCI engines: used if installed, with a limit on every wait, and ended with their process."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from qipai.games.chess.bots.levels import BOTS, MAX_ENGINE_MILLIS
from qipai.games.chess.wire_types import AnyMove, CurrentDice, Minefield, Move, View
from qipai.hall.bots import uci_engine
from qipai.hall.bots.bot_seats import COMPUTE_WITHIN
from qipai.hall.bots.thinking_pool import choose, processes
from qipai.hall.bots.uci_engine import EngineError, EngineRunner, UciEngine, find
from qipai.kernel.game_interface.bot_interface import Bot
from qipai.kernel.game_interface.engine_query import EngineQuery, UsesEngine
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from tests.support import uci

LEVEL8 = BOTS[7]
STOCKFISH = find("")
MATE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


@pytest.fixture
def asked(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[EngineRunner]:
    made = EngineRunner(uci.program(tmp_path, *request.param))
    yield made
    made.close()


def view_of(board: chess.Board) -> tuple[View, list[AnyMove]]:
    turn = Seat(0 if board.turn else 1)
    moves = tuple(move.uci() for move in board.move_stack)
    return View(Seat(0), turn, board.fen(), moves), [Move(move.uci()) for move in board.legal_moves]


def ask(asked: EngineRunner, board: chess.Board | None = None) -> AnyMove | None:
    view, moves = view_of(board or chess.Board())
    move: AnyMove | None = asked.ask(LEVEL8, view, view.turn, moves, Random(bytes(32)))
    return move


# Which one


def test_none_is_none_and_a_program_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    assert find("none") == ""
    assert find(str(tmp_path / "missing")) == ""


def test_a_configured_program_is_used_first_and_stockfish_is_found_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = uci.program(tmp_path, "good")
    assert find(chosen) == chosen
    usual = tmp_path / "stockfish"
    usual.write_text("#!/bin/sh\n")
    usual.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find("") == str(usual)


# How it is asked


@pytest.mark.parametrize("asked", [("good",)], indirect=True)
def test_an_engine_gets_one_thread_little_memory_and_the_moves_of_the_game(
    asked: EngineRunner, tmp_path: Path
) -> None:
    board = chess.Board()
    assert ask(asked, board) == Move(uci.first(board))
    board.push_uci("e2e4")
    assert ask(asked, board) == Move(uci.first(board))
    lines = uci.received_lines(tmp_path)
    assert len(uci.started(tmp_path)) == 1
    assert "setoption name Threads value 1" in lines
    assert "setoption name Hash value 16" in lines
    assert lines.count("setoption name Skill Level value 20") == 1
    assert lines.index("position startpos") < lines.index("position startpos moves e2e4")
    limits = [line.split() for line in lines if line.startswith("go ")]
    assert all(words[1] == "movetime" and int(words[2]) <= 1000 for words in limits)


@pytest.mark.parametrize("asked", [("good",)], indirect=True)
def test_a_position_without_a_known_past_is_asked_by_its_fen(asked: EngineRunner, tmp_path: Path) -> None:
    assert ask(asked, chess.Board(MATE)) is not None
    assert f"position fen {MATE}" in uci.received_lines(tmp_path)


def test_an_option_that_the_engine_does_not_have_is_not_set(tmp_path: Path) -> None:
    engine = UciEngine(uci.program(tmp_path, "good"))
    engine.ask(EngineQuery("", (), 50, 3, (("UCI_Elo", "1500"),)))
    engine.close()
    assert not any("UCI_Elo" in line for line in uci.received_lines(tmp_path))
    assert "go movetime 50 depth 3" in uci.received_lines(tmp_path)


@pytest.mark.parametrize("asked", [("good",)], indirect=True)
def test_no_engine_is_asked_about_dice_fog_mines_draws_and_only_moves(
    asked: EngineRunner, tmp_path: Path
) -> None:
    view, moves = view_of(chess.Board())
    fogged = View(Seat(0), Seat(0), "", board="?" * 64)
    thrown = View(Seat(0), Seat(0), view.fen, dice=CurrentDice(Seat(0), "PPP", "...", 0))
    mined = View(Seat(0), Seat(0), view.fen, minefield=Minefield(5))
    for other in (fogged, thrown, mined):
        assert asked.ask(LEVEL8, other, Seat(0), moves, Random(bytes(32))) is None
    assert asked.ask(LEVEL8, view, Seat(0), moves[:1], Random(bytes(32))) is None
    assert asked.ask(LEVEL8, view, Seat(0), [*moves, Move("a1a8")], Random(bytes(32))) is None
    assert uci.started(tmp_path) == []


def test_without_an_engine_nothing_is_asked() -> None:
    assert ask(EngineRunner("")) is None


# How it fails


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [(mode,) for mode in uci.MODES if mode not in ("good", "mute")],
    indirect=True,
    ids=lambda m: m[0],
)
def test_after_one_failure_of_the_engine_the_bot_computes_its_own_move(
    asked: EngineRunner, tmp_path: Path
) -> None:
    assert ask(asked) is None
    assert len(uci.started(tmp_path)) == 1
    assert uci.all_ended(uci.started(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("asked", [("hangs", "good"), ("dies", "good")], indirect=True, ids=lambda m: m[0])
def test_an_engine_that_fails_once_answers_the_next_question(asked: EngineRunner, tmp_path: Path) -> None:
    assert ask(asked) is None
    assert ask(asked) == Move(uci.first(chess.Board()))
    assert ask(asked) == Move(uci.first(chess.Board()))
    first, second = uci.started(tmp_path)
    assert uci.all_ended([first])
    assert uci.alive(second)


@pytest.mark.slow
@pytest.mark.parametrize("asked", [("dies",)], indirect=True)
def test_one_that_always_fails_is_not_asked_for_ever(asked: EngineRunner, tmp_path: Path) -> None:
    for _ in range(uci_engine.FAILURES + 3):
        assert ask(asked) is None
    assert len(uci.started(tmp_path)) == uci_engine.FAILURES


@pytest.mark.parametrize("asked", [("mute",)], indirect=True)
def test_one_that_does_not_start_in_time_is_not_started_again(
    asked: EngineRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uci_engine, "START_SECONDS", 0.3)
    for _ in range(3):
        assert ask(asked) is None
    assert len(uci.started(tmp_path)) <= 1


def test_an_engine_that_hangs_leaves_the_bot_time_for_its_own_move() -> None:
    longest = MAX_ENGINE_MILLIS / 1_000 + uci_engine.GRACE_SECONDS
    assert longest <= COMPUTE_WITHIN / 1_000


def test_what_is_no_engine_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uci_engine, "START_SECONDS", 0.3)
    for program in (str(tmp_path), uci.program(tmp_path, "mute"), "/bin/true"):
        with pytest.raises(EngineError):
            UciEngine(program)
    assert uci.all_ended(uci.started(tmp_path))


# Where it lives


@pytest.mark.slow
def test_a_process_that_thinks_asks_and_its_engine_ends_with_it(tmp_path: Path) -> None:
    view, moves = view_of(chess.Board())
    with processes(1, uci.program(tmp_path, "good")) as pool:
        done = pool.submit(choose, LEVEL8, view, Seat(0), moves, bytes(32))
        assert done.result(60) == Move(uci.first(chess.Board()))
    assert len(uci.started(tmp_path)) == 1
    assert uci.all_ended(uci.started(tmp_path))


@pytest.mark.slow
def test_without_an_answer_the_move_is_still_made(tmp_path: Path) -> None:
    view, moves = view_of(chess.Board(MATE))
    with processes(1, uci.program(tmp_path, "dies")) as pool:
        done = pool.submit(choose, LEVEL8, view, Seat(0), moves, bytes(32))
        assert done.result(60) == Move("d1d8")


HOLD = """
import sys, time
from qipai.games.chess.bots.levels import BOTS
from qipai.games.chess.wire_types import Move, View
from qipai.hall.bots.thinking_pool import choose, processes
if __name__ == "__main__":
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    moves = [Move(file + "2" + file + rank) for file in "abcdefgh" for rank in "34"]
    moves += [Move(uci) for uci in ("b1a3", "b1c3", "g1f3", "g1h3")]
    pool = processes(1, sys.argv[1])
    for _ in range(2000):
        pool.submit(choose, BOTS[7], View(0, 0, start), 0, moves, bytes(32))
    time.sleep(60)
"""


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["good", "hangs"])
def test_no_engine_outlives_a_server_that_is_killed(tmp_path: Path, mode: str) -> None:
    script = tmp_path / "hold.py"
    script.write_text(HOLD)
    server = subprocess.Popen([sys.executable, str(script), uci.program(tmp_path, mode)])
    try:
        end = time.monotonic() + 60
        while not any(line.startswith("go ") for line in uci.received_lines(tmp_path)):
            assert time.monotonic() < end
            time.sleep(0.05)
        assert any(map(uci.alive, uci.started(tmp_path)))
    finally:
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
    assert uci.all_ended(uci.started(tmp_path))


@pytest.mark.slow
@pytest.mark.skipif(not STOCKFISH, reason="Stockfish is not installed")
@pytest.mark.parametrize("bot", BOTS[3:], ids=lambda bot: bot.name)
def test_stockfish_mates_in_one_and_ends_when_its_input_does(bot: Bot) -> None:
    engine = UciEngine(STOCKFISH)
    view, moves = view_of(chess.Board(MATE))
    assert isinstance(bot, UsesEngine)
    question = bot.engine_query(view, Seat(0), moves, Random(bytes(32)))
    assert question is not None
    assert engine.ask(question) == "d1d8"
    assert engine._process.stdin is not None
    engine._process.stdin.close()
    assert uci.all_ended([engine.pid])
    engine.close()
