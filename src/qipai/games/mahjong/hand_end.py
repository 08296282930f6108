"""The end of a hand: winners, payments, exhausted wall, and which hand follows."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from qipai.games.mahjong.hands.winning_shapes import is_complete
from qipai.games.mahjong.scoring.payments import Deal, Stakes, dealer_patterns, next_deal, payments
from qipai.games.mahjong.scoring.tai_count import score_win
from qipai.games.mahjong.scoring.win_readings import Flag, Score, Win
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.ids import Seat

from .state import KIND_OF, NO_ANSWERS, NO_TILES, SEATS, State, counts_of, drawable, melds_of, seat_wind
from .tiles import DRAGONS, FLOWER, TILES, WINDS
from .wire_types import BestHand, ClaimWindow, Pattern, PlayedHand, Result, Stage, Winner

LIABLE_PATTERNS: Final = (("大三元", DRAGONS), ("大四喜", WINDS))
"""包牌: the patterns whose last pung makes its discarder liable."""


def win_of(
    state: State, seat: Seat, tiles: tuple[int, ...], win: int | None, *, drawn: bool, flags: Iterable[Flag]
) -> Win:
    """Return the win of a seat with these concealed tiles, as scoring needs it."""
    seat_tiles = state.seat_tiles[seat]
    announced = () if seat_tiles.ready_flag is None else (seat_tiles.ready_flag,)
    return Win(
        int(state.options.tiles),
        tuple([KIND_OF[tile] for tile in tiles]),
        None if win is None else KIND_OF[win],
        melds_of(seat_tiles),
        drawn,
        seat_wind(state, seat),
        state.deal.round_wind,
        tuple([KIND_OF[tile] for tile in seat_tiles.flowers]),
        frozenset((*flags, *announced)),
    )


def may_win(state: State, seat: Seat) -> bool:
    """Tell whether the seat whose turn it is may win by its draw (自摸)."""
    house, seat_tiles = state.options.house, state.seat_tiles[seat]
    if state.drawn is None and not house.act_after_claim:
        return False
    if seat_tiles.passed_win and house.passed_hu == "until_change":
        return False
    if any(KIND_OF[tile] >= FLOWER for tile in seat_tiles.tiles):
        return False
    return is_complete(counts_of(seat_tiles.tiles), len(seat_tiles.melds), house)


def win_by_draw(state: State, seat: Seat) -> State:
    """End the hand: this seat has won in its own turn."""
    tiles = state.seat_tiles[seat].tiles
    score, tile = _best_score(state, seat)
    return _end_hand(state, (_winner(seat, score, tiles, tile, drawn=True),), None)


def _best_score(state: State, seat: Seat) -> tuple[Score, int]:
    """Return the best score and its winning tile; after a claim any tile may count as the winning one."""
    tiles = state.seat_tiles[seat].tiles
    winning_tiles = tiles if state.drawn is None else (state.drawn,)
    scores: list[tuple[Score, int]] = []
    for tile in winning_tiles:
        flags = _drawn_flags(state, seat)
        score = score_win(win_of(state, seat, tiles, tile, drawn=True, flags=flags), state.options.house)
        assert score is not None
        scores.append((score, tile))
    return max(scores, key=lambda scored: scored[0].total)


def _drawn_flags(state: State, seat: Seat) -> list[Flag]:
    flags: list[Flag] = []
    if state.draw_source == "deal":
        return ["heaven"]
    if state.uninterrupted and seat != state.deal.dealer and state.seat_tiles[seat].draws == 1:
        flags.append("earth")
    if state.draw_source == "kong":
        flags.append("kong_bloom")
    if state.draw_source == "flower":
        flags.append("flower_bloom")
    if not drawable(state):
        flags.append("last")
    return flags


def win_by_claim(state: State, winners: tuple[Seat, ...]) -> State:
    """End the hand: these seats have won on another's tile, or on the eighth flower."""
    assert state.tile is not None
    winners_scored = []
    for seat in winners:
        seat_tiles = state.seat_tiles[seat]
        if state.claim_window is ClaimWindow.FLOWER:
            win = win_of(state, seat, seat_tiles.tiles, None, drawn=False, flags=["seven_flowers"])
            score = score_win(win, state.options.house)
            tiles = seat_tiles.tiles
        else:
            tiles = tuple(sorted((*seat_tiles.tiles, state.tile)))
            flags = _claimed_flags(state, seat)
            win = win_of(state, seat, tiles, state.tile, drawn=False, flags=flags)
            score = score_win(win, state.options.house)
        assert score is not None
        winners_scored.append(_winner(seat, score, tiles, state.tile, drawn=False))
    return _end_hand(state, tuple(winners_scored), state.turn)


