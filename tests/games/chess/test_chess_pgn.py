"""Chess as PGN: reading returns what was written, and other programs can open it."""

import io
import json
import random
from datetime import date
from pathlib import Path

import chess
import chess.pgn
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.games.chess import pgn_reader, pgn_writer
from qipai.games.chess.game_record import Heading, Record, RecordedRoll, record_of, result_of
from qipai.games.chess.wire_types import DiceMode, DiceRoll, Explosion, Minefield, Settings, View
from qipai.kernel.codec import Malformed
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.ids import Seat

A, B = Seat(0), Seat(1)
CASES = sorted((Path(__file__).parent / "chess_pgn").glob("*.json"))
NAMES = st.text(st.characters(codec="utf-8"), max_size=24)


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that every writer of PGN writes alike: a file of `chess_pgn`."""

    about: str
    view: View
    heading: Heading
    pgn: str


def opened(text: str) -> chess.pgn.Game:
    """Return the game as python-chess reads it, without a complaint."""
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert game.errors == []
    return game


def mainline(text: str) -> str:
    """Return the moves of the text in UCI's notation, as python-chess reads them."""
    return " ".join(move.uci() for move in opened(text).mainline_moves())


def written(*moves: str, sides: str = "", options: Settings = Settings(), **beside: object) -> str:  # noqa: B008 - frozen
    view = View(A, A, "", moves, sides, **beside)  # type: ignore[arg-type]  # what a view has beside
    game = record_of(view, Heading(options=options))
    text = pgn_writer.write_pgn(game)
    assert pgn_reader.read_pgn(text) == game
    return text


def test_there_are_known_answers() -> None:
    assert len(CASES) >= 10


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_known_answer_is_written_and_read(path: Path) -> None:
    case = msgspec.json.decode(path.read_bytes(), type=Case)
    game = record_of(case.view, case.heading)
    assert pgn_writer.write_pgn(game) == case.pgn
    assert pgn_reader.read_pgn(case.pgn) == game
    opened(case.pgn)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_known_answer_ends_in_the_position_that_was_played(path: Path) -> None:
    case = msgspec.json.decode(path.read_bytes(), type=Case)
    board = opened(case.pgn).end().board()
    if "[%moves" not in case.pgn and "[%boom" not in case.pgn:
        assert board.board_fen() == case.view.fen.split()[0]


def test_a_plain_game_has_no_tags_of_ours_but_the_reason() -> None:
    heading = Heading("Ann", "Bob", "0-1", "mate", date(2026, 11, 15), "Club night", "Qipai", 2)
    view = View(A, A, "", ("f2f3", "e7e5", "g2g4", "d8h4"))
    text = pgn_writer.write_pgn(record_of(view, heading))
    assert text == (
        '[Event "Club night"]\n[Site "Qipai"]\n[Date "2026.11.15"]\n[Round "2"]\n[White "Ann"]\n'
        '[Black "Bob"]\n[Result "0-1"]\n[Termination "normal"]\n[Reason "mate"]\n\n'
        "1. f3 e5 2. g4 Qh4# 0-1\n"
    )


def test_what_makes_a_game_special_is_in_a_tag_that_other_programs_ignore() -> None:
    options = Settings(DiceMode.SEQUENTIAL, fog=True, mines=5, rerolls=1, white=B)
    text = written("e2e4", options=options)
    assert '[Qipai "dice=sequential fog mines=5 rerolls=1"]\n' in text
    assert "Variant" not in text
    assert opened(text).headers["Qipai"] == "dice=sequential fog mines=5 rerolls=1"


def test_a_side_that_goes_on_is_answered_by_null_moves() -> None:
    text = written("e2e4", "d2d4", "g1f3", "e7e5", "d7d6", sides="wwwbb")
    assert text.endswith("\n\n1. e4 -- 2. d4 -- 3. Nf3 e5 4. -- d6 *\n")


def test_a_side_that_passes_makes_a_null_move() -> None:
    rolled = (DiceRoll(0, B, "BRQ", "---"), DiceRoll(0, A, "PPP", "x.."))
    view = View(B, A, "", ("e7e5",), "b", rolls=rolled)
    text = pgn_writer.write_pgn(record_of(view, Heading()))
    assert text.endswith("\n\n{[%dice BRQ w ---]} {[%dice PPP b x..]} 1. -- e5 *\n")


