"""`qipai arena`: two bots play many games, and the score is printed."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qipai.cli.arena import ArenaGame, ArenaScore, play
from qipai.cli.main import main
from qipai.games.game_registry import GAMES
from qipai.games.mahjong import wall
from qipai.kernel.game_interface.bot_interface import is_slow
from tests.support import uci
from tests.support.hall_simulation import deterministic_entropy


@pytest.fixture(autouse=True)
def fixed_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the same seeds in every run; the bots limit positions, not seconds."""
    monkeypatch.setattr("secrets.token_bytes", deterministic_entropy("arena"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gomuko", "hard", "easy"), f"unknown game 'gomuko'; choose from {', '.join(GAMES)}"),
        (("gomoku", "hard", "perfect"), "gomoku has no bot 'perfect'; choose from easy, normal, hard"),
        (("tictactoe", "nobody", "perfect"), "tictactoe has no bot 'nobody'; choose from perfect, random"),
    ],
)
def test_an_unknown_name_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *arguments]) == 2
    assert capsys.readouterr().err == f"qipai: {message}\n"


@pytest.mark.parametrize("number", ["0", "-1", "many", "²", "1" * 7])
def test_an_invalid_number_of_games_is_refused(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exited:
        main(["arena", "gomoku", "easy", "easy", f"--games={number}"])
    assert exited.value.code == 2
    assert "expected a number" in capsys.readouterr().err


def test_the_score_counts_wins_by_the_first_mover() -> None:
    score = ArenaScore(("a", "b"))
    for first, winner in ((0, 0), (1, 0), (0, 1), (1, None)):
        score.add(ArenaGame(first, winner, (10, 5), (1.0, 0.01)))
    assert str(score) == "a 2, b 1, draws 1"
    assert score.summary(0) == "a won 1 of 2 moving first, 1 of 2 moving second; 0.100 s per move"
    assert score.summary(1) == "b won 0 of 2 moving first, 1 of 2 moving second; 0.002 s per move"


@pytest.mark.parametrize("game", GAMES)
def test_the_fastest_bots_of_every_game_can_play(game: str) -> None:
    bots = GAMES[game].bots
    one, two = sorted(bots, key=lambda name: is_slow(bots[name]))[:2]
    for shift in (0, 1):
        result = play(game, (one, two), shift, bytes([shift]) * 32)
        assert result.winner in (0, 1, None)
        assert all(count > 1 for count in result.moves)
        assert all(result.seconds)


def test_the_perfect_bot_wins_from_both_seats() -> None:
    for shift in (0, 1):
        assert play("tictactoe", ("perfect", "random"), shift, bytes(32)).winner == 0


def test_the_seats_are_exchanged_and_black_moves_first() -> None:
    assert [play("gomoku", ("easy", "easy"), shift, bytes(32)).first for shift in (0, 1)] == [0, 1]


def test_points_have_a_confidence_interval_over_seeds() -> None:
    score = ArenaScore(("a", "b"))
    for seed, points in ((b"1", (30, 10)), (b"1", (20,)), (b"2", (0, 0, -20))):
        score.add(ArenaGame(0, None, (1, 1), (0.0, 0.0), tuple((gain, -gain) for gain in points), seed))
    # The mean is 6 2/3 per hand. The sums of two seeds with three hands each deviate from it by 40, so one
    # standard error is 13 1/3.
    assert str(score) == "a 0, b 0, draws 3; 6 hands +40"
    assert score.summary(0).endswith("; +667 ± 2613 points per 100 hands, 6 played")
    assert score.summary(1).endswith("; -667 ± 2613 points per 100 hands, 6 played")


def test_a_single_seed_has_no_confidence_interval() -> None:
    score = ArenaScore(("a", "b"))
    score.add(ArenaGame(0, None, (1, 1), (0.0, 0.0), ((30, -30), (10, -10)), b"1"))
    assert score.summary(0).endswith("; +2000 points per 100 hands, 2 played")


def test_two_games_of_one_seed_have_the_same_walls() -> None:
    options = {"rounds": 1, "hints": False}
    one, two = (play("mahjong", ("normal", "normal"), shift, bytes(32), options) for shift in (0, 1))
    assert len(one.points) >= 4
    assert any(gain for gain, _ in one.points)
    assert [(other, gain) for gain, other in two.points] == list(one.points)


def test_random_draws_of_bots_do_not_change_the_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    walls: list[list[bytes]] = []

    def recorded(seed: bytes) -> tuple[int, ...]:
        walls[-1].append(seed)
        return wall.wall_of(seed)

    monkeypatch.setattr("qipai.games.mahjong.tile_dealing.wall_of", recorded)
    for names in (("random", "normal"), ("normal", "random")):
        walls.append([])
        play("mahjong", names, 0, bytes(32), {"rounds": 1, "hints": False})
    one, two = walls
    hands = min(len(one), len(two))
    assert hands >= 4
    assert one[:hands] == two[:hands]


def test_options_are_used_and_invalid_ones_are_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["arena", "mahjong", "normal", "random", "--options", '{"rounds": 9}']) == 2
    assert capsys.readouterr().err.startswith("qipai: invalid options of mahjong: ")
    with pytest.raises(SystemExit) as exited:
        main(["arena", "mahjong", "normal", "random", "--options", "{rounds"])
    assert exited.value.code == 2
    assert "expected JSON" in capsys.readouterr().err
    stakes = {"rounds": 1, "hints": False, "base": 0, "unit": 1}
    points = play("mahjong", ("normal", "random"), 0, bytes(32), stakes).points
    assert 0 < max(abs(gain) for gain, _ in points) < 100


