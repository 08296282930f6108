"""Entries and sanctions for the tests of stores."""

from typing import Any

from msgspec.structs import replace

from qipai.hall.accounts.account_interface import Account
from qipai.hall.moderation.operator_log_interface import Act, LogEntry, Via
from qipai.hall.moderation.sanction_interface import Sanction, SanctionKind
from qipai.kernel.ids import Millis, Person
from tests.stores.accounts.account_rows import ADA

OPERATOR = Account(Person("p8"), "Olga", "olga", Millis(1_000))
GUEST = Person("aaaaaaaaaaaaaaaaaaaa")
NOW = Millis(5_000)
BAN = Sanction(0, SanctionKind.BAN, ADA.person, "", "", "insults", NOW, Millis(9_000))


def entry(act: Act = Act.IMPOSE, by: Person = OPERATOR.person, **fields: Any) -> LogEntry:
    """Return an entry that a store has not numbered yet."""
    return LogEntry(0, NOW, by, Via.PAGE, act, "insults", **fields)


def entry_of_command(person: Person, act: Act = Act.GRANT_ROLE, **fields: Any) -> LogEntry:
    return LogEntry(0, NOW, Person(""), Via.COMMAND, act, "", "root", person, **fields)


def ban(**fields: Any) -> tuple[LogEntry, Sanction]:
    """Return the entry and the sanction of a ban."""
    sanction = replace(BAN, **fields)
    return entry(person=sanction.person, network=sanction.network, name=sanction.name), sanction
