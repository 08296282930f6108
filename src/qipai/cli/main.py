"""Parses the command line and runs one command."""

import argparse
import os
import re
import sys
from pathlib import Path
from typing import Any

import msgspec

from qipai import __version__
from qipai.games.chess.position import use_library
from qipai.hall.accounts.recovery.sign_in_links import LINK_HOURS, MOST_HOURS
from qipai.hall.people.signing_keys import OVERLAP_DAYS
from qipai.settings import ConfigurationError, Settings, find_engine, load

from . import arena, backup, doctor, export_import, mahjong_score, record, repair, replay, verify
from .accounts import link
from .bundle import bundle as problem_bundle
from .comparison import compare
from .journal_reader import CommandError
from .keys.rotate import rotate_key
from .operators.parsers import add_commands
from .ratings import rebuild
from .serve import MOST_WORKERS, serve


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return 0, 1 if it found a fault, or 2 for an error of the operator."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        settings = load(given.config, os.environ)
        use_library(settings.chess.library)
        return _run(given, settings)
    except (ConfigurationError, CommandError) as error:
        print(f"qipai: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output, such as `head`, has closed the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(given: argparse.Namespace, settings: Settings) -> int:
    if "run" in given:
        return int(given.run(settings, given))
    match given.command:
        case "serve":
            config = [] if given.config is None else ["--config", str(given.config)]
            return serve(settings, given.workers, config)
        case "replay":
            return replay.replay(settings, given.room)
        case "verify":
            return verify.verify(settings, given.room)
        case "record":
            return record.record(settings, given.room)
        case "backup":
            return backup.backup(settings, given.file)
        case "restore":
            return backup.restore(settings, given.file)
        case "repair":
            return repair.repair(settings)
        case "account":
            return link.link(settings, given.name, given.hours, given.address or "")
        case "key":
            return rotate_key(settings, given.days)
        case "ratings":
            return rebuild.rebuild_ratings(settings)
        case "export":
            return export_import.export_rooms(settings, given.file)
        case "import":
            return export_import.import_rooms(settings, given.file)
        case "arena":
            bots = tuple(given.bots)
            return arena.run(given.game, bots, given.games, find_engine(settings), given.options)
        case "compare":
            return compare.compare(settings, given.room, given.match, unrated=given.unrated)
        case "bundle":
            return problem_bundle.bundle(settings, given.file, show=given.show, agreed=given.yes)
        case "mahjong":
            return mahjong_score.score(sys.stdin.buffer, sys.stdout.buffer)
        case _:
            return doctor.doctor(settings, deep=given.deep)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="qipai", description="Server for live tables of chess, gomoku, tic-tac-toe and mahjong."
    )
    parser.add_argument("--version", action="version", version=f"qipai {__version__}")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="settings file (default: qipai.toml, if it exists)"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve = _add(commands, "serve", "run the server", "qipai serve --workers 4")
    serve.add_argument(
        "--workers",
        metavar="N",
        type=_worker_count,
        default=1,
        help="number of worker processes on one port (default: 1); more than one needs a Redis store",
    )
    for name, text in (
        ("replay", "print every step of a table: command and events"),
        ("verify", "recompute the randomness of a table from its revealed seeds"),
        ("record", "print every finished game of a table as PGN, SGF or JSON"),
    ):
        _add(commands, name, text, f"qipai {name} k7Qm2xVd4TfA").add_argument(
            "room", metavar="ROOM", help="id of the room, the last part of the table's link"
        )
    backup = _add(
        commands,
        "backup",
        "copy the journal and the archive while the server runs, and check the copy",
        "qipai backup monday.db",
    )
    backup.add_argument(
        "file", metavar="FILE", type=Path, help="new file; the copy of the archive is beside it, FILE-archive"
    )
    restore = _add(
        commands, "restore", "check a backup and put it in the data folder", "qipai restore monday.db"
    )
    restore.add_argument("file", metavar="FILE", type=Path, help="file that `qipai backup` has written")
    _add(
        commands,
        "repair",
        "rebuild a damaged journal and archive of a stopped server from what is sound",
        "qipai repair",
    )
    _add_account(commands)
    add_commands(commands, _add)
    _add_key(commands)
    tasks = commands.add_parser("ratings", help="rating tools").add_subparsers(
        dest="task", required=True, metavar="TASK"
    )
    _add(
        tasks,
        "rebuild",
        "compute all ratings again from the archived matches, and print what differed",
        "qipai ratings rebuild",
    )
    export = _add(
        commands,
        "export",
        "write all tables and finished games of a stopped server to a file",
        "qipai export tables.gz",
    )
    export.add_argument("file", metavar="FILE", type=Path, help="new file; keep it secret")
    import_ = _add(
        commands, "import", "read an export into an empty store of any kind", "qipai import tables.gz"
    )
    import_.add_argument("file", metavar="FILE", type=Path, help="file that `qipai export` has written")
    doctor = _add(
        commands, "doctor", "check the data folder, the port, the store and the versions", "qipai doctor"
    )
    doctor.add_argument(
        "--deep",
        action="store_true",
        help="read every table and every finished game, and name the damaged ones",
    )
    _add_compare(commands)
    _add_bundle(commands)
    _add_arena(commands)
    mahjong = commands.add_parser("mahjong", help="mahjong tools")
    tools = mahjong.add_subparsers(dest="tool", required=True, metavar="TOOL")
    _add(
        tools,
        "score",
        "score mahjong wins: one JSON object per line from stdin, one result per line to stdout",
        "qipai mahjong score < hands.jsonl",
    )
    return parser


