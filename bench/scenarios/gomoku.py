"""A gomoku stone over Socket.IO; the reference alone until Qipai speaks that protocol."""

from bench.figures import middle
from bench.load.stones import play_stones
from bench.report import Report, Row
from bench.scale import Scale
from bench.servers import reference


async def move(scale: Scale, report: Report) -> list[Row]:
    """Measure CPU per stone of the `socket.io` relay."""
    runs = []
    for _ in range(scale.repeats):
        with reference("socketio") as server:
            runs.append(await play_stones(server, scale.tables, scale.warm, scale.seconds))
            report.keep("gomoku-move", runs[-1])
    cost = middle([run.cpu_per_move * 1e6 for run in runs])
    return [Row("gomoku-move", "µs", "<= 1.0 x", reference=cost, note="reference only")]
