"""Wraps a dialect to add to every frame the offset from which its client can recover."""

from collections.abc import Callable, Hashable, Sequence

from qipai.clients.legacy_messages import NicknameSet
from qipai.kernel.ids import Millis
from qipai.protocol.dialect_interface import AnyIntent, AnyNotice, Dialect, SwitchDialect
from qipai.protocol.notices import FullRoom, Left, RoomEvents
from qipai.socketio.socket import Socket

from .offset_format import RecoveryOffset, tag


class OffsetTracker:
    """The offset of one client, and those of the frames that are sent next."""

    __slots__ = ("_next_offsets", "offset")

    def __init__(self) -> None:
        self.offset = b""
        self._next_offsets: list[bytes] = []

    def set(self, offset: RecoveryOffset) -> None:
        """Set the offset of the client."""
        self.offset = offset.text()
        self._next_offsets = []

    def expect(self, notice: AnyNotice, count: int) -> None:
        """The frames of this notice, so many of them, are sent next."""
        self._next_offsets = []
        if isinstance(notice, RoomEvents):
            room, version = tag(notice.room), notice.version
            self._next_offsets = [
                RecoveryOffset(room, version, number).text() for number in range(count, 0, -1)
            ]
        elif isinstance(notice, FullRoom):
            full = RecoveryOffset(tag(notice.room.id), notice.version).text()
            if count:
                # With the last frame the client has the whole room.
                self._next_offsets = [full, *[self.offset] * (count - 1)]
            else:
                self.offset = full

    def next(self) -> bytes:
        """Return the offset of the next frame."""
        if self._next_offsets:
            self.offset = self._next_offsets.pop()
        return self.offset


class TrackedDialect:
    """Encodes as the inner dialect does, and records the offset of each frame."""

    def __init__(self, inner: Dialect, track: OffsetTracker, changed: Callable[[], None]) -> None:
        self.inner = inner
        self.track = track
        self._changed = changed

    @property
    def pending_intents(self) -> Sequence[AnyIntent]:
        """Return the pending intents of the inner dialect."""
        return self.inner.pending_intents

    @pending_intents.setter
    def pending_intents(self, intents: Sequence[AnyIntent]) -> None:
        self.inner.pending_intents = intents

    @property
    def encoding_key(self) -> Hashable | None:
        """Return the key of the inner dialect."""
        return self.inner.encoding_key

    @property
    def reconnect_grace(self) -> Millis:
        """Return the grace period of the inner dialect."""
        return self.inner.reconnect_grace

    @property
    def hides_disconnects(self) -> bool:
        """Tell whether a lost transport is hidden during the grace period."""
        return self.inner.hides_disconnects

    @property
    def sees_hidden(self) -> bool:
        """Tell whether its clients must receive secrets."""
        return self.inner.sees_hidden

    @property
    def lobby_chat(self) -> str:
        """Return the lobby chat of the inner dialect."""
        return self.inner.lobby_chat

    def decode(self, frame: bytes) -> Sequence[AnyIntent]:
        """Return the intents of the frame; a switch leads to a tracked dialect again."""
        intents = self.inner.decode(frame)
        if intents and isinstance(switch := intents[0], SwitchDialect):
            return (SwitchDialect(TrackedDialect(switch.dialect, self.track, self._changed), switch.frame),)
        return intents

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return the frames of the notice."""
        frames = self.inner.encode(notice)
        self.track.expect(notice, len(frames))
        if isinstance(notice, FullRoom | Left | NicknameSet):
            self._changed()
        return frames

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Return the intents that run when the connection is closed."""
        return self.inner.on_disconnect()


def sender(socket: Socket, track: OffsetTracker) -> Callable[[bytes], None]:
    """Return a function that sends a frame with its offset."""
    return lambda frame: socket.emit_payload_at(frame, track.next())
