"""Gomoku over Socket.IO: a stone that is checked, stored and broadcast, beside a relay; and a full lobby."""

from typing import Final

from bench.failure import Failure
from bench.load.gomoku_lobby_clients import LobbyReader, RoomHost
from bench.load.gomoku_players import play_gomoku
from bench.load.lobby_load import HOSTS, LobbyMeasurement, lobby_row, measure_lobby
from bench.load.measurement import Measurement
from bench.load.native_tables import create_many
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, qipai_server, reference_server

from .cpu_per_move import comparison_row, cpu_microseconds

MOST_LISTS: Final = 11.0
"""Most lists per second: one in 100 ms, and one more at the edge of a short measurement."""


async def move(scale: Scale, report: Report) -> list[Row]:
    """Compare CPU per accepted stone; the note has two variants of the reference."""
    qipai_runs, reference_runs = [], []
    others: dict[str, list[Measurement]] = {"bare": [], "roles": []}
    for number in range(scale.rounds):
        with reference_server("socketio", "whole") as server:
            reference_runs.append(await _cost(server, scale, report))
        with qipai_server() as server:
            qipai_runs.append(await _cost(server, scale, report))
        if number < scale.repeats:
            for variant, runs in others.items():
                with reference_server("socketio", variant) as server:
                    runs.append(await _cost(server, scale, report))
    bare, roles = (cpu_microseconds(runs) for runs in others.values())
    more = f", reference with one view {bare:.1f} µs, with roles {roles:.1f} µs"
    return [comparison_row("gomoku-move", qipai_runs, reference_runs, more)]


async def lobby(scale: Scale, report: Report) -> list[Row]:
    """Measure the CPU of a server whose gomoku lobby is full."""
    runs = []
    for _ in range(scale.repeats):
        with qipai_server() as server:
            runs.append(await _measure(server, scale))
            report.add_run("gomoku-lobby", runs[-1])
    return [lobby_row("gomoku-lobby", runs)]


async def _cost(server: Server, scale: Scale, report: Report) -> Measurement:
    measurement = await play_gomoku(server, scale.tables, scale.warm, scale.seconds)
    report.add_run("gomoku-move", measurement)
    return measurement


async def _measure(server: Server, scale: Scale) -> LobbyMeasurement:
    async def host(number: int) -> RoomHost:
        client = RoomHost(server.port)
        await client.enter(f"host {number}")
        await client.create_room()
        return client

    async def reader(number: int) -> LobbyReader:
        client = LobbyReader(server.port, decodes=number == 0)
        await client.enter(f"reader {number}")
        return client

    hosts, readers = await create_many(HOSTS, host), await create_many(scale.spectators, reader)
    result = await measure_lobby(server, readers, readers[:1], hosts, scale.warm, scale.seconds)
    if error := next((client.error for client in (*readers, *hosts) if client.error), None):
        raise error
    if result.lists > MOST_LISTS:
        raise Failure(f"{server.name} sent {result.lists:.1f} lists per second")
    return result
