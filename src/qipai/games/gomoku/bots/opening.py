"""The first moves of bots: near the middle, and in swap2 the stones and the choice of a colour."""

from collections.abc import Sequence
from typing import Final

from qipai.games.gomoku.swap2 import Stage, stage_of
from qipai.games.gomoku.wire_types import PLACES_OF, Choice, Choose, Move, OpeningRule, Place, View
from qipai.kernel.randomness import Random

from .search import Search
from .search_board import Board

BALANCED: Final = 25
"""A position with a smaller score is even: the bot places two more stones instead of taking a colour."""
_SAMPLES: Final = 8
"""Points that are tried for a stone that makes the position even."""
_NEAR: Final = 3
"""Farthest distance of the next stone from the others, in lines."""
_FROM_EDGE: Final = 3
"""The first stone is on this line or farther from the edge; near the edge black has less advantage."""


def first_move(view: View, moves: Sequence[Move], random: Random) -> Place | None:
    """Return the centre, else a cell diagonally next to the first stone and not at the edge, else any."""
    places = [move for move in moves if isinstance(move, Place)]
    if not places:
        return None
    size = view.size
    if not view.moves:
        return PLACES_OF[size][size * size // 2]
    first = PLACES_OF[size][view.moves[0]]
    inner = range(1, size - 1)
    # Orthogonally next to the first stone is weaker: black's diagonals stay open.
    beside = [
        move
        for move in places
        if abs(move.x - first.x) == abs(move.y - first.y) == 1 and move.x in inner and move.y in inner
    ]
    choices = beside or places
    return choices[random.below(len(choices))]


def swap2_move(view: View, moves: Sequence[Move], random: Random, effort: int) -> Move | None:
    """Return the move of a bot in the swap2 opening, None after it; `effort`: stones placed to evaluate."""
    stage = stage_of(view.choices, len(view.moves)) if view.rule is OpeningRule.SWAP2 else None
    if stage is None or not moves:
        return None
    if stage is Stage.CHOICE or stage is Stage.COLOUR_CHOICE:
        advantage = _white_advantage(view, view.moves, effort)
        even = abs(advantage) < BALANCED and stage is Stage.CHOICE
        return Choose(Choice.TWO_MORE if even else Choice.WHITE if advantage > 0 else Choice.BLACK)
    near = _near_places(view, moves)
    if len(view.moves) not in (2, 4):
        return near[random.below(len(near))]
    # The last stone before a choice leaves the opponent nothing better.
    tried = random.shuffle(near)[:_SAMPLES]
    cells = [place.x + view.size * place.y for place in tried]
    share = max(1, effort // len(tried))
    scores = [abs(_white_advantage(view, (*view.moves, cell), share)) for cell in cells]
    return tried[scores.index(min(scores))]


def _white_advantage(view: View, stones: Sequence[int], effort: int) -> int:
    """Return the score for white, who is to move."""
    search = Search(Board(stones, view.size), 1, effort)
    search.best_move()
    return search.score


def _near_places(view: View, moves: Sequence[Move]) -> list[Place]:
    """Return the points near all stones; for the first stone those not too near to the edge."""
    places = [move for move in moves if isinstance(move, Place)]
    stones = [PLACES_OF[view.size][cell] for cell in view.moves]
    if stones:
        near = [
            place
            for place in places
            if all(max(abs(place.x - stone.x), abs(place.y - stone.y)) <= _NEAR for stone in stones)
        ]
    else:
        inner = range(_FROM_EDGE, view.size - _FROM_EDGE)
        near = [place for place in places if place.x in inner and place.y in inner]
    return near or places
