"""Reports of players and appeals against sanctions, as operators read them."""

from enum import StrEnum

from msgspec import Struct

from qipai.kernel.ids import Millis, Nonce, Person, RoomId, Seat


class ReportKind(StrEnum):
    """What somebody wrote to the operators."""

    REPORT = "report"
    APPEAL = "appeal"


class ReportState(StrEnum):
    """Whether somebody must still look at it."""

    OPEN = "open"
    DONE = "done"


class ReportedLine(Struct, frozen=True, omit_defaults=True):
    """A chat line, as the table had it; `seat` is None for a line of a spectator."""

    at: Millis
    name: str
    text: str
    seat: Seat | None = None
    spectators_only: bool = False


class ReportedSeat(Struct, frozen=True, omit_defaults=True):
    """Who sat at the table when it was reported; `bot` is empty for a person."""

    seat: Seat
    person: Person
    name: str
    bot: str = ""


class Report(Struct, frozen=True, omit_defaults=True):
    """A report of a table or a chat line, or an appeal against a sanction.

    `by` wrote it, from a seat or as a spectator. `about` is the author of the `line`, if the server knows.
    `chat` and `seats` are those of the table at that time. `assigned` is the person who looks after it.
    """

    id: int
    kind: ReportKind
    at: Millis
    by: Person
    by_name: str
    text: str
    room: RoomId = RoomId("")
    game: str = ""
    version: int = 0
    match: int = 0
    seat: Seat | None = None
    line: ReportedLine | None = None
    about: Person = Person("")
    about_name: str = ""
    seats: tuple[ReportedSeat, ...] = ()
    chat: tuple[ReportedLine, ...] = ()
    sanction: int = 0
    nonce: Nonce = Nonce("")
    state: ReportState = ReportState.OPEN
    assigned: Person = Person("")
    note: str = ""
    closed: Millis | None = None


class ReportFilter(Struct, frozen=True):
    """Which reports are wanted, the latest first: those before a number."""

    before: int | None = None
    limit: int = 50
    state: ReportState | None = None
    kind: ReportKind | None = None
    assigned: Person | None = None
    about: Person | None = None
    by: Person | None = None
    room: str = ""
