"""Three players of mahjong: one that trusts to luck, one that builds quickly, one that counts and hides."""

from collections.abc import Sequence
from typing import Final

from qipai.games.mahjong.tiles import FLOWER
from qipai.games.mahjong.wire_types import AnyMove, Discard, Draw, Hu, Kong, Stage, View
from qipai.kernel import randomness
from qipai.kernel.game_interface.bot_interface import Bot
from qipai.kernel.ids import Seat

from . import speed_strategy, value_strategy
from .visible_tiles import KIND, sight


class Random:
    """Plays anything legal; it takes every win, and makes no kong that would break its hand."""

    name = "random"

    def choose(
        self, view: View, seat: Seat, moves: Sequence[AnyMove], dice: randomness.Random
    ) -> AnyMove | None:
        """Return any move that is not foolish."""
        if (settled := _obvious(view, moves)) is not None or _leaves(view, moves):
            return settled
        calm = [
            move for move in moves if not isinstance(move, Kong) or speed_strategy.keeps(view, seat, move)
        ]
        return calm[dice.below(len(calm))]


class Normal:
    """Builds the nearest hand and wins as soon as it can, whatever that is worth."""

    name = "normal"

    def choose(
        self, view: View, seat: Seat, moves: Sequence[AnyMove], dice: randomness.Random
    ) -> AnyMove | None:
        """Return what brings the hand nearest and leaves most tiles that bring it nearer still."""
        if (settled := _obvious(view, moves)) is not None or _leaves(view, moves):
            return settled
        seen = sight(view, seat)
        assert seen is not None
        if view.stage is Stage.CLAIMING:
            return speed_strategy.claim(view, seen, moves)
        return speed_strategy.turn(seen, moves, dice)


class Hard:
    """Weighs what each hand may become against what each discard may cost, and folds when that is better."""

    name = "hard"
    slow = True

    def choose(
        self, view: View, seat: Seat, moves: Sequence[AnyMove], dice: randomness.Random
    ) -> AnyMove | None:
        """Return what earns most on average."""
        if (settled := _obvious(view, moves)) is not None or _leaves(view, moves):
            return settled
        seen = sight(view, seat)
        assert seen is not None
        if view.stage is Stage.CLAIMING:
            return value_strategy.claim(view, seen, moves)
        return value_strategy.turn(view, seen, moves)


def _leaves(view: View, moves: Sequence[AnyMove]) -> bool:
    """Tell whether this is for somebody else: people throw, deal and go on, and a vote is not repeated."""
    if not moves or view.private is None or view.private.answer is not None:
        return True
    return view.stage not in {Stage.DRAWING, Stage.DISCARDING, Stage.CLAIMING}


def _obvious(view: View, moves: Sequence[AnyMove]) -> AnyMove | None:
    """Return a win, the only move there is, or a flower that is in the way."""
    if _leaves(view, moves):
        return None
    for move in moves:
        if isinstance(move, Hu | Draw):
            return move
    if len(moves) == 1:
        return moves[0]
    for move in moves:
        if isinstance(move, Discard) and KIND[move.tile] >= FLOWER:
            return move
    return None


BOTS: Final[tuple[Bot, ...]] = (Random(), Normal(), Hard())
