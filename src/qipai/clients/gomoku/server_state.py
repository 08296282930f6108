"""State shared by all gomoku sockets of a server: the rooms in use and the room list."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from qipai.clients.legacy_messages import ListedRoom, RoomList
from qipai.kernel.ids import RoomId
from qipai.kernel.room_view import RoomView

from . import errors, outgoing_messages
from .errors import ClientError
from .room_state import RoomState


class ServerRules(NamedTuple):
    """What the host of the server chose.

    `always_timed`: every room has a move clock, not only those that ask for it. `undo_limit`: undos of a
    player in a game, 0 for any number.
    """

    always_timed: bool = False
    undo_limit: int = 0


DEFAULT_RULES: Final = ServerRules()


class ServerState:
    """Room states by room, and the lobby events, encoded once for all sockets."""

    def __init__(self, rules: ServerRules = DEFAULT_RULES) -> None:
        self.rules = rules
        self._room_states: WeakValueDictionary[RoomId, RoomState] = WeakValueDictionary()
        self._row_json: dict[RoomId, tuple[ListedRoom, bytes]] = {}
        self._last_list: RoomList | None = None
        self._list_frame = b""
        self.list_version = 0
        """The number of the `room-list` event. Sockets keep it, not the event: one that stays in a room would
        keep an old list."""
        self._last_count = -1
        self._count_frame = b""

    def room_state(self, view: RoomView) -> RoomState:
        """Return the shared state of a room; a new one if no socket uses it."""
        room_state = self._room_states.get(view.id)
        if room_state is None:
            room_state = self._room_states[view.id] = RoomState(view, self.rules.undo_limit)
        return room_state

    def error_frames(self, error: ClientError | None) -> Sequence[bytes]:
        """Return the event for an error, none for None."""
        if error is ClientError.NO_UNDOS_LEFT:
            return (errors.error_frame(error, errors.TEXTS[error] % self.rules.undo_limit),)
        return () if error is None else (errors.ERROR_FRAMES[error],)

    def room_list(self, notice: RoomList) -> bytes:
        """Return the `room-list` event; the same bytes object while the list is the same."""
        if notice is not self._last_list:
            last, self._last_list = self._last_list, notice
            if last is None or last.rows is not notice.rows:
                cached, self._row_json = self._row_json, {}
                for listed in notice.rows:
                    room = listed.row.id
                    entry = cached.get(room)
                    if entry is None or entry[0] is not listed:
                        entry = (listed, outgoing_messages.list_row(listed.row, listed.first))
                    self._row_json[room] = entry
                frame = b'["room-list",[%s]]' % b",".join([row for _, row in self._row_json.values()])
                if frame != self._list_frame:
                    self._list_frame = frame
                    self.list_version += 1
        return self._list_frame

    def online_count(self, notice: RoomList) -> bytes:
        """Return the `online-count` event."""
        if notice.people != self._last_count:
            self._last_count = notice.people
            self._count_frame = outgoing_messages.event("online-count", {"count": self._last_count})
        return self._count_frame
