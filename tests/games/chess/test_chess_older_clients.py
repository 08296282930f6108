"""Chess at tables of older clients: dice that are asked for or brought, and trust."""

from msgspec.structs import replace

from qipai.games.chess.events import Rolled
from qipai.games.chess.rules import RULES
from qipai.games.chess.wire_types import Roll, SetDice, Settings
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.refusals import Refusal

from .chess_table import (
    FREE,
    SEQUENTIAL,
    A,
    B,
    FixedRandom,
    actor,
    deal,
    dice_of,
    events_for,
    game_at,
    legal,
    other_moves,
    play,
    refusal,
    view,
)

DICE = Settings(dice=SEQUENTIAL)
OLDER = Settings(dice=SEQUENTIAL, legacy_rules=True)


def test_an_older_client_asks_for_its_dice_and_others_need_not() -> None:
    state = deal(OLDER, FixedRandom(), sees_hidden=(A,))
    assert (dice_of(state).dice, dice_of(state).movers, legal(state)) == ("", "", set())
    assert other_moves(state) == {Roll}
    assert refusal(state, "e2e4") is Refusal.ILLEGAL
    assert dice_of(deal(OLDER, FixedRandom("PPP"), sees_hidden=(B,))).dice == "PPP"


def test_indices_that_are_too_large_wrap_and_only_one_king_is_rolled() -> None:
    events: list[AddressedEvent] = []
    state = play(deal(OLDER, sees_hidden=(A,)), Roll(6), dice=FixedRandom([5, 2, 1]), events=events)
    assert events_for(events, B)[0] == Rolled(A, "NPN", picks=(5, 2, 1))
    assert (dice_of(state).current, dice_of(state).dice) == (-1, "NPN")
    assert refusal(state, Roll()) is Refusal.ILLEGAL
    assert refusal(state, SetDice("PPP")) is Refusal.ILLEGAL
    kings = game_at("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", OLDER, sees_hidden=(A,))
    assert dice_of(play(kings, Roll(2), dice=FixedRandom([1, 1, 0]))).dice == "KPP"
    assert dice_of(play(kings, Roll(), dice=FixedRandom([0, 1, 1]))).dice == "PKP"


def test_dice_that_a_client_brings_are_used_from_left_to_right() -> None:
    events: list[AddressedEvent] = []
    state = play(
        deal(replace(OLDER, dice=FREE), sees_hidden=(A,)), SetDice("NPB"), dice=FixedRandom(), events=events
    )
    assert events_for(events, B)[0] == Rolled(A, "NPB", brought=True)
    assert (dice_of(state).current, dice_of(state).movers) == (0, "N")
    state = play(deal(OLDER, sees_hidden=(A, B)), SetDice("QRB"), dice=FixedRandom())
    assert (actor(state), dice_of(state).dice, dice_of(state).owner) == (B, "", B), "no die was of use"


def test_only_an_older_client_sets_dice() -> None:
    state = deal(OLDER, sees_hidden=(A,))
    assert refusal(replace(state, sees_hidden=()), SetDice("PPP")) is Refusal.ILLEGAL
    assert refusal(deal(DICE), SetDice("PPP")) is Refusal.ILLEGAL


def test_unchecked_moves_are_checked_for_turns_and_squares_only() -> None:
    state = deal(Settings(unchecked_moves=True, legacy_rules=True))
    assert view(play(state, "e2e2")).fen.split()[:2] == [state.fen.split()[0], "b"], "whatever they call it"
    assert refusal(state, "a7a6", B) is Refusal.NOT_YOUR_TURN
    state = play(state, "a1h8", "e4e5", "e1e8")
    assert view(state).fen == "rnbqKbnR/pppppppp/8/8/8/8/PPPPPPPP/1NBQ1BNR b KQkq - 0 2"
    assert (RULES.outcome(state), view(state).taken, actor(state)) == (None, "rk", B)
    assert view(play(state, "a7a1q", "a2a3")).fen.split()[0].endswith("/qNBQ1BNR")


def test_an_unchecked_move_uses_a_die_whatever_moves() -> None:
    state = deal(Settings(dice=SEQUENTIAL, unchecked_moves=True), FixedRandom("QQQ"))
    state = play(state, "a2a5", "e1e5", dice=FixedRandom())
    assert (actor(state), dice_of(state).used) == (A, "xx.")
    state = play(state, "a1a2", dice=FixedRandom("PPP"))
    assert (actor(state), dice_of(state).owner) == (B, B)
