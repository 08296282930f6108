"""The official client of the lower layer, engine.io-client, through an upgrade."""

import json
import subprocess
from typing import Any

import pytest

from tests.socketio.client_programs import HERE, node

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("way", ["polling", "websocket", "upgrade"])
def test_the_official_engine_client_is_served(fast_ping_port: int, way: str) -> None:
    command = [node(), "engine.mjs", f"http://127.0.0.1:{fast_ping_port}", way]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=60, check=True)
    said: dict[str, Any] = {}
    for line in done.stdout.splitlines():
        said |= json.loads(line)
    assert said.pop("close")["pings"] >= 2
    expected = {"open": way, "auth": {}, "received": 300, "binary": "0102ff"}
    if way == "upgrade":
        expected |= {"open": "polling", "upgrade": "websocket"}
    assert said == expected
