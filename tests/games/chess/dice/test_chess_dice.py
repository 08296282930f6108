"""Chess with dice (骰子): each sentence of the rules, on small positions."""

from collections import Counter

import pytest

from qipai.games.chess.events import DiceChanged, Moved, Passed, Rolled
from qipai.games.chess.rules import RULES
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import DIE_KINDS, CurrentDice, DiceRoll, Reroll, Settings, Skip
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SPECTATOR
from qipai.kernel.refusals import Refusal
from tests.games.chess.chess_table import (
    FREE,
    SEQUENTIAL,
    START,
    VIEWERS,
    A,
    B,
    FixedRandom,
    actor,
    chance,
    deal,
    dice_of,
    events_for,
    game_at,
    legal,
    moves_of,
    other_moves,
    play,
    refusal,
    view,
)

DICE = Settings(dice=SEQUENTIAL)
ANY_ORDER = Settings(dice=FREE)
PAWN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
"""Only kings and a pawn: a die of another kind is for the king, or goes by."""


def rolled(fen: str, letters: str, options: Settings = DICE) -> State:
    """Return a position at the start of a turn whose dice fell like this."""
    return game_at(fen, options, rolled=letters)


# Sequential: the roll


def test_at_the_start_of_a_turn_three_dice_are_rolled_for_its_side() -> None:
    state = deal(DICE, FixedRandom("NPP"))
    shown = dice_of(state)
    assert (shown.owner, shown.dice, shown.used, shown.current) == (A, "NPP", "...", 0)
    assert view(state).rolls == (DiceRoll(0, A, "NPP", "..."),)
    assert RULES.to_act(state) == (A,)


def test_every_die_shows_each_of_five_kinds_as_often_and_independently() -> None:
    counts = Counter(view(deal(DICE, chance(number))).rolls[0].dice for number in range(4_000))
    assert all(len(dice) == 3 and set(dice) <= set(DIE_KINDS) for dice in counts)
    expected = 4_000 / 125
    square = sum(
        (counts[a + b + c] - expected) ** 2 / expected
        for a in DIE_KINDS
        for b in DIE_KINDS
        for c in DIE_KINDS
    )
    # 124 degrees of freedom: above 186 once in five thousand fair dice.
    assert len(counts) == 125
    assert square < 186


def test_the_next_turn_starts_with_a_roll_for_the_other_side() -> None:
    events: list[AddressedEvent] = []
    state = play(rolled(START, "NPP"), "g1f3", "e2e3", "a2a3", dice=FixedRandom("PNN"), events=events)
    assert RULES.to_act(state) == (B,)
    assert dice_of(state) == CurrentDice(B, "PNN", "...", 0, movers="P")
    assert [one.event for one in events if isinstance(one.event, Rolled)] == [Rolled(B, "PNN")]
    assert [entry.dice for entry in view(state).rolls] == ["NPP", "PNN"]
    assert view(state).rolls[0].used == "xxx"
    assert (view(state).rolls[1].ply, view(state).rolls[1].seat) == (3, B)


def test_every_viewer_is_told_the_roll_and_the_dice_on_the_table() -> None:
    events: list[AddressedEvent] = []
    state = play(rolled(START, "NPP"), "g1f3", events=events)
    for viewer in VIEWERS:
        own_events = events_for(events, viewer)
        assert [type(event) for event in own_events] == [Moved, DiceChanged]
        assert own_events[-1].dice == dice_of(state, viewer)


# Sequential: left to right


