"""The journal beside the running server: any table of the past, step by step."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from qipai.games.registry import GAMES
from qipai.hall.ports import Entry, StoreError
from qipai.hall.recall import retrace
from qipai.kernel.names import RoomId
from qipai.kernel.room import Advanced
from qipai.stores.registry import FILE
from qipai.stores.sqlite import Book, open_book

from .settings import Settings


class Failure(Exception):
    """The command cannot be carried out; the text says why."""


def journal(settings: Settings) -> Path:
    """Return the file of the journal, or raise `Failure` if there is none."""
    file = Path(settings.data) / FILE
    if not file.is_file():
        raise Failure(f"no journal at {file}")
    return file


def history(settings: Settings, room: str) -> tuple[Book, list[Entry]]:
    """Return the journal and every record of a room, or raise `Failure`."""
    try:
        book = open_book(journal(settings))
        entries = book.chain(RoomId(room), 0)
    except StoreError as error:
        raise Failure(str(error)) from error
    if not entries:
        raise Failure(f"no room {room} in {journal(settings)}")
    return book, entries


def steps(entries: list[Entry]) -> Iterator[Advanced]:
    """Yield what each record did, or raise `Failure` at the first that does not follow."""
    try:
        yield from retrace(GAMES, entries)
    except (StoreError, msgspec.MsgspecError) as error:
        raise Failure(str(error)) from error
