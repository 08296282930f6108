"""The rules of gomoku: black moves first, five or more in a row win, a full board is a draw.

With renju, black must make exactly five, and some points are forbidden for black (`forbidden_points`). With
swap2, the players place the first stones and choose colours (`swap2`).
"""

from typing import Final

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

from . import swap2
from .lines import FIVE, GRIDS, SIZE
from .state import State, first_state, forbidden_after, opening_stage, turn_of
from .wire_types import (
    OTHER,
    PLACES_OF,
    Choose,
    Chosen,
    FiveInRow,
    Move,
    OpeningRule,
    Options,
    Place,
    Placed,
    View,
)

EARLIEST_FIVE: Final = 2 * FIVE - 1
"""Fewest stones on the board with five in a row."""
_from_bytes: Final = int.from_bytes
_FREE, _SWAP2, _RENJU = OpeningRule
_ACTING: Final = ((Seat(0),), (Seat(1),))


class Gomoku:
    """The rules object of gomoku; it has no state."""

    name = "gomoku"
    seats = 2
    offers = frozenset({OfferKind.DRAW, OfferKind.UNDO, OfferKind.SWAP})
    option_type = Options
    state_type = State
    move_type = Move

    def hidden(self, options: Options) -> bool:
        """Return False: nothing is hidden."""
        return False

    def draws(self, options: Options) -> bool:
        """Return False: moves need no randomness."""
        return False

    def deal(
        self, options: Options, random: Random, before: State | None = None, terms: StartConditions = PLAIN
    ) -> State:
        """Let seat 0 begin; after a rematch the other seat, with a new opponent the same."""
        opener = Seat(0)
        if before is not None:
            opener = swap2.opener_of(before.choices, before.black)
            opener = OTHER[opener] if terms.rematch else opener
        return first_state(opener, options.rule, options.size)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return whose turn it is."""
        stones = len(state.moves)
        if state.line or stones + len(state.forbidden) == state.size * state.size:
            return ()
        if state.rule is _SWAP2:
            return _ACTING[turn_of(state)]
        return _ACTING[OTHER[state.black] if stones & 1 else state.black]

    def play(self, state: State, seat: Seat, move: Move, random: Random) -> MoveResult:
        """Place a stone on an empty point, or choose in swap2."""
        if seat not in self.to_act(state):
            raise IllegalCommand(Refusal.NOT_YOUR_TURN)
        rule = state.rule
        if rule is not _FREE:
            _check_rule(state, move)
        if not isinstance(move, Place):
            return _choose(state, seat, move)
        x, y, moves, size = move.x, move.y, state.moves, state.size
        if not (0 <= x < size and 0 <= y < size):
            raise IllegalCommand(Refusal.OUT_OF_RANGE)
        grid = GRIDS[size]
        cell = x + size * y
        bit = grid.bits[cell]
        black, white = state.boards
        own, other = (white, black) if len(moves) & 1 else (black, white)
        board = _from_bytes(own, "little")
        if (board | _from_bytes(other, "little")) & bit:
            raise IllegalCommand(Refusal.OCCUPIED)
        board |= bit
        stored = board.to_bytes(grid.byte_count, "little")
        boards = (black, stored) if len(moves) & 1 else (stored, white)
        moves += (cell,)
        exact = rule is _RENJU and len(moves) & 1 == 1
        found = grid.winning_line(board, cell, exact=exact) if len(moves) >= EARLIEST_FIVE else ()
        if rule is _FREE and size == SIZE:
            after, placed = State(state.black, moves, boards, found), AddressedEvent(Placed(seat, x, y))
        else:
            forbidden = () if found else forbidden_after(state, moves)
            after = State(state.black, moves, boards, found, rule, size, state.choices, forbidden)
            placed = AddressedEvent(Placed(seat, x, y, forbidden))
        return MoveResult(after, (placed, AddressedEvent(FiveInRow(found))) if found else (placed,))

    def allowance(self, state: State, seat: Seat) -> Millis | None:
        """Return None: every move takes its time from the player's clock."""
        return None

    def overdue(self, state: State, seat: Seat, random: Random) -> Move | None:
        """Return None: a player out of time forfeits."""
        return None

    def forfeit(self, state: State, seat: Seat, reason: str) -> Outcome:
        """The other side wins."""
        return Outcome((OTHER[seat],), reason)

    def undo(self, state: State, seat: Seat) -> State | None:
        """Return the state before the last stone or choice, also for the other seat."""
        moves, choices = state.moves, state.choices
        if not moves or self.outcome(state) is not None:
            return None
        if swap2.chose_last(choices, len(moves)):
            opener = swap2.opener_of(choices, state.black)
            return replace(state, black=swap2.black_after(choices[:-1], opener), choices=choices[:-1])
        boards, grid = list(state.boards), GRIDS[state.size]
        colour = len(moves) + 1 & 1
        board = _from_bytes(boards[colour], "little") ^ grid.bits[moves[-1]]
        boards[colour] = board.to_bytes(grid.byte_count, "little")
        black, white = boards
        return replace(
            state, moves=moves[:-1], boards=(black, white), forbidden=forbidden_after(state, moves[:-1])
        )

    def swap(self, state: State) -> State | None:
        """Return the state with colours swapped; None once a stone is on the board."""
        return None if state.moves else replace(state, black=OTHER[state.black])

    def outcome(self, state: State) -> Outcome | None:
        """Return a win for the last stone's colour if it completed a line, or a draw if nobody can move."""
        if state.line:
            return Outcome((OTHER[turn_of(state)],), "five")
        # In renju black may have empty points left, all of them forbidden.
        if len(state.moves) + len(state.forbidden) < state.size * state.size:
            return None
        return Outcome((), "no_point" if state.forbidden else "full")

    def view(self, state: State, viewer: Seat, *, over: bool = False) -> View:
        """Return the same view for every viewer."""
        return View(
            state.black,
            turn_of(state),
            state.moves,
            state.line,
            state.rule,
            state.size,
            state.choices,
            state.forbidden,
        )

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """Return the empty points that are not forbidden, or what may be chosen."""
        if seat not in self.to_act(state):
            return ()
        stage = opening_stage(state)
        if stage in swap2.OPTIONS:
            return tuple(map(Choose, swap2.OPTIONS[stage]))
        barred = {*state.moves, *(point.cell for point in state.forbidden)}
        return tuple([place for cell, place in enumerate(PLACES_OF[state.size]) if cell not in barred])


def _check_rule(state: State, move: Move) -> None:
    """Raise `IllegalCommand` if the opening rule does not allow the move."""
    stage = opening_stage(state)
    if isinstance(move, Choose) or stage in swap2.OPTIONS:
        if not isinstance(move, Choose) or stage is None or move.choice not in swap2.OPTIONS.get(stage, ()):
            raise IllegalCommand(Refusal.ILLEGAL)
    elif any(point.cell == move.x + state.size * move.y for point in state.forbidden):
        raise IllegalCommand(Refusal.ILLEGAL)


def _choose(state: State, seat: Seat, move: Choose) -> MoveResult:
    if state.rule is not _SWAP2:
        raise IllegalCommand(Refusal.ILLEGAL)
    choices = (*state.choices, move.choice)
    black = swap2.black_after(choices, swap2.opener_of(state.choices, state.black))
    after = replace(state, black=black, choices=choices)
    return MoveResult(after, (AddressedEvent(Chosen(seat, move.choice, black)),))


RULES: Final = Gomoku()
