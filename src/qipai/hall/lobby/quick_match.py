"""Quick match: joins a public room that waits for a player, or opens one."""

import secrets
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from msgspec import UNSET

from qipai.games.game import Game
from qipai.hall.background_tasks import Work
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.people.identity import Identity
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.game_commands import clock_fault, read_options
from qipai.hall.rooms.hidden_information import others_may_see
from qipai.hall.rooms.join_leave_commands import JoinLeaveCommands, with_substitute_bot
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.clock import ClockPlan
from qipai.kernel.codec import Malformed
from qipai.kernel.commands import TableRules
from qipai.kernel.ids import Millis, Person, RoomId
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import free_seat, is_human, seat_of
from qipai.kernel.view_values import clock_plan_of
from qipai.protocol import intents
from qipai.protocol.notices import Refused


class MatchKey(NamedTuple):
    """What two players who are matched agree on; the options are encoded."""

    game: str
    options: bytes
    clock: ClockPlan | None


def match_key(game: str, options: Any, clock: ClockPlan | None) -> MatchKey:
    """Return the key of a game with these options and this clock."""
    return MatchKey(game, encode(options), clock)


class WaitingRooms:
    """The public rooms that wait for a player, by game, the oldest first.

    Of the games in `single` the operator allows one public match at a time.
    """

    def __init__(self, executor: CommandExecutor, single: frozenset[str] = frozenset()) -> None:
        self._live_rooms = executor.live_rooms
        self._single = single
        self._waiting: dict[str, dict[RoomId, None]] = {name: {} for name in executor.games}
        """Those with the default options of their game: older clients know no others."""
        self._matchable: dict[MatchKey, dict[RoomId, None]] = {}
        """Those that quick match uses, by what their players agree on."""
        self._playing: dict[str, set[RoomId]] = {name: set() for name in executor.games}
        executor.room_listeners.append(self._changed)

    def find(self, wanted: MatchKey, person: Person) -> LiveRoom | None:
        """Return the room that has waited longest for another player, with these options and this clock."""
        return self._find(self._matchable.get(wanted, ()), person)

    def find_any(self, game: str, person: Person) -> LiveRoom | None:
        """Return the room that has waited longest for another player of this game, by its default options."""
        return self._find(self._waiting.get(game, ()), person)

    def _find(self, rooms: Iterable[RoomId], person: Person) -> LiveRoom | None:
        for room in rooms:
            live = self._live_rooms.get(room)
            # The latest value counts, not the durable one: the last seat may be taken already.
            if (
                live is not None
                and _has_connected_player(live)
                and _waits(live.latest)
                and free_seat(live.latest.seats) is not None
                and seat_of(live.latest.seats, person) is None
                # Nobody is seated without being asked where others may see what is hidden.
                and not others_may_see(live, live.latest)
            ):
                return live
        return None

    def match_taken(self, game: Game, except_room: LiveRoom | None = None) -> bool:
        """Tell whether another public room has the one match of this game that the operator allows."""
        return game.name in self._single and self._busy(game.name, except_room)

    def _busy(self, game: str, except_room: LiveRoom | None) -> bool:
        rooms = {*self._playing.get(game, ()), *self._waiting.get(game, ())}
        rooms.update(
            room for key, matchable in self._matchable.items() if key.game == game for room in matchable
        )
        live_rooms = (self._live_rooms.get(room) for room in rooms)
        return any(
            live is not None
            and live is not except_room
            and not live.bots
            and live.latest.phase is Phase.PLAYING
            for live in live_rooms
        )

    def _changed(self, live: LiveRoom, before: AnyRoom) -> None:
        room = live.durable
        if not room.table.public:
            return
        key, waiting = match_key(room.game, room.options, room.table.clock), self._waiting[room.game]
        # Rooms whose host starts the game are not matched: the player would still have to wait.
        matchable = room.phase is Phase.WAITING and not room.table.legacy.host_starts
        default = room.options == live.rules.option_type()
        if default and (matchable or _waits_again(room)):
            waiting[room.id] = None
        else:
            waiting.pop(room.id, None)
        if matchable:
            self._matchable.setdefault(key, {})[room.id] = None
        elif (others := self._matchable.get(key)) is not None:
            others.pop(room.id, None)
            if not others:
                del self._matchable[key]
        if room.phase is Phase.PLAYING:
            self._playing[room.game].add(room.id)
        else:
            self._playing[room.game].discard(room.id)


