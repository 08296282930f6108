"""What a player in the fog may imagine: whole positions that agree with all he sees.

Nothing here knows more than the view. Unseen pieces of the other side are put where such pieces like to
stand; a position counts if it is possible and would allow exactly the moves that the view allows.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from qipai.games.chess.position import INDEX, SQUARES, written
from qipai.games.chess.wire_types import View
from qipai.kernel.randomness import Random

from .evaluation import fresh, pushes

TRIES: Final = 30
"""How often a position is imagined for each that is wanted."""
_ARMY: Final = {"P": 8, "N": 2, "B": 2, "R": 2, "Q": 1, "K": 1}
_HOMES: Final = {"R": (0, 7), "N": (1, 6), "B": (2, 5), "Q": (3,), "K": (4, 6)}
_PAWN_RANKS: Final = (0, 40, 14, 10, 6, 3, 1, 0)
_PIECE_RANKS: Final = (10, 10, 8, 5, 3, 2, 1, 1)
_KING_RANKS: Final = (30, 8, 2, 1, 1, 1, 1, 1)
_PATIENCE: Final = 12
"""After so many moves a piece is as likely to have left its first square as not."""


class FogSampler:
    """What one player sees; imagines the rest."""

    def __init__(self, view: View, white: bool) -> None:
        self._white = white
        # The view's board begins with a8, ours with a1.
        self._seen = [view.board[at ^ 56] for at in range(64)]
        self._hidden = [at for at in range(64) if self._seen[at] == "?"]
        self._dests = frozenset(view.dests.split())
        self._missing = self._unseen(view)
        self._moved = sum(1 for side in _sides(view) if (side == "w") is not white)
        self._blocked = self._blocks()
        self._likings = {kind: [self._liking(kind, at) for at in range(64)] for kind in _ARMY}
        self._tail = f" {'w' if white else 'b'} {self._castling(view) or '-'} {self._passing()} 0 1"

    def imagine(self, count: int, random: Random) -> list[str]:
        """Return up to so many positions; at least one that is possible, if any was found."""
        found: list[str] = []
        near, nearest = "", 1 << 30
        for _ in range(TRIES * count):
            fen = self._fen(self._placed(random))
            try:
                board = fresh(fen)
            except ValueError:
                # A king could be taken: nobody's turn could have ended so.
                continue
            apart = len(self._dests.symmetric_difference(pushes(board)))
            if not apart:
                found.append(fen)
                if len(found) == count:
                    break
            elif apart < nearest:
                near, nearest = fen, apart
        return found or ([near] if near else [])

    def _unseen(self, view: View) -> list[str]:
        """Return the kinds of the other side's pieces that are neither seen nor gone."""
        army = Counter(_ARMY)
        gone = [
            sign
            for sign in [*self._seen, *view.taken]
            if sign.isalpha() and sign.isupper() is not self._white
        ]
        army.subtract(sign.upper() for sign in gone)
        # More of a kind than there were are promoted pawns.
        army["P"] += sum(number for kind, number in army.items() if kind != "P" and number < 0)
        return sorted(army.elements(), key="KPQRBN".index)

    def _castling(self, view: View) -> str:
        rights = ""
        home, king, rook = (0, "K", "R") if self._white else (56, "k", "r")
        left = {uci[:2] for uci in view.moves if uci}
        for corner, letter in ((7, "K"), (0, "Q")):
            squares = SQUARES[home + 4], SQUARES[home + corner]
            if self._seen[home + 4] == king and self._seen[home + corner] == rook and not left & set(squares):
                rights += letter
        return rights if self._white else rights.lower()

    def _passing(self) -> str:
        """Return the square where a pawn may be taken in passing: a pawn goes askew to an empty one."""
        pawn = "P" if self._white else "p"
        for uci in self._dests:
            target = INDEX[uci[2:4]]
            if uci[0] != uci[2] and self._seen[target] == "." and self._seen[INDEX[uci[:2]]] == pawn:
                return uci[2:4]
        return "-"

    def _blocks(self) -> list[int]:
        """Return the unseen squares before own pawns that cannot step: somebody stands there."""
        pawn, step = ("P", 8) if self._white else ("p", -8)
        return [
            at + step
            for at in range(8, 56)
            if self._seen[at] == pawn
            and self._seen[at + step] == "?"
            and not any(uci.startswith(SQUARES[at] + SQUARES[at + step]) for uci in self._dests)
        ]

    def _placed(self, random: Random) -> list[str]:
        """Return the board with every unseen piece somewhere."""
        board = ["." if sign == "?" else sign for sign in self._seen]
        free, missing = list(self._hidden), list(self._missing)
        for at in self._blocked:
            fit = [kind for kind in missing if kind != "K" and (kind != "P" or 8 <= at < 56)]
            # A pawn may be pinned instead.
            if fit and random.below(16):
                kind = fit[random.below(len(fit))]
                missing.remove(kind)
                free.remove(at)
                board[at] = kind.lower() if self._white else kind
        pawn = "p" if self._white else "P"
        files = [sum(board[file + 8 * rank] == pawn for rank in range(8)) for file in range(8)]
        for kind in missing:
            likings = self._likings[kind]
            if kind == "P":
                weights = [likings[at] if files[at % 8] else 8 * likings[at] for at in free]
            else:
                weights = [likings[at] for at in free]
            if not any(weights):
                continue
            at = free.pop(_pick(weights, random))
            files[at % 8] += kind == "P"
            board[at] = kind.lower() if self._white else kind
        return board

    def _liking(self, kind: str, at: int) -> int:
        """Return how much a piece of the other side likes a square."""
        file, rank = at % 8, at // 8
        rank = 7 - rank if self._white else rank
        if kind == "P":
            return _PAWN_RANKS[rank]
        if kind == "K":
            return _KING_RANKS[rank] * (3 if rank == 0 and file in _HOMES["K"] else 1)
        home = rank == 0 and file in _HOMES[kind]
        return _PIECE_RANKS[rank] + (240 * _PATIENCE // (_PATIENCE + self._moved) if home else 0)

    def _fen(self, board: Sequence[str]) -> str:
        return written("".join(board[at ^ 56] for at in range(64))) + self._tail


def _sides(view: View) -> str:
    return view.sides or "wb" * (len(view.moves) // 2) + "w" * (len(view.moves) % 2)


def _pick(weights: Sequence[int], random: Random) -> int:
    """Return a place, the likelier the more it weighs."""
    sums = list(accumulate(weights))
    return bisect_right(sums, random.below(sums[-1]))
