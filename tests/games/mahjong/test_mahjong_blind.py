"""What is hidden from a player of mahjong changes no view, event or refusal."""

from collections.abc import Iterator

import msgspec
import pytest

from qipai.games.mahjong.events import Drew, HandEnded, HandStarted
from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.rules import RULES
from qipai.games.mahjong.state import State
from qipai.games.mahjong.wire_types import (
    AnyMove,
    Chow,
    Discard,
    Flowers,
    Hu,
    Kong,
    Pass,
    Pong,
    Settings,
    Size,
    Stage,
)
from qipai.kernel.game_interface.rules_interface import AddressedEvent, IllegalCommand
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random

from .mahjong_twins import scramble
from .mahjong_walls import SEATS, anything, eager, held, idle, play, table, tiles_are_conserved, waiting

VIEWERS = (*SEATS, SPECTATOR)
TABLES = (
    Settings(rounds=1),
    Settings(tiles=Size.SIXTEEN, manual_steps=True),
    Settings(flowers=Flowers.KEEP),
    Settings(house=HouseRules(orphans_rob_concealed=True, declare_ting=True, passed_hu="until_change")),
)
OWN: tuple[AnyMove, ...] = (Pass(), Pong(), Kong(), Hu(), *(Kong(4 * kind) for kind in range(34)))


def moments(number: int, count: int) -> Iterator[tuple[State, Seat, AnyMove]]:
    """Yield steps of a game: the state, and the move made in it."""
    dice, choices = Random(bytes([number, 7]) * 16), Random(bytes([number, 9]) * 16)
    state = RULES.deal(TABLES[number % len(TABLES)], dice)
    for step in range(count):
        acting = waiting(state)
        if not acting:
            return
        seat = acting[choices.below(len(acting))]
        move = (anything if step % 5 == 0 else eager)(state, seat, choices)
        yield state, seat, move
        state = RULES.play(state, seat, move, dice).state


def events_for(events: tuple[AddressedEvent, ...], viewer: Seat) -> list[AddressedEvent]:
    return [one for one in events if one.to is None or viewer in one.to]


def tells(events: list[AddressedEvent], viewer: Seat) -> bool:
    """Tell whether a viewer may learn hidden tiles: by its draw, or as a hand starts or ends."""
    return any(
        isinstance(one.event, HandEnded | HandStarted)
        or (isinstance(one.event, Drew) and (one.event.seat == viewer or one.event.empty))
        for one in events
    )


@pytest.mark.parametrize("number", range(4))
def test_no_viewer_can_tell_two_games_apart_by_hidden_parts(number: int) -> None:
    changed = 0
    for count, (state, _, _) in enumerate(moments(number, 250)):
        for viewer in VIEWERS:
            twin = scramble(state, viewer, Random(bytes([count % 256, viewer % 256]) * 16), keep=())
            tiles_are_conserved(twin)
            changed += twin != state
            assert msgspec.json.encode(RULES.view(twin, viewer)) == msgspec.json.encode(
                RULES.view(state, viewer)
            )
            assert RULES.to_act(twin) == RULES.to_act(state)
            if viewer in SEATS:
                assert RULES.legal(twin, viewer) == RULES.legal(state, viewer)
    assert changed > 500


@pytest.mark.parametrize("number", range(4))
def test_no_viewer_is_told_what_is_hidden_from_it(number: int) -> None:
    compared = 0
    for count, (state, seat, move) in enumerate(moments(number, 250)):
        claiming = state.stage is Stage.CLAIMING
        keep = set(SEATS) - {state.turn} if claiming else {seat}
        turn = RULES.play(state, seat, move, Random(bytes(32)))
        for viewer in VIEWERS:
            twin = scramble(state, viewer, Random(bytes([count % 256, 3]) * 16), keep=keep, flowers=False)
            other = RULES.play(twin, seat, move, Random(bytes(32)))
            ours, theirs = events_for(turn.events, viewer), events_for(other.events, viewer)
            if tells(ours, viewer) or tells(theirs, viewer):
                continue
            compared += twin != state
            assert msgspec.json.encode(ours) == msgspec.json.encode(theirs)
            assert (turn.ends_decision, turn.changes_position) == (
                other.ends_decision,
                other.changes_position,
            )
    assert compared > 500


@pytest.mark.parametrize("number", range(4))
def test_a_refusal_depends_on_nothing_hidden(number: int) -> None:
    for count, (state, _, _) in enumerate(moments(number, 120)):
        for viewer in SEATS:
            twin = scramble(state, viewer, Random(bytes([count % 256, 5]) * 16), keep=())
            tiles = state.seat_tiles[viewer].tiles
            moves = (*OWN, Discard(count), *(Chow((tile, tiles[-1])) for tile in tiles))
            for move in moves:
                assert verdict(state, viewer, move) == verdict(twin, viewer, move)


def verdict(state: State, seat: Seat, move: AnyMove) -> str:
    try:
        RULES.play(state, seat, move, Random(bytes(32)))
    except IllegalCommand as refusal:
        return refusal.code
    return ""


@pytest.mark.parametrize("number", range(4))
def test_scrambling_changes_what_another_viewer_sees(number: int) -> None:
    for state, _, _ in moments(number, 60):
        if not state.wall or state.stage in (Stage.HAND_OVER, Stage.GAME_OVER):
            continue
        for viewer in VIEWERS:
            twins = [scramble(state, viewer, Random(bytes([count]) * 32)) for count in range(6)]
            for twin in twins:
                tiles_are_conserved(twin)
            others = [seat for seat in SEATS if seat != viewer]
            assert any(RULES.view(twin, seat) != RULES.view(state, seat) for twin in twins for seat in others)


def test_a_concealed_kong_is_a_secret_too() -> None:
    state = idle(table({1: "666s19m19p1sESWNR"}, extra="N", front="6s"))
    state = play(state, 1, Kong(held(state, 1, "6s")))
    twins = [scramble(state, Seat(3), Random(bytes([count]) * 32), keep=()) for count in range(6)]
    kinds = {twin.seat_tiles[1].melds[0].tiles[0] for twin in twins}
    assert len(kinds) > 1
    for twin in twins:
        tiles_are_conserved(twin)
        assert RULES.view(twin, Seat(3)) == RULES.view(state, Seat(3))


def test_no_public_word_ever_holds_a_hidden_tile() -> None:
    for state, _, _ in moments(1, 200):
        if not state.wall or state.stage in (Stage.HAND_OVER, Stage.GAME_OVER):
            continue
        view = RULES.view(state, SPECTATOR)
        assert view.private is None
        shown = {
            *view.wall,
            *(tile for player in view.players for tile in player.tiles),
            *(tile for player in view.players for one in player.melds for tile in one.tiles),
            *(tile for player in view.players for tile in player.flowers),
            *(drop.tile for player in view.players for drop in player.discards),
        }
        hidden = {tile for holding in state.seat_tiles for tile in holding.tiles}
        assert not shown & (hidden | set(state.wall[state.front : state.back]))