@pytest.mark.slow
def test_points_are_printed_for_both_bots(capsys: pytest.CaptureFixture[str]) -> None:
    options = '{"rounds": 1, "hints": false}'
    assert main(["arena", "mahjong", "normal", "random", "--games", "3", "--options", options]) == 0
    *_, total, one, two = capsys.readouterr().out.splitlines()
    assert re.search(r"mahjong: normal \d, random \d, draws \d; \d+ hands \+\d+", total)
    assert re.search(r"; \+\d+ ± \d+ points per 100 hands, \d+ played", one)
    assert re.search(r"; -\d+ ± \d+ points per 100 hands, \d+ played", two)


@pytest.mark.slow
def test_normal_beats_easy_and_the_score_is_printed_after_every_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["arena", "gomoku", "normal", "easy", "--games", "6"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6 + 3
    score = re.fullmatch(r"   6  (normal (\d), easy \d, draws \d)", lines[5])
    assert score is not None
    assert int(score[2]) >= 4
    assert lines[6] == f"gomoku: {score[1]}"
    summary = re.fullmatch(
        r"normal won (\d) of 3 moving first, (\d) of 3 moving second; \d+\.\d{3} s per move", lines[7]
    )
    assert summary is not None
    assert int(summary[1]) + int(summary[2]) == int(score[2])


@pytest.mark.slow
def test_hard_beats_normal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "gomoku", "hard", "normal", "--games", "6"]) == 0
    wins = re.search(r"gomoku: hard (\d), normal \d, draws \d", capsys.readouterr().out)
    assert wins is not None
    assert int(wins[1]) >= 4


@pytest.mark.slow
def test_chess_bots_use_the_engine_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QIPAI_ENGINE", uci.program(tmp_path, "good"))
    assert main(["arena", "chess", "level7", "level1", "--games", "2"]) == 0
    assert "chess: level7" in capsys.readouterr().out
    assert len(uci.started(tmp_path)) == 2
    assert uci.all_ended(uci.started(tmp_path))


@pytest.mark.slow
def test_an_interrupted_arena_leaves_no_process(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as out:
        # A test run in the background ignores SIGINT, and its child processes would inherit that.
        python = ["env", "--default-signal=INT", sys.executable]
        arena = subprocess.Popen(
            [*python, "-m", "qipai", "arena", "gomoku", "hard", "hard"], stdout=out, stderr=out
        )
    children = Path(f"/proc/{arena.pid}/task/{arena.pid}/children")
    for _ in range(1_200):
        if len(started := children.read_text().split()) > 1:
            break
        time.sleep(0.05)
    assert len(started) > 1
    time.sleep(1)
    os.kill(arena.pid, signal.SIGINT)
    assert arena.wait(60) == 130
    for _ in range(1_200):
        if not any(Path(f"/proc/{child}").exists() for child in started):
            break
        time.sleep(0.05)
    assert not any(Path(f"/proc/{child}").exists() for child in started)
    assert "Traceback" not in (tmp_path / "out").read_text()
