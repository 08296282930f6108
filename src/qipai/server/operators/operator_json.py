"""What operators are sent of persons, sanctions, reports and entries of the log."""

from typing import Any, Protocol

from qipai.hall.accounts.account_directory import AccountDirectory
from qipai.hall.moderation.operator_directory import OperatorDirectory
from qipai.hall.moderation.operator_log_interface import LogEntry
from qipai.hall.moderation.report_interface import Report
from qipai.hall.moderation.sanction_interface import Sanction
from qipai.kernel.ids import Millis, Person, Seat
from qipai.kernel.packing.person_names import DELETED_PLAYER

Json = dict[str, Any]


class AnyLine(Protocol):
    """A chat line, of a report or of an open table."""

    @property
    def at(self) -> Millis:
        """Return when it was written."""

    @property
    def name(self) -> str:
        """Return the name of its author."""

    @property
    def text(self) -> str:
        """Return what was written."""

    @property
    def seat(self) -> Seat | None:
        """Return the seat of its author."""

    @property
    def spectators_only(self) -> bool:
        """Tell whether only spectators read it."""


def line_json(line: AnyLine) -> Json:
    """Return a chat line."""
    return {
        "at": line.at,
        "name": line.name,
        "text": line.text,
        "seat": line.seat,
        "spectators_only": line.spectators_only,
    }


class OperatorJson:
    """Writes values with the present names of persons."""

    def __init__(self, accounts: AccountDirectory, directory: OperatorDirectory) -> None:
        self._accounts = accounts
        self._directory = directory

    def person(self, person: Person, name: str = "") -> Json | None:
        """Return a person; `name` is that of a guest. None for no person."""
        if not person:
            return None
        account = self._accounts.account(person)
        deleted = account is None and not self._accounts.accepts_guest(person)
        return {
            "person": person,
            "name": DELETED_PLAYER if deleted else name if account is None else account.name,
            "account": account is not None,
            "role": self._directory.role(person) or "",
        }

    def sanction(self, sanction: Sanction, now: Millis) -> Json:
        """Return a sanction."""
        return {
            "id": sanction.id,
            "kind": sanction.kind.value,
            "person": self.person(sanction.person, sanction.name),
            "network": sanction.network,
            "reason": sanction.reason,
            "made": sanction.made,
            "ends": sanction.ends,
            "lifted": sanction.lifted,
            "in_force": sanction.in_force(now),
            "with_addresses": sanction.with_addresses,
        }

    def report(self, report: Report) -> Json:
        """Return a report without the chat of its table."""
        return {
            "id": report.id,
            "kind": report.kind.value,
            "state": report.state.value,
            "at": report.at,
            "by": self.person(report.by, report.by_name),
            "about": self.person(report.about, report.about_name),
            "text": report.text,
            "room": report.room,
            "game": report.game,
            "version": report.version,
            "match": report.match,
            "seat": report.seat,
            "line": None if report.line is None else line_json(report.line),
            "sanction": report.sanction or None,
            "assigned": self.person(report.assigned),
            "note": report.note,
            "closed": report.closed,
        }

    def entry(self, entry: LogEntry) -> Json:
        """Return an entry of the log."""
        return {
            "number": entry.number,
            "at": entry.at,
            "by": self.person(entry.by),
            "user": entry.user,
            "via": entry.via.value,
            "act": entry.act.value,
            "reason": entry.reason,
            "person": self.person(entry.person, entry.name),
            "network": entry.network,
            "room": entry.room,
            "report": entry.report or None,
            "sanction": entry.sanction or None,
            "invitation": entry.invitation or None,
            "before": entry.before,
            "after": entry.after,
            "undoes": entry.undoes or None,
            "undone_by": entry.undone_by or None,
        }
