"""The same program as client.mjs with python-socketio: python client.py URL TRANSPORT OPTIONS."""

import contextlib
import json
import os
import runpy
import sys
from pathlib import Path
from typing import Any

from socketio.exceptions import ConnectionError as ConnectionError_  # type: ignore[import-untyped] # no stubs

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "echo.py"))
url, transport, options = sys.argv[1:]
headers = json.loads(options).get("headers", {})
transports = ["polling", "websocket"] if transport == "upgrade" else [transport]


def say(kind: str, what: Any) -> None:
    print(json.dumps({kind: pack(what)}), flush=True)


def pack(value: Any) -> Any:
    """Bytes travel as {"bytes": hex}."""
    match value:
        case bytes():
            return {"bytes": value.hex()}
        case list() | tuple():
            return [pack(inner) for inner in value]
        case dict():
            return {key: pack(inner) for key, inner in value.items()}
    return value


def unpack(value: Any) -> Any:
    match value:
        case {"bytes": str(coded)}:
            return bytes.fromhex(coded)
        case list():
            return [unpack(inner) for inner in value]
        case dict():
            return {key: unpack(inner) for key, inner in value.items()}
    return value


def make(namespace: str, auth: Any) -> Any:
    client = EXAMPLE["Recovering"](reconnection_delay=0.1, randomization_factor=0, handle_sigint=False)

    def connected() -> None:
        # The library does not report upgrades, and reports a connection only after one.
        say("connect", {"id": client.get_sid(namespace), "recovered": client.recovered})

    def received(name: str, *args: Any) -> Any:
        say("event", [name, *args])
        return ("the answer", *args)

    client.on("connect", connected, namespace)
    client.on("disconnect", lambda reason: say("disconnect", reason), namespace)
    client.on("connect_error", lambda problem: say("error", problem), namespace)
    client.on("*", received, namespace)
    client.connect(
        url,
        headers,
        auth=lambda: client.auth() or auth,
        transports=transports,
        namespaces=[namespace],
        wait_timeout=60,
    )
    return client


socket = make("/", {})
for line in sys.stdin:
    ((what, said),) = unpack(json.loads(line)).items()
    match what:
        case "emit":
            socket.emit(said[0], tuple(said[1:]))
        case "call":
            socket.emit(said[0], tuple(said[1:]), callback=lambda *answer: say("ack", answer))
        case "open":
            with contextlib.suppress(ConnectionError_):
                make(*said)
        case "leave":
            socket.disconnect()
os._exit(0)  # The library's threads would keep running.
