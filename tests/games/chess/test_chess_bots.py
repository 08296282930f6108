"""The bots of chess: what each must see, and that they only ever do what is allowed."""

from collections.abc import Sequence
from itertools import product
from time import process_time
from typing import Any

import msgspec
import pytest
from rust_chess import Move as Push

from qipai.games.chess.bots.evaluation import node_of, uci_moves
from qipai.games.chess.bots.fog_sampling import FogSampler
from qipai.games.chess.bots.levels import BOTS, LEVELS, ChessBot, Level
from qipai.games.chess.bots.mine_odds import CERTAIN, mine_odds
from qipai.games.chess.bots.search import MATE, Search
from qipai.games.chess.position import BOARD_INDEX, SQUARES, START, board_letters, legal_moves
from qipai.games.chess.rules import RULES, State
from qipai.games.chess.wire_types import (
    AnyMove,
    ClaimDraw,
    CurrentDice,
    DiceMode,
    Explosion,
    MineCount,
    Minefield,
    Move,
    Reroll,
    Roll,
    Settings,
    Skip,
    View,
)
from qipai.kernel.game_interface.bot_interface import Bot, is_slow
from qipai.kernel.game_interface.rules_interface import StartConditions
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

WHITE, BLACK = Seat(0), Seat(1)
QUICK = (
    ChessBot("careless", Level(500, 1, samples=2, plans=2, noise=100, blunders=50)),
    ChessBot("careful", Level(300, samples=2, plans=3)),
)
MATES_IN_ONE = {
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1": {"d1d8"},
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 4": {"f3f7"},
    "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2": {"d8h4"},
    "6rk/6pp/7N/8/8/8/8/6RK w - - 0 1": {"h6f7"},
}
MATES_IN_TWO = {
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1": {"a1a6"},
    "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 0": {"d5f6"},
    "1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 0": {"b5d5"},
}
PRIZES = {
    "4k3/8/8/3q4/8/8/3R4/4K3 w - - 0 1": "d2d5",
    "4k3/8/8/3r4/8/4N3/8/4K3 w - - 0 1": "e3d5",
    "4k3/8/5n2/8/4Q3/8/PPP5/4K3 b - - 0 1": "f6e4",
}


def view_of(fen: str, **more: Any) -> View:
    return View(WHITE, WHITE if " w " in fen else BLACK, fen, **more)


def answer(bot: Bot, view: View, extra: Sequence[AnyMove] = (), number: int = 0, kinds: str = "") -> AnyMove:
    """Return what the bot chooses; it is one of the moves of the position (by pieces of these kinds)."""
    shown = board_letters(view.fen)
    moves = [
        Move(uci)
        for uci in legal_moves(view.fen)
        if not kinds or shown[BOARD_INDEX[uci[:2]]].upper() in kinds
    ]
    some = [*moves, *extra]
    return chosen(bot, view, some, Random(bytes([number]) * 32))


def chosen(bot: Bot, view: View, moves: Sequence[AnyMove], dice: Random) -> AnyMove:
    """Return what the bot chooses; it is one of the moves."""
    move: AnyMove | None = bot.choose(view, view.turn, moves, dice)
    assert move is not None
    assert move in moves
    return move


def test_there_are_eight_levels_and_all_of_them_are_slow() -> None:
    assert [bot.name for bot in BOTS] == [f"level{number}" for number in range(1, 9)]
    assert all(map(is_slow, BOTS))
    assert len(set(LEVELS)) == 8


# The plain game


@pytest.mark.parametrize("bot", BOTS[3:], ids=lambda bot: bot.name)
@pytest.mark.parametrize("fen", MATES_IN_ONE)
def test_a_mate_is_given(fen: str, bot: Bot) -> None:
    move = answer(bot, view_of(fen))
    assert isinstance(move, Move)
    assert move.uci in MATES_IN_ONE[fen]


@pytest.mark.parametrize("bot", BOTS[5:], ids=lambda bot: bot.name)
@pytest.mark.parametrize("fen", MATES_IN_TWO)
def test_a_mate_in_two_is_found(fen: str, bot: Bot) -> None:
    move = answer(bot, view_of(fen))
    assert isinstance(move, Move)
    assert move.uci in MATES_IN_TWO[fen]


@pytest.mark.parametrize("bot", BOTS[2:7], ids=lambda bot: bot.name)
@pytest.mark.parametrize("fen", PRIZES)
def test_what_hangs_is_taken(fen: str, bot: Bot) -> None:
    assert [answer(bot, view_of(fen), number=number) for number in range(2)] == [Move(PRIZES[fen])] * 2


