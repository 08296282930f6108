"""The interface between the hall and client support outside it, such as the package `clients`.

The hall builds its client support with `HallServices` and calls it by `ClientSupport`, without importing it.
"""

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.hall.connections.admission import Admission
from qipai.hall.connections.connection import Connection, ConnectionEvents, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.connections.transport_interface import Transport
from qipai.hall.journal.store_interface import Entropy, Now
from qipai.hall.lobby.quick_match import QuickMatch
from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.moderation.enforcement_interface import SanctionChecks
from qipai.hall.people.address_limits import AddressLimits
from qipai.hall.people.identity import Identity
from qipai.hall.people.names import Names
from qipai.hall.people.person_quota import CrowdQuota
from qipai.hall.people.presence import Presence
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.join_leave_commands import JoinLeaveCommands
from qipai.hall.rooms.live_room import LiveRoom
from qipai.hall.rooms.room_observers import RoomObserver
from qipai.kernel.ids import Seat
from qipai.kernel.room import AnyRoom
from qipai.protocol.dialect_interface import AnyNotice

from .background_tasks import BackgroundTasks


class HallConnections(ConnectionEvents, Protocol):
    """The hall as transports use it."""

    @property
    def now(self) -> Now:
        """Return the clock of the server."""

    @property
    def draining(self) -> bool:
        """Tell whether the server stops."""

    def connected(self, connection: Connection) -> None:
        """Register a new connection."""

    def arrived(self, connection: Connection, frame: bytes | None) -> None:
        """Take a frame from the transport; None once the transport is closed."""

    def transport_lost(self, connection: Connection) -> None:
        """The transport broke and may be replaced."""

    def transport_replaced(self, connection: Connection) -> None:
        """The connection has a transport again."""


class HallServices(NamedTuple):
    """What the hall lends to client support."""

    hall: HallConnections
    executor: CommandExecutor
    presence: Presence
    room_list: RoomListFeed
    room_access: JoinLeaveCommands
    quick_match: QuickMatch
    admission: Admission
    identity: Identity
    inbox: Inbox
    tasks: BackgroundTasks
    crowd_quota: CrowdQuota
    address_limits: AddressLimits
    sanctions: SanctionChecks
    names: Names
    entropy: Entropy
    counters: SharedCounters
    worker: str
    """The name of this worker, empty for a single one."""
    broadcast: Callable[[bytes], None]
    """Sends a message to all other workers."""


class WebSocketPath(NamedTuple):
    """How a WebSocket path makes a connection: from a transport, the address of the client and its cookies.

    `skip_long_messages`: a message above the limit counts as an empty one instead of closing the connection.
    """

    connect: Callable[[Transport, str, str], Connection]
    skip_long_messages: bool = False


class ClientSupport(RoomObserver, Protocol):
    """Intents, listeners and worker messages that client support adds to the hall."""

    @property
    def handlers(self) -> Handlers:
        """Return the handlers of its intents, for connections that were admitted."""

    @property
    def handlers_before_hello(self) -> Handlers:
        """Return the handlers of its intents for connections that were not; all others are refused."""

    def connected(self, connection: Connection) -> None:
        """A connection was registered."""

    def dialect_changed(self, connection: Connection) -> None:
        """A connection uses another dialect."""

    def disconnected(self, connection: Connection) -> None:
        """A connection is closed; its last intents still follow."""

    def transport_lost(self, connection: Connection) -> None:
        """The transport of a connection broke and may be replaced."""

    def transport_replaced(self, connection: Connection) -> None:
        """A connection has a transport again."""

    def seats_of(self, connection: Connection) -> Sequence[Connection]:
        """Return the further connections over the same transport."""

    def end_seats(self, connection: Connection) -> Sequence[Connection]:
        """Return the further connections over the same transport, which end with this one."""

    def room_changed(self, live: LiveRoom, before: AnyRoom) -> None:
        """Seats or the phase changed, or the room was opened, loaded or closed."""

    def offers_changed(self, live: LiveRoom) -> None:
        """An offer was made, answered or withdrawn, while seats and phase stay the same."""

    def list_row_changed(self, live: LiveRoom) -> None:
        """The row of the room in the list may differ."""

    def worker_message(self, body: bytes) -> None:
        """Another worker sent a message to all that the hall does not know."""

    def workers_changed(self, workers: frozenset[str]) -> None:
        """Only these workers are alive; none means that this worker was cut off and is back."""

    def close(self) -> None:
        """The hall stops: send nothing more."""


ClientSupportFactory = Callable[[HallServices], ClientSupport]

_NO_HANDLERS: Final[Handlers] = MappingProxyType({})


class NoClientSupport:
    """Client support of a server that serves native clients only."""

    handlers = _NO_HANDLERS
    handlers_before_hello = _NO_HANDLERS

    def __init__(self, _services: HallServices) -> None:
        """Add nothing."""

    def connected(self, connection: Connection) -> None:
        """Do nothing."""

    def dialect_changed(self, connection: Connection) -> None:
        """Do nothing."""

    def disconnected(self, connection: Connection) -> None:
        """Do nothing."""

    def transport_lost(self, connection: Connection) -> None:
        """Do nothing."""

    def transport_replaced(self, connection: Connection) -> None:
        """Do nothing."""

    def seats_of(self, connection: Connection) -> Sequence[Connection]:
        """Return nothing."""
        return ()

    def end_seats(self, connection: Connection) -> Sequence[Connection]:
        """Return nothing: one connection has one seat in a room."""
        return ()

    def room_changed(self, live: LiveRoom, before: AnyRoom) -> None:
        """Do nothing."""

    def offers_changed(self, live: LiveRoom) -> None:
        """Do nothing."""

    def list_row_changed(self, live: LiveRoom) -> None:
        """Do nothing."""

    def spectators_changed(
        self, live: LiveRoom, joined: str = "", left: str = "", skip: Connection | None = None
    ) -> None:
        """Do nothing."""

    def arrival_notices(
        self, live: LiveRoom, connection: Connection, seat: Seat | None
    ) -> Sequence[AnyNotice]:
        """Return nothing."""
        return ()

    def room_message(self, live: LiveRoom, body: bytes) -> None:
        """Ignore it."""

    def worker_message(self, body: bytes) -> None:
        """Ignore it: it is of another release."""

    def workers_changed(self, workers: frozenset[str]) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""
