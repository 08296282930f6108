"""Others who play while a server is attacked: the latency of their moves, and the memory of the server.

Moves are made in a process of their own, at fixed times: a move that had to wait for the one before it counts
from the time at which it was due. At the same times an echo process answers. It does nothing else, so
what it takes longer during an attack is the machine's doing and not the server's.

A test calls `assert_others_do_not_notice(server, attack)`.
"""

import asyncio
import contextlib
import json
import statistics
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from websockets.asyncio.client import ClientConnection, connect

from tests.support.server import ServerProcess

TABLES: Final = 4
PERIOD: Final = 0.05
"""Seconds between two moves of a table."""
PHASE: Final = 4.0
"""Seconds of each measurement."""
ROUNDS: Final = 3
"""An attack that works fails in every round; noise does not."""
MOST_MILLISECONDS: Final = 50.0
MOST_MEGABYTES: Final = 100.0
_SIZE: Final = 15
_GUARD: Final = 60.0
"""Seconds after which a server or a process is given up."""

Attack = Callable[[threading.Event], None]
"""Attacks until the event is set, or until it is done. Runs in a thread."""


class Latencies(NamedTuple):
    """Milliseconds of the moves and of the echoes of one measurement."""

    moves: list[float]
    echoes: list[float]


class Observation(NamedTuple):
    """What others noticed of an attack."""

    idle: Latencies
    during: Latencies
    megabytes: float
    """Most memory of the server during the attack, above that at its start."""

    @property
    def milliseconds_over_idle(self) -> float:
        """Return how much later moves are at the 99th percentile, without what the machine itself adds."""
        noise = p99(self.during.echoes) - p99(self.idle.echoes)
        return p99(self.during.moves) - p99(self.idle.moves) - 2 * max(0.0, noise)

    @property
    def noticed(self) -> bool:
        """Tell whether others were disturbed."""
        return self.milliseconds_over_idle > MOST_MILLISECONDS or self.megabytes > MOST_MEGABYTES

    def __str__(self) -> str:
        return (
            f"{len(self.during.moves)} moves, p99 idle {p99(self.idle.moves):.1f} ms, "
            f"during {p99(self.during.moves):.1f} ms; echo {p99(self.idle.echoes):.1f} and "
            f"{p99(self.during.echoes):.1f} ms; {self.milliseconds_over_idle:.1f} ms over idle; "
            f"{self.megabytes:+.1f} MB"
        )


def p99(values: list[float]) -> float:
    """Return the 99th percentile."""
    return statistics.quantiles(values, n=100, method="inclusive")[98]


class OtherPlayers:
    """The process of the players, and that of the echoes."""

    def __init__(self, server: ServerProcess, tables: int = TABLES) -> None:
        self._port = server.port
        self._tables = tables

    def __enter__(self) -> Self:
        self._echo = _start("echo")
        self._players = _start("play", str(self._port), _read_line(self._echo), str(self._tables))
        assert _read_line(self._players) == "ready"
        return self

    def __exit__(self, *_: object) -> None:
        for process in (self._players, self._echo):
            process.kill()
            process.communicate()

    def measure(self, seconds: float = PHASE) -> Latencies:
        """Play for so long; return how long each move and each echo took."""
        assert self._players.stdin is not None
        self._players.stdin.write(f"{seconds}\n")
        self._players.stdin.flush()
        return Latencies(*json.loads(_read_line(self._players)))


def observe(server: ServerProcess, players: OtherPlayers, attack: Attack, seconds: float) -> Observation:
    """Measure without the attack, with it, and without it again."""
    before = players.measure(seconds / 2)
    start = memory(server)
    with running(attack):
        during = players.measure(seconds)
        most = max(memory(server), peak_memory(server))
    after = players.measure(seconds / 2)
    return Observation(Latencies(before[0] + after[0], before[1] + after[1]), during, most - start)


def assert_others_do_not_notice(
    server: ServerProcess, attack: Attack, seconds: float = PHASE, tables: int = TABLES
) -> Observation:
    """Attack while others play; fail if their moves or the server's memory suffer in every round."""
    with OtherPlayers(server, tables) as players:
        players.measure(0.5)
        reset_peak_memory(server)
        observed = []
        for _ in range(ROUNDS):
            observed.append(observe(server, players, attack, seconds))
            if not observed[-1].noticed:
                return observed[-1]
    raise AssertionError("others notice the attack: " + " | ".join(map(str, observed)))


@contextlib.contextmanager
def running(attack: Attack) -> Iterator[None]:
    """Run an attack in a thread, and stop it."""
    stop, failures = threading.Event(), list[BaseException]()

    def run() -> None:
        try:
            attack(stop)
        except BaseException as error:  # noqa: BLE001 - raised below
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(_GUARD)
    if failures:
        raise failures[0]


def memory(server: ServerProcess) -> float:
    """Return the resident memory of the server in MB."""
    return _memory(server, "VmRSS")


