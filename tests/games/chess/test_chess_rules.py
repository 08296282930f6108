"""Known answers for what the rules of chess leave to the table: dice, mines and fog where they meet."""

import msgspec
import pytest
from msgspec.structs import replace

from qipai.games.chess import dice_rules, position
from qipai.games.chess.rules import RULES
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import (
    ClaimDraw,
    Claimed,
    Exploded,
    LandedOnNumber,
    Minefield,
    Move,
    MoveInFog,
    Options,
    Passed,
    Reroll,
    Rolled,
    Settings,
    Skip,
)
from qipai.kernel.game_interface.rules_interface import (
    AddressedEvent,
    IllegalCommand,
    Outcome,
    StartConditions,
)
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

from .chess_table import (
    FREE,
    SEQUENTIAL,
    START,
    A,
    B,
    Loaded,
    actor,
    cells,
    chance,
    deal,
    hand,
    heard,
    legal,
    play,
    refusal,
    stand,
    stored,
    view,
    wordless,
)

DICE = Settings(dice=SEQUENTIAL)
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


class Stuck(Random):
    """Dice that always fall the same way."""

    def below(self, bound: int) -> int:
        return min(self.position, bound - 1)


# Plain


def test_castling_is_written_as_the_kings_two_files_and_in_no_other_way() -> None:
    state = stand("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert {"e1g1", "e1c1"} <= legal(state)
    assert refusal(state, "e1h1") is Refusal.ILLEGAL
    assert refusal(state, "e1a1") is Refusal.ILLEGAL
    assert view(play(state, "e1g1", "e8c8")).fen == "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"


@pytest.mark.parametrize("uci", ["", "e2", "e2e2", "a1b4", "e2e4q", "e7e8", "E2E4", "zzzz", "e2e4e5", "e1g1"])
def test_what_is_no_legal_move_is_refused_and_nothing_else(uci: str) -> None:
    for options in (Settings(), Settings(fog=True), Settings(mines=3), Settings(dice=SEQUENTIAL)):
        assert refusal(deal(options), uci) is Refusal.ILLEGAL
    assert refusal(deal(Settings()), uci, B) is Refusal.NOT_YOUR_TURN


def test_en_passant_counts_in_a_position_only_where_it_can_be_played() -> None:
    # The pawn on e4 is pinned to its king along the rank: it never captures on d3.
    state = play(stand("8/8/8/8/k3p2R/8/3P4/3K4 w - - 0 1"), "d2d4")
    assert view(state).fen.split()[3] == "-"
    state = play(stand("8/8/8/k7/4p3/8/3P4/3K4 w - - 0 1"), "d2d4")
    assert view(state).fen.split()[3] == "d3"
    assert view(play(state, "e4d3")).taken == "P"


def test_moves_are_counted_beyond_two_hundred_and_fifty_five() -> None:
    state = stand("6k1/8/1R5K/8/8/8/8/8 b - - 0 254")
    for number in (255, 256, 257):
        state = play(state, "g8f8" if number % 2 else "f8g8")
        assert view(state).fen.endswith(f" {number}")
        state = play(state, "b6b5" if number % 2 else "b5b6")
        assert view(state).fen.endswith(f" {number}")


def test_the_third_time_is_claimed_and_the_fifth_is_a_draw_by_itself() -> None:
    state = play(deal(Settings()), *SHUFFLE, *SHUFFLE)
    assert view(state).draw_claim == "threefold"
    told: list[AddressedEvent] = []
    assert RULES.outcome(play(state, ClaimDraw(), told=told)) == Outcome((), "threefold")
    assert heard(told, B) == [Claimed(A)]
    state = play(state, *SHUFFLE, *SHUFFLE)
    assert RULES.outcome(state) == Outcome((), "fivefold")
    assert (RULES.to_act(state), RULES.legal(state, A), view(state).draw_claim) == ((), (), "")


def test_at_a_table_of_older_clients_nobody_claims_but_fivefold_is_a_draw() -> None:
    state = play(deal(Settings(older=True)), *SHUFFLE, *SHUFFLE)
    assert (view(state).draw_claim, refusal(state, ClaimDraw())) == ("", Refusal.ILLEGAL)
    assert RULES.outcome(play(state, *SHUFFLE, *SHUFFLE)) == Outcome((), "fivefold")


def test_fifty_moves_are_claimed_and_seventy_five_end_the_game_but_mate_comes_first() -> None:
    assert view(play(stand("7k/8/8/8/8/8/8/K6Q w - - 99 80"), "a1a2")).draw_claim == "fifty"
    state = play(stand("7k/8/8/8/8/8/8/K6Q w - - 149 80"), "a1a2")
    assert RULES.outcome(state) == Outcome((), "seventyfive")
    state = play(stand("7k/5K2/8/8/8/8/8/6Q1 w - - 149 80"), "g1g7")
    assert RULES.outcome(state) == Outcome((A,), "mate")


def test_whoever_runs_out_of_time_loses_unless_the_other_could_never_mate() -> None:
    state = stand("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert RULES.forfeit(state, A, "time") == Outcome((), "time_material")
    assert RULES.forfeit(state, B, "time") == Outcome((A,), "time")
    knight = stand("4k3/7p/8/8/8/8/8/4K1N1 w - - 0 1")
    assert RULES.forfeit(knight, B, "time") == Outcome((A,), "time"), "the pawn may stand in its king's way"
    older = replace(state, options=Settings(older=True))
    assert RULES.forfeit(older, A, "time") == Outcome((B,), "time")


def test_leaving_before_both_have_moved_costs_nothing() -> None:
    state = play(deal(Settings()), "e2e4")
    assert RULES.forfeit(state, B, "left") == Outcome((), "aborted")
    assert RULES.forfeit(state, B, "resigned") == Outcome((A,), "resigned")
    assert RULES.forfeit(play(state, "e7e5"), B, "left") == Outcome((A,), "left")
    dice = play(stand(START, DICE, thrown="PPP"), "a2a3", "a3a4")
    assert RULES.forfeit(dice, A, "left") == Outcome((), "aborted"), "two moves, but of one side"


def test_a_rematch_changes_colours_and_another_game_does_not() -> None:
    first = deal(Settings())
    again = RULES.deal(Settings(), chance(1), first, StartConditions(rematch=True))
    assert (first.white, again.white, again.turn) == (A, B, B)
    assert RULES.deal(Settings(), chance(1), again, StartConditions(rematch=True)).white == A
    assert RULES.deal(Settings(), chance(1), again).white == A
    assert RULES.deal(Settings(white=B), chance(1), first).white == B


def test_a_move_is_taken_back_to_before_the_askers_own() -> None:
    state = play(deal(Settings()), "e2e4", "d7d5", "e4d5")
    assert RULES.undo(state, A) == play(deal(Settings()), "e2e4", "d7d5")
    assert RULES.undo(state, B) == play(deal(Settings()), "e2e4")
    assert RULES.undo(deal(Settings()), A) is None
    assert RULES.undo(play(deal(Settings()), "e2e4"), B) is None
    for options in (Settings(fog=True), Settings(mines=1), Settings(trusting=True)):
        assert RULES.undo(play(deal(options), "b1c3"), A) is None


def test_what_people_choose_is_enough_to_deal_from() -> None:
    assert RULES.deal(Options(fog=True), chance(0)).options == Settings(fog=True)


# Dice


def test_a_check_in_mid_turn_that_is_answered_by_a_check_is_answered_in_turn() -> None:
    state = play(stand("3r4/3k4/8/8/8/8/R7/3K3R w - - 0 1", DICE, thrown="RRR"), "a2a7", dice=Loaded())
    assert (actor(state), hand(state).free, hand(state).used) == (B, True, "x..")
    state = play(state, "d7e6", dice=Loaded())
    assert (actor(state), hand(state).free, hand(state).kept) == (A, True, True), "the rook on d8 checks"
    assert refusal(state, "h1h2") is Refusal.ILLEGAL
    state = play(state, "d1c1", dice=Loaded())
    assert (actor(state), hand(state).free, hand(state).used) == (A, False, "x..")
    assert set(hand(state).movers) == set("RK")


def test_in_check_the_last_die_cannot_be_let_go() -> None:
    state = stand("k3r3/8/8/8/8/8/8/4K3 w - - 0 1", DICE, thrown="PPP")
    assert wordless(state) == {Skip}
    state = play(state, Skip(), Skip())
    assert (hand(state).skip, wordless(state)) == (False, set())
    assert refusal(state, Skip()) is Refusal.ILLEGAL


def test_a_check_that_no_die_and_no_king_can_answer_is_answered_by_anything() -> None:
    # Smothered: only the rook can take the knight.
    state = stand("k7/8/8/8/8/8/5nPP/5RRK w - - 0 1", DICE, thrown="BBQ")
    assert legal(state) == {"f1f2"}
    assert (hand(state).movers, hand(state).used, hand(state).current) == ("R", "...", 0)
    state = play(state, "f1f2", dice=Loaded("PPP"))
    assert view(state).rolls[0].used == "x--"
    # If a later die can answer it, the dice before it are skipped.
    state = stand("k7/8/8/8/8/8/5nPP/5RRK w - - 0 1", DICE, thrown="BRQ")
    assert (hand(state).used, hand(state).current, legal(state)) == ("-..", 1, {"f1f2"})


def test_a_double_step_in_mid_turn_cannot_be_captured_in_passing_later() -> None:
    state = stand("4k3/8/8/8/3p4/8/4P2P/4K3 w - - 0 1", DICE, thrown="PPP")
    state = play(state, "e2e4", "h2h3", "h3h4", dice=Loaded("PPP"))
    assert (actor(state), view(state).fen.split()[3]) == (B, "-")
    assert "d4e3" not in legal(state)
    state = stand("4k3/8/8/8/3p4/8/4P2P/4K3 w - - 0 1", DICE, thrown="PPP")
    state = play(state, "h2h3", "h3h4", "e2e4", dice=Loaded("PPP"))
    assert "d4e3" in legal(state)


def test_a_stalemating_move_ends_the_game_though_dice_are_left() -> None:
    state = play(stand("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", DICE, thrown="QQQ"), "g5g6", dice=Loaded())
    assert RULES.outcome(state) == Outcome((), "stalemate")
    assert view(state).rolls[-1].used == "x.."


def test_dice_that_never_fit_stop_falling_after_a_while() -> None:
    # These always show rooks, which neither side can move at the beginning.
    dice = Stuck(bytes(32), 3)
    state = dice_rules.deal(replace(deal(Settings()), options=DICE, plain=False), dice)
    assert len(view(state).rolls) == dice_rules.MOST_PASSES + 1
    assert {entry.used for entry in view(state).rolls[:-1]} == {"---"}
    assert legal(state)


def test_a_side_that_dice_alone_keep_from_moving_is_not_stalemated() -> None:
    told: list[AddressedEvent] = []
    state = play(stand(START, DICE, thrown="NNN"), "b1c3", "c3b1", "b1c3", dice=Loaded("QQQ PPP"), told=told)
    assert (actor(state), RULES.outcome(state)) == (A, None)
    assert heard(told, B)[1:4] == [Rolled(B, "QQQ"), Passed(B), Rolled(A, "PPP")]


# Mines


def test_a_piece_that_captures_on_a_mine_goes_up_after_it() -> None:
    told: list[AddressedEvent] = []
    state = stand("4k3/8/8/3p4/8/2N5/8/4K2R w - - 9 1", Settings(mines=2), mines="d5 e4")
    state = play(state, "c3d5", told=told)
    assert view(state).taken == "pN"
    assert view(state).fen == "4k3/8/8/8/8/8/8/4K2R b - - 0 1"
    assert heard(told, SPECTATOR)[1:] == [Exploded("d5", 1, "N"), LandedOnNumber("d5", 1)]


def test_a_king_on_a_mine_loses_at_once() -> None:
    state = stand("4k3/8/8/8/8/8/4K3/7R w - - 0 1", Settings(mines=1), mines="e3")
    state = play(state, "e2e3")
    assert RULES.outcome(state) == Outcome((B,), "mined")
    assert (view(state).taken, view(state).fen.split()[0]) == ("K", "4k3/8/8/8/8/8/8/7R")
    assert stored(state) == state


def test_an_explosion_may_open_a_line_to_ones_own_king_who_then_answers_next_turn() -> None:
    state = stand("k3r3/8/8/8/8/8/3B4/4K2R w - - 0 1", Settings(mines=1), mines="e3")
    state = play(state, "d2e3")
    assert (actor(state), RULES.outcome(state), view(state).check) == (B, None, False)
    assert "e8e1" not in legal(state), "a king is never captured"
    assert refusal(state, "e8e1") is Refusal.ILLEGAL
    state = play(state, "a8a7")
    assert (actor(state), view(state).check) == (A, True)
    assert "h1h2" not in legal(state)


def test_numbers_count_what_has_not_gone_up_and_are_told_again_when_they_change() -> None:
    told: list[AddressedEvent] = []
    state = stand("4k3/8/8/8/8/8/4P2P/R3K3 w - - 0 1", Settings(mines=3), mines="d3 f4 h4")
    state = play(state, "e2e3")
    assert [(one.square, one.mines) for one in field(state).numbers] == [("e3", 2)]
    state = play(state, "e8e7", "h2h4", "e7e8", "a1a3", "e8e7", "a3d3", told=told)
    assert heard(told, A)[1:] == [Exploded("d3", 1, "R"), LandedOnNumber("d3", 0), LandedOnNumber("e3", 1)]
    assert field(state).left == 1
    assert field(state).all == ()
    assert RULES.view(state, A, over=True).minefield == replace(field(state), all=("d3", "f4", "h4"))


def field(state: State, viewer: Seat = SPECTATOR) -> Minefield:
    """Return what a viewer knows of the mines."""
    shown = view(state, viewer).minefield
    assert shown is not None
    return shown


@pytest.mark.parametrize("given", ["e4 e4", "e2", "e4 a7", "h1"])
def test_mines_that_are_not_well_laid_are_refused(given: str) -> None:
    with pytest.raises(IllegalCommand) as no:
        deal(Settings(mines=2), mines=given)
    assert no.value.code is Refusal.BAD_OPTIONS
    with pytest.raises(IllegalCommand):
        RULES.deal(Settings(mines=1), chance(0), None, StartConditions(host_data=bytes([200])))
    with pytest.raises(IllegalCommand):
        RULES.deal(Settings(), chance(0), None, StartConditions(host_data=cells("e4")))


# Fog


def test_a_side_in_check_sees_who_gives_it_and_where_it_may_go() -> None:
    state = stand("k3r3/8/8/8/8/8/8/R3K3 w - - 0 1", Settings(fog=True))
    shown = view(state, A)
    assert set(shown.dests.split()) == {"e1d1", "e1d2", "e1f1", "e1f2"}
    assert shown.check
    assert shown.fen == ""
    assert shown.board[4] == "r"
    assert set(shown.board[:4] + shown.board[5:48]) == {"?"}


def test_whoever_gives_check_sees_the_king_that_he_attacks() -> None:
    state = play(stand("4k3/8/8/8/8/8/8/K6R w - - 0 1", Settings(fog=True)), "h1h8")
    shown = view(state, A)
    assert (shown.board[4], shown.check) == ("k", True)
    assert "h8e8" not in shown.dests
    assert not view(state, SPECTATOR).check


def test_in_the_fog_an_unseen_move_is_told_as_one_and_the_boards_are_shown_when_it_is_over() -> None:
    told: list[AddressedEvent] = []
    state = deal(Settings(fog=True))
    boards = [view(state, B).board]
    for uci in ("f2f3", "e7e5", "g2g4", "d8h4"):
        state = play(state, uci, told=told)
        (sighted,) = [event for event in heard(told, B) if isinstance(event, MoveInFog)]
        boards.append(sighted.board)
    assert RULES.outcome(state) == Outcome((B,), "mate")
    assert view(state, B).boards == tuple(boards)
    assert (view(state, SPECTATOR).boards, view(state, SPECTATOR).fen) == ((), state.fen)
    before = play(deal(Settings(fog=True)), "f2f3")
    assert view(before, B).moves == ("",)
    assert RULES.view(before, B, over=True).moves == ("f2f3",)


def test_an_older_client_is_told_everything_and_the_others_at_its_table_are_not() -> None:
    options = Settings(fog=True, mines=1, older=True)
    told: list[AddressedEvent] = []
    state = deal(options, mines="a5", seers=(A,))
    assert field(state, A).all == ("a5",)
    assert field(state, B).all == ()
    state = play(state, "e2e3", told=told)
    assert [one.to for one in told if type(one.event).__name__ == "Moved"] == [(A,)]
    assert [one.to for one in told if isinstance(one.event, MoveInFog)] == [(B,), (SPECTATOR,)]
    assert (view(state, A).fen != "", view(state, B).fen) == (True, "")


def test_in_the_fog_only_whoever_is_to_act_knows_what_his_dice_are_good_for() -> None:
    state = stand(START, Settings(dice=FREE, fog=True, rerolls=1), dice=Loaded([0, 1, 0]))
    told: list[AddressedEvent] = []
    state = play(state, Reroll(), dice=Loaded([1, 1, 0]), told=told)
    assert (hand(state, A).movers, hand(state, B).movers) == ("PN", "")
    assert heard(told, A)[0] == Rolled(A, "NNP", again=True, picks=(1, 1, 0))
    assert heard(told, B)[0] == Rolled(A, "NNP", again=True)
    assert heard(told, SPECTATOR)[-1].dice == hand(state, SPECTATOR)


# The state


def test_a_state_of_all_twists_survives_being_written_and_read() -> None:
    dice = chance(4)
    state = deal(Settings(dice=SEQUENTIAL, fog=True, mines=20, rerolls=1), dice)
    for number in range(60):
        if not RULES.to_act(state):
            break
        moves = RULES.legal(state, actor(state))
        state = play(state, moves[number % len(moves)], dice=dice)
        assert stored(state) == state
        assert position.is_white(state.fen) is (state.turn == state.white)
    assert len(msgspec.json.encode(deal(Settings()))) < 300
    assert isinstance(RULES.legal(deal(Settings()), A)[0], Move)
