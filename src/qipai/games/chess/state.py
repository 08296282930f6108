"""A game of chess as a value."""

from typing import Final

from msgspec import Struct

from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.ids import Seat

from .position import START
from .wire_types import DiceMode, DiceRoll, Explosion, Settings

OTHER: Final = (Seat(1), Seat(0))
PLAIN: Final = Settings()


class DiceState(Struct, frozen=True, omit_defaults=True):
    """The dice: whose turn of throwing it is, and what became of each throw; the last is the present one.

    `waiting`: the owner has not thrown yet. `free`: whoever is to act makes one move without dice.
    `touched`: the owner has used or let go a die of this turn. `movers` are the kinds that may move now,
    `skip` that the present die may be let go. `rerolls` are left to each seat.
    """

    mode: DiceMode
    owner: Seat
    thrown: tuple[DiceRoll, ...] = ()
    waiting: bool = True
    free: bool = False
    touched: bool = False
    movers: str = ""
    skip: bool = False
    rerolls: tuple[int, int] = (0, 0)


class Mines(Struct, frozen=True, omit_defaults=True):
    """The squares of unexploded mines, those that somebody has landed on, and the explosions.

    In fog `noticed` has a digit for each explosion, as `State.aware` has.
    """

    laid: tuple[str, ...]
    landed: tuple[str, ...] = ()
    blasts: tuple[Explosion, ...] = ()
    noticed: str = ""


class State(Struct, frozen=True, omit_defaults=True):
    """A game. `white` is the seat with the white pieces, `turn` the seat to act; it is to move in `fen`.

    `seen` are the positions since the last capture or pawn's move, in order, for counting repetitions.
    `taken` are captured and exploded pieces in order. `sides` has `w` or `b` for each move if there are
    dice, else it is empty. In fog `witnesses` has a digit for each move and `aware` for each piece taken:
    1 if seat 0 knows of it, 2 if seat 1 does, 3 if both do. `check` is the side to move's.
    """

    white: Seat
    turn: Seat
    fen: str = START
    moves: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    taken: str = ""
    check: bool = False
    claim: str = ""
    result: Outcome | None = None
    options: Settings = PLAIN
    seers: tuple[Seat, ...] = ()
    plain: bool = True
    sides: str = ""
    cup: DiceState | None = None
    mines: Mines | None = None
    witnesses: str = ""
    aware: str = ""


def is_white(state: State, seat: Seat) -> bool:
    """Tell whether a seat has the white pieces."""
    return seat == state.white
