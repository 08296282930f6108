"""The offset that a Socket.IO client sends to recover: room, version and frames received."""

from typing import Final, NamedTuple

from qipai.kernel.ids import RoomId

WHOLE: Final = 99
"""Stands for all frames of a version."""
_TAG: Final = 6
_PARTS: Final = 3


class RecoveryOffset(NamedTuple):
    """The client received so many frames of this version, and all frames of earlier versions."""

    room: str
    version: int
    frames: int = WHOLE

    def text(self) -> bytes:
        """Return the end of the Socket.IO offset."""
        return b"%s.%d.%d" % (self.room.encode(), *self[1:])


def tag(room: RoomId) -> str:
    """Return the part of a room id that tells it from other rooms of one client."""
    return room[:_TAG]


def read(offset: str) -> RecoveryOffset | None:
    """Return the recovery offset at the end of a Socket.IO offset; None if there is none."""
    parts = offset.split(".")[-_PARTS:]
    if len(parts) != _PARTS or not all(part.isascii() and part.isdigit() for part in parts[1:]):
        return None
    room, version, frames = parts
    return RecoveryOffset(room, int(version), int(frames)) if len(version) < 10 and len(frames) < 4 else None