def test_the_weakest_mostly_takes_a_queen_but_not_always() -> None:
    fen = "4k3/8/8/3q4/8/2N2N2/PPP2PPP/R3K2R w - - 0 1"
    taken = sum(answer(BOTS[0], view_of(fen), number=number) == Move("c3d5") for number in range(60))
    assert 30 <= taken < 60


def test_the_strongest_gives_nothing_away() -> None:
    # Taking the pawn loses the queen for it.
    fen = "4k3/4p3/3p4/8/8/3Q4/8/4K3 w - - 0 1"
    assert answer(BOTS[7], view_of(fen)) != Move("d3d6")


@pytest.mark.parametrize("fen", ["8/8/8/3k4/8/8/8/4K1Q1 w - - 0 1", "8/8/8/3k4/8/8/8/4K2R w - - 0 1"])
def test_a_won_ending_is_won(fen: str) -> None:
    board, past = node_of(fen).board, []
    for _ in range(100):
        node = node_of(board.get_fen())
        past.append(node.board.zobrist_hash)
        uci, _ = Search(node, 8_000, past).best_move(uci_moves(node.board))
        board.make_move(Push(uci))
        if board.is_checkmate():
            return
    raise AssertionError(board.get_fen())


def test_the_same_question_has_the_same_answer() -> None:
    for bot in (BOTS[0], BOTS[4]):
        assert len({answer(bot, view_of(START), number=7).uci for _ in range(2)}) == 1  # type: ignore[union-attr] # a move


def test_openings_are_varied() -> None:
    assert len({answer(BOTS[4], view_of(START), number=number) for number in range(12)}) > 1


def test_who_stands_worse_claims_a_draw_and_who_stands_better_does_not() -> None:
    fen = "4k3/8/8/8/8/8/1Q6/4K3 {} - - 20 60"
    for bot in BOTS[3:6]:
        assert answer(bot, view_of(fen.format("b"), draw_claim="threefold"), [ClaimDraw()]) == ClaimDraw()
        assert answer(bot, view_of(fen.format("w"), draw_claim="threefold"), [ClaimDraw()]) != ClaimDraw()


def test_a_winner_does_not_repeat_positions() -> None:
    """The best move would bring the same position for the third time; another one wins as well."""
    line = "e2e4 e7e5 d1h5 g8f6 h5e5 f8e7 e5f4 e8f8 f4e5 f8e8 e5f4 e8f8"
    state = RULES.deal(Settings(), Random(bytes(32)))
    for uci in line.split():
        state = RULES.play(state, state.turn, Move(uci), Random(bytes(32))).state
    move = BOTS[5].choose(RULES.view(state, WHITE), WHITE, RULES.legal(state, WHITE), Random(bytes(32)))
    assert move != Move("f4e5")


def test_the_engine_looks_at_far_more_than_1500_positions_a_second() -> None:
    fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
    search = Search(node_of(fen), 6_000)
    began = process_time()
    search.best_move(uci_moves(node_of(fen).board))
    # It is about a hundred times as many on a common machine; only our own time counts here.
    assert search.nodes >= 6_000
    assert search.nodes / (process_time() - began) >= 1_500


def test_a_budget_is_kept_and_something_is_always_found() -> None:
    for budget in (1, 20, 1_000):
        search = Search(node_of(START), budget)
        assert search.best_move(uci_moves(node_of(START).board))[0] in legal_moves(START)
        assert search.nodes <= budget + 1


# Twists


def table(options: Settings, seed: int, terms: StartConditions) -> State:
    return RULES.deal(options, Random(bytes([seed]) * 32), None, terms)


TWISTS = [
    Settings(dice, fog, mines, rerolls)
    for dice, fog, mines, rerolls in product(DiceMode, (False, True), (0, 12), (0, 2))
    if dice or not rerolls
]
OLDER = [
    Settings(dice, fog, mines, legacy_rules=True, unchecked_moves=trusting)
    for dice, fog, mines, trusting in product(DiceMode, (False, True), (0, 5), (False, True))
]


def named(options: Settings) -> str:
    words = (
        options.dice.value,
        options.fog and "fog",
        options.mines and "mines",
        options.rerolls and "rerolls",
        options.unchecked_moves and "trusting",
    )
    return "-".join(word for word in words if word) or "plain"


def play(options: Settings, seed: int, terms: StartConditions, steps: int) -> State:
    """Let two quick bots play; each choice is allowed."""
    state = table(options, seed, terms)
    dice, thoughts = Random(bytes([seed, 1] * 16)), Random(bytes([seed, 2] * 16))
    for _ in range(steps):
        if not (acting := RULES.to_act(state)):
            break
        (seat,) = acting
        moves = RULES.legal(state, seat)
        move = chosen(QUICK[seat], RULES.view(state, seat), moves, thoughts)
        state = RULES.play(state, seat, move, dice).state
    return state


