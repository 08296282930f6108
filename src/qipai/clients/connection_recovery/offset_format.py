"""How far a client has been told of its table, as text that the client gives back when it returns."""

from typing import Final, NamedTuple

from qipai.kernel.ids import RoomId

WHOLE: Final = 99
"""Stands for however many frames told a version."""
_TAG: Final = 6
_PARTS: Final = 3


class RecoveryOffset(NamedTuple):
    """So many frames of what a version of a room tells have been sent, and all of every version before."""

    room: str
    version: int
    frames: int = WHOLE

    def text(self) -> bytes:
        """Return the mark as the end of an offset."""
        return b"%s.%d.%d" % (self.room.encode(), *self[1:])


def tag(room: RoomId) -> str:
    """Return enough of a room's id to tell it from the others of one client."""
    return room[:_TAG]


def read(offset: str) -> RecoveryOffset | None:
    """Return the mark that an offset ends with, if it has one."""
    parts = offset.split(".")[-_PARTS:]
    if len(parts) != _PARTS or not all(part.isascii() and part.isdigit() for part in parts[1:]):
        return None
    room, version, frames = parts
    return RecoveryOffset(room, int(version), int(frames)) if len(version) < 10 and len(frames) < 4 else None
