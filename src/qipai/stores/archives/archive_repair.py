"""Reads what is sound in a damaged SQLite archive, row by row and without its trees."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from qipai.hall.journal.store_interface import Damaged, Entry
from qipai.kernel.ids import Person, RoomId
from qipai.ratings.rating_values import SequenceEntry
from qipai.stores.checksums import checksum
from qipai.stores.sqlite_log import page_sizes
from qipai.stores.sqlite_pages import PageFile

from .archive_tables import match_checksum
from .stored_history import unpack_history


class FoundRoom(NamedTuple):
    """An archived room: its records (none if they are damaged), and the bodies of its matches."""

    room: RoomId
    history: tuple[Entry, ...]
    bodies: tuple[bytes, ...]


def sound_rooms(path: Path) -> Iterator[FoundRoom]:
    """Yield every room of which something is sound; rows of an earlier release have no checksum."""
    histories: dict[str, tuple[Entry, ...]] = {}
    bodies: dict[str, dict[int, bytes]] = {}
    for row in chain.from_iterable(PageFile(path, size).rows() for size in page_sizes(path)):
        if row.rowid is None:
            continue
        match row.values:
            case (str(room), bytes(packed), *found) if _is_sound(found, checksum(room, packed)):
                try:
                    histories[room] = tuple(unpack_history(packed))
                except Damaged:
                    continue
            case (str(room), int(match), bytes(body), *found) if _is_sound(
                found, match_checksum(room, match, body)
            ):
                bodies.setdefault(room, {})[match] = body
    for room in sorted({*histories, *bodies}):
        matches = bodies.get(room, {})
        yield FoundRoom(
            RoomId(room), histories.get(room, ()), tuple(matches[number] for number in sorted(matches))
        )


def sound_sequence(path: Path) -> list[SequenceEntry]:
    """Return every entry of the sequence of rated matches that can be read, in its order."""
    found: dict[int, SequenceEntry] = {}
    for row in chain.from_iterable(PageFile(path, size).rows() for size in page_sizes(path)):
        match row.values:
            case (int(number), str(room), int(match), str(person)) if row.rowid is not None:
                found.setdefault(number, SequenceEntry(number, RoomId(room), match, Person(person)))
    return [found[number] for number in sorted(found)]


def _is_sound(found: list[Any], expected: int) -> bool:
    return found in ([], [None], [expected])