class QuickMatch:
    """Finds an opponent: one search per game at a time, on all workers together."""

    def __init__(
        self,
        executor: CommandExecutor,
        waiting_rooms: WaitingRooms,
        identity: Identity,
        room_access: JoinLeaveCommands,
        inbox: Inbox,
    ) -> None:
        self._executor = executor
        self.waiting_rooms = waiting_rooms
        self._identity = identity
        self._room_access = room_access
        self._inbox = inbox
        self.handlers: Handlers = {intents.QuickMatch: self._match}

    def search(self, connection: Connection, game: str, work: Callable[[], Work]) -> None:
        """Search rooms of a game alone on all workers, once all earlier commands are durable."""
        alone = partial(self._alone, game, work)
        self._executor.journal.after(lambda _failure: self._inbox.run(connection, alone))

    async def _alone(self, game: str, work: Callable[[], Work]) -> None:
        async with self._executor.replication.exclusive(game):
            await work()

    def waiting_room(self, person: Person, game: Game, wanted: MatchKey | None = None) -> LiveRoom | None:
        """Return the public room in which the person waits for an opponent; `wanted`: by these rules."""
        for live in self._rooms_of(person):
            room = live.latest
            if (
                live.game is game
                and room.phase is Phase.WAITING
                and room.table.public
                and (wanted is None or wanted == match_key(room.game, room.options, room.table.clock))
            ):
                return live
        return None

    def _match(self, connection: Connection, intent: intents.QuickMatch, now: Millis) -> None:
        game = self._executor.games.get(intent.game)
        if game is None:
            connection.send_notice(Refused(Refusal.NO_SUCH_GAME))
            return
        clock = clock_plan_of(intent.clock)
        try:
            options = (
                game.quick_match_options if intent.options is UNSET else read_options(game, intent.options)
            )
        except Malformed as error:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, about=str(error)))
            return
        if (fault := clock_fault(clock, game)) is not None:
            connection.send_notice(Refused(Refusal.BAD_OPTIONS, about=fault))
            return
        # A search of the same loop turn must be waiting in its room before this one looks for it.
        work = partial(self._join_or_open, connection, game, intent, options, clock, now)
        self.search(connection, game.name, work)

    async def _join_or_open(
        self,
        connection: Connection,
        game: Game,
        intent: intents.QuickMatch,
        options: Any,
        clock: ClockPlan | None,
        now: Millis,
    ) -> None:
        assert connection.person is not None
        if connection.outbox.closed:
            return
        own = self._running_room(connection.person, game) if intent.rejoin else None
        wanted = match_key(game.name, options, clock)
        own = own or self.waiting_room(connection.person, game, wanted)
        if own is None and intent.rejoin and self.waiting_rooms.match_taken(game):
            connection.send_notice(Refused(Refusal.BUSY))
            return
        live = own or self.waiting_rooms.find(wanted, connection.person)
        if live is None:
            if not await self._room_access.may_open_room(connection, "", now):
                return
            room_id = self._identity.room_id(connection.person, secrets.token_hex(8))
            table = with_substitute_bot(TableRules(clock=clock), game)
            live = self._executor.open(game, room_id, options, table, now)
            live.opened_from = connection.address
        again = partial(self._match, connection, intent, now)
        await self._room_access.take_seat(live, connection, None, intent.player_entropy, now, again)

    def _running_room(self, person: Person, game: Game) -> LiveRoom | None:
        running = [
            live
            for live in self._rooms_of(person)
            if live.game is game and live.latest.phase is Phase.PLAYING
        ]
        return max(running, key=lambda live: (live.latest.at, live.latest.id), default=None)

    def _rooms_of(self, person: Person) -> list[LiveRoom]:
        rooms = tuple(self._executor.seat_index.get(person, ()))
        return [live for room in rooms if (live := self._executor.replication.live_room(room)) is not None]


def _waits(room: AnyRoom) -> bool:
    return room.phase is Phase.WAITING or _waits_again(room)


def _waits_again(room: AnyRoom) -> bool:
    """Tell whether a player of an older client stayed at a finished game whose other player has left."""
    # Players in the page are not drawn into another game while they look at the last one.
    return room.phase is Phase.OVER and room.table.legacy.chat_with_spectators and None in room.seats


def _has_connected_player(live: LiveRoom) -> bool:
    """Tell whether a player waits here; of a room without subscription, as far as its snapshot tells."""
    if live.replica.subscribed:
        return any(live.reach)
    return any(
        is_human(taken) and taken is not None and taken.disconnected_at is None for taken in live.latest.seats
    )
