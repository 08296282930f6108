"""Chess with dice (骰子): each sentence of the rules, on small positions."""

from collections import Counter

import chess
import pytest

from qipai.games.chess.rules import RULES
from qipai.games.chess.state import State
from qipai.games.chess.values import (
    KINDS,
    Claim,
    Diced,
    Hand,
    Moved,
    Passed,
    Reroll,
    Rolled,
    Settings,
    Skip,
    Thrown,
)
from qipai.kernel.dice import Dice
from qipai.kernel.names import SPECTATOR, Seat
from qipai.kernel.rules import Outcome, Refusal, Told

from .chess_machine import machine
from .chess_table import (
    FREE,
    SEQUENTIAL,
    START,
    VIEWERS,
    A,
    B,
    Loaded,
    actor,
    chance,
    deal,
    hand,
    heard,
    legal,
    moves_of,
    play,
    refusal,
    stand,
    view,
    wordless,
)

DICE = Settings(dice=SEQUENTIAL)
ANY_ORDER = Settings(dice=FREE)
PAWN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
"""Only kings and a pawn: a die of another kind is for the king, or goes by."""


def thrown(fen: str, letters: str, options: Settings = DICE) -> State:
    """Return a position at the start of a turn whose dice fell like this."""
    return stand(fen, options, thrown=letters)


# Sequential: the throw


def test_at_the_start_of_a_turn_three_dice_are_thrown_for_whoever_begins() -> None:
    state = deal(DICE, Loaded("NPP"))
    shown = hand(state)
    assert (shown.owner, shown.dice, shown.used, shown.current) == (A, "NPP", "...", 0)
    assert view(state).thrown == (Thrown(0, A, "NPP", "..."),)
    assert RULES.to_act(state) == (A,)


def test_every_die_shows_each_of_five_kinds_as_often_and_independently() -> None:
    counts = Counter(view(deal(DICE, chance(number))).thrown[0].dice for number in range(4_000))
    assert all(len(dice) == 3 and set(dice) <= set(KINDS) for dice in counts)
    expected = 4_000 / 125
    square = sum((counts[a + b + c] - expected) ** 2 / expected for a in KINDS for b in KINDS for c in KINDS)
    # 124 degrees of freedom: above 186 once in five thousand fair dice.
    assert len(counts) == 125
    assert square < 186


def test_the_next_turn_begins_with_a_throw_for_the_other_side() -> None:
    told: list[Told] = []
    state = play(thrown(START, "NPP"), "g1f3", "e2e3", "a2a3", dice=Loaded("PNN"), told=told)
    assert RULES.to_act(state) == (B,)
    assert hand(state) == Hand(B, "PNN", "...", 0, movers="P")
    assert [one.event for one in told if isinstance(one.event, Rolled)] == [Rolled(B, "PNN")]
    assert [entry.dice for entry in view(state).thrown] == ["NPP", "PNN"]
    assert view(state).thrown[0].used == "xxx"
    assert (view(state).thrown[1].ply, view(state).thrown[1].seat) == (3, B)


def test_everybody_is_told_the_throw_and_the_dice_on_the_table() -> None:
    told: list[Told] = []
    state = play(thrown(START, "NPP"), "g1f3", told=told)
    for viewer in VIEWERS:
        events = heard(told, viewer)
        assert [type(event) for event in events] == [Moved, Diced]
        assert events[-1].hand == hand(state, viewer)


# Sequential: left to right


def test_dice_are_used_strictly_from_left_to_right() -> None:
    state = thrown(START, "NPP")
    assert legal(state) == {"b1a3", "b1c3", "g1f3", "g1h3"}
    assert refusal(state, "e2e4") is Refusal.ILLEGAL
    state = play(state, "g1f3")
    assert (hand(state).used, hand(state).current) == ("x..", 1)
    assert actor(state) == A
    assert {uci[:2] for uci in legal(state)} == {f"{file}2" for file in "abcdegh"}
    assert refusal(state, "f3g5") is Refusal.ILLEGAL
    state = play(state, "e2e4")
    assert (hand(state).used, hand(state).current) == ("xx.", 2)
    # After e2-e4 the king may go to e2, whatever the die shows.
    assert "e1e2" in legal(state)
    assert refusal(state, "f1c4") is Refusal.ILLEGAL
    assert RULES.to_act(play(state, "a2a3", dice=Loaded("PPP"))) == (B,)


