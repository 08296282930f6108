"""Others who play while a server is attacked: the latency of their moves, and the memory of the server.

Moves are made in a process of their own, once per period, and last until both players know of them. A move
that lasts longer than the period counts for those that were due meanwhile too. Time in which a process that
takes part was ready and the machine gave it no processor does not count: that is not the server's doing.

A test calls `assert_others_do_not_notice(server, attack)`.
"""

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
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


class Observation(NamedTuple):
    """What others noticed of an attack: milliseconds of their moves without it and during it."""

    idle: list[float]
    during: list[float]
    megabytes: float
    """Most memory of a server during the attack, above that at its start."""

    @property
    def milliseconds_over_idle(self) -> float:
        """Return how much later moves are at the 99th percentile."""
        return p99(self.during) - p99(self.idle)

    @property
    def noticed(self) -> bool:
        """Tell whether others were disturbed."""
        return self.milliseconds_over_idle > MOST_MILLISECONDS or self.megabytes > MOST_MEGABYTES

    def __str__(self) -> str:
        return (
            f"{len(self.during)} moves, p99 idle {p99(self.idle):.1f} ms, during {p99(self.during):.1f} ms, "
            f"longest {max(self.during):.1f} ms; {self.milliseconds_over_idle:.1f} ms over idle; "
            f"{self.megabytes:+.1f} MB"
        )


def p99(values: list[float]) -> float:
    """Return the 99th percentile."""
    return statistics.quantiles(values, n=100, method="inclusive")[98]


class OtherPlayers:
    """The process of the players. With two workers there are tables at each, and tables across both.

    `store` is the process of Redis, through which their moves pass.
    """

    def __init__(
        self, *servers: ServerProcess, tables: int = TABLES, store: "subprocess.Popen[bytes] | None" = None
    ) -> None:
        self.servers = servers
        first, last = servers[0], servers[-1]
        pairs = [(first, first), (last, last), (first, last), (last, first)]
        behind = [] if store is None else [store.pid]
        self._tables = [
            {
                "ports": [server.port for server in pair],
                "processes": sorted({_pid(server) for server in pair}) + behind,
            }
            for pair in (pairs[number % len(pairs)] for number in range(tables))
        ]

    def __enter__(self) -> Self:
        arguments = [sys.executable, "-m", __name__, json.dumps(self._tables)]
        self._players = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._read_line() == "ready"
        return self

    def __exit__(self, *_: object) -> None:
        self._players.kill()
        self._players.communicate()

    def measure(self, seconds: float = PHASE) -> list[float]:
        """Play for so long; return the milliseconds of each move."""
        assert self._players.stdin is not None
        self._players.stdin.write(f"{seconds}\n")
        self._players.stdin.flush()
        return [float(each) for each in json.loads(self._read_line())]

    def _read_line(self) -> str:
        assert self._players.stdout is not None
        line = self._players.stdout.readline().strip()
        assert line, "the process of the other players has ended"
        return line


def observe(players: OtherPlayers, attack: Attack, seconds: float) -> Observation:
    """Measure without the attack, with it, and without it again."""
    before = players.measure(seconds / 2)
    start = [memory(server) for server in players.servers]
    with running(attack):
        during = players.measure(seconds)
        most = [max(memory(server), peak_memory(server)) for server in players.servers]
    after = players.measure(seconds / 2)
    grown = max(most - start for most, start in zip(most, start, strict=True))
    return Observation(before + after, during, grown)


def assert_others_do_not_notice(
    server: ServerProcess, attack: Attack, seconds: float = PHASE, tables: int = TABLES
) -> Observation:
    """Attack while others play; fail if their moves or the server's memory suffer in every round."""
    with OtherPlayers(server, tables=tables) as players:
        return assert_players_do_not_notice(players, attack, seconds)


def assert_players_do_not_notice(
    players: OtherPlayers, attack: Attack, seconds: float = PHASE, pause: float = 0.0
) -> Observation:
    """Attack while these play; fail if their moves or a server's memory suffer in every round."""
    players.measure(0.5)
    for server in players.servers:
        reset_peak_memory(server)
    observed = []
    for _ in range(ROUNDS):
        observed.append(observe(players, attack, seconds))
        if not observed[-1].noticed:
            return observed[-1]
        time.sleep(pause)
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
    Path(f"/proc/{_pid(server)}/clear_refs").write_text("5")


