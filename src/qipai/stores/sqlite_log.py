"""Reads the write-ahead log of a SQLite file, and tells whether frames that were committed are damaged.

SQLite reads a log up to the first damaged frame and forgets the rest without a word, so this is asked before
SQLite opens the file. The format is described in https://www.sqlite.org/fileformat2.html#walformat.
"""

import struct
from collections.abc import Iterator, Sequence
from operator import mul
from pathlib import Path
from typing import Final, NamedTuple

from .sqlite_files import PAGE_BYTES

_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_FRAME: Final = _FRAME_HEADER + PAGE_BYTES
_MAGIC: Final = 0x377F0682
"""The last bit tells the order of bytes in the numbers that a checksum adds."""
_MASK: Final = 0xFFFFFFFF
_INDEX_HEADER: Final = 48

_Sums = tuple[int, int]


class Frame(NamedTuple):
    """One page in a log; `sound` if its checksum follows from that of the frame before it."""

    number: int
    ends_transaction: bool
    page: bytes
    sound: bool


class Log(NamedTuple):
    """The frames of the committed transactions of a log.

    It is damaged if SQLite would read fewer. `missing` frames were at its end and are not there at all, as
    after a power failure.
    """

    frames: tuple[Frame, ...] = ()
    is_damaged: bool = False
    missing: int = 0


def read_log(path: Path) -> Log:
    """Read the log of a file; also what comes after a damaged frame."""
    log = _beside(path, "-wal")
    if len(log) < _HEADER + _FRAME:
        return Log()
    big_endian = bool(log[3] & 1)
    header_sums = struct.unpack_from(">II", log, 24)
    has_header = (
        struct.unpack_from(">I", log)[0] & ~1 == _MAGIC
        and _add(log[:24], (0, 0), big_endian=big_endian) == header_sums
    )
    if not has_header:
        big_endian = False  # As on all machines of today.
    salts = log[16:24] if has_header else _first_salts(log)
    found = list(_frames(log, salts, header_sums, big_endian=big_endian))
    present = max((count for count, (is_new, _) in enumerate(found, 1) if is_new), default=0)
    frames = tuple(frame for _, frame in found[:present])
    ends = [count for count, frame in enumerate(frames, 1) if frame.ends_transaction]
    first_bad = next((count for count, frame in enumerate(frames, 1) if not frame.sound), present + 1)
    readable = max((end for end in ends if end < first_bad), default=0) if has_header else 0
    # A server that is killed may have written a part of its last transaction. The index tells whether it was
    # committed; without an index the last transaction does not count.
    counted = _indexed_frames(path, salts)
    committed = max(readable, ends[-2] if len(ends) > 1 else 0, counted if counted <= present else 0)
    return Log(frames[:committed], readable < committed, max(counted - present, 0))


def _frames(log: bytes, salts: bytes, sums: _Sums, *, big_endian: bool) -> Iterator[tuple[bool, Frame]]:
    """Yield every frame, and whether a salt is right: before the last restart of the log both were others."""
    for start in range(_HEADER, len(log) - _FRAME + 1, _FRAME):
        number, size = struct.unpack_from(">II", log, start)
        is_new = log[start + 8 : start + 12] == salts[:4] or log[start + 12 : start + 16] == salts[4:]
        stored = struct.unpack_from(">II", log, start + 16)
        page = log[start + _FRAME_HEADER : start + _FRAME]
        sound = (
            log[start + 8 : start + 16] == salts
            and _add(log[start : start + 8] + page, sums, big_endian=big_endian) == stored
        )
        yield is_new, Frame(number, is_new and size > 0, page, sound)
        sums = stored


def _first_salts(log: bytes) -> bytes:
    """Return the salts that most of the first frames have: the header is damaged."""
    starts = range(_HEADER + 8, min(len(log), _HEADER + 5 * _FRAME) - 8, _FRAME)
    salts = [log[start : start + 8] for start in starts]
    return max(salts, key=salts.count)


def _indexed_frames(path: Path, salts: bytes) -> int:
    """Return how many frames were committed, as SQLite's index of this log says; 0 if there is none."""
    index = _beside(path, "-shm")[: 2 * _INDEX_HEADER]
    if index[:_INDEX_HEADER] != index[_INDEX_HEADER:] or index[32:40] != salts:
        return 0
    return int(struct.unpack_from("=I", index, 16)[0])


def _beside(path: Path, suffix: str) -> bytes:
    file = path.with_name(path.name + suffix)
    return file.read_bytes() if file.is_file() else b""


def _fibonacci(count: int) -> Sequence[int]:
    numbers = [0, 1]
    while len(numbers) < count:
        numbers.append(numbers[-1] + numbers[-2] & _MASK)
    return numbers


_WEIGHTS: Final = tuple(reversed(_fibonacci(PAGE_BYTES // 4 + 5)))


def _add(content: bytes, sums: _Sums, *, big_endian: bool) -> _Sums:
    """Return SQLite's checksum of a log, with more content.

    SQLite adds each word and both sums before it, so a word counts as often as a Fibonacci number says.
    """
    words = [*sums, *struct.unpack(f"{'>' if big_endian else '<'}{len(content) // 4}I", content)]
    # Before its words the sums would be two words less, of which the first was added to the second.
    words[1] -= words[0]
    last = sum(map(mul, words, _WEIGHTS[-len(words) - 1 :])) & _MASK
    before = sum(map(mul, words, _WEIGHTS[-len(words) :])) & _MASK
    return before, last
