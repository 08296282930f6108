"""Gives a page that was loaded again the seat of its old socket: same browser, same nickname, socket gone."""

from qipai.clients.legacy_lobby import LegacyLobby
from qipai.hall.client_interface import HallServices
from qipai.hall.connections.connection import Connection
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.people.identity import Guest
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Seat
from qipai.kernel.seats import is_human, seat_of

from .browser_tag import browser_of


class SeatReturn:
    """Finds the seat that a connection may take back, and makes the connection its holder."""

    def __init__(self, hall: HallServices, lobby: LegacyLobby) -> None:
        self._hall = hall
        self._lobby = lobby

    async def take_back(self, live: LiveRoom, connection: Connection) -> bool:
        """Let the connection enter with the seat that its page had before, if there is one."""
        seat = self._find(live, connection)
        taken = None if seat is None else live.latest.seats[seat]
        if seat is None or taken is None:
            return False
        old, wanted = live.holders.get(seat), self._lobby.requested_name(connection)
        self._lobby.nicknames.release(connection)
        self._hall.admission.admit(connection, Guest(taken.person, taken.name))
        try:
            await self._hall.room_access.arrive(live, connection)
        except StoreError:
            self._lobby.restore(connection, live.game.name, wanted, wanted)
            raise
        if old is not None and live.holders.get(seat) is connection:
            # It has left the room, so that its end does not leave the seat. Its nickname is free now.
            old.outbox.abort()
            old.closed()
        self._lobby.restore(connection, live.game.name, wanted, taken.name)
        return True

    def _find(self, live: LiveRoom, connection: Connection) -> Seat | None:
        browser, wanted = browser_of(connection.root), self._lobby.requested_name(connection)
        if not browser or not wanted or connection.person is None:
            return None
        if seat_of(live.latest.seats, connection.person) is not None:
            # Two tabs of one browser play each other.
            return None
        for number, taken in enumerate(live.latest.seats):
            if (
                taken is not None
                and is_human(taken)
                and browser_of(taken.person) == browser
                and _is_name(taken.name, wanted)
                and not _is_reached(live, Seat(number))
            ):
                return Seat(number)
        return None


def _is_name(name: str, wanted: str) -> bool:
    """Tell whether somebody who asked for a nickname may have been given this one."""
    start, mark, number = name.rpartition("#")
    return name == wanted or (bool(mark) and start == wanted and number.isdecimal())


def _is_reached(live: LiveRoom, seat: Seat) -> bool:
    """Tell whether the seat has a connection with a transport, on any worker."""
    holder = live.holders.get(seat)
    if holder is not None and not holder.detached:
        return True
    return any(player.viewer == seat and not player.absent for player in live.remote_players.values())
