"""Figures of a plain chess game: agreement with an engine, loss in centipawns, time per move."""

from collections.abc import Sequence
from statistics import mean, median
from typing import Any, Final, NamedTuple

import chess

from qipai.games.chess.bots.evaluation import board_of, uci_moves
from qipai.games.chess.bots.move_scoring import legal_node
from qipai.games.chess.bots.search import MATE_THRESHOLD, Search
from qipai.kernel.game_interface.engine_comparison import Analyse, Analysis, PlayedMoves, SideFigures
from qipai.kernel.ids import Seat

OWN_NODES: Final = 9_000
"""Nodes of our own search for a position: those of the sixth of eight bots."""
MOST_SCORE: Final = 1_000
"""Centipawns at which scores are cut: a lost game cannot get much worse, and a mate has no number."""
_TWISTS: Final = ("dice", "fog", "mines", "unchecked_moves")


class _Judged(NamedTuple):
    """A move: its side, whether it had an alternative and was the engine's, loss, time."""

    side: int
    choice: bool
    agreed: bool
    loss: int
    millis: int


class ChessComparison:
    """Compares plain chess games."""

    own_nodes = OWN_NODES

    def played_moves(self, options: Any, position: Any) -> PlayedMoves | None:
        """Return the moves of a plain game by the rules of chess; None for any other."""
        if any(options.get(twist) for twist in _TWISTS):
            return None
        moves = tuple(position.get("moves") or ())
        board = chess.Board()
        try:
            for uci in moves:
                board.push_uci(uci)
        except ValueError:
            return None
        return PlayedMoves(moves, Seat(position["white"])) if moves else None

    def analyse(self, moves: Sequence[str]) -> Analysis:
        """Return the analysis of the search of our own bots."""
        board = _board_after(moves)
        node = legal_node(board.fen())
        assert node is not None, "the moves were legal"
        search = Search(node, OWN_NODES, _earlier(moves))
        best, score = search.best_move(uci_moves(node.board))
        return Analysis(best, MOST_SCORE if score > MATE_THRESHOLD else score, search.depth)

    def compare(
        self, played: PlayedMoves, millis: Sequence[int], analyse: Analyse
    ) -> tuple[SideFigures, ...]:
        """Return the figures of each seat; the loss of a move is the score before it less that after it."""
        board, judged = chess.Board(), []
        found = _analysed(board, (), analyse)
        for ply, (uci, time) in enumerate(zip(played.moves, millis, strict=True)):
            choice = board.legal_moves.count() > 1
            board.push_uci(uci)
            following = _analysed(board, played.moves[: ply + 1], analyse)
            agreed = uci == found.best
            loss = 0 if agreed else max(0, _cut(found.score) - _cut(-following.score))
            judged.append(_Judged(ply % 2, choice, agreed, loss, time))
            found = following
        sides = (_figures(judged, side, Seat(played.first ^ side)) for side in (0, 1))
        return tuple(sorted(sides, key=lambda figures: figures.seat))


def _analysed(board: chess.Board, moves: Sequence[str], analyse: Analyse) -> Analysis:
    """Return the analysis of a position; one in which the game is over needs none."""
    if not any(board.legal_moves):
        return Analysis("", -MOST_SCORE if board.is_check() else 0, 0)
    return analyse(moves)


def _figures(judged: Sequence[_Judged], side: int, seat: Seat) -> SideFigures:
    own = [each for each in judged if each.side == side]
    compared = [each for each in own if each.choice]
    times = [each.millis for each in own] or [0]
    agreed = sum(each.agreed for each in compared)
    return SideFigures(
        seat,
        len(own),
        len(compared),
        agreed,
        round(100 * agreed / len(compared), 1) if compared else 0.0,
        round(float(mean(each.loss for each in compared)), 1) if compared else 0.0,
        round(mean(times)),
        round(median(times)),
    )


def _cut(score: int) -> int:
    return max(-MOST_SCORE, min(score, MOST_SCORE))


def _board_after(moves: Sequence[str]) -> chess.Board:
    board = chess.Board()
    for uci in moves:
        board.push_uci(uci)
    return board


def _earlier(moves: Sequence[str]) -> set[int]:
    """Return the hashes of the positions before the last one, so that the search knows repetitions."""
    board, hashes = chess.Board(), set()
    for uci in moves:
        hashes.add(board_of(board.fen()).zobrist_hash)
        board.push_uci(uci)
    return hashes


COMPARISON: Final = ChessComparison()
