"""Chess against python-chess: every move, every end and every claim of games that really get there."""

import random
from collections import Counter
from typing import Final

import chess
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from qipai.games.chess.events import Moved
from qipai.games.chess.rules import RULES
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import ClaimDraw, Move, Settings
from qipai.kernel.game_interface.rules_interface import AddressedEvent, IllegalCommand, Outcome
from qipai.kernel.ids import Seat
from qipai.kernel.refusals import Refusal

from .chess_table import (
    A,
    B,
    actor,
    chance,
    encode,
    events_for,
    game_at,
    legal,
    play,
    refusal,
    same,
    stored,
    view,
)

BEGINNINGS: Final = (
    chess.STARTING_FEN,
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "8/P6p/8/k6K/8/8/p6P/8 w - - 0 1",
    "4k3/pppp4/8/8/8/8/4PPPP/4K3 b - - 0 1",
    "8/8/8/4k3/8/8/8/KQQ5 w - - 0 1",
    "k7/8/8/8/8/8/5Q2/K1R5 w - - 0 1",
    "6k1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "8/5k2/8/8/8/3b4/2K5/4N3 w - - 0 1",
    "k7/8/8/3r4/8/8/4R3/7K w - - 90 80",
    "6k1/1n6/8/8/8/8/1N6/6K1 b - - 140 99",
)
STYLES: Final = ("any", "back and forth", "quiet", "hungry")
RARE: Final = {"mate", "stalemate", "material", "fivefold", "seventyfive", "threefold", "fifty"}


def choose(board: chess.Board, style: str, rng: random.Random) -> chess.Move:
    """Return a legal move: any, one that goes back, one that can be taken back, or one that takes."""
    moves = sorted(board.legal_moves, key=chess.Move.uci)
    if style == "back and forth" and len(board.move_stack) >= 2 and rng.random() < 0.95:
        mine = board.move_stack[-2]
        back = [
            move for move in moves if (move.from_square, move.to_square) == (mine.to_square, mine.from_square)
        ]
        if back:
            return back[0]
    if style in ("back and forth", "quiet"):
        moves = [move for move in moves if not board.is_zeroing(move)] or moves
    if style == "hungry":
        moves = [move for move in moves if board.is_capture(move) or move.promotion] or moves
    return rng.choice(moves)


def expected(board: chess.Board) -> str:
    """Return the word for how the rules end a game by themselves, or nothing."""
    if board.is_checkmate():
        return "mate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material():
        return "material"
    if board.is_fivefold_repetition():
        return "fivefold"
    if board.is_seventyfive_moves():
        return "seventyfive"
    return ""


def offered(board: chess.Board) -> set[str]:
    """Return the draws that the side to move may claim."""
    words = {"threefold": board.is_repetition(3), "fifty": board.is_fifty_moves()}
    return {word for word, there in words.items() if there}


def agree(state: State, board: chess.Board) -> str:
    """Compare a position, and return its end, if it is one."""
    side = A if board.turn else B
    shown = view(state)
    assert (shown.white, shown.turn) == (A, side)
    assert same(shown.fen) == board.fen(en_passant="legal")
    assert shown.check is board.is_check()
    assert [*shown.moves] == [move.uci() for move in board.move_stack]
    word = expected(board)
    outcome = RULES.outcome(state)
    if word:
        winners = (Seat(1 - side),) if word == "mate" else ()
        assert outcome == Outcome(winners, word)
        assert RULES.to_act(state) == ()
        assert not RULES.legal(state, A)
        assert not RULES.legal(state, B)
        return word
    assert outcome is None
    assert RULES.to_act(state) == (side,)
    assert legal(state) == {move.uci() for move in board.legal_moves}
    assert not RULES.legal(state, Seat(1 - side))
    claims = offered(board)
    assert (shown.draw_claim in claims) if claims else (shown.draw_claim == "")
    assert (ClaimDraw() in RULES.legal(state, side)) is bool(claims)
    if claims:
        drawn = play(state, ClaimDraw())
        assert RULES.outcome(drawn) == Outcome((), shown.draw_claim)
        assert RULES.to_act(drawn) == ()
    else:
        assert refusal(state, ClaimDraw()) is not None
    return ""


