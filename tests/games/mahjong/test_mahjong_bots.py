"""The bots of mahjong: what each must see, that they play by the view alone, and who earns from whom."""

from collections.abc import Iterator, Sequence

import msgspec
import pytest

from qipai.games.mahjong.bots.discard_danger import discard_risk, threats
from qipai.games.mahjong.bots.levels import BOTS
from qipai.games.mahjong.bots.visible_tiles import KIND_OF, visible_tiles
from qipai.games.mahjong.events import points
from qipai.games.mahjong.hands.hand_notation import read_kinds
from qipai.games.mahjong.rules import RULES, State
from qipai.games.mahjong.tiles import tiles_of
from qipai.games.mahjong.wire_types import (
    AnyMove,
    Chow,
    Deal,
    Discard,
    DiscardedTile,
    Draw,
    Flowers,
    Form,
    Hu,
    Kong,
    Meld,
    Next,
    Pass,
    Player,
    Pong,
    PrivateView,
    Roll,
    Settings,
    Size,
    Stage,
    View,
)
from qipai.kernel.game_interface.bot_interface import Bot, PunctualBot
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

RANDOM, NORMAL, HARD = BOTS
BUILDERS = (NORMAL, HARD)
ME = Seat(0)
QUIET = Settings(hints=False)


class Table:
    """Hands out tiles by their notation, each once."""

    def __init__(self) -> None:
        self._left = {kind: list(tiles_of(kind)) for kind in range(34)}

    def take(self, text: str) -> tuple[int, ...]:
        return tuple([self._left[kind].pop(0) for kind in read_kinds(text)])

    def drop(self, text: str) -> tuple[DiscardedTile, ...]:
        return tuple(DiscardedTile(tile) for tile in self.take(text))


def names(bots: Sequence[Bot]) -> list[str]:
    return [bot.name for bot in bots]


def dice(number: int = 0) -> Random:
    return Random(number.to_bytes(32, "big"))


def own_turn(
    hand: str, drawn: str = "", others: Sequence[Player] = (), table: Table | None = None, **more: object
) -> View:
    """Return a view of seat 0 in its own turn; the last of the hand is drawn if nothing else is."""
    table = table or Table()
    tiles = table.take(hand)
    taken = table.take(drawn)[0] if drawn else None
    me = Player(0, 0, len(tiles) + bool(drawn), **more)  # type: ignore[arg-type] # fields of the struct
    rest = tuple(others) or tuple(Player(wind, 0, 13) for wind in (1, 2, 3))
    own = PrivateView(tuple(sorted(tiles)), taken)
    return View(Stage.DISCARDING, ME, ME, (me, *rest), left=60, drawable=60, private=own)  # type: ignore[arg-type] # four


def turn_moves(view: View, *more: AnyMove) -> list[AnyMove]:
    assert view.private is not None
    drawn = () if view.private.drawn is None else (view.private.drawn,)
    return [*[Discard(tile) for tile in (*view.private.tiles, *drawn)], *more]


def window(hand: str, tile: str, *, dropper: int = 3, sets: tuple[Meld, ...] = ()) -> View:
    """Return a view of seat 0 that may claim a discard."""
    table = Table()
    (claimed,) = table.take(tile)
    tiles = tuple(sorted(table.take(hand)))
    rest = [Player(seat, 0, 13) for seat in (1, 2, 3)]
    rest[dropper - 1] = Player(dropper, 0, 13, discards=(DiscardedTile(claimed),))
    players = (Player(0, 0, len(tiles), melds=sets), *rest)
    return View(
        Stage.CLAIMING,
        Seat(dropper),
        ME,
        players,  # type: ignore[arg-type] # these are four
        left=60,
        drawable=60,
        tile=claimed,
        last=claimed,
        discarder=Seat(dropper),
        private=PrivateView(tiles),
    )


def at_once(bot: Bot, view: View, *moves: AnyMove) -> AnyMove | None:
    assert isinstance(bot, PunctualBot)
    move: AnyMove | None = bot.at_once(view, moves)
    return move


def of(view: View, text: str) -> tuple[int, ...]:
    """Return tiles of seat 0's hand by their notation."""
    assert view.private is not None
    held = [*view.private.tiles, *(() if view.private.drawn is None else (view.private.drawn,))]
    found = []
    for kind in read_kinds(text):
        found.append(next(tile for tile in held if KIND_OF[tile] == kind))
        held.remove(found[-1])
    return tuple(found)