def test_dice_stand_before_the_move_that_used_them() -> None:
    rolled = (
        DiceRoll(0, A, "QQQ", "..."),
        DiceRoll(0, A, "PNB", "xx-", again=True),
        DiceRoll(2, B, "PPP", "..."),
    )
    text = written("e2e4", "g1f3", sides="ww", rolls=rolled)
    assert text.endswith(
        "\n\n{[%dice QQQ w ...]} {[%dice PNB w xx- again]} 1. e4 -- 2. Nf3 {[%dice PPP b\n...]} *\n"
    )


def test_after_an_explosion_the_moves_go_on_in_a_comment() -> None:
    field = Minefield(2, explosions=(Explosion(1, "e4", "P"), Explosion(3, "d4", "P")), all=("c3", "f5"))
    text = written("e2e4", "e7e5", "d2d4", "e5e4", minefield=field)
    assert text.endswith(
        "\n\n1. e4 {[%boom e4 P]} {[%moves e7e5 d2d4]} {[%boom d4 P]} {[%moves e5e4]}\n{[%mines c3 f5]} *\n"
    )


def test_an_unchecked_game_continues_in_a_comment_from_its_first_illegal_move() -> None:
    text = written("e2e4", "e7e5", "e1e8", "a1a8q", options=Settings(unchecked_moves=True))
    assert text.endswith("\n\n1. e4 e5 {[%moves e1e8 a1a8q]} *\n")


@pytest.mark.parametrize(
    "moves",
    ["e2e4 a7a6 f1c4 b7b6 g1f3 c7c6 e1g1", "e2e4 a7a6 e4e5 d7d5 e5d6"],
    ids=["castling", "en passant"],
)
def test_an_unchecked_castling_move_moves_the_king_only(moves: str) -> None:
    head, last = moves.rsplit(" ", 1)
    assert f"{{[%moves {last}]}}" in written(*moves.split(), options=Settings(unchecked_moves=True))
    assert mainline(written(*moves.split())) == moves
    assert mainline(written(*moves.split(), options=Settings(unchecked_moves=True))) == head


def test_no_null_move_is_written_in_check() -> None:
    text = written("e2e4", "f7f6", "d1h5", "h5e8", sides="wbww", options=Settings(unchecked_moves=True))
    assert text.endswith("\n\n1. e4 f6 2. Qh5+ {[%moves -- h5e8]} *\n")


def test_a_king_that_takes_its_own_rook_does_not_castle() -> None:
    moves = ("e2e4", "a7a6", "f1c4", "b7b6", "g1f3", "c7c6", "e1h1")
    assert "{[%moves e1h1]}" in written(*moves, options=Settings(unchecked_moves=True))


@pytest.mark.parametrize(
    "name", ['say "hi"', "back\\slash", "{brace}", "[bracket]", "; %", "]", '"]', "\\", "", "名", "?"]
)
def test_names_are_kept_whatever_signs_they_have(name: str) -> None:
    game = record_of(View(A, A, "", ("e2e4",)), Heading(white=name, black="B", event=name, site=name))
    text = pgn_writer.write_pgn(game)
    assert pgn_reader.read_pgn(text) == game
    assert pgn_reader.read_pgn(text).heading.white == (name or "?")
    assert opened(text).headers["Black"] == "B"


def test_a_name_of_several_lines_stays_in_one() -> None:
    game = record_of(View(A, A, ""), Heading(white='a\r\nb"]\n[FEN "x'))
    assert game.heading.white == 'a  b"] [FEN "x'
    assert "FEN" not in opened(pgn_writer.write_pgn(game)).headers


@given(white=NAMES, black=NAMES, day=st.dates(date(1900, 1, 1)), reason=NAMES, number=st.integers(0, 999))
def test_every_heading_is_kept(white: str, black: str, day: date, reason: str, number: int) -> None:
    heading = Heading(white, black, "1-0", reason, day, white, black, number)
    game = record_of(View(A, A, "", ("e2e4",)), heading)
    assert pgn_reader.read_pgn(pgn_writer.write_pgn(game)) == game
    opened(pgn_writer.write_pgn(game))


