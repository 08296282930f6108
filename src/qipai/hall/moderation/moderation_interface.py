"""The ModerationStore interface: roles, sanctions, reports, settings of the server, and the log of acts."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from msgspec import Struct

from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis, Person

from .operator_log_interface import LogEntry, LogFilter
from .report_interface import Report, ReportFilter
from .sanction_interface import Role, Sanction


class ActRefusal(StrEnum):
    """Why an act was refused; nothing has changed, and there is no entry."""

    NOT_ALLOWED = "not_allowed"
    """The role of the actor does not include it."""
    NO_SUCH_PERSON = "no_such_person"
    NO_SUCH_SANCTION = "no_such_sanction"
    NO_SUCH_REPORT = "no_such_report"
    NO_SUCH_INVITATION = "no_such_invitation"
    NO_SUCH_ENTRY = "no_such_entry"
    NO_SUCH_TABLE = "no_such_table"
    NO_REASON = "no_reason"
    BAD_NETWORK = "bad_network"
    BAD_END = "bad_end"
    BAD_NAME = "bad_name"
    NAME_TAKEN = "name_taken"
    OWN_ADDRESS = "own_address"
    """The network contains the address of the actor."""
    YOURSELF = "yourself"
    LAST_OPERATOR = "last_operator"
    NOTHING_TO_CHANGE = "nothing_to_change"
    CANNOT_BE_UNDONE = "cannot_be_undone"
    ALREADY_UNDONE = "already_undone"
    APPEAL_OPEN = "appeal_open"
    RATE_LIMITED = "rate_limited"


class ActRefused(StoreError):
    """An act was refused. `about` says more."""

    def __init__(self, code: ActRefusal, about: str = "") -> None:
        super().__init__(f"{code.value}: {about}" if about else code.value)
        self.code = code
        self.about = about


class Registrations(StrEnum):
    """Who may create an account."""

    OPEN = "open"
    INVITED = "invited"
    """People with an invitation code."""
    CLOSED = "closed"


class Setting(StrEnum):
    """What operators set for the whole server while it runs."""

    REGISTRATIONS = "registrations"
    ANNOUNCEMENT = "announcement"


class Announcement(Struct, frozen=True, omit_defaults=True):
    """A text that all pages show until its end; empty if there is none."""

    text: str = ""
    ends: Millis | None = None


class Invitation(Struct, frozen=True):
    """A code with which people may register; `key` is its hash. `id` is the number of its entry."""

    id: int
    key: bytes
    note: str
    made: Millis
    ends: Millis | None
    uses: int
    used: int = 0
    revoked: Millis | None = None


class ModerationState(NamedTuple):
    """What a worker knows of moderation: all roles, and the sanctions in force after the entry `last`."""

    last: int
    roles: Mapping[Person, Role]
    sanctions: Sequence[Sanction]
    settings: Mapping[Setting, str]
    ever_had_operator: bool


class ModerationChanges(NamedTuple):
    """The entries after a number, and what they concern as it is now; a role is None if there is none."""

    entries: Sequence[LogEntry]
    roles: Mapping[Person, Role | None]
    sanctions: Sequence[Sanction]
    settings: Mapping[Setting, str]


class ModerationStore(Protocol):
    """Stores moderation. Every method may wait for a disk or a network, and may raise `StoreError`.

    Each method is one transaction. Those with an entry carry out an act and append its entry together, or
    raise `ActRefused` and do neither; they check the role of the actor, and return the entry with its number.
    """

    def state(self, now: Millis) -> ModerationState:
        """Return everything that a worker keeps in memory."""

    def changes(self, after: int) -> ModerationChanges:
        """Return the entries after a number."""

    # Acts

    def set_role(self, entry: LogEntry, role: Role | None) -> LogEntry:
        """Give the person of the entry a role, or take it away; at least one operator must be left."""

    def claim_first_role(self, entry: LogEntry) -> LogEntry | None:
        """Make the person of the entry an operator if nobody has ever had a role; else return None."""

    def allow_token(self, entry: LogEntry, key: bytes) -> LogEntry:
        """Let the API token with this key use the role of its person, which has one."""

    def is_allowed(self, key: bytes) -> bool:
        """Tell whether the API token with this key may use the role of its person."""

    def impose(self, entry: LogEntry, sanction: Sanction) -> LogEntry:
        """Store a sanction, whose id becomes the number of the entry."""

    def lift(self, entry: LogEntry) -> LogEntry:
        """End the sanction of the entry."""

    def restore(self, entry: LogEntry) -> LogEntry:
        """Put the sanction of the entry in force again."""

    def rename(self, entry: LogEntry, skeleton: str, free_after: Millis) -> LogEntry:
        """Give the account of the entry the name `after`; the former one is reserved until then.

        An entry that undoes another may give a reserved name back.
        """

    def note(self, entry: LogEntry) -> LogEntry:
        """Append the entry of an act that workers carry out when they read it."""

    def set_value(self, entry: LogEntry, setting: Setting) -> LogEntry:
        """Store the value `after` of the entry; `before` becomes the value that it replaces."""

    def invite(self, entry: LogEntry, invitation: Invitation) -> LogEntry:
        """Store an invitation."""

    def revoke(self, entry: LogEntry) -> LogEntry:
        """End the invitation of the entry."""

    def change_report(self, entry: LogEntry) -> LogEntry:
        """Assign, annotate, close or reopen the report of the entry; `after` is the new value."""

    # Reading

    def role(self, person: Person) -> Role | None:
        """Return the role of a person."""

    def sanction(self, number: int) -> Sanction | None:
        """Return a sanction."""

    def sanctions_of(self, person: Person) -> Sequence[Sanction]:
        """Return all sanctions of a person, the latest first."""

    def sanctions(self, before: int | None, limit: int, *, in_force_at: Millis | None) -> Sequence[Sanction]:
        """Return sanctions, the latest first; with a time only those in force then."""

    def invitations(self) -> Sequence[Invitation]:
        """Return all invitations, the latest first."""

    def entry(self, number: int) -> LogEntry | None:
        """Return an entry."""

    def log(self, wanted: LogFilter) -> Sequence[LogEntry]:
        """Return entries, the latest first."""

    # Reports

    def file_report(self, report: Report, most_open: int) -> int:
        """Store a report or an appeal, and return its number.

        Return 0 if so many are open already. Raise `ActRefused` for a second open appeal of a sanction. The
        same report, sent again, has the number that it had.
        """

    def report(self, number: int) -> Report | None:
        """Return a report."""

    def reports(self, wanted: ReportFilter) -> Sequence[Report]:
        """Return reports, the latest first."""

    def open_reports(self) -> int:
        """Return how many reports are open."""

    def persons_named(self, name: str, limit: int) -> Sequence[tuple[Person, str]]:
        """Return persons who had a name like this in a report or a sanction."""

    def forget(self, closed_before: Millis, networks_before: Millis) -> None:
        """Delete reports that were closed before a time, and networks of sanctions that ended before one."""
