"""Events buffered until their client has them, and sent again on connection state recovery."""

from typing import Final

from .socketio_packets import EncodedEvent, offset_ending, offset_of

MAX_BUFFERED_EVENTS: Final = 512
MAX_BUFFERED_BYTES: Final = 256 * 1024


class MissedEvents:
    """The events of one socket that its client may have missed, and the offset before the first of them.

    An answered ping shows that everything sent before it has arrived.
    """

    __slots__ = ("_bytes", "_events", "_offset", "_pinged")

    def __init__(self) -> None:
        self._events: list[EncodedEvent] = []
        self._bytes = 0
        self._offset = ""
        self._pinged = 0

    def __len__(self) -> int:
        return len(self._events)

    def start_at(self, offset: str) -> None:
        """Set the offset that a client has received at another server."""
        self._offset = offset

    def add(self, event: EncodedEvent) -> bool:
        """Buffer an event that is sent now; tell whether the buffer is too long."""
        self._events.append(event)
        self._bytes += event.size if event.attachments else len(event.text)
        return self._bytes > MAX_BUFFERED_BYTES or len(self._events) > MAX_BUFFERED_EVENTS

    def after(self, offset: str) -> list[EncodedEvent] | None:
        """Return the events after this offset, or None if they are not buffered any more."""
        if offset == self._offset:
            return list(self._events)
        end = offset_ending(offset)
        for index in range(len(self._events) - 1, -1, -1):
            if self._events[index].text.endswith(end):
                return self._events[index + 1 :]
        return None

    def ping_sent(self) -> None:
        """A ping was sent after everything that is buffered."""
        self._pinged = len(self._events)

    def pong_received(self) -> None:
        """The ping was answered: drop the events sent before it."""
        if self._pinged:
            self._drop_oldest(self._pinged)

    def reconnected(self) -> None:
        """Expect no answer to a ping of the connection before."""
        self._pinged = 0

    def drop_half(self) -> None:
        """Drop the older half: a client that needs it cannot recover any more."""
        self._drop_oldest(len(self._events) // 2 or 1)

    def _drop_oldest(self, count: int) -> None:
        for event in self._events[:count]:
            self._bytes -= event.size if event.attachments else len(event.text)
        self._offset = offset_of(self._events[count - 1])
        self._pinged = max(0, self._pinged - count)
        del self._events[:count]
