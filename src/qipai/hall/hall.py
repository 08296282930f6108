"""Where peers arrive: who they are, what they ask for, and when the hall opens and closes."""

import asyncio
import secrets
from collections.abc import Mapping
from functools import partial
from time import monotonic_ns, time_ns
from typing import Final

from qipai.clients import legacy_messages
from qipai.clients.game_starter import GameStarter
from qipai.clients.legacy_lobby import LegacyLobby
from qipai.clients.lobby_chat import LobbyChat
from qipai.clients.multi_seat import MultiSeat
from qipai.games.game_registry import Game
from qipai.hall.bots.bot_seats import BotSeats
from qipai.hall.cluster.bus_interface import Bus
from qipai.hall.cluster.replicas import Replicas
from qipai.hall.cluster.worker_messages import WorkerMessages
from qipai.hall.connections.connection import BROKEN, RESTARTING, Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.connections.rate_limit import LINES, LINES_WINDOW, REPORTS, REPORTS_WINDOW
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archiver import Archiver
from qipai.hall.history.finished_games import FinishedGames
from qipai.hall.journal.store_interface import Entropy, Now, Store, StoreError
from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.people.identity import Guest, Identity, name_of
from qipai.hall.people.presence import Presence
from qipai.hall.people.quota import Quota
from qipai.hall.rooms.alarms import Alarms
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.join_leave_commands import JoinLeaveCommands
from qipai.kernel.ids import Millis, Person
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase
from qipai.protocol import dialect_interface, intents
from qipai.protocol.dialect_interface import AnyIntent
from qipai.protocol.notices import GameDescription, Pong, Refused, Welcome

from .internal_errors import InternalErrors
from .store_health import StoreHealth

SWEEP: Final = 20_000
ABSENCE: Final = 120_000
"""How long a cut connection that is at no table is kept."""
GOODBYE: Final = 50
"""How many times 20 ms a stopping server waits for peers to close their side."""