def _claimed_flags(state: State, seat: Seat) -> list[Flag]:
    if state.claim_window is ClaimWindow.KONG:
        return ["rob"]
    flags: list[Flag] = []
    if state.uninterrupted and seat != state.deal.dealer and not state.seat_tiles[seat].draws:
        flags.append("human")
    if not drawable(state):
        flags.append("last")
    return flags


def win_by_flowers(state: State, seat: Seat, tile: int) -> State:
    """End the hand: this seat has all eight flowers (八仙過海)."""
    tiles = state.seat_tiles[seat].tiles
    win = win_of(state, seat, tiles, None, drawn=True, flags=["eight_flowers"])
    score = score_win(win, state.options.house)
    assert score is not None
    return _end_hand(state, (_winner(seat, score, tiles, tile, drawn=True),), None)


def end_without_winner(state: State) -> State:
    """End the hand without a winner (荒莊)."""
    return _end_hand(state, (), None)


def _winner(seat: Seat, score: Score, tiles: tuple[int, ...], tile: int, *, drawn: bool) -> Winner:
    patterns = tuple(Pattern(name, tai) for name, tai in score.patterns.items())
    return Winner(seat, score.total, patterns, tiles, tile, drawn)


def _end_hand(state: State, winners: tuple[Winner, ...], payer: Seat | None) -> State:
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
        delta = [total + more for total, more in zip(delta, change, strict=True)]
    dealer = state.deal.dealer
    dealer_concerned = bool(winners) and (
        payer in (None, dealer) or any(total.seat == dealer for total in winners)
    )
    result = Result(
        (delta[0], delta[1], delta[2], delta[3]),
        winners,
        payer,
        tuple(Pattern(*row) for row in dealer_patterns(state.deal.streak).items())
        if dealer_concerned
        else (),
    )
    scores = tuple([score + change for score, change in zip(state.scores, delta, strict=True)])
    played = PlayedHand(
        state.deal.number, state.deal.streak, result.delta, tuple([winner.seat for winner in winners]), payer
    )
    ended = replace(
        state,
        hands=(*state.hands, played),
        best=_best_hand(state, winners),
        stage=Stage.HAND_OVER,
        scores=scores,
        result=result,
        answers=NO_ANSWERS,
        replacing=None,
        replacements_due=0,
    )
    # After the last hand the game ends at once; with manual steps a command ends it.
    is_last = not options.manual_steps and deal_after(ended) is None
    return replace(ended, stage=Stage.GAME_OVER) if is_last else ended


def _best_hand(state: State, winners: tuple[Winner, ...]) -> BestHand | None:
    """Return the win with the most tai of all hands with this one, the first of equals."""
    best = state.best
    for winner in winners:
        if best is None or winner.tai > best.winner.tai:
            seat_tiles = state.seat_tiles[winner.seat]
            best = BestHand(len(state.hands), winner, seat_tiles.melds, seat_tiles.flowers)
    return best


def _feeder(state: State, winner: Winner) -> Seat | None:
    """包牌: return the seat that discarded the third dragon or fourth wind pung of the winner's melds."""
    names = {pattern.name for pattern in winner.patterns}
    for name, kinds in LIABLE_PATTERNS:
        if name in names:
            melds = [meld for meld in state.seat_tiles[winner.seat].melds if KIND_OF[meld.tiles[0]] in kinds]
            if len(melds) == len(kinds):
                return melds[-1].source
    return None


def deal_after(state: State) -> Deal | None:
    """Return the deal after a finished hand, or None after the last one."""
    assert state.result is not None
    deal = next_deal(state.deal, {winner.seat: winner.tai for winner in state.result.winners})
    return None if deal is None or deal.number == 4 * state.options.rounds else deal


def table_before_deal(state: State, deal: Deal) -> State:
    """Return the state before the tiles of a deal are dealt."""
    return State(
        stage=Stage.DEALING,
        options=state.options,
        deal=deal,
        scores=state.scores,
        seating=state.seating,
        choosing=state.choosing,
        hands=state.hands,
        best=state.best,
        back=TILES,
        seat_tiles=NO_TILES,
        turn=deal.dealer,
    )


def outcome(state: State) -> Outcome | None:
    """Return the seats with the highest score when the game is over; none if all are equal."""
    return Outcome(leaders(state, SEATS), "finished") if state.stage is Stage.GAME_OVER else None


def leaders(state: State, among: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return the seats with the highest score among these; none if all four are equal."""
    most = max(state.scores[seat] for seat in among)
    best = tuple(seat for seat in among if state.scores[seat] == most)
    return () if best == SEATS else best