@pytest.mark.parametrize("options", TWISTS, ids=named)
def test_every_choice_is_legal_in_every_variant(options: Settings) -> None:
    play(options, 3, StartConditions(), 60)


@pytest.mark.slow
@pytest.mark.parametrize("options", TWISTS, ids=named)
@pytest.mark.parametrize("seed", range(4))
def test_every_choice_of_a_whole_game_is_allowed(options: Settings, seed: int) -> None:
    play(options, seed, StartConditions(), 400)


@pytest.mark.parametrize("options", OLDER, ids=named)
def test_at_tables_of_older_clients_too(options: Settings) -> None:
    played = play(options, 5, StartConditions(sees_hidden=(BLACK,)), 14)
    assert len(played.moves) > 5


def test_a_bot_asks_for_dice_that_are_not_rolled_yet() -> None:
    state = table(Settings(DiceMode.FREE, legacy_rules=True), 1, StartConditions(sees_hidden=(WHITE, BLACK)))
    moves = RULES.legal(state, WHITE)
    for bot in BOTS:
        assert isinstance(bot.choose(RULES.view(state, WHITE), WHITE, moves, Random(bytes(32))), Roll)


def test_every_level_plays_every_variant() -> None:
    for number, options in enumerate(TWISTS):
        state = table(options, number, StartConditions())
        bot = BOTS[number % 8]
        moves = RULES.legal(state, state.turn)
        assert bot.choose(RULES.view(state, state.turn), state.turn, moves, Random(bytes(32))) in moves


# Dice


def rolled(fen: str, dice: str, used: str = "...", *, free: bool = False, **more: Any) -> View:
    view = view_of(fen)
    dice_of = CurrentDice(view.turn, dice, used, -1 if free else used.index("."), **more)
    return View(WHITE, view.turn, fen, dice=dice_of)


DICERS = BOTS[4:]


@pytest.mark.parametrize("bot", DICERS, ids=lambda bot: bot.name)
def test_a_die_that_mates_does(bot: Bot) -> None:
    fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
    assert answer(bot, rolled(fen, "RPP"), kinds="RK") == Move("d1d8")


@pytest.mark.parametrize("bot", DICERS, ids=lambda bot: bot.name)
def test_of_two_knights_the_undefended_one_is_captured(bot: Bot) -> None:
    fen = "6k1/1p6/n6n/8/8/8/8/R5KR w - - 0 1"
    assert answer(bot, rolled(fen, "PPR", "xx."), kinds="RK") == Move("h1h6")


@pytest.mark.parametrize("bot", DICERS, ids=lambda bot: bot.name)
@pytest.mark.parametrize("free", [False, True])
def test_a_plan_is_made_for_all_the_dice(bot: Bot, free: bool) -> None:
    """The bishop stands in its own queen's way: first it must go away, then the queen mates."""
    fen = "6k1/5ppp/8/8/8/8/3B1PPP/3Q2K1 w - - 0 1"
    view = rolled(fen, "BQP", free=free)
    move = answer(bot, view, kinds="BQP" if free else "BK")
    assert isinstance(move, Move)
    assert move.uci[:2] == "d2"


@pytest.mark.parametrize("bot", DICERS, ids=lambda bot: bot.name)
def test_a_die_is_let_go_where_the_king_had_better_stay(bot: Bot) -> None:
    """It could only leave its shelter."""
    fen = "r2qk2r/8/8/8/8/8/3P1P2/R2QKB1R w - - 0 1"
    view = rolled(fen, "PPN", "xx.", skip=True)
    assert answer(bot, view, [Skip()], kinds="NK") == Skip()


@pytest.mark.parametrize("bot", DICERS, ids=lambda bot: bot.name)
def test_bad_dice_are_rerolled_and_good_ones_are_not(bot: Bot) -> None:
    fen = "3q2k1/1p3ppp/1P6/8/3R4/8/5PPP/3QB1K1 w - - 0 1"
    bad = rolled(fen, "PPP", reroll=True, rerolls=(1, 0))
    good = rolled(fen, "RQP", reroll=True, rerolls=(1, 0))
    assert answer(bot, bad, [Reroll()], kinds="PK") == Reroll()
    assert answer(bot, good, [Reroll()], kinds="RK") != Reroll()


