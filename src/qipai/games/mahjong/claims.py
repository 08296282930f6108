"""Claims on another's tile (吃 碰 槓 胡): who may make which, and which one wins."""

from itertools import product
from typing import Final, NamedTuple, assert_never

from qipai.games.mahjong.hands.winning_shapes import is_complete, is_thirteen_orphans
from qipai.kernel.game_interface.rules_interface import IllegalCommand
from qipai.kernel.ids import Seat
from qipai.kernel.refusals import Refusal

from .state import KIND_OF, SEATS, SeatTiles, State, counts_of, drawable, seat_after, without_tiles
from .tiles import EAST, FLOWER, TILES, tiles_of
from .wire_types import Chow, ClaimAnswer, ClaimWindow, Form, Hu, Kong, Pass, Pong


class AllowedClaims(NamedTuple):
    """What a seat may claim; each chow is the kinds of two tiles in hand."""

    hu: bool = False
    pong: bool = False
    kong: bool = False
    chows: tuple[tuple[int, int], ...] = ()


NO_CLAIMS: Final = AllowedClaims()
PASS: Final = Pass()
PONG: Final = Pong()
KONG: Final = Kong()
HU: Final = Hu()


def claimants(state: State) -> tuple[Seat, ...]:
    """Return the seats that may answer, in turn order.

    All other seats are asked, also those that cannot claim: who could claim is secret. Flowers are public, so
    only the seat that may rob one is asked.
    """
    if state.claim_window is ClaimWindow.FLOWER:
        robber = flower_robber(state)
        return () if robber is None else (robber,)
    return (seat_after(state.turn), seat_after(state.turn, 2), seat_after(state.turn, 3))


def flower_robber(state: State) -> Seat | None:
    """Return the seat with seven flowers while another one shows the eighth (七搶一)."""
    for seat in SEATS:
        if seat != state.turn and len(state.seat_tiles[seat].flowers) == 7:
            return seat
    return None


def allowed_claims(state: State, seat: Seat) -> AllowedClaims:
    """Return what a seat may claim in the current claim window."""
    tile = state.tile
    if tile is None or seat == state.turn:
        return NO_CLAIMS
    if state.claim_window is ClaimWindow.FLOWER:
        return AllowedClaims(hu=seat == flower_robber(state))
    kind = KIND_OF[tile]
    if kind >= FLOWER:
        return NO_CLAIMS
    seat_tiles = state.seat_tiles[seat]
    counts = counts_of(seat_tiles.tiles)
    hu = _completes_hand(state, seat_tiles, counts, kind)
    if state.claim_window is ClaimWindow.KONG or seat_tiles.ready_flag is not None:
        return AllowedClaims(hu)
    if state.options.house.last_discard_hu_only and not drawable(state):
        return AllowedClaims(hu)
    return AllowedClaims(
        hu,
        counts[kind] >= 2 and kind not in seat_tiles.barred_pongs,
        counts[kind] >= 3 and drawable(state, more=1) > 0,
        _possible_chows(state, seat_tiles, counts, kind)
        if kind < EAST and seat == seat_after(state.turn)
        else (),
    )


def may_win_on_tile(state: State, seat: Seat) -> bool:
    """Tell whether a seat may win on the tile of the claim window."""
    tile = state.tile
    if state.claim_window is ClaimWindow.FLOWER:
        return seat == flower_robber(state)
    if tile is None or KIND_OF[tile] >= FLOWER:
        return False
    seat_tiles = state.seat_tiles[seat]
    return _completes_hand(state, seat_tiles, counts_of(seat_tiles.tiles), KIND_OF[tile])


def _completes_hand(state: State, seat_tiles: SeatTiles, counts: bytearray, kind: int) -> bool:
    if seat_tiles.passed_win or sum(counts) < len(seat_tiles.tiles):
        return False  # 過水, or a flower kept in the hand.
    counts[kind] += 1
    complete = bytes(counts)
    counts[kind] -= 1
    if not is_complete(complete, len(seat_tiles.melds), state.options.house):
        return False
    return not is_concealed_kong_window(state) or is_thirteen_orphans(complete)


def is_concealed_kong_window(state: State) -> bool:
    """Tell whether the claim window is for a concealed kong, which only 十三么 may rob."""
    if state.claim_window is not ClaimWindow.KONG:
        return False
    return any(
        meld.form is Form.CONCEALED and state.tile in meld.tiles
        for meld in state.seat_tiles[state.turn].melds
    )


def _possible_chows(
    state: State, seat_tiles: SeatTiles, counts: bytearray, kind: int
) -> tuple[tuple[int, int], ...]:
    chows = []
    start = kind // 9 * 9
    for low in range(max(start, kind - 2), min(start + 6, kind) + 1):
        first, second = (chow_kind for chow_kind in range(low, low + 3) if chow_kind != kind)
        if (
            counts[first]
            and counts[second]
            and _leaves_a_discard(state, seat_tiles, counts, kind, first, second)
        ):
            chows.append((first, second))
    return tuple(chows)


