"""Claims: what a seat may answer to another's tile, and what becomes of the answers."""

from itertools import product
from typing import Final, NamedTuple, assert_never

from qipai.games.mahjong.hands.winning_shapes import is_complete, is_thirteen_orphans
from qipai.kernel.game_interface.rules_interface import IllegalCommand
from qipai.kernel.ids import Seat
from qipai.kernel.refusals import Refusal

from .state import KIND, SEATS, SeatTiles, State, after, counts_of, drawable, without
from .tiles import EAST, FLOWER, TILES, tiles_of
from .wire_types import Chow, ClaimWindow, Form, Hu, Kong, Pass, Pong, Vote


class Claims(NamedTuple):
    """What a seat may claim; `chows` are the kinds of two tiles in hand."""

    hu: bool = False
    pong: bool = False
    kong: bool = False
    chows: tuple[tuple[int, int], ...] = ()


NOTHING: Final = Claims()
PASS: Final = Pass()
PONG: Final = Pong()
KONG: Final = Kong()
HU: Final = Hu()


def claimants(state: State) -> tuple[Seat, ...]:
    """Return who may answer, in turn order.

    Everybody else may, whatever he holds: who could claim is a secret. Only flowers lie open.
    """
    if state.window is ClaimWindow.FLOWER:
        robber = flower_robber(state)
        return () if robber is None else (robber,)
    return (after(state.turn), after(state.turn, 2), after(state.turn, 3))


def flower_robber(state: State) -> Seat | None:
    """Return who holds seven flowers while somebody else shows the eighth (七搶一)."""
    for seat in SEATS:
        if seat != state.turn and len(state.holdings[seat].flowers) == 7:
            return seat
    return None


def claims(state: State, seat: Seat) -> Claims:
    """Return what a seat may claim in the present window."""
    tile = state.tile
    if tile is None or seat == state.turn:
        return NOTHING
    if state.window is ClaimWindow.FLOWER:
        return Claims(hu=seat == flower_robber(state))
    kind = KIND[tile]
    if kind >= FLOWER:
        return NOTHING
    holding = state.holdings[seat]
    counts = counts_of(holding.tiles)
    hu = _may_hu(state, holding, counts, kind)
    if state.window is ClaimWindow.KONG or holding.ready is not None:
        return Claims(hu)
    if state.options.house.last_discard_hu_only and not drawable(state):
        return Claims(hu)
    return Claims(
        hu,
        counts[kind] >= 2 and kind not in holding.spurned,
        counts[kind] >= 3 and drawable(state, more=1) > 0,
        _chows(state, holding, counts, kind) if kind < EAST and seat == after(state.turn) else (),
    )


def could_hu(state: State, seat: Seat) -> bool:
    """Tell whether a seat may win on the present tile."""
    tile = state.tile
    if state.window is ClaimWindow.FLOWER:
        return seat == flower_robber(state)
    if tile is None or KIND[tile] >= FLOWER:
        return False
    holding = state.holdings[seat]
    return _may_hu(state, holding, counts_of(holding.tiles), KIND[tile])


def _may_hu(state: State, holding: SeatTiles, counts: bytearray, kind: int) -> bool:
    if holding.passed or sum(counts) < len(holding.tiles):
        return False  # 過水, or a flower kept in the hand.
    counts[kind] += 1
    whole = bytes(counts)
    counts[kind] -= 1
    if not is_complete(whole, len(holding.sets), state.options.house):
        return False
    return not is_concealed(state) or is_thirteen_orphans(whole)


def is_concealed(state: State) -> bool:
    """Tell whether the window is for the tile of a concealed kong, which only 十三么 may rob."""
    if state.window is not ClaimWindow.KONG:
        return False
    return any(
        one.form is Form.CONCEALED and state.tile in one.tiles for one in state.holdings[state.turn].sets
    )


def _chows(state: State, holding: SeatTiles, counts: bytearray, kind: int) -> tuple[tuple[int, int], ...]:
    found = []
    start = kind // 9 * 9
    for low in range(max(start, kind - 2), min(start + 6, kind) + 1):
        one, other = (part for part in range(low, low + 3) if part != kind)
        if counts[one] and counts[other] and _leaves_a_discard(state, holding, counts, kind, one, other):
            found.append((one, other))
    return tuple(found)


