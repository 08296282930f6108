"""Random games of chess of any variant, and the invariants of each state."""

import random
import re
from typing import Any, ClassVar

import chess
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from qipai.games.chess.rules import RULES
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import (
    AnyMove,
    ClaimDraw,
    CurrentDice,
    DiceMode,
    Move,
    Reroll,
    Roll,
    SetDice,
    Settings,
    Skip,
)
from qipai.kernel.game_interface.rules_interface import AddressedEvent, IllegalCommand
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .chess_table import VIEWERS, A, B, encode, stored, view

REASONS = {"mate", "stalemate", "material", "threefold", "fifty", "fivefold", "seventyfive", "mined"}
OTHERS = (Skip(), Reroll(), ClaimDraw(), Roll(), Roll(3), SetDice("PNB"))
IN_ORDER = re.compile(r"[x-]*\.*")


class Game:
    """A game in progress, with its random source, its moves and its events."""

    def __init__(self, options: Settings, seed: bytes) -> None:
        self.options, self.seed = options, seed
        self.dice = Random(seed)
        self.state: State = RULES.deal(options, self.dice)
        self.moves: list[tuple[Seat, AnyMove]] = []
        self.events: list[tuple[AddressedEvent, ...]] = []

    def do(self, move: AnyMove) -> None:
        """Make a move of the seat to act, and check the dice and the pieces after it."""
        before, (seat,) = self.state, RULES.to_act(self.state)
        turn = RULES.play(before, seat, move, self.dice)
        self.state = turn.state
        self.moves.append((seat, move))
        self.events.append(turn.events)
        if isinstance(move, Move):
            one_more_move(before, self.state, move.uci)
            in_passing(before, move.uci)
        else:
            assert self.state.fen.split()[0] == before.fen.split()[0]
            assert self.state.moves == before.moves
        if before.dice is not None:
            dice_go_one_way(before, self.state, move)

    def again(self) -> None:
        """Play the same game from the same seed: everything must be the same."""
        dice = Random(self.seed)
        state = RULES.deal(self.options, dice)
        for (seat, move), events in zip(self.moves, self.events, strict=True):
            turn = RULES.play(state, seat, move, dice)
            assert turn.events == events
            state = turn.state
        assert state == self.state
        assert dice.position == self.dice.position


def one_more_move(before: State, after: State, uci: str) -> None:
    """A move is in the list, was legal in chess, and made pieces neither appear nor vanish."""
    assert after.moves == (*before.moves, uci)
    board = chess.Board(before.fen)
    assert chess.Move.from_uci(uci) in board.legal_moves
    pieces(after)


def in_passing(before: State, uci: str) -> None:
    """En passant is taken only right after the double step, from the other side."""
    board = chess.Board(before.fen)
    if board.is_en_passant(chess.Move.from_uci(uci)):
        last = before.moves[-1]
        assert last[0] == last[2] == uci[2]
        assert abs(int(last[1]) - int(last[3])) == 2
        piece = board.piece_at(chess.parse_square(last[2:4]))
        assert piece is not None
        assert piece == chess.Piece(chess.PAWN, not board.turn)


def pieces(state: State) -> None:
    """Sixteen pieces of each side are on the board or taken, and a king each unless one went up."""
    board = state.fen.split()[0]
    for side in (str.isupper, str.islower):
        assert sum(map(side, board)) + sum(map(side, state.taken)) == 16
    mined = state.result is not None and state.result.reason == "mined"
    assert board.count("K") + board.count("k") == 2 - mined


def dice_go_one_way(before: State, after: State, move: AnyMove) -> None:
    """A move uses at most one die, no used die becomes unused, and only a new roll replaces a roll."""
    old, new = view(before, A).rolls, view(after, A).rolls
    assert [(one.dice, one.seat, one.ply) for one in old] == [
        (one.dice, one.seat, one.ply) for one in new[: len(old)]
    ]
    assert old[:-1] == new[: len(old) - 1]
    was, now = old[-1].used, new[len(old) - 1].used
    assert all(a in (".", b) for a, b in zip(was, now, strict=True))
    used = now.count("x") - was.count("x")
    dice_of = view(before, A).dice
    assert dice_of is not None
    free = dice_of.free or not isinstance(move, Move)
    assert used == (0 if free else 1)
    if not free and isinstance(move, Move):
        (place,) = (at for at in range(3) if was[at] == "." and now[at] == "x")
        kind = chess.Board(before.fen).piece_at(chess.parse_square(move.uci[:2]))
        assert kind is not None
        allowed = (
            {dice_of.dice[place], "K"}
            if before.options.dice is DiceMode.SEQUENTIAL
            else {dice_of.dice[place]}
        )
        if not before.check:
            assert kind.symbol().upper() in allowed
    if before.options.dice is DiceMode.SEQUENTIAL:
        for one in new:
            assert IN_ORDER.fullmatch(one.used)


