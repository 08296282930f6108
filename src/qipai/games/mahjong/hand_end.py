"""The end of a hand: who wins what and who pays, and which hand follows."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from qipai.games.mahjong.hands.winning_shapes import is_complete
from qipai.games.mahjong.scoring.payments import Deal, Stakes, dealer_patterns, next_deal, payments
from qipai.games.mahjong.scoring.tai_count import score
from qipai.games.mahjong.scoring.win_readings import Flag, Score, Win
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.ids import Seat

from .state import KIND, NOTHING, SEATS, UNDECIDED, State, counts_of, drawable, melds_of, wind_of
from .tiles import DRAGONS, FLOWER, TILES, WINDS
from .wire_types import ClaimWindow, Pattern, Result, Stage, Winner

FED: Final = (("大三元", DRAGONS), ("大四喜", WINDS))
"""包牌: the patterns whose last pung makes its feeder liable."""


def win_of(
    state: State, seat: Seat, tiles: tuple[int, ...], win: int | None, *, drawn: bool, flags: Iterable[Flag]
) -> Win:
    """Return a seat's hand with these concealed tiles as scoring reads it."""
    holding = state.holdings[seat]
    announced = () if holding.ready is None else (holding.ready,)
    return Win(
        int(state.options.tiles),
        tuple([KIND[tile] for tile in tiles]),
        None if win is None else KIND[win],
        melds_of(holding),
        drawn,
        wind_of(state, seat),
        state.deal.round_wind,
        tuple([KIND[tile] for tile in holding.flowers]),
        frozenset((*flags, *announced)),
    )


def may_hu(state: State, seat: Seat) -> bool:
    """Tell whether the seat whose turn it is may win with what it has drawn (自摸)."""
    house, holding = state.options.house, state.holdings[seat]
    if state.drawn is None and not house.act_after_claim:
        return False
    if holding.passed and house.passed_hu == "until_change":
        return False
    if any(KIND[tile] >= FLOWER for tile in holding.tiles):
        return False
    return is_complete(counts_of(holding.tiles), len(holding.sets), house)


def self_drawn(state: State, seat: Seat) -> State:
    """Return the hand over: this seat has won in its own turn."""
    tiles = state.holdings[seat].tiles
    found, tile = _best(state, seat)
    return _over(state, (_winner(seat, found, tiles, tile, drawn=True),), None)


def _best(state: State, seat: Seat) -> tuple[Score, int]:
    """Return what the hand is worth, and on which tile; after a claim no tile was the last to come."""
    tiles = state.holdings[seat].tiles
    choice = tiles if state.drawn is None else (state.drawn,)
    found: list[tuple[Score, int]] = []
    for tile in choice:
        flags = _drawn_flags(state, seat)
        scored = score(win_of(state, seat, tiles, tile, drawn=True, flags=flags), state.options.house)
        assert scored is not None
        found.append((scored, tile))
    return max(found, key=lambda one: one[0].total)


def _drawn_flags(state: State, seat: Seat) -> list[Flag]:
    flags: list[Flag] = []
    if state.how == "deal":
        return ["heaven"]
    if state.calm and seat != state.deal.dealer and state.holdings[seat].draws == 1:
        flags.append("earth")
    if state.how == "kong":
        flags.append("kong_bloom")
    if state.how == "flower":
        flags.append("flower_bloom")
    if not drawable(state):
        flags.append("last")
    return flags


def claimed(state: State, winners: tuple[Seat, ...]) -> State:
    """Return the hand over: these seats have won on another's tile, or on the eighth flower."""
    assert state.tile is not None
    won = []
    for seat in winners:
        holding = state.holdings[seat]
        if state.window is ClaimWindow.FLOWER:
            flat = win_of(state, seat, holding.tiles, None, drawn=False, flags=["seven_flowers"])
            scored = score(flat, state.options.house)
            tiles = holding.tiles
        else:
            tiles = tuple(sorted((*holding.tiles, state.tile)))
            flags = _claimed_flags(state, seat)
            claim = win_of(state, seat, tiles, state.tile, drawn=False, flags=flags)
            scored = score(claim, state.options.house)
        assert scored is not None
        won.append(_winner(seat, scored, tiles, state.tile, drawn=False))
    return _over(state, tuple(won), state.turn)


