"""Mahjong tables with prepared walls, players of little thought, and where all 144 tiles must be."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.games.mahjong import tile_dealing
from qipai.games.mahjong.hands.hand_notation import read_kinds
from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.rules import RULES
from qipai.games.mahjong.scoring.payments import Deal as Place
from qipai.games.mahjong.state import State, drawable
from qipai.games.mahjong.state import with_seat_tiles as changed
from qipai.games.mahjong.tiles import kind_of, tiles_of
from qipai.games.mahjong.wire_types import (
    AnyMove,
    Chow,
    Discard,
    DiscardedTile,
    Hu,
    Kong,
    Pass,
    Pong,
    PrivateView,
    Settings,
    Size,
    Stage,
)
from qipai.kernel.game_interface.rules_interface import IllegalCommand, MoveResult
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

SEATS = (Seat(0), Seat(1), Seat(2), Seat(3))
ORDER = [(place * 5) % 34 for place in range(34)]
"""Kinds far from each other, so that unspecified tiles make no sets."""


def named(text: str) -> list[int]:
    """Return the kinds that a text names, in order; flowers are a word of their own: "123mE f18 5p"."""
    found: list[int] = []
    for word in text.split():
        found += [33 + int(digit) for digit in word[1:]] if word[0] == "f" else read_kinds(word)
    return found


def kind(text: str) -> int:
    """Return the one kind that a text names."""
    (found,) = named(text)
    return found


def table(
    hands: Mapping[int, str],
    *,
    extra: str = "",
    front: str = "",
    back: str = "",
    left: int | None = None,
    dealer: int = 0,
    place: int = 0,
    streak: int = 0,
    size: int = 13,
    opening: tuple[int, ...] = (),
    house: HouseRules | None = None,
    **options: Any,
) -> State:
    """Return a hand just dealt: these tiles to the seats, `extra` to the dealer, then what comes from where.

    What is not asked for is filled with tiles that do not go together; flowers come last of all. With
    `left` only so many tiles are left to draw.
    """
    wall = stacked(hands, extra, front, back, dealer, size)
    settings = Settings(tiles=Size(size), house=house or HouseRules(), **options)
    state = State(
        Stage.DEALING, settings, Place(place, Seat(dealer), streak), turn=Seat(dealer), opening=opening
    )
    state = tile_dealing.deal_wall(state, wall)
    if left is None:
        return state
    return shortened(state, left)


def shortened(state: State, left: int) -> State:
    """Return the table with tiles from the middle of the wall already put down by the dealer's left."""
    gone = drawable(state) - left
    start = state.front + (left + 1) // 2
    taken = state.wall[start : start + gone]
    wall = (*taken, *state.wall[:start], *state.wall[start + gone :])
    state = replace(state, wall=wall, front=state.front + gone)
    seat = Seat((state.deal.dealer + 3) % 4)
    return changed(state, seat, discards=tuple(DiscardedTile(tile) for tile in taken))


def stacked(
    hands: Mapping[int, str], extra: str, front: str, back: str, dealer: int, size: int
) -> tuple[int, ...]:
    """Return a wall from which these tiles come."""
    free = {kind: list(tiles_of(kind)) for kind in range(42)}
    places: dict[int, int] = {}
    for seat, places_of in seat_places(dealer, size).items():
        text = hands.get(seat, "")
        wanted = named(text)
        assert len(wanted) <= size, text
        places |= dict(zip(places_of, wanted, strict=False))
    first = 4 * size
    assert len(named(extra)) <= 1, extra
    after = named(extra) + named(front)
    start = first if extra else first + 1
    places |= {start + number: one for number, one in enumerate(after)}
    places |= {143 - number: one for number, one in enumerate(named(back))}
    wall: list[int] = [-1] * 144
    for index, one in places.items():
        wall[index] = free[one].pop(0)
    rest = spare(free)
    holes = [index for index in range(144) if wall[index] < 0]
    # Unspecified flowers are in the middle of the wall, far from both ends.
    for index, tile in zip([*holes[:-40], *holes[-30:], *holes[-40:-30]], rest, strict=True):
        wall[index] = tile
    assert sorted(wall) == list(range(144))
    return tuple(wall)


def spare(free: Mapping[int, list[int]]) -> Iterator[int]:
    """Yield the tiles that are left, no two of a kind in sight of each other, flowers last."""
    for copy in range(4):
        for one in ORDER:
            if len(free[one]) > copy:
                yield free[one][copy]
    for one in range(34, 42):
        yield from free[one]


def seat_places(dealer: int, size: int) -> dict[int, list[int]]:
    """Return which places of the wall are dealt to each seat, written down from the norm."""
    found: dict[int, list[int]] = {seat: [] for seat in range(4)}
    place = 0
    rounds = [4, 4, 4, 1] if size == 13 else [4, 4, 4, 4]
    for count in rounds:
        for turn in range(4):
            found[(dealer + turn) % 4] += range(place, place + count)
            place += count
    return found


def held(state: State, seat: int, text: str) -> int:
    """Return a tile of this kind in a seat's hand."""
    return next(tile for tile in state.seat_tiles[seat].tiles if kind_of(tile) == kind(text))


def kinds_held(state: State, seat: int) -> Counter[int]:
    """Return the kinds in a seat's hand."""
    return Counter(kind_of(tile) for tile in state.seat_tiles[seat].tiles)


def play(state: State, seat: int, move: AnyMove, dice: Random | None = None) -> State:
    """Return the state after a move."""
    after: State = turn(state, seat, move, dice).state
    return after


