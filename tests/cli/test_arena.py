"""`qipai arena`: bots play each other, and the score is printed."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qipai.cli.arena import Played, Score, play
from qipai.cli.main import main
from qipai.games.game_registry import GAMES
from qipai.games.mahjong import wall
from qipai.kernel.game_interface.bot_interface import is_slow
from tests.support import uci
from tests.support.stage import counted_entropy


@pytest.fixture(autouse=True)
def luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same in every run: bots count positions and not seconds."""
    monkeypatch.setattr("secrets.token_bytes", counted_entropy("arena"))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("gomuko", "hard", "easy"), f"no game 'gomuko'; there are {', '.join(GAMES)}"),
        (("gomoku", "hard", "perfect"), "no bot 'perfect' of gomoku; there are easy, normal, hard"),
        (("tictactoe", "nobody", "perfect"), "no bot 'nobody' of tictactoe; there are perfect, random"),
    ],
)
def test_a_name_nobody_knows_is_one_line_and_exit_2(
    arguments: tuple[str, ...], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *arguments]) == 2
    assert capsys.readouterr().err == f"qipai: {named}\n"


@pytest.mark.parametrize("number", ["0", "-1", "many", "²", "1" * 7])
def test_a_number_of_games_that_is_none_is_refused(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["arena", "gomoku", "easy", "easy", f"--games={number}"])
    assert left.value.code == 2
    assert "expected a number" in capsys.readouterr().err


def test_the_score_tells_wins_by_who_moved_first() -> None:
    score = Score(("a", "b"))
    for first, winner in ((0, 0), (1, 0), (0, 1), (1, None)):
        score.add(Played(first, winner, (10, 5), (1.0, 0.01)))
    assert str(score) == "a 2, b 1, draws 1"
    assert score.summary(0) == "a won 1 of 2 moving first, 1 of 2 moving second; 0.100 s a move"
    assert score.summary(1) == "b won 0 of 2 moving first, 1 of 2 moving second; 0.002 s a move"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played_by_its_quickest_bots(game: str) -> None:
    bots = GAMES[game].bots
    one, two = sorted(bots, key=lambda name: is_slow(bots[name]))[:2]
    for shift in (0, 1):
        played = play(game, (one, two), shift, bytes([shift]) * 32)
        assert played.winner in (0, 1, None)
        assert all(count > 1 for count in played.moves)
        assert all(played.seconds)


def test_who_never_loses_wins_from_both_seats() -> None:
    for shift in (0, 1):
        assert play("tictactoe", ("perfect", "random"), shift, bytes(32)).winner == 0


def test_the_seats_are_changed_and_black_begins() -> None:
    assert [play("gomoku", ("easy", "easy"), shift, bytes(32)).first for shift in (0, 1)] == [0, 1]


def test_points_are_told_with_their_bounds_by_what_was_luck() -> None:
    score = Score(("a", "b"))
    for seed, gains in ((b"1", (30, 10)), (b"1", (20,)), (b"2", (0, 0, -20))):
        score.add(Played(0, None, (1, 1), (0.0, 0.0), tuple((gain, -gain) for gain in gains), seed))
    # 6 2/3 in a hand; what two lucks of three hands each differ from that by is 40, so 13 1/3 is one error.
    assert str(score) == "a 0, b 0, draws 3; 6 hands +40"
    assert score.summary(0).endswith("; +667 ± 2613 points in 100 hands, 6 played")
    assert score.summary(1).endswith("; -667 ± 2613 points in 100 hands, 6 played")


def test_one_luck_alone_tells_no_bounds() -> None:
    score = Score(("a", "b"))
    score.add(Played(0, None, (1, 1), (0.0, 0.0), ((30, -30), (10, -10)), b"1"))
    assert score.summary(0).endswith("; +2000 points in 100 hands, 2 played")


def test_two_games_of_one_seed_have_the_same_walls_whoever_sits_where() -> None:
    options = {"rounds": 1, "hints": False}
    one, two = (play("mahjong", ("normal", "normal"), shift, bytes(32), options) for shift in (0, 1))
    assert len(one.gains) >= 4
    assert any(gain for gain, _ in one.gains)
    assert [(other, gain) for gain, other in two.gains] == list(one.gains)


