"""The listing of an archived match as it is stored, apart from what a search returns.

A field that is added needs a default value. Any other change is a change of the schema of the archive.
"""

from typing import Final

import msgspec
from msgspec import Struct

from qipai.hall.history.archive_interface import FinishedGame
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis, RoomId, Seat


class StoredListing(Struct, frozen=True, omit_defaults=True):
    """How a match is listed."""

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
    seated: tuple[str, ...] = ()


_encode: Final = msgspec.json.Encoder().encode
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
            game.seated,
        )
    )


def read_listing(stored: bytes) -> FinishedGame:
    """Return the listed game of its stored form, or raise `StoreError`."""
    try:
        listing = _decode(stored)
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
        listing.seated,
    )
