"""The journal and the archive beside the running server: any table of the past, step by step."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import msgspec

from qipai.games.game_registry import GAMES
from qipai.hall.journal.room_rebuilding import retrace
from qipai.hall.journal.store_interface import Entry, Snapshot, StoreError
from qipai.kernel.ids import RoomId
from qipai.kernel.room import Advanced
from qipai.settings import Settings
from qipai.stores.archives import archive_registry as archives
from qipai.stores.sqlite_store import open_book
from qipai.stores.store_registry import FILE, STORES, kind


class Failure(Exception):
    """The command cannot be carried out; the text says why."""


def journal(settings: Settings) -> Path:
    """Return the file of the journal, or raise `Failure` if there is none."""
    file = Path(settings.data) / FILE
    if not file.is_file():
        raise Failure(f"no journal at {file}")
    return file


def history(settings: Settings, room: str) -> tuple[Snapshot | None, Sequence[Entry]]:
    """Return the last snapshot of a room, if it is at hand, and every record, or raise `Failure`."""
    name = RoomId(room)
    try:
        if kind(settings.store) == "sqlite":
            with open_book(journal(settings)) as book:
                saved, entries = book.load(name), book.chain(name, 0)
        else:
            with closing(STORES[kind(settings.store)](settings.store, Path(), "process")) as store:
                saved, entries = store.load(name), list(store.history(name))
        if not entries and (settings.archive or (Path(settings.data) / archives.FILE).is_file()):
            with closing(archives.open_archive(Path(settings.data), settings.archive)) as kept:
                return None, kept.history(name) or _nowhere(room)
    except StoreError as error:
        raise Failure(str(error)) from error
    return None if saved is None else saved.snapshot, entries or _nowhere(room)


def _nowhere(room: str) -> NoReturn:
    raise Failure(f"no room {room} here")


def steps(entries: Sequence[Entry]) -> Iterator[Advanced]:
    """Yield what each record did, or raise `Failure` at the first that does not follow."""
    try:
        yield from retrace(GAMES, entries)
    except (StoreError, msgspec.MsgspecError) as error:
        raise Failure(str(error)) from error
