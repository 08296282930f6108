"""Chess on mines (踩地雷): each sentence of the rules, on small positions."""

from collections import Counter

import chess
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.games.chess.events import Exploded, LandedOnNumber, Moved
from qipai.games.chess.rules import RULES
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import Explosion, MineCount, Options, Settings
from qipai.kernel.game_interface.rules_interface import (
    AddressedEvent,
    IllegalCommand,
    Outcome,
    StartConditions,
)
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.refusals import Refusal

from .chess_machine import machine
from .chess_table import (
    START,
    VIEWERS,
    A,
    B,
    actor,
    cells,
    chance,
    deal,
    encode,
    events_for,
    game_at,
    legal,
    moves_of,
    play,
    view,
)

MIDDLE = frozenset(square for square in chess.SQUARES if 2 <= chess.square_rank(square) <= 5)


def mined(fen: str, mines: str, options: Settings | None = None) -> State:
    """Return a position with mines on these squares."""
    return game_at(fen, options or Settings(mines=len(mines.split())), mines=mines)


def field(state: State, viewer: Seat = SPECTATOR) -> dict[str, int]:
    """Return the numbers that a viewer is shown."""
    shown = view(state, viewer).minefield
    assert shown is not None
    return {number.square: number.mines for number in shown.numbers}


def left(state: State) -> int:
    """Return how many mines are said to be left."""
    shown = view(state).minefield
    assert shown is not None
    return shown.left


def around(square: str, mines: set[str]) -> int:
    """Count the mines among the eight neighbours of a square."""
    here = chess.parse_square(square)
    return sum(chess.square_distance(here, chess.parse_square(mine)) == 1 for mine in mines)


def all_mines(state: State) -> set[str]:
    """Return where unexploded mines are."""
    assert state.mines is not None
    return set(state.mines.unexploded)


# Laying them


@pytest.mark.parametrize("count", [1, 4, 5, 20])
def test_so_many_mines_as_chosen_lie_on_distinct_empty_squares_of_ranks_3_to_6(count: int) -> None:
    for number in range(30):
        state = deal(Settings(mines=count), chance(number))
        places = all_mines(state)
        assert len(places) == left(state) == count
        assert {chess.parse_square(name) for name in places} <= MIDDLE


def test_at_most_20_mines_may_be_chosen() -> None:
    for wrong in (-1, 21):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"mines": wrong}, Options)
    assert msgspec.convert({"mines": 20}, Options).mines == 20


def test_mines_lie_on_every_square_of_the_middle_as_often() -> None:
    counts = Counter(
        name for number in range(1_600) for name in all_mines(deal(Settings(mines=5), chance(number)))
    )
    assert len(counts) == 32
    expected = 1_600 * 5 / 32
    # 31 degrees of freedom, and drawing without return makes it smaller still.
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 61


def test_the_same_seed_places_the_same_mines() -> None:
    assert deal(Settings(mines=5), chance(3)) == deal(Settings(mines=5), chance(3))
    assert all_mines(deal(Settings(mines=5), chance(3))) != all_mines(deal(Settings(mines=5), chance(4)))


def test_mines_are_hidden_from_both_players_and_all_spectators() -> None:
    one, other = mined(START, "a3 b4 c5 d6 e3"), mined(START, "h3 g4 f5 e6 d3")
    for viewer in VIEWERS:
        shown = view(one, viewer).minefield
        assert shown is not None
        assert (shown.left, shown.all) == (5, ())
        assert encode(view(one, viewer)) == encode(view(other, viewer))


