"""The rules of tic-tac-toe: a match ends at three wins or after five rounds."""

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

ROUNDS: Final = 5
WINS_NEEDED: Final = 3
BREAK_TIME: Final = Millis(15_000)
LINES: Final = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)
LINES_THROUGH: Final = tuple(tuple(line for line in LINES if cell in line) for cell in range(9))
"""The lines through each cell."""
EMPTY: Final = "." * 9
EMPTY_AT_FIRST_LINE: Final = 4
"""Most empty cells with a complete line."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Tic-tac-toe has no options."""


class Mark(Struct, frozen=True, tag_field="do", tag="mark", forbid_unknown_fields=True):
    """Mark a cell, counted by rows from the top left."""

    cell: Annotated[int, Meta(ge=0, le=8)]


class Next(Struct, frozen=True, tag_field="do", tag="next", forbid_unknown_fields=True):
    """Start the next round, after a round is over."""


Move = Mark | Next


class State(Struct, frozen=True):
    """A match. `left` is the seat on the left, `x` the seat that plays X.

    `board` has X, O and dots. `resting`: a round is over and the next has not started; `taken` is the winner
    of that round and `lines` are the winning lines.
    """

    left: Seat
    x: Seat
    first: Seat
    turn: Seat
    board: str = EMPTY
    round: int = 0
    wins: tuple[int, int] = (0, 0)
    draws: int = 0
    resting: bool = False
    taken: Seat | None = None
    lines: tuple[tuple[int, ...], ...] = ()


class View(Struct, frozen=True):
    """The match, the same for every viewer; fields as in `State`."""

    left: Seat
    x: Seat
    first: Seat
    turn: Seat
    board: str
    round: int
    wins: tuple[int, int]
    draws: int
    resting: bool
    taken: Seat | None
    lines: tuple[tuple[int, ...], ...]


class Marked(Struct, frozen=True, tag_field="e", tag="marked"):
    """A cell was marked."""

    seat: Seat
    cell: int


class RoundOver(Struct, frozen=True, tag_field="e", tag="round_over"):
    """A round ended; without a winner it is a draw. `round` counts from 0."""

    round: int
    winner: Seat | None
    lines: tuple[tuple[int, ...], ...]
    wins: tuple[int, int]
    draws: int


class RoundBegan(Struct, frozen=True, tag_field="e", tag="round_started"):
    """A new round started with an empty board."""

    round: int
    first: Seat


GameEvent = Marked | RoundOver | RoundBegan


OTHER: Final = (Seat(1), Seat(0))


_MARKED: Final = tuple(
    tuple((AddressedEvent(Marked(Seat(seat), cell)),) for cell in range(9)) for seat in range(2)
)
"""The events of a mark, by seat and cell."""


def other(seat: Seat) -> Seat:
    """Return the opponent's seat."""
    return OTHER[seat]


def won_lines(board: str, cell: int) -> tuple[tuple[int, ...], ...]:
    """Return every line that the mark in this cell completes, at most two."""
    found: tuple[tuple[int, ...], ...] = ()
    for line in LINES_THROUGH[cell]:
        if board[line[0]] == board[line[1]] == board[line[2]]:
            found += (line,)
    return found


class TicTacToe:
    """The rules object of tic-tac-toe; it has no state."""

    name = "tictactoe"
    seats = 2
    offers: frozenset[OfferKind] = frozenset()
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
        """Draw the seat on the left, then the seat that plays X; the left seat moves first."""
        left, x = Seat(random.below(2)), Seat(random.below(2))
        return State(left=left, x=x, first=left, turn=left)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return whose turn it is; between rounds either seat may start the next."""
        if not state.resting:
            return (state.turn,)
        return (Seat(0), Seat(1)) if self.outcome(state) is None else ()

    def play(self, state: State, seat: Seat, move: Move, random: Random) -> MoveResult:
        """Mark a cell, or start the next round."""
        return _next(state) if isinstance(move, Next) else _mark(state, seat, move.cell)

    def allowance(self, state: State, seat: Seat) -> Millis | None:
        """Return the time of a break between rounds, which no clock pays for; None in a round."""
        return BREAK_TIME if state.resting else None

    def overdue(self, state: State, seat: Seat, random: Random) -> Move | None:
        """Start the next round after a break; in a round, a player out of time forfeits the match."""
        return Next() if state.resting else None

    def forfeit(self, state: State, seat: Seat, reason: str) -> Outcome:
        """The other side wins."""
        return Outcome((other(seat),), reason)

    def undo(self, state: State, seat: Seat) -> State | None:
        """Return None: there is no undo."""
        return None

    def swap(self, state: State) -> State | None:
        """Return None: sides are drawn once."""
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return the outcome at three wins or after the fifth round; equal wins are a draw."""
        if not state.resting:
            return None
        ahead, behind = max(state.wins), min(state.wins)
        if ahead < WINS_NEEDED and state.round < ROUNDS - 1:
            return None
        if ahead == behind:
            return Outcome((), "rounds")
        return Outcome((Seat(state.wins.index(ahead)),), "rounds")

    def view(self, state: State, viewer: Seat, *, over: bool = False) -> View:
        """Return the same view for every viewer."""
        return View(
            state.left,
            state.x,
            state.first,
            state.turn,
            state.board,
            state.round,
            state.wins,
            state.draws,
            state.resting,
            state.taken,
            state.lines,
        )

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """Return a mark for each empty cell, or the next round."""
        if seat not in self.to_act(state):
            return ()
        if state.resting:
            return (Next(),)
        return tuple(Mark(cell) for cell in range(9) if state.board[cell] == ".")


def _mark(state: State, seat: Seat, cell: int) -> MoveResult:
    if not 0 <= cell <= 8:
        raise IllegalCommand(Refusal.OUT_OF_RANGE)
    if state.resting:
        raise IllegalCommand(Refusal.NOT_PLAYING)
    if seat != state.turn:
        raise IllegalCommand(Refusal.NOT_YOUR_TURN)
    board = state.board
    if board[cell] != ".":
        raise IllegalCommand(Refusal.OCCUPIED)
    board = f"{board[:cell]}{'X' if seat == state.x else 'O'}{board[cell + 1 :]}"
    marked = _MARKED[seat][cell]
    empty = board.count(".")
    lines = won_lines(board, cell) if empty <= EMPTY_AT_FIRST_LINE else ()
    if empty and not lines:
        return MoveResult(replace(state, board=board, turn=OTHER[seat]), marked)
    wins = state.wins
    if lines:
        wins = (wins[0] + 1, wins[1]) if seat == 0 else (wins[0], wins[1] + 1)
    ended = replace(
        state,
        board=board,
        wins=wins,
        draws=state.draws + (not lines),
        resting=True,
        taken=seat if lines else None,
        lines=lines,
    )
    return MoveResult(
        ended, (*marked, AddressedEvent(RoundOver(ended.round, ended.taken, lines, wins, ended.draws)))
    )


def _next(state: State) -> MoveResult:
    if not state.resting:
        raise IllegalCommand(Refusal.STALE)
    first = other(state.first)
    next_round = replace(
        state,
        first=first,
        turn=first,
        board=EMPTY,
        round=state.round + 1,
        resting=False,
        taken=None,
        lines=(),
    )
    return MoveResult(next_round, (AddressedEvent(RoundBegan(next_round.round, first)),))


RULES: Final = TicTacToe()
