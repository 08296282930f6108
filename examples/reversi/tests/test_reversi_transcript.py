"""Transcripts are written and read back; wrong ones are refused with the reason."""

from datetime import date

import pytest

from qipai.kernel.codec import Malformed
from qipai.kernel.game_interface.game_headers import GameHeaders
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.ids import Seat
from qipai_reversi.rules import RULES, Options, State, first_state, with_disc
from qipai_reversi.transcript import Transcript, read_transcript, write_transcript

SHORTEST = "f5d6c5f4e7f6g5e6e3"


def played(moves: str, black: int = 0, *, empty_start: bool = False) -> State:
    state = first_state(Seat(black), empty_start=empty_start)
    for square in read_transcript(f'[Start "{"empty" if empty_start else ""}"]\n{moves}').moves:
        state = with_disc(state, square)
    return state


def written(state: State, outcome: Outcome | None) -> str:
    headers = GameHeaders(("Ann", 'Bob "B" \\'), Options(), outcome, date(2026, 1, 3), "Club")
    return write_transcript(RULES.view(state, Seat(0)), headers)


def test_a_game_is_written_with_its_headers() -> None:
    state = played(SHORTEST)
    assert written(state, RULES.outcome(state)) == (
        '[Game "Reversi"]\n[Event "Club"]\n[Date "2026-01-03"]\n[Black "Ann"]\n[White "Bob \\"B\\" \\\\"]\n'
        f'[Result "13-0"]\n\n{SHORTEST}\n'
    )


@pytest.mark.parametrize("black", [0, 1])
@pytest.mark.parametrize(("moves", "empty_start"), [(SHORTEST, False), ("d4d5e4e5c6", True), ("", False)])
def test_what_is_written_is_read_back(black: int, moves: str, empty_start: bool) -> None:
    state = played(moves, black, empty_start=empty_start)
    names = ("Ann", 'Bob "B" \\')
    read = read_transcript(written(state, Outcome((Seat(0),), "resigned")))
    discs = "-".join(str(board.bit_count()) for board in state.boards)
    squares = tuple(move.square for move in state.moves)
    assert read == Transcript(
        squares, names[black], names[1 - black], f"{discs} resigned", date(2026, 1, 3), empty_start
    )


def test_long_games_are_broken_into_lines_and_spaces_do_not_matter() -> None:
    assert read_transcript("F5 d6\n c5f4  e7").moves == read_transcript("f5d6c5f4e7").moves


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("f5f5", "move 2 is not legal: f5"),
        ("a1", "move 1 is not legal: a1"),
        ("f5x9", "no square: x9"),
        ("f", "no square: f"),
        (f"{SHORTEST}a1", "move 10 is not legal: a1"),
        ('[Game "Chess"]', "Game is Chess, not Reversi"),
        ('[Date "tomorrow"]', "Date is not a date: tomorrow"),
        ("f5" * 10_000, "longer than 16384 characters"),
    ],
)
def test_a_wrong_transcript_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Malformed) as refused:
        read_transcript(text)
    assert str(refused.value) == reason
