"""Subjects of the laws: every registered game, and a toy game with secrets."""

from collections.abc import Mapping
from typing import Final

from qipai.games.chess import events
from qipai.games.chess import state as chess_state
from qipai.games.chess import wire_types as chess
from qipai.games.game_registry import GAMES
from qipai.games.gomoku import state as gomoku_state
from qipai.games.gomoku import wire_types as gomoku
from qipai.games.tictactoe import rules as tictactoe
from qipai.kernel.room_events import GameOver
from qipai.testing import Subject
from tests.games.chess.chess_twins import scramble as other_chess
from tests.games.mahjong.mahjong_twins import REVEALING_EVENTS as MAHJONG_REVEALING_EVENTS
from tests.games.mahjong.mahjong_twins import scramble as other_mahjong
from tests.games.mahjong.mahjong_walls import tiles_are_conserved

from . import mahjong, toy


def marks_are_conserved(state: tictactoe.State) -> None:
    """X and O take turns, and each finished round was won or drawn."""
    first_is_x = state.first == state.x
    ours, theirs = ("X", "O") if first_is_x else ("O", "X")
    ahead = state.board.count(ours) - state.board.count(theirs)
    assert ahead in (0, 1), "who begins is level or one mark ahead"
    assert set(state.board) <= set("XO.")
    assert len(state.board) == 9
    assert 0 <= state.round < 5
    assert sum(state.wins) + state.draws == state.round + state.resting
    assert max(state.wins) <= 3
    assert max(state.wins) < 3 or state.resting, "no round follows the third win"
    assert state.first == (state.left if state.round % 2 == 0 else 1 - state.left)


def stones_are_conserved(state: gomoku_state.State) -> None:
    """Every move is one stone of its colour on the boards, and black is level or one ahead."""
    cells, size = list(state.moves), state.size
    assert len(set(cells)) == len(cells) <= size * size
    assert all(cell < size * size for cell in cells)
    for colour, board in enumerate(state.boards):
        assert len(board) == (30 if size == 15 else 48)
        bits = int.from_bytes(board, "little")
        stones = {
            x + size * y for y in range(size + 1) for x in range(size + 1) if bits >> x + (size + 1) * y & 1
        }
        assert stones == set(cells[colour::2])
    assert set(state.line) <= set(cells[(len(cells) - 1) % 2 :: 2])
    assert not state.line or cells[-1] in state.line
    assert not {point.cell for point in state.forbidden} & set(cells)
    assert len(cells) % 2 == 0 or not state.forbidden, "nothing is forbidden for white"


def cards_are_conserved(state: toy.State) -> None:
    """Each of the twelve cards is in exactly one place."""
    places = [*state.hands[0], *state.hands[1], *state.stock]
    places += [card for card in state.laid if card is not None]
    places += [card for pair in state.shown for card in pair]
    assert sorted(places) == list(toy.DECK)
    assert sum(state.won) == len(state.shown)


def pieces_are_conserved(state: chess_state.State) -> None:
    """Sixteen pieces of each side are on the board or taken, and dice are used or not, nothing else."""
    board = state.fen.split()[0]
    for mine in (str.isupper, str.islower):
        assert sum(map(mine, board)) + sum(map(mine, state.taken)) == 16
    if state.dice is not None:
        assert len(state.sides) == len(state.moves)
        assert all(len(one.dice) == 3 and set(one.used) <= set(".x-") for one in state.dice.rolls)
    if state.mines is not None:
        assert len(state.mines.unexploded) + len(state.mines.explosions) == state.options.mines


SQUARES: Final = tuple(file + rank for rank in "12345678" for file in "abcdefgh")
CHESS_MOVES: Final = (
    *(chess.Move(start + end) for start in SQUARES for end in SQUARES if start != end),
    *(
        chess.Move(f"{start}{ranks[0]}{end}{ranks[1]}{kind}")
        for ranks in ("78", "21")
        for start in "abcdefgh"
        for end in "abcdefgh"
        if abs(ord(start) - ord(end)) <= 1
        for kind in "qrbn"
    ),
    *(chess.Skip(), chess.Reroll(), chess.ClaimDraw(), chess.Roll(), chess.Roll(3), chess.SetDice("PNB")),
)

