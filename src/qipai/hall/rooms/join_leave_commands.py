"""Entering and leaving rooms: opening, joining, arriving, leaving, closing."""

from functools import partial

from msgspec import UNSET
from msgspec.structs import replace

from qipai.games.game import Game
from qipai.hall.api_tokens.bot_seating import BotSeating
from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.cluster.replication_interface import Callback
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.journal.store_interface import Conflict, StoreError
from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.moderation.enforcement_interface import SanctionChecks
from qipai.hall.people.address_limits import AddressLimits
from qipai.hall.people.identity import Identity
from qipai.hall.people.person_quota import ROOMS_PER_PERSON
from qipai.hall.people.presence import Presence
from qipai.kernel import commands
from qipai.kernel.codec import Malformed, clean_line
from qipai.kernel.commands import MAX_TITLE, TableRules, TakeSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Person, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.seats import seat_of
from qipai.kernel.view_values import table_rules_of
from qipai.protocol import dialect_interface, intents
from qipai.protocol.dialect_interface import SeatHeld
from qipai.protocol.notices import Left, Refused

from . import hidden_information, rated_tables
from .command_executor import CommandExecutor
from .game_commands import clock_fault, read_options, room_of
from .live_room import LiveRoom


class JoinLeaveCommands:
    """Finds rooms, checks requests and submits commands; lets connections arrive once that is durable."""

    def __init__(
        self,
        executor: CommandExecutor,
        presence: Presence,
        room_list: RoomListFeed,
        identity: Identity,
        inbox: Inbox,
        tasks: BackgroundTasks,
        address_limits: AddressLimits,
        sanctions: SanctionChecks,
        bots: BotSeating,
    ) -> None:
        self.sanctions = sanctions
        self._executor = executor
        self._presence = presence
        self._room_list = room_list
        self._identity = identity
        self._tasks = tasks
        self._address_limits = address_limits
        self.bots = bots
        executor.seat_listeners.append(self._seated)
        self.handlers: Handlers = {
            intents.OpenRoom: inbox.handler(self.open),
            intents.Join: inbox.handler(self._join),
            intents.Leave: self._leave,
            dialect_interface.CloseRoom: self._close,
            dialect_interface.RefuseFrame: self.refuse_frame,
        }

    # Opening and joining

    async def open(self, connection: Connection, intent: intents.OpenRoom, now: Millis) -> None:
        """Open a room and give the connection a seat in it; the same intent twice opens one room."""
        assert connection.person is not None
        room_id = self._identity.room_id(connection.person, intent.nonce)
        try:
            live = self._executor.replication.live_room(room_id)
        except StoreError:
            connection.send_notice(Refused(Refusal.UNAVAILABLE, nonce=intent.nonce))
            return
        if live is not None:
            await self.take_seat(live, connection, None, "", now)
            return
        game = self._executor.games.get(intent.game)
        if game is None:
            connection.send_notice(Refused(Refusal.NO_SUCH_GAME, nonce=intent.nonce))
            return
        if any(bot and bot not in game.bots for bot in (intent.bot, intent.table.substitute_bot)):
            connection.send_notice(Refused(Refusal.NO_SUCH_BOT, nonce=intent.nonce))
            return
        # With several workers the commit of the first record decides.
        if self._executor.replication.opened_before(room_id):
            connection.send_notice(Refused(Refusal.ROOM_CLOSED, room_id, intent.nonce))
            return
        if intent.seat is not None and intent.seat >= game.rules.seats:
            connection.send_notice(Refused(Refusal.OUT_OF_RANGE, nonce=intent.nonce))
            return
        try:
            options = (
                game.read_chosen_options(None)
                if intent.options is UNSET
                else read_options(game, intent.options)
            )
        except Malformed as error:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, nonce=intent.nonce, about=str(error)))
            return
        table = table_rules_of(intent.table)
        if (fault := clock_fault(table.clock, game)) is not None:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, nonce=intent.nonce, about=fault))
            return
        if (refusal := self.bots.open_refusal(connection, table)) is not None:
            connection.send_notice(Refused(refusal, nonce=intent.nonce))
            return
        rated = partial(rated_tables.may_open, self.sanctions, connection, game, options, table)
        if not rated(intent.nonce, bots=bool(intent.bot)):
            return
        if not await self.may_open_room(connection, intent.nonce, now):
            return
        if (live := self._executor.live_rooms.get(room_id)) is not None:
            # Another connection of the person sent the same intent in the meantime.
            await self.take_seat(live, connection, None, "", now)
            return
        title = "" if self.sanctions.is_muted(connection) else clean_line(table.title, MAX_TITLE)
        table = replace(table, title=title)
        table = with_substitute_bot(table, game)
        others = game.rules.seats - 1
        if intent.bot and (intent.bots or others) >= others:
            # Nobody waits for the only person at the table: the game does.
            table = replace(table, disconnect_timeout=0)
        live = self._executor.open(game, room_id, options, table, now)
        live.opened_from = connection.address
        self._take(live, connection, intent.seat, intent.player_entropy, now)
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

    async def _join(self, connection: Connection, intent: intents.Join, now: Millis) -> None:
        live = await self.find(connection, intent.room)
        if live is None:
            return
        if hidden_information.must_accept(live, connection) and not intent.accept_sees_hidden:
            connection.send_notice(Refused(Refusal.SEES_HIDDEN, live.durable.id))
            return
        await self.take_seat(live, connection, intent.seat, intent.player_entropy, now)

    def may_take_seat(self, connection: Connection, nonce: str) -> bool:
        """Tell whether the person may take one more seat now; refuse otherwise."""
        assert connection.person is not None
        if self._executor.journal.full:
            connection.send_notice(Refused(Refusal.UNAVAILABLE, nonce=nonce))
            return False
        held = self._executor.seat_index.total(connection.person)
        if held < ROOMS_PER_PERSON and self.bots.may_take_seat(connection, held):
            return True
        connection.send_notice(Refused(Refusal.TOO_MANY_ROOMS, nonce=nonce))
        return False

    async def may_open_room(self, connection: Connection, nonce: str, now: Millis) -> bool:
        """Count a room for the address of a connection; tell whether it may be opened, or refuse."""
        if not self.may_take_seat(connection, nonce):
            return False
        if await self.bots.may_open_table(connection, now) and await self._address_limits.may_open_room(
            connection.address, now
        ):
            return True
        connection.send_notice(Refused(Refusal.RATE_LIMITED, nonce=nonce))
        return False

    async def find(self, connection: Connection, key: str, nonce: str = "") -> LiveRoom | None:
        """Return a room by id or code, at once if this worker has it; refuse and return None otherwise."""
        live = self._executor.find(key)
        if live is not None:
            return live
        try:
            live = await self._executor.replication.find(key)
        except StoreError:
            connection.send_notice(Refused(Refusal.UNAVAILABLE, key, nonce))
            return None
        if live is None:
            connection.send_notice(Refused(Refusal.NO_SUCH_ROOM, key, nonce))
        return None if connection.outbox.closed else live

    async def ready(self, live: LiveRoom, connection: Connection, version: int = 0) -> bool:
        """Tell whether the room takes commands, once it has this version; refuse otherwise."""
        try:
            await self._executor.replication.ready(live, version)
        except StoreError:
            connection.send_notice(Refused(Refusal.UNAVAILABLE, live.durable.id))
            return False
        return True

    async def take_seat(
        self,
        live: LiveRoom,
        connection: Connection,
        seat: int | None,
        player_entropy: str,
        now: Millis,
        again: Callback | None = None,
    ) -> None:
        """Give the connection its seat: the one its person has, this one, or any free one."""
        assert connection.person is not None
        if not await self.ready(live, connection):
            return
        taken = seat_of(live.latest.seats, connection.person)
        if taken is not None and taken == seat_of(live.durable.seats, connection.person):
            await self.arrive(live, connection)
        elif taken is None and hidden_information.is_refused(live, connection):
            connection.send_notice(Refused(Refusal.SEES_HIDDEN, live.durable.id))
        elif taken is None and (refusal := self._bot_refusal(live, connection)) is not None:
            connection.send_notice(Refused(refusal, live.durable.id))
        elif taken is None and rated_tables.needs_account(live.latest, connection):
            connection.send_notice(Refused(Refusal.ACCOUNT_NEEDED, live.durable.id))
        elif (
            taken is None
            and live.latest.table.rated
            and self.sanctions.refuses_unrated(connection, live.durable.id)
        ):
            pass
        elif taken is not None or self.may_take_seat(connection, ""):
            self._take(live, connection, seat, player_entropy, now, again)

    def _bot_refusal(self, live: LiveRoom, connection: Connection) -> Refusal | None:
        return self.bots.join_refusal(connection, live.latest.table, live.latest.seats)

    def _take(
        self,
        live: LiveRoom,
        connection: Connection,
        seat: int | None,
        player_entropy: str,
        now: Millis,
        again: Callback | None = None,
    ) -> None:
        assert connection.person is not None
        if connection.handle:
            self._executor.replication.announce_handle(live, connection)
        take = TakeSeat(
            connection.person,
            connection.name,
            None if seat is None else Seat(seat),
            player_entropy=bytes.fromhex(player_entropy),
            sees_hidden=connection.dialect.sees_hidden,
            bot_account=connection.bot,
        )
        self._executor.submit(live, SYSTEM, take, now, connection, again=again)
        self._executor.seat_index.expect(connection.person, live.latest.id, self._executor.journal)

    def room_of(self, connection: Connection, room: str, nonce: str) -> tuple[LiveRoom, Seat] | None:
        """Return the room and the connection's seat or spectator number in it, or refuse."""
        return room_of(self._executor, connection, room, nonce)

    # Arriving and leaving

    def _seated(self, live: LiveRoom, connection: Connection) -> None:
        self._tasks.run(connection.guard(self._arrive_seated(live, connection)))

    async def _arrive_seated(self, live: LiveRoom, connection: Connection) -> None:
        await self.arrive(live, connection, new=True)
        if connection.outbox.closed:
            connection.run_intents(connection.dialect.on_disconnect(), self._executor.now())
            self._presence.leave(live, connection)

    def start_arrival(self, live: LiveRoom, connection: Connection, *, quietly: bool = False) -> None:
        """Run `arrive`: at once if the room can be shown."""
        self._tasks.run(connection.guard(self.arrive(live, connection, quietly=quietly)))

    async def arrive(
        self, live: LiveRoom, connection: Connection, *, quietly: bool = False, new: bool = False
    ) -> None:
        """Make the connection a member of the room, in its seat or as a spectator, and show it the room."""
        assert connection.person is not None
        if not await self.ready(live, connection):
            return
        seat = seat_of(live.durable.seats, connection.person)
        if seat is not None and seat_of(live.latest.seats, connection.person) is None:
            # The person has left the seat, and that is not durable yet.
            seat = None
        if seat is not None and self.bots.people_only_refusal(connection) is Refusal.API_TOKEN_NEEDED:
            seat = None  # Only its program plays for a bot account; the owner watches.
        if seat is None and not live.durable.table.spectators:
            connection.send_notice(Refused(Refusal.NO_SPECTATORS, live.durable.id))
            return
        viewer = SPECTATOR if seat is None else seat
        room = live.durable.id
        for other, holder in live.holders.items():
            connection.send_notice(SeatHeld(room, other, holder.handle))
        for player in live.remote_players.values():
            connection.send_notice(SeatHeld(room, player.viewer, player.handle))
        if seat is not None:
            connection.send_notice(SeatHeld(room, seat, connection.handle, new))
        for notice in self._executor.observers.arrival_notices(live, connection, seat):
            connection.send_notice(notice)
        if not quietly:
            self._executor.send_full_room(live, connection, viewer)
        self._presence.enter(live, connection, viewer)
        self._room_list.row_changed(live)

    def _leave(self, connection: Connection, intent: intents.Leave, now: Millis) -> None:
        found = room_of(self._executor, connection, intent.room, "")
        if found is None:
            return
        live, viewer = found
        self._presence.leave(live, connection)
        if viewer != SPECTATOR:
            self._executor.submit(live, viewer, commands.LeaveSeat(), now)
        self._room_list.row_changed(live)
        self._executor.journal.after(partial(self._left, live, connection), live.latest.id)

    def _left(self, live: LiveRoom, connection: Connection, failure: StoreError | None) -> None:
        # A command that lost a commit conflict is repeated, and then leaves the seat.
        if failure is None or isinstance(failure, Conflict):
            connection.send_notice(Left(live.durable.id))
        elif not connection.outbox.closed:
            connection.send_notice(Refused(Refusal.UNAVAILABLE, live.durable.id))
            self.start_arrival(live, connection)

    def _close(self, connection: Connection, intent: dialect_interface.CloseRoom, now: Millis) -> None:
        live, viewer = self._executor.live_rooms.get(intent.room), connection.rooms.get(intent.room)
        if live is None or viewer is None:
            return
        self._presence.leave(live, connection)
        if viewer != SPECTATOR:
            self._executor.submit(live, SYSTEM, commands.Close(), now)
        self._room_list.row_changed(live)

    def refuse_frame(
        self, connection: Connection, intent: dialect_interface.RefuseFrame, now: Millis
    ) -> None:
        """Refuse a frame that the dialect rejected, once all earlier commands are durable."""
        self._executor.journal.after(
            lambda _: connection.send_notice(Refused(intent.code, nonce=intent.nonce))
        )


def with_substitute_bot(table: TableRules, game: Game) -> TableRules:
    """Return the rules with the game's substitute bot; with one, a disconnect forfeits nothing."""
    if table.rated:
        return table
    bot = table.substitute_bot or game.substitute_bot
    return replace(table, substitute_bot=bot, disconnect_timeout=0) if bot else table
