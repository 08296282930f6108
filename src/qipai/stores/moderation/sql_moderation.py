"""Moderation in a SQL database."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from qipai.hall.accounts.account_interface import NameTaken
from qipai.hall.history.archive_interface import search_name
from qipai.hall.moderation.moderation_interface import (
    ActRefusal,
    ActRefused,
    Invitation,
    ModerationChanges,
    ModerationState,
    Setting,
)
from qipai.hall.moderation.operator_log_interface import Act, LogEntry, LogFilter
from qipai.hall.moderation.report_interface import Report, ReportFilter
from qipai.hall.moderation.sanction_interface import Role, Sanction
from qipai.kernel.ids import Millis, Person
from qipai.stores.accounts import name_rows
from qipai.stores.sql.sql_database import NotUnique, Query, SqlDatabase

from . import log_rows, report_rows, sanction_rows, server_rows
from .moderation_tables import LOG, last_number, next_number

T = TypeVar("T")


class SqlModeration:
    """Implements `ModerationStore` in the database of accounts."""

    def __init__(self, database: SqlDatabase) -> None:
        self._database = database

    def state(self, now: Millis) -> ModerationState:
        """Return everything that a worker keeps in memory."""

        def work(query: Query) -> ModerationState:
            # The number is read first: what is changed in between is read again later.
            last = last_number(query, LOG)
            roles = query("select person, role from operator_roles", ())
            return ModerationState(
                last,
                {Person(person): Role(role) for person, role in roles},
                sanction_rows.in_force(query, now),
                server_rows.settings(query),
                server_rows.ever_had_operator(query),
            )

        return self._database.transaction(work)

    def changes(self, after: int) -> ModerationChanges:
        """Return the entries after a number."""

        def work(query: Query) -> ModerationChanges:
            entries = log_rows.after(query, after)
            persons = {each.person for each in entries if each.act in (Act.GRANT_ROLE, Act.REMOVE_ROLE)}
            return ModerationChanges(
                entries,
                {person: log_rows.role_of(query, person) for person in persons},
                sanction_rows.those(query, (each.sanction for each in entries if each.sanction)),
                server_rows.settings(query) if entries else {},
            )

        return self._database.transaction(work)

    # Acts

    def set_role(self, entry: LogEntry, role: Role | None) -> LogEntry:
        """Give the person of the entry a role, or take it away."""

        def work(query: Query, entry: LogEntry) -> LogEntry:
            before = log_rows.role_of(query, entry.person)
            if before is role:
                raise ActRefused(ActRefusal.NOTHING_TO_CHANGE)
            if not query("select 1 from accounts where person = ?", (entry.person,)):
                raise ActRefused(ActRefusal.NO_SUCH_PERSON)
            server_rows.set_role(query, entry.person, role)
            # Tokens were allowed for the role before.
            query("delete from operator_tokens where person = ?", (entry.person,))
            if before is Role.OPERATOR and not server_rows.has_operator(query):
                raise ActRefused(ActRefusal.LAST_OPERATOR)
            return replace(entry, before=before.value if before else "", after=role.value if role else "")

        return self._act(entry, work)

    def claim_first_role(self, entry: LogEntry) -> LogEntry | None:
        """Make the person of the entry an operator if nobody has ever had a role."""

        def work(query: Query) -> LogEntry | None:
            numbered = replace(entry, number=next_number(query, LOG))
            if server_rows.ever_had_operator(query):
                # The number is used up: entries may have gaps.
                return None
            server_rows.set_role(query, entry.person, Role.OPERATOR)
            return log_rows.append(query, replace(numbered, after=Role.OPERATOR.value))

        return self._database.transaction(work)

    def allow_token(self, entry: LogEntry, key: bytes) -> LogEntry:
        """Let the API token with this key use the role of its person, which has one."""

        def work(query: Query, entry: LogEntry) -> LogEntry:
            if log_rows.role_of(query, entry.person) is None:
                raise ActRefused(ActRefusal.NO_SUCH_PERSON)
            query("insert into operator_tokens values (?, ?)", (key, entry.person))
            return entry

        return self._act(entry, work)

    def is_allowed(self, key: bytes) -> bool:
        """Tell whether the API token with this key may use the role of its person."""
        return bool(self._read(lambda query: query("select 1 from operator_tokens where key = ?", (key,))))

    def impose(self, entry: LogEntry, sanction: Sanction) -> LogEntry:
        """Store a sanction, whose id becomes the number of the entry."""

        def work(query: Query, entry: LogEntry) -> LogEntry:
            sanction_rows.add(query, replace(sanction, id=entry.number))
            return replace(entry, sanction=entry.number)

        return self._act(entry, work)

    def lift(self, entry: LogEntry) -> LogEntry:
        """End the sanction of the entry."""
        return self._act(entry, partial(self._set_lifted, lifted=entry.at))

    def restore(self, entry: LogEntry) -> LogEntry:
        """Put the sanction of the entry in force again."""
        return self._act(entry, partial(self._set_lifted, lifted=None))

    def _set_lifted(self, query: Query, entry: LogEntry, lifted: Millis | None) -> LogEntry:
        sanction = sanction_rows.existing(query, entry.sanction)
        if (sanction.lifted is None) == (lifted is None):
            raise ActRefused(ActRefusal.NOTHING_TO_CHANGE)
        query("update sanctions set lifted = ? where id = ?", (lifted, sanction.id))
        return entry

    def rename(self, entry: LogEntry, skeleton: str, free_after: Millis) -> LogEntry:
        """Give the account of the entry the name `after`."""

        def work(query: Query, entry: LogEntry) -> LogEntry:
            before = name_rows.rename(
                query,
                entry.person,
                entry.after,
                skeleton,
                free_after,
                entry.at,
                may_be_reserved=bool(entry.undoes),
            )
            if before is None:
                raise ActRefused(ActRefusal.NO_SUCH_PERSON)
            return replace(entry, before=before)

        try:
            return self._act(entry, work)
        except (NameTaken, NotUnique) as error:
            raise ActRefused(ActRefusal.NAME_TAKEN) from error

    def note(self, entry: LogEntry) -> LogEntry:
        """Append the entry of an act that workers carry out when they read it."""
        return self._act(entry, lambda _query, entry: entry)

    def set_value(self, entry: LogEntry, setting: Setting) -> LogEntry:
        """Store the value `after` of the entry."""

        def work(query: Query, entry: LogEntry) -> LogEntry:
            before = server_rows.set_value(query, setting, entry.after)
            if before == entry.after:
                raise ActRefused(ActRefusal.NOTHING_TO_CHANGE)
            return replace(entry, before=before)

        return self._act(entry, work)

    def invite(self, entry: LogEntry, invitation: Invitation) -> LogEntry:
        """Store an invitation."""

        def work(query: Query, entry: LogEntry) -> LogEntry:
            server_rows.add_invitation(query, invitation, entry.number)
            return replace(entry, invitation=entry.number)

        return self._act(entry, work)

    def revoke(self, entry: LogEntry) -> LogEntry:
        """End the invitation of the entry."""

        def work(query: Query, entry: LogEntry) -> LogEntry:
            server_rows.revoke(query, entry.invitation, entry.at)
            return entry

        return self._act(entry, work)

    def change_report(self, entry: LogEntry) -> LogEntry:
        """Assign, annotate, close or reopen the report of the entry."""
        return self._act(entry, report_rows.change)

    # Reading

    def role(self, person: Person) -> Role | None:
        """Return the role of a person."""
        return self._read(lambda query: log_rows.role_of(query, person))

    def sanction(self, number: int) -> Sanction | None:
        """Return a sanction."""
        return self._read(lambda query: sanction_rows.one(query, number))

    def sanctions_of(self, person: Person) -> Sequence[Sanction]:
        """Return all sanctions of a person, the latest first."""
        return self._read(lambda query: sanction_rows.of_person(query, person))

    def sanctions(self, before: int | None, limit: int, *, in_force_at: Millis | None) -> Sequence[Sanction]:
        """Return sanctions, the latest first."""
        return self._read(lambda query: sanction_rows.page(query, before, limit, in_force_at))

    def invitations(self) -> Sequence[Invitation]:
        """Return all invitations, the latest first."""
        return self._read(server_rows.invitations)

    def entry(self, number: int) -> LogEntry | None:
        """Return an entry."""
        return self._read(lambda query: log_rows.entry_of(query, number))

    def log(self, wanted: LogFilter) -> Sequence[LogEntry]:
        """Return entries, the latest first."""
        return self._read(lambda query: log_rows.found(query, wanted))

    # Reports

    def file_report(self, report: Report, most_open: int) -> int:
        """Store a report or an appeal, and return its number."""
        return self._read(lambda query: report_rows.file(query, report, most_open))

    def report(self, number: int) -> Report | None:
        """Return a report."""
        return self._read(lambda query: report_rows.one(query, number))

    def reports(self, wanted: ReportFilter) -> Sequence[Report]:
        """Return reports, the latest first."""
        return self._read(lambda query: report_rows.page(query, wanted))

    def open_reports(self) -> int:
        """Return how many reports are open."""
        return self._read(report_rows.count_open)

    def persons_named(self, name: str, limit: int) -> Sequence[tuple[Person, str]]:
        """Return persons who had a name like this in a report or a sanction."""
        return self._read(lambda query: report_rows.named(query, search_name(name), limit))

    def forget(self, closed_before: Millis, networks_before: Millis) -> None:
        """Delete reports that were closed before a time, and networks of sanctions that ended before one."""

        def work(query: Query) -> None:
            report_rows.forget_closed(query, closed_before)
            sanction_rows.forget_networks(query, networks_before)

        self._database.transaction(work)

    def _read(self, work: Callable[[Query], T]) -> T:
        return self._database.transaction(work)

    def _act(self, entry: LogEntry, work: Callable[[Query, LogEntry], LogEntry]) -> LogEntry:
        """Carry out an act and append its entry, in one transaction."""

        def act(query: Query) -> LogEntry:
            return log_rows.append(query, work(query, log_rows.begin(query, entry)))

        return self._database.transaction(act)
