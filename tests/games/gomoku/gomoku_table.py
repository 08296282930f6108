"""Games of gomoku for the tests, and a slow oracle that knows nothing of bits."""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from qipai.games.gomoku.rules import RULES
from qipai.games.gomoku.state import State
from qipai.games.gomoku.wire_types import PLACES
from qipai.kernel.game_interface.rules_interface import Event
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

DICE = Random(bytes(32))
"""Nothing hangs on chance; `play` asks for dice all the same."""
HERE = Path(__file__).parent
COLUMNS = "ABCDEFGHIJKLMNO"

Board = list[list[int]]
"""`board[x][y]`: 0 empty, 1 black, 2 white, as the older programs had it."""


class Picture(NamedTuple):
    """A board of known answers: titles, and cells by their sign."""

    title: str
    answer: str
    cells: dict[str, list[int]]


def pictures(name: str) -> list[Picture]:
    """Return the boards of a file of known answers."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if line and not line.startswith("#")]
    found = []
    for start in range(0, len(lines), 16):
        title, _, answer = lines[start].partition("|")
        rows = lines[start + 1 : start + 16]
        assert [len(row) for row in rows] == [15] * 15, title
        text = "".join(rows)
        cells = {sign: [cell for cell in range(225) if text[cell] == sign] for sign in ".XO*"}
        found.append(Picture(title.strip(), answer.strip(), cells))
    return found


def at(name: str) -> int:
    """Return the cell of a name on the edge of the board: H8 is the middle."""
    return COLUMNS.index(name[0]) + 15 * (15 - int(name[1:]))


def cells_of(names: str) -> list[int]:
    """Return the cells of several names."""
    return [at(name) for name in names.split()]


def board_of(moves: Iterable[int]) -> Board:
    """Return the board after these cells were played in turn, black first."""
    board = [[0] * 15 for _ in range(15)]
    for number, cell in enumerate(moves):
        assert board[cell % 15][cell // 15] == 0
        board[cell % 15][cell // 15] = number % 2 + 1
    return board


def winning(board: Board, x: int, y: int) -> list[int]:
    """Return the line through a stone, found by looking at one point after the other."""
    colour = board[x][y]
    assert colour
    for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
        line = [(x, y)]
        for way in (-1, 1):
            for far in range(1, 15):
                a, b = x + way * far * right, y + way * far * down
                if not (0 <= a <= 14 and 0 <= b <= 14) or board[a][b] != colour:
                    break
                line = [(a, b), *line] if way < 0 else [*line, (a, b)]
        if len(line) >= 5:
            return [a + 15 * b for a, b in line]
    return []


def stones(state: State) -> Board:
    """Return the board that a state's own bits show."""
    board = [[0] * 15 for _ in range(15)]
    for colour, raw in enumerate(state.boards, 1):
        bits = "".join(f"{byte:08b}"[::-1] for byte in raw)
        for place, bit in enumerate(bits):
            if bit == "1":
                x, y = place % 16, place // 16
                assert board[x][y] == 0
                board[x][y] = colour
    return board


def play(state: State, cell: int) -> tuple[State, list[Event]]:
    """Return the state after a stone of the side to move, and its events."""
    (seat,) = RULES.to_act(state)
    turn = RULES.play(state, seat, PLACES[cell], DICE)
    assert all(addressed.to is None for addressed in turn.events)
    after = turn.state
    assert isinstance(after, State)
    return after, [addressed.event for addressed in turn.events]


def played(cells: Iterable[int], black: int = 0) -> State:
    """Return the state after these cells were played in turn."""
    state = State(Seat(black))
    for cell in cells:
        state, _ = play(state, cell)
    return state


def random_cells(number: int, width: int) -> list[int]:
    """Return all cells in an order that follows from a number, those of one small square first.

    Crowded stones make lines soon; a square as wide as the board is play all over it.
    """
    chance = random.Random(number)
    left, top = chance.randrange(16 - width), chance.randrange(16 - width)
    near = [x + 15 * y for x in range(left, left + width) for y in range(top, top + width)]
    far = [cell for cell in range(225) if cell not in near]
    chance.shuffle(near)
    chance.shuffle(far)
    return near + far


def random_game(number: int, width: int, length: int) -> list[State]:
    """Return the states of a game of at most so many stones, up to its end."""
    states = [State(Seat(number % 2))]
    for cell in random_cells(number, width)[:length]:
        if not RULES.to_act(states[-1]):
            break
        states.append(play(states[-1], cell)[0])
    return states
