"""Chess in the fog, with mines and dice beside it."""

import chess

from qipai.games.chess.state import State
from qipai.games.chess.wire_types import DiceChanged, Exploded, LandedOnNumber, Settings
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SPECTATOR

from .chess_fogged import FOG, foggy
from .chess_machine import machine
from .chess_table import (
    SEQUENTIAL,
    START,
    VIEWERS,
    A,
    B,
    Loaded,
    encode,
    hand,
    heard,
    legal,
    play,
    stand,
    view,
)
from .chess_twins import side_of, sight

# With mines


def blown(viewer_fen: str, mines: str, uci: str) -> tuple[State, list[AddressedEvent]]:
    """Return a game in the fog after a move, and what was told of it."""
    told: list[AddressedEvent] = []
    options = Settings(fog=True, mines=len(mines.split()))
    return play(stand(viewer_fen, options, mines=mines), uci, told=told), told


def test_an_explosion_is_heard_by_all_and_its_number_only_where_the_square_is_seen() -> None:
    state, told = blown(START, "e4 d5 f5", "e2e4")
    for viewer in VIEWERS:
        (bang,) = (one for one in heard(told, viewer) if isinstance(one, Exploded))
        assert (bang.square, bang.left) == ("e4", 2)
        assert bang.piece == ("P" if viewer == A else "")
    # The pawn is gone: d1, e1 and f1 now look along other lines, but none of them reaches e4.
    for viewer in VIEWERS:
        numbers = [one for one in heard(told, viewer) if isinstance(one, LandedOnNumber)]
        sees = viewer != SPECTATOR and chess.E4 in sight(state.fen, side_of(state, viewer)).squares
        assert bool(numbers) is sees
        shown = view(state, viewer).minefield
        assert shown is not None
        assert bool(shown.numbers) is sees


def test_a_number_is_shown_to_whoever_sees_its_square() -> None:
    state, told = blown(START, "d5 f5", "e2e4")
    assert LandedOnNumber("e4", 2) in heard(told, A)
    assert not [one for one in heard(told, B) if isinstance(one, LandedOnNumber)]
    assert not [one for one in heard(told, SPECTATOR) if isinstance(one, LandedOnNumber)]
    for viewer, count in ((A, 1), (B, 0), (SPECTATOR, 0)):
        shown = view(state, viewer).minefield
        assert shown is not None
        assert len(shown.numbers) == count


def test_the_piece_that_went_up_is_shown_to_its_owner_and_to_whoever_took_part() -> None:
    state, _ = blown("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", "a4", "a1a4")
    for viewer in VIEWERS:
        shown = view(state, viewer).minefield
        assert shown is not None
        (blast,) = shown.explosions
        assert (blast.ply, blast.square) == (1, "a4")
    own = view(state, A).minefield
    assert own is not None
    assert own.explosions[0].piece == "R"
    assert view(state, A).taken == "R"
    other = view(state, B).minefield
    assert other is not None
    assert other.explosions[0].piece == ""
    assert view(state, B).taken == ""


# With dice


def test_sight_does_not_hang_on_the_dice() -> None:
    fen = "4k3/pp6/8/8/8/2N5/PP6/R3K3 w - - 0 1"
    plain = foggy(fen)
    for letters in ("NNN", "RPP", "QQQ"):
        state = stand(fen, Settings(fog=True, dice=SEQUENTIAL), thrown=letters)
        for viewer in (A, B):
            assert view(state, viewer).board == view(plain, viewer).board


def test_the_dice_do_not_say_which_unseen_pieces_can_move() -> None:
    # White throws bishops; whether his bishop or only his king can move is nothing black may know.
    options = Settings(fog=True, dice=SEQUENTIAL)
    free = stand("4k2r/p7/8/8/8/8/8/B3K3 w - - 0 1", options, thrown="BBB")
    shut = stand("4k2r/p7/8/8/8/8/1P6/B3K3 w - - 0 1", options, thrown="BBB")
    assert legal(free) != legal(shut)
    for viewer in (B, SPECTATOR):
        assert encode(view(free, viewer)) == encode(view(shut, viewer))
    assert hand(free, A).movers != hand(shut, A).movers


def test_a_die_that_is_used_does_not_say_how_in_the_fog() -> None:
    options = Settings(fog=True, dice=SEQUENTIAL)
    told: list[AddressedEvent] = []
    start = stand("4k3/8/8/8/8/8/P7/4K1N1 w - - 0 1", options, thrown="NNN")
    play(start, "g1h3", dice=Loaded(), told=told)
    (one,) = (each for each in heard(told, B) if isinstance(each, DiceChanged))
    play(start, "e1d1", dice=Loaded(), told=told)
    (other,) = (each for each in heard(told, B) if isinstance(each, DiceChanged))
    assert encode(one) == encode(other)


TestFog = machine(FOG)
