"""Known answers for what the rules of chess leave to the table: dice, mines and fog where they meet."""

import msgspec
import pytest
from msgspec.structs import replace

from qipai.games.chess import dice_rules, position
from qipai.games.chess.events import Claimed, Exploded, LandedOnNumber, MoveInFog, Passed, Rolled
from qipai.games.chess.rules import RULES
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import ClaimDraw, Minefield, Move, Options, Reroll, Settings, Skip
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
    FixedRandom,
    actor,
    cells,
    chance,
    deal,
    dice_of,
    events_for,
    game_at,
    legal,
    other_moves,
    play,
    refusal,
    stored,
    view,
)

DICE = Settings(dice=SEQUENTIAL)
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


class Stuck(Random):
    """Dice that always fall the same way."""

    def below(self, bound: int) -> int:
        return min(self.position, bound - 1)


# Plain


def test_castling_is_written_as_the_kings_two_files_and_in_no_other_way() -> None:
    state = game_at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
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
    state = play(game_at("8/8/8/8/k3p2R/8/3P4/3K4 w - - 0 1"), "d2d4")
    assert view(state).fen.split()[3] == "-"
    state = play(game_at("8/8/8/k7/4p3/8/3P4/3K4 w - - 0 1"), "d2d4")
    assert view(state).fen.split()[3] == "d3"
    assert view(play(state, "e4d3")).taken == "P"


def test_moves_are_counted_beyond_two_hundred_and_fifty_five() -> None:
    state = game_at("6k1/8/1R5K/8/8/8/8/8 b - - 0 254")
    for number in (255, 256, 257):
        state = play(state, "g8f8" if number % 2 else "f8g8")
        assert view(state).fen.endswith(f" {number}")
        state = play(state, "b6b5" if number % 2 else "b5b6")
        assert view(state).fen.endswith(f" {number}")


def test_the_third_time_is_claimed_and_the_fifth_is_a_draw_by_itself() -> None:
    state = play(deal(Settings()), *SHUFFLE, *SHUFFLE)
    assert view(state).draw_claim == "threefold"
    events: list[AddressedEvent] = []
    assert RULES.outcome(play(state, ClaimDraw(), events=events)) == Outcome((), "threefold")
    assert events_for(events, B) == [Claimed(A)]
    state = play(state, *SHUFFLE, *SHUFFLE)
    assert RULES.outcome(state) == Outcome((), "fivefold")
    assert (RULES.to_act(state), RULES.legal(state, A), view(state).draw_claim) == ((), (), "")


def test_at_a_table_of_older_clients_no_draw_can_be_claimed_but_fivefold_is_one() -> None:
    state = play(deal(Settings(legacy_rules=True)), *SHUFFLE, *SHUFFLE)
    assert (view(state).draw_claim, refusal(state, ClaimDraw())) == ("", Refusal.ILLEGAL)
    assert RULES.outcome(play(state, *SHUFFLE, *SHUFFLE)) == Outcome((), "fivefold")


def test_fifty_moves_are_claimed_and_seventy_five_end_the_game_but_mate_comes_first() -> None:
    assert view(play(game_at("7k/8/8/8/8/8/8/K6Q w - - 99 80"), "a1a2")).draw_claim == "fifty"
    state = play(game_at("7k/8/8/8/8/8/8/K6Q w - - 149 80"), "a1a2")
    assert RULES.outcome(state) == Outcome((), "seventyfive")
    state = play(game_at("7k/5K2/8/8/8/8/8/6Q1 w - - 149 80"), "g1g7")
    assert RULES.outcome(state) == Outcome((A,), "mate")


