"""Chess with dice against a slow model of the dice, written from the rules alone."""

import random
from collections import Counter
from typing import Final

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.games.chess.rules import RULES
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import AnyMove, ClaimDraw, DiceMode, Move, Reroll, Settings, Skip
from qipai.kernel.ids import Seat
from tests.games.chess.chess_machine import Game, favoured
from tests.games.chess.chess_table import FREE, SEQUENTIAL, A, B, dice_of, view

LETTERS: Final = " PNBRQK"


def movable(state: State, seat: Seat) -> set[str]:
    """Return the kinds of pieces that a seat could move if it were to."""
    board = turned(state, seat)
    return {LETTERS[board.piece_type_at(move.from_square) or 0] for move in board.legal_moves}


def turned(state: State, seat: Seat) -> chess.Board:
    """Return the board with a seat to move."""
    board = chess.Board(state.fen)
    if board.turn != (seat == state.white):
        board.turn = not board.turn
        board.ep_square = None
    return board


class Model:
    """Whose dice they are, what became of each, and who may do what with them."""

    def __init__(self, state: State) -> None:
        self.mode = state.options.dice
        self.roll_count = 0
        self.owner, self.actor = A, A
        self.dice, self.used = "", ["-"] * 3
        self.free = self.escape = False
        self.passes = 0
        self.begin(state, state.white)

    def begin(self, state: State, seat: Seat) -> None:
        """Start a turn with the next recorded roll; if it is useless, start the other side's turn."""
        rolled = view(state).rolls[self.roll_count]
        assert rolled.seat == seat
        self.roll_count += 1
        self.owner, self.dice, self.used = seat, rolled.dice, ["."] * 3
        kinds = movable(state, seat)
        if self.mode is FREE:
            assert set(rolled.dice) <= kinds
        self.go_on(state, first=True)

    def go_on(self, state: State, *, first: bool = False) -> None:
        """Come to the owner's next die that can be used, or to the other side's turn."""
        self.actor, self.free, self.escape = self.owner, False, False
        kinds = movable(state, self.owner)
        check = turned(state, self.owner).is_check()
        of_use = [self.dice[place] in kinds or self.king_helps(kinds) for place in range(3)]
        if first and check and not any(of_use) and kinds:
            self.escape = True
            return
        for place in range(3):
            if self.used[place] == ".":
                if of_use[place] and self.mode is SEQUENTIAL:
                    break
                if not of_use[place]:
                    self.used[place] = "-"
        if "." not in self.used:
            self.passes += 1
            self.begin(state, Seat(1 - self.owner))

    def king_helps(self, kinds: set[str]) -> bool:
        """In sequential play the king may use any die."""
        return self.mode is SEQUENTIAL and "K" in kinds

    def do(self, before: State, move: AnyMove, after: State) -> None:
        """Follow what was done."""
        if isinstance(move, Reroll):
            self.begin(after, self.owner)
        elif isinstance(move, Skip):
            self.used[self.used.index(".")] = "-"
            self.go_on(after)
        elif isinstance(move, Move):
            self.moved(before, move.uci, after)

    def moved(self, before: State, uci: str, after: State) -> None:
        board = chess.Board(before.fen)
        kind = LETTERS[board.piece_type_at(chess.parse_square(uci[:2])) or 0]
        mover = self.actor
        if not self.free:
            place = self.used.index(".")
            if self.mode is FREE:
                place = next(at for at in range(3) if self.used[at] == "." and self.dice[at] == kind)
            self.used[place] = "x"
        board.push_uci(uci)
        if board.is_check() and (mover != self.owner or "." in self.used):
            self.actor, self.free, self.escape = Seat(1 - mover), True, False
        else:
            self.go_on(after)

    def legal(self, state: State) -> set[str]:
        """Return the moves that the seat to act may make."""
        kinds = set("PNBRQK")
        if not (self.free or self.escape):
            if self.mode is FREE:
                kinds = {self.dice[place] for place in range(3) if self.used[place] == "."}
            else:
                kinds = {self.dice[self.used.index(".")], "K"}
        board = turned(state, self.actor)
        return {
            move.uci()
            for move in board.legal_moves
            if LETTERS[board.piece_type_at(move.from_square) or 0] in kinds
        }

    def may_skip(self, state: State) -> bool:
        """Tell whether the present die may be passed: only the king could use it, and no check stays."""
        if self.free or self.escape or self.mode is FREE:
            return False
        kinds = movable(state, self.actor)
        last = self.used.count(".") == 1 and turned(state, self.actor).is_check()
        return self.dice[self.used.index(".")] not in kinds and "K" in kinds and not last


