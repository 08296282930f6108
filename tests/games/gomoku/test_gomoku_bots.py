"""The bots of gomoku: what each must see, and that they only ever play what is legal."""

import random
from collections.abc import Iterator

import pytest

from qipai.games.game_registry import GAMES
from qipai.games.gomoku.bots.forced_wins import VcfSearch
from qipai.games.gomoku.bots.levels import SEARCH_BUDGET, Easy, Hard, Normal
from qipai.games.gomoku.bots.search import NODE_VCF_LIMIT, Search, candidate_moves
from qipai.games.gomoku.bots.search_board import Board, cells, layout_of
from qipai.games.gomoku.rules import RULES
from qipai.games.gomoku.state import State
from qipai.games.gomoku.wire_types import PLACES, View
from qipai.kernel.game_interface.bot_interface import Bot, is_slow
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .gomoku_table import Picture, pictures, random_game

HARD = Hard(20_000)
"""It must see all this in a part of its time."""
BOTS: tuple[Bot, ...] = (Easy(), Normal(), HARD)
AIDES = (0, 14, 210, 224, 7, 217, 105, 119, 3, 221)
"""Cells so far from everything that a stone there changes nothing; they make the number of stones right."""
WAYS = (1, 15, 16, 14)
BITS = layout_of(15, renju=False)

MOMENTS, THREES, FOURS_ALONE = (pictures(f"gomoku_{name}.txt") for name in ("moments", "threes", "fours"))


def names(found: list[Picture]) -> list[str]:
    return [picture.title for picture in found]


def view_of(picture: Picture, colour: int) -> View:
    """Return the picture as a game in which this colour is to move."""
    stones = picture.cells["X"], picture.cells["O"]
    idle = iter(cell for cell in AIDES if cell in picture.cells["."])
    moves: list[int] = []
    rest = [list(stones[0]), list(stones[1])]
    while rest[0] or rest[1] or len(moves) % 2 != colour:
        ours = rest[len(moves) % 2]
        moves.append(ours.pop() if ours else next(idle))
    return View(Seat(0), Seat(colour), tuple(moves), ())


def answer(bot: Bot, view: View, number: int = 0) -> int:
    """Return the cell the bot chooses; it is an empty one."""
    free = [PLACES[cell] for cell in range(225) if cell not in view.moves]
    move = bot.choose(view, view.turn, free, Random(bytes([number]) * 32))
    assert move in free
    return int(move.x + 15 * move.y)


def after(view: View, cell: int) -> View:
    return View(view.black, Seat(1 - view.turn), (*view.moves, cell), ())


# An oracle that knows stones and neighbours, and nothing of lines, fields or shapes.


def row(stones: set[int], cell: int, way: int) -> int:
    """Return how many stones stand in one row through this cell, as if it held one."""
    count = 1
    for step in (way, -way):
        here = cell
        while True:
            there = here + step
            edge = abs(there % 15 - here % 15) > 1 or not 0 <= there < 225
            if edge or there not in stones:
                break
            count, here = count + 1, there
    return count


def completions(view: View, colour: int) -> set[int]:
    """Return the empty cells that make five for a colour."""
    stones = set(view.moves[colour::2])
    empty = set(range(225)) - set(view.moves)
    return {cell for cell in empty if any(row(stones, cell, way) >= 5 for way in WAYS)}


