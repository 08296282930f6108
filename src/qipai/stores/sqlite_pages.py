"""Reads the rows of a damaged SQLite file page by page, without its trees and without SQLite.

The format is described in https://www.sqlite.org/fileformat2.html. Every page is read by itself, so a damaged
page hides only its own rows. What is found may be damaged or deleted long ago: the caller believes only rows
whose checksum is right.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from .sqlite_log import PAGE_BYTES, log_file, read_log

_FILE_HEADER: Final = 100
_TABLE_LEAF: Final = 0x0D
_TABLE_INTERIOR: Final = 0x05
_INDEX_LEAF: Final = 0x0A
_INDEX_INTERIOR: Final = 0x02
_ROW_KINDS: Final = (_TABLE_LEAF, _INDEX_LEAF, _INDEX_INTERIOR)
_DEEPEST: Final = 20
"""No tree of SQLite has more levels."""
_INTEGER_BYTES: Final = (0, 1, 2, 3, 4, 6, 8)


class FoundRow(NamedTuple):
    """A row and its pages, overflow pages last; `rowid` is None in an index or a table without row ids.

    The first page is 0 if it is not certain that the row is on a present page.
    """

    pages: tuple[int, ...]
    rowid: int | None
    values: tuple[Any, ...]


class _NoRow(Exception):
    """The bytes at a place are no row."""


class PageFile:
    """The pages of a file, with those that its write-ahead log replaces.

    A damaged frame of the log replaces nothing, because the number of its page may be wrong. Its rows are
    read beside the others, and so are those of pages in the file that older frames replace.
    """

    def __init__(self, path: Path, page_bytes: int = PAGE_BYTES) -> None:
        self._page_bytes = page_bytes
        self._file = path.read_bytes()
        self._logged: dict[int, bytes] = {}
        self._frames: dict[int, int] = {}
        """The last frame of each page that the log replaces, counted from 1."""
        self._uncertain: list[bytes] = []
        self._last_damaged = 0
        log = read_log(path)
        logged = log_file(path).read_bytes() if log.frames else b""
        for count, frame in enumerate(log.frames if log.page_bytes == page_bytes else (), 1):
            page = logged[frame.start : frame.start + page_bytes]
            if frame.sound:
                self._logged[frame.number] = page
                self._frames[frame.number] = count
            else:
                self._uncertain.append(page)
                self._last_damaged = count
        if log.is_damaged:
            self._uncertain += [self._in_file(number) for number in self._logged]
        self.count = max(-(-len(self._file) // self._page_bytes), *self._logged, 0)

    def is_followed_by_damage(self, number: int) -> bool:
        """Tell whether a frame of the log is damaged that was written after a page; 0 is any page."""
        return self._last_damaged > self._frames.get(number, 0)

    def page(self, number: int) -> bytes:
        """Return a page, with zeros where the file is too short; nothing for a number out of range."""
        if not 0 < number <= self.count:
            return b""
        if (logged := self._logged.get(number)) is not None:
            return logged
        return self._in_file(number)

    def _in_file(self, number: int) -> bytes:
        start = (number - 1) * self._page_bytes
        return self._file[start : start + self._page_bytes].ljust(self._page_bytes, b"\0")

    def rows(self) -> Iterator[FoundRow]:
        """Yield every row of every page that can be decoded, those of the present pages last."""
        for page in self._uncertain:
            yield from self._rows_on(0, page)
        for number in range(1, self.count + 1):
            yield from self._rows_on(number, self.page(number))

    def _rows_on(self, number: int, page: bytes) -> Iterator[FoundRow]:
        start = _FILE_HEADER if number == 1 else 0
        kinds = (page[start],) if page[start] in _ROW_KINDS else _ROW_KINDS
        if page[start] == _TABLE_INTERIOR or not any(page):
            return
        for kind in kinds:
            yield from self._rows_of(number, page, start, kind)

    def last_leaf(self, root: int) -> tuple[int, int]:
        """Return the last leaf of the table with this root page, and how many rows it says to have."""
        for _ in range(_DEEPEST):
            page = self.page(root)
            if page[:1] != bytes([_TABLE_INTERIOR]):
                break
            root = int.from_bytes(page[8:12], "big")
        return root, int.from_bytes(page[3:5], "big")

    def _rows_of(self, number: int, page: bytes, start: int, kind: int) -> Iterator[FoundRow]:
        pointers = start + (12 if kind == _INDEX_INTERIOR else 8)
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        for index in range((self._page_bytes - pointers) // 2):
            place = pointers + 2 * index
            cell = int.from_bytes(page[place : place + 2], "big")
            if not place < cell < self._page_bytes - 3:
                if index >= count:
                    return  # The count may be damaged: the list of cells ends where no cell can be.
                continue
            try:
                yield self._row(number, page, cell, kind)
            except (_NoRow, IndexError, ValueError, struct.error):
                continue

    def _row(self, number: int, page: bytes, cell: int, kind: int) -> FoundRow:
        place = cell + (4 if kind == _INDEX_INTERIOR else 0)
        size, place = _varint(page, place)
        rowid: int | None = None
        if kind == _TABLE_LEAF:
            rowid, place = _varint(page, place)
        overflow: list[int] = []
        payload = self._payload(page, place, size, kind, overflow)
        return FoundRow((number, *overflow), rowid, _values(payload))

    def _payload(self, page: bytes, place: int, size: int, kind: int, pages: list[int]) -> bytes:
        """Return the bytes of a row, also those in overflow pages; add their numbers to `pages`."""
        if not 0 < size <= self.count * self._page_bytes:
            raise _NoRow
        most = self._page_bytes - 35 if kind == _TABLE_LEAF else (self._page_bytes - 12) * 64 // 255 - 23
        if size <= most:
            payload = page[place : place + size]
            if len(payload) < size:
                raise _NoRow
            return payload
        least = (self._page_bytes - 12) * 32 // 255 - 23
        local = least + (size - least) % (self._page_bytes - 4)
        local = local if local <= most else least
        parts, rest = [page[place : place + local]], size - local
        following = page[place + local : place + local + 4]
        while rest > 0:
            pages.append(int.from_bytes(following, "big"))
            overflow = self.page(pages[-1])
            if not overflow:
                raise _NoRow
            parts.append(overflow[4 : 4 + rest])
            following, rest = overflow[:4], rest - (self._page_bytes - 4)
        return b"".join(parts)


def _values(payload: bytes) -> tuple[Any, ...]:
    """Return the columns of a row."""
    end, place = _varint(payload, 0)
    kinds = []
    while place < end:
        kind, place = _varint(payload, place)
        kinds.append(kind)
    if place != end or not kinds:
        raise _NoRow
    values = []
    for kind in kinds:
        value, place = _value(payload, place, kind)
        values.append(value)
    if place != len(payload):
        raise _NoRow
    return tuple(values)


def _value(payload: bytes, place: int, kind: int) -> tuple[Any, int]:
    if kind in (0, 8, 9):
        return (None if kind == 0 else kind - 8), place
    if kind in (10, 11):
        raise _NoRow
    size = 8 if kind == 7 else _INTEGER_BYTES[kind] if kind < 7 else (kind - 12) // 2
    body = payload[place : place + size]
    if len(body) < size:
        raise _NoRow
    if kind < 7:
        return int.from_bytes(body, "big", signed=True), place + size
    if kind == 7:
        return struct.unpack(">d", body)[0], place + size
    return (body.decode() if kind % 2 else body), place + size


def _varint(page: bytes, place: int) -> tuple[int, int]:
    value = 0
    for index in range(8):
        byte = page[place + index]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + index + 1
    return value << 8 | page[place + 8], place + 9
