"""Collects the parts of a request body: a limited number, passed on together."""

from typing import Final

BODY_BYTES: Final = 256 * 1024
"""The longest body. Routes have lower limits of their own; this one ends the connection."""
BODY_PARTS: Final = 1_024
"""Parts in which a body may arrive; each chunk is one. Many tiny ones cost more than their bytes."""


class RequestBody:
    """The body of the present request of a connection."""

    __slots__ = ("_bytes", "_count", "_parts")

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._bytes = self._count = 0

    @property
    def has_begun(self) -> bool:
        """Tell whether a part has arrived."""
        return self._count > 0

    def add(self, part: bytes) -> bool:
        """Keep a part; return whether the body is still short enough."""
        self._bytes += len(part)
        self._count += 1
        if self._bytes > BODY_BYTES or self._count > BODY_PARTS:
            self._parts.clear()
            return False
        self._parts.append(part)
        return True

    def take(self) -> bytes:
        """Return what has arrived since the last call."""
        taken = b"".join(self._parts)
        self._parts.clear()
        return taken

    def reset(self) -> None:
        """Begin the body of the next request."""
        self._bytes = self._count = 0
