"""A crowd of spectators in a process of its own: `python -m tests.attacks.crowds.crowd PORT ROOM COUNT`.

It reads commands from its standard input and prints a line of JSON after each one: `watch`, `leave`,
`talk LINES` (every spectator says that many lines at once) and `report`.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Final, Self

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

AT_ONCE: Final = 25
"""Connections that are made at the same time."""
_GUARD: Final = 60.0
"""Seconds after which a server that does not answer is given up."""


class Crowd:
    """The process of the crowd, as a test uses it."""

    def __init__(self, port: int, room: str, count: int) -> None:
        arguments = [sys.executable, "-m", __name__, str(port), room, str(count)]
        self._process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        self.do("watch")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def do(self, command: str) -> dict[str, Any]:
        """Let the crowd do something; return what it reports afterwards."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the process of the crowd has ended"
        return dict(json.loads(line))


# The process of the crowd


class Spectator(WSListener):
    """One guest who watches; it counts frames and checks the versions."""

    def __init__(self, room: str, number: int) -> None:
        super().__init__()
        self.answered = asyncio.Event()
        """Set by the answer to `watch` or `leave`."""
        self.frames = self.lines = self.refused = self.version = 0
        self.in_order = True
        self.open = False
        self._room = room
        self._number = number

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        self.open = True
        self.send("hello", v=2)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        self.frames += 1
        message = json.loads(frame.get_payload_as_bytes())
        match message["type"]:
            case "room":
                self.version = message["version"]
                self.answered.set()
            case "left":
                self.answered.set()
            case "events":
                self.in_order &= message["version"] == self.version + 1
                self.version = message["version"]
                self.lines += any(event["e"] == "said" for event in message["events"])
            case "refused":
                self.refused += 1

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.open = False

    async def ask(self, type_: str) -> None:
        """Watch or leave the room, and wait for the answer."""
        self.answered.clear()
        self.send(type_, room=self._room)
        await asyncio.wait_for(self.answered.wait(), _GUARD)

    def talk(self, lines: int) -> None:
        """Say so many lines at once."""
        for number in range(lines):
            self.send("say", room=self._room, text=f"spectator {self._number} says line {number}")

    def send(self, type_: str, **fields: Any) -> None:
        """Send a frame, unless the server has closed the connection."""
        if self.open:
            self.transport.send(WSMsgType.TEXT, json.dumps({"type": type_, **fields}).encode())


async def connect(port: int, room: str, count: int) -> list[Spectator]:
    """Connect all spectators."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> Spectator:
        async with gate:
            spectator = Spectator(room, number)
            # From many addresses: one may say no more than half of the lines.
            source = f"127.0.0.{2 + number % 50}"
            url = f"ws://127.0.0.1:{port}/play"
            await ws_connect(lambda: spectator, url, max_redirects=0, local_addr=(source, 0))
            return spectator

    return await asyncio.gather(*(one(number) for number in range(count)))


def report(crowd: Sequence[Spectator]) -> dict[str, Any]:
    """Return what all of them have seen."""
    return {
        "frames": sum(each.frames for each in crowd),
        "lines": sorted({each.lines for each in crowd}),
        "refused": sum(each.refused for each in crowd),
        "open": sum(each.open for each in crowd),
        "in_order": all(each.in_order for each in crowd),
        "versions": sorted({each.version for each in crowd}),
    }


async def main(port: int, room: str, count: int) -> None:
    """Carry out the commands of standard input."""
    crowd = await connect(port, room, count)
    while command := (await asyncio.to_thread(sys.stdin.readline)).split():
        match command:
            case ["watch" | "leave" as type_]:
                await asyncio.gather(*(each.ask(type_) for each in crowd))
            case ["talk", lines]:
                for each in crowd:
                    each.talk(int(lines))
        print(json.dumps(report(crowd)), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
