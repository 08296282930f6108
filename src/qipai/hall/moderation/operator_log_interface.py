"""The log of acts: who did what, when and why. Workers learn of acts from it."""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from qipai.kernel.ids import Millis, Person, RoomId

from .sanction_interface import Role, is_single_address


class Act(StrEnum):
    """What was done. A list that only grows: entries are kept for good."""

    GRANT_ROLE = "grant_role"
    REMOVE_ROLE = "remove_role"
    ALLOW_TOKEN = "allow_token"  # noqa: S105 - an act, no secret
    """An API token of somebody with a role may use it."""
    IMPOSE = "impose"
    LIFT = "lift"
    RESTORE = "restore"
    """A sanction that was lifted is in force again."""
    RENAME = "rename"
    CLOSE_TABLE = "close_table"
    ANNOUNCE = "announce"
    SET_REGISTRATIONS = "set_registrations"
    INVITE = "invite"
    REVOKE_INVITATION = "revoke_invitation"
    ASSIGN_REPORT = "assign_report"
    NOTE_REPORT = "note_report"
    CLOSE_REPORT = "close_report"
    REOPEN_REPORT = "reopen_report"


class Via(StrEnum):
    """How an act was done: on the page, with an API token, or by a command at the machine of the server."""

    PAGE = "page"
    TOKEN = "token"  # noqa: S105 - a way, no secret
    COMMAND = "command"


_OF_OPERATORS: Final = frozenset(
    {
        Act.GRANT_ROLE,
        Act.REMOVE_ROLE,
        Act.ALLOW_TOKEN,
        Act.RENAME,
        Act.ANNOUNCE,
        Act.SET_REGISTRATIONS,
        Act.INVITE,
        Act.REVOKE_INVITATION,
    }
)
"""Acts of operators only; moderators may do all others."""


class Actor(Struct, frozen=True):
    """Who acts. A command has no person, but the user of the operating system who typed it."""

    person: Person
    via: Via
    user: str = ""


class LogEntry(Struct, frozen=True, omit_defaults=True):
    """An act. Fields that do not concern it are empty.

    `by` is empty for a command; `user` is who typed it. `name` is that of a guest; accounts are known by
    their person. `before` and `after`: the value that was replaced, and the new one. `undoes` is the entry
    that this one undoes, `undone_by` the entry that undid this one.
    """

    number: int
    at: Millis
    by: Person
    via: Via
    act: Act
    reason: str = ""
    user: str = ""
    person: Person = Person("")
    name: str = ""
    network: str = ""
    room: RoomId = RoomId("")
    report: int = 0
    sanction: int = 0
    invitation: int = 0
    before: str = ""
    after: str = ""
    undoes: int = 0
    undone_by: int = 0


class LogFilter(Struct, frozen=True):
    """Which entries are wanted, the latest first: those before a number, of one act, by or about somebody."""

    before: int | None = None
    limit: int = 50
    act: Act | None = None
    by: Person | None = None
    person: Person | None = None
    network: str = ""
    report: int = 0


def needed_role(entry: LogEntry) -> Role:
    """Return the role that an act needs; against somebody with a role, that of an operator."""
    if entry.act in _OF_OPERATORS or (entry.network and not is_single_address(entry.network)):
        return Role.OPERATOR
    return Role.MODERATOR
