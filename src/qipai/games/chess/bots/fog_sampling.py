"""Samples full positions that agree with what a player in the fog sees.

The sampler knows only the view. It places the opponent's unseen pieces by plausible weights, and accepts a
position if it is legal and allows exactly the moves of the view.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from qipai.games.chess.position import SQUARE_NUMBER, SQUARES, board_field
from qipai.games.chess.wire_types import View
from qipai.kernel.randomness import Random

from .evaluation import board_of, uci_moves

TRIES_PER_SAMPLE: Final = 30
"""Attempts per requested sample."""
_ARMY: Final = {"P": 8, "N": 2, "B": 2, "R": 2, "Q": 1, "K": 1}
_HOME_FILES: Final = {"R": (0, 7), "N": (1, 6), "B": (2, 5), "Q": (3,), "K": (4, 6)}
_PAWN_RANKS: Final = (0, 40, 14, 10, 6, 3, 1, 0)
_PIECE_RANKS: Final = (10, 10, 8, 5, 3, 2, 1, 1)
_KING_RANKS: Final = (30, 8, 2, 1, 1, 1, 1, 1)
_HALF_LIFE_MOVES: Final = 12
"""Moves after which the extra weight of a piece's home square is halved."""


class FogSampler:
    """Samples positions for one view."""

    def __init__(self, view: View, white: bool) -> None:
        self._white = white
        # The board of the view starts at a8, ours at a1.
        self._visible = [view.board[square ^ 56] for square in range(64)]
        self._hidden = [square for square in range(64) if self._visible[square] == "?"]
        self._dests = frozenset(view.dests.split())
        self._missing = self._unseen_pieces(view)
        self._opponent_moves = sum(1 for side in _sides(view) if (side == "w") is not white)
        self._blocked = self._blocked_squares()
        self._weights = {kind: [self._weight(kind, square) for square in range(64)] for kind in _ARMY}
        self._fen_tail = f" {'w' if white else 'b'} {self._castling(view) or '-'} {self._en_passant()} 0 1"

    def sample(self, count: int, random: Random) -> list[str]:
        """Return up to `count` FENs; if none agrees exactly, the legal one that is nearest, if any."""
        samples: list[str] = []
        nearest, nearest_difference = "", 1 << 30
        for _ in range(TRIES_PER_SAMPLE * count):
            fen = self._fen(self._random_placement(random))
            try:
                board = board_of(fen)
            except ValueError:
                # The side not to move is in check: no legal position.
                continue
            difference = len(self._dests.symmetric_difference(uci_moves(board)))
            if not difference:
                samples.append(fen)
                if len(samples) == count:
                    break
            elif difference < nearest_difference:
                nearest, nearest_difference = fen, difference
        return samples or ([nearest] if nearest else [])

    def _unseen_pieces(self, view: View) -> list[str]:
        """Return the kinds of the opponent's pieces that are neither visible nor taken."""
        army = Counter(_ARMY)
        known = [
            letter
            for letter in [*self._visible, *view.taken]
            if letter.isalpha() and letter.isupper() is not self._white
        ]
        army.subtract(letter.upper() for letter in known)
        # Surplus pieces of a kind are promoted pawns.
        army["P"] += sum(number for kind, number in army.items() if kind != "P" and number < 0)
        return sorted(army.elements(), key="KPQRBN".index)

    def _castling(self, view: View) -> str:
        rights = ""
        home, king, rook = (0, "K", "R") if self._white else (56, "k", "r")
        vacated = {uci[:2] for uci in view.moves if uci}
        for corner, letter in ((7, "K"), (0, "Q")):
            squares = SQUARES[home + 4], SQUARES[home + corner]
            if (
                self._visible[home + 4] == king
                and self._visible[home + corner] == rook
                and not vacated & set(squares)
            ):
                rights += letter
        return rights if self._white else rights.lower()

    def _en_passant(self) -> str:
        """Return the en passant square: the empty target of a diagonal pawn move, or `-`."""
        pawn = "P" if self._white else "p"
        for uci in self._dests:
            target = SQUARE_NUMBER[uci[2:4]]
            if (
                uci[0] != uci[2]
                and self._visible[target] == "."
                and self._visible[SQUARE_NUMBER[uci[:2]]] == pawn
            ):
                return uci[2:4]
        return "-"

    def _blocked_squares(self) -> list[int]:
        """Return the hidden squares in front of own pawns that cannot advance: a piece is likely there."""
        pawn, step = ("P", 8) if self._white else ("p", -8)
        return [
            square + step
            for square in range(8, 56)
            if self._visible[square] == pawn
            and self._visible[square + step] == "?"
            and not any(uci.startswith(SQUARES[square] + SQUARES[square + step]) for uci in self._dests)
        ]

    def _random_placement(self, random: Random) -> list[str]:
        """Return a board with every unseen piece on a random hidden square."""
        board = ["." if letter == "?" else letter for letter in self._visible]
        hidden, missing = list(self._hidden), list(self._missing)
        for square in self._blocked:
            candidates = [kind for kind in missing if kind != "K" and (kind != "P" or 8 <= square < 56)]
            # With some probability the pawn is pinned instead.
            if candidates and random.below(16):
                kind = candidates[random.below(len(candidates))]
                missing.remove(kind)
                hidden.remove(square)
                board[square] = kind.lower() if self._white else kind
        pawn = "p" if self._white else "P"
        files = [sum(board[file + 8 * rank] == pawn for rank in range(8)) for file in range(8)]
        for kind in missing:
            weights_by_square = self._weights[kind]
            if kind == "P":
                weights = [
                    weights_by_square[square] if files[square % 8] else 8 * weights_by_square[square]
                    for square in hidden
                ]
            else:
                weights = [weights_by_square[square] for square in hidden]
            if not any(weights):
                continue
            square = hidden.pop(_weighted_choice(weights, random))
            files[square % 8] += kind == "P"
            board[square] = kind.lower() if self._white else kind
        return board

    def _weight(self, kind: str, square: int) -> int:
        """Return the weight of a square for an opponent's piece."""
        file, rank = square % 8, square // 8
        rank = 7 - rank if self._white else rank
        if kind == "P":
            return _PAWN_RANKS[rank]
        if kind == "K":
            return _KING_RANKS[rank] * (3 if rank == 0 and file in _HOME_FILES["K"] else 1)
        home = rank == 0 and file in _HOME_FILES[kind]
        return _PIECE_RANKS[rank] + (
            240 * _HALF_LIFE_MOVES // (_HALF_LIFE_MOVES + self._opponent_moves) if home else 0
        )

    def _fen(self, board: Sequence[str]) -> str:
        return board_field("".join(board[square ^ 56] for square in range(64))) + self._fen_tail


def _sides(view: View) -> str:
    return view.sides or "wb" * (len(view.moves) // 2) + "w" * (len(view.moves) % 2)


def _weighted_choice(weights: Sequence[int], random: Random) -> int:
    """Return a random index with probability proportional to its weight."""
    sums = list(accumulate(weights))
    return bisect_right(sums, random.below(sums[-1]))
