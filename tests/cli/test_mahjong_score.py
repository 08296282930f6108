"""`qipai mahjong score`: one reply for each line."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from qipai.cli.mahjong_score import LONGEST_LINE, score
from tests.games.mahjong.mahjong_table import known

GOOD = b'{"variant":13,"hand":"234m567p123456s99p","win":"2m"}'
REPLY = {"total": 3, "patterns": {"平胡": 2, "門清": 1}}


def replies(*lines: bytes, end: bytes = b"\n") -> list[dict[str, Any]]:
    written = io.BytesIO()
    assert score(io.BytesIO(b"\n".join(lines) + end), written) == 0
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_every_known_hand_has_its_score() -> None:
    rows = known()["wins"]
    found = replies(*(json.dumps(row["of"]).encode() for row in rows))
    assert [one["total"] for one in found] == [row.get("total", sum(row["tai"].values())) for row in rows]


def test_a_hand_that_is_not_a_win_is_an_error() -> None:
    found = replies(*(json.dumps(row).encode() for row in known()["no_wins"]))
    assert found == [{"error": "not_a_win"}] * len(found)


def test_null_means_the_default_and_an_absent_winning_tile_is_an_error() -> None:
    asked = json.loads(GOOD)
    nulls = {"melds": None, "flowers": None, "flags": None}
    found = replies(*(json.dumps(asked | change).encode() for change in (nulls, {"win": ""}, {"win": "7m"})))
    assert found[0] == REPLY
    assert found[1]["patterns"] == {"門清": 1, "獨聽": 1}
    assert found[2] == {"error": "not_a_win"}


def test_a_malformed_line_is_an_error_and_does_not_end_the_command() -> None:
    bad = [b"x", b"", b"\xff\xfe", b"[]", b'{"variant":12}', b'{"variant":13,"hand":"2"}']
    found = replies(*(line for each in bad for line in (each, GOOD)))
    assert found[1::2] == [REPLY] * len(bad)
    assert [one["error"] for one in found[::2]] == ["malformed"] * len(bad)
    assert [one["about"] for one in found[::2]] == ["json", "json", "json", "object", "variant", "hand"]


@pytest.mark.parametrize(
    "length", [LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, 2 * LONGEST_LINE, 5 * LONGEST_LINE + 7]
)
def test_a_line_that_is_too_long_has_one_reply(length: int) -> None:
    found = replies(GOOD, b" " * length, GOOD)
    assert found == [REPLY, {"error": "malformed", "about": "json"}, REPLY]


def test_the_last_line_needs_no_line_break_and_empty_input_has_no_replies() -> None:
    assert replies(GOOD, end=b"") == [REPLY]
    assert replies(end=b"") == []


@pytest.mark.slow
def test_the_command_replies_before_its_input_ends(tmp_path: Path) -> None:
    asked = [sys.executable, "-m", "qipai", "mahjong", "score"]
    with subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(GOOD + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == REPLY
        process.stdin.close()
        assert process.wait(60) == 0
