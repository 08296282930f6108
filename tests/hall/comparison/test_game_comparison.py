"""Figures of known games: an engine agrees with its own moves and seldom with random ones."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from qipai.games.chess.comparison.chess_comparison import COMPARISON, MOST_SCORE, OWN_NODES
from qipai.games.chess.wire_types import Move
from qipai.games.game_registry import GAMES
from qipai.hall.bots.uci_engine import MATE_SCORE, EngineError, UciEngine, find
from qipai.hall.comparison.game_comparison import (
    ENGINE_NODES,
    OWN_SEARCH,
    Comparison,
    TimedMoves,
    compare_game,
    timed_moves,
)
from qipai.kernel.commands import AnswerOffer, MakeOffer, Resign
from qipai.kernel.game_interface.engine_comparison import Analysis, PlayedMoves
from qipai.kernel.ids import Seat
from qipai.kernel.offers import OfferKind
from tests.support import uci
from tests.support.comparison.chess_games import (
    UNRATED,
    archived,
    board_after,
    finished,
    played,
    random_moves,
)
from tests.support.journal_writer import JournalWriter

STOCKFISH = find("")
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
FORCED = ("e2e4", "f7f6", "d2d4", "g7g5", "d1h5")
"""White mates; black has no move afterwards."""


def compared(moves: tuple[str, ...], program: str = "", first: int = 0) -> Comparison:
    timed = TimedMoves(PlayedMoves(moves, Seat(first)), (1_000,) * len(moves))
    return compare_game(COMPARISON, timed, program)


# Known games


def test_a_game_of_the_search_itself_agrees_and_random_moves_do_not() -> None:
    moves = played(lambda known: COMPARISON.analyse(known).best, random_moves(5), 16)
    found = compared(moves)
    engine, chance = found.sides
    assert (found.engine, found.nodes) == (OWN_SEARCH, OWN_NODES)
    assert found.depth >= 2
    assert (engine.agreement, engine.average_loss) == (100.0, 0.0)
    assert engine.agreed == engine.compared == engine.moves == 8
    assert chance.agreement < 40
    assert chance.average_loss > 30


@pytest.mark.slow
@pytest.mark.skipif(not STOCKFISH, reason="Stockfish is not installed")
def test_a_game_of_stockfish_agrees_with_stockfish_and_random_moves_do_not() -> None:
    engine = UciEngine(STOCKFISH)
    moves = played(random_moves(6), lambda known: engine.analyse(known, ENGINE_NODES).best, 24)
    engine.close()
    found = compared(moves, STOCKFISH)
    chance, strong = found.sides
    assert found.engine.startswith("Stockfish")
    assert found.nodes == ENGINE_NODES
    assert (strong.agreement, strong.average_loss) == (100.0, 0.0)
    assert chance.agreement < 40
    assert chance.average_loss > 50
    assert compared(moves, STOCKFISH) == found, "fixed nodes give the same figures again"


def test_the_same_game_has_the_same_figures_each_time() -> None:
    moves = played(random_moves(1), random_moves(2), 12)
    assert compared(moves) == compared(moves)


# What is counted


def fixed(scores: dict[int, int], best: dict[int, str]) -> "list[Analysis]":
    return [Analysis(best.get(ply, "a1a1"), scores.get(ply, 0), 9) for ply in range(20)]


def test_a_loss_is_the_score_before_a_move_less_that_after_it() -> None:
    answers = fixed({0: 30, 1: 20, 2: -80}, {1: "e7e5"})
    figures = COMPARISON.compare(
        PlayedMoves(("g2g4", "e7e5"), Seat(0)), (1_000, 3_000), lambda moves: answers[len(moves)]
    )
    white, black = figures
    assert (white.agreed, white.average_loss) == (0, 50.0), "30 for white before, 20 for black after"
    assert (black.agreed, black.average_loss) == (1, 0.0), "the engine's move loses nothing"
    assert (white.average_millis, black.median_millis) == (1_000, 3_000)


def test_scores_beyond_a_limit_do_not_count_and_no_loss_is_negative() -> None:
    answers = fixed({0: MATE_SCORE, 1: -MATE_SCORE, 2: 3 * MOST_SCORE, 3: -MOST_SCORE}, {})
    white, black = COMPARISON.compare(
        PlayedMoves(("e2e4", "e7e5", "d2d4"), Seat(0)), (1, 1, 1), lambda moves: answers[len(moves)]
    )
    assert (white.average_loss, black.average_loss) == (0.0, 0.0)


def test_a_side_without_a_choice_is_not_compared() -> None:
    # Only the king's one move is legal for black.
    moves = ("e2e4", "f7f6", "d1h5", "g7g6")
    assert board_after(moves[:3]).legal_moves.count() == 1
    answers = fixed({}, {})
    _, black = COMPARISON.compare(PlayedMoves(moves, Seat(0)), (1,) * 4, lambda known: answers[len(known)])
    assert (black.moves, black.compared) == (2, 1)


def test_a_mate_needs_no_analysis_and_is_lost() -> None:
    asked: list[int] = []

    def analyse(moves: object) -> Analysis:
        asked.append(len(moves))  # type: ignore[arg-type]
        return Analysis("a1a1", 0, 1)

    white, black = COMPARISON.compare(PlayedMoves(FOOLS_MATE, Seat(0)), (1,) * 4, analyse)
    assert asked == [0, 1, 2, 3]
    assert (white.average_loss, black.average_loss) == (0.0, 0.0)


def test_seats_are_in_order_whichever_has_white() -> None:
    answers = fixed({}, {0: "e2e4"})
    figures = COMPARISON.compare(PlayedMoves(("e2e4",), Seat(1)), (5,), lambda moves: answers[len(moves)])
    assert [(each.seat, each.moves, each.agreed) for each in figures] == [(0, 0, 0), (1, 1, 1)]
    assert figures[0].agreement == figures[0].average_loss == 0.0


# Which matches


def test_the_time_of_a_move_is_that_since_the_move_before_it() -> None:
    timed = timed_moves(COMPARISON, archived(FOOLS_MATE, pauses=(500, 0, 7_000)))
    assert timed == TimedMoves(PlayedMoves(FOOLS_MATE, Seat(0)), (1_500, 1_000, 8_000, 1_000))


def test_moves_that_were_taken_back_do_not_count() -> None:
    writer = JournalWriter("chess", table=UNRATED)
    writer.take_seats("Ada", "Bo")
    writer.play(Move("e2e4"), Move("e7e5"))
    writer.do(Seat(0), MakeOffer(OfferKind.UNDO))
    writer.do(Seat(1), AnswerOffer(1, True))
    writer.play(Move("d2d4"))
    writer.do(Seat(1), Resign())
    timed = timed_moves(COMPARISON, finished(writer))
    assert timed == TimedMoves(PlayedMoves(("d2d4",), Seat(0)), (1_000,))


@pytest.mark.parametrize(
    "options", [{"dice": "free"}, {"fog": True}, {"mines": 3}, {"unchecked_moves": True}]
)
def test_a_game_with_a_twist_is_not_compared(options: dict[str, object]) -> None:
    match = archived(FOOLS_MATE)
    assert timed_moves(COMPARISON, match) is not None
    assert timed_moves(COMPARISON, replace(match, options=options)) is None


def test_no_moves_illegal_moves_and_other_games_are_not_compared() -> None:
    assert timed_moves(COMPARISON, archived(())) is None
    assert COMPARISON.played_moves({}, {"white": 0, "moves": ["e2e5"]}) is None
    assert COMPARISON.played_moves({}, {"white": 0, "moves": ["nonsense"]}) is None
    assert [name for name, game in GAMES.items() if game.comparison is not None] == ["chess"]
    assert timed_moves(None, archived(FOOLS_MATE)) is None


# Engines


def test_an_engine_is_asked_with_fixed_nodes_and_named(tmp_path: Path) -> None:
    found = compared(("e2e4", "e7e5"), uci.program(tmp_path, "good"))
    assert (found.engine, found.nodes, found.depth) == ("fake", ENGINE_NODES, 1.0)
    lines = uci.received_lines(tmp_path)
    assert lines.count(f"go nodes {ENGINE_NODES}") == 3
    assert lines[-3:] == ["ucinewgame", "position startpos moves e2e4 e7e5", f"go nodes {ENGINE_NODES}"]
    assert "setoption name Threads value 1" in lines
    assert uci.all_ended(uci.started(tmp_path))


@pytest.mark.parametrize("mode", ["dies", "nonsense"])
def test_without_a_working_engine_our_own_search_is_used_for_the_whole_game(
    mode: str, tmp_path: Path
) -> None:
    found = compared(FOOLS_MATE, uci.program(tmp_path, mode))
    assert found == compared(FOOLS_MATE)
    assert found.engine == OWN_SEARCH
    assert uci.all_ended(uci.started(tmp_path))


def test_a_program_that_is_no_engine_is_not_used(tmp_path: Path) -> None:
    assert compared(("e2e4",), str(tmp_path / "missing")).engine == OWN_SEARCH
    with pytest.raises(EngineError):
        UciEngine(str(tmp_path / "missing"))