def turn(state: State, seat: int, move: AnyMove, dice: Random | None = None) -> MoveResult:
    """Return what a move leads to."""
    return RULES.play(state, Seat(seat), move, dice or Random(bytes(32)))


def drop(state: State, seat: int, text: str) -> State:
    """Return the state after a discard of this kind."""
    return play(state, seat, Discard(held(state, seat, text)))


def chow(state: State, seat: int, text: str) -> Chow:
    """Return the chow with two tiles of these kinds."""
    one, other = named(text)
    tiles = state.seat_tiles[seat].tiles
    return Chow(
        (
            next(tile for tile in tiles if kind_of(tile) == one),
            next(tile for tile in tiles if kind_of(tile) == other),
        )
    )


def waiting(state: State) -> tuple[Seat, ...]:
    """Return who may act and has not answered; answers can be changed, but not for ever."""
    return tuple(seat for seat in RULES.to_act(state) if state.answers[seat] is None)


def passes(state: State) -> State:
    """Return the state after everybody who has not answered has passed."""
    for seat in RULES.to_act(state):
        if state.stage is Stage.CLAIMING and state.answers[seat] is None:
            state = play(state, seat, Pass())
    return state


def idle(state: State) -> State:
    """Return the state after the current turn: the drawn tile is discarded and not claimed."""
    assert state.drawn is not None
    return passes(play(state, state.turn, Discard(state.drawn)))


def tiles_are_conserved(state: State) -> None:
    """Each of the 144 tiles is in exactly one place, and the gains and losses add up to zero."""
    assert sum(state.scores) == 4 * state.options.start
    if not state.wall:
        return
    found = list(state.wall[state.front : state.back])
    for holding in state.seat_tiles:
        found += holding.tiles
        found += holding.flowers
        found += [tile for one in holding.melds for tile in one.tiles]
        found += [drop.tile for drop in holding.discards if drop.by is None]
    assert sorted(found) == list(range(144))
    if state.stage in (Stage.DISCARDING, Stage.DRAWING) and state.replacing is None:
        for seat, holding in enumerate(state.seat_tiles):
            more = state.stage is Stage.DISCARDING and seat == state.turn
            assert len(holding.tiles) + 3 * len(holding.melds) == state.options.tiles + more


def eager(state: State, seat: Seat, dice: Random) -> AnyMove:
    """Return the move of a player that wins if possible, claims sometimes, and keeps connected tiles."""
    moves = RULES.legal(state, seat)
    for move in moves:
        if isinstance(move, Hu):
            return move
    claims = [move for move in moves if isinstance(move, Chow | Pong | Kong)]
    if claims and dice.below(3) == 0:
        return claims[dice.below(len(claims))]
    if state.stage is Stage.CLAIMING:
        return Pass()
    discards = [move for move in moves if isinstance(move, Discard)]
    if not discards:
        return moves[dice.below(len(moves))]
    counts = kinds_held(state, seat)
    return min(discards, key=lambda move: (_company(counts, kind_of(move.tile)), dice.below(8)))


def _company(counts: Counter[int], one: int) -> int:
    if one >= 27:
        return 4 * (counts[one] - 1) if one < 34 else -1
    near = [other for other in range(one - 2, one + 3) if 0 <= other < 27 and other // 9 == one // 9]
    return sum((4 if other == one else 3 - abs(other - one)) * counts[other] for other in near) - 4


def anything(state: State, seat: Seat, dice: Random) -> AnyMove:
    """Return any legal move."""
    moves = RULES.legal(state, seat)
    return moves[dice.below(len(moves))]


def refused(state: State, seat: int, move: AnyMove) -> Refusal:
    """Return why a move is refused; it must not be among the legal ones."""
    assert move not in RULES.legal(state, Seat(seat))
    with pytest.raises(IllegalCommand) as caught:
        play(state, seat, move)
    return caught.value.code


def mine(state: State, seat: int) -> PrivateView:
    own = RULES.view(state, Seat(seat)).private
    assert own is not None
    return own


def names(state: State) -> dict[str, int]:
    """Return the patterns of the first winner."""
    assert state.result is not None
    return {pattern.name: pattern.tai for pattern in state.result.winners[0].patterns}


def winners(state: State) -> list[int]:
    assert state.result is not None
    return [winner.seat for winner in state.result.winners]


THREE_WANT_5P = {
    0: "1234m1234sESWNR",
    1: "46p1m5m9m2s6s8sEWRGB",
    2: "55p2m6m8m3s7s9sESNGB",
    3: "46p123m789m123s99s",
}
WAITS_4_7P = {
    0: "1m4m7m2s5s8sEESWNR7p",
    1: "56p123m456m789s99s",
    2: "258m258sESWNGG7p",
    3: "2m5m8m1s4s7sSWNGBE7p",
}
ADDS_6S = {
    0: "1234m1234p3sSWNR",
    1: "66s19m19p1sESWNRG",
    2: "258m258p458sEWRG",
    3: "78s123m456m789p99p",
}
SEVEN = {1: "123456m f1234567"}


def added_kong(house: HouseRules | None = None, left: int | None = None) -> State:
    """Return a table where seat 1 has ponged 6s and drawn the fourth, and seat 3 waits for 6 and 9s."""
    state = table(ADDS_6S, extra="6s", front="5m6mN6s", back="9m", house=house, left=left)
    state = drop(state, 0, "6s")
    state = passes(play(play(state, 3, Pass()), 1, Pong()))
    state = passes(drop(state, 1, "E"))
    for _ in range(3):
        state = idle(state)
    assert state.turn == 1
    assert state.drawn is not None
    assert kind_of(state.drawn) == kind("6s")
    return state
