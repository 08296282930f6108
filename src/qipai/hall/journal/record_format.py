"""Journal records as they are stored, one struct per command.

A stored record must stay readable: a change of these structs is a new format (`format_numbers`).
"""

from typing import Any, Final

from msgspec import Struct

from qipai.kernel.chat_lines import Phrase
from qipai.kernel.ids import NO_NONCE, Code, Millis, Nonce, Person, RoomId, Seat
from qipai.kernel.offers import OfferKind

UNLIMITED: Final = (0,)


class StoredClockPlan(Struct, frozen=True, omit_defaults=True):
    """A clock plan."""

    main: tuple[int, ...] = UNLIMITED
    increment: int = 0
    move: int = 0
    first_free: bool = False
    lag_compensation: bool = False


class StoredLegacyTableRules(Struct, frozen=True, omit_defaults=True):
    """Table rules of a room of older clients."""

    host_starts: bool = False
    open_seats: bool = False
    chat_with_spectators: bool = False


class StoredTableRules(Struct, frozen=True, omit_defaults=True):
    """Table rules; `legacy` is set in rooms of older clients only."""

    public: bool = True
    spectators: bool = True
    disconnect_timeout: int = 60
    clock: StoredClockPlan | None = None
    title: str = ""
    empty_timeout: int = 0
    substitute_bot: str = ""
    spectator_delay: int = 0
    undo_allowed: bool = True
    legacy: StoredLegacyTableRules | None = None
    sees_hidden_allowed: bool = False
    rated: bool = False


class JournalRecord(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="do"):
    """What every record has: who did it, its nonce, and the fresh randomness that the step used.

    `format`: number of the journal format. `rules`: rules number of the game when the record was written.
    """

    actor: Seat
    nonce: Nonce = NO_NONCE
    entropy: bytes = b""
    format: int = 1
    rules: int = 1


class OpenRoomRecord(JournalRecord, frozen=True, tag="open"):
    """The room was created; `options` are those of the game."""

    id: RoomId
    code: Code
    game: str
    options: Any
    table: StoredTableRules


class TakeSeatRecord(JournalRecord, frozen=True, tag="take_seat"):
    """A person took a seat, with a `move` in a running game."""

    person: Person
    name: str
    seat: Seat | None = None
    bot: str = ""
    player_entropy: bytes = b""
    sees_hidden: bool = False
    reserved: bool = False
    move: Any = None
    bot_account: bool = False


class LeaveSeatRecord(JournalRecord, frozen=True, tag="leave_seat"):
    """The actor left the seat."""


class StartGameRecord(JournalRecord, frozen=True, tag="start"):
    """The host started a game."""

    options: Any
    clock: StoredClockPlan | None = None
    host_data: bytes = b""


class PlayRecord(Struct, frozen=True, omit_defaults=True, gc=False, tag_field="do", tag="play"):
    """The actor made a move of the game. The common fields are repeated: every move makes such a record.

    A keyword argument, a call and an object that the garbage collector tracks cost more than the encoding.
    """

    actor: Seat
    move: Any
    nonce: Nonce = NO_NONCE
    entropy: bytes = b""
    format: int = 1
    rules: int = 1
    lag: int | None = None


class MakeOfferRecord(JournalRecord, frozen=True, tag="offer"):
    """The actor made an offer."""

    kind: OfferKind


class AnswerOfferRecord(JournalRecord, frozen=True, tag="answer"):
    """The actor answered an offer."""

    offer: int
    yes: bool


class WithdrawOfferRecord(JournalRecord, frozen=True, tag="withdraw"):
    """The actor withdrew an offer."""

    offer: int


class ResignRecord(JournalRecord, frozen=True, tag="resign"):
    """The actor resigned."""


class SayRecord(JournalRecord, frozen=True, tag="say"):
    """The actor wrote a chat line."""

    text: str
    name: str = ""
    phrase: Phrase | None = None


class SetPhrasesOnlyRecord(JournalRecord, frozen=True, tag="phrases_only"):
    """The host restricted the chat to phrases, or lifted that."""

    on: bool


class DisconnectedRecord(JournalRecord, frozen=True, tag="disconnected"):
    """The person of a seat was disconnected."""

    seat: Seat


class ReconnectedRecord(JournalRecord, frozen=True, tag="reconnected"):
    """The person of a seat was connected again."""

    seat: Seat


class TransferSeatRecord(JournalRecord, frozen=True, tag="transfer_seat"):
    """A seat moved to another device."""

    seat: Seat
    old: Person
    person: Person


class TimeUpRecord(JournalRecord, frozen=True, tag="time_up"):
    """A deadline passed."""


class OutageEndedRecord(JournalRecord, frozen=True, tag="outage_ended"):
    """The server ran again after an outage."""

    down: Millis
    head_start: Millis


class CloseRecord(JournalRecord, frozen=True, tag="close"):
    """The room was closed."""


LaterRecord = (
    PlayRecord
    | TakeSeatRecord
    | LeaveSeatRecord
    | StartGameRecord
    | MakeOfferRecord
    | AnswerOfferRecord
    | WithdrawOfferRecord
    | ResignRecord
    | SayRecord
    | SetPhrasesOnlyRecord
    | DisconnectedRecord
    | ReconnectedRecord
    | TransferSeatRecord
    | TimeUpRecord
    | OutageEndedRecord
    | CloseRecord
)
AnyRecord = LaterRecord | OpenRoomRecord
"""The first record of a room is an `OpenRoomRecord`, and no other."""
