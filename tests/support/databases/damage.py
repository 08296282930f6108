"""Damages copies of files: bits, bytes, runs of bytes, and missing ends."""

import random
from typing import NamedTuple

PAGE = 4096
"""Size of the pages of a journal."""


class Damage(NamedTuple):
    """A damaged file, what was done to it, and the pages in which a byte changed."""

    body: bytes
    what: str
    pages: frozenset[int]


def damage(body: bytes, seed: int, page: int = PAGE) -> Damage:
    """Return a damaged copy of a file with pages of this size; the same seed gives the same damage."""
    chosen = random.Random(seed)
    changed = bytearray(body)
    kind = ("bit", "byte", "run", "zeros", "swapped", "cut")[seed % 6]
    start = chosen.randrange(len(body))
    match kind:
        case "bit":
            changed[start] ^= 1 << chosen.randrange(8)
        case "byte":
            changed[start] = chosen.randrange(256)
        case "run" | "zeros":
            size = min(chosen.choice((2, 16, 100, 600, page, 3 * page)), len(body) - start)
            changed[start : start + size] = bytes(size) if kind == "zeros" else chosen.randbytes(size)
        case "swapped":  # Two pages, as a disk that writes to the wrong place.
            first, second = (page * chosen.randrange(len(body) // page) for _ in range(2))
            changed[first : first + page] = body[second : second + page]
        case "cut":
            del changed[start:]
    after = bytes(changed)
    pages = {
        1 + at // page for at in range(0, len(body), page) if body[at : at + page] != after[at : at + page]
    }
    return Damage(after, f"{kind} at {start}", frozenset(pages))
