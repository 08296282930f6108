"""The three mahjong bots: random, normal, hard."""

from collections.abc import Sequence
from typing import Final

from qipai.games.mahjong.tiles import FLOWER
from qipai.games.mahjong.wire_types import AnyMove, Discard, Draw, Hu, Kong, Pass, Stage, View
from qipai.kernel import randomness
from qipai.kernel.game_interface.bot_interface import FULL_EFFORT, Bot
from qipai.kernel.ids import Seat

from . import speed_strategy, value_strategy
from .visible_tiles import KIND_OF, VisibleTiles, visible_tiles

VALUE_EFFORT: Final = 50
"""Least effort with which the hard bot computes earnings; with less it plays for the fastest hand."""


class Random:
    """Plays random legal moves; it takes every win and makes no kong that raises its shanten."""

    name = "random"

    def choose(
        self, view: View, seat: Seat, moves: Sequence[AnyMove], random: randomness.Random
    ) -> AnyMove | None:
        """Return a random move without harmful kongs."""
        if (obvious := _obvious_move(view, moves)) is not None or _leaves_to_others(view, moves):
            return obvious
        harmless = [
            move
            for move in moves
            if not isinstance(move, Kong) or speed_strategy.kong_keeps_shanten(view, seat, move)
        ]
        return harmless[random.below(len(harmless))]

    def at_once(self, view: View, moves: Sequence[AnyMove]) -> AnyMove | None:
        """Answer a claim window with a win or a pass."""
        return _claim_at_once(view, moves)


class Normal:
    """Plays for the fastest hand, of any value."""

    name = "normal"

    def choose(
        self, view: View, seat: Seat, moves: Sequence[AnyMove], random: randomness.Random
    ) -> AnyMove | None:
        """Return the move with the lowest shanten and then the most useful tiles."""
        if (obvious := _obvious_move(view, moves)) is not None or _leaves_to_others(view, moves):
            return obvious
        visible = visible_tiles(view, seat)
        assert visible is not None
        return _fastest(view, visible, moves, random)

    def at_once(self, view: View, moves: Sequence[AnyMove]) -> AnyMove | None:
        """Answer a claim window with a win or a pass."""
        return _claim_at_once(view, moves)


class Hard:
    """Plays for expected earnings minus the danger of each discard; folds if that is better."""

    name = "hard"
    slow = True

    def __init__(self, effort: int = FULL_EFFORT) -> None:
        self._effort = effort

    def with_effort(self, effort: int) -> "Hard":
        """Return this bot; below `VALUE_EFFORT` it chooses as the normal one, which is quicker."""
        return Hard(effort)

    def choose(
        self, view: View, seat: Seat, moves: Sequence[AnyMove], random: randomness.Random
    ) -> AnyMove | None:
        """Return the move with the highest expected earnings."""
        if (obvious := _obvious_move(view, moves)) is not None or _leaves_to_others(view, moves):
            return obvious
        visible = visible_tiles(view, seat)
        assert visible is not None
        if self._effort < VALUE_EFFORT:
            return _fastest(view, visible, moves, random)
        if view.stage is Stage.CLAIMING:
            return value_strategy.choose_claim(view, visible, moves)
        return value_strategy.choose_turn(view, visible, moves)

    def at_once(self, view: View, moves: Sequence[AnyMove]) -> AnyMove | None:
        """Answer a claim window with a win or a pass."""
        return _claim_at_once(view, moves)


def _fastest(
    view: View, visible: VisibleTiles, moves: Sequence[AnyMove], random: randomness.Random
) -> AnyMove:
    if view.stage is Stage.CLAIMING:
        return speed_strategy.choose_claim(view, visible, moves)
    return speed_strategy.choose_turn(visible, moves, random)


def _claim_at_once(view: View, moves: Sequence[AnyMove]) -> AnyMove | None:
    if view.stage is not Stage.CLAIMING or _leaves_to_others(view, moves):
        return None
    return _obvious_move(view, moves) or Pass()


def _leaves_to_others(view: View, moves: Sequence[AnyMove]) -> bool:
    """Tell whether the bot leaves this to others: rolls, deals, the next hand, or an answer already given."""
    if not moves or view.private is None or view.private.answer is not None:
        return True
    return view.stage not in {Stage.DRAWING, Stage.DISCARDING, Stage.CLAIMING}


def _obvious_move(view: View, moves: Sequence[AnyMove]) -> AnyMove | None:
    """Return a win, a draw, the only move, or the discard of a flower; else None."""
    if _leaves_to_others(view, moves):
        return None
    for move in moves:
        if isinstance(move, Hu | Draw):
            return move
    if len(moves) == 1:
        return moves[0]
    for move in moves:
        if isinstance(move, Discard) and KIND_OF[move.tile] >= FLOWER:
            return move
    return None


BOTS: Final[tuple[Bot, ...]] = (Random(), Normal(), Hard())
