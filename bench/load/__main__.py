"""`python -m bench.load PORT` plays on a server that runs already, to look at it with a profiler."""

import argparse
import asyncio

import uvloop

from bench import probe
from bench.servers import running

from .chess import play_chess
from .floor import Floor
from .marks import play_marks
from .pace import Steady
from .stones import play_stones


async def run(options: argparse.Namespace) -> None:
    """Fill the tables, play, and print what was seen."""
    server = running(options.port, options.pid)
    if options.marks:
        for _ in range(options.times):
            print(await play_marks(server, options.tables, options.warm, options.seconds, login=True))
        return
    if options.stones:
        for _ in range(options.times):
            print(await play_stones(server, options.tables, options.warm, options.seconds))
        return
    if options.chess:
        for _ in range(options.times):
            print(await play_chess(server, options.tables, options.warm, options.seconds))
        return
    async with Floor(server, clock=options.clock) as floor:
        await floor.fill(options.tables)
        if options.rate:
            floor.set_pace(Steady(options.rate))
        for _ in range(options.times):
            print(await floor.play(options.warm, options.seconds, timing=True))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("pid", type=int)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--warm", type=float, default=2)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument(
        "--rate", type=float, default=0, help="moves a second; 0: as many as the server takes"
    )
    parser.add_argument("--marks", action="store_true", help="tic-tac-toe over Socket.IO; no rate, no clock")
    parser.add_argument("--stones", action="store_true", help="gomoku over Socket.IO; no rate, no clock")
    parser.add_argument("--chess", action="store_true", help="chess on a plain WebSocket; no rate")
    parser.add_argument("--clock", default="", help='a clock plan such as {"main":[300000],"increment":2000}')
    options = parser.parse_args()
    probe.raise_files(16_384)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run(options))


if __name__ == "__main__":
    main()
