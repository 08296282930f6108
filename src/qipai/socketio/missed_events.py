"""Events buffered until their client has them, and sent again on connection state recovery."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from .socketio_packets import OFFSET_START, EncodedEvent, offset_ending, offset_of

MAX_BUFFERED_EVENTS: Final = 512
MAX_BUFFERED_BYTES: Final = 256 * 1024
MANY_EVENTS: Final = 128
"""Events after which a client is pinged at once: its answer empties the buffer."""
LONG_BYTES: Final = 12 * 1024
"""Bytes of whole states after which replaced events are looked for."""
_SMALL: Final = 256
"""Events below so many bytes neither replace nor are replaced."""

WholeStates = Mapping[bytes, Sequence[bytes]]
"""Names of events that tell the whole of something, with the earlier ones that each replaces."""
NO_WHOLE_STATES: Final[WholeStates] = MappingProxyType({})


class MissedEvents:
    """The events of one socket that its client may have missed, and the offset before the first of them.

    An answered ping shows that everything sent before it has arrived. Of a replaced event only the offset is
    kept when the buffer gets long: it is not sent again.
    """

    __slots__ = ("_bytes", "_events", "_long", "_offset", "_pinged", "_searched", "_whole_states")

    def __init__(self, whole_states: WholeStates = NO_WHOLE_STATES) -> None:
        self._events: list[EncodedEvent] = []
        self._bytes = 0
        self._offset = ""
        self._pinged = 0
        self._whole_states = whole_states
        self._searched = 0
        """Before this index there is nothing to replace."""
        self._long = LONG_BYTES
        """Bytes above which replaced events are looked for."""

    def __len__(self) -> int:
        return len(self._events)

    def start_at(self, offset: str) -> None:
        """Set the offset that a client has received at another server."""
        self._offset = offset

    def add(self, event: EncodedEvent) -> bool:
        """Buffer an event that is sent now; tell whether the buffer is long."""
        self._events.append(event)
        self._bytes += event.size if event.attachments else len(event.text)
        return self._bytes > self._long or len(self._events) > MANY_EVENTS

    @property
    def has_many(self) -> bool:
        """Tell whether an answered ping would empty a long buffer."""
        return len(self._events) > MANY_EVENTS

    def shorten(self) -> bool:
        """Drop the text of replaced events; tell whether the buffer is still too long."""
        if self._bytes > self._long and self._whole_states:
            self._drop_replaced()
        return self._bytes > MAX_BUFFERED_BYTES or len(self._events) > MAX_BUFFERED_EVENTS

    def after(self, offset: str) -> list[EncodedEvent] | None:
        """Return the events after this offset, or None if they are not buffered any more."""
        if offset == self._offset:
            return self._unreplaced(0)
        end = offset_ending(offset)
        for index in range(len(self._events) - 1, -1, -1):
            if self._events[index].text.endswith(end):
                return self._unreplaced(index + 1)
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

    def _unreplaced(self, first: int) -> list[EncodedEvent]:
        return [event for event in self._events[first:] if not event.text.startswith(OFFSET_START)]

    def _drop_replaced(self) -> None:
        """Keep only the offsets of large events that a later one replaces."""
        events, whole_states = self._events, self._whole_states
        replaced: set[bytes] = set()
        first, newest = len(events), 0
        for index in range(first - 1, self._searched - 1, -1):
            event = events[index]
            text = event.text
            if len(text) < _SMALL:
                continue
            start = text.find(b'["') + 2
            name = text[start : text.find(b'"', start)]
            if name in replaced:
                offset = text[text.rindex(OFFSET_START) :]
                events[index] = EncodedEvent(0, offset)
                self._bytes += len(offset) - (event.size if event.attachments else len(text))
            elif name in whole_states:
                first = index
                newest += len(text)
                replaced.update(whole_states[name])
        self._searched = first
        # A newest state may be replaced next, however large it is.
        self._long = min(self._bytes - newest + LONG_BYTES, MAX_BUFFERED_BYTES)

    def _drop_oldest(self, count: int) -> None:
        for event in self._events[:count]:
            self._bytes -= event.size if event.attachments else len(event.text)
        self._offset = offset_of(self._events[count - 1])
        self._pinged = max(0, self._pinged - count)
        self._searched = max(0, self._searched - count)
        self._long = LONG_BYTES
        del self._events[:count]
