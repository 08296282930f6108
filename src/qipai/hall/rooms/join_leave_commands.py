"""Which table somebody is at: opening, joining, watching, coming back, leaving."""

import secrets
from collections.abc import Callable
from functools import partial

from msgspec import UNSET
from msgspec.structs import replace

from qipai.clients import legacy_messages
from qipai.clients.legacy_messages import SpectatorNames
from qipai.clients.spectator_names import names
from qipai.games.game_registry import Game
from qipai.hall.cluster.replication_interface import Retry
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.connections.rate_limit import ROOMS_PER_PERSON
from qipai.hall.journal.store_interface import Conflict, Store, StoreError
from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.people.identity import Identity
from qipai.hall.people.presence import Presence
from qipai.hall.people.quota import Quota
from qipai.hall.people.reports import Reports
from qipai.hall.people.resume import Resume
from qipai.hall.people.seat_transfer import SeatTransfer
from qipai.kernel import commands
from qipai.kernel.codec import Malformed, clean_line
from qipai.kernel.commands import MAX_TITLE, TableRules, TakeSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Millis, Nonce, Person, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase
from qipai.kernel.seats import seat_of
from qipai.protocol import dialect_interface, intents
from qipai.protocol.dialect_interface import SeatHeld
from qipai.protocol.notices import Left, Refused

from .command_executor import CommandExecutor
from .game_commands import GameCommands, chosen, clock_fault, place
from .live_room import LiveRoom


def _nothing() -> None:
    """Do nothing more."""


