"""Chess with dice: check in mid-turn and before it, en passant, repetition."""

import chess

from qipai.games.chess.events import DiceChanged, Moved, Rolled
from qipai.games.chess.rules import RULES
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import ClaimDraw, Settings, Skip
from qipai.kernel.game_interface.rules_interface import AddressedEvent, Outcome
from qipai.kernel.refusals import Refusal
from tests.games.chess.chess_table import (
    START,
    A,
    B,
    FixedRandom,
    actor,
    dice_of,
    events_for,
    legal,
    moves_of,
    other_moves,
    play,
    refusal,
    view,
)
from tests.games.chess.dice.test_chess_dice import DICE, rolled

# Check in mid-turn

ROOK = "4k3/8/8/8/8/8/8/R3K2N w - - 0 1"


def interrupted(letters: str = "RNR", options: Settings = DICE) -> State:
    """Return a game in which white's first die gave check."""
    return play(rolled(ROOK, letters, options), "a1a8")


def test_a_check_interrupts_the_turn_and_the_remaining_dice_are_kept() -> None:
    events: list[AddressedEvent] = []
    state = play(rolled(ROOK, "RNR"), "a1a8", events=events, dice=FixedRandom())
    assert RULES.to_act(state) == (B,)
    assert (view(state).turn, view(state).check) == (B, True)
    shown = dice_of(state)
    assert (shown.owner, shown.dice, shown.used, shown.free, shown.kept) == (A, "RNR", "x..", True, True)
    assert [type(event) for event in events_for(events, B)] == [Moved, DiceChanged], "no dice are rolled"


def test_the_defender_makes_any_legal_move_without_dice() -> None:
    state = interrupted()
    assert legal(state) == moves_of(view(state).fen)
    assert other_moves(state) == set()


def test_the_defender_may_answer_with_any_kind_of_piece() -> None:
    fen = "3bk2n/5p2/8/8/8/8/8/K5R1 w - - 0 1"
    state = play(rolled(fen, "RRR"), "g1e1", dice=FixedRandom())
    board = chess.Board(view(state).fen)
    assert {board.piece_type_at(chess.parse_square(uci[:2])) for uci in legal(state)} == {
        chess.BISHOP,
        chess.KING,
    }
    assert legal(state) == moves_of(view(state).fen)


def test_after_exactly_one_free_move_the_attacker_goes_on_with_the_kept_dice() -> None:
    events: list[AddressedEvent] = []
    state = play(interrupted(), "e8e7", dice=FixedRandom(), events=events)
    assert RULES.to_act(state) == (A,)
    shown = dice_of(state)
    assert (shown.owner, shown.dice, shown.used, shown.current) == (A, "RNR", "x..", 1)
    assert (shown.free, shown.kept) == (False, False)
    assert len(view(state).rolls) == 1
    assert legal(state) == moves_of(view(state).fen, "NK")
    state = play(state, "h1g3", dice=FixedRandom())
    assert legal(state) == moves_of(view(state).fen, "RK")
    state = play(state, "a8b8", dice=FixedRandom("PPP"))
    assert (RULES.to_act(state), dice_of(state).dice) == ((B,), "PPP")


def test_a_check_with_the_last_die_leaves_no_dice_and_the_defender_rolls() -> None:
    state = play(rolled(ROOK, "NNR"), "h1g3", "g3h1", "a1a8", dice=FixedRandom("PPP"))
    assert RULES.to_act(state) == (B,)
    shown = dice_of(state)
    assert (shown.owner, shown.dice, shown.free, shown.kept) == (B, "PPP", False, False)


def test_kept_dice_that_cannot_be_used_any_more_pass_the_turn() -> None:
    # The only rook is taken by the free move, and the king is shut in: the dice go by, black rolls.
    events: list[AddressedEvent] = []
    state = rolled("8/5k1b/8/8/8/8/PP6/K3R3 w - - 0 1", "RRN")
    state = play(state, "e1e7", "f7e7", dice=FixedRandom("BBB"), events=events)
    assert RULES.to_act(state) == (B,)
    assert view(state).rolls[0].used == "x--"
    assert (dice_of(state).owner, dice_of(state).dice, dice_of(state).free) == (B, "BBB", False)
    assert events_for(events, A)[-2:] == [Rolled(B, "BBB"), DiceChanged(dice_of(state))]


def test_two_checks_in_one_turn_interrupt_it_twice() -> None:
    state = play(interrupted("RRR"), "e8e7")
    state = play(state, "a8a7", dice=FixedRandom())
    assert (RULES.to_act(state), dice_of(state).used, dice_of(state).free) == ((B,), "xx.", True)
    state = play(state, "e7e8", dice=FixedRandom())
    assert (RULES.to_act(state), dice_of(state).used, dice_of(state).current) == ((A,), "xx.", 2)


COUNTER = "5r2/5k2/8/8/8/7N/8/R4K2 w - - 0 1"
"""White checks on a7; the king steps to e6 and uncovers a check on f1."""


