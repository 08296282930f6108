"""Chess in the fog, with mines and dice beside it."""

import chess

from qipai.games.chess.events import DiceChanged, Exploded, LandedOnNumber
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import Settings
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SPECTATOR
from tests.games.chess.chess_fog_views import FOG, foggy
from tests.games.chess.chess_machine import machine
from tests.games.chess.chess_table import (
    SEQUENTIAL,
    START,
    VIEWERS,
    A,
    B,
    FixedRandom,
    dice_of,
    encode,
    events_for,
    game_at,
    legal,
    play,
    view,
)
from tests.games.chess.chess_twins import side_of, sight

# With mines


def blown(viewer_fen: str, mines: str, uci: str) -> tuple[State, list[AddressedEvent]]:
    """Return a game in fog after a move, and the events of the move."""
    events: list[AddressedEvent] = []
    options = Settings(fog=True, mines=len(mines.split()))
    return play(game_at(viewer_fen, options, mines=mines), uci, events=events), events


def test_an_explosion_is_heard_by_all_and_its_number_only_where_the_square_is_seen() -> None:
    state, events = blown(START, "e4 d5 f5", "e2e4")
    for viewer in VIEWERS:
        (bang,) = (one for one in events_for(events, viewer) if isinstance(one, Exploded))
        assert (bang.square, bang.left) == ("e4", 2)
        assert bang.piece == ("P" if viewer == A else "")
    # The pawn is gone: d1, e1 and f1 now look along other lines, but none of them reaches e4.
    for viewer in VIEWERS:
        numbers = [one for one in events_for(events, viewer) if isinstance(one, LandedOnNumber)]
        sees = viewer != SPECTATOR and chess.E4 in sight(state.fen, side_of(state, viewer)).squares
        assert bool(numbers) is sees
        shown = view(state, viewer).minefield
        assert shown is not None
        assert bool(shown.numbers) is sees


def test_a_mine_count_is_shown_to_viewers_who_see_its_square() -> None:
    state, events = blown(START, "d5 f5", "e2e4")
    assert LandedOnNumber("e4", 2) in events_for(events, A)
    assert not [one for one in events_for(events, B) if isinstance(one, LandedOnNumber)]
    assert not [one for one in events_for(events, SPECTATOR) if isinstance(one, LandedOnNumber)]
    for viewer, count in ((A, 1), (B, 0), (SPECTATOR, 0)):
        shown = view(state, viewer).minefield
        assert shown is not None
        assert len(shown.numbers) == count


def test_the_exploded_piece_is_shown_to_its_owner_and_to_viewers_who_saw_the_square() -> None:
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
        state = game_at(fen, Settings(fog=True, dice=SEQUENTIAL), rolled=letters)
        for viewer in (A, B):
            assert view(state, viewer).board == view(plain, viewer).board


def test_the_dice_do_not_say_which_unseen_pieces_can_move() -> None:
    # White rolls bishops; black may not learn whether the bishop or only the king can move.
    options = Settings(fog=True, dice=SEQUENTIAL)
    free = game_at("4k2r/p7/8/8/8/8/8/B3K3 w - - 0 1", options, rolled="BBB")
    shut = game_at("4k2r/p7/8/8/8/8/1P6/B3K3 w - - 0 1", options, rolled="BBB")
    assert legal(free) != legal(shut)
    for viewer in (B, SPECTATOR):
        assert encode(view(free, viewer)) == encode(view(shut, viewer))
    assert dice_of(free, A).movers != dice_of(shut, A).movers


def test_a_die_that_is_used_does_not_say_how_in_the_fog() -> None:
    options = Settings(fog=True, dice=SEQUENTIAL)
    events: list[AddressedEvent] = []
    start = game_at("4k3/8/8/8/8/8/P7/4K1N1 w - - 0 1", options, rolled="NNN")
    play(start, "g1h3", dice=FixedRandom(), events=events)
    (one,) = (each for each in events_for(events, B) if isinstance(each, DiceChanged))
    play(start, "e1d1", dice=FixedRandom(), events=events)
    (other,) = (each for each in events_for(events, B) if isinstance(each, DiceChanged))
    assert encode(one) == encode(other)


TestFog = machine(FOG)