def steady_clock() -> Now:
    """Return a clock in Unix milliseconds that never goes backwards while the process lives."""
    offset = time_ns() - monotonic_ns()
    return lambda: Millis((offset + monotonic_ns()) // 1_000_000)


class Hall:
    """The hall as the transports see it."""

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
    ) -> None:
        self.now = now or steady_clock()
        self.internal_errors = InternalErrors()
        self.alarms = Alarms(self.now)
        self.executor = CommandExecutor(
            games, store, self.alarms, self.internal_errors, self.now, entropy, bus
        )
        self.presence = Presence(self.executor)
        self.replicas = (
            None if bus is None else Replicas(self.executor, self.presence, bus, self.internal_errors)
        )
        self.store_health = StoreHealth(
            store, self.executor.journal, self.alarms, self.internal_errors, self.now, self.replicas
        )
        self.room_list = RoomListFeed(self.executor, self._online)
        self.presence.touched = self.room_list.touch
        self.bots = BotSeats(self.executor, entropy, bot_pause, engine)
        if self.replicas is not None:
            self.replicas.share(self.bots.look, self.room_list.stir)
        self.identity = Identity(store.secret(), entropy)
        self.game_starter = GameStarter(self.executor, self.identity, entropy)
        self.archive = archive
        self.archiver = (
            None
            if archive is None
            else Archiver(games, store, archive, self.alarms, self.internal_errors, self.now)
        )
        self.finished_games = FinishedGames(games, store, self.now, archive)
        self.connections: set[Connection] = set()
        self.persons: dict[Person, int] = {}
        self.draining = False
        self._store = store
        self._single = single
        self.inbox = Inbox(self.now, self.executor.journal.write)
        self.arrived = self.inbox.arrived
        self._wishful: list[Connection] = []
        self._cards = tuple(
            GameDescription(game.name, game.rules.seats, tuple(game.bots), game.phrases)
            for game in games.values()
        )
        ledger = None if bus is None else bus.counters
        self.legacy_lobby = LegacyLobby(self.executor, self.identity, self.admit, self.inbox, ledger)
        self.room_list.touched.append(self.legacy_lobby.touch)
        quota = partial(Quota, self.inbox, ledger)
        lines = quota("lines", LINES, LINES_WINDOW)
        reports = quota("reports", REPORTS, REPORTS_WINDOW)
        self._foyer = LobbyChat(self.executor.journal, lines)
        if self.replicas is not None and bus is not None:
            WorkerMessages(self.replicas, bus, self.executor, self.room_list, self.legacy_lobby, self._foyer)
        self.join_leave = tables = JoinLeaveCommands(
            self.executor,
            self.presence,
            self.room_list,
            self.identity,
            store,
            self.inbox,
            lines,
            reports,
            single,
        )
        self._deeds: Handlers = {
            **tables.deeds,
            **self._foyer.deeds,
            **self.legacy_lobby.deeds,
            dialect_interface.SwitchDialect: self._become,
            legacy_messages.BecomeGuest: self._appear,
            intents.Hello: self._hello,
            intents.SubscribeLobby: self._lobby,
            intents.Ping: self._ping,
        }
        self._companions = MultiSeat(self.identity, self, self._deeds)
        self._deeds = {**self._deeds, legacy_messages.ActAs: self._companions.do}
        self._bounce = tables.bounce
        self.handlers_before_hello: Handlers = {
            **dict.fromkeys((*tables.deeds, *self._foyer.deeds), _hello_first),
            **self.legacy_lobby.deeds,
            dialect_interface.RefuseFrame: self._bounce_stranger,
            legacy_messages.ActAs: _hello_first,
            dialect_interface.SwitchDialect: self._become,
            legacy_messages.BecomeGuest: self._appear,
            intents.Hello: self._hello,
            intents.SubscribeLobby: _hello_first,
            intents.Ping: self._ping,
        }

    # Life

    def start(self) -> int:
        """Load the living rooms and begin to keep time; return how many rooms there are."""
        if self.replicas is not None:
            count = self.replicas.meet(self._store)
        else:
            count = self.executor.recover()
            for live in list(self.executor.live_rooms.values()):
                self.bots.look(live)
            self.store_health.beat()
        self._sweep()
        if self.archiver is not None:
            self.archiver.start()
        return count

    async def stop(self) -> None:
        """Tell everybody, write everything, and stop."""
        self.draining = True
        down = self.now()
        for connection in list(self.connections):
            connection.outbox.close(RESTARTING, "the server restarts, come back in a moment")
        self.alarms.close()
        self.room_list.close()
        self.legacy_lobby.close()
        self.bots.close()
        self.finished_games.close()
        await self.executor.journal.close()
        for _ in range(GOODBYE):
            if not all(connection.detached for connection in self.connections):
                await asyncio.sleep(0.02)
        if self.archiver is not None:
            self.archiver.close()
        try:
            if self.replicas is None:
                self._store.heartbeat(down)
            self._store.close()
        except StoreError as error:
            self.internal_errors.store_broke(error)

    def _sweep(self) -> None:
        """Find peers that have not been heard of since the last sweep but one."""
        for connection in list(self.connections):
            if connection.detached:
                continue
            if not connection.heard:
                connection.outbox.abort()
            else:
                connection.heard = False
                connection.outbox.ping()
        self.alarms.set("sweep", Millis(self.now() + SWEEP), self._sweep)

    # Peers

    def connected(self, connection: Connection) -> None:
        """A peer has connected."""
        if self.draining:
            connection.outbox.close(RESTARTING, "the server restarts, come back in a moment")
        self.connections.add(connection)
        self._foyer.enter(connection)

    def admit(self, connection: Connection, guest: Guest) -> None:
        """The peer is this guest: its transport knows, or it has said so."""
        if connection.person != guest.person:
            if connection.person is not None:
                self._count(connection.person, -1)
            self._count(guest.person, 1)
            connection.handlers = self._deeds
        connection.person, connection.name = guest

    def transport_lost(self, connection: Connection) -> None:
        """The peer's transport broke, and may be replaced; nobody hears of it for a while."""
        if not connection.detached and connection in self.connections:
            connection.detached = True
            self._hold(connection, self.now(), connection.dialect.reconnect_grace)
            if not connection.dialect.hides_disconnects and not self.draining:
                self.presence.cut(connection)
            self._veil(connection)

    def transport_replaced(self, connection: Connection) -> None:
        """The peer has a transport again."""
        connection.detached = False
        connection.heard = True
        self.alarms.clear(("cut", connection))
        self._veil(connection)
        if self.draining:
            return
        if connection.dialect.hides_disconnects:
            self._reunite(connection)
        else:
            self.presence.back(connection)

    def _veil(self, connection: Connection) -> None:
        for room, viewer in connection.rooms.items():
            if (live := self.executor.live_rooms.get(room)) is not None:
                self.room_list.veil(live)
                if self.replicas is not None:
                    self.replicas.afar.came(live, connection, viewer)

    def _online(self) -> int:
        return len(self.persons) + (0 if self.replicas is None else self.replicas.others)

    def _reunite(self, connection: Connection) -> None:
        """Lead a peer that waits alone to somebody who began to wait while it was away."""
        for room in list(connection.rooms):
            live = self.executor.live_rooms.get(room)
            if live is None or live.latest.phase is not Phase.WAITING or connection.person is None:
                continue
            if live.game.name in self._single and self.room_list.busy(live.game.name):
                continue
            if self.room_list.waiting(live.game.name, connection.person) is not None:
                connection.run_intents(
                    (dialect_interface.CloseRoom(room), intents.QuickMatch(live.game.name, rejoin=True)),
                    self.now(),
                )

    def _hold(self, connection: Connection, since: Millis, wait: int) -> None:
        if not self.draining:
            self.alarms.set(("cut", connection), Millis(since + wait), partial(self._drop, connection, since))

    def _drop(self, connection: Connection, since: Millis) -> None:
        """Give an absent peer up; one that nobody waits for is kept longer."""
        if not connection.rooms and self.now() < since + ABSENCE:
            self._hold(connection, since, ABSENCE)
        else:
            connection.outbox.abort()
            connection.closed()

    def disconnected(self, connection: Connection) -> None:
        """A peer is no longer connected."""
        if connection not in self.connections:
            return
        self.connections.discard(connection)
        self._foyer.leave(connection)
        self.room_list.unfollow(connection)
        self.legacy_lobby.leave(connection)
        if connection.person is not None:
            self._count(connection.person, -1)
        if self.draining:
            return
        self.alarms.clear(("cut", connection))
        if farewell := (*connection.dialect.pending_intents, *connection.dialect.on_disconnect()):
            connection.run_intents(farewell, self.now())
        for one in (*self._companions.leave(connection), connection):
            for room in list(one.rooms):
                if (live := self.executor.live_rooms.get(room)) is not None:
                    self.presence.leave(live, one)
                    self.room_list.touch(live)

    def _become(self, connection: Connection, intent: dialect_interface.SwitchDialect, now: Millis) -> None:
        """Give the peer another dialect; what it had by the old one it leaves behind."""
        old = connection.dialect
        connection.run_intents((*old.pending_intents, *old.on_disconnect()), now)
        self._foyer.leave(connection)
        connection.dialect = intent.dialect
        self._foyer.enter(connection)
        for wish in connection.dialect.decode(intent.frame):
            connection.handlers[type(wish)](connection, wish, now)

    def has_pending_intents(self, connection: Connection) -> None:
        """A notice made the peer's dialect want something: it is done in the next turn of the loop."""
        if not self._wishful:
            asyncio.get_running_loop().call_soon(self._grant)
        self._wishful.append(connection)

    def _grant(self) -> None:
        wishful, self._wishful = self._wishful, []
        now = self.now()
        for connection in wishful:
            if connection in self.connections and not self.draining:
                wishes, connection.dialect.pending_intents = connection.dialect.pending_intents, ()
                connection.run_intents(wishes, now)
        self.executor.journal.write()

    def failed(self, connection: Connection, error: Exception) -> None:
        """Something of ours failed while a peer was heard; it learns a number and nothing else."""
        if isinstance(error, StoreError):
            self.internal_errors.store_broke(error)
            connection.send_notice(Refused(Refusal.UNAVAILABLE))
            return
        incident = self.internal_errors.peer(error)
        connection.send_notice(Refused(Refusal.INTERNAL, incident=incident))
        connection.outbox.close(BROKEN, incident)

    def _count(self, person: Person, by: int) -> None:
        self.persons[person] = self.persons.get(person, 0) + by
        if not self.persons[person]:
            del self.persons[person]
        self.room_list.stir()

    def _hello(self, connection: Connection, intent: intents.Hello, now: Millis) -> None:
        if intent.v != intents.PROTOCOL:
            connection.send_notice(
                Refused(Refusal.VERSION, about=f"this server speaks version {intents.PROTOCOL}")
            )
            return
        guest = self.identity.read(intent.token) if intent.token else None
        if guest is None and connection.person is not None:
            guest = Guest(connection.person, connection.name)
        if guest is None:
            guest = self.identity.guest()
        if intent.name:
            name = name_of(intent.name)
            if name is None:
                connection.send_notice(Refused(Refusal.BAD_NAME))
                if connection.person is not None:
                    return
            else:
                guest = Guest(guest.person, name)
        if connection.person not in {None, guest.person}:
            connection.send_notice(Refused(Refusal.NOT_ALLOWED))
            return
        self.admit(connection, guest)
        rooms = tuple(sorted(self.executor.seat_index.get(guest.person, ())))
        token = self.identity.token(guest)
        connection.send_notice(Welcome(intents.PROTOCOL, token, guest.name, now, self._cards, rooms))

    def _appear(self, connection: Connection, _intent: legacy_messages.BecomeGuest, _now: Millis) -> None:
        if connection.person is None:
            self.admit(connection, self.identity.guest())

    def _bounce_stranger(
        self, connection: Connection, intent: dialect_interface.RefuseFrame, now: Millis
    ) -> None:
        if intent.nonce:
            self._bounce(connection, intent, now)
        else:
            _hello_first(connection, intent, now)

    # Looking around

    def _lobby(self, connection: Connection, intent: intents.SubscribeLobby, now: Millis) -> None:
        if intent.on:
            self.room_list.follow(connection)
        else:
            self.room_list.unfollow(connection)

    def _ping(self, connection: Connection, intent: intents.Ping, now: Millis) -> None:
        connection.send_notice(Pong(intent.n, now))


def _hello_first(connection: Connection, _intent: AnyIntent, _now: Millis) -> None:
    connection.send_notice(Refused(Refusal.HELLO_FIRST))