def test_dice_are_used_strictly_from_left_to_right() -> None:
    state = rolled(START, "NPP")
    assert legal(state) == {"b1a3", "b1c3", "g1f3", "g1h3"}
    assert refusal(state, "e2e4") is Refusal.ILLEGAL
    state = play(state, "g1f3")
    assert (dice_of(state).used, dice_of(state).current) == ("x..", 1)
    assert actor(state) == A
    assert {uci[:2] for uci in legal(state)} == {f"{file}2" for file in "abcdegh"}
    assert refusal(state, "f3g5") is Refusal.ILLEGAL
    state = play(state, "e2e4")
    assert (dice_of(state).used, dice_of(state).current) == ("xx.", 2)
    # After e2-e4 the king may go to e2, whatever the die shows.
    assert "e1e2" in legal(state)
    assert refusal(state, "f1c4") is Refusal.ILLEGAL
    assert RULES.to_act(play(state, "a2a3", dice=FixedRandom("PPP"))) == (B,)


def test_the_side_whose_turn_it_is_not_cannot_use_the_dice() -> None:
    assert refusal(rolled(START, "NPP"), "g8f6", B) is Refusal.NOT_YOUR_TURN
    assert refusal(play(rolled(START, "NPP"), "g1f3"), "e7e5", B) is Refusal.NOT_YOUR_TURN
    assert refusal(rolled(START, "NPP"), "g8f6") is Refusal.ILLEGAL


@pytest.mark.parametrize("kind", DIE_KINDS)
def test_a_die_allows_its_own_kind_and_the_king_only(kind: str) -> None:
    fen = "4k3/8/8/8/8/PN6/8/QRB1K3 w - - 0 1"
    assert legal(rolled(fen, kind * 3)) == moves_of(fen, kind + "K")


def test_the_king_is_always_free_to_move_and_uses_up_the_current_die() -> None:
    state = rolled(PAWN, "PPP")
    assert legal(state) == moves_of(PAWN)
    state = play(state, "e1d1")
    assert (dice_of(state).used, dice_of(state).current, actor(state)) == ("x..", 1, A)
    state = play(state, "d1d2", "d2d3", dice=FixedRandom("PPP"))
    assert RULES.to_act(state) == (B,)


