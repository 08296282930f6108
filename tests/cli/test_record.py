"""`qipai record` on journals of every game, and `qipai verify` on games of dice."""

import io
import json
import sqlite3
from pathlib import Path

import chess.pgn
import pytest

from qipai.cli import verify
from qipai.cli.main import main
from qipai.games.chess import pgn_reader
from qipai.games.chess.wire_types import Move, Reroll, Rolled, View
from qipai.games.game_registry import GAMES
from qipai.games.gomoku import sgf
from qipai.games.gomoku.rules import Place
from qipai.games.tictactoe.rules import Mark
from qipai.kernel.commands import AnswerOffer, LeaveSeat, MakeOffer, Resign, TableRules
from qipai.kernel.ids import Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room_events import GameStarted
from tests.support.ledger import Ledger

A, B = Seat(0), Seat(1)
DICE = {"dice": "sequential", "rerolls": 1}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder that the command line looks into."""
    folder = tmp_path / "data"
    monkeypatch.setenv("QIPAI_DATA", str(folder))
    monkeypatch.delenv("QIPAI_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    return folder


def rematch(ledger: Ledger) -> None:
    ledger.do(A, MakeOffer(OfferKind.REMATCH))
    ledger.do(B, MakeOffer(OfferKind.REMATCH))


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["record", "k3v9"]) == 0
    return capsys.readouterr().out


def test_chess_is_recorded_as_pgn(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = Ledger("chess", table=TableRules(title="Club night"))
    ledger.seat("Ann", "Bob")
    ledger.play(*map(Move, ("f2f3", "e7e5", "g2g4", "d8h4")))
    ledger.store(data)
    assert printed(capsys) == (
        '[Event "Club night"]\n[Site "Qipai k3v9"]\n[Date "2026.11.15"]\n[Round "1"]\n[White "Ann"]\n'
        '[Black "Bob"]\n[Result "0-1"]\n[Termination "normal"]\n[Reason "mate"]\n\n'
        "1. f3 e5 2. g4 Qh4# 0-1\n"
    )


def test_every_finished_game_of_a_table_is_printed_and_no_other(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = Ledger("chess")
    ledger.seat("Ann", "Bob")
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
def test_a_game_in_the_fog_is_recorded_whole_however_it_ended(
    data: Path, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    ledger = Ledger("chess", {"fog": True, "mines": 3})
    ledger.seat("Ann", "Bob")
    ledger.play(*map(Move, ("b1c3", "b8c6", "c3b1", "c6b8")))
    ledger.do(B, Resign() if how == "resigned" else LeaveSeat())
    ledger.store(data)
    game = pgn_reader.read(printed(capsys))
    assert game.moves == ("b1c3", "b8c6", "c3b1", "c6b8")
    assert len(game.mines) == 3
    assert (game.heading.black, game.heading.result, game.heading.reason) == ("Bob", "1-0", how)


def test_a_game_with_dice_is_recorded_with_every_throw(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = Ledger("chess", DICE | {"mines": 5, "fog": True})
    ledger.seat("Ann", "Bob")
    ledger.play_on(60)
    if ledger.room.result is None:
        ledger.do(A, Resign())
    ledger.store(data)
    game = pgn_reader.read(printed(capsys))
    state = ledger.room.state
    assert state is not None
    assert game.moves == state.moves
    assert [cast.dice for cast in game.casts] == [one.dice for one in state.cup.thrown]


def test_gomoku_is_recorded_as_sgf_by_its_colours(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = Ledger("gomoku")
    ledger.seat("Ann", "Bob")
    ledger.play(Place(7, 7), Place(8, 8))
    ledger.do(B, Resign())
    ledger.store(data)
    sheet = sgf.read(printed(capsys))
    assert sheet.moves == (7 + 15 * 7, 8 + 15 * 8)
    assert {sheet.black, sheet.white} == {"Ann", "Bob"}
    assert sheet.result == ("B+R" if sheet.black == "Ann" else "W+R")
    assert sheet.day is not None
    assert sheet.day.isoformat() == "2026-11-15"


def test_a_game_without_a_notation_is_one_line_of_json(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = Ledger("tictactoe")
    ledger.seat("Ann", "Bob")
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


def test_a_move_that_was_taken_back_is_not_in_the_record(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = Ledger("chess")
    ledger.seat("Ann", "Bob")
    ledger.play(Move("e2e4"))
    ledger.do(A, MakeOffer(OfferKind.UNDO))
    ledger.do(B, AnswerOffer(ledger.room.offers[0].id, yes=True))
    ledger.play(Move("d2d4"))
    ledger.do(B, Resign())
    ledger.store(data)
    assert pgn_reader.read(printed(capsys)).moves == ("d2d4",)


def test_a_table_where_nothing_is_over_says_so(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = Ledger("chess")
    ledger.seat("Ann", "Bob")
    ledger.store(data)
    assert main(["record", "k3v9"]) == 2
    assert capsys.readouterr().err == "qipai: no game of room k3v9 is over yet\n"
    assert main(["record", "nowhere"]) == 2


def test_every_game_says_how_it_is_written_down_without_a_branch_elsewhere() -> None:
    assert {name for name, game in GAMES.items() if game.record is not None} >= {"chess", "gomoku"}


# Verifying dice


def diced(seed: int = 0, luck: bytes = b"") -> Ledger:
    """Return a table where a game with dice has been resigned."""
    ledger = Ledger("chess", DICE, seed=seed)
    ledger.seat("Ann", "Bob", luck=luck)
    if Reroll() in ledger.game.rules.legal(ledger.room.state, ledger.acting):
        ledger.play(Reroll())
    ledger.play_on(40)
    if ledger.room.result is None:
        ledger.do(A, Resign())
    return ledger


def throws_of(ledger: Ledger) -> list[str]:
    """Return what everybody was told of dice, in order."""
    found = []
    for told in ledger.told:
        if isinstance(told.event, GameStarted):
            assert isinstance(told.event.position, View)
            found += [f"seat {one.seat}: {' '.join(one.dice)}" for one in told.event.position.rolls]
        elif isinstance(told.event, Rolled):
            found.append(f"seat {told.event.seat}: {' '.join(told.event.dice)}")
    return found


@pytest.mark.parametrize("luck", [b"", b"\x01\x02"])
def test_verify_prints_every_throw_and_finds_it_honest(
    data: Path, capsys: pytest.CaptureFixture[str], luck: bytes
) -> None:
    ledger = diced(luck=luck)
    ledger.store(data)
    assert main(["verify", "k3v9"]) == 0
    out = capsys.readouterr().out
    lines = [line.strip() for line in out.splitlines() if line.strip().startswith("throw ")]
    told = throws_of(ledger)
    assert len(told) > 10
    assert lines == [f"throw {number} of {line}" for number, line in enumerate(told, 1)]
    assert f"throws     {len(told)}: as told" in out
    assert "NOT" not in out


@pytest.mark.parametrize("seed", range(5))
def test_verify_finds_another_seed_behind_a_game_with_dice(
    data: Path, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    diced(seed).store(data)
    file = sqlite3.connect(data / "qipai.db")
    for row, body in file.execute("select seq, body from journal").fetchall():
        spot = body.index(b'"entropy":"') + len(b'"entropy":"')
        other = b"A" if body[spot : spot + 1] != b"A" else b"B"
        file.execute(
            "update journal set body = ? where seq = ?", (body[:spot] + other + body[spot + 1 :], row)
        )
        break
    file.commit()
    file.close()
    assert main(["verify", "k3v9"]) == 1
    out = capsys.readouterr().out
    assert "DIFFERS" in out or "DO NOT FOLLOW" in out


def test_verify_finds_dice_that_do_not_follow_from_the_seed(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    diced().store(data)
    monkeypatch.setattr(verify, "mix", lambda seed, luck: bytes(32))
    assert main(["verify", "k3v9"]) == 1
    out = capsys.readouterr().out
    assert "NOT AS DEALT" in out
    assert "NOT ALL AS TOLD" in out
    assert out.count(": NOT AS TOLD") > 5


def test_a_game_without_dice_has_no_throws_to_verify(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = Ledger("chess")
    ledger.seat("Ann", "Bob")
    ledger.do(A, Resign())
    ledger.store(data)
    assert main(["verify", "k3v9"]) == 0
    assert "throw" not in capsys.readouterr().out
