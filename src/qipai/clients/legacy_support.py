"""The older clients' part of the hall: their handlers, lobby, nicknames, lobby chat and seats."""

from collections.abc import Sequence

from qipai.hall.client_interface import HallServices
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Seat
from qipai.kernel.room import AnyRoom
from qipai.protocol.dialect_interface import AnyNotice

from .connection_recovery.seat_return import SeatReturn
from .game_starter import GameStarter
from .legacy_intent_handlers import LegacyIntentHandlers
from .legacy_lobby import LegacyLobby
from .legacy_messages import SpectatorNames
from .legacy_worker_messages import LegacyBroadcasts, LegacyWorkerMessages
from .lobby_chat import LobbyChat
from .multi_seat import MultiSeat
from .spectator_names import SpectatorNamesFeed, spectator_names


class LegacySupport:
    """Implements `ClientSupport` for all older clients together."""

    def __init__(self, hall: HallServices) -> None:
        self.services = hall
        broadcasts = LegacyBroadcasts(hall.worker, hall.broadcast)
        self._spectator_names = SpectatorNamesFeed(hall)
        self.lobby = LegacyLobby(hall, broadcasts, self._spectator_names)
        self.game_starter = GameStarter(hall)
        self._chat = LobbyChat(hall, broadcasts)
        self._seats = MultiSeat(hall)
        self._intents = LegacyIntentHandlers(hall, SeatReturn(hall, self.lobby))
        self._workers = LegacyWorkerMessages(broadcasts, self.lobby.nicknames, self._chat)
        self.handlers: Handlers = {
            **self._intents.handlers,
            **self.lobby.handlers,
            **self._chat.handlers,
            **self._seats.handlers,
        }
        self.handlers_before_hello: Handlers = {
            **self._intents.handlers_before_hello,
            **self.lobby.handlers,
        }

    def connected(self, connection: Connection) -> None:
        """Add the connection to its lobby chat."""
        self._chat.enter(connection)

    def dialect_changed(self, connection: Connection) -> None:
        """Move the connection to the lobby chat of its new dialect."""
        self._chat.enter(connection)

    def disconnected(self, connection: Connection) -> None:
        """Take the connection out of the lobby and its chat."""
        self._chat.leave(connection)
        self.lobby.leave(connection)

    def transport_lost(self, connection: Connection) -> None:
        """Count the connection no longer; outside a room its nickname is free."""
        self.lobby.set_present(connection, present=False)

    def transport_replaced(self, connection: Connection) -> None:
        """Count the connection again, and give it a nickname if it had one."""
        self.lobby.set_present(connection, present=True)

    def seats_of(self, connection: Connection) -> Sequence[Connection]:
        """Return the connections of the further seats."""
        return self._seats.seats_of(connection)

    def end_seats(self, connection: Connection) -> Sequence[Connection]:
        """Return the connections of the further seats."""
        return self._seats.end(connection)

    def room_changed(self, live: LiveRoom, before: AnyRoom) -> None:
        """Update the lists of rooms."""
        self.lobby.room_changed(live)

    def offers_changed(self, live: LiveRoom) -> None:
        """Update the lists of rooms."""
        self.lobby.row_changed(live)

    def list_row_changed(self, live: LiveRoom) -> None:
        """Update the lists of rooms."""
        self.lobby.row_changed(live)

    def spectators_changed(
        self, live: LiveRoom, joined: str = "", left: str = "", skip: Connection | None = None
    ) -> None:
        """Send the names of the spectators."""
        self._spectator_names.changed(live, joined, left, skip)

    def arrival_notices(
        self, live: LiveRoom, connection: Connection, seat: Seat | None
    ) -> Sequence[AnyNotice]:
        """Return the names of the spectators."""
        if connection.dialect.encoding_key is not None:
            return ()
        names = spectator_names(live, connection if seat is None else None)
        return (SpectatorNames(live.durable.id, names),)

    def room_message(self, live: LiveRoom, body: bytes) -> None:
        """Deliver a note of a player on another worker."""
        self._intents.receive_note(live, body)

    def worker_message(self, body: bytes) -> None:
        """Apply nicknames and lobby chat of another worker."""
        self._workers.receive(body)

    def workers_changed(self, workers: frozenset[str]) -> None:
        """Forget the nicknames of workers that are gone."""
        self._workers.workers_changed(workers)

    def close(self) -> None:
        """Send no more lists."""
        self.lobby.close()
        self._spectator_names.close()
