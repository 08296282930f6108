"""Gomoku over Socket.IO: a stone, validated, journalled, told to both, beside a relay; and a full lobby."""

from typing import Final

from bench.failure import Failure
from bench.load.churn import HOSTS, Busy, busy, row
from bench.load.floor import crowd
from bench.load.stones import play_stones
from bench.load.visitors import Guest, Host
from bench.load.window import Window
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, ours, reference

from .cost import compared, cost

LISTS: Final = 11.0
"""Lists a second that nobody may exceed: one in 100 ms, and one more at the edge of a short window."""


async def move(scale: Scale, report: Report) -> list[Row]:
    """Compare CPU per accepted stone; the note has a relay that says less, and one that says it to each."""
    played, whole = [], []
    others: dict[str, list[Window]] = {"bare": [], "roles": []}
    for number in range(scale.rounds):
        with reference("socketio", "whole") as server:
            whole.append(await _cost(server, scale, report))
        with ours() as server:
            played.append(await _cost(server, scale, report))
        if number < scale.repeats:
            for word, runs in others.items():
                with reference("socketio", word) as server:
                    runs.append(await _cost(server, scale, report))
    bare, roles = (cost(runs) for runs in others.values())
    more = f", reference with one view {bare:.1f} µs, with roles {roles:.1f} µs"
    return [compared("gomoku-move", played, whole, more)]


async def lobby(scale: Scale, report: Report) -> list[Row]:
    """Measure the CPU of a server whose gomoku lobby is full."""
    runs = []
    for _ in range(scale.repeats):
        with ours() as server:
            runs.append(await _busy(server, scale))
            report.keep("gomoku-lobby", runs[-1])
    return [row("gomoku-lobby", runs)]


async def _cost(server: Server, scale: Scale, report: Report) -> Window:
    window = await play_stones(server, scale.tables, scale.warm, scale.seconds)
    report.keep("gomoku-move", window)
    return window


async def _busy(server: Server, scale: Scale) -> Busy:
    async def host(number: int) -> Host:
        client = Host(server.port)
        await client.enter(f"host {number}")
        await client.found()
        return client

    async def guest(number: int) -> Guest:
        client = Guest(server.port, reads=number == 0)
        await client.enter(f"guest {number}")
        return client

    hosts, guests = await crowd(HOSTS, host), await crowd(scale.watchers, guest)
    found = await busy(server, guests, guests[:1], hosts, scale.warm, scale.seconds)
    if wrong := next((client.wrong for client in (*guests, *hosts) if client.wrong), None):
        raise wrong
    if found.news > LISTS:
        raise Failure(f"{server.name} sent {found.news:.1f} lists a second")
    return found
