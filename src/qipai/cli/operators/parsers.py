"""The arguments of the commands of operators."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from typing import Any, Final

from qipai.hall.moderation.moderation_interface import Registrations
from qipai.hall.moderation.sanction_interface import SanctionKind

from . import log, operator, people, reports, sanctions, server

Add = Callable[[Any, str, str, str], ArgumentParser]
"""Adds a command with its text and an example."""
_MOST_HOURS: Final = 100 * 366 * 24
_WHO: Final = "name of an account, id of a person, address, or range such as 192.0.2.0/24"


def add_commands(commands: Any, add: Add) -> None:
    """Add all commands of operators."""
    _add_roles(_tasks(commands, "operator", "operators and moderators"), add)
    _add_people(_tasks(commands, "people", "people, for operators"), add)
    for kind, command, text in (
        (SanctionKind.WARNING, "warn", "warnings"),
        (SanctionKind.MUTE, "mute", "mutes: chat is refused"),
        (SanctionKind.UNRATED, "unrated", "exclusions from rated play"),
        (SanctionKind.BAN, "ban", "bans: connections are refused"),
    ):
        _add_sanctions(_tasks(commands, command, text), add, kind, command)
    _add_reports(_tasks(commands, "reports", "reports and appeals"), add)
    _add_log(_tasks(commands, "log", "what operators and moderators did"), add)
    _add_server(commands, add)


def _add_roles(tasks: Any, add: Add) -> None:
    new = add(tasks, "add", "make an account an operator or a moderator", "qipai operator add 'Ada Lovelace'")
    new.add_argument("name", metavar="NAME", help="name of the account")
    new.add_argument("--moderator", action="store_true", help="a moderator instead of an operator")
    old = add(tasks, "remove", "take the role of an account away", "qipai operator remove Bob")
    old.add_argument("name", metavar="NAME", help="name of the account")
    for parser, run in ((new, operator.add), (old, operator.remove)):
        parser.add_argument("--reason", metavar="TEXT", default="", help="why, for the log")
        parser.set_defaults(run=run)
    secret = add(
        tasks,
        "token",
        "print an API token with which a program may do what the account may",
        "qipai operator token 'Ada Lovelace' --label monitoring --days 90",
    )
    secret.add_argument("name", metavar="NAME", help="name of the account")
    secret.add_argument("--label", metavar="TEXT", default="operator", help="what the token is called")
    secret.add_argument("--days", metavar="N", type=_days, help="valid for so many days (default: no end)")
    secret.set_defaults(run=operator.token)
    add(tasks, "list", "print everybody with a role", "qipai operator list").set_defaults(
        run=operator.list_roles
    )


def _add_people(tasks: Any, add: Add) -> None:
    found = add(tasks, "search", "search people by name", "qipai people search bob --json")
    found.add_argument("name", metavar="NAME", help="part of the name of an account, or the name of a guest")
    _add_json(found, people.search)
    shown = add(tasks, "show", "print sanctions, reports and acts of a person", "qipai people show Bob")
    shown.add_argument("name", metavar="PERSON", help="name of an account, or id of a person")
    shown.set_defaults(run=people.show)
    renamed = add(
        tasks, "rename", "give an account another name", "qipai people rename Rude Kind --reason rude"
    )
    renamed.add_argument("name", metavar="PERSON", help="name of an account, or id of a person")
    renamed.add_argument("new", metavar="NAME", help="the new name")
    _add_reason(renamed, people.rename)


def _add_sanctions(tasks: Any, add: Add, kind: SanctionKind, command: str) -> None:
    new = add(
        tasks,
        "add",
        f"impose a {kind.value}",
        f"qipai {command} add 'Bad Bob' --hours 24 --reason insults",
    )
    new.add_argument("who", metavar="WHO", help=_WHO)
    end = new.add_mutually_exclusive_group(required=True)
    end.add_argument("--hours", metavar="N", type=_hours, help="how many hours it lasts")
    end.add_argument("--for-good", action="store_true", help="without an end")
    if kind is SanctionKind.BAN:
        new.add_argument(
            "--addresses",
            action="store_true",
            help="also the addresses from which the person is connected now",
        )
    _add_reason(new, sanctions.impose)
    lifted = add(tasks, "lift", f"end a {kind.value}", f"qipai {command} lift 12 --reason apology")
    lifted.add_argument("number", metavar="NUMBER", type=_number, help="number from the list")
    _add_reason(lifted, sanctions.lift)
    listed = add(tasks, "list", "print those in force", f"qipai {command} list --json")
    listed.add_argument("--all", action="store_true", help="also those that are over")
    _add_json(listed, sanctions.list_sanctions)
    for parser in (new, lifted, listed):
        parser.set_defaults(kind=kind.value)


def _add_reports(tasks: Any, add: Add) -> None:
    listed = add(tasks, "list", "print the open ones", "qipai reports list --json")
    listed.add_argument("--all", action="store_true", help="also those that are done")
    _add_json(listed, reports.list_reports)
    shown = add(tasks, "show", "print a report with the chat of its table", "qipai reports show 7")
    closed = add(tasks, "close", "close a report", "qipai reports close 7 --reason warned")
    closed.add_argument("--reason", metavar="TEXT", default="", help="why, for the log")
    for parser, run in ((shown, reports.show), (closed, reports.close)):
        parser.add_argument("number", metavar="NUMBER", type=_number, help="number of the report")
        parser.set_defaults(run=run)


def _add_log(tasks: Any, add: Add) -> None:
    shown = add(tasks, "show", "print the acts, the latest first", "qipai log show --last 20")
    shown.add_argument("--last", metavar="N", type=_number, help="so many (default: all)")
    _add_json(shown, log.show)
    undone = add(tasks, "undo", "undo an act by another one", "qipai log undo 12 --reason mistake")
    undone.add_argument("number", metavar="NUMBER", type=_number, help="number of the act")
    _add_reason(undone, log.undo)


def _add_server(commands: Any, add: Add) -> None:
    closed = add(
        _tasks(commands, "table", "tables"),
        "close",
        "close a table for all; the running server does it",
        "qipai table close k7Qm2xVd4TfA --reason 'obscene title'",
    )
    closed.add_argument("room", metavar="ROOM", help="id of the room, the last part of the table's link")
    _add_reason(closed, server.close_table)
    shown = add(
        commands,
        "announce",
        "show a text on all pages; an empty text ends it",
        "qipai announce 'The server restarts at noon' --hours 2",
    )
    shown.add_argument("text", metavar="TEXT", help="what all pages show")
    shown.add_argument("--hours", metavar="N", type=_hours, help="for so many hours (default: until ended)")
    shown.set_defaults(run=server.announce)
    mode = add(
        commands,
        "registrations",
        "print who may create an account, or set it",
        "qipai registrations invited",
    )
    mode.add_argument("mode", nargs="?", choices=[each.value for each in Registrations])
    mode.add_argument("--reason", metavar="TEXT", default="", help="why, for the log")
    mode.set_defaults(run=server.registrations)
    code = add(commands, "invite", "print a new invitation code", "qipai invite --uses 30 --note 'the club'")
    code.add_argument("--uses", metavar="N", type=_number, default=1, help="accounts (default: 1)")
    code.add_argument("--hours", metavar="N", type=_hours, help="valid for so many hours (default: no end)")
    code.add_argument("--note", metavar="TEXT", default="", help="for whom, for the log")
    code.set_defaults(run=server.invite)


def _tasks(commands: Any, name: str, text: str) -> Any:
    return commands.add_parser(name, help=text).add_subparsers(dest="task", required=True, metavar="TASK")


def _add_reason(parser: ArgumentParser, run: Any) -> None:
    parser.add_argument("--reason", metavar="TEXT", required=True, help="why: people are told, and the log")
    parser.set_defaults(run=run)


def _add_json(parser: ArgumentParser, run: Any) -> None:
    parser.add_argument("--json", action="store_true", help="JSON lines, for scripts")
    parser.set_defaults(run=run)


def _hours(text: str) -> int:
    return _whole(text, _MOST_HOURS)


def _days(text: str) -> int:
    return _whole(text, _MOST_HOURS // 24)


def _number(text: str) -> int:
    return _whole(text, 10**12)


def _whole(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 13 and 0 < int(text) <= most):
        raise ArgumentTypeError(f"expected a number from 1 to {most}, got {text!r}")
    return int(text)
