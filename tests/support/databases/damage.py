"""Damages copies of files: bits, bytes, runs of bytes, and missing ends."""

import random
from typing import NamedTuple

PAGE = 4096


class Damage(NamedTuple):
    """A damaged file, what was done to it, and the pages in which a byte changed."""

    body: bytes
    what: str
    pages: frozenset[int]


def damage(body: bytes, seed: int) -> Damage:
    """Return a damaged copy; the same seed gives the same damage."""
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
            size = min(chosen.choice((2, 16, 100, 600, PAGE, 3 * PAGE)), len(body) - start)
            changed[start : start + size] = bytes(size) if kind == "zeros" else chosen.randbytes(size)
        case "swapped":  # Two pages, as a disk that writes to the wrong place.
            first, second = (PAGE * chosen.randrange(len(body) // PAGE) for _ in range(2))
            changed[first : first + PAGE] = body[second : second + PAGE]
        case "cut":
            del changed[start:]
    after = bytes(changed)
    pages = {
        1 + at // PAGE for at in range(0, len(body), PAGE) if body[at : at + PAGE] != after[at : at + PAGE]
    }
    return Damage(after, f"{kind} at {start}", frozenset(pages))