def test_a_time_forfeit_loses_unless_the_other_side_could_never_mate() -> None:
    state = game_at("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert RULES.forfeit(state, A, "time") == Outcome((), "time_material")
    assert RULES.forfeit(state, B, "time") == Outcome((A,), "time")
    knight = game_at("4k3/7p/8/8/8/8/8/4K1N1 w - - 0 1")
    assert RULES.forfeit(knight, B, "time") == Outcome((A,), "time"), "the pawn may stand in its king's way"
    older = replace(state, options=Settings(legacy_rules=True))
    assert RULES.forfeit(older, A, "time") == Outcome((B,), "time")


def test_leaving_before_both_have_moved_costs_nothing() -> None:
    state = play(deal(Settings()), "e2e4")
    assert RULES.forfeit(state, B, "left") == Outcome((), "aborted")
    assert RULES.forfeit(state, B, "resigned") == Outcome((A,), "resigned")
    assert RULES.forfeit(play(state, "e7e5"), B, "left") == Outcome((A,), "left")
    dice = play(game_at(START, DICE, rolled="PPP"), "a2a3", "a3a4")
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
    for options in (Settings(fog=True), Settings(mines=1), Settings(unchecked_moves=True)):
        assert RULES.undo(play(deal(options), "b1c3"), A) is None


def test_the_options_of_a_native_client_are_enough_for_a_deal() -> None:
    assert RULES.deal(Options(fog=True), chance(0)).options == Settings(fog=True)


# Dice


def test_a_check_in_mid_turn_that_is_answered_by_a_check_is_answered_in_turn() -> None:
    state = play(game_at("3r4/3k4/8/8/8/8/R7/3K3R w - - 0 1", DICE, rolled="RRR"), "a2a7", dice=FixedRandom())
    assert (actor(state), dice_of(state).free, dice_of(state).used) == (B, True, "x..")
    state = play(state, "d7e6", dice=FixedRandom())
    assert (actor(state), dice_of(state).free, dice_of(state).kept) == (A, True, True), (
        "the rook on d8 checks"
    )
    assert refusal(state, "h1h2") is Refusal.ILLEGAL
    state = play(state, "d1c1", dice=FixedRandom())
    assert (actor(state), dice_of(state).free, dice_of(state).used) == (A, False, "x..")
    assert set(dice_of(state).movers) == set("RK")


def test_in_check_the_last_die_cannot_be_let_go() -> None:
    state = game_at("k3r3/8/8/8/8/8/8/4K3 w - - 0 1", DICE, rolled="PPP")
    assert other_moves(state) == {Skip}
    state = play(state, Skip(), Skip())
    assert (dice_of(state).skip, other_moves(state)) == (False, set())
    assert refusal(state, Skip()) is Refusal.ILLEGAL


def test_a_check_that_no_die_and_no_king_can_answer_is_answered_by_anything() -> None:
    # Smothered: only the rook can take the knight.
    state = game_at("k7/8/8/8/8/8/5nPP/5RRK w - - 0 1", DICE, rolled="BBQ")
    assert legal(state) == {"f1f2"}
    assert (dice_of(state).movers, dice_of(state).used, dice_of(state).current) == ("R", "...", 0)
    state = play(state, "f1f2", dice=FixedRandom("PPP"))
    assert view(state).rolls[0].used == "x--"
    # If a later die can answer it, the dice before it are skipped.
    state = game_at("k7/8/8/8/8/8/5nPP/5RRK w - - 0 1", DICE, rolled="BRQ")
    assert (dice_of(state).used, dice_of(state).current, legal(state)) == ("-..", 1, {"f1f2"})


def test_a_double_step_in_mid_turn_cannot_be_captured_in_passing_later() -> None:
    state = game_at("4k3/8/8/8/3p4/8/4P2P/4K3 w - - 0 1", DICE, rolled="PPP")
    state = play(state, "e2e4", "h2h3", "h3h4", dice=FixedRandom("PPP"))
    assert (actor(state), view(state).fen.split()[3]) == (B, "-")
    assert "d4e3" not in legal(state)
    state = game_at("4k3/8/8/8/3p4/8/4P2P/4K3 w - - 0 1", DICE, rolled="PPP")
    state = play(state, "h2h3", "h3h4", "e2e4", dice=FixedRandom("PPP"))
    assert "d4e3" in legal(state)


def test_a_stalemating_move_ends_the_game_though_dice_are_left() -> None:
    state = play(game_at("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", DICE, rolled="QQQ"), "g5g6", dice=FixedRandom())
    assert RULES.outcome(state) == Outcome((), "stalemate")
    assert view(state).rolls[-1].used == "x.."


def test_dice_that_never_fit_stop_falling_after_a_while() -> None:
    # These always show rooks, which neither side can move at the beginning.
    dice = Stuck(bytes(32), 3)
    state = dice_rules.start_game(replace(deal(Settings()), options=DICE, is_standard=False), dice)
    assert len(view(state).rolls) == dice_rules.MAX_PASSES + 1
    assert {entry.used for entry in view(state).rolls[:-1]} == {"---"}
    assert legal(state)


def test_a_side_that_dice_alone_keep_from_moving_is_not_stalemated() -> None:
    events: list[AddressedEvent] = []
    state = play(
        game_at(START, DICE, rolled="NNN"), "b1c3", "c3b1", "b1c3", dice=FixedRandom("QQQ PPP"), events=events
    )
    assert (actor(state), RULES.outcome(state)) == (A, None)
    assert events_for(events, B)[1:4] == [Rolled(B, "QQQ"), Passed(B), Rolled(A, "PPP")]


# Mines


def test_a_piece_that_captures_on_a_mine_goes_up_after_it() -> None:
    events: list[AddressedEvent] = []
    state = game_at("4k3/8/8/3p4/8/2N5/8/4K2R w - - 9 1", Settings(mines=2), mines="d5 e4")
    state = play(state, "c3d5", events=events)
    assert view(state).taken == "pN"
    assert view(state).fen == "4k3/8/8/8/8/8/8/4K2R b - - 0 1"
    assert events_for(events, SPECTATOR)[1:] == [Exploded("d5", 1, "N"), LandedOnNumber("d5", 1)]


def test_a_king_on_a_mine_loses_at_once() -> None:
    state = game_at("4k3/8/8/8/8/8/4K3/7R w - - 0 1", Settings(mines=1), mines="e3")
    state = play(state, "e2e3")
    assert RULES.outcome(state) == Outcome((B,), "mined")
    assert (view(state).taken, view(state).fen.split()[0]) == ("K", "4k3/8/8/8/8/8/8/7R")
    assert stored(state) == state


def test_an_explosion_may_open_a_line_to_ones_own_king_who_then_answers_next_turn() -> None:
    state = game_at("k3r3/8/8/8/8/8/3B4/4K2R w - - 0 1", Settings(mines=1), mines="e3")
    state = play(state, "d2e3")
    assert (actor(state), RULES.outcome(state), view(state).check) == (B, None, False)
    assert "e8e1" not in legal(state), "a king is never captured"
    assert refusal(state, "e8e1") is Refusal.ILLEGAL
    state = play(state, "a8a7")
    assert (actor(state), view(state).check) == (A, True)
    assert "h1h2" not in legal(state)


def test_mine_counts_count_unexploded_mines_and_are_sent_again_when_they_change() -> None:
    events: list[AddressedEvent] = []
    state = game_at("4k3/8/8/8/8/8/4P2P/R3K3 w - - 0 1", Settings(mines=3), mines="d3 f4 h4")
    state = play(state, "e2e3")
    assert [(one.square, one.mines) for one in field(state).numbers] == [("e3", 2)]
    state = play(state, "e8e7", "h2h4", "e7e8", "a1a3", "e8e7", "a3d3", events=events)
    assert events_for(events, A)[1:] == [
        Exploded("d3", 1, "R"),
        LandedOnNumber("d3", 0),
        LandedOnNumber("e3", 1),
    ]
    assert field(state).left == 1
    assert field(state).all == ()
    assert RULES.view(state, A, over=True).minefield == replace(field(state), all=("d3", "f4", "h4"))


def field(state: State, viewer: Seat = SPECTATOR) -> Minefield:
    """Return what a viewer knows of the mines."""
    shown = view(state, viewer).minefield
    assert shown is not None
    return shown


@pytest.mark.parametrize("given", ["e4 e4", "e2", "e4 a7", "h1"])
def test_invalid_mines_of_the_host_are_refused(given: str) -> None:
    with pytest.raises(IllegalCommand) as no:
        deal(Settings(mines=2), mines=given)
    assert no.value.code is Refusal.BAD_OPTIONS
    with pytest.raises(IllegalCommand):
        RULES.deal(Settings(mines=1), chance(0), None, StartConditions(host_data=bytes([200])))
    with pytest.raises(IllegalCommand):
        RULES.deal(Settings(), chance(0), None, StartConditions(host_data=cells("e4")))


# Fog


def test_a_side_in_check_sees_who_gives_it_and_where_it_may_go() -> None:
    state = game_at("k3r3/8/8/8/8/8/8/R3K3 w - - 0 1", Settings(fog=True))
    shown = view(state, A)
    assert set(shown.dests.split()) == {"e1d1", "e1d2", "e1f1", "e1f2"}
    assert shown.check
    assert shown.fen == ""
    assert shown.board[4] == "r"
    assert set(shown.board[:4] + shown.board[5:48]) == {"?"}


def test_a_side_that_gives_check_sees_the_attacked_king() -> None:
    state = play(game_at("4k3/8/8/8/8/8/8/K6R w - - 0 1", Settings(fog=True)), "h1h8")
    shown = view(state, A)
    assert (shown.board[4], shown.check) == ("k", True)
    assert "h8e8" not in shown.dests
    assert not view(state, SPECTATOR).check


def test_in_the_fog_an_unseen_move_is_told_as_one_and_the_boards_are_shown_when_it_is_over() -> None:
    events: list[AddressedEvent] = []
    state = deal(Settings(fog=True))
    boards = [view(state, B).board]
    for uci in ("f2f3", "e7e5", "g2g4", "d8h4"):
        state = play(state, uci, events=events)
        (sighted,) = [event for event in events_for(events, B) if isinstance(event, MoveInFog)]
        boards.append(sighted.board)
    assert RULES.outcome(state) == Outcome((B,), "mate")
    assert view(state, B).boards == tuple(boards)
    assert (view(state, SPECTATOR).boards, view(state, SPECTATOR).fen) == ((), state.fen)
    before = play(deal(Settings(fog=True)), "f2f3")
    assert view(before, B).moves == ("",)
    assert RULES.view(before, B, over=True).moves == ("f2f3",)


def test_an_older_client_is_told_everything_and_the_others_at_its_table_are_not() -> None:
    options = Settings(fog=True, mines=1, legacy_rules=True)
    events: list[AddressedEvent] = []
    state = deal(options, mines="a5", sees_hidden=(A,))
    assert field(state, A).all == ("a5",)
    assert field(state, B).all == ()
    state = play(state, "e2e3", events=events)
    assert [one.to for one in events if type(one.event).__name__ == "Moved"] == [(A,)]
    assert [one.to for one in events if isinstance(one.event, MoveInFog)] == [(B,), (SPECTATOR,)]
    assert (view(state, A).fen != "", view(state, B).fen) == (True, "")


def test_in_fog_only_the_seat_to_act_knows_which_pieces_its_dice_allow() -> None:
    state = game_at(START, Settings(dice=FREE, fog=True, rerolls=1), dice=FixedRandom([0, 1, 0]))
    events: list[AddressedEvent] = []
    state = play(state, Reroll(), dice=FixedRandom([1, 1, 0]), events=events)
    assert (dice_of(state, A).movers, dice_of(state, B).movers) == ("PN", "")
    assert events_for(events, A)[0] == Rolled(A, "NNP", again=True, picks=(1, 1, 0))
    assert events_for(events, B)[0] == Rolled(A, "NNP", again=True)
    assert events_for(events, SPECTATOR)[-1].dice == dice_of(state, SPECTATOR)


# The state


def test_a_state_with_dice_fog_and_mines_survives_encoding_and_decoding() -> None:
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
