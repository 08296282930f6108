"""`qipai mahjong score`: a line for a line."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from qipai.cli.mahjong_score import LONGEST, score
from tests.games.mahjong.mahjong_table import known

GOOD = b'{"variant":13,"hand":"234m567p123456s99p","win":"2m"}'
ANSWER = {"total": 3, "patterns": {"平胡": 2, "門清": 1}}


def answers(*lines: bytes, end: bytes = b"\n") -> list[dict[str, Any]]:
    written = io.BytesIO()
    assert score(io.BytesIO(b"\n".join(lines) + end), written) == 0
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_every_known_hand_is_answered_in_its_line() -> None:
    rows = known()["wins"]
    found = answers(*(json.dumps(row["of"]).encode() for row in rows))
    assert [one["total"] for one in found] == [row.get("total", sum(row["tai"].values())) for row in rows]


def test_what_is_no_win_is_said_to_be_none() -> None:
    found = answers(*(json.dumps(row).encode() for row in known()["no_wins"]))
    assert found == [{"error": "not_a_win"}] * len(found)


def test_nothing_named_is_nothing_and_a_tile_that_is_not_held_wins_nothing() -> None:
    asked = json.loads(GOOD)
    nulls = {"melds": None, "flowers": None, "flags": None}
    found = answers(*(json.dumps(asked | change).encode() for change in (nulls, {"win": ""}, {"win": "7m"})))
    assert found[0] == ANSWER
    assert found[1]["patterns"] == {"門清": 1, "獨聽": 1}
    assert found[2] == {"error": "not_a_win"}


def test_what_cannot_be_read_is_answered_and_does_not_end_it() -> None:
    bad = [b"x", b"", b"\xff\xfe", b"[]", b'{"variant":12}', b'{"variant":13,"hand":"2"}']
    found = answers(*(line for each in bad for line in (each, GOOD)))
    assert found[1::2] == [ANSWER] * len(bad)
    assert [one["error"] for one in found[::2]] == ["malformed"] * len(bad)
    assert [one["about"] for one in found[::2]] == ["json", "json", "json", "object", "variant", "hand"]


@pytest.mark.parametrize("length", [LONGEST - 1, LONGEST, LONGEST + 1, 2 * LONGEST, 5 * LONGEST + 7])
def test_a_line_that_is_too_long_has_one_answer(length: int) -> None:
    found = answers(GOOD, b" " * length, GOOD)
    assert found == [ANSWER, {"error": "malformed", "about": "json"}, ANSWER]


def test_the_last_line_needs_no_end_and_no_lines_no_answers() -> None:
    assert answers(GOOD, end=b"") == [ANSWER]
    assert answers(end=b"") == []


@pytest.mark.slow
def test_the_command_answers_while_it_is_asked(tmp_path: Path) -> None:
    asked = [sys.executable, "-m", "qipai", "mahjong", "score"]
    with subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(GOOD + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == ANSWER
        process.stdin.close()
        assert process.wait(60) == 0
