"""Parses the rolls that chess clients request and the dice that they bring."""

from typing import Final

from qipai.games.chess.wire_types import Roll, SetDice
from qipai.kernel.commands import Play

from .board_coordinates import PIECE_LETTERS

_DICE_COUNT: Final = 3
_ROLLS: Final = tuple(Play(Roll(kinds)) for kinds in range(7))
"""Rolls by the number of kinds of pieces that can move; 0: not given."""


def parse_roll(kinds: object) -> Play:
    """Return the roll of `requestDice`; an invalid number of movable kinds is ignored."""
    return _ROLLS[kinds] if type(kinds) is int and 0 < kinds < len(_ROLLS) else _ROLLS[0]


def parse_dice(numbers: object) -> Play | None:
    """Return the dice of `diceRoll`, or None if they are invalid."""
    if not isinstance(numbers, list) or len(numbers) != _DICE_COUNT:
        return None
    if not all(type(number) is int and 0 < number < 6 for number in numbers):
        return None
    return Play(SetDice("".join(PIECE_LETTERS[number] for number in numbers)))
