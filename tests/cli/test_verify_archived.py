"""`qipai verify` on archived matches: every draw is that of the seed, or it says INVALID."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.cli.main import main
from qipai.cli.verify_archived import verify_match
from qipai.games.game_registry import GAMES
from qipai.hall.history.archived_match import ArchivedMatch, pack
from qipai.hall.history.match_archiving import archive_matches
from qipai.kernel.commands import Close, MakeOffer, Resign
from qipai.kernel.ids import SYSTEM, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE
from tests.support.journal_writer import JournalWriter

A, B = Seat(0), Seat(1)


def with_dice(player_entropy: bytes = b"") -> JournalWriter:
    ledger = JournalWriter("chess", {"dice": "sequential"})
    ledger.take_seats("Ann", "Bob", player_entropy=player_entropy)
    ledger.play_on(20)
    if ledger.room.result is None:
        ledger.do(A, Resign())
    return ledger


def archived(ledger: JournalWriter) -> ArchivedMatch:
    (match,) = archive_matches(GAMES, ledger.entries)
    return match


@pytest.mark.parametrize("player_entropy", [b"", b"\x01\x02"])
def test_every_draw_and_every_roll_is_printed(
    player_entropy: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    match = archived(with_dice(player_entropy))
    assert verify_match(match)
    out = capsys.readouterr().out
    draws = sum(len(step.draws) for step in match.steps)
    rolls = [roll for step in match.steps for roll in step.rolls]
    assert draws > 15
    assert f"draws      {draws}: valid" in out
    assert [line.partition(" rolled for ")[2] for line in out.splitlines() if " rolled for " in line] == rolls
    assert len(rolls) * 3 == draws
    assert "INVALID" not in out


@pytest.mark.parametrize("game", ["mahjong", "tictactoe", "gomoku"])
def test_matches_and_rematches_of_other_games_are_valid(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = JournalWriter(game)
    names = ("Ann", "Bob", "Cyd", "Dan")[: ledger.game.rules.seats]
    ledger.take_seats(*names, player_entropy=b"luck")
    ledger.play_on(30)
    if ledger.room.result is None and game != "mahjong":
        ledger.do(A, Resign())
    if game != "mahjong":
        ledger.do(A, MakeOffer(OfferKind.REMATCH))
        ledger.do(B, MakeOffer(OfferKind.REMATCH))
        ledger.play_on(3)
    ledger.do(SYSTEM, Close())
    archive = open_archive(tmp_path, "")
    archive.store(RoomId("k3v9"), ledger.entries, [*map(pack, archive_matches(GAMES, ledger.entries))])
    archive.close()
    SqliteStore(tmp_path / JOURNAL_FILE).close()
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
    monkeypatch.delenv("QIPAI_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "k3v9"]) == 0
    out = capsys.readouterr().out
    assert out.count(": commitment ") == (1 if game == "mahjong" else 2)
    assert ("draws      none: valid" in out) == (game == "gomoku")
    assert main(["replay", "k3v9"]) == 0, "the archive still has the journal"
    assert '"do":"open"' in capsys.readouterr().out


def changed_draw(match: ArchivedMatch) -> ArchivedMatch:
    index = max(number for number, step in enumerate(match.steps) if step.draws)
    step = match.steps[index]
    (bound, value), *others = step.draws
    other = replace(step, draws=((bound, (value + 1) % bound), *others))
    return replace(match, steps=(*match.steps[:index], other, *match.steps[index + 1 :]))


def without_a_draw(match: ArchivedMatch) -> ArchivedMatch:
    first = replace(match.steps[0], draws=match.steps[0].draws[1:])
    return replace(match, steps=(first, *match.steps[1:]))


@pytest.mark.parametrize(
    "change",
    [
        changed_draw,
        without_a_draw,
        lambda match: replace(match, seed="00" * 32),
        lambda match: replace(match, seed="not hex"),
        lambda match: replace(match, seed=""),
        lambda match: replace(match, commitment="00" * 32),
        lambda match: replace(match, seats=(replace(match.seats[0], player_entropy="ff"), match.seats[1])),
        lambda match: replace(match, steps=(replace(match.steps[0], draws=((0, 0),)),)),
    ],
)
def test_a_changed_match_is_invalid(change: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert not verify_match(change(archived(with_dice(b"\x01\x02"))))
    assert ": INVALID" in capsys.readouterr().out


def test_the_rules_number_of_a_room_in_the_journal_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with_dice().store(tmp_path)
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
    monkeypatch.delenv("QIPAI_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "k3v9"]) == 0
    assert "rules      1 of chess\n" in capsys.readouterr().out