def test_the_side_whose_turn_it_is_not_cannot_use_the_dice() -> None:
    assert refusal(thrown(START, "NPP"), "g8f6", B) is Refusal.NOT_YOUR_TURN
    assert refusal(play(thrown(START, "NPP"), "g1f3"), "e7e5", B) is Refusal.NOT_YOUR_TURN
    assert refusal(thrown(START, "NPP"), "g8f6") is Refusal.ILLEGAL


@pytest.mark.parametrize("kind", KINDS)
def test_a_die_allows_its_own_kind_and_the_king_only(kind: str) -> None:
    fen = "4k3/8/8/8/8/PN6/8/QRB1K3 w - - 0 1"
    assert legal(thrown(fen, kind * 3)) == moves_of(fen, kind + "K")


def test_the_king_is_always_free_to_move_and_uses_up_the_current_die() -> None:
    state = thrown(PAWN, "PPP")
    assert legal(state) == moves_of(PAWN)
    state = play(state, "e1d1")
    assert (hand(state).used, hand(state).current, actor(state)) == ("x..", 1, A)
    state = play(state, "d1d2", "d2d3", dice=Loaded("PPP"))
    assert RULES.to_act(state) == (B,)


def test_castling_is_a_move_of_the_king() -> None:
    state = thrown("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "NPP")
    assert "e1g1" in legal(state)
    assert "h1h2" not in legal(state)
    assert hand(play(state, "e1g1")).used == "x.."


def test_the_kinds_that_may_move_now_are_shown() -> None:
    assert hand(thrown(START, "NPP")).movers == "N"
    assert set(hand(thrown(PAWN, "PPP")).movers) == set("PK")
    assert hand(thrown(PAWN, "NPP")).movers == "K"


# Sequential: skipping


def test_a_die_that_neither_its_kind_nor_the_king_can_use_is_skipped_and_shown_as_skipped() -> None:
    state = deal(DICE, Loaded("RPN"))
    assert (hand(state).used, hand(state).current) == ("-..", 1)
    assert {uci[1] for uci in legal(state)} == {"2"}
    assert view(state).thrown[-1].used == "-.."


def test_a_die_is_skipped_as_its_turn_comes_and_not_before() -> None:
    # The rook cannot move now, but can after the pawn has made way.
    state = thrown(START, "PRN")
    assert hand(state).used == "..."
    assert hand(play(state, "b2b3")).used == "x-."
    state = play(state, "a2a4")
    assert hand(state).used == "x.."
    assert legal(state) == {"a1a2", "a1a3"}


def test_when_all_three_dice_are_skipped_the_turn_passes() -> None:
    state = deal(DICE, Loaded("RBQ NPP"))
    assert RULES.to_act(state) == (B,)
    assert view(state).turn == B
    assert hand(state).owner == B
    assert [(one.seat, one.dice, one.used) for one in view(state).thrown] == [
        (A, "RBQ", "---"),
        (B, "NPP", "..."),
    ]
    assert legal(state) == {"b8a6", "b8c6", "g8f6", "g8h6"}


def test_several_passes_in_a_row_are_normal() -> None:
    state = deal(DICE, Loaded("RBQ QQQ BRB RRR PPP"))
    assert RULES.to_act(state) == (A,)
    assert [one.seat for one in view(state).thrown] == [A, B, A, B, A]
    assert legal(state) == moves_of(START, "P")


def test_passes_are_told_in_order() -> None:
    told: list[Told] = []
    dice = Loaded("RRR BBB PPP")
    state = play(thrown(START, "NNN"), "g1f3", "f3g1", "g1f3", dice=dice, told=told)
    assert RULES.to_act(state) == (B,)
    assert heard(told, SPECTATOR)[1:] == [
        Rolled(B, "RRR"),
        Passed(B),
        Rolled(A, "BBB"),
        Passed(A),
        Rolled(B, "PPP"),
        Diced(hand(state)),
    ]


def test_while_the_king_could_move_a_die_is_not_skipped_by_itself() -> None:
    state = thrown(PAWN, "NNP")
    assert (hand(state).used, hand(state).current, hand(state).skip) == ("...", 0, True)
    assert legal(state) == moves_of(PAWN, "K")
    assert wordless(state) == {Skip}


def test_whoever_would_rather_not_move_his_king_passes_the_die() -> None:
    told: list[Told] = []
    state = play(thrown(PAWN, "NNP"), Skip(), told=told)
    assert (hand(state).used, hand(state).current, actor(state)) == ("-..", 1, A)
    assert heard(told, B)[-1] == Diced(hand(state))
    state = play(state, Skip())
    assert (hand(state).used, hand(state).current, hand(state).skip) == ("--.", 2, False)
    assert view(state).fen.split()[0] == PAWN.split()[0], "nothing has moved"
    assert len(view(state).moves) == 0


def test_a_die_is_passed_only_when_no_piece_of_its_kind_can_move() -> None:
    assert refusal(thrown(PAWN, "PNN"), Skip()) is not None
    assert refusal(thrown(START, "NPP"), Skip()) is not None
    assert wordless(thrown(PAWN, "PNN")) == set()


def test_passing_the_last_die_ends_the_turn() -> None:
    told: list[Told] = []
    state = play(thrown(PAWN, "PNN"), "e2e3", Skip(), Skip(), dice=Loaded("PPP"), told=told)
    assert RULES.to_act(state) == (B,)
    assert view(state).thrown[0].used == "x--"
    assert hand(state).owner == B


def test_nobody_in_check_passes_his_last_die() -> None:
    # Else the other side would begin its turn with a king that it could take.
    state = play(thrown("4k3/8/8/8/4r3/8/8/4K3 w - - 0 1", "NNN"), Skip(), Skip(), dice=Loaded())
    assert view(state).check
    assert refusal(state, Skip()) is not None
    assert legal(state) == moves_of(state.fen, "K")


def test_only_whoever_is_to_act_passes_a_die() -> None:
    assert refusal(thrown(PAWN, "NNP"), Skip(), B) is Refusal.NOT_YOUR_TURN


def test_without_dice_there_is_nothing_to_pass_and_nothing_to_throw() -> None:
    for move in (Skip(), Reroll()):
        assert refusal(stand(PAWN), move) is not None
    assert view(stand(PAWN)).hand is None
    assert view(stand(PAWN)).thrown == ()


def test_a_promoted_pawn_moved_as_a_pawn() -> None:
    fen = "8/4P3/7k/8/8/8/8/K7 w - - 0 1"
    assert "e7e8q" not in legal(thrown(fen, "QPP"))
    state = thrown(fen, "PQP")
    assert {"e7e8q", "e7e8r", "e7e8b", "e7e8n"} <= legal(state)
    assert not any(uci.startswith("e8") for uci in legal(state))
    state = play(state, "e7e8q")
    assert (hand(state).used, hand(state).current) == ("x..", 1)
    assert any(uci.startswith("e8") for uci in legal(state)), "now it is a queen"


# Check in mid-turn

ROOK = "4k3/8/8/8/8/8/8/R3K2N w - - 0 1"


def interrupted(letters: str = "RNR", options: Settings = DICE) -> State:
    """Return a game in which white's first die gave check."""
    return play(thrown(ROOK, letters, options), "a1a8")


def test_a_check_interrupts_the_turn_and_the_remaining_dice_are_kept() -> None:
    told: list[Told] = []
    state = play(thrown(ROOK, "RNR"), "a1a8", told=told, dice=Loaded())
    assert RULES.to_act(state) == (B,)
    assert (view(state).turn, view(state).check) == (B, True)
    shown = hand(state)
    assert (shown.owner, shown.dice, shown.used, shown.free, shown.kept) == (A, "RNR", "x..", True, True)
    assert [type(event) for event in heard(told, B)] == [Moved, Diced], "no dice are thrown"


def test_the_defender_makes_any_legal_move_without_dice() -> None:
    state = interrupted()
    assert legal(state) == moves_of(view(state).fen)
    assert wordless(state) == set()


def test_the_defender_may_answer_with_any_kind_of_piece() -> None:
    fen = "3bk2n/5p2/8/8/8/8/8/K5R1 w - - 0 1"
    state = play(thrown(fen, "RRR"), "g1e1", dice=Loaded())
    board = chess.Board(view(state).fen)
    assert {board.piece_type_at(chess.parse_square(uci[:2])) for uci in legal(state)} == {
        chess.BISHOP,
        chess.KING,
    }
    assert legal(state) == moves_of(view(state).fen)


def test_after_exactly_one_free_move_the_attacker_goes_on_with_the_kept_dice() -> None:
    told: list[Told] = []
    state = play(interrupted(), "e8e7", dice=Loaded(), told=told)
    assert RULES.to_act(state) == (A,)
    shown = hand(state)
    assert (shown.owner, shown.dice, shown.used, shown.current) == (A, "RNR", "x..", 1)
    assert (shown.free, shown.kept) == (False, False)
    assert len(view(state).thrown) == 1
    assert legal(state) == moves_of(view(state).fen, "NK")
    state = play(state, "h1g3", dice=Loaded())
    assert legal(state) == moves_of(view(state).fen, "RK")
    state = play(state, "a8b8", dice=Loaded("PPP"))
    assert (RULES.to_act(state), hand(state).dice) == ((B,), "PPP")


def test_a_check_with_the_last_die_leaves_nothing_to_keep_and_the_defender_throws() -> None:
    state = play(thrown(ROOK, "NNR"), "h1g3", "g3h1", "a1a8", dice=Loaded("PPP"))
    assert RULES.to_act(state) == (B,)
    shown = hand(state)
    assert (shown.owner, shown.dice, shown.free, shown.kept) == (B, "PPP", False, False)


def test_kept_dice_that_cannot_be_used_any_more_pass_the_turn() -> None:
    # The only rook is taken by the free move, and the king is shut in: the dice go by, black throws.
    told: list[Told] = []
    state = thrown("8/5k1b/8/8/8/8/PP6/K3R3 w - - 0 1", "RRN")
    state = play(state, "e1e7", "f7e7", dice=Loaded("BBB"), told=told)
    assert RULES.to_act(state) == (B,)
    assert view(state).thrown[0].used == "x--"
    assert (hand(state).owner, hand(state).dice, hand(state).free) == (B, "BBB", False)
    assert heard(told, A)[-2:] == [Rolled(B, "BBB"), Diced(hand(state))]


def test_two_checks_in_one_turn_interrupt_it_twice() -> None:
    state = play(interrupted("RRR"), "e8e7")
    state = play(state, "a8a7", dice=Loaded())
    assert (RULES.to_act(state), hand(state).used, hand(state).free) == ((B,), "xx.", True)
    state = play(state, "e7e8", dice=Loaded())
    assert (RULES.to_act(state), hand(state).used, hand(state).current) == ((A,), "xx.", 2)


COUNTER = "5r2/5k2/8/8/8/7N/8/R4K2 w - - 0 1"
"""White checks on a7; the king steps to e6 and uncovers a check on f1."""


def countered() -> State:
    """Return a game in which the defender's free move gave check itself."""
    return play(thrown(COUNTER, "RNN"), "a1a7", "f7e6", dice=Loaded())


def test_a_free_move_that_gives_check_must_be_answered_first_by_one_free_move() -> None:
    state = countered()
    assert RULES.to_act(state) == (A,)
    assert view(state).check
    assert hand(state).free
    assert (hand(state).dice, hand(state).used) == ("RNN", "x..")
    assert legal(state) == moves_of(view(state).fen)
    assert "a7f7" in legal(state), "a rook, though the current die shows a knight"


def test_after_the_answer_the_attacker_goes_on_with_his_kept_dice() -> None:
    state = play(countered(), "f1e2", dice=Loaded())
    assert RULES.to_act(state) == (A,)
    assert (hand(state).free, hand(state).used, hand(state).current) == (False, "x..", 1)
    assert legal(state) == moves_of(view(state).fen, "NK")


def test_a_second_check_while_the_answer_is_owed_works_the_same_way_with_the_dice_left() -> None:
    state = play(countered(), "h3f4", dice=Loaded())
    assert RULES.to_act(state) == (B,)
    assert (hand(state).owner, hand(state).used, hand(state).free) == (A, "x..", True)
    assert legal(state) == moves_of(view(state).fen)
    state = play(state, "e6e5", dice=Loaded())
    assert RULES.to_act(state) == (A,)
    assert (hand(state).used, hand(state).current, hand(state).free) == ("x..", 1, False)


def test_mate_in_mid_turn_ends_the_game() -> None:
    state = play(thrown("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "RPP"), "a1a8", dice=Loaded())
    assert RULES.outcome(state) == Outcome((A,), "mate")
    assert RULES.to_act(state) == ()


def test_stalemate_is_judged_as_without_dice() -> None:
    state = thrown("7k/5K2/8/8/6Q1/8/8/8 w - - 0 1", "NNQ")
    state = play(state, Skip(), Skip(), "g4g6", dice=Loaded("PPP"))
    assert RULES.outcome(state) == Outcome((), "stalemate")


def test_whoever_goes_on_but_cannot_move_at_all_lets_his_dice_go_and_is_not_stalemated() -> None:
    state = play(thrown("6bk/1r6/8/8/7p/8/7P/K7 w - - 0 1", "PPN"), "h2h3", dice=Loaded("RRR"))
    assert RULES.outcome(state) is None
    assert RULES.to_act(state) == (B,)
    assert view(state).thrown[0].used == "x--"


def test_whoever_has_legal_moves_but_no_dice_for_them_is_not_stalemated() -> None:
    state = play(thrown(START, "NNN"), "g1f3", "f3g1", "g1f3", dice=Loaded("QQQ PPP"))
    assert RULES.outcome(state) is None
    assert RULES.to_act(state) == (A,)


# In check at the start of one's own turn

BACK_RANK = "4k3/8/8/5R2/8/8/6PP/4r2K w - - 0 1"
"""White's king is stuck; only the rook can help, on f1."""


def test_a_player_in_check_at_the_start_of_his_turn_throws_as_usual() -> None:
    fen = "4k3/8/8/8/8/8/3B4/r3K3 w - - 0 1"
    state = thrown(fen, "BPP")
    assert view(state).check
    assert hand(state).dice == "BPP"
    assert legal(state) == moves_of(fen, "BK")


def test_a_die_further_right_that_resolves_the_check_is_come_to_by_skipping() -> None:
    state = thrown(BACK_RANK, "NNR")
    assert legal(state) == {"f5f1"}
    assert (hand(state).used, hand(state).current) == ("--.", 2)


def test_a_check_can_always_be_answered_with_a_free_move_that_uses_the_current_die() -> None:
    """將軍逃脫."""
    state = thrown(BACK_RANK, "NNP")
    assert RULES.to_act(state) == (A,)
    assert legal(state) == {"f5f1"}
    state = play(state, "f5f1", dice=Loaded())
    assert RULES.to_act(state) == (A,)
    assert hand(state).used[0] == "x"
    assert hand(state).used.count("x") == 1
    assert hand(state).current == 1
    assert legal(state) == moves_of(view(state).fen, "K")


def test_a_check_that_the_king_can_leave_frees_no_other_piece() -> None:
    fen = "4k3/8/8/8/5R2/8/8/r3K3 w - - 0 1"
    state = thrown(fen, "NNN")
    assert legal(state) == moves_of(fen, "K")
    assert refusal(state, "f4f1") is Refusal.ILLEGAL


def test_mate_is_judged_as_without_dice_at_the_start_of_a_turn() -> None:
    state = play(
        thrown("6k1/5ppp/8/8/8/8/8/R3K2N w - - 0 1", "NNR"), "h1g3", "g3h1", "a1a8", dice=Loaded("PPP")
    )
    assert RULES.outcome(state) == Outcome((A,), "mate")


# En passant

PASSING = "4k3/p7/8/8/3p4/8/4P3/4K1N1 w - - 0 1"


def test_en_passant_is_possible_on_the_move_right_after_the_double_step() -> None:
    state = play(thrown(PASSING, "NNP"), "g1f3", "f3g1", "e2e4", dice=Loaded("PPP"))
    assert "d4e3" in legal(state)
    after = play(state, "d4e3")
    assert chess.Board(view(after).fen).piece_at(chess.E4) is None
    assert view(after).taken == "P"


def test_en_passant_is_gone_after_another_move_of_the_same_turn() -> None:
    state = play(thrown(PASSING, "NNP"), "g1f3", "f3g1", "e2e4", "a7a6", dice=Loaded("PPP"))
    assert actor(state) == B
    assert "d4e3" not in legal(state)
    assert refusal(state, "d4e3") is Refusal.ILLEGAL


def test_en_passant_is_gone_when_the_double_step_was_not_the_last_move_of_its_turn() -> None:
    state = play(thrown(PASSING, "PNN"), "e2e4")
    assert view(state).fen.split()[1:4] == ["w", "-", "-"], "it is white's move again"
    state = play(state, "g1f3", "f3g1", dice=Loaded("PPP"))
    assert "d4e3" not in legal(state)


def test_en_passant_is_possible_when_only_skipped_dice_came_after_the_double_step() -> None:
    # The rooks' dice go by themselves, so black's move is the one right after the double step.
    fen = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    state = play(thrown(fen, "PRR"), "c2c4", dice=Loaded("PPP"))
    assert actor(state) == B
    assert "d4c3" in legal(state)


def test_en_passant_is_possible_when_only_passed_dice_came_after_the_double_step() -> None:
    state = play(thrown(PASSING, "PRR"), "e2e4", Skip(), Skip(), dice=Loaded("PPP"))
    assert actor(state) == B
    assert "d4e3" in legal(state)


def test_nobody_takes_his_own_pawn_en_passant() -> None:
    # The same side moves on: a pawn on d4 beside a white double step is black's business alone.
    fen = "4k3/8/8/8/8/8/2P1P3/4K3 w - - 0 1"
    state = play(thrown(fen, "PPP"), "c2c4")
    assert legal(state) == {"c4c5", "e2e3", "e2e4"} | moves_of(view(state).fen, "K")


def test_a_double_step_that_gives_check_may_be_taken_en_passant_by_the_free_move() -> None:
    fen = "8/8/8/3k4/3p4/8/4P3/4K1N1 w - - 0 1"
    state = play(thrown(fen, "PNN"), "e2e4")
    assert "d4e3" in legal(state)
    assert actor(play(state, "d4e3")) == A


# Repetition

KNIGHTS = "4k1n1/8/8/8/8/8/8/R3K1N1 w - - 0 1"


def test_the_opponents_skipped_move_between_two_of_one_turn_is_no_position_to_be_counted() -> None:
    # The board with the knight on f3 comes up twice in each turn, but only once with black to move.
    state = thrown(START, "NNN")
    turns = (("g1f3", "f3g1", "g1f3"), ("g8f6", "f6g8", "g8f6"), ("f3g1", "g1f3", "f3g1"))
    for moves in turns:
        state = play(state, *moves, dice=Loaded("NNN"))
        assert view(state).claim == ""
        assert Claim() not in RULES.legal(state, actor(state))


def test_a_position_that_begins_a_turn_for_the_third_time_may_be_claimed() -> None:
    state = thrown(START, "NNN")
    out_and_back = (
        ("g1f3", "f3g1", "g1f3"),
        ("g8f6", "f6g8", "g8f6"),
        ("f3g1", "g1f3", "f3g1"),
        ("f6g8", "g8f6", "f6g8"),
    )
    for _ in range(2):
        for moves in out_and_back:
            for move in moves:
                state = play(state, move, dice=Loaded("NNN"))
                if RULES.outcome(state) is not None:
                    return
    assert view(state).claim == "threefold"
    assert RULES.outcome(play(state, Claim())) == Outcome((), "threefold")


# New throws


def test_by_default_nobody_may_throw_again() -> None:
    assert Settings().rerolls == 0
    state = thrown(START, "NPP")
    assert refusal(state, Reroll()) is not None
    assert not hand(state).reroll
    assert Reroll not in wordless(state)


def test_before_his_first_die_is_used_a_player_may_throw_all_three_again() -> None:
    told: list[Told] = []
    state = thrown(START, "NPP", Settings(dice=SEQUENTIAL, rerolls=2))
    assert hand(state).reroll
    assert hand(state).rerolls == (2, 2)
    assert Reroll in wordless(state)
    state = play(state, Reroll(), dice=Loaded("PPN"), told=told)
    assert (actor(state), hand(state).dice, hand(state).used) == (A, "PPN", "...")
    assert hand(state).rerolls == (1, 2)
    for viewer in VIEWERS:
        assert Rolled(A, "PPN", again=True) in heard(told, viewer), "both see it"
    first, second = view(state).thrown
    assert (first.dice, first.again) == ("NPP", False)
    assert (second.dice, second.seat, second.again, second.used) == ("PPN", A, True, "...")


def test_new_throws_run_out_for_each_player_by_himself() -> None:
    state = thrown(START, "NPP", Settings(dice=SEQUENTIAL, rerolls=1))
    state = play(state, Reroll(), dice=Loaded("PPP"))
    assert hand(state).rerolls == (0, 1)
    assert refusal(state, Reroll()) is not None
    assert Reroll not in wordless(state)
    state = play(state, "a2a3", "b2b3", "c2c3", dice=Loaded("PPP"))
    assert (actor(state), hand(state).reroll) == (B, True)
    state = play(state, Reroll(), dice=Loaded("NNN"))
    assert hand(state).rerolls == (0, 0)


def test_after_the_first_die_is_used_nobody_throws_again() -> None:
    state = play(thrown(START, "NPP", Settings(dice=SEQUENTIAL, rerolls=3)), "g1f3")
    assert refusal(state, Reroll()) is not None
    assert not hand(state).reroll
    assert refusal(state, Reroll(), B) is Refusal.NOT_YOUR_TURN


def test_neither_the_defender_nor_the_attacker_with_kept_dice_throws_again() -> None:
    state = interrupted(options=Settings(dice=SEQUENTIAL, rerolls=3))
    assert refusal(state, Reroll()) is not None
    assert refusal(play(state, "e8e7"), Reroll()) is not None


def test_a_new_throw_that_cannot_be_used_passes_the_turn() -> None:
    state = thrown(START, "NPP", Settings(dice=SEQUENTIAL, rerolls=1))
    state = play(state, Reroll(), dice=Loaded("RQB NNN"))
    assert RULES.to_act(state) == (B,)
    assert [one.used for one in view(state).thrown][1:] == ["---", "..."]


# Free


def test_free_dice_show_kinds_that_could_move_when_they_were_thrown() -> None:
    seen = Counter(hand(deal(ANY_ORDER, chance(number))).dice for number in range(800))
    assert set("".join(seen)) == set("PN")
    assert {len(dice) for dice in seen} == {3}
    assert {"".join(sorted(dice)) for dice in seen} == {"PPP", "NPP", "NNP", "NNN"}
    # Three independent dice of two kinds: three alike once in four throws.
    alike = sum(count for dice, count in seen.items() if len(set(dice)) == 1)
    assert 150 <= alike <= 250


def test_free_dice_show_the_king_at_most_once() -> None:
    seen = set()
    for number in range(300):
        state = stand(PAWN, ANY_ORDER, dice=chance(number))
        seen.add(hand(state).dice)
    assert {"".join(sorted(dice)) for dice in seen} == {"PPP", "KPP"}


def test_free_dice_of_a_side_whose_king_alone_can_move_are_for_the_king() -> None:
    state = stand("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", ANY_ORDER, dice=chance(3))
    assert set(hand(state).dice) == {"K"}
    assert legal(state) == moves_of("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", "K")


def test_free_dice_may_be_used_in_any_order() -> None:
    state = thrown(START, "PNP", ANY_ORDER)
    assert hand(state).current == -1
    assert legal(state) == moves_of(START)
    state = play(state, "g1f3")
    assert hand(state).used == ".x."
    assert {uci[1] for uci in legal(state)} == {"2"}
    state = play(state, "e2e4")
    assert hand(state).used.count("x") == 2
    assert actor(state) == A


def test_with_free_dice_the_king_needs_a_die_of_his_own() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1"
    state = thrown(fen, "PPN", ANY_ORDER)
    assert legal(state) == moves_of(fen, "PN")
    assert refusal(state, "e1d1") is Refusal.ILLEGAL
    state = thrown(fen, "PKN", ANY_ORDER)
    assert legal(state) == moves_of(fen)
    state = play(state, "e1d1")
    assert hand(state).used == ".x."
    assert legal(state) == moves_of(view(state).fen, "PN")


def test_a_free_die_that_can_no_longer_be_used_is_dropped() -> None:
    state = play(thrown("4k3/8/8/8/4p3/8/4P3/4K1N1 w - - 0 1", "PPN", ANY_ORDER), "e2e3")
    assert hand(state).used == "x-."
    assert legal(state) == moves_of(view(state).fen, "N")


def test_when_no_free_die_is_usable_the_turn_passes() -> None:
    state = play(thrown("4k3/7p/8/8/4p3/8/4P3/4K1N1 w - - 0 1", "PPP", ANY_ORDER), "e2e3", dice=chance(2))
    assert RULES.to_act(state) == (B,)
    assert hand(state).owner == B
    assert view(state).thrown[0].used == "x--"


def test_with_free_dice_nobody_passes_a_die() -> None:
    assert refusal(thrown(START, "PNP", ANY_ORDER), Skip()) is not None


def test_a_check_interrupts_free_dice_as_well() -> None:
    state = play(thrown(ROOK, "NRN", ANY_ORDER), "a1a8", dice=Loaded())
    assert (RULES.to_act(state), hand(state).used, hand(state).free) == ((B,), ".x.", True)
    assert legal(state) == moves_of(view(state).fen)
    state = play(state, "e8e7", dice=Loaded())
    assert (RULES.to_act(state), hand(state).used, hand(state).free) == ((A,), ".x.", False)
    assert legal(state) == moves_of(view(state).fen, "N")


def test_free_dice_thrown_in_check_are_of_kinds_that_can_answer_it() -> None:
    for number in range(20):
        state = stand(BACK_RANK, ANY_ORDER, dice=chance(number))
        assert hand(state).dice == "RRR"
        assert legal(state) == {"f5f1"}


# Chance


def test_the_same_seed_throws_the_same_dice_and_the_position_of_the_dice_moves_on() -> None:
    def run(number: int) -> list[str]:
        dice, throws = chance(number), []
        state = deal(DICE, dice)
        for _ in range(30):
            if not RULES.to_act(state):
                break
            moves = RULES.legal(state, actor(state))
            state = RULES.play(state, actor(state), moves[0], dice).state
        throws += [one.dice for one in view(state).thrown]
        return throws

    assert run(7) == run(7)
    assert run(7) != run(8)


def test_a_throw_can_be_worked_out_from_the_seed_by_hand() -> None:
    for number in range(20):
        ours, theirs = chance(number), chance(number)
        assert view(deal(DICE, ours)).thrown[0].dice == "".join(KINDS[theirs.below(5)] for _ in range(3))


def test_mines_are_drawn_before_the_first_throw() -> None:
    for number in range(10):
        with_mines = Dice(bytes([number]) * 32)
        assert len(view(deal(Settings(dice=SEQUENTIAL, mines=5), with_mines)).thrown[0].dice) == 3
        assert with_mines.position >= 8


# The seats


def test_the_first_throw_is_for_whoever_has_white() -> None:
    state = deal(Settings(dice=SEQUENTIAL, white=Seat(1)), Loaded("PPP"))
    assert RULES.to_act(state) == (B,)
    assert (hand(state).owner, view(state).white) == (B, B)


def test_nothing_is_taken_back_at_a_table_with_dice() -> None:
    state = play(thrown(START, "NPP"), "g1f3")
    assert RULES.undo(state, A) is None
    assert RULES.undo(state, B) is None


# Random games

TestSequential = machine(DICE)
TestRerolls = machine(Settings(dice=SEQUENTIAL, rerolls=3))
TestFree = machine(ANY_ORDER)
