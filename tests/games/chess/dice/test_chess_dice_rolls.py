"""Chess with dice: rerolls, dice in any order, randomness."""

from collections import Counter

from qipai.games.chess.events import Rolled
from qipai.games.chess.rules import RULES
from qipai.games.chess.wire_types import DIE_KINDS, Reroll, Settings, Skip
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal
from tests.games.chess.chess_machine import machine
from tests.games.chess.chess_table import (
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
from tests.games.chess.dice.test_chess_dice import ANY_ORDER, DICE, PAWN, rolled
from tests.games.chess.dice.test_chess_dice_checks import BACK_RANK, ROOK, interrupted

# New rolls


def test_by_default_there_is_no_reroll() -> None:
    assert Settings().rerolls == 0
    state = rolled(START, "NPP")
    assert refusal(state, Reroll()) is not None
    assert not dice_of(state).reroll
    assert Reroll not in other_moves(state)


def test_before_the_first_die_is_used_a_player_may_reroll_all_three() -> None:
    events: list[AddressedEvent] = []
    state = rolled(START, "NPP", Settings(dice=SEQUENTIAL, rerolls=2))
    assert dice_of(state).reroll
    assert dice_of(state).rerolls == (2, 2)
    assert Reroll in other_moves(state)
    state = play(state, Reroll(), dice=FixedRandom("PPN"), events=events)
    assert (actor(state), dice_of(state).dice, dice_of(state).used) == (A, "PPN", "...")
    assert dice_of(state).rerolls == (1, 2)
    for viewer in VIEWERS:
        assert Rolled(A, "PPN", again=True) in events_for(events, viewer), "both see it"
    first, second = view(state).rolls
    assert (first.dice, first.again) == ("NPP", False)
    assert (second.dice, second.seat, second.again, second.used) == ("PPN", A, True, "...")


def test_rerolls_run_out_for_each_player_separately() -> None:
    state = rolled(START, "NPP", Settings(dice=SEQUENTIAL, rerolls=1))
    state = play(state, Reroll(), dice=FixedRandom("PPP"))
    assert dice_of(state).rerolls == (0, 1)
    assert refusal(state, Reroll()) is not None
    assert Reroll not in other_moves(state)
    state = play(state, "a2a3", "b2b3", "c2c3", dice=FixedRandom("PPP"))
    assert (actor(state), dice_of(state).reroll) == (B, True)
    state = play(state, Reroll(), dice=FixedRandom("NNN"))
    assert dice_of(state).rerolls == (0, 0)


def test_after_the_first_die_is_used_there_is_no_reroll() -> None:
    state = play(rolled(START, "NPP", Settings(dice=SEQUENTIAL, rerolls=3)), "g1f3")
    assert refusal(state, Reroll()) is not None
    assert not dice_of(state).reroll
    assert refusal(state, Reroll(), B) is Refusal.NOT_YOUR_TURN


def test_neither_the_defender_nor_the_attacker_with_kept_dice_may_reroll() -> None:
    state = interrupted(options=Settings(dice=SEQUENTIAL, rerolls=3))
    assert refusal(state, Reroll()) is not None
    assert refusal(play(state, "e8e7"), Reroll()) is not None


def test_a_reroll_that_cannot_be_used_passes_the_turn() -> None:
    state = rolled(START, "NPP", Settings(dice=SEQUENTIAL, rerolls=1))
    state = play(state, Reroll(), dice=FixedRandom("RQB NNN"))
    assert RULES.to_act(state) == (B,)
    assert [one.used for one in view(state).rolls][1:] == ["---", "..."]


# Free


def test_free_dice_show_kinds_that_could_move_when_they_were_rolled() -> None:
    seen = Counter(dice_of(deal(ANY_ORDER, chance(number))).dice for number in range(800))
    assert set("".join(seen)) == set("PN")
    assert {len(dice) for dice in seen} == {3}
    assert {"".join(sorted(dice)) for dice in seen} == {"PPP", "NPP", "NNP", "NNN"}
    # Three independent dice of two kinds: three alike once in four rolls.
    alike = sum(count for dice, count in seen.items() if len(set(dice)) == 1)
    assert 150 <= alike <= 250


def test_free_dice_show_the_king_at_most_once() -> None:
    seen = set()
    for number in range(300):
        state = game_at(PAWN, ANY_ORDER, dice=chance(number))
        seen.add(dice_of(state).dice)
    assert {"".join(sorted(dice)) for dice in seen} == {"PPP", "KPP"}


def test_free_dice_of_a_side_whose_king_alone_can_move_are_for_the_king() -> None:
    state = game_at("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", ANY_ORDER, dice=chance(3))
    assert set(dice_of(state).dice) == {"K"}
    assert legal(state) == moves_of("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", "K")


def test_free_dice_may_be_used_in_any_order() -> None:
    state = rolled(START, "PNP", ANY_ORDER)
    assert dice_of(state).current == -1
    assert legal(state) == moves_of(START)
    state = play(state, "g1f3")
    assert dice_of(state).used == ".x."
    assert {uci[1] for uci in legal(state)} == {"2"}
    state = play(state, "e2e4")
    assert dice_of(state).used.count("x") == 2
    assert actor(state) == A


def test_with_free_dice_the_king_needs_a_king_die() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1"
    state = rolled(fen, "PPN", ANY_ORDER)
    assert legal(state) == moves_of(fen, "PN")
    assert refusal(state, "e1d1") is Refusal.ILLEGAL
    state = rolled(fen, "PKN", ANY_ORDER)
    assert legal(state) == moves_of(fen)
    state = play(state, "e1d1")
    assert dice_of(state).used == ".x."
    assert legal(state) == moves_of(view(state).fen, "PN")


def test_a_free_die_that_can_no_longer_be_used_is_dropped() -> None:
    state = play(rolled("4k3/8/8/8/4p3/8/4P3/4K1N1 w - - 0 1", "PPN", ANY_ORDER), "e2e3")
    assert dice_of(state).used == "x-."
    assert legal(state) == moves_of(view(state).fen, "N")


def test_when_no_free_die_is_usable_the_turn_passes() -> None:
    state = play(rolled("4k3/7p/8/8/4p3/8/4P3/4K1N1 w - - 0 1", "PPP", ANY_ORDER), "e2e3", dice=chance(2))
    assert RULES.to_act(state) == (B,)
    assert dice_of(state).owner == B
    assert view(state).rolls[0].used == "x--"


def test_free_dice_cannot_be_skipped() -> None:
    assert refusal(rolled(START, "PNP", ANY_ORDER), Skip()) is not None


def test_a_check_interrupts_free_dice_as_well() -> None:
    state = play(rolled(ROOK, "NRN", ANY_ORDER), "a1a8", dice=FixedRandom())
    assert (RULES.to_act(state), dice_of(state).used, dice_of(state).free) == ((B,), ".x.", True)
    assert legal(state) == moves_of(view(state).fen)
    state = play(state, "e8e7", dice=FixedRandom())
    assert (RULES.to_act(state), dice_of(state).used, dice_of(state).free) == ((A,), ".x.", False)
    assert legal(state) == moves_of(view(state).fen, "N")


def test_free_dice_rolled_in_check_are_of_kinds_that_can_answer_it() -> None:
    for number in range(20):
        state = game_at(BACK_RANK, ANY_ORDER, dice=chance(number))
        assert dice_of(state).dice == "RRR"
        assert legal(state) == {"f5f1"}


# Chance


def test_the_same_seed_rolls_the_same_dice_and_the_random_position_advances() -> None:
    def run(number: int) -> list[str]:
        dice, rolls = chance(number), []
        state = deal(DICE, dice)
        for _ in range(30):
            if not RULES.to_act(state):
                break
            moves = RULES.legal(state, actor(state))
            state = RULES.play(state, actor(state), moves[0], dice).state
        rolls += [one.dice for one in view(state).rolls]
        return rolls

    assert run(7) == run(7)
    assert run(7) != run(8)


def test_a_roll_can_be_computed_from_the_seed_by_hand() -> None:
    for number in range(20):
        ours, theirs = chance(number), chance(number)
        assert view(deal(DICE, ours)).rolls[0].dice == "".join(DIE_KINDS[theirs.below(5)] for _ in range(3))


def test_mines_are_drawn_before_the_first_roll() -> None:
    for number in range(10):
        with_mines = Random(bytes([number]) * 32)
        assert len(view(deal(Settings(dice=SEQUENTIAL, mines=5), with_mines)).rolls[0].dice) == 3
        assert with_mines.position >= 8


# The seats


def test_the_first_roll_is_for_white() -> None:
    state = deal(Settings(dice=SEQUENTIAL, white=Seat(1)), FixedRandom("PPP"))
    assert RULES.to_act(state) == (B,)
    assert (dice_of(state).owner, view(state).white) == (B, B)


def test_nothing_is_taken_back_at_a_table_with_dice() -> None:
    state = play(rolled(START, "NPP"), "g1f3")
    assert RULES.undo(state, A) is None
    assert RULES.undo(state, B) is None


# Random games

TestSequential = machine(DICE)
TestRerolls = machine(Settings(dice=SEQUENTIAL, rerolls=3))
TestFree = machine(ANY_ORDER)