def game(fen: str, style: str, number: int, longest: int) -> Counter[str]:
    """Play a game on both boards, compare all along, and count what was reached."""
    rng = random.Random(number)
    board, state, reached = chess.Board(fen), game_at(fen), Counter[str]()
    while len(board.move_stack) < longest:
        word = agree(state, board)
        if word:
            reached[word] += 1
            break
        for claim in offered(board):
            reached[claim] += 1
        move = choose(board, style, rng)
        taken = what_is_taken(board, move)
        events: list[AddressedEvent] = []
        state = play(state, move.uci(), events=events)
        board.push(move)
        (moved,) = (one for one in events_for(events, B) if isinstance(one, Moved))
        assert (moved.seat, moved.uci, moved.taken) == (B if board.turn else A, move.uci(), taken)
        assert same(moved.fen) == board.fen(en_passant="legal")
        assert moved.check is board.is_check()
        assert moved.claim == view(state).draw_claim or RULES.outcome(state) is not None
        assert all(one.to is None for one in events), "nothing is hidden"
    return reached


def what_is_taken(board: chess.Board, move: chess.Move) -> str:
    """Return the letter of what a move captures."""
    square = move.to_square
    if board.is_en_passant(move):
        square += -8 if board.turn else 8
    piece = board.piece_at(square) if board.is_capture(move) else None
    return piece.symbol() if piece else ""


@settings(max_examples=40)
@given(
    fen=st.sampled_from(BEGINNINGS),
    style=st.sampled_from(STYLES),
    number=st.integers(0, 2**32),
    longest=st.sampled_from((10, 60, 160)),
)
def test_a_random_game_goes_as_python_chess_says(fen: str, style: str, number: int, longest: int) -> None:
    for word in game(fen, style, number, longest):
        event(word)


