"""Gomoku as SGF: what is written, that it is read back, and what is refused and why."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.games.gomoku.rules import RULES
from qipai.games.gomoku.sgf import MAX_TEXT, SgfGame, read_sgf, result_of, sgf_game, write_sgf
from qipai.kernel.codec import MAX_FRAME, Malformed, clean_line
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.ids import SPECTATOR, Seat

from .gomoku_table import cells_of, pictures, played, random_game

A, B = Seat(0), Seat(1)
FIVE = tuple(cells_of("F8 F1 G8 G1 H8 H1 I8 I1 J8"))
DAY = date(2026, 1, 2)
TEXT = (
    "(;FF[4]GM[4]SZ[15]CA[UTF-8]AP[Qipai]PB[Ann]PW[Bob]DT[2026-01-02]RE[B+]\n"
    ";B[fh];W[fo];B[gh];W[go];B[hh];W[ho];B[ih];W[io];B[jh])\n"
)


# Writing


def test_a_game_is_written_as_the_format_says() -> None:
    assert write_sgf(SgfGame(FIVE, "Ann", "Bob", "B+", DAY)) == TEXT


def test_what_is_not_known_is_left_out() -> None:
    assert write_sgf(SgfGame(())) == "(;FF[4]GM[4]SZ[15]CA[UTF-8]AP[Qipai])\n"


def test_the_corners_have_the_letters_of_the_format() -> None:
    # Columns from the left and rows from the top, as in Go: aa is the upper left corner.
    assert ";B[aa];W[oa];B[ao];W[oo];B[hh])" in write_sgf(SgfGame((0, 14, 210, 224, 112)))


def test_colours_are_those_that_were_played() -> None:
    for black in (0, 1):
        seen = RULES.view(played(FIVE, black), SPECTATOR)
        game = sgf_game(seen, ("Ann", "Bob"), RULES.outcome(played(FIVE, black)), DAY)
        assert (game.black, game.white) == (("Ann", "Bob"), ("Bob", "Ann"))[black]
        assert (game.moves, game.result, game.day) == (FIVE, "B+", DAY)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome((A,), "five"), ("B+", "W+")),
        (Outcome((B,), "five"), ("W+", "B+")),
        (Outcome((A,), "resigned"), ("B+R", "W+R")),
        (Outcome((B,), "time"), ("W+T", "B+T")),
        (Outcome((B,), "left"), ("W+F", "B+F")),
        (Outcome((), "full"), ("0", "0")),
        (Outcome((), "agreed"), ("0", "0")),
        (Outcome((), "abandoned"), ("Void", "Void")),
        (None, ("?", "?")),
    ],
)
def test_a_result_is_written_in_the_words_of_the_format(
    outcome: Outcome | None, words: tuple[str, str]
) -> None:
    assert (result_of(A, outcome), result_of(B, outcome)) == words
    for word in words:
        assert read_sgf(write_sgf(SgfGame((), result=word))).result == word


def test_names_are_escaped_and_stay_on_one_line() -> None:
    name = "a]b\\c[d;(e):f\ng\th"
    text = write_sgf(SgfGame((112,), name, "白方 ☗", "?"))
    assert "PB[a\\]b\\\\c[d;(e):f g h]" in text
    assert "PW[白方 ☗]" in text
    game = read_sgf(text)
    assert (game.black, game.white) == ("a]b\\c[d;(e):f g h", "白方 ☗")


# Reading


def test_a_written_game_is_read_back() -> None:
    assert read_sgf(TEXT) == SgfGame(FIVE, "Ann", "Bob", "B+", DAY)


def test_a_full_board_is_read_back() -> None:
    for case in pictures("gomoku_draws.txt"):
        black, white = case.cells["X"], case.cells["O"]
        order = [cell for pair in zip(black, white, strict=False) for cell in pair]
        game = SgfGame((*order, black[-1]), "Ann", "Bob", "0", DAY)
        assert len(write_sgf(game)) < MAX_FRAME
        assert read_sgf(write_sgf(game)) == game


names = st.text(max_size=40).map(lambda text: clean_line(text, 20))


@settings(max_examples=200)
@given(
    number=st.integers(0, 2**32),
    width=st.integers(3, 15),
    length=st.integers(0, 225),
    black=names,
    white=names,
    day=st.none() | st.dates(min_value=date(1000, 1, 1)),
    ending=st.sampled_from(("", "?", "Void", "0", "B+R", "W+T", "B+F")),
)
def test_every_game_is_read_back_as_it_was_written(
    number: int, width: int, length: int, black: str, white: str, day: date | None, ending: str
) -> None:
    last = random_game(number, width, length)[-1]
    outcome = RULES.outcome(last)
    ending = ending if outcome is None else result_of(last.black, outcome)
    game = SgfGame(tuple(last.moves), black, white, ending, day)
    assert read_sgf(write_sgf(game)) == game


@settings(max_examples=200)
@given(text=st.text(max_size=60) | st.text("()[];\\BWabo \n", max_size=60), cut=st.integers(0, len(TEXT)))
def test_any_other_text_is_read_or_refused_and_nothing_worse(text: str, cut: int) -> None:
    for spoilt in (text, TEXT[:cut] + text, TEXT[:cut] + text + TEXT[cut:], TEXT[:cut]):
        try:
            game = read_sgf(spoilt)
        except Malformed:
            continue
        assert read_sgf(write_sgf(game)) == game


@pytest.mark.parametrize(
    "text",
    [
        "(;GM[4]SZ[15];B[hh];W[ii])",
        "  ( ; GM [4]\n SZ\t[15]\n ; B [hh] ; W\n[ii] )  \n",
        "(;GM[4]SZ[15]FF[4]CA[utf-8]GN[x]C[with signs (;\\])]EV[];B[hh]N[one]BL[3.5];C[nothing];W[ii])",
        "(;GM[4]SZ[15];B[h\\\nh];W[ii])",
        "(;GM[4]SZ[15]XY[1][2][3];B[hh];W[ii])",
    ],
)
def test_what_others_write_is_read_too(text: str) -> None:
    assert read_sgf(text).moves == tuple(cells_of("H8 I7"))


@pytest.mark.parametrize(
    ("long", "short"), [("Draw", "0"), ("B+Resign", "B+R"), ("W+Time", "W+T"), ("W+Forfeit", "W+F")]
)
def test_long_words_for_a_result_mean_the_short_ones(long: str, short: str) -> None:
    assert read_sgf(f"(;GM[4]SZ[15]RE[{long}])").result == short


HEAD = "(;GM[4]SZ[15]"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the end where ( belongs"),
        ("hello", "'h' where ( belongs"),
        ("()", "')' where ; belongs"),
        ("(;", "the end where ) belongs"),
        ("(;)", "GM is missing"),
        ("(;GM[1]SZ[15])", "GM is 1"),
        ("(;GM[4])", "SZ is missing"),
        ("(;GM[4]SZ[17])", "SZ is 17; only SZ[15] or SZ[19]"),
        ("(;GM[4]SZ[15:15])", "SZ is 15:15"),
        ("(;GM[4]GM[4]SZ[15])", "GM stands twice"),
        ("(;GM[4][4]SZ[15])", "GM has more than one value"),
        ("(;GM[4]SZ[15]FF[3])", "FF is 3"),
        ("(;GM[4]SZ[15]CA[GB2312])", "CA is GB2312"),
        ("(;GM[4]SZ[15", "where […] belongs"),
        ("(;GM[4]SZ[15]PB)", "where […] belongs"),
        ("(;GM[4]SZ[15]pb[x])", "'p' where ) belongs"),
        (HEAD, "the end where ) belongs"),
        (HEAD + ";B[hh]", "the end where ) belongs"),
        (HEAD + ";B[hh]))", "something follows the game"),
        (HEAD + ")" + HEAD + ")", "something follows the game"),
        (HEAD + ";B[hh](;W[ii])(;W[gg]))", "variations cannot be read"),
        (HEAD + ";W[hh])", "move 1 is not black's alone"),
        (HEAD + ";B[hh];B[ii])", "move 2 is not white's alone"),
        (HEAD + ";B[hh]W[ii])", "move 1 is not black's alone"),
        (HEAD + ";B[hh][ii])", "B has more than one value"),
        (HEAD + ";B[])", "move 1 is no point of the board: a pass"),
        (HEAD + ";B[tt])", "move 1 is no point of the board: tt"),
        (HEAD + ";B[hp])", "move 1 is no point of the board: hp"),
        (HEAD + ";B[HH])", "move 1 is no point of the board: HH"),
        (HEAD + ";B[h8])", "move 1 is no point of the board: h8"),
        (HEAD + ";B[hhh])", "move 1 is no point of the board: hhh"),
        (HEAD + ";B[hh];W[hh])", "move 2 is on a stone: hh"),
        (HEAD + "AB[hh];W[ii])", "AB: a position that was set up"),
        (TEXT[:-2] + ";W[aa])", "move 10 is after the end: aa"),
        (TEXT.replace("B+", "W+"), "RE is W+, but on the board it is B+"),
        (TEXT.replace("B+", "0"), "RE is 0, but on the board it is B+"),
        (HEAD + "RE[black])", "RE is no result: black"),
        (HEAD + "DT[today])", "DT is no date: today"),
        (HEAD + "DT[2026-02-30])", "DT is no date: 2026-02-30"),
        (HEAD + ";" * 1_000 + ")", "more nodes than a game can have"),
        (" " * (MAX_TEXT + 1), "longer than"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(Malformed) as no:
        read_sgf(text)
    assert why in str(no.value)