def discarded(bot: Bot, view: View, number: int = 0) -> int:
    """Return the kind that the bot discards."""
    moves = turn_moves(view)
    move = bot.choose(view, ME, moves, dice(number))
    assert move in moves
    assert isinstance(move, Discard)
    return KIND_OF[move.tile]


# What everybody sees


@pytest.mark.parametrize("bot", BOTS, ids=names(BOTS))
def test_a_win_is_taken(bot: Bot) -> None:
    mine = own_turn("123m456m789p22sEE", "E")
    for number in range(20):
        assert bot.choose(mine, ME, turn_moves(mine, Hu()), dice(number)) == Hu()
        theirs = window("123m456m789p22sEE", "E", dropper=2)
        assert bot.choose(theirs, ME, [Pass(), Pong(), Hu()], dice(number)) == Hu()


@pytest.mark.parametrize("bot", BOTS, ids=names(BOTS))
def test_an_answer_is_given_once(bot: Bot) -> None:
    view = window("123m456m789p22sEE", "E")
    assert view.private is not None
    voted = msgspec.structs.replace(view, private=msgspec.structs.replace(view.private, answer=Pass()))
    assert bot.choose(voted, ME, [Pass(), Pong()], dice()) is None
    assert at_once(bot, voted, Pass(), Pong()) is None


@pytest.mark.parametrize("bot", BOTS, ids=names(BOTS))
def test_a_bot_that_has_not_computed_in_time_wins_or_passes(bot: Bot) -> None:
    view = window("123m456m789p22sEE", "E")
    assert at_once(bot, view, Pass(), Pong(), Hu()) == Hu()
    assert at_once(bot, view, Pass(), Pong()) == Pass()
    assert at_once(bot, view, Pass()) == Pass()
    assert at_once(bot, own_turn("123m456m789p22sEE", "E"), Hu()) is None, "only claims have a time"


@pytest.mark.parametrize("bot", BOTS, ids=names(BOTS))
@pytest.mark.parametrize(
    ("stage", "move"),
    [
        (Stage.SEATING, Roll()),
        (Stage.CHOOSING, Roll()),
        (Stage.DEALING, Deal()),
        (Stage.HAND_OVER, Next()),
    ],
)
def test_bots_leave_rolls_deals_and_the_next_hand_to_players(bot: Bot, stage: Stage, move: AnyMove) -> None:
    view = msgspec.structs.replace(own_turn("123m456m789p22sEE"), stage=stage)
    assert bot.choose(view, ME, [move], dice()) is None
    assert at_once(bot, view, move) is None
    assert bot.choose(msgspec.structs.replace(view, private=None), ME, [move], dice()) is None


@pytest.mark.parametrize("bot", BOTS, ids=names(BOTS))
def test_a_bot_draws_where_drawing_is_asked_for(bot: Bot) -> None:
    view = msgspec.structs.replace(own_turn("123m456m789p22sEE"), stage=Stage.DRAWING)
    assert bot.choose(view, ME, [Draw()], dice()) == Draw()


@pytest.mark.parametrize("bot", BOTS, ids=names(BOTS))
def test_a_kong_that_breaks_the_hand_is_not_made(bot: Bot) -> None:
    # The fourth 3 belongs to 345.
    view = own_turn("333345m678p23sEE", "W")
    (tile,) = of(view, "3m")
    for number in range(20):
        assert bot.choose(view, ME, turn_moves(view, Kong(tile)), dice(number)) != Kong(tile)


@pytest.mark.parametrize("bot", BUILDERS, ids=names(BUILDERS))
def test_a_kong_that_costs_nothing_is_made(bot: Bot) -> None:
    view = own_turn("EEE345m678p23s99s", "E")
    (tile,) = of(view, "E")
    assert bot.choose(view, ME, turn_moves(view, Kong(tile)), dice()) == Kong(tile)


@pytest.mark.parametrize("bot", BOTS, ids=names(BOTS))
def test_a_flower_kept_in_the_hand_is_parted_with(bot: Bot) -> None:
    view = own_turn("123m456m789p23sW", "E")
    assert view.private is not None
    kept = msgspec.structs.replace(
        view, private=msgspec.structs.replace(view.private, tiles=(*view.private.tiles, 140))
    )
    assert bot.choose(kept, ME, turn_moves(kept), dice()) == Discard(140)


# Building


