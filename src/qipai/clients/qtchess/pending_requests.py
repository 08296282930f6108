"""The request in progress and those waiting behind it."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from qipai.kernel.refusals import Refusal
from qipai.protocol.dialect_interface import AnyIntent, RefuseFrame

DEFERRED: Final = "deferred"


class PendingRequest(Enum):
    """The kind of request that a socket waits for before its next frames are decoded."""

    NONE = auto()
    CREATE = auto()
    JOIN = auto()
    LEAVE = auto()


IDLE: Final = PendingRequest.NONE
"""A module-level name is read ten times as fast as an enum member; every move compares with this one."""


class DeferredFrames:
    """Frames that are decoded when everything before them has taken effect.

    Each is sent to the hall as a refusal with a nonce; the refusal comes back in order.
    """

    __slots__ = ("_frames", "_number")

    def __init__(self) -> None:
        self._number = 0
        self._frames: dict[str, tuple[str, bytes]] = {}

    def __len__(self) -> int:
        return len(self._frames)

    def __contains__(self, nonce: str) -> bool:
        return nonce in self._frames

    def defer(self, action: str, frame: bytes) -> Sequence[AnyIntent]:
        """Return the intent after whose refusal the frame is decoded; `action` is kept with it."""
        nonce = f"{DEFERRED} {self.next_number()}"
        self._frames[nonce] = (action, frame)
        return (RefuseFrame(Refusal.MALFORMED, nonce),)

    def pop(self, nonce: str) -> tuple[str, bytes]:
        """Return the action and frame of a nonce, and remove them."""
        return self._frames.pop(nonce)

    def next_number(self) -> int:
        """Return a number that this socket has not used yet."""
        self._number += 1
        return self._number