def near(view: View) -> Iterator[int]:
    """Yield the empty cells not farther than four from a stone, in a straight line."""
    spots = {
        (stone % 15 + a * far, stone // 15 + b * far)
        for stone in view.moves
        for a in (-1, 0, 1)
        for b in (-1, 0, 1)
        for far in (1, 2, 3, 4)
    }
    for x, y in sorted(spots):
        if 0 <= x < 15 and 0 <= y < 15 and x + 15 * y not in view.moves:
            yield x + 15 * y


def forced(view: View, stones: int) -> bool:
    """Tell whether the colour to move makes fours, and five with this stone of both sides at the latest."""
    colour = int(view.turn)
    if completions(view, colour):
        return True
    if stones < 3:
        return False
    must = completions(view, 1 - colour)
    for cell in must or near(view):
        four = after(view, cell)
        fives = completions(four, colour)
        if not fives or len(must) > 1:
            continue
        if len(fives) > 1 or forced(after(four, fives.pop()), stones - 2):
            return True
    return False


def test_there_are_three_strengths_and_only_the_strongest_is_slow() -> None:
    assert [(bot.name, is_slow(bot)) for bot in GAMES["gomoku"].bots.values()] == [
        ("easy", False),
        ("normal", False),
        ("hard", True),
    ]


@pytest.mark.parametrize("bot", BOTS[1:], ids=lambda bot: bot.name)
@pytest.mark.parametrize("picture", MOMENTS, ids=names(MOMENTS))
def test_a_win_is_taken_and_a_four_is_stopped(picture: Picture, bot: Bot) -> None:
    view = view_of(picture, "XO".index(picture.answer[0]))
    for number in range(5):
        assert answer(bot, view, number) in picture.cells["*"]


@pytest.mark.parametrize("picture", MOMENTS, ids=names(MOMENTS))
def test_easy_always_makes_its_five_and_mostly_stops_one(picture: Picture) -> None:
    view = view_of(picture, "XO".index(picture.answer[0]))
    good = sum(answer(Easy(), view, number) in picture.cells["*"] for number in range(100))
    five = completions(view, int(view.turn))
    assert good == 100 if five else 60 <= good < 100


@pytest.mark.parametrize("bot", BOTS[1:], ids=lambda bot: bot.name)
@pytest.mark.parametrize("picture", THREES, ids=names(THREES))
def test_an_open_three_is_answered(picture: Picture, bot: Bot) -> None:
    """The answer leaves no stone that would threaten to make five in two ways."""
    view = view_of(picture, "XO".index(picture.answer[0]))
    enemy = 1 - int(view.turn)

    def straights(seen: View) -> list[int]:
        skipped = after(seen, next(cell for cell in AIDES if cell not in seen.moves))
        seen = seen if int(seen.turn) == enemy else skipped
        return [cell for cell in near(seen) if len(completions(after(seen, cell), enemy)) > 1]

    assert straights(view)
    for number in range(5):
        assert not straights(after(view, answer(bot, view, number)))


@pytest.mark.parametrize("picture", FOURS_ALONE, ids=names(FOURS_ALONE))
def test_hard_wins_by_fours_however_long(picture: Picture) -> None:
    """Against the only answers there are, it has five; every stone of its own is a four."""
    view = view_of(picture, 0)
    least = int(picture.answer.split()[0])
    assert least >= 9
    stones = 1
    while not completions(view, 0):
        view = after(view, answer(HARD, view))
        fives = completions(view, 0)
        assert fives, "a stone that was no four"
        view = after(view, min(fives))
        stones += 2
        assert stones < 40
    assert answer(HARD, view) in completions(view, 0)
    assert stones >= least


@pytest.mark.slow
@pytest.mark.parametrize("picture", FOURS_ALONE, ids=names(FOURS_ALONE))
def test_no_shorter_win_by_fours_was_missed_when_the_puzzle_was_made(picture: Picture) -> None:
    view = view_of(picture, 0)
    least = int(picture.answer.split()[0])
    assert forced(view, least)
    assert not forced(view, least - 2)


@pytest.mark.parametrize("picture", FOURS_ALONE[:5], ids=names(FOURS_ALONE)[:5])
def test_hard_defends_against_a_win_by_fours(picture: Picture) -> None:
    """White to move in the same positions: afterwards black has no such win, as the oracle sees it."""
    view = view_of(picture, 1)
    least = int(picture.answer.split()[0])
    view = after(view, answer(HARD, view))
    while fives := completions(view, 1):
        # White may make fours first; black's answers are forced.
        view = after(view, fives.pop())
        view = after(view, answer(HARD, view))
    assert not forced(view, least)


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_bots_play_only_what_is_legal(bot: Bot) -> None:
    for number in range(12 if is_slow(bot) else 120):
        states = random_game(number, width=(5, 8, 15)[number % 3], length=225)
        state = states[random.Random(number).randrange(len(states) - 1)]
        (seat,) = RULES.to_act(state)
        moves = RULES.legal(state, seat)
        assert bot.choose(RULES.view(state, seat), seat, moves, Random(bytes([number]) * 32)) in moves


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_bots_begin_in_the_middle_and_finish_a_full_board(bot: Bot) -> None:
    empty = State(Seat(1))
    assert bot.choose(RULES.view(empty, Seat(1)), Seat(1), RULES.legal(empty, Seat(1)), Random(bytes(32)))
    for first in (0, 14, 112, 224):
        answer(bot, View(Seat(0), Seat(1), (first,), ()))
    quiet = [x + 15 * y for y in range(15) for x in range(15) if (x // 2 + y) % 2]
    other = [cell for cell in range(225) if cell not in quiet]
    order = [cell for pair in zip(other, quiet, strict=False) for cell in pair]
    view = View(Seat(0), Seat(0), tuple(order[:222]), ())
    answer(bot, view)


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_a_bot_without_a_move_leaves_it(bot: Bot) -> None:
    assert bot.choose(View(Seat(0), Seat(1), (112,), ()), Seat(0), (), Random(bytes(32))) is None


def test_hard_puts_no_more_stones_than_its_budget() -> None:
    assert SEARCH_BUDGET <= 200_000, "more takes longer than a second on a slow core"
    for number in range(40):
        states = random_game(number, width=(7, 9, 15)[number % 3], length=225)
        moves = states[min(12 + number, len(states) - 2)].moves
        engine = Search(Board(moves), len(moves) % 2, 4_000)
        engine.best_move()
        assert engine.placed <= 4_000 + 2 * NODE_VCF_LIMIT


def test_the_same_position_gives_the_same_thought() -> None:
    moves = random_game(3, width=9, length=225)[14].moves
    assert Search(Board(moves), 0, 5_000).best_move() == Search(Board(moves), 0, 5_000).best_move()


def test_a_thinking_board_sees_what_the_oracle_sees() -> None:
    for number in range(60):
        states = random_game(number, width=(7, 11, 15)[number % 3], length=225)
        state = states[min(len(states) - 2, 10 + number)]
        view = RULES.view(state, Seat(0))
        once, twice, _ = Board(state.moves).fields()
        for colour in (0, 1):
            mine = once >> colour * BITS.colour_bits
            fives = completions(view, colour)
            assert set(cells(mine & BITS.all_cells)) == fives
            if fives or completions(view, 1 - colour):
                continue
            stones = list(state.moves)
            if len(stones) % 2 != colour:
                continue
            doubles = mine >> BITS.open_fours | twice >> colour * BITS.colour_bits + BITS.fours
            double = set(cells(doubles & BITS.all_cells))
            makes = {cell: len(completions(after(view, cell), colour)) for cell in near(view)}
            fours = set(cells(mine >> BITS.fours & BITS.all_cells))
            assert fours == {cell for cell, count in makes.items() if count}
            assert double == {cell for cell, count in makes.items() if count > 1}


def test_stones_can_be_lifted_again() -> None:
    moves = random_game(5, width=15, length=60)[-1].moves
    board = Board()
    steps = [(cell, i % 2, board.place(cell, i % 2)) for i, cell in enumerate(moves)]
    assert board.key
    for cell, colour, before in reversed(steps):
        board.remove(cell, colour, before)
    assert (board.key, board.a, board.b, board.c, board.d, board.score) == (0,) * 6


def test_the_last_empty_cell_is_taken_when_it_wins() -> None:
    """Nothing else is worth a look there: no line has room for anything but this five."""
    rest = [cell for cell in range(225) if cell != 4]
    checks = [cell for cell in rest if cell > 14 and (cell % 15 // 2 + cell // 15) % 2]
    black = [0, 1, 2, 3, 6, 7, 10, *checks]
    white = [cell for cell in rest if cell not in black]
    assert len(black) == len(white) == 112
    moves = tuple(cell for pair in zip(black, white, strict=True) for cell in pair)
    view = View(Seat(0), Seat(0), moves, ())
    assert [answer(bot, view) for bot in BOTS] == [4, 4, 4]


def test_a_quiet_board_has_nothing_forced() -> None:
    board = Board((112, 97))
    assert VcfSearch(board).find_win(0, 1_000) == []
    assert candidate_moves(board.layout, board.fields(), 0, 10)
