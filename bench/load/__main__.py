"""`python -m bench.load PORT PID` plays on a server that already runs, for a profiler."""

import argparse
import asyncio

import uvloop

from bench import process_usage
from bench.servers import running

from .gomoku_players import play_gomoku
from .native_tables import NativeTables
from .pacing import FixedRate
from .qtchess_players import play_qtchess
from .tictactoe_players import play_tictactoe


async def run(options: argparse.Namespace) -> None:
    """Fill the tables, play, and print the measurements."""
    server = running(options.port, options.pid)
    if options.tictactoe:
        for _ in range(options.times):
            print(await play_tictactoe(server, options.tables, options.warm, options.seconds, login=True))
        return
    if options.gomoku:
        for _ in range(options.times):
            print(await play_gomoku(server, options.tables, options.warm, options.seconds))
        return
    if options.qtchess:
        for _ in range(options.times):
            print(await play_qtchess(server, options.tables, options.warm, options.seconds))
        return
    async with NativeTables(server, clock=options.clock) as tables:
        await tables.fill(options.tables)
        if options.rate:
            tables.set_pacing(FixedRate(options.rate))
        for _ in range(options.times):
            print(await tables.play(options.warm, options.seconds, timing=True))


def main() -> None:
    """Read the command line and run the load."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("pid", type=int)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--warm", type=float, default=2)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument(
        "--rate", type=float, default=0, help="moves per second; 0: as many as the server accepts"
    )
    parser.add_argument(
        "--tictactoe", action="store_true", help="tic-tac-toe over Socket.IO; no rate, no clock"
    )
    parser.add_argument("--gomoku", action="store_true", help="gomoku over Socket.IO; no rate, no clock")
    parser.add_argument(
        "--qtchess", action="store_true", help="chess on a plain WebSocket; no rate, no clock"
    )
    parser.add_argument("--clock", default="", help='a clock plan such as {"main":[300000],"increment":2000}')
    options = parser.parse_args()
    process_usage.raise_file_limit(16_384)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run(options))


if __name__ == "__main__":
    main()
