"""Chess: what is hidden from a viewer changes no byte of its views, events and refusals."""

from collections import Counter
from typing import Any

import chess
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from qipai.games.chess.rules import RULES
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import ClaimDraw, Move, Reroll, Settings, Skip
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SPECTATOR, Seat
from tests.games.chess.chess_fog_views import FOG
from tests.games.chess.chess_machine import whole_game
from tests.games.chess.chess_table import (
    FREE,
    SEQUENTIAL,
    VIEWERS,
    chance,
    encode,
    events_for,
    legal,
    play,
    refusal,
    view,
)
from tests.games.chess.chess_twins import scramble, side_of, sight


def views_of(state: State, seat: Seat) -> bytes:
    return encode(view(state, seat))


def foggy_game(options: Settings, number: int, length: int) -> State | None:
    """Return a position in the middle of a random game, or None if it ended before."""
    game = whole_game(options, number, length)
    return game.state if RULES.to_act(game.state) else None


def knowing(before: State, after: State, uci: str, viewer: Seat) -> tuple[Any, ...] | None:
    """Return what a viewer may know of a move: if this is equal, the events must be equal.

    None where it ends the game, which lifts the fog.
    """
    if RULES.outcome(after) is not None:
        return None
    dice = [(one.seat, one.dice, one.used) for one in view(after, viewer).rolls]
    check = after.check if after.dice is not None else None
    if not after.options.fog:
        assert after.mines is not None
        numbers = [around(name, after.mines.unexploded) for name in after.mines.visited]
        return (uci, after.fen, numbers)
    if viewer == SPECTATOR:
        return (before.turn, after.turn, dice, check, quick(before, after, viewer, uci))
    side = side_of(after, viewer)
    now = sight(after.fen, side)
    own = before.turn == viewer
    text = uci if own or chess.parse_square(uci[2:4]) in now.squares else ""
    taken = own and len(after.taken) > len(before.taken)
    return (
        before.turn,
        after.turn,
        now,
        text,
        taken and after.taken,
        dice,
        check,
        after.draw_claim if after.turn == viewer else "",
        quick(before, after, viewer, uci),
    )


def around(name: str, mines: tuple[str, ...]) -> int:
    """Count the mines among the neighbours of a square."""
    here = chess.parse_square(name)
    return sum(chess.square_distance(here, chess.parse_square(mine)) == 1 for mine in mines)


def quick(before: State, after: State, viewer: Seat, uci: str) -> tuple[Any, ...]:
    """Return what an explosion tells: where, what if it was one's own, and numbers that can be seen."""
    if before.mines is None or after.mines is None:
        return ()
    lit = sight(after.fen, side_of(after, viewer)).squares if viewer != SPECTATOR else frozenset()
    numbers = tuple(
        (name, around(name, after.mines.unexploded))
        for name in after.mines.visited
        if chess.parse_square(name) in lit
    )
    bang = len(after.mines.explosions) - len(before.mines.explosions)
    return (
        numbers,
        uci[2:4] if bang else "",
        after.taken[-1:] if bang and before.turn == viewer else "",
        len(after.mines.unexploded),
    )


BLIND = {
    "fog": FOG,
    "mines": Settings(mines=6),
    "fog mines": Settings(fog=True, mines=6),
    "sequential fog": Settings(fog=True, dice=SEQUENTIAL),
    "sequential fog mines": Settings(fog=True, dice=SEQUENTIAL, mines=5),
    "free fog": Settings(fog=True, dice=FREE),
}


@pytest.mark.parametrize("name", BLIND)
@settings(max_examples=25)
@given(number=st.integers(0, 2**32), length=st.integers(0, 50))
def test_what_is_hidden_from_a_viewer_changes_no_byte_for_it(name: str, number: int, length: int) -> None:
    state = foggy_game(BLIND[name], number, length)
    if state is None:
        return
    for viewer in VIEWERS:
        twin = scramble(state, viewer, chance(number))
        if twin == state:
            continue
        event("another game")
        assert views_of(twin, viewer) == views_of(state, viewer)
        if viewer != SPECTATOR:
            assert set(RULES.legal(twin, viewer)) == set(RULES.legal(state, viewer))
            same_refusals(state, twin, viewer, number)
        same_events(state, twin, viewer)


def same_refusals(state: State, twin: State, viewer: Seat, number: int) -> None:
    rng = chance(number + 1)
    probes = [move.uci() for move in chess.Board(state.fen).pseudo_legal_moves]
    probes += [
        chess.SQUARE_NAMES[rng.below(64)] + chess.SQUARE_NAMES[rng.below(64)] + ("", "q")[rng.below(2)]
        for _ in range(30)
    ]
    for uci in probes:
        if Move(uci) not in RULES.legal(state, viewer):
            assert refusal(twin, uci, viewer) == refusal(state, uci, viewer) is not None
    for other in (Skip(), Reroll(), ClaimDraw()):
        assert (refusal(twin, other, viewer) is None) is (refusal(state, other, viewer) is None)


def same_events(state: State, twin: State, viewer: Seat) -> None:
    """A viewer that may know the same of two moves gets the same events of them."""
    by_knowledge: dict[Any, tuple[bytes, bytes, str]] = {}
    for one in (state, twin):
        for uci in sorted(legal(one))[:12]:
            events: list[AddressedEvent] = []
            after = play(one, uci, dice=chance(9), events=events)
            known = knowing(one, after, uci, viewer)
            if known is None:
                continue
            said = (encode(events_for(events, viewer)), views_of(after, viewer))
            first = by_knowledge.setdefault(repr(known), (*said, uci))
            assert first[:2] == said, (first[2], uci)


@pytest.mark.parametrize("name", BLIND)
def test_scrambling_really_changes_something(name: str) -> None:
    changed = Counter[Seat]()
    for number in range(12):
        state = foggy_game(BLIND[name], number, 16)
        if state is None:
            continue
        for viewer in VIEWERS:
            twin = scramble(state, viewer, chance(number))
            if twin == state:
                continue
            changed[viewer] += 1
            if state.options.fog and viewer != SPECTATOR:
                other = Seat(1 - viewer)
                assert twin.fen == state.fen or views_of(twin, other) != views_of(state, other)
    assert all(changed[viewer] >= 4 for viewer in VIEWERS), changed
