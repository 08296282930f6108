"""Random games of every variant, as PGN."""

import io
import random
from datetime import date
from itertools import product

import chess.pgn
import pytest

from qipai.games.chess import pgn_reader, pgn_writer
from qipai.games.chess.game_record import heading_of, record_of
from qipai.games.chess.rules import RULES, State
from qipai.games.chess.wire_types import AnyMove, DiceMode, Move, Roll, SetDice, Settings
from qipai.kernel.game_interface.game_headers import GameHeaders
from qipai.kernel.game_interface.rules_interface import Outcome, StartConditions
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random

A, B = Seat(0), Seat(1)
TWISTS = [
    Settings(dice, fog, mines, rerolls, white, older, trusting)
    for dice, fog, mines, (older, trusting) in product(
        DiceMode, (False, True), (0, 5), ((False, False), (True, False), (True, True))
    )
    for rerolls, white in ((2, A), (0, B))
]


def chosen(state: State, seat: Seat, rng: random.Random) -> AnyMove:
    """Return a move of a seat; with unchecked moves, mostly a legal one."""
    moves = list(RULES.legal(state, seat))
    if isinstance(moves[0], Roll) and seat in state.sees_hidden and rng.random() < 0.5:
        return SetDice("".join(rng.choices("PNBRQ", k=3)))
    if state.options.unchecked_moves and rng.random() < 0.95:
        usual = {move.uci() for move in chess.Board(state.fen).legal_moves}
        moves = [move for move in moves if isinstance(move, Move) and move.uci in usual] or moves
    return rng.choice(moves)


def game_of(options: Settings, seed: int, longest: int) -> tuple[State, Outcome]:
    """Return a game as it ended on the board, or by resignation."""
    rng = random.Random(seed)
    dice = Random(rng.randbytes(32))
    sees_hidden = (A,) if options.legacy_rules else ()
    state = RULES.deal(options, dice, None, StartConditions(sees_hidden=sees_hidden))
    for _ in range(longest):
        if (outcome := RULES.outcome(state)) is not None:
            return state, outcome
        seat = state.turn
        state = RULES.play(state, seat, chosen(state, seat, rng), dice).state
    reason = rng.choice(("resigned", "time", "left", "agreed"))
    return state, Outcome((), reason) if reason == "agreed" else RULES.forfeit(state, B, reason)


def named(options: Settings) -> str:
    return (pgn_writer.variant_words(options) or "plain") + (" black" if options.white == B else "")


def check(options: Settings, seed: int) -> None:
    """Play a game, write it, read it, and open it with python-chess."""
    state, outcome = game_of(options, seed, 100)
    seen = RULES.view(state, SPECTATOR, over=True)
    occasion = GameHeaders(("Ann", "Bob"), options, outcome, date(2026, 11, 15), "Qipai", "Qipai x", 1)
    game = record_of(seen, heading_of(seen, occasion))
    text = pgn_writer.pgn_of(seen, occasion)
    assert pgn_reader.read_pgn(text) == game
    assert game.moves == state.moves
    assert len(game.sides) == len(game.moves)
    assert max(map(len, text.splitlines())) <= pgn_writer.WIDTH
    opened = chess.pgn.read_game(io.StringIO(text))
    assert opened is not None
    assert opened.errors == []
    assert opened.headers["White"] == ("Bob" if seen.white == B else "Ann")
    assert opened.headers["Result"] == game.heading.result
    line = [move.uci() for move in opened.mainline_moves() if move]
    assert line == list(game.moves[: len(line)])
    if not game.explosions and not options.unchecked_moves:
        assert line == list(game.moves)
    if len(line) == len(game.moves) and not game.explosions:
        assert opened.end().board().board_fen() == state.fen.split()[0]


@pytest.mark.parametrize("options", TWISTS[::2], ids=named)
def test_a_finished_game_is_read_as_it_was_written_and_opens_elsewhere(options: Settings) -> None:
    check(options, 0)


@pytest.mark.slow
@pytest.mark.parametrize("options", TWISTS, ids=named)
def test_many_finished_games_are_read_as_they_were_written(options: Settings) -> None:
    for seed in range(1, 4):
        check(options, seed)