def test_every_end_and_every_claim_is_really_reached() -> None:
    reached = Counter[str]()
    for number in range(66):
        fen, style = BEGINNINGS[number % len(BEGINNINGS)], STYLES[number // len(BEGINNINGS) % len(STYLES)]
        if fen == chess.STARTING_FEN and style != "back and forth":
            continue
        reached += game(fen, style, number, 160)
        if set(reached) == RARE and number >= 44:
            break
    assert set(reached) == RARE, reached


@pytest.mark.slow
def test_many_long_games_go_as_python_chess_says() -> None:
    reached = Counter[str]()
    for number in range(300):
        rng = random.Random(number)
        reached += game(rng.choice(BEGINNINGS), rng.choice(STYLES), number, 400)
    assert min(reached[word] for word in RARE) >= 3, reached


def positions(count: int) -> list[str]:
    """Return positions of random games, those where something special can be played among them."""
    found = [
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
        "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R b KQkq - 0 1",
        "4k3/8/8/8/7b/8/8/R3K2R w KQ - 0 1",
    ]
    rng = random.Random(5)
    while len(found) < count:
        board = chess.Board(rng.choice(BEGINNINGS[:4]))
        for _ in range(rng.randrange(60)):
            if board.is_game_over():
                break
            board.push(choose(board, "any", rng))
        if not board.is_game_over():
            found.append(board.fen())
    return found[:count]


@pytest.mark.parametrize("fen", positions(8))
def test_every_pair_of_squares_with_and_without_promotion_is_judged_as_python_chess_does(fen: str) -> None:
    board, state, dice = chess.Board(fen), game_at(fen), chance(0)
    seat = actor(state)
    allowed = {move.uci() for move in board.legal_moves}
    accepted, codes = set(), set()
    for start in chess.SQUARE_NAMES:
        for end in chess.SQUARE_NAMES:
            for letter in ("", *"qrbn"):
                move = Move(start + end + letter)
                try:
                    RULES.play(state, seat, move, dice)
                except IllegalCommand as no:
                    codes.add(no.code)
                else:
                    accepted.add(move.uci)
    assert accepted == allowed
    assert codes == {Refusal.ILLEGAL}


def test_a_move_of_the_side_not_to_move_is_refused() -> None:
    state = game_at(chess.STARTING_FEN)
    assert refusal(state, "e7e5", B) is Refusal.NOT_YOUR_TURN
    assert refusal(state, "e2e4", B) is Refusal.NOT_YOUR_TURN
    assert refusal(play(state, "e2e4"), "d2d4", A) is Refusal.NOT_YOUR_TURN


def test_castling_is_the_kings_move_of_two_files_and_not_the_rooks_square() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert {"e1g1", "e1c1"} <= legal(game_at(fen))
    assert refusal(game_at(fen), "e1h1") is Refusal.ILLEGAL
    assert refusal(game_at(fen), "e1a1") is Refusal.ILLEGAL
    after = view(play(game_at(fen), "e1g1", "e8c8"))
    assert after.fen.startswith("2kr3r/8/8/8/8/8/8/R4RK1 w - - ")


def test_a_position_repeats_only_if_the_same_moves_can_be_made() -> None:
    # FIDE 9.2: with castling or en passant still to be had the position is another one.
    start = "r3k3/8/8/8/8/8/8/4K2R w K - 0 1"
    round_trip = ("e1e2", "a8b8", "e2e1", "b8a8")
    state = game_at(start)
    for _ in range(2):
        state = play(state, *round_trip)
    assert view(state).draw_claim == ""
    assert view(play(state, *round_trip)).draw_claim == "threefold"


def test_no_draw_can_be_claimed_at_a_table_of_older_clients() -> None:
    state = game_at(chess.STARTING_FEN, Settings(legacy_rules=True))
    for number in range(4):
        for uci in ("g1f3", "g8f6", "f3g1", "f6g8"):
            assert view(state).draw_claim == ""
            assert refusal(state, ClaimDraw()) is not None, number
            assert RULES.outcome(state) is None
            state = play(state, uci)
    assert RULES.outcome(state) == Outcome((), "fivefold")


def test_a_claim_out_of_turn_is_refused() -> None:
    state = game_at("k7/8/8/3r4/8/8/4R3/7K w - - 100 80")
    assert view(state).draw_claim == "fifty"
    assert refusal(state, ClaimDraw(), B) is Refusal.NOT_YOUR_TURN
    assert RULES.outcome(play(state, ClaimDraw())) == Outcome((), "fifty")


@pytest.mark.parametrize(
    ("fen", "loser", "winners", "reason"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 60", B, (A,), "time"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 60", A, (), "time_material"),
        ("4k3/7p/8/8/8/8/8/4K3 w - - 0 60", A, (B,), "time"),
    ],
)
def test_a_time_forfeit_loses_unless_the_other_side_cannot_mate(
    fen: str, loser: Seat, winners: tuple[Seat, ...], reason: str
) -> None:
    # FIDE 6.9.
    assert RULES.forfeit(game_at(fen), loser, "time") == Outcome(winners, reason)


def test_at_a_table_of_older_clients_a_time_forfeit_always_loses() -> None:
    state = game_at("4k3/8/8/8/8/8/8/R3K3 w - - 0 60", Settings(legacy_rules=True))
    assert RULES.forfeit(state, A, "time") == Outcome((B,), "time")


@settings(max_examples=15)
@given(number=st.integers(0, 2**32))
def test_states_of_a_game_survive_being_written_and_read(number: int) -> None:
    rng, board = random.Random(number), chess.Board()
    state = game_at(chess.STARTING_FEN)
    for _ in range(40):
        if not RULES.to_act(state):
            break
        move = choose(board, "any", rng)
        board.push(move)
        state = play(state, move.uci())
        assert stored(state) == state
        assert encode(view(stored(state))) == encode(view(state))