class JoinLeaveCommands:
    """Checks who asks, finds the table, and passes the command on.

    Of the games named in `single` people play one match at a time: while one runs at a public table,
    `Match` with `back` and a rematch at another table are refused.
    """

    def __init__(
        self,
        executor: CommandExecutor,
        presence: Presence,
        lobby: RoomListFeed,
        identity: Identity,
        store: Store,
        inbox: Inbox,
        lines: Quota,
        reports: Quota,
        single: frozenset[str],
    ) -> None:
        self.executor = executor
        self.presence = presence
        self.lobby = lobby
        self.identity = identity
        self._store = store
        self._single = single
        executor.seated = self._seated
        plays = GameCommands(executor, lines, self._taken)
        self.deeds: Handlers = {
            **plays.deeds,
            **SeatTransfer(executor, identity, self.find, self.later, self.arrive, self._room_for).deeds,
            **Reports(executor, reports).deeds,
            **Resume(executor, inbox, self).deeds,
            intents.OpenRoom: self._open,
            intents.Join: self._join,
            intents.QuickMatch: self._match,
            intents.Leave: self._leave,
            dialect_interface.CloseRoom: self._quit,
            dialect_interface.RefuseFrame: self.bounce,
            legacy_messages.TakeOpenSeat: self._take_over,
            legacy_messages.JoinOrWatch: self._visit,
            legacy_messages.PairOrOpen: self._pair_any,
        }

    def _open(self, connection: Connection, intent: intents.OpenRoom, now: Millis) -> None:
        assert connection.person is not None
        room_id = self.identity.room_id(connection.person, intent.nonce)
        if (live := self.executor.live_rooms.get(room_id)) is not None:
            self._take(live, connection, None, "", now)
            return
        game = self.executor.games.get(intent.game)
        if game is None:
            connection.send_notice(Refused(Refusal.NO_SUCH_GAME, nonce=intent.nonce))
            return
        if any(bot and bot not in game.bots for bot in (intent.bot, intent.table.substitute_bot)):
            connection.send_notice(Refused(Refusal.NO_SUCH_BOT, nonce=intent.nonce))
            return
        # Where others write as well, the race for its first record decides.
        if self.executor.replication is None and self._store.load(room_id) is not None:
            connection.send_notice(Refused(Refusal.ROOM_CLOSED, room_id, intent.nonce))
            return
        if intent.seat is not None and intent.seat >= game.rules.seats:
            connection.send_notice(Refused(Refusal.OUT_OF_RANGE, nonce=intent.nonce))
            return
        try:
            options = game.options(None) if intent.options is UNSET else chosen(game, intent.options)
        except Malformed as error:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, nonce=intent.nonce, about=str(error)))
            return
        if (wrong := clock_fault(intent.table.clock, game)) is not None:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, nonce=intent.nonce, about=wrong))
            return
        if not self._room_for(connection, intent.nonce):
            return
        table = replace(intent.table, title=clean_line(intent.table.title, MAX_TITLE))
        live = self.executor.open(game, room_id, options, _with_standin(table, game), now)
        self._take(live, connection, intent.seat, intent.player_entropy, now)
        if intent.bot:
            self._seat_bots(live, intent.bot, intent.bots, now)

    def _seat_bots(self, live: LiveRoom, bot: str, most: int | None, now: Millis) -> None:
        """Give empty seats to a bot of this name: so many of them, or all."""
        seats = range(len(live.latest.seats))
        sitter = next((seat for seat in seats if live.latest.seats[seat] is not None), 0)
        others = [(sitter + step) % len(seats) for step in seats]
        for number in [seat for seat in others if live.latest.seats[seat] is None][:most]:
            sit = TakeSeat(Person(f"bot:{bot}:{number}"), bot.capitalize(), Seat(number), bot)
            self.executor.submit(live, SYSTEM, sit, now)

    def _join(self, connection: Connection, intent: intents.Join, now: Millis) -> None:
        self.find(
            connection,
            intent.room,
            lambda live: self._take(live, connection, intent.seat, intent.player_entropy, now),
        )

    def _visit(self, connection: Connection, intent: legacy_messages.JoinOrWatch, now: Millis) -> None:
        if intent.watch:
            # A place that was asked for or left just before is had or gone first: the last one counts.
            self.executor.journal.after(lambda _: self._come(connection, intent, now))
        else:
            self._come(connection, intent, now)

    def _come(self, connection: Connection, intent: legacy_messages.JoinOrWatch, now: Millis) -> None:
        if not connection.outbox.closed:
            self.find(connection, intent.room, lambda live: self._enter(connection, intent, live, now))

    def _enter(
        self, connection: Connection, intent: legacy_messages.JoinOrWatch, live: LiveRoom, now: Millis
    ) -> None:
        if live.game.name != intent.game:
            connection.send_notice(Refused(Refusal.NO_SUCH_ROOM, intent.room))
        elif intent.watch:
            self.arrive(live, connection)
        else:
            self._take_first(live, connection, now)

    def _pair_any(self, connection: Connection, intent: legacy_messages.PairOrOpen, now: Millis) -> None:
        # As in `_match`: whoever asked just before is waiting already.
        self._alone(intent.game, lambda: self._pair_with(connection, intent, now))

    def _pair_with(self, connection: Connection, intent: legacy_messages.PairOrOpen, now: Millis) -> None:
        assert connection.person is not None
        if connection.outbox.closed:
            return
        game = self.executor.games[intent.game]
        live = self.lobby.waiting(game.name, connection.person, plain=False)
        mine = self._waiting_already(connection.person, game) if live is None else None
        if mine is not None and mine.durable.id in connection.rooms:
            self.arrive(mine, connection)
        elif live is not None:
            self._take_first(live, connection, now, partial(self._pair_any, connection, intent, now))
        else:
            once = Nonce(secrets.token_hex(8))
            self._open(connection, intents.OpenRoom(game.name, once, table=intent.table, seat=0), now)

    def _take_first(
        self, live: LiveRoom, connection: Connection, now: Millis, again: Retry | None = None
    ) -> None:
        first = live.first(live.latest)
        self._take(live, connection, first if live.latest.seats[first] is None else None, "", now, again)

    def _match(self, connection: Connection, intent: intents.QuickMatch, now: Millis) -> None:
        game = self.executor.games.get(intent.game)
        if game is None:
            connection.send_notice(Refused(Refusal.NO_SUCH_GAME))
            return
        # Whoever asked in the same turn of the loop must be waiting before this one looks.
        self._alone(game.name, lambda: self._pair(connection, game, intent, now))

    def _alone(self, game: str, work: Callable[[], None]) -> None:
        """Look for a table of a game when all that was asked before is done, here and elsewhere."""
        if self.executor.replication is None:
            self.executor.journal.after(lambda _: work())
        else:
            self.executor.replication.exclusively(game, lambda: self.executor.journal.after(lambda _: work()))

    def _pair(self, connection: Connection, game: Game, intent: intents.QuickMatch, now: Millis) -> None:
        assert connection.person is not None
        if connection.outbox.closed:
            return
        mine = self._playing_already(connection.person, game) if intent.rejoin else None
        mine = mine or self._waiting_already(connection.person, game)
        if mine is None and intent.rejoin and self._taken(game):
            connection.send_notice(Refused(Refusal.BUSY))
            return
        live = mine or self.lobby.waiting(game.name, connection.person)
        if live is None:
            if not self._room_for(connection, ""):
                return
            room_id = self.identity.room_id(connection.person, secrets.token_hex(8))
            live = self.executor.open(
                game, room_id, game.options(None), _with_standin(TableRules(), game), now
            )
        self._take(
            live, connection, None, intent.player_entropy, now, partial(self._match, connection, intent, now)
        )

    def _taken(self, game: Game, but: LiveRoom | None = None) -> bool:
        """Tell whether another table has the one match that the operator allows."""
        return game.name in self._single and self.lobby.busy(game.name, but)

    def _playing_already(self, person: Person, game: Game) -> LiveRoom | None:
        live_rooms = [self.executor.live_rooms[room] for room in self.executor.seat_index.get(person, ())]
        running = [live for live in live_rooms if live.game is game and live.latest.phase is Phase.PLAYING]
        return max(running, key=lambda live: (live.latest.at, live.latest.id), default=None)

    def _waiting_already(self, person: Person, game: Game) -> LiveRoom | None:
        for room in self.executor.seat_index.get(person, ()):
            live = self.executor.live_rooms[room]
            if live.game is game and live.latest.phase is Phase.WAITING and live.latest.table.public:
                return live
        return None

    def _room_for(self, connection: Connection, nonce: str) -> bool:
        assert connection.person is not None
        if self.executor.journal.full:
            connection.send_notice(Refused(Refusal.UNAVAILABLE, nonce=nonce))
            return False
        if self.executor.seat_index.total(connection.person) < ROOMS_PER_PERSON:
            return True
        connection.send_notice(Refused(Refusal.TOO_MANY_ROOMS, nonce=nonce))
        return False

    def find(
        self, connection: Connection, key: str, then: Callable[[LiveRoom], None], otherwise: Retry = _nothing
    ) -> None:
        """Find a table, at once if it is known here; `otherwise` is called after a refusal."""

        def refuse(code: Refusal) -> None:
            connection.send_notice(Refused(code, key))
            otherwise()

        def reached(live: LiveRoom | None) -> None:
            if live is None:
                refuse(Refusal.NO_SUCH_ROOM)
            elif connection.outbox.closed:
                otherwise()
            else:
                then(live)

        live = self.executor.find(key)
        if live is not None:
            then(live)
        elif self.executor.replication is None:
            refuse(Refusal.NO_SUCH_ROOM)
        else:
            self.executor.replication.reach(key, reached, partial(refuse, Refusal.UNAVAILABLE))

    def later(
        self,
        live: LiveRoom,
        connection: Connection,
        again: Retry,
        version: int = 0,
        otherwise: Retry = _nothing,
    ) -> bool:
        """Tell whether the table must be read first; then it is done `again` when that has happened."""
        if self.executor.replication is None or (not live.broken and live.durable.version >= version):
            return False

        def sorry() -> None:
            connection.send_notice(Refused(Refusal.UNAVAILABLE, live.durable.id))
            otherwise()

        self.executor.replication.wait(live, again, sorry)
        return True

    def _take(
        self,
        live: LiveRoom,
        connection: Connection,
        seat: int | None,
        luck: str,
        now: Millis,
        again: Retry | None = None,
    ) -> None:
        """Give the peer its seat: the one it has, or a new one."""
        assert connection.person is not None
        if self.later(live, connection, partial(self._take, live, connection, seat, luck, now, again)):
            return
        known = seat_of(live.latest.seats, connection.person)
        if known is not None and known == seat_of(live.durable.seats, connection.person):
            self.arrive(live, connection)
            return
        if known is None and not self._room_for(connection, ""):
            return
        place = None if seat is None else Seat(seat)
        if self.executor.replication is not None and connection.handle:
            self.executor.replication.announce(live, connection)
        sit = TakeSeat(
            connection.person,
            connection.name,
            place,
            player_entropy=bytes.fromhex(luck),
            sees_hidden=connection.dialect.sees_hidden,
        )
        self.executor.submit(live, SYSTEM, sit, now, connection, again=again)
        self.executor.seat_index.expect(connection.person, live.latest.id, self.executor.journal)

    def _take_over(self, connection: Connection, intent: legacy_messages.TakeOpenSeat, now: Millis) -> None:
        live = self.executor.live_rooms.get(intent.room)
        if live is None:
            connection.send_notice(Refused(Refusal.NO_SUCH_ROOM, intent.room, intent.nonce))
            return
        if self.later(live, connection, partial(self._take_over, connection, intent, now)):
            return
        if not live.latest.table.legacy.open_seats:
            if not intent.token.isascii() or not self.identity.opens(
                intent.token, live.latest.id, intent.seat
            ):
                connection.send_notice(Refused(Refusal.NOT_ALLOWED, intent.room, intent.nonce))
                return
            connection.person, connection.name = self.identity.sitter(live.latest.id, intent.seat)
        assert connection.person is not None
        if seat_of(live.durable.seats, connection.person) is not None:
            self.arrive(live, connection)
            return
        sit = TakeSeat(connection.person, connection.name, intent.seat, move=intent.move)
        self.executor.submit(live, SYSTEM, sit, now, connection, intent.nonce)

    def _seated(self, live: LiveRoom, connection: Connection) -> None:
        self.arrive(live, connection, new=True)
        if connection.outbox.closed:
            connection.run_intents(connection.dialect.on_disconnect(), self.executor.now())
            self.presence.leave(live, connection)

    def arrive(
        self, live: LiveRoom, connection: Connection, *, quietly: bool = False, new: bool = False
    ) -> None:
        """Put the peer at the table, in its seat or as a watcher, and show it."""
        assert connection.person is not None
        if self.later(live, connection, partial(self.arrive, live, connection, quietly=quietly, new=new)):
            return
        seat = seat_of(live.durable.seats, connection.person)
        if seat is not None and seat_of(live.latest.seats, connection.person) is None:
            # He has stood up, and it is not written yet.
            seat = None
        if seat is None and not live.durable.table.spectators:
            connection.send_notice(Refused(Refusal.NO_SPECTATORS, live.durable.id))
            return
        viewer = SPECTATOR if seat is None else seat
        room = live.durable.id
        for other, holder in live.holders.items():
            connection.send_notice(SeatHeld(room, other, holder.handle))
        for there in live.remote_members.values():
            if there.viewer != SPECTATOR:
                connection.send_notice(SeatHeld(room, there.viewer, there.handle))
        if seat is not None:
            connection.send_notice(SeatHeld(room, seat, connection.handle, new))
        if connection.dialect.encoding_key is None:
            connection.send_notice(SpectatorNames(room, names(live, connection if seat is None else None)))
        if not quietly:
            self.executor.send_full_room(live, connection, viewer)
        self.presence.enter(live, connection, viewer)
        self.lobby.touch(live)

    def _leave(self, connection: Connection, intent: intents.Leave, now: Millis) -> None:
        found = place(self.executor, connection, intent.room, "")
        if found is None:
            return
        live, viewer = found
        self.presence.leave(live, connection)
        if viewer != SPECTATOR:
            self.executor.submit(live, viewer, commands.LeaveSeat(), now)
        self.lobby.touch(live)
        self.executor.journal.after(partial(self._left, live, connection), live.latest.id)

    def _left(self, live: LiveRoom, connection: Connection, failure: StoreError | None) -> None:
        # Who lost a race to another worker is led out by the next try.
        if failure is None or isinstance(failure, Conflict):
            connection.send_notice(Left(live.durable.id))
        elif not connection.outbox.closed:
            connection.send_notice(Refused(Refusal.UNAVAILABLE, live.durable.id))
            self.arrive(live, connection)

    def _quit(self, connection: Connection, intent: dialect_interface.CloseRoom, now: Millis) -> None:
        live, viewer = self.executor.live_rooms.get(intent.room), connection.rooms.get(intent.room)
        if live is None or viewer is None:
            return
        self.presence.leave(live, connection)
        if viewer != SPECTATOR:
            self.executor.submit(live, SYSTEM, commands.Close(), now)
        self.lobby.touch(live)

    def bounce(self, connection: Connection, intent: dialect_interface.RefuseFrame, now: Millis) -> None:
        """Refuse what the dialect found wrong, once all that was asked before has been done."""
        self.executor.journal.after(
            lambda _: connection.send_notice(Refused(intent.code, nonce=intent.nonce))
        )


def _with_standin(table: TableRules, game: Game) -> TableRules:
    """Return a table where nobody forfeits because a bot goes on for whoever is gone, if one does."""
    standin = table.substitute_bot or game.standin
    return replace(table, substitute_bot=standin, disconnect_timeout=0) if standin else table