@pytest.mark.parametrize("bot", DICERS, ids=lambda bot: bot.name)
def test_a_free_answer_to_a_check_looks_at_the_dice_that_are_kept(bot: Bot) -> None:
    """The rook has given check and has another die: taking it is best."""
    fen = "6k1/8/8/8/8/8/6PP/r4BK1 w - - 0 1"
    view = View(WHITE, WHITE, fen, dice=CurrentDice(BLACK, "RRP", "x..", free=True, kept=True))
    assert answer(bot, view) in [Move(uci) for uci in legal_moves(fen)]
    fen = "6k1/8/8/8/8/2B5/6PP/r5K1 w - - 0 1"
    view = View(WHITE, WHITE, fen, dice=CurrentDice(BLACK, "RRP", "x..", free=True, kept=True))
    assert answer(bot, view) == Move("c3a1")


# Fog


def fogged(seed: int, steps: int = 30) -> list[tuple[State, View]]:
    """Return moments of a game in the fog."""
    state = table(Settings(fog=True), seed, StartConditions())
    found = []
    dice = Random(bytes([seed]) * 32)
    for _ in range(steps):
        if not RULES.to_act(state):
            break
        view = RULES.view(state, state.turn)
        found.append((state, view))
        move = chosen(QUICK[0], view, RULES.legal(state, state.turn), dice)
        state = RULES.play(state, state.turn, move, dice).state
    return found


def test_what_is_imagined_agrees_with_everything_seen() -> None:
    whole = 0
    for state, view in fogged(1):
        for fen in FogSampler(view, state.turn == view.white).sample(3, Random(bytes(32))):
            shown = board_letters(fen)
            assert all(seen in ("?", sign) for seen, sign in zip(view.board, shown, strict=True))
            whole += set(legal_moves(fen)) == set(view.dests.split())
    assert whole > 30


def test_the_fogged_choice_needs_nothing_but_what_is_sent() -> None:
    bot = QUICK[1]
    for state, view in fogged(2)[::6]:
        assert view.fen == ""
        moves = RULES.legal(state, state.turn)
        sent = msgspec.json.decode(msgspec.json.encode(view), type=View)
        choices = [bot.choose(some, state.turn, moves, Random(bytes(32))) for some in (view, sent)]
        assert choices[0] == choices[1]


@pytest.mark.parametrize("bot", BOTS[4:], ids=lambda bot: bot.name)
def test_a_queen_in_sight_is_taken_in_the_fog(bot: Bot) -> None:
    board = "????????" * 4 + "...q...." + "........" * 2 + "...RK..."
    dests = "d1d2 d1d3 d1d4 d1c1 d1b1 d1a1 e1d2 e1e2 e1f2 e1f1"
    view = View(WHITE, WHITE, "", ("e2e4", ""), board=board, dests=dests)
    moves = [Move(uci) for uci in dests.split()]
    assert bot.choose(view, WHITE, moves, Random(bytes(32))) == Move("d1d4")


# Mines


def test_numbers_tell_where_mines_are() -> None:
    field = Minefield(2, (MineCount("a3", 0), MineCount("h6", 3)), (Explosion(1, "c6", "N"),))
    chances = mine_odds(field)
    assert not {"a3", "a4", "b3", "b4", "h6", "c6", "e2", "e7"} & chances.keys()
    assert {chances[square] for square in ("g5", "g6", "h5")} == {CERTAIN}
    assert 0 <= chances["d4"] < CERTAIN
    assert set(chances) <= {square for square in SQUARES if square[1] in "3456"}
    assert mine_odds(Minefield(1, all=("e4",))) == {"e4": CERTAIN}


def test_without_numbers_every_square_is_as_dangerous() -> None:
    assert mine_odds(Minefield(8)) == {square: CERTAIN // 4 for square in SQUARES if square[1] in "3456"}


@pytest.mark.parametrize("bot", BOTS[4:], ids=lambda bot: bot.name)
def test_no_queen_is_spent_for_a_pawn_on_a_mine(bot: Bot) -> None:
    fen = "6k1/8/8/3p4/8/8/3Q4/6K1 w - - 0 1"
    safe = Minefield(1, (MineCount("d6", 0),))
    mined = Minefield(
        1,
        (MineCount("d6", 1), MineCount("c4", 1), *(MineCount(s, 1) for s in ("c5", "e5", "e6", "c6", "e4"))),
    )
    assert answer(bot, view_of(fen, minefield=safe)) == Move("d2d5")
    assert answer(bot, view_of(fen, minefield=mined)) != Move("d2d5")


def test_a_mate_is_worth_more_than_anything() -> None:
    search = Search(node_of("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), 1_000)
    assert search.best_move(["d1d8", "d1d7"]) == ("d1d8", MATE - 1)