def _memory(server: ServerProcess, field: str) -> float:
    lines = Path(f"/proc/{_pid(server)}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:"))


def _pid(server: ServerProcess) -> int:
    assert server.process is not None
    return server.process.pid


# The process of the players


class Table:
    """A gomoku table of two native clients, whose stones never make five in a row."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._urls = [f"ws://127.0.0.1:{port}/play" for port in ports]
        self._sockets: list[ClientConnection] = []
        self._room = ""
        self._cells: list[int] = []
        self._turn = 0

    async def connect(self) -> None:
        """Connect both players, and open the first table."""
        for url in self._urls:
            socket = await connect(
                url, compression=None, max_queue=None, ping_interval=None, open_timeout=_GUARD
            )
            await _send(socket, type="hello")
            await _receive(socket, lambda message: message["type"] == "welcome")
            self._sockets.append(socket)
        await self.move()

    async def move(self) -> None:
        """Make the next move, and wait until both players learn that it counts."""
        if not self._cells:
            await self._open()
        cell, turn = self._cells.pop(), self._turn
        self._turn = 1 - turn
        move = {"do": "place", "x": cell % _SIZE, "y": cell // _SIZE}
        nonce = f"{self._room}{cell}"
        answer: dict[str, Any] = {"code": "unavailable"}
        while answer.get("code") == "unavailable":
            # The store did not answer in time: the same nonce makes it safe to send the move again.
            await _send(self._sockets[turn], type="play", room=self._room, nonce=nonce, move=move)
            answer = await _receive(self._sockets[turn], lambda message: message.get("nonce") == nonce)
        assert answer["type"] in {"events", "unchanged"}, answer
        await _receive(self._sockets[1 - turn], lambda message: self._has(message, answer["version"]))

    def _has(self, message: dict[str, Any], version: int) -> bool:
        """Tell whether a message brings the room to this version: the events, or the full room."""
        room = message.get("room")
        shown = room["id"] if isinstance(room, dict) else room
        return shown == self._room and message.get("version") == version

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


class ProcessorClock:
    """A clock that stands still while one of these processes is ready to run and has to wait for a processor.

    If several wait at once it counts each of them, so on a busy machine latencies are shorter than they were.
    """

    def __init__(self, processes: Sequence[int | str]) -> None:
        self._files = [os.open(f"/proc/{process}/schedstat", os.O_RDONLY) for process in processes]

    def seconds(self) -> float:
        """Return the time."""
        # Nanoseconds on a processor, nanoseconds of waiting for one, number of turns.
        waited = sum(int(os.pread(file, 100, 0).split()[1]) for file in self._files)
        return time.perf_counter() - waited / 1e9


async def _play(table: Table, clock: ProcessorClock, first: float, seconds: float) -> list[float]:
    """Move once per period; return the milliseconds of each move, and of those that it kept waiting."""
    loop = asyncio.get_running_loop()
    latencies: list[float] = []
    await asyncio.sleep(max(0.0, first - loop.time()))
    for _ in range(int(seconds / PERIOD)):
        begin, started = loop.time(), clock.seconds()
        await asyncio.wait_for(table.move(), _GUARD)
        took = max(0.0, clock.seconds() - started)
        latencies += [(took - missed * PERIOD) * 1000 for missed in range(int(took / PERIOD) + 1)]
        await asyncio.sleep(max(0.0, begin + PERIOD - loop.time()))
    return latencies


async def main(wanted: list[dict[str, list[int]]]) -> None:
    """Measure as often as standard input says for how many seconds."""
    loop = asyncio.get_running_loop()
    tables = [(Table(each["ports"]), ProcessorClock(["self", *each["processes"]])) for each in wanted]
    for table, _ in tables:
        await asyncio.wait_for(table.connect(), _GUARD)
    print("ready", flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        starts = [loop.time() + PERIOD * number / len(tables) for number in range(len(tables))]
        measured = await asyncio.gather(
            *(_play(*each, at, float(line)) for each, at in zip(tables, starts, strict=True))
        )
        print(json.dumps(list(chain(*measured))), flush=True)


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))
