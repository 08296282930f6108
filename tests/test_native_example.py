"""The native examples play whole games: against a bot, also after the server was killed, and rated."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.server.test_http import get
from tests.support.server import ServerProcess

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
PASSWORD = "correct horse battery staple"
RATED = re.compile(r"(?P<name>.+): [\d.]+\?? \((?P<change>[+-][\d.]+)\)")


@pytest.mark.slow
def test_the_native_example_returns_to_its_game(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data", config="bot_pause = 300\n") as server:
        program = [sys.executable, str(EXAMPLES / "gomoku.py"), f"http://127.0.0.1:{server.port}"]
        with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as player:
            until = time.monotonic() + 60
            while b'phase="playing"' not in get(server, "/metrics")[2]:
                assert time.monotonic() < until, "nobody plays"
                time.sleep(0.1)
            time.sleep(1)
            server.kill()
            assert player.poll() is None
            server.start()
            said, complained = player.communicate(timeout=120)
    assert player.returncode == 0, complained
    assert " stones: {" in said.splitlines()[-1]


@pytest.mark.slow
def test_two_accounts_register_play_a_rated_game_and_see_their_new_ratings(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:

        def start(name: str) -> "subprocess.Popen[str]":
            program = [sys.executable, str(EXAMPLES / "rated_gomoku.py"), f"http://127.0.0.1:{server.port}"]
            return subprocess.Popen(
                [*program, name, PASSWORD], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )

        # The second time the accounts exist.
        for first_words in ("registered; keep these codes:", ""):
            with start("Example Ann") as ann, start("Example Bob") as bob:
                said = [each.communicate(timeout=300) for each in (ann, bob)]
                codes = [each.returncode for each in (ann, bob)]
            assert codes == [0, 0], said
            texts = [output.splitlines() for output, _ in said]
            assert all(text[0].startswith(first_words or ("won", "lost")) for text in texts), texts
            assert texts[0][-2:] == texts[1][-2:], "both see the same ratings"
            (one, other) = (RATED.fullmatch(line) for line in texts[0][-2:])
            assert one, texts
            assert other, texts
            assert {one["name"], other["name"]} == {"Example Ann", "Example Bob"}
            assert float(one["change"]) == -float(other["change"]) or first_words == ""
        assert server.errors == []
