"""A fake UCI engine whose mode decides how it behaves; this module is also its script."""

import os
import shlex
import sys
import time
from pathlib import Path

import chess

MODES = ("good", "hangs", "dies", "nonsense", "illegal", "mute")


def program(folder: Path, mode: str, later: str = "") -> str:
    """Write an engine with this mode; with `later`, every start after the first has that mode."""
    script = folder / f"engine-{mode}{later}"
    words = [sys.executable, str(Path(__file__)), str(folder / "received"), mode, later or mode]
    script.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n")
    script.chmod(0o755)
    return str(script)


def received_lines(folder: Path) -> list[str]:
    """Return every line that engines of this folder received; each engine first logs its process id."""
    log = folder / "received"
    return log.read_text().splitlines() if log.exists() else []


def started(folder: Path) -> list[int]:
    """Return the process ids of the engines that were started."""
    return [int(line.split()[1]) for line in received_lines(folder) if line.startswith("pid ")]


def alive(process: int) -> bool:
    """Tell whether a process still runs."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def all_ended(processes: list[int], seconds: float = 60) -> bool:
    """Wait until none of these processes runs; tell whether all have ended in time."""
    end = time.monotonic() + seconds
    while any(map(alive, processes)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(alive, processes))


def first(board: chess.Board) -> str:
    """Return the answer of a good engine: the alphabetically first move."""
    return min(move.uci() for move in board.legal_moves)


def _go(mode: str, board: chess.Board) -> None:
    match mode:
        case "good":
            print(f"info depth 1 score cp 0\nbestmove {first(board)} ponder e7e5")
        case "hangs":
            # It does not notice that its input was closed.
            time.sleep(600)
        case "dies":
            sys.exit(3)
        case "nonsense":
            print("bestmove\nbestmovee2e4\nI resign!")
        case "illegal":
            print("bestmove a1a1")


def _run(log: Path, first_mode: str, later: str) -> None:
    mode = later if log.exists() else first_mode
    board = chess.Board()
    with log.open("a", buffering=1) as out:
        out.write(f"pid {os.getpid()}\n")
        for line in sys.stdin:
            out.write(line)
            words = line.split()
            match words[:1]:
                case ["uci"] if mode != "mute":
                    print("id name fake\noption name Threads type spin default 4 min 1 max 8")
                    print(
                        "option name Hash type spin default 256\noption name Skill Level type spin default 20"
                    )
                    print("uciok")
                case ["isready"]:
                    print("readyok")
                case ["position"]:
                    moves = words[words.index("moves") + 1 :] if "moves" in words else []
                    board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:8]))
                    for move in moves:
                        board.push_uci(move)
                case ["go"]:
                    _go(mode, board)
                case ["quit"]:
                    return
            sys.stdout.flush()


if __name__ == "__main__":
    _run(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