def _leaves_a_discard(
    state: State, seat_tiles: SeatTiles, counts: bytearray, kind: int, first: int, second: int
) -> bool:
    """食替: a chow must leave a tile that may be discarded."""
    if not state.options.house.no_swap_call:
        return True
    barred = swap_barred_kinds(kind, (first, second))
    barred_count = sum(counts[barred_kind] for barred_kind in barred if barred_kind not in (first, second))
    return len(seat_tiles.tiles) - 2 > barred_count


def swap_barred_kinds(kind: int, two: tuple[int, int]) -> tuple[int, ...]:
    """Return the kinds barred after a chow (食替): the claimed one, and the other end of the run."""
    low = min(kind, *two)
    if kind == low and kind % 9 < 6:
        return (kind, kind + 3)
    if kind == low + 2 and low % 9:
        return (kind, low - 1)
    return (kind,)


def possible_answers(state: State, seat: Seat) -> list[ClaimAnswer]:
    """Return every answer that a seat may give; a chow with each pair of tiles that makes it."""
    allowed = allowed_claims(state, seat)
    tiles = state.seat_tiles[seat].tiles
    answers: list[ClaimAnswer] = [PASS]
    for first, second in allowed.chows:
        answers += [Chow(pair) for pair in product(_copies(tiles, first), _copies(tiles, second))]
    if allowed.pong:
        answers.append(PONG)
    if allowed.kong:
        answers.append(KONG)
    if allowed.hu:
        answers.append(HU)
    return answers


def check_answer(state: State, seat: Seat, answer: ClaimAnswer) -> None:
    """Raise `IllegalCommand` unless a seat may give this answer."""
    claims = allowed_claims(state, seat)
    match answer:
        case Pass():
            allowed = True
        case Hu():
            allowed = claims.hu
        case Pong():
            allowed = claims.pong
        case Kong(tile):
            if tile is not None:
                raise IllegalCommand(Refusal.BAD_MOVE)
            allowed = claims.kong
        case Chow(tiles):
            if not all(0 <= tile < TILES for tile in tiles):
                raise IllegalCommand(Refusal.OUT_OF_RANGE)
            first, second = tiles
            if first >= second:
                raise IllegalCommand(Refusal.BAD_MOVE)
            tiles_held = state.seat_tiles[seat].tiles
            allowed = (
                first in tiles_held
                and second in tiles_held
                and (KIND_OF[first], KIND_OF[second]) in claims.chows
            )
        case _:
            assert_never(answer)
    if not allowed:
        raise IllegalCommand(Refusal.ILLEGAL)


def _copies(tiles: tuple[int, ...], kind: int) -> list[int]:
    return [tile for tile in tiles_of(kind) if tile in tiles]


def chow_choices(state: State, seat: Seat, allowed: AllowedClaims) -> tuple[tuple[int, int], ...]:
    """Return one pair of tiles for each chow that a seat may make."""
    tiles = state.seat_tiles[seat].tiles
    return tuple([(_copies(tiles, first)[0], _copies(tiles, second)[0]) for first, second in allowed.chows])


class ClaimResult(NamedTuple):
    """The result of a claim window: the winners in turn order, or the seat and its claim, or nothing."""

    winners: tuple[Seat, ...] = ()
    seat: Seat | None = None
    answer: ClaimAnswer = PASS


def resolve_claims(state: State) -> ClaimResult | None:
    """Return the result of the answers, or None while a missing one may still change it.

    A win is settled at once, unless another seat that has not answered could win too. Otherwise all answers
    are needed, so that nothing reveals who could have claimed.
    """
    seats = claimants(state)
    if any(type(answer) is Hu for answer in state.answers):
        return _resolve_wins(state, seats)
    if any(state.answers[seat] is None for seat in seats):
        return None
    for answer_types in ((Kong, Pong), (Chow,)):
        for seat in seats:
            answer = state.answers[seat]
            if answer is not None and isinstance(answer, answer_types):
                return ClaimResult(seat=seat, answer=answer)
    return ClaimResult()


def _resolve_wins(state: State, seats: tuple[Seat, ...]) -> ClaimResult | None:
    winners: list[Seat] = []
    for seat in seats:
        answer = state.answers[seat]
        if answer is None and may_win_on_tile(state, seat):
            return None
        if type(answer) is Hu:
            winners.append(seat)
            if not state.options.house.several_winners:
                break
    return ClaimResult(tuple(winners))


def tiles_used(state: State, seat: Seat, answer: ClaimAnswer) -> tuple[int, ...]:
    """Return the tiles of the hand that become part of the claimed meld."""
    assert state.tile is not None
    if isinstance(answer, Chow):
        return answer.tiles
    copies = _copies(state.seat_tiles[seat].tiles, KIND_OF[state.tile])
    return tuple(copies[: 3 if isinstance(answer, Kong) else 2])


def tiles_left(state: State, seat: Seat, answer: ClaimAnswer) -> tuple[int, ...]:
    """Return the tiles that stay in the claimant's hand."""
    return without_tiles(state.seat_tiles[seat].tiles, *tiles_used(state, seat, answer))