def game_with_replies() -> State:
    """Return a game in which the defender's free move gave check itself."""
    return play(rolled(COUNTER, "RNN"), "a1a7", "f7e6", dice=FixedRandom())


def test_a_free_move_that_gives_check_must_be_answered_first_by_one_free_move() -> None:
    state = game_with_replies()
    assert RULES.to_act(state) == (A,)
    assert view(state).check
    assert dice_of(state).free
    assert (dice_of(state).dice, dice_of(state).used) == ("RNN", "x..")
    assert legal(state) == moves_of(view(state).fen)
    assert "a7f7" in legal(state), "a rook, though the current die shows a knight"


def test_after_the_answer_the_attacker_continues_with_the_kept_dice() -> None:
    state = play(game_with_replies(), "f1e2", dice=FixedRandom())
    assert RULES.to_act(state) == (A,)
    assert (dice_of(state).free, dice_of(state).used, dice_of(state).current) == (False, "x..", 1)
    assert legal(state) == moves_of(view(state).fen, "NK")


def test_a_second_check_while_the_answer_is_owed_works_the_same_way_with_the_dice_left() -> None:
    state = play(game_with_replies(), "h3f4", dice=FixedRandom())
    assert RULES.to_act(state) == (B,)
    assert (dice_of(state).owner, dice_of(state).used, dice_of(state).free) == (A, "x..", True)
    assert legal(state) == moves_of(view(state).fen)
    state = play(state, "e6e5", dice=FixedRandom())
    assert RULES.to_act(state) == (A,)
    assert (dice_of(state).used, dice_of(state).current, dice_of(state).free) == ("x..", 1, False)


