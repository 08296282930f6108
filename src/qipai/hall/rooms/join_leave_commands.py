"""Entering and leaving rooms: opening, joining, arriving, leaving, closing."""

from collections.abc import Callable
from functools import partial

from msgspec import UNSET
from msgspec.structs import replace

from qipai.games.game_registry import Game
from qipai.hall.cluster.replication_interface import Retry
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.rate_limit import ROOMS_PER_PERSON
from qipai.hall.journal.store_interface import Conflict, Store, StoreError
from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.people.identity import Identity
from qipai.hall.people.presence import Presence
from qipai.kernel import commands
from qipai.kernel.codec import Malformed, clean_line
from qipai.kernel.commands import MAX_TITLE, TableRules, TakeSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Person, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.seats import seat_of
from qipai.protocol import dialect_interface, intents
from qipai.protocol.dialect_interface import SeatHeld
from qipai.protocol.notices import Left, Refused

from .command_executor import CommandExecutor
from .game_commands import clock_fault, read_options, room_of
from .live_room import LiveRoom


def _do_nothing() -> None:
    """Do nothing more."""


class JoinLeaveCommands:
    """Finds the room, checks the request, submits the command; seats and shows the room when it is durable."""

    def __init__(
        self,
        executor: CommandExecutor,
        presence: Presence,
        room_list: RoomListFeed,
        identity: Identity,
        store: Store,
    ) -> None:
        self._executor = executor
        self._presence = presence
        self._room_list = room_list
        self._identity = identity
        self._store = store
        executor.seated = self._seated
        self.handlers: Handlers = {
            intents.OpenRoom: self.open,
            intents.Join: self._join,
            intents.Leave: self._leave,
            dialect_interface.CloseRoom: self._close,
            dialect_interface.RefuseFrame: self.refuse_frame,
        }

    # Opening and joining

    def open(self, connection: Connection, intent: intents.OpenRoom, now: Millis) -> None:
        """Open a room and give the connection a seat in it; the same intent twice opens one room."""
        assert connection.person is not None
        room_id = self._identity.room_id(connection.person, intent.nonce)
        if (live := self._executor.live_rooms.get(room_id)) is not None:
            self.take_seat(live, connection, None, "", now)
            return
        game = self._executor.games.get(intent.game)
        if game is None:
            connection.send_notice(Refused(Refusal.NO_SUCH_GAME, nonce=intent.nonce))
            return
        if any(bot and bot not in game.bots for bot in (intent.bot, intent.table.substitute_bot)):
            connection.send_notice(Refused(Refusal.NO_SUCH_BOT, nonce=intent.nonce))
            return
        # With several workers the commit of the first record decides.
        if self._executor.replication is None and self._store.load(room_id) is not None:
            connection.send_notice(Refused(Refusal.ROOM_CLOSED, room_id, intent.nonce))
            return
        if intent.seat is not None and intent.seat >= game.rules.seats:
            connection.send_notice(Refused(Refusal.OUT_OF_RANGE, nonce=intent.nonce))
            return
        try:
            options = game.options(None) if intent.options is UNSET else read_options(game, intent.options)
        except Malformed as error:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, nonce=intent.nonce, about=str(error)))
            return
        if (fault := clock_fault(intent.table.clock, game)) is not None:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, nonce=intent.nonce, about=fault))
            return
        if not self.may_take_seat(connection, intent.nonce):
            return
        table = replace(intent.table, title=clean_line(intent.table.title, MAX_TITLE))
        live = self._executor.open(game, room_id, options, with_substitute_bot(table, game), now)
        self.take_seat(live, connection, intent.seat, intent.player_entropy, now)
        if intent.bot:
            self._seat_bots(live, intent.bot, intent.bots, now)

    def _seat_bots(self, live: LiveRoom, bot: str, most: int | None, now: Millis) -> None:
        """Give free seats to a bot of this name: at most so many of them, or all."""
        seats = range(len(live.latest.seats))
        first = next((seat for seat in seats if live.latest.seats[seat] is not None), 0)
        others = [(first + step) % len(seats) for step in seats]
        for number in [seat for seat in others if live.latest.seats[seat] is None][:most]:
            take = TakeSeat(Person(f"bot:{bot}:{number}"), bot.capitalize(), Seat(number), bot)
            self._executor.submit(live, SYSTEM, take, now)

    def _join(self, connection: Connection, intent: intents.Join, now: Millis) -> None:
        self.find(
            connection,
            intent.room,
            lambda live: self.take_seat(live, connection, intent.seat, intent.player_entropy, now),
        )

    def may_take_seat(self, connection: Connection, nonce: str) -> bool:
        """Tell whether the person may take one more seat now; refuse otherwise."""
        assert connection.person is not None
        if self._executor.journal.full:
            connection.send_notice(Refused(Refusal.UNAVAILABLE, nonce=nonce))
            return False
        if self._executor.seat_index.total(connection.person) < ROOMS_PER_PERSON:
            return True
        connection.send_notice(Refused(Refusal.TOO_MANY_ROOMS, nonce=nonce))
        return False

    def find(
        self,
        connection: Connection,
        key: str,
        then: Callable[[LiveRoom], None],
        otherwise: Retry = _do_nothing,
    ) -> None:
        """Find a room by id or code, at once if this worker has it; `otherwise` follows a refusal."""

        def refuse(code: Refusal) -> None:
            connection.send_notice(Refused(code, key))
            otherwise()

        def loaded(live: LiveRoom | None) -> None:
            if live is None:
                refuse(Refusal.NO_SUCH_ROOM)
            elif connection.outbox.closed:
                otherwise()
            else:
                then(live)

        live = self._executor.find(key)
        if live is not None:
            then(live)
        elif self._executor.replication is None:
            refuse(Refusal.NO_SUCH_ROOM)
        else:
            self._executor.replication.reach(key, loaded, partial(refuse, Refusal.UNAVAILABLE))

    def later(
        self,
        live: LiveRoom,
        connection: Connection,
        again: Retry,
        version: int = 0,
        otherwise: Retry = _do_nothing,
    ) -> bool:
        """Tell whether the room must be read first; if so, `again` is called once it is up to date."""
        if self._executor.replication is None or (not live.broken and live.durable.version >= version):
            return False

        def refuse() -> None:
            connection.send_notice(Refused(Refusal.UNAVAILABLE, live.durable.id))
            otherwise()

        self._executor.replication.wait(live, again, refuse)
        return True

    def take_seat(
        self,
        live: LiveRoom,
        connection: Connection,
        seat: int | None,
        player_entropy: str,
        now: Millis,
        again: Retry | None = None,
    ) -> None:
        """Give the connection its seat: the one its person has, this one, or any free one."""
        assert connection.person is not None
        if self.later(
            live, connection, partial(self.take_seat, live, connection, seat, player_entropy, now, again)
        ):
            return
        taken = seat_of(live.latest.seats, connection.person)
        if taken is not None and taken == seat_of(live.durable.seats, connection.person):
            self.arrive(live, connection)
            return
        if taken is None and not self.may_take_seat(connection, ""):
            return
        if self._executor.replication is not None and connection.handle:
            self._executor.replication.announce(live, connection)
        take = TakeSeat(
            connection.person,
            connection.name,
            None if seat is None else Seat(seat),
            player_entropy=bytes.fromhex(player_entropy),
            sees_hidden=connection.dialect.sees_hidden,
        )
        self._executor.submit(live, SYSTEM, take, now, connection, again=again)
        self._executor.seat_index.expect(connection.person, live.latest.id, self._executor.journal)

    def room_of(self, connection: Connection, room: str, nonce: str) -> tuple[LiveRoom, Seat] | None:
        """Return the room and the connection's seat or spectator number in it, or refuse."""
        return room_of(self._executor, connection, room, nonce)

    # Arriving and leaving

    def _seated(self, live: LiveRoom, connection: Connection) -> None:
        self.arrive(live, connection, new=True)
        if connection.outbox.closed:
            connection.run_intents(connection.dialect.on_disconnect(), self._executor.now())
            self._presence.leave(live, connection)

    def arrive(
        self, live: LiveRoom, connection: Connection, *, quietly: bool = False, new: bool = False
    ) -> None:
        """Make the connection a member of the room, in its seat or as a spectator, and show it the room."""
        assert connection.person is not None
        if self.later(live, connection, partial(self.arrive, live, connection, quietly=quietly, new=new)):
            return
        seat = seat_of(live.durable.seats, connection.person)
        if seat is not None and seat_of(live.latest.seats, connection.person) is None:
            # The person has left the seat, and that is not durable yet.
            seat = None
        if seat is None and not live.durable.table.spectators:
            connection.send_notice(Refused(Refusal.NO_SPECTATORS, live.durable.id))
            return
        viewer = SPECTATOR if seat is None else seat
        room = live.durable.id
        for other, holder in live.holders.items():
            connection.send_notice(SeatHeld(room, other, holder.handle))
        for member in live.remote_members.values():
            if member.viewer != SPECTATOR:
                connection.send_notice(SeatHeld(room, member.viewer, member.handle))
        if seat is not None:
            connection.send_notice(SeatHeld(room, seat, connection.handle, new))
        for notice in self._executor.observers.arrival_notices(live, connection, seat):
            connection.send_notice(notice)
        if not quietly:
            self._executor.send_full_room(live, connection, viewer)
        self._presence.enter(live, connection, viewer)
        self._room_list.touch(live)

    def _leave(self, connection: Connection, intent: intents.Leave, now: Millis) -> None:
        found = room_of(self._executor, connection, intent.room, "")
        if found is None:
            return
        live, viewer = found
        self._presence.leave(live, connection)
        if viewer != SPECTATOR:
            self._executor.submit(live, viewer, commands.LeaveSeat(), now)
        self._room_list.touch(live)
        self._executor.journal.after(partial(self._left, live, connection), live.latest.id)

    def _left(self, live: LiveRoom, connection: Connection, failure: StoreError | None) -> None:
        # A command that lost a commit conflict is repeated, and then leaves the seat.
        if failure is None or isinstance(failure, Conflict):
            connection.send_notice(Left(live.durable.id))
        elif not connection.outbox.closed:
            connection.send_notice(Refused(Refusal.UNAVAILABLE, live.durable.id))
            self.arrive(live, connection)

    def _close(self, connection: Connection, intent: dialect_interface.CloseRoom, now: Millis) -> None:
        live, viewer = self._executor.live_rooms.get(intent.room), connection.rooms.get(intent.room)
        if live is None or viewer is None:
            return
        self._presence.leave(live, connection)
        if viewer != SPECTATOR:
            self._executor.submit(live, SYSTEM, commands.Close(), now)
        self._room_list.touch(live)

    def refuse_frame(
        self, connection: Connection, intent: dialect_interface.RefuseFrame, now: Millis
    ) -> None:
        """Refuse a frame that the dialect rejected, once all earlier commands are durable."""
        self._executor.journal.after(
            lambda _: connection.send_notice(Refused(intent.code, nonce=intent.nonce))
        )


def with_substitute_bot(table: TableRules, game: Game) -> TableRules:
    """Return the table rules with the game's substitute bot; where there is one, disconnection forfeits nothing."""
    bot = table.substitute_bot or game.standin
    return replace(table, substitute_bot=bot, disconnect_timeout=0) if bot else table
