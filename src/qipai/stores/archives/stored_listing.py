"""The listing of an archived match as it is stored, apart from what a search returns.

A field that is added needs a default value. Any other change needs the next format number, a migration from
the format before, and a listing of that format in the tests.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.hall.history.archive_interface import FinishedGame
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis, RoomId, Seat

FORMAT: Final = 1
"""What this release writes. It reads every format from 1 on."""
MIGRATIONS: Final[Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]] = MappingProxyType({})
"""Turns the plain values of each format before `FORMAT` into those of the next."""


class StoredListing(Struct, frozen=True):
    """How a match is listed; the first listings of format 1 were written without their number."""

    room: str
    match: int
    game: str
    title: str
    public: bool
    began: int
    ended: int
    names: tuple[str, ...]
    bots: tuple[str, ...]
    winners: tuple[int, ...]
    reason: str
    moves: int
    format: int = 1


class _Header(Struct):
    """The part of a listing that is read first: its format."""

    format: int = 1


_encode: Final = msgspec.json.Encoder().encode
_decode_header: Final = msgspec.json.Decoder(_Header).decode
_decode: Final = msgspec.json.Decoder(StoredListing).decode


def stored_listing(game: FinishedGame) -> bytes:
    """Return the stored form of a listed game."""
    return _encode(
        StoredListing(
            game.room,
            game.match,
            game.game,
            game.title,
            game.public,
            game.began,
            game.ended,
            game.names,
            game.bots,
            game.winners,
            game.reason,
            game.moves,
            FORMAT,
        )
    )


def read_listing(stored: bytes) -> FinishedGame:
    """Return the listed game of its stored form, or raise `StoreError`."""
    try:
        listing = _decode_present(stored)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StoreError(f"the listing of an archived match cannot be read: {error}") from error
    return FinishedGame(
        RoomId(listing.room),
        listing.match,
        listing.game,
        listing.title,
        listing.public,
        Millis(listing.began),
        Millis(listing.ended),
        listing.names,
        listing.bots,
        tuple(map(Seat, listing.winners)),
        listing.reason,
        listing.moves,
    )


def _decode_present(stored: bytes) -> StoredListing:
    number = _decode_header(stored).format
    if number == FORMAT:
        return _decode(stored)
    if number > FORMAT:
        raise StoreError(
            f"the listing of an archived match was written by a newer release: format {number}, "
            f"this server reads up to {FORMAT}"
        )
    values = msgspec.json.decode(stored, type=dict[str, Any])
    for older in range(number, FORMAT):
        if older not in MIGRATIONS:
            raise StoreError(f"the listing of an archived match cannot be read: no format {number}")
        values = MIGRATIONS[older](values)
    return msgspec.convert({**values, "format": FORMAT}, StoredListing)
