"""Wraps a dialect to add to every frame the offset from which its client can recover."""

from collections import deque
from collections.abc import Callable, Hashable, Sequence

from qipai.clients.legacy_messages import NicknameSet
from qipai.kernel.ids import Millis
from qipai.protocol.dialect_interface import AnyIntent, AnyNotice, Dialect, SwitchDialect
from qipai.protocol.notices import FullRoom, Left, RoomEvents
from qipai.socketio.socket import Socket

from .offset_format import RecoveryOffset, tag


class OffsetTracker:
    """The offset of one client, and those of the frames that are not sent yet.

    A frame may be deferred, and others of the same socket are sent without an offset of their own.
    """

    __slots__ = ("_next_offsets", "offset")

    def __init__(self) -> None:
        self.offset = b""
        self._next_offsets: deque[tuple[bytes, bytes]] = deque()

    def set(self, offset: RecoveryOffset) -> None:
        """Set the offset of the client."""
        self.offset = offset.text()
        self._next_offsets.clear()

    def expect(self, notice: AnyNotice, frames: Sequence[bytes]) -> None:
        """These frames of a notice are sent after all earlier ones."""
        if isinstance(notice, RoomEvents):
            room, version = tag(notice.room), notice.version
            for number, frame in enumerate(frames, 1):
                self._next_offsets.append((frame, RecoveryOffset(room, version, number).text()))
        elif isinstance(notice, FullRoom):
            full = RecoveryOffset(tag(notice.room.id), notice.version).text()
            if frames:
                # With the last frame the client has the whole room.
                self._next_offsets.append((frames[-1], full))
            elif self._next_offsets:
                self._next_offsets[-1] = (self._next_offsets[-1][0], full)
            else:
                self.offset = full

    def next(self, frame: bytes) -> bytes:
        """Return the offset of a frame that is sent now."""
        if self._next_offsets and self._next_offsets[0][0] is frame:
            self.offset = self._next_offsets.popleft()[1]
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
        self.track.expect(notice, frames)
        if isinstance(notice, FullRoom | Left | NicknameSet):
            self._changed()
        return frames

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Return the intents that run when the connection is closed."""
        return self.inner.on_disconnect()


def sender(socket: Socket, track: OffsetTracker) -> Callable[[bytes], None]:
    """Return a function that sends a frame with its offset."""
    return lambda frame: socket.emit_payload_at(frame, track.next(frame))
