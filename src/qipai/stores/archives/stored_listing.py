"""The listing of an archived match as it is stored, apart from what a search returns.

The columns that are searched are not repeated in it. A field is added at the end and needs a default value.
Any other change is a change of the schema of the archive.
"""

from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from qipai.hall.history.archive_interface import FinishedGame
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis, RoomId, Seat


class SearchedColumns(NamedTuple):
    """The columns beside a listing."""

    room: str
    match: int
    public: bool
    game: str
    ended: int


class StoredListing(Struct, frozen=True, array_like=True):
    """What is listed of a match besides what is searched."""

    title: str
    began: int
    names: tuple[str, ...]
    bots: tuple[str, ...]
    winners: tuple[int, ...]
    reason: str
    moves: int
    seated: tuple[str, ...] = ()
    twist: str = ""
    bot_accounts: tuple[int, ...] = ()


class _EarlierListing(Struct, frozen=True):
    """A listing of schema 3 and before, which was JSON and had everything."""

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
    twist: str = ""
    bot_accounts: tuple[int, ...] = ()


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(StoredListing).decode
_decode_earlier: Final = msgspec.json.Decoder(_EarlierListing).decode


def searched_columns(game: FinishedGame) -> SearchedColumns:
    """Return the columns beside the listing of a game."""
    return SearchedColumns(game.room, game.match, game.public, game.game, game.ended)


def stored_listing(game: FinishedGame) -> bytes:
    """Return the stored form of a listed game."""
    return _encode(
        StoredListing(
            game.title,
            game.began,
            game.names,
            game.bots,
            game.winners,
            game.reason,
            game.moves,
            game.seated,
            game.twist,
            game.bot_accounts,
        )
    )


def read_listing(stored: bytes, columns: SearchedColumns) -> FinishedGame:
    """Return the listed game of its stored form and the columns beside it, or raise `StoreError`."""
    try:
        if stored.startswith(b"{"):
            earlier = _decode_earlier(stored)
            found = SearchedColumns(earlier.room, earlier.match, earlier.public, earlier.game, earlier.ended)
            if found != columns:
                raise StoreError("the listing of an archived match is of another match")
            return _listed(columns, earlier)
        return _listed(columns, _decode(stored))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StoreError(f"the listing of an archived match cannot be read: {error}") from error


def _listed(columns: SearchedColumns, listing: StoredListing | _EarlierListing) -> FinishedGame:
    return FinishedGame(
        RoomId(columns.room),
        columns.match,
        columns.game,
        listing.title,
        columns.public,
        Millis(listing.began),
        Millis(columns.ended),
        listing.names,
        listing.bots,
        tuple(map(Seat, listing.winners)),
        listing.reason,
        listing.moves,
        listing.seated,
        listing.twist,
        tuple(map(Seat, listing.bot_accounts)),
    )