def _add_compare(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    compare = _add(
        commands,
        "compare",
        "compare a finished rated chess game with an engine, as figures",
        "qipai compare k7Qm2xVd4TfA 1",
    )
    compare.add_argument("room", metavar="ROOM", help="id of the room, the last part of the table's link")
    compare.add_argument(
        "match", metavar="MATCH", type=int, help="number of the match at the table, from 1 on"
    )
    compare.add_argument("--unrated", action="store_true", help="also a game that was not rated")


def _add_bundle(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    bundle = _add(
        commands,
        "bundle",
        "gather versions, settings, findings and incidents for a bug report, without secrets and persons",
        "qipai bundle problem.json",
    )
    bundle.add_argument("file", metavar="FILE", type=Path, nargs="?", help="new file")
    bundle.add_argument("--show", action="store_true", help="print everything that the file has")
    bundle.add_argument("--yes", action="store_true", help="write the file without a question")


def _add_account(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    tasks = commands.add_parser("account", help="account tools").add_subparsers(
        dest="task", required=True, metavar="TASK"
    )
    link = _add(
        tasks,
        "link",
        "print a link with which the owner of an account signs in once and chooses a new password or passkey",
        "qipai account link 'Ada Lovelace' --address https://games.example",
    )
    link.add_argument("name", metavar="NAME", help="name of the account")
    link.add_argument(
        "--hours",
        metavar="N",
        type=_hours,
        default=LINK_HOURS,
        help=f"hours for which the link is valid (default: {LINK_HOURS}, at most {MOST_HOURS})",
    )
    link.add_argument(
        "--address",
        metavar="URL",
        type=_address,
        help="address of the page (default: that of this machine)",
    )


def _add_key(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    tasks = commands.add_parser("key", help="tools for the key that signs tokens").add_subparsers(
        dest="task", required=True, metavar="TASK"
    )
    rotate = _add(
        tasks,
        "rotate",
        "sign tokens with a new key from now on; workers on Redis may run, a single server must be stopped",
        "qipai key rotate --days 30",
    )
    rotate.add_argument(
        "--days",
        metavar="N",
        type=_days,
        default=OVERLAP_DAYS,
        help=f"days for which tokens of earlier keys are still accepted (default: {OVERLAP_DAYS})",
    )


def _add_arena(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    arena = _add(
        commands,
        "arena",
        "let two bots play many games against each other and print the score",
        "qipai arena gomoku hard normal --games 100",
    )
    arena.add_argument("game", metavar="GAME", help="name of the game, such as gomoku")
    arena.add_argument(
        "bots",
        metavar="BOT",
        nargs=2,
        help="two bots of the game; they exchange seats after every game, and each seed is used twice",
    )
    arena.add_argument(
        "--games", metavar="N", type=_game_count, default=50, help="number of games (default: 50)"
    )
    arena.add_argument(
        "--options",
        metavar="JSON",
        type=_json,
        help="""options of the game, such as '{"rounds": 1, "tiles": 16}' for mahjong""",
    )


def _add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, text: str, example: str
) -> argparse.ArgumentParser:
    description = text[0].upper() + text[1:] + "."
    return commands.add_parser(name, help=text, description=description, epilog=f"Example: {example}")


def _worker_count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and 0 < int(text) <= MOST_WORKERS):
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {MOST_WORKERS}, got {text!r}")
    return int(text)


def _hours(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and 0 < int(text) <= MOST_HOURS):
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {MOST_HOURS}, got {text!r}")
    return int(text)


def _days(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 9999, got {text!r}")
    return int(text)


def _address(text: str) -> str:
    if not re.fullmatch(r"https?://[^/?#\s]+/?", text):
        raise argparse.ArgumentTypeError(f"expected an address such as https://games.example, got {text!r}")
    return text


def _json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise argparse.ArgumentTypeError(f"expected JSON, got {text!r}: {error}") from None


def _game_count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < len(text) <= 6 and int(text)):
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 999999, got {text!r}")
    return int(text)
