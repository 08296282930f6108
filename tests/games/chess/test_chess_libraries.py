"""Chess: both libraries for moves give the same answers, and the setting chooses between them."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import chess
import pytest

from qipai import app
from qipai.cli.main import main
from qipai.games.chess import position
from qipai.games.chess.position import Library, use_library
from qipai.games.chess.rules import RULES
from qipai.games.chess.wire_types import Move
from qipai.settings import Settings, load

from .chess_table import actor, encode, game_at, play
from .test_chess_perft import Count, counts, through_position, through_rules

LIBRARIES: tuple[Library, ...] = get_args(Library)
POSITIONS = {
    "the start": chess.STARTING_FEN,
    "castling on both sides": "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "castling through an attack": "r3k2r/8/8/8/8/5q2/8/R3K2R w KQkq - 0 1",
    "promotions and captures that promote": "1r2k2r/P1P3P1/8/8/8/8/p1p3p1/1R2K2R b Kk - 0 1",
    "en passant": "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "en passant that would uncover the king": "8/8/8/KPp4r/8/8/8/4k3 w - c6 0 2",
    "en passant as the only answer to check": "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "double check": "4k3/8/8/8/8/5n2/4r3/R3K2R w KQ - 0 1",
    "a pin on a file": "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1",
    "mate": "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1",
    "stalemate": "7k/8/5QK1/8/8/8/8/8 w - - 0 1",
    "many quiet moves": "6k1/1n6/8/8/8/8/1N6/6K1 b - - 140 99",
    "a game beyond 255 moves": "6k1/1n6/8/8/8/8/1N6/6K1 b - - 3 300",
    "a king attacked though its side is not to move": "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
}


@pytest.fixture(autouse=True)
def default_library() -> Iterator[None]:
    yield
    use_library("rust-chess")


def setting(folder: Path, library: str) -> Settings:
    """Return the settings of a file that chooses this library."""
    file = folder / "qipai.toml"
    file.write_text(f'[chess]\nlibrary = "{library}"\n')
    return load(file, {})


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    use_library(setting(tmp_path, request.param).chess.library)
    return str(request.param)


def answers(fen: str) -> dict[str, Any]:
    """Return everything that a library says about a position."""
    tried = sorted({*position.legal_moves(fen), "e1e3", "a1h8", "e1g1", "e8c8", "a7a8k", "zz"})
    return {
        "legal": sorted(position.legal_moves(fen)),
        "status": position.status(fen),
        "reach": position.reachable_squares(fen),
        "checkers": {white: position.checkers(fen, white=white) for white in (True, False)},
        "made": {uci: position.apply_move(fen, uci) for uci in tried},
    }


def by(library: Library, fen: str) -> dict[str, Any]:
    use_library(library)
    return answers(fen)


@pytest.mark.parametrize("known", counts(range(1, 4)))
def test_each_library_finds_the_known_number_of_games(library: str, known: Count) -> None:
    assert through_position(known.fen, known.depth) == known.nodes


@pytest.mark.parametrize("known", counts(range(1, 3)))
def test_a_table_offers_the_known_number_of_games_with_each_library(library: str, known: Count) -> None:
    assert through_rules(game_at(known.fen), known.depth) == known.nodes


@pytest.mark.parametrize("fen", POSITIONS.values(), ids=POSITIONS.keys())
def test_both_libraries_say_the_same_of_a_position_and_of_all_that_follow_it(fen: str) -> None:
    use_library("rust-chess")
    made = [position.apply_move(fen, uci) for uci in position.legal_moves(fen)]
    for after in (fen, *(each[0] for each in made if each is not None)):
        assert by("rust-chess", after) == by("python-chess", after), after


@pytest.mark.parametrize("seed", range(6))
def test_the_same_moves_make_the_same_game_whichever_library_checks_them(seed: int) -> None:
    chance, states = random.Random(seed), {each: game_at(chess.STARTING_FEN) for each in LIBRARIES}
    for _ in range(80):
        if not RULES.to_act(states["rust-chess"]):
            break
        use_library("rust-chess")
        state = states["rust-chess"]
        moves = sorted(move.uci for move in RULES.legal(state, actor(state)) if isinstance(move, Move))
        uci = chance.choice(moves)
        for each in LIBRARIES:
            use_library(each)
            states[each] = play(states[each], uci)
        assert encode(states["rust-chess"]) == encode(states["python-chess"])


def test_python_chess_does_without_the_other_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise AssertionError("rust-chess was asked")

    use_library(setting(tmp_path, "python-chess").chess.library)
    monkeypatch.setattr(position, "Board", broken)
    assert len(answers(chess.STARTING_FEN)["legal"]) == 20
    use_library(setting(tmp_path, "rust-chess").chess.library)
    with pytest.raises(AssertionError, match="was asked"):
        position.legal_moves(chess.STARTING_FEN)


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_server_starts_with_the_library_of_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: Library
) -> None:
    asked: list[str] = []

    def board(fen: str, mode: object) -> None:
        asked.append(fen)
        raise ValueError

    def run(settings: Settings, *, worker: bool, bundle_command: Sequence[str]) -> int:
        assert len(position.legal_moves(chess.STARTING_FEN)) == 20
        return 0

    monkeypatch.setattr(app, "run", run)
    monkeypatch.setattr(position, "Board", board)
    setting(tmp_path, library)
    assert main(["--config", str(tmp_path / "qipai.toml"), "serve"]) == 0
    assert bool(asked) == (library == "rust-chess")


def test_an_engine_from_the_environment_leaves_the_library_as_it_is(tmp_path: Path) -> None:
    setting(tmp_path, "python-chess")
    settings = load(tmp_path / "qipai.toml", {"QIPAI_ENGINE": "none"})
    assert (settings.chess.engine, settings.chess.library) == ("none", "python-chess")
