"""`python -m bench` compares Qipai with the reference servers and prints one table."""

import argparse
import asyncio
import signal
import sys
import time
from pathlib import Path
from typing import Final

import uvloop
from picows import WSError

from . import process_usage
from .failure import Failure
from .machine import machine
from .report import Report, Row, table, timestamp
from .scale import FULL, QUICK, Scale
from .scenarios import NOT_QUICK, ONLY_IF_NAMED, SCENARIOS

OPEN_FILES: Final = 16_384
SCENARIO_LIMIT: Final = 2400.0


async def run(names: list[str], scale: Scale, report: Report) -> bool:
    """Run the scenarios one after the other; tell whether all of them could be measured."""
    task, complete = asyncio.current_task(), True
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    for name in names:
        started = time.monotonic()
        print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
        try:
            async with asyncio.timeout(SCENARIO_LIMIT):
                report.rows += await SCENARIOS[name](scale, report)
        except* (Failure, OSError, WSError, TimeoutError) as failures:
            complete = False
            report.rows.append(Row(name, "", "", note=f"failed: {_first(failures)}"))
        print(f"{time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    return complete


def _first(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__


def main() -> int:
    """Run the scenarios, print the table and write the report."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="run smaller and shorter, under 90 seconds")
    parser.add_argument(
        "--only", action="append", choices=list(SCENARIOS), help="run only this scenario; may be repeated"
    )
    parser.add_argument(
        "--peers",
        action="append_const",
        const="peers",
        dest="only",
        help="install servers on other libraries and compare with them: --only peers",
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a target was missed")
    options = parser.parse_args()
    process_usage.raise_file_limit(OPEN_FILES)
    report = Report(machine(), options.quick, timestamp())
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            left_out = ONLY_IF_NAMED | NOT_QUICK if options.quick else ONLY_IF_NAMED
            names = options.only or [name for name in SCENARIOS if name not in left_out]
            complete = runner.run(run(names, QUICK if options.quick else FULL, report))
    except asyncio.CancelledError:
        return 128 + signal.SIGTERM
    finally:
        print(table(report.rows))
        report.write(Path(__file__).parent / "report.json")
    missed = options.strict and any(row.met is False for row in report.rows)
    return 1 if missed or not complete else 0


if __name__ == "__main__":
    raise SystemExit(main())