@pytest.mark.parametrize("bot", BUILDERS, ids=names(BUILDERS))
@pytest.mark.parametrize(
    ("hand", "drawn", "lone"),
    [
        ("123m456m789p23sEE", "W", "W"),
        ("123m456m789p23sWE", "E", "W"),
        ("234m67m456p345s99s", "1p", "1p"),
        ("234567m67p345s9sW", "9s", "W"),
        ("123m456m789m123p78pE", "E", ""),
    ],
)
def test_the_tile_that_belongs_to_nothing_goes(bot: Bot, hand: str, drawn: str, lone: str) -> None:
    view = own_turn(hand, drawn)
    kind = discarded(bot, view)
    # Of sixteen tiles all belong to something; whatever goes, the hand stays as near as it was.
    assert kind in read_kinds(lone) if lone else kind not in read_kinds("456m")


@pytest.mark.parametrize("bot", BUILDERS, ids=names(BUILDERS))
def test_a_ready_hand_stays_ready(bot: Bot) -> None:
    for drawn in ("W", "9s", "9m", "1p"):
        assert discarded(bot, own_turn("345m456m678p34sEE", drawn)) in read_kinds(drawn)


@pytest.mark.parametrize("bot", BUILDERS, ids=names(BUILDERS))
def test_the_wider_wait_is_kept(bot: Bot) -> None:
    # Without 9 the hand waits for 3 and 6, without 4 for 7 or 8 only.
    assert discarded(bot, own_turn("123m456m789p45sEE", "7s")) in read_kinds("7s")


@pytest.mark.parametrize("bot", BUILDERS, ids=names(BUILDERS))
def test_a_claim_that_makes_the_hand_ready_is_made(bot: Bot) -> None:
    view = window("123m456m78p22sREE", "E", dropper=2)
    assert bot.choose(view, ME, [Pass(), Pong()], dice()) == Pong()


@pytest.mark.parametrize("bot", BUILDERS, ids=names(BUILDERS))
def test_a_claim_that_brings_nothing_is_left(bot: Bot) -> None:
    view = window("123m456m789p23sEE", "3m")
    chow = Chow(of(view, "12m"))  # type: ignore[arg-type] # these are two
    other = Chow(of(view, "45m"))  # type: ignore[arg-type] # these are two
    assert bot.choose(view, ME, [Pass(), chow, other], dice()) == Pass()


@pytest.mark.parametrize("bot", BUILDERS, ids=names(BUILDERS))
def test_a_claim_that_would_break_a_pair_hand_is_left(bot: Bot) -> None:
    view = window("1133m5577p2299sE", "3m", dropper=2)
    assert bot.choose(view, ME, [Pass(), Pong()], dice()) == Pass()


# Value and defence


def test_hard_takes_the_dearer_of_two_equal_waits() -> None:
    # Both 3s and 8s leave a wait for one of two pairs; only one of them keeps one suit.
    view = own_turn("123345567789s9s", "2p")
    assert discarded(HARD, view) in read_kinds("2p")


def dangerous(table: Table) -> list[Player]:
    """Return three others, of whom the first surely waits."""
    sets = tuple(Meld(Form.PONG, table.take(text), 0, Seat(2)) for text in ("222p", "555p", "888p"))
    drops = table.drop("9m1sW1m9s8mN1s2mE")
    quiet = [Player(wind, 0, 13, discards=table.drop(text)) for wind, text in ((2, "WN9m1m"), (3, "NE1m9s"))]
    return [Player(1, 0, 4, melds=sets, discards=drops), *quiet]


def test_hard_folds_a_far_hand_before_a_dangerous_player() -> None:
    table = Table()
    others = dangerous(table)
    view = own_turn("147m369p258sE9mSRG", "", others, table, discards=table.drop("WNB8m7s4s2s5m"))
    late = msgspec.structs.replace(view, left=20, drawable=20)
    kind = discarded(HARD, late)
    assert kind in read_kinds("9mE")
    seen = visible_tiles(late, ME)
    assert seen is not None
    feared = threats(late, seen)
    assert discard_risk(feared, kind)[1] <= min(
        discard_risk(feared, other)[1] for other in read_kinds("47m369p258s")
    )


def test_what_passed_lately_is_safer_than_what_passed_long_ago() -> None:
    table = Table()
    first, second, third = dangerous(table)
    dropped = table.drop("4s5567m6s")
    others = [first, msgspec.structs.replace(second, discards=dropped), third]
    view = own_turn("47m369p258s46s7mRG", "", others, table)
    seen = visible_tiles(view, ME)
    assert seen is not None
    feared = threats(view, seen)
    lately, long_ago, never = (feared[0].win_odds[read_kinds(kind)[0]] for kind in ("6s", "4s", "5s"))
    assert lately < long_ago / 5
    assert long_ago < never