def _claimed_flags(state: State, seat: Seat) -> list[Flag]:
    if state.window is ClaimWindow.KONG:
        return ["rob"]
    flags: list[Flag] = []
    if state.calm and seat != state.deal.dealer and not state.holdings[seat].draws:
        flags.append("human")
    if not drawable(state):
        flags.append("last")
    return flags


def all_flowers(state: State, seat: Seat, tile: int) -> State:
    """Return the hand over: this seat has all eight flowers (八仙過海)."""
    tiles = state.holdings[seat].tiles
    flat = win_of(state, seat, tiles, None, drawn=True, flags=["eight_flowers"])
    scored = score(flat, state.options.house)
    assert scored is not None
    return _over(state, (_winner(seat, scored, tiles, tile, drawn=True),), None)


def exhausted(state: State) -> State:
    """Return the hand over with nobody's win (荒莊)."""
    return _over(state, (), None)


def _winner(seat: Seat, scored: Score, tiles: tuple[int, ...], tile: int, *, drawn: bool) -> Winner:
    patterns = tuple(Pattern(name, tai) for name, tai in scored.patterns.items())
    return Winner(seat, scored.total, patterns, tiles, tile, drawn)


def _over(state: State, winners: tuple[Winner, ...], payer: Seat | None) -> State:
    delta = [0, 0, 0, 0]
    options = state.options
    triple = len(state.opening) == 3 and len({*state.opening}) == 1
    for winner in winners:
        change = payments(
            {winner.seat: winner.tai},
            payer,
            state.deal,
            Stakes(options.base, options.unit),
            factor=2 if triple and options.house.triple_dice_double else 1,
            liable=_feeder(state, winner) if options.house.feeder_pays else None,
        )
        delta = [one + other for one, other in zip(delta, change, strict=True)]
    dealer = state.deal.dealer
    touched = bool(winners) and (payer in (None, dealer) or any(one.seat == dealer for one in winners))
    result = Result(
        (delta[0], delta[1], delta[2], delta[3]),
        winners,
        payer,
        tuple(Pattern(*row) for row in dealer_patterns(state.deal.streak).items()) if touched else (),
    )
    scores = tuple([score + change for score, change in zip(state.scores, delta, strict=True)])
    over = replace(
        state,
        stage=Stage.HAND_OVER,
        scores=scores,
        result=result,
        votes=UNDECIDED,
        replacing=None,
        owed=0,
    )
    # Nobody has to be asked whether he has seen the end; older clients go on to it by themselves.
    ends = not options.manual and following(over) is None
    return replace(over, stage=Stage.GAME_OVER) if ends else over


def _feeder(state: State, winner: Winner) -> Seat | None:
    """包牌: return who discarded the third dragon or fourth wind that the winner laid on the table."""
    names = {pattern.name for pattern in winner.patterns}
    for name, kinds in FED:
        if name in names:
            laid = [one for one in state.holdings[winner.seat].sets if KIND[one.tiles[0]] in kinds]
            if len(laid) == len(kinds):
                return laid[-1].source
    return None


def following(state: State) -> Deal | None:
    """Return the deal that follows a hand that is over, or None after the last one."""
    assert state.result is not None
    deal = next_deal(state.deal, {winner.seat: winner.tai for winner in state.result.winners})
    return None if deal is None or deal.place == 4 * state.options.rounds else deal


def cleared(state: State, deal: Deal) -> State:
    """Return the table before the tiles of a hand are dealt."""
    return State(
        stage=Stage.DEALING,
        options=state.options,
        deal=deal,
        scores=state.scores,
        seating=state.seating,
        choosing=state.choosing,
        back=TILES,
        holdings=NOTHING,
        turn=deal.dealer,
    )


def outcome(state: State) -> Outcome | None:
    """Return who has most when the game is over; nobody wins where all have the same."""
    return Outcome(leaders(state, SEATS), "finished") if state.stage is Stage.GAME_OVER else None


def leaders(state: State, among: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return who has most among these seats; nobody if all four have the same."""
    most = max(state.scores[seat] for seat in among)
    best = tuple(seat for seat in among if state.scores[seat] == most)
    return () if best == SEATS else best
