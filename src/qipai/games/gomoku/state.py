"""The state of a game of gomoku, and how the states of earlier rules are read."""

from base64 import b64decode
from typing import Any, Final

from msgspec import Struct

from qipai.kernel.game_interface.rules_migration import RulesMigration
from qipai.kernel.ids import Seat

from . import swap2
from .forbidden_points import RenjuBoard
from .lines import GRIDS, SIZE
from .wire_types import OTHER, Choice, ForbiddenPoint, OpeningRule

_EMPTY_BOARDS: Final = {size: (bytes(grid.byte_count),) * 2 for size, grid in GRIDS.items()}


class State(Struct, frozen=True, omit_defaults=True):
    """A game. `black` is the seat that plays black; `moves` are the cells in order, x + size * y.

    `boards` are the stored bitboards of black and white; `line` are the cells of the winning line. The number
    of moves says whose colour is next. `choices` are those of swap2; before one of a colour, `black` is the
    seat that began. `forbidden` are the forbidden points of renju while black is to move.
    """

    black: Seat
    moves: tuple[int, ...] = ()
    boards: tuple[bytes, bytes] = _EMPTY_BOARDS[SIZE]
    line: tuple[int, ...] = ()
    rule: OpeningRule = OpeningRule.FREE
    size: int = SIZE
    choices: tuple[Choice, ...] = ()
    forbidden: tuple[ForbiddenPoint, ...] = ()


def first_state(black: Seat, rule: OpeningRule, size: int) -> State:
    """Return the state before the first stone."""
    return State(black, boards=_EMPTY_BOARDS[size], rule=rule, size=size)


def opening_stage(state: State) -> swap2.Stage | None:
    """Return the stage of the swap2 opening, None after it and without it."""
    return swap2.stage_of(state.choices, len(state.moves)) if state.rule is OpeningRule.SWAP2 else None


def turn_of(state: State) -> Seat:
    """Return the seat that is to move, or would be if the game were not over."""
    if state.rule is OpeningRule.SWAP2 and (stage := opening_stage(state)) is not None:
        return swap2.to_act(stage, swap2.opener_of(state.choices, state.black))
    return OTHER[state.black] if len(state.moves) & 1 else state.black


def forbidden_after(state: State, moves: tuple[int, ...]) -> tuple[ForbiddenPoint, ...]:
    """Return the forbidden points after these moves; none unless black is to move in renju."""
    if state.rule is not OpeningRule.RENJU or len(moves) & 1:
        return ()
    return RenjuBoard(state.size, moves[::2], moves[1::2]).forbidden_points()


def _cells_as_numbers(stored: dict[str, Any]) -> dict[str, Any]:
    """Rules 1 stored the cells of moves and of the winning line as bytes."""
    cells = {name: list(b64decode(stored[name])) for name in ("moves", "line") if name in stored}
    return stored | cells


RULES_NUMBER: Final = 2
MIGRATIONS: Final = {1: RulesMigration(state=_cells_as_numbers)}
