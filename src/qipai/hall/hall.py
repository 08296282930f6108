"""The hall: builds its parts, registers connections, starts and stops."""

import asyncio
import secrets
from collections.abc import Mapping
from functools import partial
from typing import Final

from qipai.games.game import Game
from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.accounts.account_services import AccountServices
from qipai.hall.api_tokens.bot_seating import BotSeating
from qipai.hall.bots.bot_seats import BotSeats, host_payer
from qipai.hall.cluster.bus_interface import Bus
from qipai.hall.cluster.cluster_mode import cluster_mode
from qipai.hall.connections.admission import Admission, refuse_before_hello
from qipai.hall.connections.connection import BROKEN, RESTARTING, Connection, Handlers
from qipai.hall.connections.connection_intents import ConnectionIntents
from qipai.hall.connections.inbox import Inbox
from qipai.hall.connections.keep_alive import KeepAlive
from qipai.hall.connections.pending_intents import PendingIntents
from qipai.hall.connections.sliced_sending import SlicedSending
from qipai.hall.connections.transport_replacement import TransportReplacement
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.history_services import HistoryServices
from qipai.hall.journal.group_commit import GroupCommit
from qipai.hall.journal.store_interface import Entropy, Now, Store, StoreError
from qipai.hall.lobby.featured_room import FeaturedRoomFeed
from qipai.hall.lobby.quick_match import QuickMatch
from qipai.hall.lobby.rated_pairing import PlayerRatings
from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.lobby.waiting_rooms import WaitingRooms
from qipai.hall.moderation.moderation_services import ModerationServices
from qipai.hall.people import person_quota as quotas
from qipai.hall.people.address_limits import UNLIMITED, AddressLimits, Limits
from qipai.hall.people.address_refusals import AddressRefusals
from qipai.hall.people.identity import Guest, Identity, wall_clock
from qipai.hall.people.presence import Presence
from qipai.hall.people.reports import Reports
from qipai.hall.people.resume import Resume
from qipai.hall.people.seat_transfer import SeatTransfer
from qipai.hall.people.signing_keys import SigningKeys
from qipai.hall.ratings.ratings import Ratings
from qipai.hall.ratings.table_ratings import TableRatings
from qipai.hall.relations.challenges import Challenges
from qipai.hall.rooms.alarms import Alarms
from qipai.hall.rooms.chat_commands import ChatCommands
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.fan_out import FanOut
from qipai.hall.rooms.game_commands import GameCommands
from qipai.hall.rooms.join_leave_commands import JoinLeaveCommands
from qipai.hall.rooms.room_directory import RoomDirectory
from qipai.kernel.ids import Person
from qipai.kernel.refusals import Refusal
from qipai.protocol.notices import Refused

from .background_tasks import BackgroundTasks
from .client_interface import ClientSupportFactory, HallServices, NoClientSupport
from .incidents.incident_interface import KeepIncident, keep_nothing
from .internal_errors import InternalErrors
from .steady_clock import steady_clock
from .store_health import StoreHealth

CLOSE_CHECKS: Final = 50
"""How many times 20 ms a stopping server waits for clients to close their side."""
_RESTART_REASON: Final = "the server restarts, come back in a moment"