def _leaves_a_discard(
    state: State, holding: SeatTiles, counts: bytearray, kind: int, one: int, other: int
) -> bool:
    """食替: a chow after which every tile is barred cannot be made."""
    if not state.options.house.no_swap_call:
        return True
    barred = swapped(kind, (one, other))
    spare = sum(counts[bad] for bad in barred if bad not in (one, other))
    return len(holding.tiles) - 2 > spare


def swapped(kind: int, two: tuple[int, int]) -> tuple[int, ...]:
    """Return the kinds barred after a chow (食替): the one taken, and the other end of the run."""
    low = min(kind, *two)
    if kind == low and kind % 9 < 6:
        return (kind, kind + 3)
    if kind == low + 2 and low % 9:
        return (kind, low - 1)
    return (kind,)


def votes_of(state: State, seat: Seat) -> list[Vote]:
    """Return every answer that a seat may give; a chow by any two tiles that make it."""
    may = claims(state, seat)
    tiles = state.holdings[seat].tiles
    found: list[Vote] = [PASS]
    for one, other in may.chows:
        found += [Chow(pair) for pair in product(_copies(tiles, one), _copies(tiles, other))]
    if may.pong:
        found.append(PONG)
    if may.kong:
        found.append(KONG)
    if may.hu:
        found.append(HU)
    return found


def check(state: State, seat: Seat, vote: Vote) -> None:
    """Raise `Illegal` unless a seat may answer this."""
    may = claims(state, seat)
    match vote:
        case Pass():
            allowed = True
        case Hu():
            allowed = may.hu
        case Pong():
            allowed = may.pong
        case Kong(tile):
            if tile is not None:
                raise IllegalCommand(Refusal.BAD_MOVE)
            allowed = may.kong
        case Chow(tiles):
            if not all(0 <= tile < TILES for tile in tiles):
                raise IllegalCommand(Refusal.OUT_OF_RANGE)
            one, other = tiles
            if one >= other:
                raise IllegalCommand(Refusal.BAD_MOVE)
            held = state.holdings[seat].tiles
            allowed = one in held and other in held and (KIND[one], KIND[other]) in may.chows
        case _:
            assert_never(vote)
    if not allowed:
        raise IllegalCommand(Refusal.ILLEGAL)


def _copies(tiles: tuple[int, ...], kind: int) -> list[int]:
    return [tile for tile in tiles_of(kind) if tile in tiles]


def chow_choices(state: State, seat: Seat) -> tuple[tuple[int, int], ...]:
    """Return one pair of tiles for each run that a seat may make."""
    tiles = state.holdings[seat].tiles
    return tuple(
        (_copies(tiles, one)[0], _copies(tiles, other)[0]) for one, other in claims(state, seat).chows
    )


class Settled(NamedTuple):
    """What the answers came to: the winners in turn order, or who claims what, or nothing."""

    winners: tuple[Seat, ...] = ()
    seat: Seat | None = None
    vote: Vote = PASS


def settle(state: State) -> Settled | None:
    """Return what the answers come to, or None while somebody's may still matter.

    A win is settled at once, unless somebody else who has not answered could win as well. Otherwise
    everybody is waited for, so that nobody learns who could have claimed.
    """
    asked = claimants(state)
    if any(type(vote) is Hu for vote in state.votes):
        return _won(state, asked)
    if any(state.votes[seat] is None for seat in asked):
        return None
    for wanted in ((Kong, Pong), (Chow,)):
        for seat in asked:
            vote = state.votes[seat]
            if vote is not None and isinstance(vote, wanted):
                return Settled(seat=seat, vote=vote)
    return Settled()


def _won(state: State, asked: tuple[Seat, ...]) -> Settled | None:
    winners: list[Seat] = []
    for seat in asked:
        vote = state.votes[seat]
        if vote is None and could_hu(state, seat):
            return None
        if type(vote) is Hu:
            winners.append(seat)
            if not state.options.house.several_winners:
                break
    return Settled(tuple(winners))


def taken(state: State, seat: Seat, vote: Vote) -> tuple[int, ...]:
    """Return the tiles of the hand that go into the claimed set."""
    assert state.tile is not None
    if isinstance(vote, Chow):
        return vote.tiles
    same = _copies(state.holdings[seat].tiles, KIND[state.tile])
    return tuple(same[: 3 if isinstance(vote, Kong) else 2])


def remaining(state: State, seat: Seat, vote: Vote) -> tuple[int, ...]:
    """Return the tiles that stay in the hand of whoever claims."""
    return without(state.holdings[seat].tiles, *taken(state, seat, vote))
