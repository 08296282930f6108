"""What all gomoku clients of a server share: the rooms somebody is in, and the list of all rooms."""

from weakref import WeakValueDictionary

from qipai.clients.legacy_messages import ListedRoom, RoomList
from qipai.kernel.ids import RoomId
from qipai.kernel.room_view import RoomView

from . import outgoing_messages
from .room_state import RoomState


class ServerState:
    """Encodes what is told to many once."""

    def __init__(self) -> None:
        self._folios: WeakValueDictionary[RoomId, RoomState] = WeakValueDictionary()
        self._rows: dict[RoomId, tuple[ListedRoom, bytes]] = {}
        self._listing: RoomList | None = None
        self._list = b""
        self._count = -1
        self._counted = b""

    def folio(self, view: RoomView) -> RoomState:
        """Return the page of a room, a new one if nobody holds it."""
        known = self._folios.get(view.id)
        if known is None:
            known = self._folios[view.id] = RoomState(view)
        return known

    def rooms(self, listing: RoomList) -> bytes:
        """Return the list of rooms; the same bytes for the same list."""
        if listing is not self._listing:
            before, self._listing = self._listing, listing
            if before is None or before.rows is not listing.rows:
                known, self._rows = self._rows, {}
                for listed in listing.rows:
                    room = listed.row.id
                    old = known.get(room)
                    if old is None or old[0] is not listed:
                        old = (listed, outgoing_messages.row(listed.row, listed.first))
                    self._rows[room] = old
                fresh = b'["room-list",[%s]]' % b",".join([piece for _, piece in self._rows.values()])
                if fresh != self._list:
                    self._list = fresh
        return self._list

    def online(self, listing: RoomList) -> bytes:
        """Return how many people there are."""
        if listing.people != self._count:
            self._count = listing.people
            self._counted = outgoing_messages.event("online-count", {"count": self._count})
        return self._counted
