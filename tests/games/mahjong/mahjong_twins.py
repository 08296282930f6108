"""Games of mahjong that a viewer cannot tell apart: hidden tiles are elsewhere."""

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from qipai.games.mahjong.claims import is_concealed_kong_window
from qipai.games.mahjong.events import ClaimAnswered, Drew, HandEnded, HandStarted, Melded
from qipai.games.mahjong.state import State
from qipai.games.mahjong.tiles import kind_of
from qipai.games.mahjong.wire_types import Flowers, Form, Pass, Stage
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

REVEALING_EVENTS: Final = (Drew, HandStarted, HandEnded, Melded, ClaimAnswered)
"""Events that reveal hidden tiles by rule, or that another seat could do what it did."""


def scramble(
    state: State, viewer: Seat, dice: Random, keep: Collection[int] | None = None, *, flowers: bool = True
) -> State:
    """Return a game that this viewer cannot tell from the given one.

    Tiles of other hands and of the wall change places, concealed kongs change their kind, and secret
    answers are other ones. The hands of the seats in `keep` stay; without it that of the acting seat does,
    so that its move is possible in both, unless no other hand would be left to change.
    Without `flowers` those in the wall stay where they are.
    """
    if not state.wall or state.stage in (Stage.HAND_OVER, Stage.GAME_OVER):
        return state
    if keep is None:
        acting = {0, 1, 2, 3} - {state.turn} if state.stage is Stage.CLAIMING else {state.turn}
        keep = acting if {0, 1, 2, 3} - acting - {viewer} else ()
    others = [seat for seat in range(4) if seat != viewer and seat not in keep]
    swap = _moved(state, others, dice, flowers=flowers)
    swap = _other_kongs(state, others, swap, dice)
    holdings = list(state.seat_tiles)
    for seat in others:
        holding = holdings[seat]
        sets = tuple(
            replace(one, tiles=tuple(sorted(swap.get(tile, tile) for tile in one.tiles)))
            if one.form is Form.CONCEALED
            else one
            for one in holding.melds
        )
        tiles = tuple(sorted(swap.get(tile, tile) for tile in holding.tiles))
        holdings[seat] = replace(holding, tiles=tiles, melds=sets)
    hidden = slice(state.front, state.back)
    wall = (
        *state.wall[: state.front],
        *(swap.get(tile, tile) for tile in state.wall[hidden]),
        *state.wall[state.back :],
    )
    votes = tuple(
        vote if vote is None or seat not in others else Pass() for seat, vote in enumerate(state.answers)
    )
    drawn = state.drawn
    if drawn is not None and state.turn in others:
        drawn = swap.get(drawn, drawn)
    return replace(state, seat_tiles=tuple(holdings), wall=wall, answers=votes, drawn=drawn)


def _moved(state: State, others: list[int], dice: Random, *, flowers: bool) -> dict[int, int]:
    """Return which tile lies in each one's place now, of those that the viewer may not see."""
    undrawn = list(state.wall[state.front : state.back])
    hands = [tile for seat in others for tile in state.seat_tiles[seat].tiles]
    if state.options.flowers is Flowers.KEEP:
        pool = hands + undrawn
        return dict(zip(pool, dice.shuffle(pool), strict=True))
    # The viewer knows that no hand has a flower, but not where flowers are in the wall.
    if state.replacing is not None:
        return {}
    plain = [tile for tile in hands + undrawn if tile < 136]
    swap = dict(zip(plain, dice.shuffle(plain), strict=True))
    if not flowers:
        return swap
    new_hands = {tile: swap[tile] for tile in hands}
    rest = sorted(set(hands + undrawn) - set(new_hands.values()))
    return new_hands | dict(zip(undrawn, dice.shuffle(rest), strict=True))


def _other_kongs(state: State, others: list[int], swap: dict[int, int], dice: Random) -> dict[int, int]:
    """Return the exchange with concealed kongs of other kinds, where four of a kind are out of sight."""
    if is_concealed_kong_window(state):
        return swap
    for seat in others:
        for one in state.seat_tiles[seat].melds:
            if one.form is not Form.CONCEALED:
                continue
            unseen = set(swap.values())
            kinds = [
                kind for kind in range(34) if {4 * kind, 4 * kind + 1, 4 * kind + 2, 4 * kind + 3} <= unseen
            ]
            if not kinds:
                continue
            kind, old = kinds[dice.below(len(kinds))], kind_of(one.tiles[0])
            trade = {4 * kind + copy: 4 * old + copy for copy in range(4)}
            swap = {place: trade.get(tile, tile) for place, tile in swap.items()}
            swap |= {4 * old + copy: 4 * kind + copy for copy in range(4)}
    return swap