def test_all_mines_are_shown_when_the_game_is_over() -> None:
    state = mined("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "b3 c4")
    state = play(state, "a1a8")
    assert RULES.outcome(state) == Outcome((A,), "mate")
    for viewer in VIEWERS:
        shown = view(state, viewer).minefield
        assert shown is not None
        assert set(shown.all) == {"b3", "c4"}


def test_a_list_brought_by_the_host_is_used_as_given() -> None:
    state = RULES.deal(
        Settings(mines=5, legacy_rules=True), chance(0), None, StartConditions(host_data=cells("a3 h6 e4 e5"))
    )
    assert all_mines(state) == {"a3", "h6", "e4", "e5"}
    assert left(state) == 4


@pytest.mark.parametrize("wrong", ["a3 a3", "a2", "h7", "e1 e4", "a8"])
def test_a_list_with_a_square_twice_or_off_the_middle_is_refused(wrong: str) -> None:
    with pytest.raises(IllegalCommand) as caught:
        RULES.deal(
            Settings(mines=5, legacy_rules=True), chance(0), None, StartConditions(host_data=cells(wrong))
        )
    assert caught.value.code is Refusal.BAD_OPTIONS


def test_a_list_with_something_that_is_no_square_is_refused() -> None:
    with pytest.raises(IllegalCommand):
        RULES.deal(
            Settings(mines=1, legacy_rules=True), chance(0), None, StartConditions(host_data=bytes([200]))
        )


def test_a_seat_that_sees_hidden_things_is_shown_the_mines() -> None:
    state = deal(Settings(mines=2, legacy_rules=True), mines="a3 b4", sees_hidden=(A,))
    for viewer, shown in ((A, {"a3", "b4"}), (B, set()), (SPECTATOR, set())):
        field_shown = view(state, viewer).minefield
        assert field_shown is not None
        assert set(field_shown.all) == shown


# Going off


def test_a_piece_whose_move_ends_on_a_mine_is_destroyed_and_the_mine_is_consumed() -> None:
    events: list[AddressedEvent] = []
    state = play(mined(START, "e4 a6"), "e2e4", events=events)
    board = chess.Board(view(state).fen)
    assert board.piece_at(chess.E4) is None
    assert board.piece_at(chess.E2) is None
    assert all_mines(state) == {"a6"}
    assert left(state) == 1
    assert actor(state) == B
    for viewer in VIEWERS:
        assert Exploded("e4", 1, "P") in events_for(events, viewer)
        shown = view(state, viewer).minefield
        assert shown is not None
        assert shown.explosions == (Explosion(1, "e4", "P"),), "the square is marked"


def test_what_is_told_is_in_order_and_the_position_is_the_one_after_the_explosion() -> None:
    events: list[AddressedEvent] = []
    state = play(mined(START, "e4 e5"), "e2e4", events=events)
    moved, exploded, revealed = events_for(events, B)
    assert isinstance(moved, Moved)
    assert (moved.uci, moved.fen) == ("e2e4", view(state).fen)
    assert exploded == Exploded("e4", 1, "P")
    assert revealed == LandedOnNumber("e4", 1)


def test_a_mine_is_consumed_only_once() -> None:
    state = play(mined(START, "e4"), "e2e4", "e7e5", "d2d4", "e5e4")
    assert chess.Board(view(state).fen).piece_at(chess.E4) == chess.Piece.from_symbol("p")


def test_a_piece_that_only_passes_over_a_mine_is_safe() -> None:
    state = play(mined(START, "e3"), "e2e4")
    assert chess.Board(view(state).fen).piece_at(chess.E4) == chess.Piece.from_symbol("P")
    assert left(state) == 1
    state = play(mined("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a3 a4 a5 a6"), "a1a7")
    assert left(state) == 4
    assert left(play(mined(START, "g3"), "g1f3")) == 1


def test_a_capture_on_a_mined_square_happens_first() -> None:
    events: list[AddressedEvent] = []
    state = play(mined("4k3/p7/8/3p4/4P3/8/7P/4K3 w - - 0 1", "d5"), "e4d5", events=events)
    board = chess.Board(view(state).fen)
    assert board.piece_at(chess.D5) is None
    assert board.piece_at(chess.E4) is None
    assert sorted(view(state).taken) == ["P", "p"]
    assert view(state).taken[0] == "p", "first what was captured, then what went up"
    (moved,) = (one for one in events_for(events, A) if isinstance(one, Moved))
    assert moved.taken == "p"


def test_exploded_pieces_count_as_captured() -> None:
    state = play(mined("4k2r/8/8/8/8/8/8/R3K3 w - - 30 40", "a4"), "a1a4")
    assert view(state).taken == "R"
    assert view(state).fen.split()[4] == "0", "as after any capture"


def test_what_is_captured_en_passant_is_gone_before_the_capturing_pawn_goes_up() -> None:
    state = play(mined("4k2r/8/8/3pP3/8/8/8/4K2R w - d6 0 1", "d6"), "e5d6")
    board = chess.Board(view(state).fen)
    assert [board.piece_at(square) for square in (chess.D5, chess.D6, chess.E5)] == [None, None, None]
    assert view(state).taken == "pP"


def test_a_pawn_that_went_up_after_its_double_step_cannot_be_taken_en_passant() -> None:
    state = play(mined("4k2r/8/8/8/3p4/8/4P3/4K2R w - - 0 1", "e4"), "e2e4")
    assert "d4e3" not in legal(state)
    assert view(state).fen.split()[3] == "-"


def test_castling_rooks_do_not_trigger_and_nothing_lies_on_the_first_rank() -> None:
    state = play(mined("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "f3 g3"), "e1g1")
    board = chess.Board(view(state).fen)
    assert board.piece_at(chess.G1) == chess.Piece.from_symbol("K")
    assert board.piece_at(chess.F1) == chess.Piece.from_symbol("R")
    assert left(state) == 2


@pytest.mark.parametrize("fen", ["4k2r/8/8/8/8/8/4K3/7R w - - 0 1", "4k2r/8/8/8/8/4n3/4K3/7R w - - 0 1"])
def test_a_king_on_a_mine_loses_at_once(fen: str) -> None:
    events: list[AddressedEvent] = []
    state = play(mined(fen, "e3"), "e2e3", events=events)
    assert RULES.outcome(state) == Outcome((B,), "mined")
    assert RULES.to_act(state) == ()
    assert Exploded("e3", 0, "K") in events_for(events, SPECTATOR)


def test_a_black_king_on_a_mine_loses_too() -> None:
    state = play(mined("7r/4k3/8/8/8/8/4K3/7R b - - 0 1", "e6"), "e7e6")
    assert RULES.outcome(state) == Outcome((A,), "mined")


def test_a_king_on_a_mine_loses_whatever_else_there_is_on_the_board() -> None:
    state = play(mined("4k3/8/8/8/8/4n3/4K3/8 w - - 0 1", "e3"), "e2e3")
    assert RULES.outcome(state) == Outcome((B,), "mined"), "not a draw for want of material"


def test_legality_and_check_ignore_mines() -> None:
    for mines in ("e3 e4 d3 d4", "a6 b6 c6 d6"):
        assert legal(mined(START, mines)) == moves_of(START)
    # The king may walk onto a mine, and a mined square between rook and king stops no check.
    assert "e2e3" in legal(mined("4k2r/8/8/8/8/8/4K3/7R w - - 0 1", "e3"))
    state = play(mined("4k2r/8/8/8/8/8/8/R4K2 w - - 0 1", "a4 e4 e5"), "a1e1")
    assert view(state).check


def test_a_check_by_a_piece_that_went_up_is_none() -> None:
    fen = "8/4k2r/8/8/8/8/8/R4K2 w - - 0 1"
    assert view(play(mined(fen, "h6"), "a1e1")).check
    state = play(mined(fen, "a3 e3"), "a1a2", "h7h8", "a2e2")
    assert view(state).check
    state = play(mined("8/4k2r/8/8/8/R7/8/5K2 w - - 0 1", "e3"), "a3e3")
    assert not view(state).check
    assert view(state).taken == "R"


def test_a_mate_by_a_piece_that_went_up_is_none() -> None:
    fen = "8/8/8/k1K5/8/7R/8/6R1 w - - 0 1"
    assert RULES.outcome(play(mined(fen, "h6"), "h3a3")) == Outcome((A,), "mate")
    state = play(mined(fen, "a3"), "h3a3")
    assert RULES.outcome(state) is None
    assert not view(state).check
    assert actor(state) == B


def test_an_explosion_can_uncover_a_check() -> None:
    # Moving out of the queen's way or going up in it: a check by the queen is one.
    state = play(mined("8/8/8/4k3/8/2N5/1Q6/K7 w - - 0 1", "d5"), "c3d5")
    assert view(state).check


def test_too_little_material_after_an_explosion_is_a_draw() -> None:
    state = play(mined("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a4"), "a1a4")
    assert RULES.outcome(state) == Outcome((), "material")


# Numbers


def test_a_square_that_was_landed_on_shows_the_mines_around_it_to_everybody() -> None:
    events: list[AddressedEvent] = []
    state = play(mined(START, "d5 e5 f5 d3 a6"), "e2e4", events=events)
    for viewer in VIEWERS:
        assert field(state, viewer) == {"e4": 4}
        assert LandedOnNumber("e4", 4) in events_for(events, viewer)
        shown = view(state, viewer).minefield
        assert shown is not None
        assert shown.numbers == (MineCount("e4", 4),)


def test_a_square_without_mines_around_it_shows_a_zero() -> None:
    assert field(play(mined(START, "a6"), "e2e4")) == {"e4": 0}


def test_squares_that_are_not_visited_show_no_mine_count() -> None:
    state = mined(START, "a3 b3 c3")
    assert field(state) == {}
    assert set(field(play(state, "g1f3", "a7a6"))) == {"f3", "a6"}


def test_any_square_of_the_board_may_show_a_number() -> None:
    state = play(mined("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", "a3 b3 b6"), "a1a2", "h8h7", "a2a7")
    assert field(state) == {"a2": 2, "h7": 0, "a7": 1}


def test_the_square_of_an_explosion_shows_its_number_too() -> None:
    assert field(play(mined(START, "e4 d5 f3"), "e2e4")) == {"e4": 2}


def test_a_number_counts_unexploded_mines_only_and_is_told_again_when_it_changes() -> None:
    events: list[AddressedEvent] = []
    state = play(mined(START, "d4 d5 f5"), "e2e4", "a7a6")
    assert field(state)["e4"] == 3
    state = play(state, "d2d4", events=events)
    assert field(state)["e4"] == 2
    assert field(state)["d4"] == 1
    own_events = events_for(events, B)
    assert LandedOnNumber("e4", 2) in own_events
    assert LandedOnNumber("d4", 1) in own_events


def test_a_castled_kings_square_is_revealed() -> None:
    state = play(mined("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "f3 g3"), "e1g1")
    assert field(state)["g1"] == 0


@settings(max_examples=60)
@given(number=st.integers(0, 2**32), count=st.integers(1, 20))
def test_numbers_mines_and_pieces_agree_all_through_a_game(number: int, count: int) -> None:
    rng, state = chance(number), deal(Settings(mines=count), chance(number + 1))
    landed: set[str] = set()
    mines = all_mines(state)
    for _ in range(60):
        if not RULES.to_act(state):
            break
        moves = sorted(legal(state))
        uci = moves[rng.below(len(moves))]
        before = chess.Board(view(state).fen)
        state = play(state, uci)
        target = uci[2:4]
        landed.add(target)
        mines -= {target}
        assert all_mines(state) == mines
        assert field(state) == {square: around(square, mines) for square in landed}
        after = chess.Board(view(state).fen)
        assert len(after.piece_map()) + len(view(state).taken) == 32
        assert len(view(state).taken) >= 32 - len(before.piece_map())


def test_nothing_is_taken_back_on_mines() -> None:
    assert RULES.undo(play(mined(START, "a3"), "e2e4"), A) is None


def test_a_table_without_mines_shows_no_field() -> None:
    assert view(game_at(START)).minefield is None


TestMines = machine(Settings(mines=5))
TestManyMines = machine(Settings(mines=20))
