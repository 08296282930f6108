"""Chess in fog (霧戰): each rule, and that no viewer is sent what it does not see."""

import chess
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from qipai.games.chess.events import Moved, MoveInFog
from qipai.games.chess.rules import RULES
from qipai.games.chess.wire_types import ClaimDraw
from qipai.kernel.game_interface.rules_interface import AddressedEvent, Outcome
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.refusals import Refusal
from tests.games.chess.chess_fog_views import DARK, FOG, NIGHT, foggy, moves, seen, sighted
from tests.games.chess.chess_table import (
    START,
    VIEWERS,
    A,
    B,
    actor,
    chance,
    deal,
    encode,
    events_for,
    legal,
    moves_of,
    play,
    refusal,
    view,
)
from tests.games.chess.chess_twins import side_of, sight

# Rules of play are unchanged


@pytest.mark.parametrize(
    "fen",
    [
        START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/8/8/8/4r3/8/3P4/4K3 w - - 0 1",
    ],
)
def test_what_may_be_played_is_the_same_as_in_the_open(fen: str) -> None:
    assert legal(foggy(fen)) == moves_of(fen)


def test_a_check_must_be_answered() -> None:
    state = foggy("4k3/8/8/8/4r3/8/P7/4K3 w - - 0 1")
    assert view(state, A).check
    assert refusal(state, "a2a3") is Refusal.ILLEGAL


