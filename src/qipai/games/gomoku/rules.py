"""The rules of gomoku: 15 by 15, black moves first, five or more in a row win, a full board is a draw."""

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from qipai.kernel.game_interface.rules_interface import (
    PLAIN,
    AddressedEvent,
    IllegalCommand,
    MoveResult,
    Outcome,
    StartConditions,
)
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

from .lines import BITS, BYTES, CELLS, FIVE, SIZE, board_from_bytes, board_to_bytes, winning_line

EARLIEST_FIVE: Final = 2 * FIVE - 1
"""Fewest stones on the board with five in a row."""
EMPTY_BOARD: Final = bytes(BYTES)

Coordinate = Annotated[int, Meta(ge=0, le=SIZE - 1)]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Gomoku has no options."""


class Place(Struct, frozen=True, tag_field="do", tag="place", forbid_unknown_fields=True):
    """Put a stone on an empty point: column from the left, row from the top."""

    x: Coordinate
    y: Coordinate


class State(Struct, frozen=True):
    """A game. `black` is the seat that plays black; `moves` are the cells in order, x + 15 * y.

    `boards` are the stored bitboards of black and white; `line` are the cells of the winning line. The number
    of moves says whose turn it is.
    """

    black: Seat
    moves: bytes = b""
    boards: tuple[bytes, bytes] = (EMPTY_BOARD, EMPTY_BOARD)
    line: bytes = b""


class View(Struct, frozen=True):
    """The game, the same for every viewer; cells are x + 15 * y, `moves` of both sides in turn."""

    black: Seat
    turn: Seat
    moves: tuple[int, ...]
    line: tuple[int, ...]


class Placed(Struct, frozen=True, tag_field="e", tag="placed"):
    """A stone was placed."""

    seat: Seat
    x: int
    y: int


class FiveInRow(Struct, frozen=True, tag_field="e", tag="five_in_row"):
    """The last stone completed a line; its cells are x + 15 * y, from one end to the other."""

    cells: tuple[int, ...]


GameEvent = Placed | FiveInRow

OTHER: Final = (Seat(1), Seat(0))
PLACES: Final = tuple(Place(cell % SIZE, cell // SIZE) for cell in range(CELLS))
"""A move for each cell."""
_ACTING: Final = ((Seat(0),), (Seat(1),))
_CELL: Final = tuple(bytes((cell,)) for cell in range(CELLS))


def turn_of(state: State) -> Seat:
    """Return the seat whose colour is to move, or would be if the game were not over."""
    return OTHER[state.black] if len(state.moves) & 1 else state.black


class Gomoku:
    """The rules object of gomoku; it has no state."""

    name = "gomoku"
    seats = 2
    offers = frozenset({OfferKind.DRAW, OfferKind.UNDO, OfferKind.SWAP})
    option_type = Options
    state_type = State
    move_type = Place

    def hidden(self, options: Options) -> bool:
        """Return False: nothing is hidden."""
        return False

    def draws(self, options: Options) -> bool:
        """Return False: moves need no randomness."""
        return False

    def deal(
        self, options: Options, random: Random, before: State | None = None, terms: StartConditions = PLAIN
    ) -> State:
        """Give black to seat 0; a rematch swaps colours, a new opponent keeps them."""
        if before is None:
            return State(Seat(0))
        return State(OTHER[before.black] if terms.rematch else before.black)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return whose turn it is."""
        if state.line or len(state.moves) == CELLS:
            return ()
        return _ACTING[OTHER[state.black] if len(state.moves) & 1 else state.black]

    def play(self, state: State, seat: Seat, move: Place, random: Random) -> MoveResult:
        """Place a stone on an empty point."""
        x, y, moves = move.x, move.y, state.moves
        if seat not in self.to_act(state):
            raise IllegalCommand(Refusal.NOT_YOUR_TURN)
        if not (0 <= x < SIZE and 0 <= y < SIZE):
            raise IllegalCommand(Refusal.OUT_OF_RANGE)
        cell = x + SIZE * y
        if cell in moves:
            raise IllegalCommand(Refusal.OCCUPIED)
        black, white = state.boards
        if len(moves) & 1:
            board = board_from_bytes(white) | BITS[cell]
            boards = (black, board_to_bytes(board))
        else:
            board = board_from_bytes(black) | BITS[cell]
            boards = (board_to_bytes(board), white)
        moves += _CELL[cell]
        placed = AddressedEvent(Placed(seat, x, y))
        found = winning_line(board, cell) if len(moves) >= EARLIEST_FIVE else b""
        after = State(state.black, moves, boards, found)
        return MoveResult(after, (placed, AddressedEvent(FiveInRow(tuple(found)))) if found else (placed,))

    def allowance(self, state: State, seat: Seat) -> Millis | None:
        """Return None: every move takes its time from the player's clock."""
        return None

    def overdue(self, state: State, seat: Seat, random: Random) -> Place | None:
        """Return None: a player out of time forfeits."""
        return None

    def forfeit(self, state: State, seat: Seat, reason: str) -> Outcome:
        """The other side wins."""
        return Outcome((OTHER[seat],), reason)

    def undo(self, state: State, seat: Seat) -> State | None:
        """Return the state before the last stone, also for the other seat; its colour is to move again."""
        moves = state.moves
        if not moves or self.outcome(state) is not None:
            return None
        black, white = state.boards
        bit = BITS[moves[-1]]
        boards = (
            (black, board_to_bytes(board_from_bytes(white) ^ bit))
            if len(moves) % 2 == 0
            else (board_to_bytes(board_from_bytes(black) ^ bit), white)
        )
        return replace(state, moves=moves[:-1], boards=boards)

    def swap(self, state: State) -> State | None:
        """Return the state with colours swapped; None once a stone is on the board."""
        return None if state.moves else replace(state, black=OTHER[state.black])

    def outcome(self, state: State) -> Outcome | None:
        """Return a win for the last stone's colour if it completed a line, or a draw on a full board."""
        if state.line:
            return Outcome((OTHER[turn_of(state)],), "five")
        return Outcome((), "full") if len(state.moves) == CELLS else None

    def view(self, state: State, viewer: Seat, *, over: bool = False) -> View:
        """Return the same view for every viewer."""
        return View(state.black, turn_of(state), tuple(state.moves), tuple(state.line))

    def legal(self, state: State, seat: Seat) -> tuple[Place, ...]:
        """Return the empty points."""
        if seat not in self.to_act(state):
            return ()
        return tuple([place for cell, place in enumerate(PLACES) if cell not in state.moves])


RULES: Final = Gomoku()
