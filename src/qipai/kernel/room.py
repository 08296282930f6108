"""The room: everything about a table that must survive a restart."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, Generic, NamedTuple, TypeVar

from msgspec import Struct

from qipai.kernel.game_interface.rules_interface import AddressedEvent, AnyRules, IllegalCommand, Outcome

from . import clock as clocks
from .chat_lines import ChatLine
from .clock import Clock
from .commands import OpenRoom, TableRules
from .ids import NO_NONCE, Code, Millis, Nonce, RoomId, Seat
from .offers import Declined, Offer
from .refusals import Refusal
from .seats import Seats


class Phase(StrEnum):
    """The phase of a room."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


PLAYING: Final = Phase.PLAYING
CLOSED: Final = Phase.CLOSED
"""Module-level names, because every move compares them: an enum attribute costs ten times as much."""

O = TypeVar("O")  # noqa: E741 - options, beside S for state
S = TypeVar("S")


class Room(Struct, Generic[O, S], frozen=True):
    """Everything about a table that must survive a restart, and nothing else.

    `position_version`: the version in which the position last changed. `match`: number of games started.
    `random_key`, `random_position`: key and position of the keystream of the present game. `offered`: number
    of offers made. `nonces`: the last ones of each seat and, at the end, of the spectators. `host`: the seat
    of the player who has been seated longest, who alone may set `phrases_only`. `undos`: moves that each seat
    took back in the present game, empty if none did.
    """

    id: RoomId
    code: Code
    game: str
    options: O
    table: TableRules
    opened: Millis
    at: Millis
    seed: bytes
    seats: Seats
    nonces: tuple[tuple[Nonce, ...], ...]
    version: int = 1
    position_version: int = 0
    phase: Phase = Phase.WAITING
    match: int = 0
    state: S | None = None
    random_key: bytes = b""
    random_position: int = 0
    clock: Clock | None = None
    offers: tuple[Offer, ...] = ()
    offered: int = 0
    declined: tuple[Declined, ...] = ()
    chat: tuple[ChatLine, ...] = ()
    result: Outcome | None = None
    host: Seat = Seat(0)
    phrases_only: bool = False
    undos: tuple[int, ...] = ()


AnyRoom = Room[Any, Any]


class Advanced(Struct, frozen=True):
    """The command took effect: the next room, one version later, its events, and the actor."""

    room: AnyRoom
    events: tuple[AddressedEvent, ...]
    actor: Seat
    nonce: Nonce = NO_NONCE


class Unchanged(Struct, frozen=True):
    """The command was done before, or there was nothing to do."""


class Refused(Struct, frozen=True):
    """The command is not allowed; the room is as it was."""

    code: Refusal


Result = Advanced | Unchanged | Refused
Change = tuple[dict[str, Any], Sequence[AddressedEvent]] | None

UNCHANGED: Final = Unchanged()


def create(rules: AnyRules, command: OpenRoom, now: Millis, entropy: bytes) -> AnyRoom:
    """Return a new, empty room; `entropy` becomes the seed of its first game."""
    return Room(
        id=command.id,
        code=command.code,
        game=rules.name,
        options=command.options,
        table=command.table,
        opened=now,
        at=now,
        seed=entropy,
        seats=(None,) * rules.seats,
        nonces=((),) * (rules.seats + 1),
    )


class SeatDeadline(NamedTuple):
    """When a seat times out, on the clock or because of its player's absence."""

    at: Millis
    absence: bool
    seat: Seat


def seat_deadlines(room: AnyRoom) -> list[SeatDeadline]:
    """Return every deadline at which a `TimeUp` has an effect."""
    if room.phase is not PLAYING:
        return []
    found = []
    if room.clock is not None and room.table.clock is not None:
        for number in range(len(room.seats)):
            at = clocks.seat_deadline(room.table.clock, room.clock, number)
            if at is not None:
                found.append(SeatDeadline(Millis(at), absence=False, seat=Seat(number)))
    if room.table.disconnect_timeout:
        for number, taken in enumerate(room.seats):
            if taken is not None and taken.disconnected_at is not None:
                until = Millis(taken.disconnected_at + room.table.disconnect_timeout * 1000)
                found.append(SeatDeadline(until, absence=True, seat=Seat(number)))
    return found


def deadline(room: AnyRoom) -> int | None:
    """Return the earliest deadline at which a `TimeUp` has an effect, if there is one."""
    if room.phase is not PLAYING:
        return None
    soonest, table = None, room.table
    if room.clock is not None and table.clock is not None:
        soonest = clocks.deadline(table.clock, room.clock)
    for taken in room.seats:
        if taken is not None and taken.disconnected_at is not None and table.disconnect_timeout:
            until = taken.disconnected_at + table.disconnect_timeout * 1000
            soonest = until if soonest is None or until < soonest else soonest
    return soonest


def require_seat(room: AnyRoom, actor: Seat) -> Seat:
    """Return the actor if it is a taken seat, or raise `IllegalCommand`."""
    if 0 <= actor < len(room.seats) and room.seats[actor] is not None:
        return actor
    raise IllegalCommand(Refusal.NOT_SEATED)


def require_playing(room: AnyRoom) -> None:
    """Raise `IllegalCommand` unless a game is running."""
    if room.phase is not PLAYING:
        raise IllegalCommand(Refusal.NOT_PLAYING)