class Hall:
    """The hall as the transports see it; `clients` adds the support of clients that are not native."""

    def __init__(
        self,
        games: Mapping[str, Game],
        store: Store,
        now: Now | None = None,
        entropy: Entropy = secrets.token_bytes,
        bot_pause: int = 600,
        single: frozenset[str] = frozenset(),
        engine: str = "",
        archive: Archive | None = None,
        bus: Bus | None = None,
        clients: ClientSupportFactory = NoClientSupport,
        limits: Limits = UNLIMITED,
        keys: SigningKeys | None = None,
        accounts: AccountStore | None = None,
        ratings: PlayerRatings | None = None,
        keep_incident: KeepIncident = keep_nothing,
    ) -> None:
        self.now = now or steady_clock()
        self.internal_errors = InternalErrors(keep_incident)
        self.alarms = Alarms(self.now)
        self.tasks = BackgroundTasks(self.internal_errors.task_failed)
        mode = cluster_mode(store, bus, self.internal_errors, self.tasks, loaded_at_start=single)
        self.executor = CommandExecutor(
            RoomDirectory(games, store, entropy),
            GroupCommit(mode.writer),
            self.alarms,
            self.internal_errors,
            self.now,
            entropy,
            FanOut(SlicedSending()),
            mode.replication,
        )
        self.replication = self.executor.replication
        self.presence = Presence(self.executor)
        self.store_health = StoreHealth(
            store,
            self.executor.journal,
            self.alarms,
            self.internal_errors,
            self.now,
            self.replication.listeners,
        )
        self.room_list = RoomListFeed(self.executor, self._online)
        self._featured_room = FeaturedRoomFeed(self.executor, self.room_list, self.tasks)
        self.bots = BotSeats(
            self.executor, entropy, bot_pause, host_payer, self.internal_errors.bot_failed, engine
        )
        keys = keys or SigningKeys(store.secret(), wall_clock)
        self.identity = Identity(keys, entropy)
        self.connections: set[Connection] = set()
        self.account_services = services = AccountServices(
            accounts,
            mode,
            self.connections,
            self.executor,
            self.room_list,
            self.tasks,
            self.internal_errors,
            keys,
            limits.api_tokens,
        )
        waiting = WaitingRooms(self.executor, single, services.known_relations.is_blocked)
        self.archive = archive
        self.address_refusals = refused = AddressRefusals()
        self.history = history = HistoryServices(
            games, store, archive, self.executor, self.tasks, self.internal_errors, self.now, refused, engine
        )
        self.archiver, self.finished_games = history.archiver, history.finished_games
        self.persons: dict[Person, int] = {}
        self.draining = False
        self._store = store
        self.inbox = Inbox(self.now, self.executor.journal.write, self.tasks)
        self.arrived, self.slow_down = self.inbox.arrived, self.inbox.slow_down
        pending = PendingIntents(
            self.connections, lambda: self.draining, self.now, self.executor.journal.write
        )
        self.has_pending_intents = pending.add
        self._transport_loss = TransportReplacement(self.executor, self.presence, self.room_list, waiting)
        address_limits = AddressLimits(mode.counters, limits, self.address_refusals)
        services.directory.deletion_listeners.append(self.finished_games.forget_files)
        self.moderation = ModerationServices(
            services, self.connections, self.executor, self.tasks, self.internal_errors, keys, mode
        )
        sanctions = self.moderation.enforcement
        self.ratings = Ratings(archive, services, self.finished_games.in_thread, self.now)
        self.admission = Admission(
            games,
            self.identity,
            self.executor.seat_index,
            self.persons,
            self.room_list.schedule_update,
            address_limits,
            services,
            self.inbox,
            sanctions,
            engine=bool(engine),
        )
        quota = partial(quotas.Quota, mode.counters)
        chat_quota = quota("lines", quotas.CHAT_LINES, quotas.CHAT_WINDOW)
        crowd_quota = quotas.CrowdQuota(chat_quota, mode.counters, self.address_refusals)
        self.room_access = access = JoinLeaveCommands(
            self.executor,
            self.presence,
            self.room_list,
            self.identity,
            self.inbox,
            self.tasks,
            address_limits,
            sanctions,
            BotSeating(services.directory, services.token_limits),
        )
        TableRatings(self.executor, history.rating_directory, self.room_list, engine=bool(engine))
        known = ratings or history.rating_directory
        quick_match = QuickMatch(self.executor, waiting, known, self.identity, access, self.inbox)
        self.clients = clients(
            HallServices(
                self,
                self.executor,
                self.presence,
                self.room_list,
                access,
                quick_match,
                self.admission,
                self.identity,
                self.inbox,
                self.tasks,
                crowd_quota,
                address_limits,
                sanctions,
                services.names,
                entropy,
                mode.counters,
                mode.worker,
                mode.broadcast,
            )
        )
        self._keep_alive = KeepAlive(self.presence, self.clients.seats_of, self.alarms, self.now)
        self.executor.observers.add(self.clients)
        self.executor.room_listeners.append(self.clients.room_changed)
        self.executor.offer_listeners.append(self.clients.offers_changed)
        self.room_list.row_listeners.append(self.clients.list_row_changed)
        mode.start_messages(self.executor, self.room_list, self.clients)
        own = ConnectionIntents(self.clients.dialect_changed, access.refuse_frame)
        always: Handlers = {
            **self.admission.handlers,
            **own.handlers,
        }
        self.handlers: Handlers = {
            **GameCommands(self.executor, waiting.match_taken, sanctions).handlers,
            **ChatCommands(self.executor, chat_quota, crowd_quota, self.inbox, sanctions).handlers,
            **access.handlers,
            **quick_match.handlers,
            **SeatTransfer(self.executor, self.identity, self.inbox, access).handlers,
            **Reports(
                self.executor,
                quota("reports", quotas.REPORTS, quotas.REPORTS_WINDOW),
                address_limits,
                self.inbox,
                self.moderation.acts,
            ).handlers,
            **Resume(self.executor, self.inbox, access).handlers,
            **Challenges(self.executor, services, mode, self.identity, self.inbox, access).handlers,
            **self.clients.handlers,
            **always,
            **self._featured_room.handlers,
        }
        self.handlers_before_hello: Handlers = {
            **dict.fromkeys(self.handlers, refuse_before_hello),
            **self.clients.handlers_before_hello,
            **always,
            **own.handlers_before_hello,
        }

    # Start and stop

    def start(self) -> int:
        """Load the open rooms and start the timers; return how many rooms there are."""
        count = self.replication.start(self.store_health.heartbeat)
        self._keep_alive.start()
        self.history.start()
        self.account_services.start()
        self.moderation.start()
        return count

    async def stop(self) -> None:
        """Close all connections, write everything that is staged, and stop."""
        self.draining = True
        stopped_at = self.now()
        for connection in list(self.connections):
            connection.outbox.close(RESTARTING, _RESTART_REASON)
        self.alarms.close()
        self.room_list.close()
        self.clients.close()
        self.bots.close()
        self.finished_games.close()
        await self.tasks.close()
        await self.executor.journal.close()
        for _ in range(CLOSE_CHECKS):
            if not all(connection.detached for connection in self.connections):
                await asyncio.sleep(0.02)
        if self.archiver is not None:
            self.archiver.close()
        self.account_services.close()
        try:
            self.replication.stop(stopped_at)
            self._store.close()
        except StoreError as error:
            self.internal_errors.store_unavailable(error)

    # Connections

    def connected(self, connection: Connection) -> None:
        """Register a new connection."""
        if self.draining:
            connection.outbox.close(RESTARTING, _RESTART_REASON)
        self.connections.add(connection)
        self._keep_alive.add(connection)
        self.clients.connected(connection)
        self.moderation.enforcement.closes_banned(connection)

    def admit(self, connection: Connection, guest: Guest) -> bool:
        """Make the connection the guest's, as its transport proved; or close it and return False."""
        return self.admission.admit(connection, guest)

    def transport_lost(self, connection: Connection) -> None:
        """The transport broke and may be replaced; rooms learn of it after a grace period at most."""
        if not connection.detached and connection in self.connections:
            self._transport_loss.lost(connection, stopping=self.draining)
            self.clients.transport_lost(connection)

    def transport_replaced(self, connection: Connection) -> None:
        """The connection has a transport again."""
        self._transport_loss.replaced(connection, stopping=self.draining)
        self.clients.transport_replaced(connection)

    def disconnected(self, connection: Connection) -> None:
        """Remove a connection that is closed, and take it out of its rooms."""
        if connection not in self.connections:
            return
        self.connections.discard(connection)
        self._keep_alive.remove(connection)
        self.room_list.unsubscribe(connection)
        self._featured_room.unsubscribe(connection)
        self.clients.disconnected(connection)
        self.admission.release(connection)
        if self.draining:
            return
        self._transport_loss.forget(connection)
        if last := (*connection.dialect.pending_intents, *connection.dialect.on_disconnect()):
            connection.run_intents(last, self.now())
        for each in (*self.clients.end_seats(connection), connection):
            for room in list(each.rooms):
                if (live := self.executor.live_rooms.get(room)) is not None:
                    self.presence.leave(live, each)
                    self.room_list.row_changed(live)

    def failed(self, connection: Connection, error: Exception) -> None:
        """Log an internal error and close the connection; the client learns the incident's number only."""
        if isinstance(error, StoreError):
            self.internal_errors.store_unavailable(error)
            connection.send_notice(Refused(Refusal.UNAVAILABLE))
            return
        incident = self.internal_errors.connection_failed(error)
        connection.send_notice(Refused(Refusal.INTERNAL, incident=incident))
        connection.outbox.close(BROKEN, incident)

    def _online(self) -> int:
        return len(self.persons) + self.replication.remote_persons
