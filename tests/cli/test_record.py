"""`qipai record` on journals of every game, and `qipai verify` on games with dice."""

import io
import json
import re
from pathlib import Path

import chess.pgn
import pytest

from qipai.cli import verify
from qipai.cli.main import main
from qipai.games.chess import pgn_reader
from qipai.games.chess.events import Rolled
from qipai.games.chess.wire_types import Move, Reroll, View
from qipai.games.game_registry import GAMES
from qipai.games.gomoku import sgf
from qipai.games.gomoku.wire_types import Place
from qipai.games.tictactoe.rules import Mark
from qipai.kernel.commands import AnswerOffer, LeaveSeat, MakeOffer, Resign, TableRules
from qipai.kernel.ids import Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room_events import GameStarted
from tests.support.databases.tampering import change_seed
from tests.support.journal_writer import JournalWriter

A, B = Seat(0), Seat(1)
DICE = {"dice": "sequential", "rerolls": 1}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of the command line."""
    folder = tmp_path / "data"
    monkeypatch.setenv("QIPAI_DATA", str(folder))
    monkeypatch.delenv("QIPAI_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    return folder


def rematch(ledger: JournalWriter) -> None:
    ledger.do(A, MakeOffer(OfferKind.REMATCH))
    ledger.do(B, MakeOffer(OfferKind.REMATCH))


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["record", "k3v9"]) == 0
    return capsys.readouterr().out


def test_chess_is_recorded_as_pgn(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = JournalWriter("chess", table=TableRules(title="Club night"))
    ledger.take_seats("Ann", "Bob")
    ledger.play(*map(Move, ("f2f3", "e7e5", "g2g4", "d8h4")))
    ledger.store(data)
    assert printed(capsys) == (
        '[Event "Club night"]\n[Site "Qipai k3v9"]\n[Date "2026.11.15"]\n[Round "1"]\n[White "Ann"]\n'
        '[Black "Bob"]\n[Result "0-1"]\n[Termination "normal"]\n[Reason "mate"]\n\n'
        "1. f3 e5 2. g4 Qh4# 0-1\n"
    )


def test_every_finished_game_of_a_room_is_printed_and_no_other(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = JournalWriter("chess")
    ledger.take_seats("Ann", "Bob")
    ledger.play(Move("e2e4"))
    ledger.do(B, Resign())
    rematch(ledger)
    ledger.play(Move("d2d4"), Move("d7d5"))
    ledger.do(A, Resign())
    rematch(ledger)
    ledger.play(Move("c2c4"))
    ledger.store(data)
    stream = io.StringIO(printed(capsys))
    games = []
    while (game := chess.pgn.read_game(stream)) is not None:
        assert game.errors == []
        games.append((game.headers["White"], game.headers["Result"], str(game.mainline_moves())))
    assert games == [("Ann", "1-0", "1. e4"), ("Bob", "1-0", "1. d4 d5")]


@pytest.mark.parametrize("how", ["resigned", "left"])
def test_a_game_with_fog_is_recorded_completely_however_it_ended(
    data: Path, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    ledger = JournalWriter("chess", {"fog": True, "mines": 3})
    ledger.take_seats("Ann", "Bob")
    ledger.play(*map(Move, ("b1c3", "b8c6", "c3b1", "c6b8")))
    ledger.do(B, Resign() if how == "resigned" else LeaveSeat())
    ledger.store(data)
    game = pgn_reader.read_pgn(printed(capsys))
    assert game.moves == ("b1c3", "b8c6", "c3b1", "c6b8")
    assert len(game.mines) == 3
    assert (game.heading.black, game.heading.result, game.heading.reason) == ("Bob", "1-0", how)


def test_a_game_with_dice_is_recorded_with_every_roll(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = JournalWriter("chess", DICE | {"mines": 5, "fog": True})
    ledger.take_seats("Ann", "Bob")
    ledger.play_on(60)
    if ledger.room.result is None:
        ledger.do(A, Resign())
    ledger.store(data)
    game = pgn_reader.read_pgn(printed(capsys))
    state = ledger.room.state
    assert state is not None
    assert game.moves == state.moves
    assert [cast.dice for cast in game.rolls] == [one.dice for one in state.dice.rolls]


def test_gomoku_is_recorded_as_sgf_by_its_colours(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = JournalWriter("gomoku")
    ledger.take_seats("Ann", "Bob")
    ledger.play(Place(7, 7), Place(8, 8))
    ledger.do(B, Resign())
    ledger.store(data)
    game = sgf.read_sgf(printed(capsys))
    assert game.moves == (7 + 15 * 7, 8 + 15 * 8)
    assert {game.black, game.white} == {"Ann", "Bob"}
    assert game.result == ("B+R" if game.black == "Ann" else "W+R")
    assert game.day is not None
    assert game.day.isoformat() == "2026-11-15"


def test_a_game_without_a_notation_is_one_line_of_json(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = JournalWriter("tictactoe")
    ledger.take_seats("Ann", "Bob")
    first = ledger.acting
    ledger.play(Mark(4), Mark(0))
    ledger.do(A, Resign())
    rematch(ledger)
    ledger.do(B, LeaveSeat())
    ledger.store(data)
    one, two = map(json.loads, printed(capsys).splitlines())
    assert one["game"] == "tictactoe"
    assert one["names"] == ["Ann", "Bob"]
    assert one["moves"] == [
        {"seat": first, "move": {"do": "mark", "cell": 4}},
        {"seat": 1 - first, "move": {"do": "mark", "cell": 0}},
    ]
    assert (one["winners"], one["reason"], one["day"]) == ([1], "resigned", "2026-11-15")
    assert (two["match"], two["names"], two["winners"]) == (2, ["Ann", "Bob"], [0])


def test_an_undone_move_is_not_in_the_record(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = JournalWriter("chess")
    ledger.take_seats("Ann", "Bob")
    ledger.play(Move("e2e4"))
    ledger.do(A, MakeOffer(OfferKind.UNDO))
    ledger.do(B, AnswerOffer(ledger.room.offers[0].id, yes=True))
    ledger.play(Move("d2d4"))
    ledger.do(B, Resign())
    ledger.store(data)
    assert pgn_reader.read_pgn(printed(capsys)).moves == ("d2d4",)


def test_a_room_without_a_finished_game_is_an_error(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = JournalWriter("chess")
    ledger.take_seats("Ann", "Bob")
    ledger.store(data)
    assert main(["record", "k3v9"]) == 2
    assert capsys.readouterr().err == "qipai: room k3v9 has no finished game yet\n"
    assert main(["record", "nowhere"]) == 2


def test_chess_and_gomoku_have_a_notation() -> None:
    assert {name for name, game in GAMES.items() if game.write_record is not None} >= {"chess", "gomoku"}


# Verification of dice


def game_with_dice(seed: int = 0, entropy: bytes = b"") -> JournalWriter:
    """Return a room with a finished game with dice."""
    ledger = JournalWriter("chess", DICE, seed=seed)
    ledger.take_seats("Ann", "Bob", player_entropy=entropy)
    if Reroll() in ledger.game.rules.legal(ledger.room.state, ledger.acting):
        ledger.play(Reroll())
    ledger.play_on(40)
    if ledger.room.result is None:
        ledger.do(A, Resign())
    return ledger


def rolls_of(ledger: JournalWriter) -> list[str]:
    """Return a line for each public roll of dice, in order."""
    found = []
    for addressed in ledger.events:
        if isinstance(addressed.event, GameStarted):
            assert isinstance(addressed.event.position, View)
            found += [f"seat {one.seat}: {' '.join(one.dice)}" for one in addressed.event.position.rolls]
        elif isinstance(addressed.event, Rolled):
            found.append(f"seat {addressed.event.seat}: {' '.join(addressed.event.dice)}")
    return found


@pytest.mark.parametrize("entropy", [b"", b"\x01\x02"])
def test_verify_prints_every_roll_and_finds_it_valid(
    data: Path, capsys: pytest.CaptureFixture[str], entropy: bytes
) -> None:
    ledger = game_with_dice(entropy=entropy)
    ledger.store(data)
    assert main(["verify", "k3v9"]) == 0
    out = capsys.readouterr().out
    lines = [line.strip() for line in out.splitlines() if line.strip().startswith("roll ")]
    rolls = rolls_of(ledger)
    assert len(rolls) > 10
    assert lines == [f"roll {number} by {line}" for number, line in enumerate(rolls, 1)]
    assert f"rolls      {len(rolls)}: valid" in out
    assert "INVALID" not in out


@pytest.mark.parametrize("seed", range(5))
def test_verify_finds_a_changed_seed_of_a_game_with_dice(
    data: Path, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    game_with_dice(seed).store(data)
    change_seed(data)
    assert main(["verify", "k3v9"]) == 1
    assert "INVALID" in capsys.readouterr().out


def test_verify_finds_rolls_that_do_not_match_the_seed(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game_with_dice().store(data)
    monkeypatch.setattr(verify, "game_key", lambda seed, player_entropy: bytes(32))
    assert main(["verify", "k3v9"]) == 1
    out = capsys.readouterr().out
    assert re.search(r"draws .*: INVALID", out)
    assert re.search(r"rolls +\d+: INVALID", out)
    assert len(re.findall(r"roll \d+ by .*: INVALID", out)) > 5


def test_verify_prints_no_rolls_for_a_game_without_dice(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = JournalWriter("chess")
    ledger.take_seats("Ann", "Bob")
    ledger.do(A, Resign())
    ledger.store(data)
    assert main(["verify", "k3v9"]) == 0
    assert "roll" not in capsys.readouterr().out
