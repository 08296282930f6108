"""Chess at tables of older clients: dice that are asked for or brought, and trust."""

from msgspec.structs import replace

from qipai.games.chess.rules import RULES
from qipai.games.chess.wire_types import Roll, Rolled, SetDice, Settings
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.refusals import Refusal

from .chess_table import (
    FREE,
    SEQUENTIAL,
    A,
    B,
    Loaded,
    actor,
    deal,
    hand,
    heard,
    legal,
    play,
    refusal,
    stand,
    view,
    wordless,
)

DICE = Settings(dice=SEQUENTIAL)
OLDER = Settings(dice=SEQUENTIAL, older=True)


def test_an_older_client_asks_for_its_dice_and_others_need_not() -> None:
    state = deal(OLDER, Loaded(), seers=(A,))
    assert (hand(state).dice, hand(state).movers, legal(state)) == ("", "", set())
    assert wordless(state) == {Roll}
    assert refusal(state, "e2e4") is Refusal.ILLEGAL
    assert hand(deal(OLDER, Loaded("PPP"), seers=(B,))).dice == "PPP"


def test_indices_that_are_too_large_go_round_and_only_one_king_is_thrown() -> None:
    told: list[AddressedEvent] = []
    state = play(deal(OLDER, seers=(A,)), Roll(6), dice=Loaded([5, 2, 1]), told=told)
    assert heard(told, B)[0] == Rolled(A, "NPN", picks=(5, 2, 1))
    assert (hand(state).current, hand(state).dice) == (-1, "NPN")
    assert refusal(state, Roll()) is Refusal.ILLEGAL
    assert refusal(state, SetDice("PPP")) is Refusal.ILLEGAL
    kings = stand("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", OLDER, seers=(A,))
    assert hand(play(kings, Roll(2), dice=Loaded([1, 1, 0]))).dice == "KPP"
    assert hand(play(kings, Roll(), dice=Loaded([0, 1, 1]))).dice == "PKP"


def test_dice_that_a_client_brings_are_used_from_left_to_right() -> None:
    told: list[AddressedEvent] = []
    state = play(deal(replace(OLDER, dice=FREE), seers=(A,)), SetDice("NPB"), dice=Loaded(), told=told)
    assert heard(told, B)[0] == Rolled(A, "NPB", brought=True)
    assert (hand(state).current, hand(state).movers) == (0, "N")
    state = play(deal(OLDER, seers=(A, B)), SetDice("QRB"), dice=Loaded())
    assert (actor(state), hand(state).dice, hand(state).owner) == (B, "", B), "no die was of use"


def test_only_an_older_client_brings_dice() -> None:
    state = deal(OLDER, seers=(A,))
    assert refusal(replace(state, seers=()), SetDice("PPP")) is Refusal.ILLEGAL
    assert refusal(deal(DICE), SetDice("PPP")) is Refusal.ILLEGAL


def test_a_trusting_table_checks_turns_and_squares_only() -> None:
    state = deal(Settings(trusting=True, older=True))
    assert view(play(state, "e2e2")).fen.split()[:2] == [state.fen.split()[0], "b"], "whatever they call it"
    assert refusal(state, "a7a6", B) is Refusal.NOT_YOUR_TURN
    state = play(state, "a1h8", "e4e5", "e1e8")
    assert view(state).fen == "rnbqKbnR/pppppppp/8/8/8/8/PPPPPPPP/1NBQ1BNR b KQkq - 0 2"
    assert (RULES.outcome(state), view(state).taken, actor(state)) == (None, "rk", B)
    assert view(play(state, "a7a1q", "a2a3")).fen.split()[0].endswith("/qNBQ1BNR")


def test_a_trusting_table_with_dice_uses_a_die_for_whatever_moves() -> None:
    state = deal(Settings(dice=SEQUENTIAL, trusting=True), Loaded("QQQ"))
    state = play(state, "a2a5", "e1e5", dice=Loaded())
    assert (actor(state), hand(state).used) == (A, "xx.")
    state = play(state, "a1a2", dice=Loaded("PPP"))
    assert (actor(state), hand(state).owner) == (B, B)
