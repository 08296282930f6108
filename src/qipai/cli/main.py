"""The command line: `qipai serve` and what is done beside it."""

import argparse
import os
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from qipai import __version__, app, worker_supervisor
from qipai.games.chess.position import use_library
from qipai.settings import ConfigurationError, Settings, engine, load

from . import arena, doctor, mahjong_score, record, verify
from .journal_reader import Failure

MOST_WORKERS: Final = 64


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return 0, 1 for a finding, or 2 for a mistake of the operator."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    try:
        settings = load(chosen.config, os.environ)
        use_library(settings.chess.library)
        return _run(chosen, settings)
    except (ConfigurationError, Failure) as error:
        print(f"qipai: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(chosen: argparse.Namespace, settings: Settings) -> int:
    match chosen.command:
        case "serve":
            if chosen.workers is None or chosen.workers == 1:
                return app.run(settings, worker=os.environ.get(worker_supervisor.WORKER) == "1")
            return worker_supervisor.run(settings, chosen.workers, _config(chosen))
        case "replay":
            return doctor.replay(settings, chosen.room)
        case "verify":
            return verify.verify(settings, chosen.room)
        case "record":
            return record.record(settings, chosen.room)
        case "backup":
            return doctor.backup(settings, chosen.file)
        case "export":
            return doctor.export(settings, chosen.file)
        case "import":
            return doctor.take_in(settings, chosen.file)
        case "arena":
            bots = tuple(chosen.bots)
            return arena.run(chosen.game, bots, chosen.games, engine(settings), chosen.options)
        case "mahjong":
            return mahjong_score.score(sys.stdin.buffer, sys.stdout.buffer)
        case _:
            return doctor.doctor(settings)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="qipai", description="Live tables of board games and tiles.")
    parser.add_argument("--version", action="version", version=f"qipai {__version__}")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="settings, else qipai.toml if there is one"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="run the server")
    serve.add_argument(
        "--workers", metavar="N", type=_workers, help="as N processes on one port; needs a Redis store"
    )
    replay = commands.add_parser("replay", help="print a recorded table step by step")
    replay.add_argument("room", metavar="ROOM", help="a room's id")
    verify = commands.add_parser("verify", help="recompute all chance of a table from its revealed seeds")
    verify.add_argument("room", metavar="ROOM", help="a room's id")
    record = commands.add_parser("record", help="print every finished game of a table in its notation")
    record.add_argument("room", metavar="ROOM", help="a room's id")
    backup = commands.add_parser("backup", help="copy the journal while the server runs")
    backup.add_argument("file", metavar="FILE", type=Path, help="a file that does not exist yet")
    export = commands.add_parser(
        "export", help="write all tables and finished games of a stopped server to a file"
    )
    export.add_argument("file", metavar="FILE", type=Path, help="a file that does not exist yet")
    take_in = commands.add_parser("import", help="read such a file into an empty store, of any kind")
    take_in.add_argument("file", metavar="FILE", type=Path, help="what `export` wrote")
    commands.add_parser("doctor", help="check the data folder, the port and the versions")
    ring = commands.add_parser("arena", help="let two bots play each other and count")
    ring.add_argument("game", metavar="GAME", help="a game's name, such as gomoku")
    ring.add_argument(
        "bots",
        metavar="BOT",
        nargs=2,
        help="two bots of this game; they change seats every time, each luck is played twice",
    )
    ring.add_argument("--games", metavar="N", type=_count, default=50, help="how many games, else 50")
    ring.add_argument(
        "--options",
        metavar="JSON",
        type=_json,
        help="""of the table: mahjong '{"rounds": 1, "tiles": 16}', else the usual""",
    )
    mahjong = commands.add_parser("mahjong", help="questions about hands of tiles")
    questions = mahjong.add_subparsers(dest="question", required=True, metavar="QUESTION")
    questions.add_parser("score", help="count the tai of wins: a JSON object per line, from stdin to stdout")
    return parser


def _config(chosen: argparse.Namespace) -> list[str]:
    return [] if chosen.config is None else ["--config", str(chosen.config)]


def _workers(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and 0 < int(text) <= MOST_WORKERS):
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {MOST_WORKERS}, got {text!r}")
    return int(text)


def _json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise argparse.ArgumentTypeError(f"expected JSON, got {text!r}: {error}") from None


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < len(text) <= 6 and int(text)):
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 999999, got {text!r}")
    return int(text)
