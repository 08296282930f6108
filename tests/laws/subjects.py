"""What the laws are tried on: every registered game, and a toy with secrets."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from qipai.games.gomoku import rules as gomoku
from qipai.games.registry import GAMES, Game
from qipai.games.tictactoe import rules as tictactoe
from qipai.kernel.dice import Dice
from qipai.kernel.names import Seat

from . import toy


class Subject(NamedTuple):
    """A game with what the laws need to know about it.

    `universe`: moves of its move type, good and bad. `scramble`: a state that the viewer cannot tell
    from the given one. `telling`: events that rightly tell their reader a secret. `conserved`: raises
    when a state has lost or made something. `choices`: among how many of the legal moves a life picks
    its own; where there are many, few of them make games that end.
    """

    game: Game
    options: tuple[Any, ...]
    universe: tuple[Any, ...]
    scramble: Callable[[Any, Seat, Dice], Any]
    telling: tuple[type, ...]
    conserved: Callable[[Any], None]
    choices: int = 1_000

    @property
    def viewers(self) -> tuple[Seat, ...]:
        """Every seat, and the watcher."""
        return (*(Seat(seat) for seat in range(self.game.rules.seats)), Seat(-1))


def open_to_all(state: Any, viewer: Seat, dice: Dice) -> Any:
    """Return the same state: nobody has a secret."""
    return state


def marks_are_conserved(state: tictactoe.State) -> None:
    """X and O take turns, and each finished round was won or drawn by somebody."""
    first_is_x = state.first == state.x
    ours, theirs = ("X", "O") if first_is_x else ("O", "X")
    ahead = state.board.count(ours) - state.board.count(theirs)
    assert ahead in (0, 1), "who begins is level or one mark ahead"
    assert set(state.board) <= set("XO.")
    assert len(state.board) == 9
    assert 0 <= state.round < 5
    assert sum(state.wins) + state.draws == state.round + state.resting
    assert max(state.wins) <= 3
    assert max(state.wins) < 3 or state.resting, "nobody plays on after the third win"
    assert state.first == (state.left if state.round % 2 == 0 else 1 - state.left)


def stones_are_conserved(state: gomoku.State) -> None:
    """Every move is one stone of its colour on the boards, and black is level or one ahead."""
    cells = list(state.moves)
    assert len(set(cells)) == len(cells) <= 225
    assert all(cell < 225 for cell in cells)
    for colour, board in enumerate(state.boards):
        assert len(board) == 30
        stones = {
            x + 15 * y
            for y in range(16)
            for x in range(16)
            if int.from_bytes(board, "little") >> x + 16 * y & 1
        }
        assert stones == set(cells[colour::2])
    assert set(state.line) <= set(cells[(len(cells) - 1) % 2 :: 2])
    assert not state.line or cells[-1] in state.line


def cards_are_conserved(state: toy.State) -> None:
    """Each of the twelve cards is in exactly one place."""
    places = [*state.hands[0], *state.hands[1], *state.stock]
    places += [card for card in state.laid if card is not None]
    places += [card for pair in state.shown for card in pair]
    assert sorted(places) == list(toy.DECK)
    assert sum(state.won) == len(state.shown)


SUBJECTS: Final[Mapping[str, Subject]] = {
    subject.game.name: subject
    for subject in (
        Subject(
            game=GAMES["tictactoe"],
            options=(tictactoe.Options(),),
            universe=(*(tictactoe.Mark(cell) for cell in range(-2, 12)), tictactoe.Next()),
            scramble=open_to_all,
            telling=(),
            conserved=marks_are_conserved,
        ),
        Subject(
            game=GAMES["gomoku"],
            options=(gomoku.Options(),),
            universe=(
                *gomoku.PLACES,
                *(gomoku.Place(x, y) for x, y in ((-1, 0), (0, -1), (15, 0), (0, 15), (-16, 1), (99, 99))),
            ),
            scramble=open_to_all,
            telling=(),
            conserved=stones_are_conserved,
            choices=6,
        ),
        Subject(
            game=toy.GAME,
            options=(toy.Options(), toy.Options(gentle=True)),
            universe=(
                *(toy.Lay(index) for index in range(-2, 7)),
                *(toy.Swap(index) for index in range(-2, 7)),
            ),
            scramble=toy.scramble,
            telling=(toy.Took, toy.Revealed),
            conserved=cards_are_conserved,
        ),
    )
}
