"""Snapshots as they are stored: the whole room, in structs of the journal.

A stored snapshot must stay readable: a change of these structs is a new format (`format_numbers`).
"""

from functools import cache
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import Struct

from qipai.games.game import Game
from qipai.kernel.chat_lines import ChatLine, Phrase
from qipai.kernel.clock import Clock
from qipai.kernel.codec import Malformed
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.ids import Code, Millis, Nonce, Person, RoomId, Seat
from qipai.kernel.offers import Declined, Offer, OfferKind
from qipai.kernel.room import AnyRoom, Phase, Room
from qipai.kernel.seats import TakenSeat

from .format_numbers import JOURNAL_FORMAT, migrated_snapshot, read_stored
from .record_conversion import stored_table_rules, table_rules_of
from .record_format import StoredTableRules

SUMMARY_SINCE: Final = 4
"""The first format that has a snapshot with every change of the persons at the seats."""
O = TypeVar("O")  # noqa: E741 - options, beside S for state
S = TypeVar("S")


class StoredSeat(Struct, frozen=True, omit_defaults=True):
    """A taken seat."""

    person: Person
    name: str
    bot: str = ""
    disconnected_at: Millis | None = None
    player_entropy: bytes = b""
    sees_hidden: bool = False
    reserved: bool = False
    since: int = 0
    transfers: int = 0
    bot_account: bool = False


class StoredClock(Struct, frozen=True, omit_defaults=True):
    """A clock: time left, since when it runs, grants, and lags with what is compensated, by seat."""

    left: tuple[int | None, ...]
    since: tuple[Millis | None, ...]
    grants: tuple[int | None, ...]
    free: bool = False
    lags: tuple[int | None, ...] = ()
    compensated: tuple[int, ...] = ()
    quotas: tuple[int, ...] = ()


class StoredOffer(Struct, frozen=True, omit_defaults=True):
    """A standing offer."""

    id: int
    kind: OfferKind
    seat: Seat
    asked: tuple[Seat, ...]
    moved: bool = False


class StoredDeclined(Struct, frozen=True):
    """A declined offer."""

    kind: OfferKind
    seat: Seat
    until: Millis


class StoredChatLine(Struct, frozen=True, omit_defaults=True):
    """A chat line."""

    at: Millis
    name: str
    text: str
    seat: Seat | None = None
    spectators_only: bool = False
    phrase: Phrase | None = None


class StoredOutcome(Struct, frozen=True):
    """How a game ended."""

    winners: tuple[Seat, ...]
    reason: str


class RoomSnapshot(Struct, Generic[O, S], frozen=True, kw_only=True, omit_defaults=True):
    """A whole room. `options` and `state` are values of the game.

    `format`: number of the journal format. `rules`: rules number of the game when it was written.
    """

    format: int = 1
    rules: int = 1
    id: RoomId
    code: Code
    game: str
    options: O
    table: StoredTableRules
    opened: Millis
    at: Millis
    seed: bytes
    seats: tuple[StoredSeat | None, ...]
    nonces: tuple[tuple[Nonce, ...], ...]
    version: int
    position_version: int = 0
    phase: Phase
    match: int = 0
    state: S | None = None
    random_key: bytes = b""
    random_position: int = 0
    clock: StoredClock | None = None
    offers: tuple[StoredOffer, ...] = ()
    offered: int = 0
    declined: tuple[StoredDeclined, ...] = ()
    chat: tuple[StoredChatLine, ...] = ()
    result: StoredOutcome | None = None
    host: Seat = Seat(0)
    phrases_only: bool = False
    undos: tuple[int, ...] = ()


class SnapshotHeader(Struct, frozen=True):
    """The part of a snapshot that is read first."""

    code: Code
    game: str
    format: int = 1
    rules: int = 1


class _SummarySeat(Struct, frozen=True):
    person: Person
    reserved: bool = False


class RoomSummary(Struct, frozen=True):
    """What is known of a room before it is loaded. Since `SUMMARY_SINCE` it holds until the next snapshot."""

    code: Code
    game: str
    seats: tuple[_SummarySeat | None, ...]
    format: int = 1

    @property
    def persons(self) -> frozenset[Person]:
        """Return the persons who hold a seat."""
        return frozenset([taken.person for taken in self.seats if taken is not None and not taken.reserved])


_decode_summary: Final = msgspec.json.Decoder(RoomSummary).decode
_decode_header: Final = msgspec.json.Decoder(SnapshotHeader).decode
_encode: Final = msgspec.json.Encoder().encode


def encode_snapshot(room: AnyRoom, rules_number: int) -> bytes:
    """Return a room as it is stored."""
    return _encode(snapshot_of(room, rules_number))


def read_header(body: bytes) -> SnapshotHeader:
    """Return the header of a snapshot of any format, or raise `Malformed`."""
    return _with_header(body)[0]


def read_summary(body: bytes) -> RoomSummary | None:
    """Return the summary of a snapshot; None if it is in a format without one, or damaged."""
    try:
        summary = _decode_summary(body)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return summary if SUMMARY_SINCE <= summary.format <= JOURNAL_FORMAT else None


def read_room(game: Game, body: bytes) -> AnyRoom:
    """Return a stored room, its values migrated to the present format and rules; or raise `Malformed`."""
    header, present = _with_header(body)
    if header.rules != game.rules_number:
        game.check_rules(header.rules)
        present = _with_present_rules(game, present, header.rules)
    try:
        return room_of(_decoder(game).decode(present))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Malformed(str(error)) from None


