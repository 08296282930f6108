"""`qipai compare`: figures of an archived chess game."""

import os
from pathlib import Path

import pytest

from qipai.cli.main import main
from tests.support import uci
from tests.support.comparison.chess_games import ROOM, UNRATED, archived, store

MOVES = ("e2e4", "e7e5", "g1f3")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of the command line."""
    folder = tmp_path / "data"
    monkeypatch.setenv("QIPAI_DATA", str(folder))
    monkeypatch.setenv("QIPAI_ENGINE", uci.program(tmp_path, "good"))
    for name in ("QIPAI_CONFIG", "QIPAI_STORE", "QIPAI_ARCHIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    # The process of the tests keeps its priority.
    monkeypatch.setattr(os, "nice", lambda _: 0)
    return folder


def test_a_rated_game_is_printed_as_figures(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store(data, archived(MOVES, pauses=(1_500,)))
    assert main(["compare", ROOM, "1"]) == 0
    first, _, heading, white, black = capsys.readouterr().out.splitlines()
    assert first == "fake, 100,000 nodes a position, median depth 1"
    assert heading.split()[0] == "moves"
    assert white.split()[:3] == ["seat", "0", "2"]
    assert black.split()[:3] == ["seat", "1", "1"]
    assert "1.8 s" in white
    printed = "\n".join((first, heading, white, black)).casefold()
    assert not any(word in printed for word in ("cheat", "suspicious", "fair", "probab"))


def test_an_unrated_game_needs_an_option(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store(data, archived(MOVES, UNRATED))
    assert main(["compare", ROOM, "1"]) == 2
    assert "was not rated; --unrated compares it too" in capsys.readouterr().err
    assert main(["compare", ROOM, "1", "--unrated"]) == 0


def test_what_cannot_be_compared_is_refused_with_the_reason(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store(data, archived(()))
    assert main(["compare", ROOM, "1"]) == 2
    assert "is no plain chess game" in capsys.readouterr().err
    for room, match in ((ROOM, "2"), (ROOM, "-1"), (ROOM, str(2**70)), ("nowhere", "1")):
        assert main(["compare", room, "--", match]) == 2
        assert "is not in the archive" in capsys.readouterr().err
    monkeypatch.setenv("QIPAI_STORE", "memory")
    assert main(["compare", ROOM, "1"]) == 2
    assert "no archive" in capsys.readouterr().err