def peak_memory(server: ServerProcess) -> float:
    """Return the most resident memory since the last reset, in MB."""
    return _memory(server, "VmHWM")


def reset_peak_memory(server: ServerProcess) -> None:
    """Let the peak begin with the present memory."""
    assert server.process is not None
    Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")


def _memory(server: ServerProcess, field: str) -> float:
    assert server.process is not None
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:"))


def _start(*arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", __name__, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _read_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    assert line, "the process of the other players has ended"
    return line


# The process of the players


class Table:
    """A gomoku table of two native clients, whose stones never make five in a row."""

    def __init__(self, port: int) -> None:
        self._url = f"ws://127.0.0.1:{port}/play"
        self._sockets: list[ClientConnection] = []
        self._room = ""
        self._cells: list[int] = []
        self._turn = 0

    async def connect(self) -> None:
        """Connect both players, and open the first table."""
        for _ in range(2):
            socket = await connect(
                self._url, compression=None, max_queue=None, ping_interval=None, open_timeout=_GUARD
            )
            await _send(socket, type="hello")
            await _receive(socket, lambda message: message["type"] == "welcome")
            self._sockets.append(socket)
        await self.move()

    async def move(self) -> None:
        """Make the next move, and wait until the player who made it learns that it counts."""
        if not self._cells:
            await self._open()
        cell, turn = self._cells.pop(), self._turn
        self._turn = 1 - turn
        move = {"do": "place", "x": cell % _SIZE, "y": cell // _SIZE}
        nonce = f"{self._room}{cell}"
        await _send(self._sockets[turn], type="play", room=self._room, nonce=nonce, move=move)
        answer = await _receive(self._sockets[turn], lambda message: message.get("nonce") == nonce)
        assert answer["type"] == "events", answer

    async def _open(self) -> None:
        host, guest = self._sockets
        if previous := self._room:
            for socket in self._sockets:
                await _send(socket, type="leave", room=previous, nonce="l")
        await _send(host, type="open", game="gomoku", nonce=f"after{previous}", table={"public": False})
        room = await _receive(host, lambda message: message["type"] == "room")
        self._room = room["room"]["id"]
        await _send(guest, type="join", room=self._room, nonce="j")
        await _receive(guest, lambda message: message["type"] == "room")
        # What the host has not read yet of the previous table is skipped.
        started = await _receive(
            host, lambda message: message.get("room") == self._room and bool(message.get("to_act"))
        )
        self._turn = 0 if started["to_act"] == [room["you"]] else 1
        cells = range(_SIZE * _SIZE)
        # Stones of one colour in pairs: no line has more than two.
        black, white = (
            [cell for cell in cells if (cell % _SIZE // 2 + cell // _SIZE) % 2 == colour] for colour in (0, 1)
        )
        self._cells = [cell for pair in zip(black, white, strict=False) for cell in pair][::-1]


async def _send(socket: ClientConnection, **message: Any) -> None:
    await socket.send(json.dumps(message))


async def _receive(socket: ClientConnection, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while not wanted(message := json.loads(await socket.recv())):
        pass
    return dict(message)


class Echo:
    """A connection to the echo process."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def connect(self) -> None:
        """Connect."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def call(self) -> None:
        """Send a line, and wait until it is back."""
        self._writer.write(b"echo\n")
        await self._reader.readline()


async def _repeat(act: Callable[[], Awaitable[None]], first: float, seconds: float) -> list[float]:
    """Act once per period; return the milliseconds from the time at which each act was due."""
    loop = asyncio.get_running_loop()
    latencies = []
    for number in range(int(seconds / PERIOD)):
        due = first + number * PERIOD
        await asyncio.sleep(max(0.0, due - loop.time()))
        await asyncio.wait_for(act(), _GUARD)
        latencies.append((loop.time() - due) * 1000)
    return latencies


async def play(port: int, echo_port: int, count: int) -> None:
    """Measure as often as standard input says for how many seconds."""
    loop = asyncio.get_running_loop()
    tables = [Table(port) for _ in range(count)]
    echoes = [Echo(echo_port) for _ in range(count)]
    for table in tables:
        await asyncio.wait_for(table.connect(), _GUARD)
    for each in echoes:
        await each.connect()
    print("ready", flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        starts = [loop.time() + PERIOD * number / count for number in range(count)]
        measured = await asyncio.gather(
            *(_repeat(table.move, at, float(line)) for table, at in zip(tables, starts, strict=True)),
            *(_repeat(echo.call, at, float(line)) for echo, at in zip(echoes, starts, strict=True)),
        )
        print(json.dumps([list(chain(*measured[:count])), list(chain(*measured[count:]))]), flush=True)


async def echo() -> None:
    """Echo lines until killed."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(line)
        writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(echo() if sys.argv[1] == "echo" else play(*map(int, sys.argv[2:])))
