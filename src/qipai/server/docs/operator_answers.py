"""What operators are answered, as types. A test compares them with what a server answers."""

from msgspec import Struct

from qipai.hall.moderation.moderation_interface import Registrations
from qipai.hall.moderation.operator_log_interface import Act, Via
from qipai.hall.moderation.report_interface import ReportKind, ReportState
from qipai.hall.moderation.sanction_interface import SanctionKind
from qipai.kernel.ids import Millis, RoomId, Seat


class OperatorPerson(Struct, frozen=True):
    """A person. `account`: whether it has one; `role`: `operator`, `moderator` or empty."""

    person: str
    name: str
    account: bool
    role: str


class SanctionRow(Struct, frozen=True):
    """A sanction of a person or of a `network`; `ends` is null for good, `lifted` null if it was not lifted.

    `with_addresses`: a ban includes the addresses from which the person is connected.
    """

    id: int
    kind: SanctionKind
    person: OperatorPerson | None
    network: str
    reason: str
    made: Millis
    ends: Millis | None
    lifted: Millis | None
    in_force: bool
    with_addresses: bool


class EntryRow(Struct, frozen=True):
    """An act in the log. `by` is null for a command, which `user` typed.

    `before` and `after`: what was replaced and by what: a name, a role, a kind of sanction, a setting.
    `undoes` and `undone_by` are numbers of entries.
    """

    number: int
    at: Millis
    by: OperatorPerson | None
    user: str
    via: Via
    act: Act
    reason: str
    person: OperatorPerson | None
    network: str
    room: str
    report: int | None
    sanction: int | None
    invitation: int | None
    before: str
    after: str
    undoes: int | None
    undone_by: int | None


class ToldSanction(Struct, frozen=True):
    """A sanction as the person is told of it; `ends` is null for good."""

    id: int
    kind: SanctionKind
    reason: str
    made: Millis
    ends: Millis | None
    may_appeal: bool


class ToldSanctions(Struct, frozen=True):
    """The sanctions in force for you and your address."""

    sanctions: tuple[ToldSanction, ...]


class ReportedLineRow(Struct, frozen=True):
    """A chat line; `seat` is null for a line of a spectator."""

    at: Millis
    name: str
    text: str
    seat: Seat | None
    spectators_only: bool


class ReportRow(Struct, frozen=True):
    """A report, or an appeal against a `sanction`. `about`: who wrote the `line`, if the server knows."""

    id: int
    kind: ReportKind
    state: ReportState
    at: Millis
    by: OperatorPerson | None
    about: OperatorPerson | None
    text: str
    room: str
    game: str
    version: int
    match: int
    seat: Seat | None
    line: ReportedLineRow | None
    sanction: int | None
    assigned: OperatorPerson | None
    note: str
    closed: Millis | None


class ReportedSeatRow(OperatorPerson, frozen=True):
    """Who sat at a table when it was reported; `bot` is empty for a person."""

    seat: Seat
    bot: str


class TableSeatRow(Struct, frozen=True):
    """Who sits at a table."""

    seat: Seat
    person: str
    name: str
    bot: str
    connected: bool


class SpectatorRow(Struct, frozen=True):
    """Who watches a table on the worker that answers."""

    person: str | None
    name: str


class OperatorTable(Struct, frozen=True):
    """An open table with everybody there, and all its chat."""

    room: RoomId
    code: str
    game: str
    phase: str
    title: str
    public: bool
    rated: bool
    opened: Millis
    version: int
    seats: tuple[TableSeatRow, ...]
    spectators: tuple[SpectatorRow, ...]
    spectator_count: int
    chat: tuple[ReportedLineRow, ...]


class ReportedTable(Struct, frozen=True):
    """Where to find a reported table: the paths of its page and of its replay, null if there is none yet."""

    link: str
    replay: str | None
    open: OperatorTable | None


class ReportShown(ReportRow, frozen=True):
    """A report with `seats` and `chat` as they were, the table as it is, and what was done about it."""

    seats: tuple[ReportedSeatRow, ...]
    chat: tuple[ReportedLineRow, ...]
    table: ReportedTable | None
    appealed: SanctionRow | None
    log: tuple[EntryRow, ...]


class ReportList(Struct, frozen=True):
    """Reports, the latest first. `open` counts all open ones; `next` is the `before` of the next page."""

    reports: tuple[ReportRow, ...]
    open: int
    next: int | None


class SanctionList(Struct, frozen=True):
    """Sanctions, the latest first; `next` is the `before` of the next page."""

    sanctions: tuple[SanctionRow, ...]
    next: int | None


class EntryList(Struct, frozen=True):
    """Entries of the log, the latest first; `next` is the `before` of the next page."""

    entries: tuple[EntryRow, ...]
    next: int | None


class ActDone(Struct, frozen=True):
    """The act was done; this is its entry in the log."""

    entry: EntryRow


class InvitationMade(ActDone, frozen=True):
    """An invitation `code`, which is shown only once."""

    code: str


class InvitationRow(Struct, frozen=True):
    """An invitation: how many accounts it is for, and how many were created with it."""

    id: int
    note: str
    made: Millis
    ends: Millis | None
    uses: int
    used: int
    revoked: Millis | None


class InvitationList(Struct, frozen=True):
    """All invitations, the latest first."""

    invitations: tuple[InvitationRow, ...]


class FoundPerson(OperatorPerson, frozen=True):
    """A person with the `names` under which it was found, and the sanctions in force."""

    names: tuple[str, ...]
    online: bool
    sanctions: tuple[SanctionRow, ...]


class FoundPeople(Struct, frozen=True):
    """The persons that a search found, the closest first."""

    people: tuple[FoundPerson, ...]


class ConnectionRow(Struct, frozen=True):
    """A connection to the worker that answers: address as limits count it, protocol, and rooms."""

    address: str
    client: str
    rooms: tuple[RoomId, ...]


class PersonShown(OperatorPerson, frozen=True):
    """A person with everything that concerns an operator."""

    created: Millis | None
    renamed: Millis | None
    names: tuple[str, ...]
    online: bool
    connections: tuple[ConnectionRow, ...]
    same_address: tuple[OperatorPerson, ...]
    tables: tuple[RoomId, ...]
    sanctions: tuple[SanctionRow, ...]
    reports_about: tuple[ReportRow, ...]
    reports_by: tuple[ReportRow, ...]
    log: tuple[EntryRow, ...]


class RoleList(Struct, frozen=True):
    """Everybody with a role."""

    roles: tuple[OperatorPerson, ...]


class ShownAnnouncement(Struct, frozen=True):
    """What all pages show; `ends` is null if it has no end."""

    text: str
    ends: Millis | None


class OperatorOverview(OperatorPerson, frozen=True):
    """Who you are, and the settings of the server."""

    registrations: Registrations
    announcement: ShownAnnouncement | None
    open_reports: int
    sanctions_in_force: int


class RegistrationsShown(Struct, frozen=True):
    """Who may create an account."""

    registrations: Registrations