def test_mate_ends_the_game_and_lifts_the_fog_for_all() -> None:
    state = play(foggy("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), "a1a8")
    assert RULES.outcome(state) == Outcome((A,), "mate")
    for viewer in VIEWERS:
        assert view(state, viewer).fen.startswith("R5k1/5ppp/8/8/8/8/8/4K3 b")
        assert view(state, viewer).moves == ("a1a8",)


# Sight


def test_at_the_start_a_player_sees_the_own_half() -> None:
    state = deal(FOG)
    assert view(state, A).board == NIGHT + "." * 16 + "PPPPPPPP" + "RNBQKBNR"
    assert view(state, B).board == "rnbqkbnr" + "pppppppp" + "." * 16 + NIGHT


def test_the_position_is_in_no_players_view() -> None:
    state = play(deal(FOG), "e2e4", "d7d5")
    for viewer in VIEWERS:
        assert view(state, viewer).fen == ""
        assert len(view(state, viewer).board) == 64


def test_a_player_sees_the_own_pieces_and_every_square_they_could_move_to() -> None:
    state = foggy("4k3/8/2p5/8/8/8/1p3N2/R3K3 w - - 0 1")
    squares = seen(state, A)
    assert {squares[name] for name in ("a1", "e1", "f2")} == {"R", "K", "N"}
    assert {name for name, sign in squares.items() if sign == "."} >= {"a2", "a8", "b1", "d1", "d3", "h1"}
    assert "b2" not in squares, "no piece can go there"
    assert "c6" not in squares
    assert squares.keys() == {chess.square_name(square) for square in sight(state.fen, True).squares}


def test_sight_is_as_if_it_were_ones_turn() -> None:
    fen = "4k3/8/8/3b4/8/8/8/R3K3 {} - - 0 1"
    assert seen(foggy(fen.format("w")), A) == seen(foggy(fen.format("b")), A)
    assert seen(foggy(fen.format("w")), B) == seen(foggy(fen.format("b")), B)


def test_a_pawn_sees_before_it_what_is_empty_and_beside_that_what_it_can_take() -> None:
    state = foggy("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1")
    squares = seen(state, A)
    assert (squares["d5"], squares["f5"], squares["e5"]) == ("p", "p", ".")
    state = foggy("4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1")
    assert not {"d5", "e5", "f5"} & seen(state, A).keys(), "it can go to none of them"


def test_a_pinned_piece_sees_only_where_it_may_go() -> None:
    state = foggy("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1")
    assert not {"c3", "d4", "f4", "g3"} & seen(state, A).keys()
    state = foggy("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1")
    assert seen(state, A)["e7"] == "r"
    assert "a2" not in seen(state, A)


def test_a_square_is_not_seen_where_the_king_may_not_step() -> None:
    state = foggy("4k3/8/8/8/8/8/r7/4K3 w - - 0 1")
    assert not {"d2", "e2", "f2"} & seen(state, A).keys()
    assert {"d1", "f1"} <= seen(state, A).keys()


def test_the_piece_that_gives_check_is_visible_even_if_no_piece_can_move_there() -> None:
    state = foggy("4k3/8/8/8/8/5n2/8/B5K1 w - - 0 1")
    assert seen(state, A)["f3"] == "n"
    assert not any(uci.endswith("f3") for uci in legal(state))


def test_both_pieces_of_a_double_check_are_seen() -> None:
    fen = "3k4/8/8/8/1b6/3n4/8/4K3 w - - 0 1"
    assert len(chess.Board(fen).checkers()) == 2
    assert seen(foggy(fen), A)["b4"] == "b"
    assert seen(foggy(fen), A)["d3"] == "n"


def test_in_check_only_answers_to_it_light_the_board() -> None:
    fen = "4k3/8/8/8/4r3/8/8/R3K3 w - - 0 1"
    assert seen(foggy(fen), A).keys() == {chess.square_name(square) for square in sight(fen, True).squares}
    assert "a8" not in seen(foggy(fen), A)


def test_castling_lights_the_kings_square() -> None:
    assert seen(foggy("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), A)["g1"] == "."


def test_the_moves_one_could_make_are_shown_on_anybodys_turn() -> None:
    for turn in "wb":
        state = foggy(f"4k3/p7/8/8/8/8/P7/4K3 {turn} - - 0 1")
        for viewer in (A, B):
            fen = f"4k3/p7/8/8/8/8/P7/4K3 {'wb'[viewer]} - - 0 1"
            assert set(view(state, viewer).dests.split()) == moves_of(fen)
    assert view(deal(FOG), SPECTATOR).dests == ""


@settings(max_examples=30)
@given(number=st.integers(0, 2**32), length=st.integers(1, 90))
def test_all_through_a_game_each_player_sees_what_the_rules_say_and_no_more(number: int, length: int) -> None:
    rng, state = chance(number), deal(FOG, chance(number))
    lists: dict[Seat, list[str]] = {A: [], B: []}
    for _ in range(length):
        for seat in (A, B):
            expected = sight(state.fen, side_of(state, seat))
            shown = view(state, seat)
            assert shown.board == expected.board
            assert set(shown.dests.split()) == expected.dests
            assert shown.moves == tuple(lists[seat])
        watched = view(state, SPECTATOR)
        assert (watched.board, watched.fen, watched.dests, watched.taken) == (DARK, "", "", "")
        assert set(watched.moves) <= {""}
        assert not watched.check
        mover = actor(state)
        choice = sorted(legal(state))
        uci = choice[rng.below(len(choice))]
        events: list[AddressedEvent] = []
        before = {viewer: view(state, viewer).taken for viewer in VIEWERS}
        state = play(state, uci, events=events)
        target = chess.parse_square(uci[2:4])
        for seat in (A, B):
            visible = seat == mover or target in sight(state.fen, side_of(state, seat)).squares
            lists[seat].append(uci if visible else "")
        if RULES.outcome(state) is not None:
            event(f"over: {state.result and state.result.reason}")
            break
        for viewer in VIEWERS:
            now, shown = sighted(events, viewer), view(state, viewer)
            assert (now.board, now.dests) == (shown.board, shown.dests)
            assert shown.taken == before[viewer] + now.taken
            assert (now.turn, now.check, now.claim, now.plies) == (
                shown.turn,
                shown.check,
                shown.draw_claim,
                len(shown.moves),
            )
            assert (now.seat, now.uci) == (mover, shown.moves[-1])
            assert not any(isinstance(one, Moved) for one in events_for(events, viewer))


# Captures


def test_own_captures_are_seen_and_what_the_other_captured_is_known() -> None:
    state = play(deal(FOG), "e2e4", "d7d5", "e4d5")
    assert view(state, A).taken == "p"
    assert view(state, B).taken == "p", "it was B's own pawn"
    assert view(state, SPECTATOR).taken == ""


def test_a_piece_that_was_taken_is_gone_from_its_owners_board() -> None:
    # The queen takes on a7 from far away, where black sees nothing.
    state = play(foggy("7k/p7/8/8/8/8/8/Q3K3 w - - 0 1"), "a1a7")
    assert "a7" not in seen(state, B)
    assert view(state, B).taken == "p"
    assert moves(state, B) == ("",)


def test_what_is_taken_en_passant_is_known_to_both() -> None:
    state = play(foggy("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"), "e2e4", "d4e3")
    assert view(state, A).taken == view(state, B).taken == "P"


# Watchers


def test_spectators_see_the_board_only_after_the_end() -> None:
    state = play(deal(FOG), "e2e4", "e7e5")
    shown = view(state, SPECTATOR)
    assert (shown.board, shown.fen, shown.moves) == (DARK, "", ("", ""))
    state = play(state, "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")
    shown = view(state, SPECTATOR)
    assert RULES.outcome(state) == Outcome((A,), "mate")
    assert shown.fen
    assert len(shown.moves) == 7
    assert "" not in shown.moves
    assert shown.taken == "p"


def test_after_the_end_each_player_gets_the_boards_seen_after_each_move() -> None:
    played, states = ("f2f3", "e7e5", "g2g4", "d8h4"), [deal(FOG)]
    for uci in played:
        states.append(play(states[-1], uci))
    for seat in (A, B):
        boards = view(states[-1], seat).boards
        assert boards[:-1] == tuple(view(state, seat).board for state in states[:-1])
        assert len(boards) == 5


def test_a_spectator_is_told_that_there_was_a_move_and_nothing_else() -> None:
    one: list[AddressedEvent] = []
    other: list[AddressedEvent] = []
    play(deal(FOG), "e2e4", events=one)
    play(deal(FOG), "g1f3", events=other)
    assert encode(events_for(one, SPECTATOR)) == encode(events_for(other, SPECTATOR))


# The list of moves


def test_a_move_of_the_other_side_is_read_only_if_its_target_was_visible_after_it() -> None:
    state = play(deal(FOG), "e2e4")
    assert (moves(state, A), moves(state, B)) == (("e2e4",), ("",))
    state = play(state, "d7d5")
    assert moves(state, A) == ("e2e4", "d7d5"), "the pawn could take it"
    state = play(state, "b1c3", "h7h6")
    assert moves(state, A) == ("e2e4", "d7d5", "b1c3", "")
    assert moves(state, B)[1::2] == ("d7d5", "h7h6")


def test_two_unseen_moves_cannot_be_told_apart() -> None:
    one: list[AddressedEvent] = []
    other: list[AddressedEvent] = []
    left, right = play(deal(FOG), "e2e4", events=one), play(deal(FOG), "g1f3", events=other)
    assert encode(view(left, B)) == encode(view(right, B))
    assert encode(events_for(one, B)) == encode(events_for(other, B))


# Refusals


@pytest.mark.parametrize(
    ("fen", "uci"),
    [
        ("4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1", "e4e5"),
        ("4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "e2e4"),
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4d5"),
        ("4k3/8/8/8/8/8/r7/4K3 w - - 0 1", "e1e2"),
        ("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3"),
        ("4k3/8/8/r7/8/8/8/R3K3 w - - 0 1", "a1a6"),
    ],
)
def test_a_move_that_something_unseen_forbids_is_refused_as_any_illegal_one(fen: str, uci: str) -> None:
    state = foggy(fen)
    assert refusal(state, uci) is Refusal.ILLEGAL
    assert refusal(state, "a8h1") is Refusal.ILLEGAL
    assert refusal(state, "e1e8") is Refusal.ILLEGAL


def test_every_refusal_is_the_same_word() -> None:
    state = play(deal(FOG), "e2e4", "e7e5")
    allowed = legal(state)
    codes = set()
    for start in chess.SQUARE_NAMES:
        for end in chess.SQUARE_NAMES:
            for letter in ("", "q"):
                if start + end + letter not in allowed:
                    codes.add(refusal(state, start + end + letter))
    assert codes == {Refusal.ILLEGAL}


# Seats that hide nothing themselves


def test_a_seat_that_is_told_everything_is_not_fogged_and_the_other_one_is() -> None:
    events: list[AddressedEvent] = []
    state = play(deal(FOG, sees_hidden=(A,)), "e2e4", events=events)
    assert view(state, A).fen != ""
    assert view(state, B).fen == ""
    assert [type(one) for one in events_for(events, A)] == [Moved]
    assert [type(one) for one in events_for(events, B)] == [MoveInFog]
    assert [type(one) for one in events_for(events, SPECTATOR)] == [MoveInFog]
    assert moves(play(state, "a7a6"), A) == ("e2e4", "a7a6")


# Claims


def test_only_the_side_to_move_learns_of_a_draw_that_it_may_claim() -> None:
    events: list[AddressedEvent] = []
    state = deal(FOG)
    for _ in range(2):
        state = play(state, "g1f3", "g8f6", "f3g1", "f6g8", events=events)
    assert view(state, A).draw_claim == "threefold"
    assert sighted(events, A).claim == "threefold"
    for viewer in (B, SPECTATOR):
        assert view(state, viewer).draw_claim == ""
        assert sighted(events, viewer).claim == ""
    assert RULES.outcome(play(state, ClaimDraw())) == Outcome((), "threefold")
