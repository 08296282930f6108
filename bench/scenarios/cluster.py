"""Workers on one Redis: what a move costs beside the embedded mode, and what a second worker adds."""

from typing import Final

from bench import probe
from bench.figures import middle
from bench.load.floor import Floor
from bench.load.window import Window, noise
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import Server, ours, redis

from .cost import cost

MICRO: Final = 1e6
MORE: Final = 1.6
"""What a second worker should add where it has a core of its own."""


async def move(scale: Scale, report: Report) -> list[Row]:
    """Compare CPU per accepted move: one worker on Redis, Redis' own left out, beside the embedded mode."""
    embedded, shared, store = [], [], []
    for _ in range(scale.rounds):
        with ours() as server:
            embedded.append((await _play(server, scale))[0])
        with redis() as kept, ours(_address(kept)) as server:
            window, beside = await _play(server, scale, kept)
            shared.append(window)
            store.append(beside)
        report.keep("redis-move", embedded[-1])
        report.keep("redis-move", shared[-1])
    mine, plain = cost(shared), cost(embedded)
    note = f"Redis itself {middle(store) * MICRO:.0f} µs, generator {_generator(shared):.0f} µs"
    return [_row("redis-move", "µs", "", mine, plain, met=None, note=note + noise(shared))]


async def two(scale: Scale, report: Report) -> list[Row]:
    """Compare moves a second: two workers on one Redis beside one, as fast as they go."""
    single: list[Window] = []
    double: list[Window] = []
    for _ in range(scale.rounds):
        for count, windows in ((1, single), (2, double)):
            with redis() as kept, ours(_address(kept), count) as server:
                windows.append((await _play(server, scale))[0])
            report.keep("two-workers", windows[-1])
    rates = [middle([window.rate for window in windows]) for windows in (double, single)]
    ideal = 2 * cost(single) / cost(double)
    note = (
        f"CPU {cost(double):.0f} and {cost(single):.0f} µs a move, so {ideal:.1f} x "
        f"if each had a core; generator {_generator(double):.0f} µs of the same cores"
        + noise([*single, *double])
    )
    met = rates[0] >= MORE * rates[1]
    return [_row("two-workers", "moves/s", f">= {MORE} x", rates[0], rates[1], met=met, note=note)]


async def _play(server: Server, scale: Scale, beside: Server | None = None) -> tuple[Window, float]:
    """Return what was seen, and the CPU seconds a move that another server spent meanwhile."""
    async with Floor(server) as floor:
        await floor.fill(scale.tables)
        await floor.play(scale.warm, 0.1)
        before = 0.0 if beside is None else probe.cpu(beside.pid)
        window = await floor.play(0, scale.seconds)
        spent = 0.0 if beside is None else probe.cpu(beside.pid) - before
        return window, spent / max(1, window.moves)


def _row(
    name: str, unit: str, target: str, mine: float, theirs: float, *, met: bool | None, note: str
) -> Row:
    return Row(name, unit, target, mine, theirs, mine / theirs, met, note)


def _generator(windows: list[Window]) -> float:
    return middle([window.generator_per_move * MICRO for window in windows])


def _address(store: Server) -> str:
    return f"redis://127.0.0.1:{store.port}"