def test_hard_waits_for_what_others_discard_sooner() -> None:
    # Three of each are unseen: the wind is useless to most hands, the five fits most hands.
    kind = discarded(HARD, own_turn("123m456m789p234s5p", "N"))
    assert kind in read_kinds("5p")


@pytest.mark.parametrize(("streak", "retreats"), [(0, False), (12, True)])
def test_hard_takes_a_near_hand_back_only_where_a_win_would_cost_too_much(
    streak: int, retreats: bool
) -> None:
    table = Table()
    first, *quiet = dangerous(table)
    others = [msgspec.structs.replace(first, ready=True), *quiet]
    # Every discard that keeps the hand near is of the suit that the next player collects.
    view = own_turn("123456m78mEE46p", "7p", others, table, discards=table.drop("WN"))
    kind = discarded(HARD, msgspec.structs.replace(view, streak=streak))
    assert (kind not in read_kinds("467p")) is retreats


def test_hard_does_not_fold_a_ready_hand_early() -> None:
    view = own_turn("345m456m678p34sEE", "W")
    assert discarded(HARD, view) in read_kinds("W")


def test_what_was_just_let_go_is_safe() -> None:
    table = Table()
    view = own_turn("147m369p258sE9mSRG", "", dangerous(table), table)
    seen = visible_tiles(view, ME)
    assert seen is not None
    feared = threats(view, seen)
    assert discard_risk(feared, read_kinds("E")[0])[0] < discard_risk(feared, read_kinds("6p")[0])[0] / 20


# Whole games


def games(count: int, bots: Sequence[Bot], options: Settings) -> Iterator[tuple[State, Seat, Bot]]:
    """Play hands with these bots, in turn at the seats; yield each decision before it is made."""
    for number in range(count):
        rng, own = Random(number.to_bytes(32, "little")), dice(number)
        state = RULES.deal(options, rng)
        while state.stage is not Stage.HAND_OVER:
            for seat in RULES.to_act(state):
                bot = bots[(seat + number) % len(bots)]
                moves = RULES.legal(state, seat)
                move = bot.choose(RULES.view(state, seat), seat, moves, own)
                if move is not None:
                    yield state, seat, bot
                    state = RULES.play(state, seat, move, rng).state
                    break
        yield state, ME, bots[number % len(bots)]


@pytest.mark.parametrize("options", [QUIET, Settings(tiles=Size.SIXTEEN), Settings(flowers=Flowers.KEEP)])
def test_every_choice_is_legal_and_follows_from_the_view_alone(options: Settings) -> None:
    for state, seat, bot in games(2, (RANDOM, NORMAL, HARD), options):
        moves = RULES.legal(state, seat)
        view = RULES.view(state, seat)
        move = bot.choose(view, seat, moves, dice(1))
        assert move is None or move in moves
        read = msgspec.json.decode(msgspec.json.encode(view), type=View)
        assert read == view
        assert bot.choose(read, seat, list(moves), dice(1)) == move


def earned(pair: tuple[Bot, Bot], hands: int) -> int:
    """Return what the first bot's seats earn, as many hands at even seats as at odd ones."""
    total = 0
    for state, _, first in games(hands, pair, QUIET):
        if state.stage is Stage.HAND_OVER:
            assert state.result is not None
            total += sum(state.result.delta[0 if first is pair[0] else 1 :: 2])
    return total


def test_points_are_told_once_a_hand_and_sum_to_nothing() -> None:
    rng, state = dice(3), RULES.deal(QUIET, dice(2))
    while state.stage is not Stage.HAND_OVER:
        seat = next(seat for seat in RULES.to_act(state) if state.answers[seat] is None)
        move = NORMAL.choose(RULES.view(state, seat), seat, RULES.legal(state, seat), rng)
        assert move is not None
        turn = RULES.play(state, seat, move, rng)
        state = turn.state
    found = {gained for addressed in turn.events if (gained := points(addressed.event)) is not None}
    assert state.result is not None
    assert found == {state.result.delta}
    assert sum(state.result.delta) == 0


def test_normal_earns_from_random() -> None:
    assert earned((NORMAL, RANDOM), 40) > 40 * 50
