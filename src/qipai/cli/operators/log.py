"""`qipai log`: prints what operators and moderators did, and undoes an act."""

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from qipai.hall.moderation.operator_log_interface import LogFilter
from qipai.settings import Settings

from .operator_access import CommandActs, command_acts, print_rows

_AT_ONCE = 1_000


def show(settings: Settings, given: Namespace) -> int:
    """Print entries of the log, the latest first."""
    with command_acts(settings) as commands:
        return print_rows(_rows(commands, given.last, as_json=given.json), as_json=given.json)


def undo(settings: Settings, given: Namespace) -> int:
    """Undo an act by another one."""
    with command_acts(settings) as commands:
        return commands.act(commands.acts.undo(commands.actor, given.number, given.reason))


def _rows(commands: CommandActs, most: int | None, *, as_json: bool) -> Iterator[Any]:
    before: int | None = None
    while most is None or most > 0:
        wanted = _AT_ONCE if most is None else min(most, _AT_ONCE)
        page = commands.moderation.log(LogFilter(before=before, limit=wanted))
        yield from (commands.json.entry(each) if as_json else commands.line(each) for each in page)
        if len(page) < wanted:
            return
        before, most = page[-1].number, None if most is None else most - len(page)
