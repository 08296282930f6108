"""The swap2 opening: who places which of the first stones, and who chooses a colour.

The first player places black, white, black. The other player takes white, takes black, or places white, black
and lets the first player choose. White always has the next stone.
"""

from enum import Enum, auto
from typing import Final

from qipai.kernel.ids import Seat

from .wire_types import OTHER, Choice

FIRST_STONES: Final = 3
ALL_STONES: Final = 5
"""Stones on the board when the first player chooses."""


class Stage(Enum):
    """What is to be done next in the opening."""

    FIRST_STONES = auto()
    CHOICE = auto()
    MORE_STONES = auto()
    COLOUR_CHOICE = auto()


OPTIONS: Final = {
    Stage.CHOICE: (Choice.WHITE, Choice.BLACK, Choice.TWO_MORE),
    Stage.COLOUR_CHOICE: (Choice.WHITE, Choice.BLACK),
}
"""What may be chosen at a stage."""


def stage_of(choices: tuple[Choice, ...], stones: int) -> Stage | None:
    """Return the stage of the opening, None after it."""
    if not choices:
        return Stage.FIRST_STONES if stones < FIRST_STONES else Stage.CHOICE
    if choices[-1] is not Choice.TWO_MORE:
        return None
    return Stage.MORE_STONES if stones < ALL_STONES else Stage.COLOUR_CHOICE


def to_act(stage: Stage, opener: Seat) -> Seat:
    """Return the seat that acts at a stage."""
    return opener if stage in (Stage.FIRST_STONES, Stage.COLOUR_CHOICE) else OTHER[opener]


def black_after(choices: tuple[Choice, ...], opener: Seat) -> Seat:
    """Return the seat that plays black; the opener until a colour is chosen."""
    if not choices or choices[-1] is Choice.TWO_MORE:
        return opener
    chooser = opener if len(choices) > 1 else OTHER[opener]
    return chooser if choices[-1] is Choice.BLACK else OTHER[chooser]


def opener_of(choices: tuple[Choice, ...], black: Seat) -> Seat:
    """Return the seat that placed the first stones, given the seat that plays black."""
    return black if black_after(choices, black) == black else OTHER[black]


def chose_last(choices: tuple[Choice, ...], stones: int) -> bool:
    """Tell whether the last move was a choice and not a stone."""
    made_at = ALL_STONES if len(choices) > 1 else FIRST_STONES
    return bool(choices) and stones == made_at
