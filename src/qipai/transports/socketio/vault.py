"""What another worker must know of a socket to go on with it: who it is, and at which table."""

from collections.abc import Callable
from typing import Final, Protocol

import msgspec
from msgspec import MsgspecError, Struct

from .socket import Socket

KEPT: Final = 300
"""Seconds that a memory lives; it is written again well before."""
AGAIN: Final = 60.0
MAX_PID: Final = 64


class Memory(Struct, frozen=True, array_like=True):
    """A socket by its ids, its person (empty for a stranger) and its room (empty for none).

    `first` is the event that told which program it belongs to, if that is not the usual one.
    """

    sid: str
    path: str
    person: str
    name: str
    room: str
    first: bytes


class Vault(Protocol):
    """Where memories are kept that outlive a worker."""

    def keep(self, pid: str, memory: Memory) -> None:
        """Remember a socket for a while."""

    def forget(self, pid: str) -> None:
        """Forget one that is gone."""

    def fetch(self, pid: str, then: Callable[[Memory | None], None], sorry: Callable[[], None]) -> None:
        """Pass on what is remembered of a socket; `sorry` if that cannot be known now."""

    def revive(self, socket: Socket, memory: Memory) -> None:
        """A client goes on here that was at another worker; it has been told that it missed nothing."""


encode: Final = msgspec.json.Encoder().encode
_decoder: Final = msgspec.json.Decoder(Memory)


def read(raw: bytes | None) -> Memory | None:
    """Return a memory as it was written; None if there is none, or another release wrote it."""
    try:
        return None if not raw else _decoder.decode(raw)
    except (MsgspecError, UnicodeDecodeError):
        return None