SUBJECTS: Final[Mapping[str, Subject]] = {
    subject.name: subject
    for subject in (
        Subject(
            game=GAMES["tictactoe"],
            options=(tictactoe.Options(),),
            universe=(*(tictactoe.Mark(cell) for cell in range(-2, 12)), tictactoe.Next()),
            conserved=marks_are_conserved,
            ends=("time", "rounds"),
        ),
        Subject(
            game=GAMES["gomoku"],
            options=(gomoku.Options(),),
            universe=(
                *gomoku.PLACES,
                *(gomoku.Place(x, y) for x, y in ((-1, 0), (0, -1), (15, 0), (0, 15), (-16, 1), (99, 99))),
            ),
            conserved=stones_are_conserved,
            choices=6,
            ends=("time", "five"),
        ),
        Subject(
            game=GAMES["gomoku"],
            variant="openings",
            options=(
                gomoku.Options(gomoku.OpeningRule.SWAP2),
                gomoku.Options(gomoku.OpeningRule.RENJU),
                gomoku.Options(gomoku.OpeningRule.SWAP2, 19),
                gomoku.Options(gomoku.OpeningRule.RENJU, 19),
                gomoku.Options(size=19),
            ),
            universe=(
                *gomoku.PLACES_OF[19],
                *map(gomoku.Choose, gomoku.Choice),
                *(gomoku.Place(x, y) for x, y in ((-1, 0), (19, 0), (0, 19), (99, 99))),
            ),
            conserved=stones_are_conserved,
            choices=6,
            ends=("time", "five"),
        ),
        Subject(
            game=GAMES["chess"],
            options=(
                chess.Settings(),
                chess.Settings(dice=chess.DiceMode.SEQUENTIAL, rerolls=2),
                chess.Settings(dice=chess.DiceMode.FREE),
            ),
            universe=CHESS_MOVES,
            conserved=pieces_are_conserved,
            # A game is too long to end on the board within such a run.
            ends=("time", "aborted"),
        ),
        Subject(
            game=GAMES["chess"],
            variant="fog",
            # Mines without fog are everybody's secret alike; the tests of the game itself try them.
            options=(
                chess.Settings(fog=True),
                chess.Settings(fog=True, mines=5),
                chess.Settings(fog=True, mines=20, dice=chess.DiceMode.SEQUENTIAL, rerolls=1),
                chess.Settings(fog=True, dice=chess.DiceMode.FREE),
            ),
            universe=CHESS_MOVES,
            scramble=other_chess,
            # A move changes the visible squares, skipped dice reveal immovable kinds, the end lifts the fog.
            revealing_events=(events.MoveInFog, events.DiceChanged, GameOver),
            conserved=pieces_are_conserved,
        ),
        Subject(
            game=GAMES["mahjong"],
            options=mahjong.TABLES,
            universe=mahjong.MOVES,
            scramble=other_mahjong,
            revealing_events=(*MAHJONG_REVEALING_EVENTS, GameOver),
            conserved=tiles_are_conserved,
            choose=mahjong.choose,
            hides=mahjong.hides,
            lengths=(5, 10, 10, 20, 20, 20, 30, 30, 40, 60, 160, 160),
            leaves_once_in=8,
        ),
        Subject(
            game=toy.GAME,
            options=(toy.Options(), toy.Options(gentle=True)),
            universe=(
                *(toy.Lay(index) for index in range(-2, 7)),
                *(toy.Swap(index) for index in range(-2, 7)),
            ),
            scramble=toy.scramble,
            revealing_events=(toy.Took, toy.Revealed),
            conserved=cards_are_conserved,
            ends=("time", "tricks"),
        ),
    )
}
