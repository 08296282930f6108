"""How far each client has been told of its table: a mark in every offset, where there are other workers."""

from collections.abc import Callable, Hashable, Sequence

from qipai.clients.legacy_messages import NicknameSet
from qipai.kernel.ids import Millis
from qipai.protocol.dialect_interface import AnyIntent, AnyNotice, Dialect, SwitchDialect
from qipai.protocol.notices import FullRoom, Left, RoomEvents
from qipai.socketio.socket import Socket

from .offset_format import RecoveryOffset, tag


class OffsetTracker:
    """The mark of one client, and those of the frames that are about to be sent to it."""

    __slots__ = ("_coming", "mark")

    def __init__(self) -> None:
        self.mark = b""
        self._coming: list[bytes] = []

    def set(self, mark: RecoveryOffset) -> None:
        """The client knows so much."""
        self.mark = mark.text()
        self._coming = []

    def expect(self, notice: AnyNotice, count: int) -> None:
        """So many frames of this notice come next."""
        self._coming = []
        if isinstance(notice, RoomEvents):
            room, version = tag(notice.room), notice.version
            self._coming = [RecoveryOffset(room, version, number).text() for number in range(count, 0, -1)]
        elif isinstance(notice, FullRoom):
            whole = RecoveryOffset(tag(notice.room.id), notice.version).text()
            if count:
                # With its last frame the client knows all of it.
                self._coming = [whole, *[self.mark] * (count - 1)]
            else:
                self.mark = whole

    def next(self) -> bytes:
        """Return the mark of the next frame."""
        if self._coming:
            self.mark = self._coming.pop()
        return self.mark


class TrackedDialect:
    """Speaks as another dialect does, and knows how far it has told what."""

    def __init__(self, inner: Dialect, track: OffsetTracker, changed: Callable[[], None]) -> None:
        self.inner = inner
        self.track = track
        self._changed = changed

    @property
    def pending_intents(self) -> Sequence[AnyIntent]:
        """Return what the dialect wants."""
        return self.inner.pending_intents

    @pending_intents.setter
    def pending_intents(self, wishes: Sequence[AnyIntent]) -> None:
        self.inner.pending_intents = wishes

    @property
    def encoding_key(self) -> Hashable | None:
        """Return nothing: what each client is told is marked for itself."""
        return self.inner.encoding_key

    @property
    def reconnect_grace(self) -> Millis:
        """Return how long a cut connection is waited for."""
        return self.inner.reconnect_grace

    @property
    def hides_disconnects(self) -> bool:
        """Tell whether others hear nothing of a cut."""
        return self.inner.hides_disconnects

    @property
    def sees_hidden(self) -> bool:
        """Tell whether its clients must be told secrets."""
        return self.inner.sees_hidden

    @property
    def lobby_chat(self) -> str:
        """Return where its people talk."""
        return self.inner.lobby_chat

    def decode(self, frame: bytes) -> Sequence[AnyIntent]:
        """Return what the frame asks for; who turns to another dialect is tracked there."""
        wishes = self.inner.decode(frame)
        if wishes and isinstance(turn := wishes[0], SwitchDialect):
            return (SwitchDialect(TrackedDialect(turn.dialect, self.track, self._changed), turn.frame),)
        return wishes

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return the frames that tell this."""
        frames = self.inner.encode(notice)
        self.track.expect(notice, len(frames))
        if isinstance(notice, FullRoom | Left | NicknameSet):
            self._changed()
        return frames

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Return what is done when the peer is gone for good."""
        return self.inner.on_disconnect()


def marking(socket: Socket, track: OffsetTracker) -> Callable[[bytes], None]:
    """Return a way to send that marks what it sends."""
    return lambda frame: socket.emit_payload_at(frame, track.next())
