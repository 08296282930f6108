"""The example clients do what they show."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.socketio.client_programs import EXAMPLES, node
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow


def program(name: str, *arguments: str) -> subprocess.Popen[str]:
    """Start an example."""
    runner = node() if name.endswith(".mjs") else sys.executable
    return subprocess.Popen(
        [runner, str(EXAMPLES / name), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finished(process: subprocess.Popen[str], seconds: float = 120) -> str:
    """Wait for the end, which must be a good one, and return what it printed."""
    try:
        printed, _ = process.communicate(timeout=seconds)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 0, printed
    return printed


@pytest.mark.parametrize("name", ["echo.mjs", "echo.py"])
def test_the_echo_client_recovers_its_connection(recovery_port: int, name: str) -> None:
    printed = finished(program(name, f"http://127.0.0.1:{recovery_port}")).splitlines()
    first, *_, again, last = printed
    assert first.split()[-1] == again.split()[-1], "the same sid"
    assert "still here" in last


@pytest.mark.parametrize(
    ("one", "two"), [("tictactoe.mjs", "tictactoe.py"), ("tictactoe.py", "tictactoe.py")], ids=["both", "py"]
)
def test_two_example_clients_play_a_match(tmp_path: Path, one: str, two: str) -> None:
    with ServerProcess(tmp_path / "data") as server:
        url = f"http://127.0.0.1:{server.port}"
        players = [program(one, url, "Ann"), program(two, url, "Bob")]
        for printed in map(finished, players):
            assert "Ann" in printed
            assert "Bob" in printed
            assert "round 3" in printed
        assert server.errors == []