def test_what_bots_throw_for_themselves_does_not_change_the_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt: list[list[bytes]] = []

    def noted(seed: bytes) -> tuple[int, ...]:
        dealt[-1].append(seed)
        return wall.wall_of(seed)

    monkeypatch.setattr("qipai.games.mahjong.tile_dealing.wall_of", noted)
    for names in (("random", "normal"), ("normal", "random")):
        dealt.append([])
        play("mahjong", names, 0, bytes(32), {"rounds": 1, "hints": False})
    one, two = dealt
    hands = min(len(one), len(two))
    assert hands >= 4
    assert one[:hands] == two[:hands]


def test_options_choose_the_table_and_wrong_ones_are_one_line_and_exit_2(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["arena", "mahjong", "normal", "random", "--options", '{"rounds": 9}']) == 2
    assert capsys.readouterr().err.startswith("qipai: no such options of mahjong: ")
    with pytest.raises(SystemExit) as left:
        main(["arena", "mahjong", "normal", "random", "--options", "{rounds"])
    assert left.value.code == 2
    assert "expected JSON" in capsys.readouterr().err
    stakes = {"rounds": 1, "hints": False, "base": 0, "unit": 1}
    gains = play("mahjong", ("normal", "random"), 0, bytes(32), stakes).gains
    assert 0 < max(abs(gain) for gain, _ in gains) < 100


@pytest.mark.slow
def test_points_are_printed_for_each_of_the_two(capsys: pytest.CaptureFixture[str]) -> None:
    options = '{"rounds": 1, "hints": false}'
    assert main(["arena", "mahjong", "normal", "random", "--games", "3", "--options", options]) == 0
    *_, total, one, two = capsys.readouterr().out.splitlines()
    assert re.search(r"mahjong: normal \d, random \d, draws \d; \d+ hands \+\d+", total)
    assert re.search(r"; \+\d+ ± \d+ points in 100 hands, \d+ played", one)
    assert re.search(r"; -\d+ ± \d+ points in 100 hands, \d+ played", two)


@pytest.mark.slow
def test_normal_beats_easy_and_the_score_is_printed_as_it_goes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "gomoku", "normal", "easy", "--games", "6"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6 + 3
    score = re.fullmatch(r"   6  (normal (\d), easy \d, draws \d)", lines[5])
    assert score is not None
    assert int(score[2]) >= 4
    assert lines[6] == f"gomoku: {score[1]}"
    told = re.fullmatch(
        r"normal won (\d) of 3 moving first, (\d) of 3 moving second; \d+\.\d{3} s a move", lines[7]
    )
    assert told is not None
    assert int(told[1]) + int(told[2]) == int(score[2])


@pytest.mark.slow
def test_hard_beats_normal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "gomoku", "hard", "normal", "--games", "6"]) == 0
    wins = re.search(r"gomoku: hard (\d), normal \d, draws \d", capsys.readouterr().out)
    assert wins is not None
    assert int(wins[1]) >= 4


@pytest.mark.slow
def test_chess_asks_the_engine_that_the_settings_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QIPAI_ENGINE", uci.program(tmp_path, "good"))
    assert main(["arena", "chess", "level7", "level1", "--games", "2"]) == 0
    assert "chess: level7" in capsys.readouterr().out
    assert len(uci.started(tmp_path)) == 2
    assert uci.gone(uci.started(tmp_path))


@pytest.mark.slow
def test_stopping_leaves_no_process(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as out:
        # Where the tests run in the background, Ctrl-C is ignored by whatever they start.
        heeding = ["env", "--default-signal=INT", sys.executable]
        arena = subprocess.Popen(
            [*heeding, "-m", "qipai", "arena", "gomoku", "hard", "hard"], stdout=out, stderr=out
        )
    listed = Path(f"/proc/{arena.pid}/task/{arena.pid}/children")
    for _ in range(1_200):
        if len(started := listed.read_text().split()) > 1:
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
