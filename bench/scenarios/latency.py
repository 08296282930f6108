"""How long a broadcast takes when the server is half busy."""

from contextlib import AsyncExitStack
from typing import Final

from bench.figures import middle
from bench.load.floor import Floor
from bench.load.pace import Free, Steady
from bench.load.window import Window, noise
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import ours, reference

TRIES: Final = 2
NOISE: Final = 0.03


async def at_half(scale: Scale, report: Report) -> list[Row]:
    """Compare p99 from frame sent to broadcast received, both under half of what the slower can take."""
    windows: dict[str, list[Window]] = {}
    async with AsyncExitStack() as stack:
        servers = [stack.enter_context(reference("ws")), stack.enter_context(ours())]
        floors = [await stack.enter_async_context(Floor(server)) for server in servers]
        for floor in floors:
            await floor.fill(scale.tables)
        for _ in range(scale.rounds):
            rate = min([await _saturation(floor, scale) for floor in floors]) / 2
            for floor in floors:
                floor.set_pace(Steady(rate))
                window = await _quiet(floor, scale)
                report.keep("native-latency", window)
                windows.setdefault(floor.server.name, []).append(window)
    relayed, played = windows.values()
    theirs, mine = (middle([window.p99 * 1000 for window in seen]) for seen in (relayed, played))
    note = f"at {middle([window.rate for window in played]):.0f} moves a second" + noise(played)
    return [Row("native-latency", "ms", "<= 1.0 x", mine, theirs, mine / theirs, mine <= theirs, note)]


async def _quiet(floor: Floor, scale: Scale) -> Window:
    """Measure again while others keep the server from running; in the end keep the quietest window."""
    windows: list[Window] = []
    for _ in range(TRIES):
        windows.append(await floor.play(scale.warm / 2, scale.seconds, timing=True))
        if windows[-1].waited < NOISE * windows[-1].seconds:
            break
    return min(windows, key=lambda window: window.waited)


async def _saturation(floor: Floor, scale: Scale) -> float:
    """Return the moves a second that would fill one core; what was reached depends on the neighbours."""
    floor.set_pace(Free())
    return 1 / (await floor.play(scale.warm / 2, scale.seconds / 3)).cpu_per_move
