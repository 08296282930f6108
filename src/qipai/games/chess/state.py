"""The state of a chess game."""

from typing import Final

from msgspec import Struct

from qipai.kernel.ids import Seat

from .position import START
from .wire_types import DiceMode, DiceRoll, Explosion, Settings

OTHER: Final = (Seat(1), Seat(0))
DEFAULT_SETTINGS: Final = Settings()


class DiceState(Struct, frozen=True, omit_defaults=True):
    """The dice: the seat whose turn it is to use them, and all rolls so far; the last is the current one.

    `awaiting_roll`: the owner has not rolled yet. `free_move`: the seat to act makes one move without dice.
    `die_used`: the owner has used or skipped a die of this turn. `movers` are the kinds that may move now.
    `may_skip`: the current die may be skipped. `rerolls` are the rerolls left to each seat.
    """

    mode: DiceMode
    owner: Seat
    rolls: tuple[DiceRoll, ...] = ()
    awaiting_roll: bool = True
    free_move: bool = False
    die_used: bool = False
    movers: str = ""
    may_skip: bool = False
    rerolls: tuple[int, int] = (0, 0)


class Mines(Struct, frozen=True, omit_defaults=True):
    """The squares of unexploded mines, the squares on which a move has ended, and the explosions.

    In fog, `explosions_known_to` has a digit for each explosion, as in `State.taken_known_to`.
    """

    unexploded: tuple[str, ...]
    visited: tuple[str, ...] = ()
    explosions: tuple[Explosion, ...] = ()
    explosions_known_to: str = ""


class BoardResult(Struct, frozen=True):
    """How a game ended on the board: by mate, a draw or a mine; a stored struct, unlike `Outcome`."""

    winners: tuple[Seat, ...]
    reason: str


class State(Struct, frozen=True, omit_defaults=True):
    """A game. `white` is the seat with the white pieces, `turn` the seat to act; it is to move in `fen`.

    `position_keys` are the positions since the last capture or pawn move, in order, for counting repetitions.
    `taken` are captured and exploded pieces in order. `check`: the side to move is in check. `draw_claim` is
    the draw that it may claim. `is_standard`: no dice, fog or mines, and every move is checked. `sides` has
    `w` or `b` for each move if there are dice, else it is empty. `sees_hidden` are the seats of older clients
    from which nothing is hidden. In fog, `moves_seen_by` has a digit for each move and `taken_known_to` for
    each piece taken: 1 if seat 0 knows of it, 2 if seat 1 does, 3 if both do.
    """

    white: Seat
    turn: Seat
    fen: str = START
    moves: tuple[str, ...] = ()
    position_keys: tuple[str, ...] = ()
    taken: str = ""
    check: bool = False
    draw_claim: str = ""
    result: BoardResult | None = None
    options: Settings = DEFAULT_SETTINGS
    sees_hidden: tuple[Seat, ...] = ()
    is_standard: bool = True
    sides: str = ""
    dice: DiceState | None = None
    mines: Mines | None = None
    moves_seen_by: str = ""
    taken_known_to: str = ""


def is_white(state: State, seat: Seat) -> bool:
    """Tell whether a seat has the white pieces."""
    return seat == state.white