def holds(state: State) -> None:
    """Look at what must be true of any state."""
    acting = RULES.to_act(state)
    outcome = RULES.outcome(state)
    assert (outcome is None) is (len(acting) == 1)
    if outcome is not None:
        assert outcome.reason in REASONS
        assert bool(outcome.winners) is (outcome.reason in {"mate", "mined"})
    for seat in (A, B):
        moves = RULES.legal(state, seat)
        assert bool(moves) is (seat in acting), "a seat can act, or the game is over"
        assert len(set(moves)) == len(moves)
    pieces(state)
    again = stored(state)
    assert again == state
    for viewer in VIEWERS:
        assert encode(view(again, viewer)) == encode(view(state, viewer))
        shown = view(state, viewer).dice
        if shown is not None:
            hand_holds(state, shown)
    if outcome is None:
        board = chess.Board(state.fen)
        assert board.turn == (state.turn == state.white)
        assert {move.uci for move in RULES.legal(state, state.turn) if isinstance(move, Move)} <= {
            move.uci() for move in board.legal_moves
        }
        if state.mines is None:
            assert not board.was_into_check(), "the side not to move is never in check"


def hand_holds(state: State, dice_of: CurrentDice) -> None:
    """Dice on the table are three, of kinds there are, and used in order where they must be."""
    assert len(dice_of.dice) == len(dice_of.used) == 3
    if state.options.dice is DiceMode.SEQUENTIAL:
        assert set(dice_of.dice) <= set("PNBRQ")
        assert IN_ORDER.fullmatch(dice_of.used)
        if RULES.outcome(state) is None and not dice_of.free:
            assert dice_of.current == len(dice_of.used.rstrip(".")) < 3
    elif dice_of.dice != "KKK":
        assert dice_of.dice.count("K") <= 1


def refused(game: Game, move: AnyMove, seat: Seat) -> None:
    """A move that is not in the list of legal ones is refused, and draws no chance."""
    if move in RULES.legal(game.state, seat):
        return
    before, chance = encode(game.state), Random(game.seed, game.dice.position)
    try:
        RULES.play(game.state, seat, move, chance)
    except IllegalCommand:
        assert encode(game.state) == before
    else:
        raise AssertionError(f"{seat} may not {move}")


def favoured(state: State, rng: random.Random) -> AnyMove:
    """Return a legal move: any, but rather one that takes, checks or promotes; seldom the end by claim."""
    moves = [move for move in RULES.legal(state, state.turn) if not isinstance(move, ClaimDraw)]
    board, sharp = chess.Board(state.fen), []
    for move in moves:
        if isinstance(move, Move):
            known = chess.Move.from_uci(move.uci)
            if board.is_capture(known) or known.promotion or board.gives_check(known):
                sharp.append(move)
    if sharp and rng.random() < 0.4:
        return rng.choice(sharp)
    return rng.choice(moves) if moves else ClaimDraw()


def whole_game(options: Settings, number: int, longest: int) -> Game:
    """Play a random game to its end or so far, and return it."""
    rng = random.Random(number)
    game = Game(options, rng.randbytes(32))
    while RULES.to_act(game.state) and len(game.moves) < longest:
        game.do(favoured(game.state, rng))
    return game


class Machine(RuleBasedStateMachine):
    """Plays on, tries what is not allowed, and looks around after each step."""

    options: ClassVar[Settings]

    @initialize(seed=st.binary(min_size=32, max_size=32))
    def begin(self, seed: bytes) -> None:
        self.game = Game(self.options, seed)

    @rule(number=st.integers(0, 2**32), count=st.sampled_from((1, 3, 10, 25)))
    def play_on(self, number: int, count: int) -> None:
        rng = random.Random(number)
        for _ in range(count):
            if not RULES.to_act(self.game.state):
                return
            self.game.do(favoured(self.game.state, rng))

    @rule(pick=st.integers(0, 200))
    def play(self, pick: int) -> None:
        state = self.game.state
        if RULES.to_act(state):
            moves = RULES.legal(state, state.turn)
            self.game.do(moves[pick % len(moves)])

    @rule(number=st.integers(0, 2**32))
    def try_what_is_not_allowed(self, number: int) -> None:
        rng = random.Random(number)
        board = chess.Board(self.game.state.fen)
        near = [move.uci() for move in board.pseudo_legal_moves]
        for _ in range(20):
            start, end = rng.choice(chess.SQUARE_NAMES), rng.choice(chess.SQUARE_NAMES)
            refused(self.game, Move(start + end + rng.choice(("", "", "q", "n"))), Seat(rng.randrange(2)))
        for uci in near:
            for seat in (A, B):
                refused(self.game, Move(uci), seat)
        for other in OTHERS:
            for seat in (A, B):
                refused(self.game, other, seat)

    @invariant()
    def everything_holds(self) -> None:
        if hasattr(self, "game"):
            holds(self.game.state)

    def teardown(self) -> None:
        if hasattr(self, "game"):
            self.game.again()


def machine(options: Settings, examples: int = 12, steps: int = 12) -> Any:
    """Return the test case of a machine with these options."""
    kind: Any = type("Machine", (Machine,), {"options": options})
    case: Any = kind.TestCase
    case.settings = settings(max_examples=examples, stateful_step_count=steps)
    return case
