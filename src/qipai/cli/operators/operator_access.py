"""What the commands of operators share: the acts, who acts, and how persons and times are printed."""

import asyncio
import getpass
import os
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import datetime
from secrets import token_bytes
from typing import Any, Final, TypeVar

import msgspec

from qipai.cli.accounts.account_access import accounts_of
from qipai.cli.journal_reader import CommandError
from qipai.games.game_registry import GAMES
from qipai.hall.accounts.account_directory import AccountDirectory
from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.moderation.moderation_interface import ActRefusal, ActRefused
from qipai.hall.moderation.operator_acts import OperatorActs
from qipai.hall.moderation.operator_directory import OperatorDirectory
from qipai.hall.moderation.operator_log_interface import Actor, LogEntry, Via
from qipai.hall.moderation.sanction_interface import Sanction
from qipai.hall.people.identity import wall_clock
from qipai.hall.people.names import Names
from qipai.kernel.ids import Millis, Person
from qipai.kernel.packing.person_names import DELETED_PLAYER
from qipai.server.operators.operator_json import OperatorJson
from qipai.settings import Settings

T = TypeVar("T")
_TEXTS: Final = {
    ActRefusal.NO_SUCH_PERSON: "there is no such account or person",
    ActRefusal.NO_SUCH_SANCTION: "there is no such sanction",
    ActRefusal.NO_SUCH_REPORT: "there is no such report",
    ActRefusal.NO_SUCH_INVITATION: "there is no such invitation",
    ActRefusal.NO_SUCH_ENTRY: "there is no such entry in the log",
    ActRefusal.NO_REASON: "give a reason: --reason TEXT",
    ActRefusal.BAD_END: "the end is not in the future, or after the year 9998",
    ActRefusal.BAD_NAME: "this name is too short or reserved",
    ActRefusal.NAME_TAKEN: "another account has this name, or had it not long ago",
    ActRefusal.LAST_OPERATOR: "this is the last operator: add another one first",
    ActRefusal.NOTHING_TO_CHANGE: "nothing was changed: it is so already",
    ActRefusal.CANNOT_BE_UNDONE: "this act cannot be undone",
    ActRefusal.ALREADY_UNDONE: "this act was undone before",
}


class CommandActs:
    """The acts of a command, and what is known of persons."""

    def __init__(self, store: AccountStore) -> None:
        self.store = store
        self.moderation = store.moderation
        self.accounts = AccountDirectory()
        self.accounts.load(store.accounts()[1], store.deleted_persons())
        self.names = Names(GAMES, self.accounts.owner)
        self.actor = Actor(Person(""), Via.COMMAND, _user())
        self.acts = OperatorActs(
            self._ask, self.names, self.accounts, wall_clock, token_bytes, self.guest_name
        )
        self.roles = OperatorDirectory()
        self.roles.load(self.moderation.state(wall_clock()))
        self.json = OperatorJson(self.accounts, self.roles)

    async def _ask(self, work: Callable[[AccountStore], T]) -> T:
        return work(self.store)

    def guest_name(self, person: Person) -> str:
        """Return the name of a guest in an earlier sanction or report."""
        return next((each.name for each in self.moderation.sanctions_of(person) if each.name), "")

    def act(self, work: Coroutine[Any, Any, LogEntry]) -> int:
        """Do something, and print its entry."""
        print(self.line(asyncio.run(work)))
        return 0

    def name(self, person: Person, name: str = "") -> str:
        """Return how a person is printed."""
        account = self.accounts.account(person)
        if account is not None:
            return account.name
        shown = name if self.accounts.accepts_guest(person) else DELETED_PLAYER
        return f"{shown or 'guest'} ({person})"

    def line(self, entry: LogEntry) -> str:
        """Return an entry of the log as a line."""
        by = self.name(entry.by) if entry.by else f"{entry.user} at the machine"
        about = [
            self.name(entry.person, entry.name) if entry.person else "",
            entry.network,
            entry.room and f"table {entry.room}",
            f"report {entry.report}" if entry.report else "",
            f"invitation {entry.invitation}" if entry.invitation else "",
            f"{entry.before!r} → {entry.after!r}" if entry.before or entry.after else "",
            entry.reason and f"because: {entry.reason}",
            f"undoes {entry.undoes}" if entry.undoes else "",
            f"undone by {entry.undone_by}" if entry.undone_by else "",
        ]
        parts = [f"{entry.number}", local_time(entry.at), by, entry.act.value, *filter(None, about)]
        return "  ".join(parts)

    def sanction_line(self, sanction: Sanction) -> str:
        """Return a sanction as a line."""
        whom = self.name(sanction.person, sanction.name) if sanction.person else sanction.network
        end = "for good" if sanction.ends is None else f"until {local_time(sanction.ends)}"
        state = "" if sanction.in_force(wall_clock()) else "  (over)"
        return f"{sanction.id}  {sanction.kind.value}  {whom}  {end}  because: {sanction.reason}{state}"


@contextmanager
def command_acts(settings: Settings) -> Iterator[CommandActs]:
    """Yield the acts of a command, or raise `CommandError`."""
    with accounts_of(settings) as store:
        try:
            yield CommandActs(store)
        except ActRefused as refused:
            text = _TEXTS.get(refused.code, refused.code.value)
            raise CommandError(f"{text}: {refused.about}" if refused.about else text) from refused


def print_rows(rows: Any, *, as_json: bool) -> int:
    """Print rows: as lines, or as JSON lines for a script."""
    for row in rows:
        print(msgspec.json.encode(row).decode() if as_json else row)
    return 0


def local_time(at: Millis) -> str:
    """Return a time as it is printed."""
    return f"{datetime.fromtimestamp(at / 1000).astimezone():%Y-%m-%d %H:%M}"


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        # A container may have a user without a name.
        return f"user {os.getuid()}"
