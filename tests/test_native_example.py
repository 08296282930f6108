"""The native example plays a whole game, and continues after the server was killed."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.server.test_http import get
from tests.support.server import ServerProcess

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


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