@pytest.mark.parametrize(
    ("outcome", "signs"),
    [
        (Outcome((A,), "mate"), "1-0"),
        (Outcome((B,), "time"), "0-1"),
        (Outcome((), "agreed"), "1/2-1/2"),
        (Outcome((), "time_material"), "1/2-1/2"),
        (Outcome((), "aborted"), "*"),
        (Outcome((), "abandoned"), "*"),
        (None, "*"),
    ],
)
def test_results_are_those_of_the_colours(outcome: Outcome | None, signs: str) -> None:
    assert result_of(A, outcome) == signs


@given(st.integers(0, 2**32), st.integers(0, 80), st.booleans())
def test_any_sequence_of_moves_is_read_as_it_was_written(seed: int, length: int, trusting: bool) -> None:
    game = random_record(random.Random(seed), length, trusting=trusting)
    text = pgn_writer.write_pgn(game)
    assert pgn_reader.read_pgn(text) == game
    assert max(map(len, text.splitlines())) <= 80
    moves = [move for move in opened(text).mainline_moves() if move]
    assert [move.uci() for move in moves] == list(game.moves[: len(moves)])


def random_record(rng: random.Random, length: int, *, trusting: bool) -> Record:
    """Return a game of random moves, rolls and explosions."""
    board = chess.Board()
    moves: list[str] = []
    sides = ""
    casts: list[RecordedRoll] = []
    blasts: list[Explosion] = []
    for ply in range(length):
        while rng.random() < 0.3:
            casts.append(
                RecordedRoll(ply, rng.choice("wb"), "PNK", rng.choice((".x-", "---")), rng.random() < 0.2)
            )
        if rng.random() < 0.5 and not board.is_check():
            board.push(chess.Move.null())
        if trusting and rng.random() < 0.1:
            start, end = rng.sample(chess.SQUARE_NAMES, 2)
            moves.append(start + end)
        elif legal := [move.uci() for move in board.legal_moves]:
            moves.append(rng.choice(legal))
        else:
            break
        sides += "wb"[not board.turn]
        if any(move.uci() == moves[-1] for move in board.legal_moves):
            board.push_uci(moves[-1])
        else:
            board.turn = not board.turn
        if rng.random() < 0.02:
            blasts.append(Explosion(len(moves), moves[-1][2:4], rng.choice("PNqk")))
    options = Settings(unchecked_moves=trusting, mines=rng.randrange(3))
    mines = tuple(rng.sample(chess.SQUARE_NAMES, rng.randrange(4)))
    return Record(Heading(options=options), tuple(moves), sides, tuple(casts), tuple(blasts), mines)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "\n1. e4",
        "\n1. e5 *",
        "\n1. e4 (1. d4) *",
        "\n1. e4 {open *",
        "\n1. e4 * 1. d4 *",
        "\n{[%moves e2e9]} *",
        "\n{[%moves e2e4]} 1. e4 *",
        "\n{[%dice PNX w ...]} *",
        "\n{[%dice PN w ...]} *",
        "\n{[%boom]} *",
        "\n{[%boom e4 X]} *",
        "\n{[%mines e4 z9]} *",
        '[White "a]\n\n*',
        '[White "a"]\n[White "b"]\n\n*',
        '[Result "1-0"]\n\n*',
        '[Date "2026.02.30"]\n\n*',
        '[Date "yesterday"]\n\n*',
        '[Round "x"]\n\n*',
        '[Qipai "gravity"]\n\n*',
        '[Qipai "fog=1"]\n\n*',
        '[Variant "Atomic"]\n\n*',
        '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*',
        "\n" + "{}" * 300_000 + "*",
    ],
)
def test_what_is_no_game_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        pgn_reader.read_pgn(text)


def test_what_other_programs_note_is_passed_over() -> None:
    game = pgn_reader.read_pgn("\r\n1. e4 {[%clk 0:03:00] best by test} e5\r\n1/2-1/2\r\n")
    assert game == Record(Heading(result="1/2-1/2"), ("e2e4", "e7e5"), "wb")


def test_the_known_answers_are_plain_json() -> None:
    for path in CASES:
        assert set(json.loads(path.read_text())) == {"about", "view", "heading", "pgn"}