def test_castling_is_a_move_of_the_king() -> None:
    state = rolled("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "NPP")
    assert "e1g1" in legal(state)
    assert "h1h2" not in legal(state)
    assert dice_of(play(state, "e1g1")).used == "x.."


def test_the_kinds_that_may_move_now_are_shown() -> None:
    assert dice_of(rolled(START, "NPP")).movers == "N"
    assert set(dice_of(rolled(PAWN, "PPP")).movers) == set("PK")
    assert dice_of(rolled(PAWN, "NPP")).movers == "K"


# Sequential: skipping


def test_a_die_that_neither_its_kind_nor_the_king_can_use_is_skipped_and_shown_as_skipped() -> None:
    state = deal(DICE, FixedRandom("RPN"))
    assert (dice_of(state).used, dice_of(state).current) == ("-..", 1)
    assert {uci[1] for uci in legal(state)} == {"2"}
    assert view(state).rolls[-1].used == "-.."


def test_a_die_is_skipped_as_its_turn_comes_and_not_before() -> None:
    # The rook cannot move now, but can after the pawn has made way.
    state = rolled(START, "PRN")
    assert dice_of(state).used == "..."
    assert dice_of(play(state, "b2b3")).used == "x-."
    state = play(state, "a2a4")
    assert dice_of(state).used == "x.."
    assert legal(state) == {"a1a2", "a1a3"}


def test_when_all_three_dice_are_skipped_the_turn_passes() -> None:
    state = deal(DICE, FixedRandom("RBQ NPP"))
    assert RULES.to_act(state) == (B,)
    assert view(state).turn == B
    assert dice_of(state).owner == B
    assert [(one.seat, one.dice, one.used) for one in view(state).rolls] == [
        (A, "RBQ", "---"),
        (B, "NPP", "..."),
    ]
    assert legal(state) == {"b8a6", "b8c6", "g8f6", "g8h6"}


def test_several_passes_in_a_row_are_normal() -> None:
    state = deal(DICE, FixedRandom("RBQ QQQ BRB RRR PPP"))
    assert RULES.to_act(state) == (A,)
    assert [one.seat for one in view(state).rolls] == [A, B, A, B, A]
    assert legal(state) == moves_of(START, "P")


def test_passes_are_told_in_order() -> None:
    events: list[AddressedEvent] = []
    dice = FixedRandom("RRR BBB PPP")
    state = play(rolled(START, "NNN"), "g1f3", "f3g1", "g1f3", dice=dice, events=events)
    assert RULES.to_act(state) == (B,)
    assert events_for(events, SPECTATOR)[1:] == [
        Rolled(B, "RRR"),
        Passed(B),
        Rolled(A, "BBB"),
        Passed(A),
        Rolled(B, "PPP"),
        DiceChanged(dice_of(state)),
    ]


def test_while_the_king_could_move_a_die_is_not_skipped_by_itself() -> None:
    state = rolled(PAWN, "NNP")
    assert (dice_of(state).used, dice_of(state).current, dice_of(state).skip) == ("...", 0, True)
    assert legal(state) == moves_of(PAWN, "K")
    assert other_moves(state) == {Skip}


def test_a_die_that_only_the_king_can_use_may_be_skipped() -> None:
    events: list[AddressedEvent] = []
    state = play(rolled(PAWN, "NNP"), Skip(), events=events)
    assert (dice_of(state).used, dice_of(state).current, actor(state)) == ("-..", 1, A)
    assert events_for(events, B)[-1] == DiceChanged(dice_of(state))
    state = play(state, Skip())
    assert (dice_of(state).used, dice_of(state).current, dice_of(state).skip) == ("--.", 2, False)
    assert view(state).fen.split()[0] == PAWN.split()[0], "nothing has moved"
    assert len(view(state).moves) == 0


def test_a_die_is_passed_only_when_no_piece_of_its_kind_can_move() -> None:
    assert refusal(rolled(PAWN, "PNN"), Skip()) is not None
    assert refusal(rolled(START, "NPP"), Skip()) is not None
    assert other_moves(rolled(PAWN, "PNN")) == set()


def test_passing_the_last_die_ends_the_turn() -> None:
    events: list[AddressedEvent] = []
    state = play(rolled(PAWN, "PNN"), "e2e3", Skip(), Skip(), dice=FixedRandom("PPP"), events=events)
    assert RULES.to_act(state) == (B,)
    assert view(state).rolls[0].used == "x--"
    assert dice_of(state).owner == B


def test_the_last_die_may_not_be_skipped_in_check() -> None:
    # Else the other side would begin its turn with a king that it could take.
    state = play(rolled("4k3/8/8/8/4r3/8/8/4K3 w - - 0 1", "NNN"), Skip(), Skip(), dice=FixedRandom())
    assert view(state).check
    assert refusal(state, Skip()) is not None
    assert legal(state) == moves_of(state.fen, "K")


def test_only_the_seat_to_act_skips_a_die() -> None:
    assert refusal(rolled(PAWN, "NNP"), Skip(), B) is Refusal.NOT_YOUR_TURN


def test_without_dice_there_is_no_skip_and_no_roll() -> None:
    for move in (Skip(), Reroll()):
        assert refusal(game_at(PAWN), move) is not None
    assert view(game_at(PAWN)).dice is None
    assert view(game_at(PAWN)).rolls == ()


def test_a_promoted_pawn_moved_as_a_pawn() -> None:
    fen = "8/4P3/7k/8/8/8/8/K7 w - - 0 1"
    assert "e7e8q" not in legal(rolled(fen, "QPP"))
    state = rolled(fen, "PQP")
    assert {"e7e8q", "e7e8r", "e7e8b", "e7e8n"} <= legal(state)
    assert not any(uci.startswith("e8") for uci in legal(state))
    state = play(state, "e7e8q")
    assert (dice_of(state).used, dice_of(state).current) == ("x..", 1)
    assert any(uci.startswith("e8") for uci in legal(state)), "now it is a queen"