def over_by_board(before: State, uci: str) -> str:
    """Return mate or stalemate as chess without dice judges a move."""
    board = chess.Board(before.fen)
    board.push_uci(uci)
    return "mate" if board.is_checkmate() else "stalemate" if board.is_stalemate() else ""


def compare(options: Settings, number: int, longest: int) -> Counter[str]:
    """Play a random game beside the model, and count what happened in it."""
    rng, seen = random.Random(number), Counter[str]()
    game = Game(options, rng.randbytes(32))
    model = Model(game.state)
    for _ in range(longest):
        state = game.state
        shown = dice_of(state)
        assert RULES.to_act(state) == (model.actor,)
        assert (shown.owner, shown.dice, shown.free) == (model.owner, model.dice, model.free)
        assert sorted(zip(shown.dice, shown.used, strict=True)) == sorted(
            zip(model.dice, model.used, strict=True)
        )
        moves = RULES.legal(state, model.actor)
        assert {move.uci for move in moves if isinstance(move, Move)} == model.legal(state)
        assert (Skip() in moves) is model.may_skip(state)
        assert len(view(state).rolls) == model.roll_count
        seen["free"] += model.free
        seen["answered check with a check"] += model.free and model.actor == model.owner
        seen["escape"] += model.escape
        move = favoured(state, rng)
        seen[type(move).__name__] += 1
        game.do(move)
        word = over_by_board(state, move.uci) if isinstance(move, Move) else ""
        outcome = RULES.outcome(game.state)
        if word:
            assert outcome is not None
            assert outcome.reason == word
        if outcome is not None:
            seen[outcome.reason] += 1
            assert word or outcome.reason in {"material", "fivefold", "seventyfive", "threefold", "fifty"}
            break
        assert not isinstance(move, ClaimDraw)
        model.do(state, move, game.state)
    seen["passes"] += model.passes
    return seen


@pytest.mark.parametrize("mode", [SEQUENTIAL, FREE])
@settings(max_examples=20)
@given(number=st.integers(0, 2**32), rerolls=st.integers(0, 3))
def test_a_random_game_goes_as_the_model_says(mode: DiceMode, number: int, rerolls: int) -> None:
    compare(Settings(dice=mode, rerolls=rerolls), number, 120)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [SEQUENTIAL, FREE])
def test_many_games_go_as_the_model_says_and_everything_happens_in_them(mode: DiceMode) -> None:
    seen = Counter[str]()
    for number in range(60):
        seen += compare(Settings(dice=mode, rerolls=number % 4), number, 300)
    common = {"free", "answered check with a check", "Reroll", "mate", "passes"}
    assert common | ({"escape", "Skip"} if mode is SEQUENTIAL else set()) <= seen.keys(), seen


def test_both_players_are_shown_the_same_dice() -> None:
    game = Game(Settings(dice=SEQUENTIAL), bytes(32))
    for _ in range(30):
        if RULES.to_act(game.state):
            game.do(favoured(game.state, random.Random(1)))
            assert dice_of(game.state, A) == dice_of(game.state, B)
            assert view(game.state, A).rolls == view(game.state, B).rolls
