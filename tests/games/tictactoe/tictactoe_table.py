"""A match of tic-tac-toe played by the rules alone, for the tests."""

from pathlib import Path

from qipai.games.tictactoe.rules import RULES, Mark, Move, Next, State
from qipai.kernel.game_interface.rules_interface import Event
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

DICE = Random(bytes(32))
"""Nothing after the deal hangs on chance; `play` asks for dice all the same."""
HERE = Path(__file__).parent

# Cells in order of play: the first seat wins, the second seat wins, a draw.
TAKEN = {"first": (0, 3, 1, 4, 2), "second": (3, 0, 4, 1, 8, 2), "draw": (0, 1, 2, 4, 3, 5, 7, 6, 8)}


def rows(name: str) -> list[tuple[str, ...]]:
    """Return the rows of a table of known answers, without comments."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [
        tuple(part.strip() for part in line.split("|")) for line in lines if line and not line.startswith("#")
    ]


def fresh(left: int = 0, x: int = 0) -> State:
    """Return a match at its beginning."""
    return State(left=Seat(left), x=Seat(x), first=Seat(left), turn=Seat(left))


def play(state: State, seat: int, move: Move) -> tuple[State, list[Event]]:
    """Return the state after a move, and its events."""
    turn = RULES.play(state, Seat(seat), move, DICE)
    assert all(addressed.to is None for addressed in turn.events)
    after = turn.state
    assert isinstance(after, State)
    return after, [addressed.event for addressed in turn.events]


def play_round(state: State, cells: tuple[int, ...]) -> tuple[State, list[Event]]:
    """Return the state after these cells are marked in turn, and the events of the last of them."""
    events: list[Event] = []
    for cell in cells:
        state, events = play(state, state.turn, Mark(cell))
    return state, events


def play_match(state: State, taken: str) -> State:
    """Return the match after rounds taken by L(eft), R(ight) or D(rawn)."""
    for number, letter in enumerate(taken.split()):
        if number:
            state, _ = play(state, 0, Next())
        by_first = (letter == "L") is (state.first == state.left)
        kind = "draw" if letter == "D" else ("first" if by_first else "second")
        state, _ = play_round(state, TAKEN[kind])
    return state