def _with_header(body: bytes) -> tuple[SnapshotHeader, bytes]:
    """Return the header and the snapshot in the present format."""
    try:
        header = _decode_header(body)
        if header.format == JOURNAL_FORMAT:
            return header, body
    except (msgspec.MsgspecError, UnicodeDecodeError):
        pass  # In another format, or damaged: the next lines tell.
    present = migrated_snapshot(body)
    try:
        return _decode_header(present), present
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Malformed(str(error)) from None


def _with_present_rules(game: Game, body: bytes, rules_number: int) -> bytes:
    stored = read_stored(body)
    stored["options"] = game.migrate_options(stored.get("options"), rules_number)
    if stored.get("state") is not None:
        stored["state"] = game.migrate_state(stored["state"], rules_number)
    return _encode(stored)


@cache
def _decoder(game: Game) -> "msgspec.json.Decoder[RoomSnapshot[Any, Any]]":
    rules = game.rules
    return msgspec.json.Decoder(RoomSnapshot[rules.option_type, rules.state_type])  # type: ignore[name-defined] # parameters at run time


def snapshot_of(room: AnyRoom, rules_number: int) -> RoomSnapshot[Any, Any]:
    """Return the snapshot of a room."""
    clock, result = room.clock, room.result
    return RoomSnapshot(
        format=JOURNAL_FORMAT,
        rules=rules_number,
        id=room.id,
        code=room.code,
        game=room.game,
        options=room.options,
        table=stored_table_rules(room.table),
        opened=room.opened,
        at=room.at,
        seed=room.seed,
        seats=tuple([None if taken is None else _stored_seat(taken) for taken in room.seats]),
        nonces=room.nonces,
        version=room.version,
        position_version=room.position_version,
        phase=room.phase,
        match=room.match,
        state=room.state,
        random_key=room.random_key,
        random_position=room.random_position,
        clock=None if clock is None else _stored_clock(clock),
        offers=tuple([StoredOffer(one.id, one.kind, one.seat, one.asked, one.moved) for one in room.offers]),
        offered=room.offered,
        declined=tuple([StoredDeclined(one.kind, one.seat, one.until) for one in room.declined]),
        chat=tuple([_stored_line(line) for line in room.chat]),
        result=None if result is None else StoredOutcome(result.winners, result.reason),
        host=room.host,
        phrases_only=room.phrases_only,
        undos=room.undos,
    )


def room_of(snapshot: RoomSnapshot[Any, Any]) -> AnyRoom:
    """Return the room of a snapshot."""
    clock, result = snapshot.clock, snapshot.result
    return Room(
        id=snapshot.id,
        code=snapshot.code,
        game=snapshot.game,
        options=snapshot.options,
        table=table_rules_of(snapshot.table),
        opened=snapshot.opened,
        at=snapshot.at,
        seed=snapshot.seed,
        seats=tuple([None if stored is None else _seat_of(stored) for stored in snapshot.seats]),
        nonces=snapshot.nonces,
        version=snapshot.version,
        position_version=snapshot.position_version,
        phase=snapshot.phase,
        match=snapshot.match,
        state=snapshot.state,
        random_key=snapshot.random_key,
        random_position=snapshot.random_position,
        clock=None if clock is None else _clock_of(clock),
        offers=tuple([Offer(one.id, one.kind, one.seat, one.asked, one.moved) for one in snapshot.offers]),
        offered=snapshot.offered,
        declined=tuple([Declined(one.kind, one.seat, one.until) for one in snapshot.declined]),
        chat=tuple([_line_of(stored) for stored in snapshot.chat]),
        result=None if result is None else Outcome(result.winners, result.reason),
        host=snapshot.host,
        phrases_only=snapshot.phrases_only,
        undos=snapshot.undos,
    )


def _stored_clock(clock: Clock) -> StoredClock:
    return StoredClock(
        clock.left, clock.since, clock.grants, clock.free, clock.lags, clock.compensated, clock.quotas
    )


def _clock_of(stored: StoredClock) -> Clock:
    return Clock(
        stored.left, stored.since, stored.grants, stored.free, stored.lags, stored.compensated, stored.quotas
    )


def _stored_seat(taken: TakenSeat) -> StoredSeat:
    return StoredSeat(
        taken.person,
        taken.name,
        taken.bot,
        taken.disconnected_at,
        taken.player_entropy,
        taken.sees_hidden,
        taken.reserved,
        taken.since,
        taken.transfers,
        taken.bot_account,
    )


def _seat_of(stored: StoredSeat) -> TakenSeat:
    return TakenSeat(
        stored.person,
        stored.name,
        stored.bot,
        stored.disconnected_at,
        stored.player_entropy,
        stored.sees_hidden,
        stored.reserved,
        stored.since,
        stored.transfers,
        stored.bot_account,
    )


def _stored_line(line: ChatLine) -> StoredChatLine:
    return StoredChatLine(line.at, line.name, line.text, line.seat, line.spectators_only, line.phrase)


def _line_of(stored: StoredChatLine) -> ChatLine:
    return ChatLine(stored.at, stored.name, stored.text, stored.seat, stored.spectators_only, stored.phrase)