def test_mate_in_mid_turn_ends_the_game() -> None:
    state = play(rolled("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "RPP"), "a1a8", dice=FixedRandom())
    assert RULES.outcome(state) == Outcome((A,), "mate")
    assert RULES.to_act(state) == ()


def test_stalemate_is_judged_as_without_dice() -> None:
    state = rolled("7k/5K2/8/8/6Q1/8/8/8 w - - 0 1", "NNQ")
    state = play(state, Skip(), Skip(), "g4g6", dice=FixedRandom("PPP"))
    assert RULES.outcome(state) == Outcome((), "stalemate")


def test_a_side_without_a_move_in_mid_turn_loses_its_dice_and_is_not_stalemated() -> None:
    state = play(rolled("6bk/1r6/8/8/7p/8/7P/K7 w - - 0 1", "PPN"), "h2h3", dice=FixedRandom("RRR"))
    assert RULES.outcome(state) is None
    assert RULES.to_act(state) == (B,)
    assert view(state).rolls[0].used == "x--"


def test_a_side_with_legal_moves_but_no_dice_for_them_is_not_stalemated() -> None:
    state = play(rolled(START, "NNN"), "g1f3", "f3g1", "g1f3", dice=FixedRandom("QQQ PPP"))
    assert RULES.outcome(state) is None
    assert RULES.to_act(state) == (A,)


# In check at the start of one's own turn

BACK_RANK = "4k3/8/8/5R2/8/8/6PP/4r2K w - - 0 1"
"""White's king is stuck; only the rook can help, on f1."""


def test_a_player_in_check_at_the_start_of_a_turn_rolls_as_usual() -> None:
    fen = "4k3/8/8/8/8/8/3B4/r3K3 w - - 0 1"
    state = rolled(fen, "BPP")
    assert view(state).check
    assert dice_of(state).dice == "BPP"
    assert legal(state) == moves_of(fen, "BK")


def test_a_die_further_right_that_resolves_the_check_is_come_to_by_skipping() -> None:
    state = rolled(BACK_RANK, "NNR")
    assert legal(state) == {"f5f1"}
    assert (dice_of(state).used, dice_of(state).current) == ("--.", 2)


def test_a_check_can_always_be_answered_with_a_free_move_that_uses_the_current_die() -> None:
    """將軍逃脫."""
    state = rolled(BACK_RANK, "NNP")
    assert RULES.to_act(state) == (A,)
    assert legal(state) == {"f5f1"}
    state = play(state, "f5f1", dice=FixedRandom())
    assert RULES.to_act(state) == (A,)
    assert dice_of(state).used[0] == "x"
    assert dice_of(state).used.count("x") == 1
    assert dice_of(state).current == 1
    assert legal(state) == moves_of(view(state).fen, "K")


def test_a_check_that_the_king_can_leave_frees_no_other_piece() -> None:
    fen = "4k3/8/8/8/5R2/8/8/r3K3 w - - 0 1"
    state = rolled(fen, "NNN")
    assert legal(state) == moves_of(fen, "K")
    assert refusal(state, "f4f1") is Refusal.ILLEGAL


def test_mate_is_judged_as_without_dice_at_the_start_of_a_turn() -> None:
    state = play(
        rolled("6k1/5ppp/8/8/8/8/8/R3K2N w - - 0 1", "NNR"), "h1g3", "g3h1", "a1a8", dice=FixedRandom("PPP")
    )
    assert RULES.outcome(state) == Outcome((A,), "mate")


# En passant

PASSING = "4k3/p7/8/8/3p4/8/4P3/4K1N1 w - - 0 1"


def test_en_passant_is_possible_on_the_move_right_after_the_double_step() -> None:
    state = play(rolled(PASSING, "NNP"), "g1f3", "f3g1", "e2e4", dice=FixedRandom("PPP"))
    assert "d4e3" in legal(state)
    after = play(state, "d4e3")
    assert chess.Board(view(after).fen).piece_at(chess.E4) is None
    assert view(after).taken == "P"


def test_en_passant_is_gone_after_another_move_of_the_same_turn() -> None:
    state = play(rolled(PASSING, "NNP"), "g1f3", "f3g1", "e2e4", "a7a6", dice=FixedRandom("PPP"))
    assert actor(state) == B
    assert "d4e3" not in legal(state)
    assert refusal(state, "d4e3") is Refusal.ILLEGAL


def test_en_passant_is_gone_when_the_double_step_was_not_the_last_move_of_its_turn() -> None:
    state = play(rolled(PASSING, "PNN"), "e2e4")
    assert view(state).fen.split()[1:4] == ["w", "-", "-"], "it is white's move again"
    state = play(state, "g1f3", "f3g1", dice=FixedRandom("PPP"))
    assert "d4e3" not in legal(state)


def test_en_passant_is_possible_when_only_skipped_dice_came_after_the_double_step() -> None:
    # The rooks' dice go by themselves, so black's move is the one right after the double step.
    fen = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    state = play(rolled(fen, "PRR"), "c2c4", dice=FixedRandom("PPP"))
    assert actor(state) == B
    assert "d4c3" in legal(state)


def test_en_passant_is_possible_when_only_passed_dice_came_after_the_double_step() -> None:
    state = play(rolled(PASSING, "PRR"), "e2e4", Skip(), Skip(), dice=FixedRandom("PPP"))
    assert actor(state) == B
    assert "d4e3" in legal(state)


def test_no_side_captures_its_own_pawn_en_passant() -> None:
    # The same side moves on: a pawn on d4 beside a white double step is black's business alone.
    fen = "4k3/8/8/8/8/8/2P1P3/4K3 w - - 0 1"
    state = play(rolled(fen, "PPP"), "c2c4")
    assert legal(state) == {"c4c5", "e2e3", "e2e4"} | moves_of(view(state).fen, "K")


def test_a_double_step_that_gives_check_may_be_taken_en_passant_by_the_free_move() -> None:
    fen = "8/8/8/3k4/3p4/8/4P3/4K1N1 w - - 0 1"
    state = play(rolled(fen, "PNN"), "e2e4")
    assert "d4e3" in legal(state)
    assert actor(play(state, "d4e3")) == A


# Repetition

KNIGHTS = "4k1n1/8/8/8/8/8/8/R3K1N1 w - - 0 1"


def test_the_opponents_skipped_move_between_two_of_one_turn_is_no_position_to_be_counted() -> None:
    # The board with the knight on f3 comes up twice in each turn, but only once with black to move.
    state = rolled(START, "NNN")
    turns = (("g1f3", "f3g1", "g1f3"), ("g8f6", "f6g8", "g8f6"), ("f3g1", "g1f3", "f3g1"))
    for moves in turns:
        state = play(state, *moves, dice=FixedRandom("NNN"))
        assert view(state).draw_claim == ""
        assert ClaimDraw() not in RULES.legal(state, actor(state))


def test_a_position_that_begins_a_turn_for_the_third_time_may_be_claimed() -> None:
    state = rolled(START, "NNN")
    out_and_back = (
        ("g1f3", "f3g1", "g1f3"),
        ("g8f6", "f6g8", "g8f6"),
        ("f3g1", "g1f3", "f3g1"),
        ("f6g8", "g8f6", "f6g8"),
    )
    for _ in range(2):
        for moves in out_and_back:
            for move in moves:
                state = play(state, move, dice=FixedRandom("NNN"))
                if RULES.outcome(state) is not None:
                    return
    assert view(state).draw_claim == "threefold"
    assert RULES.outcome(play(state, ClaimDraw())) == Outcome((), "threefold")


def test_a_turn_that_goes_by_without_a_move_tells_the_position_with_the_dice() -> None:
    turn = RULES.play(play(rolled(PASSING, "PRR"), "e2e4", Skip()), A, Skip(), FixedRandom("PPP"))
    (diced,) = [addressed.event for addressed in turn.events if isinstance(addressed.event, DiceChanged)]
    assert diced.fen == turn.state.fen
    assert " b - e3 " in diced.fen
