"""The start of a server that was killed with very many open tables."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from msgspec import Struct
from picows import WSError

from bench.failure import Failure
from bench.load.native_client import NativeClient
from bench.load.native_tables import create_many
from bench.load.notices import FullRoom
from bench.process_usage import cpu
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, qipai_server
from bench.statistics import median

ANSWER_LIMIT: Final = 1.5
RESUMED_LIMIT: Final = 15.0
START_TIMEOUT: Final = 60.0


class ManyTables(Struct):
    """Seconds since the start of the process, and CPU seconds of the server."""

    tables: int
    first_answer: float
    first_answer_cpu: float
    resumed: float
    resumed_cpu: float


async def restart_many(scale: Scale, report: Report) -> list[Row]:
    """Start on the journal of a killed server, and resume every player: connect, get the room, close."""
    runs = []
    for _ in range(scale.repeats):
        tables = StoredTables(scale.many_tables)
        with qipai_server(prepare=tables.write) as server:
            runs.append(await _resume_all(server, tables))
        report.add_run("restart-many", runs[-1])
    rows = []
    for part, limit, times in (
        ("first answer", ANSWER_LIMIT, [(run.first_answer, run.first_answer_cpu) for run in runs]),
        ("resumed", RESUMED_LIMIT, [(run.resumed, run.resumed_cpu) for run in runs]),
    ):
        found, busy = median([seconds for seconds, _ in times]), median([spent for _, spent in times])
        note = f"{scale.many_tables} tables, {busy:.1f} s of CPU"
        name = f"restart-many ({part})"
        rows.append(Row(name, "s", f"<= {limit:g} s", found, met=found <= limit, note=note))
    return rows


class StoredTables:
    """Tables in the data folder of a server; `written` is when they were, just before the server starts."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.players: list[list[str]] = []
        self.written = 0.0

    def write(self, data: Path) -> None:
        """Write the journal in a process that ends as a killed server does."""
        command = [sys.executable, "-m", "bench.load.stored_tables", str(data), str(self.count)]
        subprocess.run(command, check=True)
        self.players = [line.split() for line in (data / "players").read_text().splitlines()]
        self.written = time.monotonic()


async def _resume_all(server: Server, tables: StoredTables) -> ManyTables:
    first, *others = tables.players
    started = tables.written
    await _resume(server, first, started)
    answered, answered_cpu = time.monotonic() - started, cpu(server.pid)
    await create_many(len(others), lambda number: _resume(server, others[number], started))
    return ManyTables(tables.count, answered, answered_cpu, time.monotonic() - started, cpu(server.pid))


async def _resume(server: Server, player: list[str], started: float) -> None:
    token, room = player
    while time.monotonic() - started < START_TIMEOUT:
        client = NativeClient(server.port)
        client.token = token
        try:
            await client.connect()
            await client.ask(b'{"type":"resume","room":"%b","version":0}' % room.encode(), FullRoom)
        except (OSError, Failure, TimeoutError, WSError):
            await asyncio.sleep(0.01)
        else:
            client.close()
            return
    raise Failure(f"a player did not resume within {START_TIMEOUT:.0f} s")
